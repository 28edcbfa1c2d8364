"""What a run reports: the counts and problems of its data, and its progress. Imported without
torch.
"""

from dataclasses import dataclass, field, fields

from ..options import PagingOptions

MAX_NAMED = 5  # records that are named for each kind of problem


@dataclass
class Check:
    """Counts of a split's data, or of one record; checks add up."""

    # records, used, excluded: records that were read, became examples, or were left out by their
    # source
    records: int = 0
    used: int = 0
    excluded: int = 0
    # words, pages, page_tokens: in all
    words: int = 0
    pages: int = 0
    page_tokens: int = 0
    max_pages: int = 0  # of one record
    # truncated_words, truncated_pages: words left out because their page is full, and pages that
    # lose words
    truncated_words: int = 0
    truncated_pages: int = 0
    # dropped_words, dropped_records: words on pages beyond the last one that is read, and records
    # that lose pages
    dropped_words: int = 0
    dropped_records: int = 0
    target_tokens: int = 0  # in all, cut ones included
    # cut_targets, cut_target_tokens: summaries that are too long, and the tokens that they lose
    cut_targets: int = 0
    cut_target_tokens: int = 0
    repeated: int = 0  # documents that occur before in the same data
    # unreadable, without_summary: numbers of such records; ``named`` has the first ones of each
    # kind
    unreadable: int = 0
    without_summary: int = 0
    named: dict[str, list[str]] = field(default_factory=dict)
    fingerprint: str = ""  # hash of ids, documents and summaries

    def add(self, other: "Check") -> None:
        """Add the counts of another check."""
        for field_ in fields(self):
            if field_.type is int:
                combine = max if field_.name == "max_pages" else int.__add__
                setattr(
                    self,
                    field_.name,
                    combine(getattr(self, field_.name), getattr(other, field_.name)),
                )
        for kind, names in other.named.items():
            self.named[kind] = [*self.named.get(kind, []), *names][:MAX_NAMED]

    def problem(self, message: str) -> None:
        """Count a record that cannot be read."""
        self.add(Check(unreadable=1, named={"unreadable": [message]}))


def complaints(split: str, check: Check, paging: PagingOptions, target_tokens: int) -> list[str]:
    """Warnings about a split's data, one line each."""
    found = check.named.get("unreadable", [])
    lines = []
    if check.unreadable > len(found):
        lines.append(f"{check.unreadable} records in all could not be read")
    if check.without_summary:
        names = ", ".join(check.named["without_summary"]) + (
            " …" if check.without_summary > MAX_NAMED else ""
        )
        lines.append(f"{check.without_summary} records without a summary are left out: {names}")
    if check.repeated:
        lines.append(f"{check.repeated} documents occur more than once")
    if check.dropped_words:
        tokens, parts = (
            paging.document_tokens or paging.source_tokens,
            paging.num_pages or paging.max_pages,
        )
        name = "num_pages" if paging.num_pages else "max_pages, 0 for no limit,"
        if tokens:
            name = "document_tokens" if paging.document_tokens else "source_tokens"
        limit = f"{tokens} tokens" if tokens else f"{parts} parts"
        lines.append(
            f"{check.dropped_records} documents have more than {limit}: "
            f"{check.dropped_words} words "
            f"({check.dropped_words / check.words:.0%} of all) are not read; "
            f"a larger {name} reads more"
        )
    if check.truncated_words:
        lines.append(
            f"{check.truncated_pages} parts are longer than {paging.page_tokens} tokens and lose "
            f"{check.truncated_words} words ({check.truncated_words / check.words:.0%} of all)"
        )
    if check.cut_targets:
        lines.append(
            f"{check.cut_targets} summaries are longer than {target_tokens} tokens and lose "
            f"{check.cut_target_tokens} tokens "
            f"({check.cut_target_tokens / check.target_tokens:.0%})"
        )
    return [*found, *(f"{split}: {line}" for line in lines)]


@dataclass(frozen=True)
class Progress:
    """The state of a run after an update."""

    update: int
    updates: int
    epoch: float
    loss: float
    learning_rate: float
    seconds: float
    tokens_per_second: float
    memory: int
    seconds_left: float


class Watcher:
    """Receives a run's events. This one ignores them; subclasses show them."""

    def note(self, message: str) -> None:
        """Information, in one line."""

    def warn(self, message: str) -> None:
        """A warning, in one line."""

    def preparing(self, split: str, done: int) -> None:
        """``done`` records of a split have been tokenized."""

    def checked(self, split: str, check: Check) -> None:
        """A split's data has been checked."""

    def reading(self, done: int, documents: int) -> None:
        """``done`` training documents have been read before the first update."""

    def progress(self, progress: Progress) -> None:
        """An update is done."""

    def validating(self, done: int, batches: int) -> None:
        """``done`` batches of a validation are done."""

    def validated(self, update: int, scores: dict[str, float], *, is_best: bool) -> None:
        """A validation after an update is done."""

    def stopping(self) -> None:
        """Ctrl-C: the run ends after this update, with a checkpoint. Called within a signal
        handler.
        """
