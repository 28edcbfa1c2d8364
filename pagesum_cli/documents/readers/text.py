"""Plain text → Document."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from ...text.cleaning import clean, one_line
from ...text.tables import patterns
from ..article.building import SectionBuilder, document, left_out
from ..article.wording import is_prose
from ..books.contents import contents_of
from ..books.headings import BookHeading, book_headings
from ..books.licence import without_licence
from ..case_names import is_case_name
from ..input import Input
from ..marked import MIN_LINES, Marks, paragraph_of
from ..model import GAP, Block, Document, LeftOut, Paragraph
from ..units import begins_turn
from ..units.parts import is_title
from ..written import is_byline
from .encodings import decode
from .printed import RAGGED_SHARE, Joiner, fitting, printed
from .text_ends import without_labelled_notes, without_site_foot
from .turns import with_turns_apart
from .wrapped import WRAPPED_LINE, full_width, margin_of, runs_on

MIN_INDENT = 2  # columns by which a quotation is indented
# lines of a block that begin with a name and a colon, from which on each begins a paragraph
TURNS = 2
# underlined headings that make a text be divided by them, even if it has a list of contents
MANY = 5
BYLINES = 3  # lines after a headline that say when and by whom a text was written, at most
MAX_HEADLINE = 12  # words of the line before a text that is its title
_FORMS = patterns(__file__, "text.toml")

_NO_END = (".", ",", ";", "。", "，", "；")  # no heading ends so

Heading = tuple[str, int, str]  # text, level and the way it was recognized


def read(source: Input) -> list[Document]:
    """The one document of a plain text file."""
    text = decode(source.data, source.path)
    return [lined_document(text, source.name, source.path)]


def lined_document(text: str, name: str, source: str = "") -> Document:
    """A :func:`plain_document` that knows where the lines of the text begin."""
    read = plain_document(text, name, source)
    return replace(read, line_starts=_line_starts(text, read.text))


def _line_starts(text: str, read: str) -> tuple[int, ...]:
    """The offsets in what was read at which the lines of the text begin; nothing if a part of it is
    not in the text.

    Of a line that is left out, it is the offset of the next one.
    """
    lines = ["".join(one_line(line).split()) for line in _lines(text)]
    if sum(map(bool, lines)) < 2:  # the only line says nothing
        return ()
    starts, whole = list(accumulate(map(len, lines), initial=0)), "".join(lines)
    offsets = [len(read)] * len(lines)
    offset = end = 0
    for part in read.split(GAP):
        compact = "".join(part.split())
        if (place := whole.find(compact, end)) < 0:
            return ()
        end = place + len(compact)
        first, last = bisect_right(starts, place), bisect_left(starts, end)
        places = (
            [at for at, character in enumerate(part) if character != " "] if last > first else [0]
        )
        for line in range(first - 1, last):
            begins = offset + places[max(starts[line] - place, 0)]
            offsets[line] = min(offsets[line], begins)  # the first part of a line begins it
        offset += len(part) + len(GAP)
    for line in range(len(lines) - 2, -1, -1):
        offsets[line] = min(offsets[line], offsets[line + 1])
    return tuple(offsets)


def _lines(text: str) -> list[str]:
    """As many lines as a text has, less what is not read of them."""
    given = without_quote_marks("\n".join(line or "" for line in printed(clean(text)).lines))
    return Joiner(given).joined(given.split("\n"))


def paragraphs_of(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of plain text: separated by blank lines, hard-wrapped lines joined.

    In a block with a line too long to be hard-wrapped, each line is a paragraph.
    """
    return _Blocks(_FORMS["block_end"].split(clean(text))).paragraphs()


class _Blocks:
    """What stands between the blank lines of a text, and what its indentation says."""

    def __init__(self, blocks: Sequence[str]) -> None:
        self._blocks = blocks
        indents = Counter(_indent_of(block.split("\n")) for block in blocks if block.strip())
        self._margin = indents.most_common(1)[0][0] if indents else 0
        text = "\n".join(blocks)
        self._width = full_width(text.split("\n"))
        self._margin_right = margin_of(text.split("\n"))
        self._joiner = Joiner(text)
        self._is_in_list = False
        self._is_introduced = False  # whether the block before goes on with a quotation

    def paragraphs(self) -> tuple[Paragraph, ...]:
        """The paragraphs of all blocks."""
        return tuple(paragraph for block in self._blocks for paragraph in self.paragraphs_of(block))

    def paragraphs_of(self, block: str) -> Iterator[Paragraph]:
        """The paragraphs of one block; blocks come in the order of the text."""
        lines = without_quote_marks(block).split("\n")
        kind: Block = "quotation" if lines != block.split("\n") or self._is_quotation(lines) else ""
        is_wrapped = max(map(len, lines)) <= WRAPPED_LINE
        groups = _unwrapped(lines) if is_wrapped else self._apart(lines)
        for group, depth in zip(groups, _depths(groups), strict=True):
            raw, breaks = self._joined(group)
            marks = Marks(depth=depth, block=kind, breaks=breaks)
            if paragraph := paragraph_of(raw, marks):
                bullet = _FORMS["bullet"].match(paragraph.text)
                yield replace(paragraph, body=bullet.end()) if bullet else paragraph

    def _apart(self, lines: Sequence[str]) -> list[list[str]]:
        """The paragraphs of lines of which each may be one."""
        return [[line] for line in _continued(lines, self._margin_right)]

    def _joined(self, group: Sequence[str]) -> tuple[str, tuple[int, ...]]:
        """The lines of a paragraph with whole words, and where they end if that says something."""
        lines = list(filter(str.strip, self._joiner.joined(group)))
        lengths = [len(line) + 1 for line in lines[:-1]] if _are_ragged(group, self._width) else []
        return "\n".join(lines), tuple(accumulate(lengths))

    def _is_quotation(self, lines: Sequence[str]) -> bool:
        """Whether a block is indented after words that introduce it, and no part of a list."""
        is_introduced = self._is_introduced
        self._is_introduced = " ".join(lines).rstrip().endswith((":", ",", "—"))
        if any(map(_FORMS["list_item"].match, lines)):
            self._is_in_list = True
            return False
        is_indented = _indent_of(lines) >= self._margin + MIN_INDENT
        self._is_in_list = self._is_in_list and is_indented
        is_quoted = is_introduced and not self._is_in_list and _is_quoted_prose(lines)
        self._is_introduced = self._is_introduced or (is_indented and is_quoted)
        return is_indented and is_quoted


def without_quote_marks(text: str) -> str:
    """Text whose blocks have lost the ``>`` in front of their lines, if each of these has one."""
    if ">" not in text:
        return text
    pieces = _FORMS["block_ends"].split(text)
    for place, piece in enumerate(pieces):
        if _FORMS["quote"].fullmatch(piece):
            pieces[place] = _FORMS["quote_mark"].sub("", piece)
    return "".join(pieces)


def _is_quoted_prose(lines: Sequence[str]) -> bool:
    """Whether indented lines are sentences, below one another: neither code nor a definition."""
    text = " ".join(" ".join(lines).split())
    is_even = len({_indent_of([line]) for line in lines if line.strip()}) == 1
    return is_even and _FORMS["sentences"].fullmatch(text) is not None and is_prose(text)


def _indent_of(lines: Sequence[str]) -> int:
    expanded = [line.expandtabs() for line in lines if line.strip()]
    return min((len(line) - len(line.lstrip()) for line in expanded), default=0)


def _are_ragged(lines: Sequence[str], width: int) -> bool:
    """Whether lines were not wrapped at a margin: often the next word had fitted."""
    if len(lines) < MIN_LINES or any(map(_FORMS["columns"].search, lines)):
        return False
    lines = [line.strip() for line in lines]
    return fitting(lines, max(width, *map(len, lines))) >= RAGGED_SHARE


def _depths(groups: Sequence[Sequence[str]]) -> list[int]:
    """How deep items of lists stand in one another; 0 if their indentation does not say that."""
    depths: list[int] = []
    indents: list[int] = []  # of the items around the one that is looked at
    for group in groups:
        if _FORMS["list_item"].match(group[0]):
            indent = _indent_of(group[:1])
            while indents and indents[-1] > indent:
                indents.pop()
            if not indents or indents[-1] < indent:
                indents.append(indent)
            depths.append(len(indents))
        else:
            depths.append(0)
    return depths if max(depths, default=0) > 1 else [0] * len(depths)


def _continued(lines: Sequence[str], margin: int) -> list[str]:
    """Lines, each with those that go on with its last word, or with its sentence after a comma or
    at the margin.
    """
    joined: list[str] = []
    is_open = False  # whether a sentence goes on after a comma
    for last, line in pairwise(["", *lines]):
        before = joined[-1].rstrip() if joined else ""
        is_open = _is_open(before, is_open)
        goes_on = (line[:1].islower() and before[-1:].isalpha()) or runs_on(last, line, margin)
        if joined and (is_open or goes_on):
            joined[-1] += "\n" + line
        else:
            joined.append(line)
    return joined


def _is_open(text: str, was_open: bool) -> bool:
    """Whether a text of several sentences ends within one: with a comma, or after a line that
    went on with it.
    """
    ends_within = text.endswith(",") or (was_open and text[-1:].isalnum())
    return ends_within and _FORMS["inner_end"].search(text) is not None


def _unwrapped(lines: Sequence[str]) -> list[list[str]]:
    """The paragraphs of hard-wrapped lines: items of a list, turns of a conversation, and
    others.
    """
    has_turns = sum(map(begins_turn, lines)) >= TURNS
    joined: list[list[str]] = []
    for before, line in pairwise(["", *lines]):
        begins = _FORMS["list_item"].match(line) or (has_turns and begins_turn(line))
        if not joined or begins or _is_new(before, line):
            joined.append([line])
        else:
            joined[-1].append(line)
    return joined


def _is_new(before: str, line: str) -> bool:
    """Whether a line is indented after the end of a sentence on one that is not."""
    is_indented = line[:1].isspace() and not before[:1].isspace()
    return is_indented and before.rstrip().endswith((".", "?", "!", ":"))


def plain_document(text: str, name: str, source: str = "") -> Document:
    """Plain text → Document.

    A line is a heading where it stands alone between blank lines (or is underlined) and looks like
    one: underlined, in capitals, or numbered in the order of the other numbered lines. One doubtful
    line is not enough. Chinese texts have no blank lines around 一、引言. Books have parts and
    chapters, and a contents list, which is left out.
    """
    layout = printed(clean(text))
    text, title, dropped = without_licence(layout.text)
    if layout.furniture:
        dropped.append(left_out("running head", layout.furniture))
    if layout.notes:
        dropped.append(left_out("footnote", layout.notes))
    text = without_site_foot(text, dropped)
    text = _FORMS["chinese_line"].sub(r"\n\n\g<0>\n\n", text)
    text = with_turns_apart(_with_opinions_apart(text))
    blocks = [block for block in _FORMS["block_end"].split(text) if block.strip()]
    blocks = without_labelled_notes(blocks, dropped)
    if not title and blocks and is_case_name(blocks[0].strip()):
        title = one_line(blocks.pop(0))
    contents, entries = contents_of(blocks)
    if contents:
        dropped.append(left_out("contents", [blocks[place] for place in contents]))
        blocks = [block for place, block in enumerate(blocks) if place not in contents]
    underlined = sum(_is_underlined(block.strip("\n").split("\n")) for block in blocks)
    opinions = _opinions(blocks)
    if underlined < MANY and not opinions and (book := book_headings(blocks, entries)):
        read = _book(blocks, book, name, source, dropped)
        return replace(read, title=title)
    apart = _numbers_apart(blocks)
    blocks = apart if _numbered_lines(apart, _FORMS["numbered"]) else blocks
    opinions = _opinions(blocks)  # at their places now
    headings: dict[int, Heading] = dict(opinions)
    marks: dict[str, int] = {}  # the levels of underlines, in the order in which they come
    rest: dict[int, str] = {}
    for place, block in enumerate(blocks):
        lines = block.strip("\n").split("\n")
        first = lines[0].strip()
        if _is_underlined(lines):
            mark = lines[1].strip()[0]
            headings[place] = (first, marks.setdefault(mark, len(marks) + 1), "style")
            rest[place] = "\n".join(lines[2:])
        elif len(lines) == 1 and _is_capitals(first) and not opinions:
            headings[place] = (first, 1, "style")
    headings |= _numbered_lines(blocks, _FORMS["numbered"]) | _numbered_lines(
        blocks, _FORMS["chinese"]
    )
    if len(headings) < 2:
        headings, rest = {}, {}
        if not title and _is_headline(blocks):
            title = blocks.pop(0).strip()
    builder = SectionBuilder()
    whole = _Blocks(blocks)
    for place, block in enumerate(blocks):
        if place in headings:
            builder.heading(*headings[place])
            block = rest.get(place, "")
        builder.add(whole.paragraphs_of(block))
    return document(name, builder.sections(), title=title, source=source, left_out=dropped)


def _with_opinions_apart(text: str) -> str:
    """A text with empty lines around what is above the opinions of a court and their parts."""
    apart = _FORMS["opinion"].sub(lambda line: f"\n\n{one_line(line[0])}\n\n", text)
    return _FORMS["division"].sub(r"\n\n\g<0>\n\n", apart) if apart != text else text


def _opinions(blocks: Sequence[str]) -> dict[int, Heading]:
    """The lines above the opinions of a court; none if there is no more than one. What stands in
    capitals there is the name of the case.
    """
    found = {place: one_line(block) for place, block in enumerate(blocks)}
    found = {place: line for place, line in found.items() if _FORMS["opinion"].fullmatch(line)}
    if len(set(found.values())) < 2:
        return {}
    return {place: (line.rstrip("."), 1, "style") for place, line in found.items()}


def _is_headline(blocks: Sequence[str]) -> bool:
    """Whether a text begins with a line without an end, and goes on with whole sentences, as an
    article does, also after lines that say when and by whom it was written.
    """
    if len(blocks) < 3:
        return False
    line = blocks[0].strip()
    is_line = (
        "\n" not in line
        and line[:1].isupper()
        and line[-1].isalnum()
        and 3 <= len(line.split()) <= MAX_HEADLINE
    )
    return is_line and ":" not in line and _is_prose(_after_bylines(blocks[1:]))


def _after_bylines(blocks: Sequence[str]) -> str:
    """The first block after lines that say when and by whom a text was written."""
    stripped = map(str.strip, blocks[: BYLINES + 1])
    return next((block for block in stripped if not is_byline(block)), "")


def _is_prose(block: str) -> bool:
    """Whether a block is long and ends like a sentence."""
    return len(block.split()) >= MAX_HEADLINE and block.endswith((".", "!", "?", '"', "”"))


def _book(
    blocks: Sequence[str],
    headings: Mapping[int, BookHeading],
    name: str,
    source: str,
    dropped: Sequence[LeftOut],
) -> Document:
    builder = SectionBuilder()
    deepest = max(heading.level for heading in headings.values())
    whole = _Blocks(blocks)
    place = 0
    while place < len(blocks):
        block = blocks[place]
        line = block.strip()
        if (heading := headings.get(place)) is not None:
            builder.heading(heading.text, heading.level, heading.found_by)
            builder.add(whole.paragraphs_of(heading.rest))
        elif (
            place > min(headings)
            and "\n" not in line
            and _is_capitals(line)
            and line not in ("THE END", "FINIS")
        ):
            builder.heading(line, deepest + 1, "style")
        else:
            builder.add(whole.paragraphs_of(block))
        place += heading.blocks if heading is not None else 1
    read = document(name, builder.sections(), source=source, left_out=dropped)
    titles = {one_line(heading.text) for heading in headings.values() if heading.is_listed}
    return replace(
        read, listed=frozenset(n for n, one in enumerate(read.sections) if one.heading in titles)
    )


def _is_underlined(lines: Sequence[str]) -> bool:
    if len(lines) < 2:
        return False
    first, second = lines[0].strip(), lines[1].strip()
    return (
        2 < len(first) <= 120
        and abs(len(second) - len(first)) <= 3
        and bool(_FORMS["underline"].fullmatch(second))
    )


def _is_capitals(line: str) -> bool:
    """Whether a line in capitals is a heading: not what someone shouts."""
    letters = [character for character in line if character.isalpha()]
    return (
        len(letters) >= 4
        and len(line) <= 80
        and len(line.split()) <= 10
        and "".join(letters).isupper()
        and len(letters) >= 0.6 * len(line.replace(" ", ""))
        and not line.endswith((".", "!", "?", ",", ";"))
        and not _FORMS["quoted"].search(line)
    )


def _numbered_lines(blocks: Sequence[str], pattern: re.Pattern[str]) -> dict[int, Heading]:
    """Single-line blocks numbered 1, 2, 2.1 …: only where the numbers are consecutive and text
    stands between them.
    """
    candidates: list[tuple[int, str, tuple[int, ...]]] = []
    for place, block in enumerate(blocks):
        line = block.strip()
        match = None if "\n" in line else pattern.fullmatch(line)
        if (
            match
            and not match["name"][0].islower()
            and (not line.endswith(_NO_END) or _is_stopped_title(match["name"]))
            and len(line.split()) <= 14
        ):
            candidates.append((place, line, tuple(map(_number, match["number"].split(".")))))
    tops = [numbers[0] for _, _, numbers in candidates if len(numbers) == 1]
    lists = sum(after == place + 1 for (place, _, _), (after, _, _) in pairwise(candidates))
    consecutive = (
        len(tops) >= 2 and tops[0] <= 1 and tops == list(range(tops[0], tops[0] + len(tops)))
    )
    if not consecutive or lists > len(candidates) / 3:
        return {}
    return {place: (line, len(numbers), "numbering") for place, line, numbers in candidates}


def _is_stopped_title(name: str) -> bool:
    """Whether a name with a full stop at its end is a title: several words with capital letters."""
    words = name.split()
    return len(words) > 1 and name.endswith(".") and "." not in name[:-1] and is_title(name)


def _numbers_apart(blocks: Sequence[str]) -> list[str]:
    """Blocks whose first line is a number and a few words above longer lines of text: that is a
    block by itself.
    """
    apart = []
    for block in blocks:
        first, _, rest = block.strip("\n").partition("\n")
        begins = not rest.lstrip()[:1].islower() or _FORMS["list_item"].match(rest)
        is_short = begins and 2 * len(first) < max(map(len, rest.split("\n")))
        apart += (
            [first, rest] if is_short and _FORMS["numbered"].fullmatch(first.strip()) else [block]
        )
    return apart


def _number(digits: str) -> int:
    return int(digits) if digits.isdecimal() else int(sum(map(unicodedata.numeric, digits)))
