"""What stands before the text of a PDF: the title, contents pages, and what of the rest is an
abstract.
"""

from collections.abc import Collection, Sequence
from itertools import chain, pairwise

from ..article.divisions import division_of, is_contents, plain
from ..article.names import is_name
from ..article.run_in_labels import piece_of
from ..article.wording import ends_sentence, is_prose
from ..model import Paragraph
from .first_page import without_badge
from .lines import Line
from .paragraphs import is_list_item
from .patterns import FORMS, FRONT, is_kind, joined, similarity

_MARKS = "*∗†‡§¶# \t\n"

MAX_LENGTH = 400  # characters of a title
MIN_BOLD = 4  # words of a title that is no larger than the text
# size of a title, or half a point less if it is bold, as a multiple of the text's
TITLE_SIZE = 1.12
ABSTRACT_WORDS = 40  # words of a paragraph before the first heading that may be the abstract


def title_of(lines: Sequence[Line], body_size: float, metadata_title: str) -> tuple[str, set[int]]:
    """The title and the indexes of its lines: the largest text of the first page that has any.

    The title in the file's properties confirms one on the page, or stands in for it.
    """
    is_sane = len(metadata_title.split()) >= 3 and not FORMS["no_title"].search(metadata_title)
    metadata_title = metadata_title if is_sane else ""
    candidates: list[tuple[str, list[int]]] = []
    first_page = [
        index
        for index, line in enumerate(lines)
        if line.page == lines[0].page and not FORMS["division_heading"].fullmatch(line.text)
    ]
    names = {
        plain(match["name"])
        for index in first_page
        if (match := FORMS["cited"].match(lines[index].text))
    }
    without_journal = [index for index in first_page if not _is_journal(lines[index].text, names)]
    for group in _groups(lines, without_journal or first_page, body_size):
        line, text = lines[group[0]], joined(lines[index].text for index in group)
        letters = sum(map(str.isalpha, text))
        if letters < 8 or len(text) > MAX_LENGTH or len(text.split()) < 2 or line.size < body_size:
            continue
        if metadata_title and similarity(plain(text), plain(metadata_title)) > 0.8:
            return _title(lines, group), set(group)
        is_other = is_name(text) or division_of(text) is not None or _is_journal(text, names)
        if line.y >= 0.35 * line.height and not is_other:
            candidates.append((text, group))
    chosen = _largest(candidates, lines, body_size)
    if not chosen and not metadata_title:
        is_bold = (
            lines[group[0]].bold and len(text.split()) >= MIN_BOLD for text, group in candidates
        )
        chosen = next(
            (group for (_, group), bold in zip(candidates, is_bold, strict=True) if bold), []
        )
    if not chosen:
        return metadata_title, set()
    return FORMS["kind_of_article"].sub("", _title(lines, chosen), count=1), set(chosen)


def _title(lines: Sequence[Line], group: Sequence[int]) -> str:
    """The title in some lines, without a badge and the marks of notes."""
    own = [lines[index] for index in group]
    return without_badge(joined(line.text for line in own), own).rstrip(_MARKS)


def _groups(lines: Sequence[Line], indexes: Sequence[int], body_size: float) -> list[list[int]]:
    """Some of the lines, one under another in the same style, also around what is beside them. The
    kind of an article ("trial protocol") begins no group, but may be the end of one.
    """
    groups: list[list[int]] = []
    for index in indexes:
        line = lines[index]
        if groups and _is_next(lines[groups[-1][-1]], line, body_size):
            groups[-1].append(index)
        elif len(groups) > 1 and _is_around(lines, groups[-2], groups[-1], index, body_size):
            groups[-2].append(index)
            groups[-2:] = groups[-1], groups[-2]
        elif not is_kind(line.text):
            groups.append([index])
    return groups


def _is_next(last: Line, line: Line, body_size: float) -> bool:
    """Whether a line goes on with what the one above it begins."""
    is_alike = last.bold == line.bold or last.size > 1.3 * body_size
    distance = 2.5 if last.style == line.style and line.bold else 2.2
    is_near = 0 < last.y - line.y < distance * line.size
    return abs(last.size - line.size) <= 0.06 * last.size and is_alike and is_near


def _is_around(
    lines: Sequence[Line], group: Sequence[int], between: Sequence[int], index: int, size: float
) -> bool:
    """Whether a line goes on with large type beside smaller type that is read before it."""
    line = lines[index]
    is_beside = all(lines[one].size < line.size and lines[one].x1 <= line.x0 for one in between)
    return is_beside and line.size > 1.3 * size and _is_next(lines[group[-1]], line, size)


def _is_journal(text: str, names: Collection[str]) -> bool:
    """Whether a line is the name of a journal: worded so, or hardly more than one of the names."""
    whole = plain(text)
    return FORMS["journal"].match(text) is not None or any(
        name in whole and 3 * len(name) > 2 * len(whole) for name in names
    )


def _largest(
    candidates: Sequence[tuple[str, list[int]]], lines: Sequence[Line], body_size: float
) -> list[int]:
    """The lines of the largest text, the first of equals; none if it is hardly larger than the body
    text.
    """
    largest, chosen = 0.0, list[int]()
    for _, group in candidates:
        size = lines[group[0]].size + (0.5 if lines[group[0]].bold else 0)
        if size > largest + 0.3:
            largest, chosen = size, group
    return chosen if largest > TITLE_SIZE * body_size else []


def contents_entries(lines: Sequence[Line]) -> set[int]:
    """The indexes of lines that end with the number of a page, below "Contents", or below leader
    dots on their page.
    """
    starts: dict[int, int] = {}
    for index, line in enumerate(lines):
        if is_contents(line.text) or (
            line.text[-1:].isalnum() and FORMS["leader"].search(line.text[-60:])
        ):
            starts.setdefault(line.page, index)
    last = len(lines)
    return {
        index
        for index, line in enumerate(lines)
        if index >= starts.get(line.page, last) and FORMS["entry"].search(line.text[-60:])
    }


def split_front(
    paragraphs: Sequence[Paragraph], min_words: int
) -> tuple[list[Paragraph], list[Paragraph]]:
    """The paragraphs before the first heading → text that begins with a paragraph of this length;
    authors, addresses, notes.
    """
    prose: list[Paragraph] = []
    others: list[Paragraph] = []
    for paragraph in chain.from_iterable(map(_at_pages, paragraphs)):
        text = paragraph.text
        is_long = len(text.split()) >= min_words or (prose and ends_sentence(text))
        is_item = is_list_item(text) and (prose or is_prose(text))
        is_text = (is_long and is_prose(text)) or is_item
        (prose if is_text and not FRONT.match(text) else others).append(paragraph)
    return prose, others


def _at_pages(paragraph: Paragraph) -> list[Paragraph]:
    """The parts of a paragraph on each page, if addresses that go over to the text of the next page
    are in it.
    """
    text = paragraph.text
    ends = [*(offset for offset, _ in paragraph.page_starts), len(text)]
    pieces = [piece_of(paragraph, *span) for span in pairwise(ends)]
    has_text = any(is_prose(one.text) and one.text[0].isupper() for one in pieces[1:])
    return pieces if has_text and not is_prose(text) else [paragraph]
