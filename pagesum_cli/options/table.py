"""Rows of the table of options: what is known of an option, how a value is checked, and which flags
do nothing.
"""

import difflib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache
from types import NoneType
from typing import Any, ClassVar, Self, get_args, get_origin, get_type_hints

from ..errors import UsageError, shown

LARGEST = 2**31 - 1  # the largest number where a row states no other maximum
MAX_SEED = 2**32 - 1  # the largest seed of NumPy's generators
SYNONYMS = {
    "section": "discourse",
    "sections": "discourse",
    "file": "document",
    "files": "document",
}
"""What people call a choice, for hints."""

_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}


@dataclass(frozen=True, kw_only=True)
class Row:
    """What is known of an option besides its name, type and default."""

    help: str  # what it does, as shown by ``--help``
    choices: Sequence[str] = ()  # the allowed values
    words: Sequence[str] = ()  # what may stand in place of a number
    # min, max: the range of numbers; ``exclusive``: the minimum itself is not allowed
    min: float | None = None
    max: float | None = None
    exclusive: bool = False
    metavar: str | None = None  # the name of its value in the help; numbers are N and X
    flags: tuple[str, ...] = ()  # names instead of ``--field-name`` (``-x`` alone is added to it)
    panel: str | None = None  # the heading in the help, instead of the dataclass's own
    hidden: bool = False  # whether the help leaves it out
    # whether it is for research: verbs that are not accept it, and their help leaves it out
    research: bool = False
    # its line in the short help, up to 46 characters; without one, only ``--help-all`` lists it
    brief: str = ""
    requires: str = ""  # another option without which it does nothing
    unless: str = ""  # another option with which it does nothing
    needs: str = ""  # a capability of the model without which it does nothing
    beams_only: bool = False  # whether only beam search uses it
    # whether a checkpoint's value was chosen for its beam search: with ``--beams 1`` it is ``off``
    chosen_with_beams: bool = False
    # The value with which it has no effect, which any model accepts. Options that have one are
    # settings of training and in checkpoints.
    off: Any = None
    # The value for checkpoints that state none, if it is not ``off``; ``trained``: for those that
    # are trained, if it is not ``own``
    own: Any = None
    # Its name in checkpoints where that is Transformers', and ``added``, by how much the number is
    # larger there: start and end token
    stored: str = ""
    added: int = 0
    trained: Any = None

    @property
    def paper(self) -> Any:
        """The value for checkpoints that state none."""
        return self.off if self.own is None else self.own


def option(default: Any, help: str, **row: Any) -> Any:
    """A field of an option dataclass."""
    return field(default=default, metadata={"row": Row(help=help, **row)})


def row_of(option: Field[Any]) -> Row:
    """The row of a field."""
    return option.metadata["row"]


@cache
def hints_of(kind: type) -> dict[str, Any]:
    """The types of a dataclass's fields."""
    return get_type_hints(kind)


def flags_of(option: Field[Any]) -> list[str]:
    """The flags of a field, as ``--long``, ``-s`` or ``--on/--off``."""
    names = list(row_of(option).flags)
    if not any(name.startswith("--") for name in names):
        names.insert(0, f"--{_dashed(option.name)}")
    return names


def names_of(*kinds: Any) -> set[str]:
    """The names of the options of dataclasses."""
    return {option.name for kind in kinds for option in fields(kind)}


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The most similar known name, for a hint; None if none is similar."""
    known = list(known)
    if SYNONYMS.get(name.lower()) in known:
        return SYNONYMS[name.lower()]
    matches = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return matches[0] if matches else None


def suggestion(name: str, known: Iterable[str], otherwise: str | None = None) -> str | None:
    """A hint for an unknown name: the most similar known one, or else something to do."""
    near = nearest(name, known)
    return f"did you mean {near}?" if near else otherwise


@dataclass(frozen=True)
class Options:
    """Base of all option dataclasses: every value is checked once, when it is made."""

    # the heading above its flags in the help: ``class Some(Options, panel="Some")``
    panel: ClassVar[str] = "Options"

    def __init_subclass__(cls, panel: str | None = None) -> None:
        cls.panel = panel or cls.panel

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            kind = hints_of(type(self))[option.name]  # type: ignore[arg-type]
            found = fault(value, kind if kind_of(kind) in (int, float) else None, row_of(option))
            if found:
                raise UsageError(
                    f"{_dashed(option.name)} {shown(value)}: {found.expected}",
                    found.hint
                    or (
                        f"for example --{_dashed(option.name)} {found.example}"
                        if found.example
                        else None
                    ),
                )

    def changed(self, **changes: Any) -> Self:
        """A copy with the given values, where they are not None."""
        return replace(
            self, **{name: value for name, value in changes.items() if value is not None}
        )

    def given(self) -> dict[str, Any]:
        """The values that are not None, by name."""
        return {name: value for name, value in vars(self).items() if value is not None}


@dataclass(frozen=True)
class Fault:
    """What is wrong with a value."""

    expected: str
    hint: str | None = None
    example: str = ""


def fault(value: Any, kind: Any, row: Row) -> Fault | None:
    """What is wrong with a value: its type, its range, or that it is none of the choices; None if
    it is right.
    """
    if value is None or value in row.words:
        return None
    if kind is not None and not _is_of(value, kind):
        return Fault(" or ".join([expectation(kind), *row.words]))
    if row.choices:
        if value in row.choices:
            return None
        expected = f"expected one of {', '.join(row.choices)}"
        return Fault(expected, suggestion(str(value), row.choices), row.choices[0])
    if isinstance(value, list | tuple):
        return next(filter(None, (fault(item, None, row) for item in value)), None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if value != value:  # NaN
        return Fault("expected a number")
    if row.min is not None and (value <= row.min if row.exclusive else value < row.min):
        return Fault(f"expected {'more than' if row.exclusive else 'at least'} {row.min}")
    high = LARGEST if row.max is None else row.max
    return Fault(f"expected at most {high}") if value > high else None


def expectation(kind: Any) -> str:
    """What a value of a type is, in words."""
    kind = kind_of(kind)
    if get_origin(kind) in (list, tuple):
        return (
            "expected a list of whole numbers"
            if get_args(kind)[0] is int
            else "expected a list of strings"
        )
    return f"expected {_KINDS[kind]}"


def _is_of(value: Any, kind: Any) -> bool:
    kind = kind_of(kind)
    if get_origin(kind) in (list, tuple):
        return isinstance(value, list | tuple) and all(
            _is_of(item, get_args(kind)[0]) for item in value
        )
    if kind is str:
        return (
            isinstance(value, str)
            and "\0" not in value
            and value.encode("utf-8", "replace").decode() == value
        )
    return type(value) is kind or (kind is float and type(value) is int)


def kind_of(kind: Any) -> Any:
    """The type of an annotation without ``| None``."""
    if get_origin(kind) in (list, tuple):
        return kind
    return next((part for part in get_args(kind) if part is not NoneType), kind)


def _dashed(name: str) -> str:
    return name.replace("_", "-")


def refuse_idle(
    given: Mapping[str, str],
    idle: Collection[str],
    where: str,
    hint: str | Mapping[str, str] = "leave it out",
) -> None:
    """Refuse flags that do nothing."""
    for name, flag in given.items():
        if name in idle:
            advice = hint if isinstance(hint, str) else hint.get(name, "leave it out")
            raise UsageError(f"{flag} does nothing {where}", advice)
