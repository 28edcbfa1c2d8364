"""The contents list of a book as plain text."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

from ...text.cleaning import one_line
from ..article.divisions import MAX_HEADING, division_of, is_contents, is_named, numbered
from .forms import ends_sentence, entry_of, forms_of, keys_of, lines_of

CONTENTS_WITHIN = 0.3  # share of a book in which its contents list begins
# places at which a contents list may begin, and blocks that it may have
MAX_ATTEMPTS, MAX_CONTENTS = 50, 2_000
MIN_ENTRIES = 3  # lines of a contents list without a heading of its own
MOST = 0.8  # share of its entries that come again as headings
FIRST_ENTRIES = 4  # entries, of which one comes again where the list has ended
PROSE_WORDS = 25  # words of a block that ends like a sentence, and is no entry of a contents list


def contents_of(blocks: Sequence[str]) -> tuple[range, list[str]]:
    """The blocks of the contents list of a book, and its entries; both empty if there is none.

    It begins with its heading, or is a run of titles of parts and chapters, and its entries come
    again as headings.
    """
    book = _Book(blocks)
    for place in islice(book.beginnings(), MAX_ATTEMPTS):
        found = book.list_from(place)
        if found is not None:
            return found
    return range(0), []


class _Book:
    """The blocks of a book, in which a contents list is looked for."""

    def __init__(self, blocks: Sequence[str]) -> None:
        self.blocks = blocks

    @cached_property
    def keys(self) -> list[set[str]]:
        """The forms of each block as a heading."""
        return [keys_of(block) for block in self.blocks]

    @cached_property
    def last(self) -> dict[str, int]:
        """The last block with each form."""
        return {key: place for place, own in enumerate(self.keys) for key in own}

    def beginnings(self) -> Iterator[int]:
        """The blocks at which a contents list may begin."""
        total, before = sum(map(len, self.blocks)), 0
        for place, block in enumerate(self.blocks):
            if before > CONTENTS_WITHIN * total:
                return
            first, is_alone = self._first_line(place), "\n" not in block
            entry = entry_of(first)
            is_number = not is_alone and numbered(entry) is not None
            if is_contents(first.strip()) or division_of(entry) or is_number:
                yield place
            before += len(block)

    def list_from(self, start: int) -> tuple[range, list[str]] | None:
        """The contents list that begins at a block."""
        has_heading = is_contents(self._first_line(start).strip())
        end, entries = self._entries_from(start, has_heading)
        if end < len(self.blocks) and not self._comes_again(entries, end):
            end = self._before_headings(start, end)  # prose: its heading stands before it
            entries = [(place, text) for place, text in entries if place < end]
        titles = [text for _, text in entries]
        if not self._come_later(titles, end, has_heading):
            return None
        return range(start, end), titles

    def _first_line(self, place: int) -> str:
        return self.blocks[place].strip("\n").partition("\n")[0]

    def _entries_from(self, start: int, has_heading: bool) -> tuple[int, list[tuple[int, str]]]:
        """Where a list ends that begins at a block, and its entries with their blocks."""
        first = self.blocks[start]
        entries: list[tuple[int, str]] = []
        if has_heading:
            first = first.strip("\n").partition("\n")[2]
        entries += [(start, entry_of(line)) for line in lines_of(first)]
        end = min(len(self.blocks), start + MAX_CONTENTS)
        for place in range(start + 1, end):
            lines = lines_of(self.blocks[place])
            is_other = not has_heading and not division_of(entry_of(lines[0]))
            if is_other or _is_prose(lines) or self._comes_again(entries, place):
                return place, entries
            entries += [(place, entry_of(line)) for line in lines]
        return end, entries

    def _comes_again(self, entries: Sequence[tuple[int, str]], place: int) -> bool:
        """Whether a block is the first entry, or one of the next few, as a heading: then the list
        has ended.
        """
        first = [text for at, text in entries[:FIRST_ENTRIES] if at < place]
        return any(not self.keys[place].isdisjoint(forms_of(text)) for text in first)

    def _before_headings(self, start: int, end: int) -> int:
        while end > start + 1 and _is_heading(self.blocks[end - 1].strip()):
            end -= 1
        return end

    def _come_later(self, entries: Sequence[str], end: int, has_heading: bool) -> bool:
        """Whether enough entries come again as headings after the list."""
        count = sum(
            any(self.last.get(form, -1) >= end for form in forms_of(own)) for own in entries
        )
        return count >= 2 if has_heading else count >= max(MIN_ENTRIES, MOST * len(entries))


def _is_heading(block: str) -> bool:
    is_worded = is_named(block) or division_of(block) is not None
    return "\n" not in block and (is_worded or block.isupper())


def _is_prose(lines: Sequence[str]) -> bool:
    text = " ".join(lines)
    is_entry = len(lines[0]) <= MAX_HEADING and entry_of(lines[0]) != one_line(lines[0])
    is_long = len(text.split()) >= PROSE_WORDS
    return is_long and ends_sentence(text[-MAX_HEADING:]) and not is_entry
