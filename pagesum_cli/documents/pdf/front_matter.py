"""What stands before the text of a PDF: the title, contents pages, and what of the rest is an abstract."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from ..article.divisions import division_of, is_contents, plain
from ..article.names import is_name
from ..article.wording import is_prose
from ..model import Paragraph
from .lines import Line
from .paragraphs import is_list_item
from .patterns import FRONT, TERMINAL, Similarity, is_kind, joined

_KIND = re.compile(
    r"(?:original|research|review|short|brief|full|case)?\s*+(?:article|paper|report|communication)\s*+[:—–]\s*+", re.I
)
"""The kind of an article before its title."""

_CITED = re.compile(
    r"\A(?P<name>\D{8,120}?)(?:[,.;]? ?\(?(?:19|20)\d\d\)?[;,:]? ?(?:vol(?:ume|\.)? ?)?|"
    r",? ?(?:vol(?:ume|\.)? ?)?\d{1,4} \((?:19|20)\d\d\)[,:]? ?)\d",
    re.IGNORECASE,
)
"""A journal's name where the article is cited: "Journal of Foxes 2019, 4:12" or "Journal of Foxes 4 (2019) 12–15"."""

_JOURNAL = re.compile(
    r"(?:the )?(?:[\w-]+ ){0,3}(?:journal|annals|archives|bulletin|proceedings|transactions|acta|revista|revue)\b|"
    r".*\bvol(?:ume|\.)? ?\d{1,4}\b.{0,12}\b(?:no|nos|nr|number|issue)\b\.? ?\d",
    re.IGNORECASE,
)
"""The name or the issue of a journal."""

_MARKS = "*∗†‡§¶# \t\n"

MAX_LENGTH = 400
"""Characters of a title."""

MIN_BOLD = 4
"""Words of a title that is no larger than the text."""

TITLE_SIZE = 1.12
"""Size of a title, or half a point less if it is bold, as a multiple of the text's."""

ABSTRACT_WORDS = 40
"""Words of a paragraph before the first heading that may be the abstract."""

MIN_ENTRIES, MIN_UNNAMED = 4, 8
"""Entries of a contents page, and of one without leader dots under no heading that says so."""

MAX_BETWEEN = 2
"""Lines between two entries: the beginning of a long title, the name of a part."""

_NO_TITLE = re.compile(
    r"\.(?:docx?|tex|dvi|pdf|indd|qxd|rtf|p65|ai)\b|^(?:untitled|microsoft word|doi:|slide)|\d{5}", re.IGNORECASE
)
_LAST_WORD = re.compile(r"(?:[.·…_]{2}|\s|^)([^\s.·…_]{1,7}+)$")
_LEADER = re.compile(r"[.·…_]{3}|(?:[.·] ){3}")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}


def title_of(lines: Sequence[Line], body_size: float, metadata_title: str) -> tuple[str, set[int]]:
    """The title and the indexes of its lines: the largest text of the first page that has any.

    Args:
        lines: All lines of the document.
        body_size: Size of the running text.
        metadata_title: The title in the file's properties, which confirms one on the page, or stands in for it.
    """
    is_sane = len(metadata_title.split()) >= 3 and not _NO_TITLE.search(metadata_title)
    metadata_title = metadata_title if is_sane else ""
    similar = Similarity()
    candidates: list[tuple[str, list[int]]] = []
    first_page = [index for index, line in enumerate(lines) if line.page == lines[0].page and not is_kind(line.text)]
    names = {plain(match["name"]) for index in first_page if (match := _CITED.match(lines[index].text))}
    without_journal = [index for index in first_page if not _is_journal(lines[index].text, names)]
    for group in _groups(lines, without_journal or first_page, body_size):
        line, text = lines[group[0]], joined(lines[index].text for index in group)
        letters = sum(map(str.isalpha, text))
        if letters < 8 or len(text) > MAX_LENGTH or len(text.split()) < 2 or line.size < body_size:
            continue
        if metadata_title and similar(plain(text), plain(metadata_title), 0.8) > 0.8:
            return text.rstrip(_MARKS), set(group)
        is_other = is_name(text) or division_of(text) is not None or _is_journal(text, names)
        if line.y >= 0.35 * line.height and not is_other:
            candidates.append((text, group))
    chosen = _largest(candidates, lines, body_size)
    if not chosen and not metadata_title:
        is_bold = (lines[group[0]].bold and len(text.split()) >= MIN_BOLD for text, group in candidates)
        chosen = next((group for (_, group), bold in zip(candidates, is_bold, strict=True) if bold), [])
    if not chosen:
        return metadata_title, set()
    text = joined(lines[index].text for index in chosen)
    return _KIND.sub("", text, count=1).rstrip(_MARKS), set(chosen)


def _groups(lines: Sequence[Line], indexes: Sequence[int], body_size: float) -> list[list[int]]:
    """Some of the lines, one under another in the same style."""
    groups: list[list[int]] = []
    for index in indexes:
        line, last = lines[index], lines[groups[-1][-1]] if groups else None
        if (
            last is not None
            and abs(last.size - line.size) <= 0.06 * last.size
            and (last.bold == line.bold or last.size > 1.3 * body_size)
            and 0 < last.y - line.y < (2.5 if last.style == line.style and line.bold else 2.2) * line.size
        ):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _is_journal(text: str, names: Collection[str]) -> bool:
    """Whether a line is the name of a journal: worded so, or hardly more than one of the names."""
    whole = plain(text)
    return _JOURNAL.match(text) is not None or any(name in whole and 3 * len(name) > 2 * len(whole) for name in names)


def _largest(candidates: Sequence[tuple[str, list[int]]], lines: Sequence[Line], body_size: float) -> list[int]:
    """The lines of the largest text, the first of equals; none if it is hardly larger than the body text."""
    largest, chosen = 0.0, list[int]()
    for _, group in candidates:
        size = lines[group[0]].size + (0.5 if lines[group[0]].bold else 0)
        if size > largest + 0.3:
            largest, chosen = size, group
    return chosen if largest > TITLE_SIZE * body_size else []


def contents_lines(lines: Sequence[Line]) -> set[int]:
    """The indexes of the lines of contents pages.

    They are runs of lines most of which end with a page number, none smaller than the one before; with leader dots
    before them, or under a heading like "Contents", or one under another at the right end of their lines.
    """
    found: set[int] = set()
    entries: list[tuple[int, int]] = []  # index of a line, and the page that it names
    for index, line in enumerate(lines):
        page = _page_of(line.text)
        if not page:
            continue
        last = entries[-1] if entries else None
        if last is not None and (index - last[0] > MAX_BETWEEN + 1 or page < last[1]):
            found |= _contents_page(lines, entries)
            entries = []
        entries.append((index, page))
    return found | _contents_page(lines, entries)


def _page_of(text: str) -> int:
    """The page that a line ends with; negative for the Roman numbers of front matter, 0 if there is none."""
    match = _LAST_WORD.search(text[-20:])
    if match is None or sum(map(str.isalpha, text[: -len(match[1])])) < 3 or text.endswith(")"):
        return 0
    word = match[1]
    if word.isascii() and word.isdecimal() and len(word) <= 4:
        return int(word)
    if word.strip("ivxl"):
        return 0
    values = [_ROMAN[letter] for letter in word]
    return sum(value if value >= after else -value for value, after in pairwise([*values, 0])) - 1000


def _contents_page(lines: Sequence[Line], entries: Sequence[tuple[int, int]]) -> set[int]:
    """The lines from the first to the last entry, if these are a contents page."""
    if len(entries) < MIN_ENTRIES or entries[0][1] == entries[-1][1]:
        return set()
    first, last = entries[0][0], entries[-1][0]
    above = range(first - 1, max(first - 4, -1), -1)
    named = next((index for index in above if is_contents(lines[index].text)), None)
    dotted = sum(bool(_LEADER.search(lines[index].text[-40:])) for index, _ in entries)
    aligned = sum(abs(lines[index].x1 - lines[index].right) < 4 and lines[index].cells > 1 for index, _ in entries)
    in_column = len(entries) >= MIN_UNNAMED and aligned >= 0.8 * len(entries)
    if named is None and 2 * dotted < len(entries) and not in_column:
        return set()
    return set(range(first if named is None else named + 1, last + 1))


def split_front(paragraphs: Sequence[Paragraph]) -> tuple[list[Paragraph], list[Paragraph]]:
    """The paragraphs before the first heading → those of an abstract without a heading; authors, addresses, notes."""
    abstract: list[Paragraph] = []
    others: list[Paragraph] = []
    for paragraph in paragraphs:
        text = paragraph.text
        is_long = len(text.split()) >= ABSTRACT_WORDS or (abstract and TERMINAL.search(text))
        is_text = (is_long and is_prose(text)) or (abstract and is_list_item(text))
        (abstract if is_text and not FRONT.match(text) else others).append(paragraph)
    return abstract, others
