"""The blocks of a word processor → Document: its title, headings and what is left out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from ....text.cleaning import one_line
from ....text.tables import patterns, table
from ...article.article import parts_of_article
from ...article.building import SectionBuilder, document, left_out
from ...article.divisions import plain
from ...article.wording import CAPTION, is_prose, may_be_heading
from ...input import Input
from ...model import Document, LeftOut
from ...notes import FORMULA
from .cells import tables_in
from .paragraph import Block
from .paragraphs import mark_between_numbers, sentences_to_text
from .sections import mark_sections

_NAMES, _FORMS = table(__file__, "word.toml"), patterns(__file__, "word.toml")
# reasons of what is read where there is nothing else, as in a form
_READ_ALONE = ("table", "text box", "caption", "title", "front matter", "code")

HEADING_WORDS = 40  # words of a paragraph above which it is no heading, whatever its style
# share of all words above which short paragraphs in bold or large type are no headings
HEADINGS_SHARE = 0.3
MAX_SIZES = 6  # levels of headings that are recognized by their size


def document_of(
    source: Input, blocks: Sequence[Block], known: str, asides: Iterable[LeftOut]
) -> Document:
    """The document of the blocks of a file, with the title of its properties (``known``) where it
    prints none, and what stands beside the text.
    """
    title, text = _with_headings(blocks, known)
    if all(block.reason or block.style.level for block in text):
        title, text = "", _read_alone(blocks)
    builder = SectionBuilder()
    for block in text:
        if block.reason:
            continue
        if block.style.level:
            builder.heading(block.text, block.style.level, "style" if block.is_guess else "outline")
        else:
            builder.paragraph(block.text, block.marks)
    dropped = [*_left_out(text), *asides]
    title, sections = parts_of_article(builder.sections(), dropped, title)
    title = title or known
    return document(source.name, sections, title=title, source=source.path, left_out=dropped)


def _read_alone(blocks: Sequence[Block]) -> list[Block]:
    """The blocks of a document without text proper: tables, boxes, captions and titles are read."""
    for block in blocks:
        if block.reason in _READ_ALONE:
            block.reason, block.style = "", replace(block.style, level=0)
    return list(blocks)


def _left_out(blocks: Sequence[Block]) -> list[LeftOut]:
    """What is left out, by its reason; formulas that cannot be read are counted one by one."""
    groups: dict[str, list[str]] = {}
    formulas = []
    for block in blocks:
        if block.reason == FORMULA:
            formulas.append(left_out(FORMULA, [block.text]))
        elif block.reason and not (block.reason == "table" and block.cell):
            groups.setdefault(block.reason, []).append(one_line(block.text))
    tables = [left_out("table", rows) for rows in tables_in(blocks, "table")]
    return [left_out(reason, texts) for reason, texts in groups.items()] + tables + formulas


def _with_headings(blocks: Sequence[Block], known: str) -> tuple[str, list[Block]]:
    """The title (``known``: that of the properties), and the blocks with the reasons and levels
    that they have.
    """
    for block in blocks:
        _set_reason(block)
    sentences_to_text(blocks)
    text = [block for block in blocks if not block.reason]
    titles = _mark_front(text, known)
    text = [block for block in text if not block.reason]
    if not any(block.style.level for block in text):
        guessed = _guessed(text)
        if not titles and guessed and guessed[0] is text[0]:
            _mark_title(guessed)
        mark_sections(text)
    mark_between_numbers(text)
    title = " ".join(one_line(block.text) for block in blocks if block.reason == "title")
    return title, [block for block in blocks if block.reason != "title"]


def _set_reason(block: Block) -> None:
    """Set why a block is left out for its style or as a caption; long headings are none."""
    style = block.style
    if match := _FORMS["styles_left_out"].match(style.name):
        block.reason = block.reason or _NAMES["styles"].get(match[1], "contents")
    elif style.level and _words([block]) > HEADING_WORDS:
        block.style = replace(style, level=0)
    elif not style.level and _is_caption(one_line(block.text[:300])):
        block.reason = block.reason or "caption"


def _mark_front(text: Sequence[Block], known: str) -> int:
    """Mark title and subtitle above the first heading; the number of blocks of the title."""
    titles = 0
    for block in takewhile(lambda block: not block.style.level, text[:10]):
        if block.style.name == "title" or (known and plain(block.text) == plain(known)):
            block.reason = "title"
            titles += 1
        elif block.style.name == "subtitle":
            block.reason = "front matter"
    return titles


def _mark_title(guessed: Sequence[Block]) -> None:
    """Mark the first of the guessed headings as the title, if it alone is above all others."""
    first, others = guessed[0], guessed[1:]
    if all(block.style.level > first.style.level for block in others):
        first.reason = "title"
        for block in others:
            block.style = replace(block.style, level=block.style.level - 1)


def _is_caption(text: str) -> bool:
    """Whether a paragraph is a caption, and no sentence such as "Table 1 shows …"."""
    match = CAPTION.match(text)
    return match is not None and (match[0].rstrip()[-1] in ".:|–—" or not is_prose(text))


def _guessed(blocks: Sequence[Block]) -> list[Block]:
    """Make headings of short paragraphs in bold or large type, where two or more stand before
    ordinary text.
    """
    letters: Counter[tuple[int, bool]] = Counter()
    for block in blocks:
        letters[_look(block)] += len(block.text)
    size, bold = letters.most_common(1)[0][0] if letters else (0, False)
    found = [
        block
        for block in blocks[:-1]
        if (
            block.style.size > 1.1 * size
            or (block.style.size >= size and block.style.bold and not bold)
        )
        and may_be_heading(one_line(block.text))
        and not one_line(block.text).endswith(".")
    ]
    if len(found) < 2 or _words(found) > HEADINGS_SHARE * _words(blocks):
        return []
    used = sorted(set(map(_look, found)), reverse=True)
    for block in found:
        level = min(used.index(_look(block)) + 1, MAX_SIZES)
        block.style, block.is_guess = replace(block.style, level=level), True
    return found


def _look(block: Block) -> tuple[int, bool]:
    return block.style.size, block.style.bold


def _words(blocks: Sequence[Block]) -> int:
    return sum(len(block.text.split()) for block in blocks)
