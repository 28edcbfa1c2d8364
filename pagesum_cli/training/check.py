"""Counts and complaints about training data."""

from dataclasses import dataclass, field, fields

from ..options import PagingOptions

MAX_NAMED = 5
"""Records that are named for each kind of problem."""


@dataclass
class Check:
    """Counts of a split's data, or of one record; checks add up.

    Attributes:
        records, used, excluded: Records that were read, became examples, or were left out by their source.
        words, pages, page_tokens: In all.
        max_pages: Of one record.
        truncated_words, truncated_pages: Words left out because their page is full, and pages that lose words.
        dropped_words, dropped_records: Words on pages beyond the last one that is read, and records that lose pages.
        target_tokens: In all, cut ones included.
        cut_targets, cut_target_tokens: Summaries that are too long, and the tokens that they lose.
        repeated: Documents that occur before in the same data.
        unreadable, without_summary, not_text: Numbers of such records; ``named`` has the first ones of each kind.
        fingerprint: Hash of ids, documents and summaries.
    """

    records: int = 0
    used: int = 0
    excluded: int = 0
    words: int = 0
    pages: int = 0
    page_tokens: int = 0
    max_pages: int = 0
    truncated_words: int = 0
    truncated_pages: int = 0
    dropped_words: int = 0
    dropped_records: int = 0
    target_tokens: int = 0
    cut_targets: int = 0
    cut_target_tokens: int = 0
    repeated: int = 0
    unreadable: int = 0
    without_summary: int = 0
    not_text: int = 0
    named: dict[str, list[str]] = field(default_factory=dict)
    fingerprint: str = ""

    def add(self, other: "Check") -> None:
        """Add the counts of another check."""
        for one in fields(self):
            if one.type is int:
                combine = max if one.name == "max_pages" else int.__add__
                setattr(self, one.name, combine(getattr(self, one.name), getattr(other, one.name)))
        for kind, names in other.named.items():
            self.named[kind] = [*self.named.get(kind, []), *names][:MAX_NAMED]

    def problem(self, message: str) -> None:
        """Count a record that cannot be read."""
        self.add(Check(unreadable=1, named={"unreadable": [message]}))


def complaints(split: str, check: Check, paging: PagingOptions, target_tokens: int) -> list[str]:
    """Warnings about a split's data, one line each."""
    lines = [*check.named.get("unreadable", [])]
    if check.unreadable > len(lines):
        lines.append(f"{split}: {check.unreadable} records in all could not be read")
    for kind, text in (
        ("without_summary", "records without a summary are left out"),
        ("not_text", "documents hold few letters"),
    ):
        if number := getattr(check, kind):
            names = ", ".join(check.named[kind]) + (" …" if number > MAX_NAMED else "")
            lines.append(f"{split}: {number} {text}: {names}")
    if check.repeated:
        lines.append(f"{split}: {check.repeated} documents occur more than once")
    if check.dropped_words:
        limit, name = paging.max_pages, "max_pages, 0 for no limit,"
        if paging.num_pages:
            limit, name = paging.num_pages, "num_pages"
        unit = "parts"
        if tokens := paging.document_tokens or paging.source_tokens:
            limit, name, unit = tokens, "document_tokens" if paging.document_tokens else "source_tokens", "tokens"
        lines.append(
            f"{split}: {check.dropped_records} documents have more than {limit} {unit}: {check.dropped_words} words "
            f"({check.dropped_words / check.words:.0%} of all) are not read; a larger {name} reads more"
        )
    if check.truncated_words:
        lines.append(
            f"{split}: {check.truncated_pages} parts are longer than {paging.page_tokens} tokens and lose "
            f"{check.truncated_words} words ({check.truncated_words / check.words:.0%} of all)"
        )
    if check.cut_targets:
        lines.append(
            f"{split}: {check.cut_targets} summaries are longer than {target_tokens} tokens and lose "
            f"{check.cut_target_tokens} tokens ({check.cut_target_tokens / check.target_tokens:.0%})"
        )
    return lines
