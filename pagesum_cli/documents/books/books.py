"""Books as plain text: their licence, their contents list, and the headings of their parts and
chapters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ...text.cleaning import one_line
from ...text.tables import patterns
from ..article.building import left_out
from ..article.divisions import (
    CHAPTER,
    MAX_HEADING,
    PART,
    Division,
    division_of,
    is_contents,
    is_named,
    is_title,
    joined_title,
    numbered,
    plain,
)
from ..model import LeftOut

# lines of a block that is a heading: a label, and a title on one or two lines
MAX_HEADING_LINES = 3
CONTENTS_WITHIN = 0.3  # share of a book in which its contents list begins
# places at which a contents list may begin, and blocks that it may have
MAX_ATTEMPTS, MAX_CONTENTS = 50, 2_000
MIN_ENTRIES = 3  # lines of a contents list without a heading of its own
PROSE_WORDS = 25  # words of a block that ends like a sentence, and is no entry of a contents list
WORDS_BETWEEN = 100  # mean number of words between numbers that stand alone and are headings
_FORMS = patterns(__file__, "books.toml")
GUTENBERG = _FORMS["licence"]  # the lines around the text of Project Gutenberg's books
_END = ("the end", "finis", "the end.", "finis.", "end")

_PART_ORDER = (
    "volume",
    "vol",
    "band",
    "tome",
    "том",
    "卷",
    "book",
    "livre",
    "buch",
    "libro",
    "книга",
    "部",
)


@dataclass(frozen=True)
class BookHeading:
    """A heading of a book."""

    place: int  # its block
    text: str  # as printed, on one line
    # how it is worded; None for a name, and for a title that the contents list has
    division: Division | None
    is_listed: bool  # whether the contents list has it
    blocks: int = 1  # number of blocks that it takes up
    rest: str = ""  # text on the lines after it in its last block
    level: int = 1  # from 1

    @property
    def found_by(self) -> str:
        """``numbering``, ``name`` or ``style``."""
        return "numbering" if self.division else "name" if is_named(self.text) else "style"


def without_licence(text: str) -> tuple[str, str, list[LeftOut]]:
    """A text without Project Gutenberg's licence before and after it, its title, and what is left
    out.
    """
    edges = {match["edge"]: match for match in reversed([*GUTENBERG.finditer(text)])}
    start = edges["START"].end() if "START" in edges else 0
    end = edges["END"].start() if "END" in edges and edges["END"].start() > start else len(text)
    pieces = [piece for piece in (text[:start], text[end:]) if piece.strip()]
    title = _FORMS["title"].search(text[:start])
    return (
        text[start:end],
        one_line(title[1]) if title else "",
        [left_out("licence", [piece]) for piece in pieces],
    )


def contents_of(blocks: Sequence[str]) -> tuple[range, list[str]]:
    """The blocks of the contents list of a book, and its entries; both empty if there is none.

    It begins with its heading, or is a run of titles of parts and chapters, and its entries come
    again as headings.
    """
    keys: list[set[str]] = []  # computed where they are needed
    last: dict[str, int] = {}
    total, before, attempts = sum(map(len, blocks)), 0, 0
    for place, block in enumerate(blocks):
        if before > CONTENTS_WITHIN * total or attempts >= MAX_ATTEMPTS:
            break
        first, _, rest = block.strip("\n").partition("\n")
        has_heading = is_contents(first.strip())
        if has_heading or division_of(_entry(first)) or (numbered(_entry(first)) and "\n" in block):
            attempts += 1
            if not keys:
                keys = [_keys_of(block) for block in blocks]
                last = {key: place for place, own in enumerate(keys) for key in own}
            found = _list_from(
                blocks, place, rest if has_heading else block, has_heading, keys, last
            )
            if found is not None:
                return found
        before += len(block)
    return range(0), []


def _list_from(
    blocks: Sequence[str],
    start: int,
    first: str,
    has_heading: bool,
    keys: Sequence[set[str]],
    last: Mapping[str, int],
) -> tuple[range, list[str]] | None:
    entries: list[tuple[int, str]] = []
    place = start
    while place < min(len(blocks), start + MAX_CONTENTS):
        block = first if place == start else blocks[place]
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        if place > start and (_is_prose(lines) or _comes_again(entries, place, keys[place])):
            break
        if (
            place > start
            and not has_heading
            and not all(division_of(_entry(line)) for line in lines[:1])
        ):
            break
        entries += [(place, _entry(line)) for line in lines]
        place += 1
    if place < len(blocks) and not _comes_again(entries, place, keys[place]):
        place = _before_headings(blocks, start, place)  # prose: its heading stands before it
        entries = [one for one in entries if one[0] < place]
    later = [text for _, text in entries if any(last.get(key, -1) >= place for key in _forms(text))]
    needed = 2 if has_heading else MIN_ENTRIES
    if len(later) < needed or (not has_heading and len(later) < 0.8 * len(entries)):
        return None
    return range(start, place), [text for _, text in entries]


def _comes_again(entries: Sequence[tuple[int, str]], place: int, keys: set[str]) -> bool:
    """Whether a block is the first entry, or one of the next few, as a heading: then the list has
    ended.
    """
    return any(at < place and not keys.isdisjoint(_forms(text)) for at, text in entries[:4])


def _before_headings(blocks: Sequence[str], start: int, end: int) -> int:
    while end > start + 1:
        block = blocks[end - 1].strip()
        is_heading = "\n" not in block and (
            is_named(block) or division_of(block) or block.isupper()
        )
        if not is_heading:
            break
        end -= 1
    return end


def _is_prose(lines: Sequence[str]) -> bool:
    text = " ".join(lines)
    is_entry = len(lines[0]) <= MAX_HEADING and _entry(lines[0]) != one_line(lines[0])
    return (
        len(text.split()) >= PROSE_WORDS
        and bool(_FORMS["sentence_end"].search(text[-MAX_HEADING:]))
        and not is_entry
    )


def _entry(line: str) -> str:
    """A line of a contents list without its page number, which stands after dots or two spaces."""
    line = line.strip().replace("\t", "  ")
    before = line.rstrip("0123456789ivxlc")
    title = before.rstrip(" .…·_")
    is_number = (
        len(before) - len(title) >= 2 and title and (division_of(title) or not division_of(line))
    )
    return one_line(title if is_number else line)


def _forms(entry: str) -> set[str]:
    """The ways in which an entry may stand as a heading: whole, its label alone, its title; a label
    with a title.
    """
    division = division_of(entry) or numbered(entry)
    forms = {plain(entry)}
    if division is not None:
        forms |= (
            {_label(division), plain(division.title)}
            if division.title
            else {f"{_label(division)} …"}
        )
    return {form for form in forms if len(form) > 1}


def _keys_of(block: str) -> set[str]:
    lines = [line.strip() for line in block.split("\n") if line.strip()]
    if not lines or len(lines) > MAX_HEADING_LINES or sum(map(len, lines)) > MAX_HEADING:
        return set()
    if any(division_of(line) for line in lines[1:]):
        return set()  # a list
    whole = one_line(" ".join(lines))
    keys = {plain(whole), plain(lines[0])}
    division = division_of(whole) or division_of(lines[0]) or numbered(whole)
    if division is None:
        return keys
    return keys | {f"{_label(division)} …", *([] if division.title else [_label(division)])}


def _label(division: Division) -> str:
    return f"{division.word or 'number'} {division.number}"


def book_headings(blocks: Sequence[str], entries: Sequence[str]) -> dict[int, BookHeading]:
    """The headings of parts and chapters by their blocks; empty for a text that is no book.

    A heading is labelled (``CHAPTER I``), in the contents list, a number alone or with a title
    where the numbers run on, or has a name such as preface. At least two of the first three kinds
    make a book.
    """
    wrapped = (f"{one} {after}" for one, after in pairwise(entries))  # an entry on two lines
    listed = {form for entry in (*entries, *wrapped) for form in _forms(entry)}
    labelled, others = _candidates(blocks, listed)
    labelled = _with_titles(blocks, labelled, listed)
    has_chapters = any(one.division and one.division.rank == CHAPTER for one in labelled)
    numbers = [] if has_chapters else _with_titles(blocks, _numbers(blocks, listed), listed)
    taken = {at for one in (*labelled, *numbers) for at in range(one.place, one.place + one.blocks)}
    others = [
        one for one in others if one.place not in taken and not (numbers and one.place in taken)
    ]
    found = [*labelled, *numbers, *(one for one in others if one.is_listed)]
    if len(found) < 2:
        return {}
    words = [
        word
        for word in dict.fromkeys(one.division.word for one in labelled if one.division)
        if word
    ]
    parts = {one.division.word for one in labelled if one.division and one.division.rank == PART}
    order = sorted(
        parts,
        key=lambda word: (
            _PART_ORDER.index(word) if word in _PART_ORDER else 99,
            words.index(word),
        ),
    )
    headings: dict[int, BookHeading] = {}
    for one in (*found, *(one for one in others if not one.is_listed)):
        level = (
            order.index(one.division.word) + 1
            if one.division and one.division.rank == PART
            else len(order) + 1
        )
        depth = _FORMS["decimal"].match(one.text)
        level += depth[0].count(".") if depth else 0
        headings[one.place] = replace(one, level=1 if one.found_by == "name" else level)
    return headings


def _candidates(
    blocks: Sequence[str], listed: set[str]
) -> tuple[list[BookHeading], list[BookHeading]]:
    labelled: list[BookHeading] = []
    others: list[BookHeading] = []
    for place, block in enumerate(blocks):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        if not lines or len(lines[0]) > MAX_HEADING:
            continue
        whole = one_line(" ".join(lines)) if len(lines) <= MAX_HEADING_LINES else ""
        first = division_of(lines[0])
        division = first if len(lines) == 1 else division_of(whole) if whole else None
        is_listed = bool(listed) and not listed.isdisjoint(_keys_of(block))
        if division is not None or (
            first is not None
            and not first.title
            and not (len(lines) <= MAX_HEADING_LINES and is_title(" ".join(lines[1:])))
        ):
            division = division or first
            assert division is not None
            text, rest = (whole, "") if division_of(whole) else (lines[0], "\n".join(lines[1:]))
            if first is not None and not first.title and not rest and lines[1:]:
                text = joined_title(one_line(lines[0]), one_line(" ".join(lines[1:])))
            is_same = labelled and one_line(text) == labelled[-1].text
            if not is_same:
                labelled.append(BookHeading(place, one_line(text), division, is_listed, rest=rest))
        elif whole and len(whole) <= MAX_HEADING and whole.lower() not in _END:
            short = (
                len(lines) == 1
                and len(whole.split()) <= 8
                and (whole.isupper() or not whole.endswith("."))
            )
            is_entry = (
                is_listed
                and plain(whole) in listed
                and not _FORMS["sentence_end"].search(whole.rstrip("."))
            )
            if is_entry or (short and is_named(whole)):
                others.append(BookHeading(place, whole, None, is_entry))
    return labelled, others


def _with_titles(
    blocks: Sequence[str], labelled: Sequence[BookHeading], listed: set[str]
) -> list[BookHeading]:
    """Labels alone, with the title in the next block: in capitals, listed, or most labels have
    one.
    """
    places = {one.place for one in labelled}

    def after(one: BookHeading) -> str:
        alone = (
            one.division is not None
            and not one.division.title
            and not one.rest
            and one.place + 1 < len(blocks)
        )
        if not alone or one.place + 1 in places:
            return ""
        title = one_line(blocks[one.place + 1]).strip("_*")
        is_short = (
            len(title.split()) <= 12
            and blocks[one.place + 1].strip().count("\n") < MAX_HEADING_LINES
        )
        return title if is_short and is_title(title) and any(map(str.isalpha, title)) else ""

    def is_sure(title: str) -> bool:
        return title.isupper() or plain(title) in listed

    titles = [after(one) for one in labelled]
    shaped = [
        bool(title)
        and not _FORMS["sentence_end"].search(title)
        and not title.endswith((":", "”", '"'))
        for title in titles
    ]
    usual = sum(shaped) >= 0.6 * len(labelled)
    joined = []
    for one, title, is_shaped in zip(labelled, titles, shaped, strict=True):
        if title and not is_named(title) and (is_sure(title) or (usual and is_shaped)):
            is_listed = one.is_listed or plain(title) in listed
            one = replace(
                one, text=joined_title(one.text, title), is_listed=is_listed, blocks=2, rest=""
            )
        joined.append(one)
    return joined


def _numbers(blocks: Sequence[str], listed: set[str]) -> list[BookHeading]:
    """Numbers alone or Roman ones with a title: those that run on from 1, with prose between them;
    new in each part.
    """
    candidates: list[tuple[BookHeading, bool]] = []
    for place, block in enumerate(blocks):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        whole = one_line(" ".join(lines))
        division = numbered(whole) if 0 < len(lines) <= MAX_HEADING_LINES else None
        if division is None or (whole[0].isdecimal() and division.title and len(lines) == 1):
            continue
        if (
            len(lines) == 1
            and _FORMS["sentence_end"].search(division.title)
            and not division.title.isupper()
        ):
            continue
        ended = place == 0 or bool(_FORMS["sentence_end"].search(blocks[place - 1].rstrip()))
        candidates.append(
            (BookHeading(place, whole, division, bool(listed & _keys_of(block))), ended)
        )
    titled = [one for one in candidates if one[0].division and one[0].division.title]
    alone = [one for one in candidates if one[0].division and not one[0].division.title]
    return _run(blocks, titled) or _run(blocks, alone) or _run(blocks, candidates)


def _run(
    blocks: Sequence[str], candidates: Sequence[tuple[BookHeading, bool]]
) -> list[BookHeading]:
    """The candidates that run on from 1, with prose between them; each with whether a sentence ends
    before it.
    """
    chain: list[tuple[BookHeading, bool]] = []
    for one, ended in candidates:
        assert one.division is not None
        last = chain[-1][0].division if chain else None
        if one.division.number == 1 or (
            last is not None and one.division.number == last.number + 1
        ):
            if chain and one.division.number == 1 and last is not None and last.number == 1:
                chain.pop()  # the first "I" was none
            chain.append((one, ended))
    between = [
        sum(len(block.split()) for block in blocks[a.place : b.place])
        for (a, _), (b, _) in pairwise(chain)
    ]
    is_page_number = sum(not ended for _, ended in chain) > 0.3 * len(chain) and not any(
        one.is_listed for one, _ in chain
    )
    if (
        len(chain) < 2
        or sum(between) < WORDS_BETWEEN * len(between)
        or (is_page_number and len(chain) > 3)
    ):
        return []
    return [one for one, _ in chain]
