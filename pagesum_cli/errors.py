"""The one family of errors that a user sees."""


class PagesumError(Exception):
    """Something the user can act on.

    Args:
        message: one line: what was found and what was expected.
        hint: what to do about it, one line; printed after ``hint:``.
    """

    exit_code = 1

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(PagesumError):
    """Flags or values that make no sense together."""

    exit_code = 2
