"""Plain text and Markdown → Document, and bytes → text."""

import codecs
import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence

from ..errors import PagesumError
from .document import Document, Paragraph, Section

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]{0,64}[ -/]{0,16}[@-~]|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|[ -/]{0,16}[0-~])|\x9b[0-?]{0,64}[@-~]"
)
# Control and format characters, but not tab and the line ends; soft hyphens and zero-width marks are only layout.
_CONTROL = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_BROKEN_WORD = re.compile("\u00ad[ \t]*\n[ \t]*")  # a soft hyphen at a line's end
_LINE_ENDS = re.compile("\r\n?|[\x85\u2028]")
_PAGE_ENDS = re.compile("[\x0b\x0c\u2029]")


def decode(data: bytes, name: str) -> str:
    """The text of a file in whatever usual encoding it is.

    UTF-8, UTF-16 and UTF-32 by their byte order mark, UTF-16 and UTF-32 without one by where their zero bytes are,
    then UTF-8, then Windows-1252.

    Raises:
        PagesumError: the data is not text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, errors="replace")
    if encoding := _encoding_by_zeros(data):
        return data.decode(encoding, errors="replace")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        # A text cut off in the middle of a character is UTF-8 all the same.
        if error.reason == "unexpected end of data" and error.start >= len(data) - 3:
            text = data[: error.start].decode("utf-8")
        else:
            # Windows-1252 leaves five bytes open: there Latin-1 has control characters, which are removed later.
            text = data.decode("cp1252", errors="latin1_fallback")
    sample = data[:65536]
    controls = sum(sample.count(byte) for byte in range(32) if byte not in (7, 8, 9, 10, 11, 12, 13, 27))
    if controls > max(4, len(sample) / 100):
        raise PagesumError(
            f"{name}: expected text, found binary data",
            "give a text, Markdown, HTML, JSON Lines or PDF file; export other formats to one of these first",
        )
    return text


def _latin1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("latin1_fallback", _latin1)


def _encoding_by_zeros(data: bytes) -> str | None:
    sample = data[:4096]
    sample = sample[: len(sample) // 4 * 4]
    if len(sample) < 4:
        return None
    zeros = [sample[place::4].count(0) / (len(sample) / 4) for place in range(4)]
    low, high = 0.2, 0.7
    if min(zeros[1:]) > high and zeros[0] < low:
        return "utf-32-le"
    if min(zeros[:3]) > high and zeros[3] < low:
        return "utf-32-be"
    if min(zeros[1], zeros[3]) > high and max(zeros[0], zeros[2]) < low:
        return "utf-16-le"
    if min(zeros[0], zeros[2]) > high and max(zeros[1], zeros[3]) < low:
        return "utf-16-be"
    return None


def clean(text: str) -> str:
    """Text without escape codes and control characters, its line ends ``\\n`` and its page ends ``\\f``."""
    text = _LINE_ENDS.sub("\n", _ANSI.sub("", text))
    text = _CONTROL.sub("", _BROKEN_WORD.sub("", text))
    return _PAGE_ENDS.sub("\f", text)


def one_line(text: str) -> str:
    """Text as a paragraph holds it: cleaned, composed (NFC), every run of white space one space."""
    return unicodedata.normalize("NFC", " ".join(clean(text).split()))


def document(name: str, sections: Iterable[Section], *, title: str = "", source: str = "") -> Document:
    """A document of those sections that have words.

    Raises:
        PagesumError: none has any.
    """
    kept = tuple(section for section in sections if section.paragraphs or section.heading)
    if not any(paragraph.text for section in kept for paragraph in section.paragraphs):
        raise PagesumError(f"{source or name}: expected text, found none", "give a file that has words in it")
    return Document(name, kept, title=title, source=source)


def paragraphs_of(text: str) -> tuple[Paragraph, ...]:
    """The paragraphs of plain text: parted by blank lines, hard-wrapped lines joined.

    A block with a line that is too long to be hard-wrapped has a paragraph a line.
    """
    found = []
    for block in re.split(r"\n[^\S\n]*\n|\f", clean(text)):
        lines = block.split("\n")
        is_wrapped = max(map(len, lines)) <= LONGEST_WRAPPED
        found += _unwrap(lines) if is_wrapped else _continued(lines)
    return tuple(Paragraph(line) for line in map(one_line, found) if line)


LONGEST_WRAPPED = 200
"""Characters of a line that may have been wrapped by hand or by a program."""


def _continued(lines: Sequence[str]) -> list[str]:
    """Joins a line with the one before only where it goes on in the middle of a sentence."""
    joined: list[str] = []
    for line in lines:
        if joined and line[:1].islower() and joined[-1].rstrip()[-1:].isalpha():
            joined[-1] += "\n" + line
        else:
            joined.append(line)
    return joined


_LIST_ITEM = re.compile(r"\s{0,12}(?:[-*+•‣◦–—]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")


def _unwrap(lines: Sequence[str]) -> list[str]:
    """Joins the lines of a block, but for lines that begin a list item or an indented paragraph."""
    joined: list[list[str]] = []
    for number, line in enumerate(lines):
        indented = number > 0 and line[:1].isspace() and not lines[number - 1][:1].isspace()
        if (
            not joined
            or _LIST_ITEM.match(line)
            or (indented and joined[-1][-1].rstrip().endswith((".", "?", "!", ":")))
        ):
            joined.append([line])
        else:
            joined[-1].append(line)
    return ["\n".join(lines) for lines in joined]


_NUMBERED = re.compile(
    r"(?:(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?|(?P<roman>[IVX]{1,6})\.)\s+(?P<name>[^\W\d_].{0,100})$"
)
_UNDERLINE = re.compile(r"(=|-|~|\^){3,}$")


def plain_document(text: str, name: str, source: str) -> Document:
    """Plain text → Document.

    A line is a heading where it stands alone between blank lines (or is underlined) and says so itself: underlined,
    in capitals, or numbered in the order of the other numbered lines. One doubtful line is not enough.
    """
    blocks = [block for block in re.split(r"\n[^\S\n]*\n|\f", clean(text)) if block.strip()]
    headings: dict[int, tuple[str, int, str]] = {}
    rest: dict[int, str] = {}
    for place, block in enumerate(blocks):
        lines = block.strip("\n").split("\n")
        first = lines[0].strip()
        if (
            len(lines) >= 2
            and _UNDERLINE.fullmatch(lines[1].strip())
            and 2 < len(first) <= 120
            and _is_underline(lines)
        ):
            level = 1 if lines[1].strip()[0] == "=" else 2
            headings[place] = (first, level, "style")
            rest[place] = "\n".join(lines[2:])
        elif len(lines) == 1 and _is_capitals(first):
            headings[place] = (first, 1, "style")
    numbered = _numbered_lines(blocks)
    headings = {**headings, **numbered}
    if len(headings) < 2:
        headings, rest = {}, {}
    sections: list[Section] = []
    heading, level, found_by = "", 1, "fallback"
    body: list[Paragraph] = []
    for place, block in enumerate(blocks):
        if place in headings:
            sections.append(Section(heading, tuple(body), level, found_by))
            heading, level, found_by = headings[place]
            heading, body = one_line(heading), []
            block = rest.get(place, "")
        body += paragraphs_of(block)
    sections.append(Section(heading, tuple(body), level, found_by))
    return document(name, sections, source=source)


def _is_underline(lines: Sequence[str]) -> bool:
    return abs(len(lines[1].strip()) - len(lines[0].strip())) <= 3


def _is_capitals(line: str) -> bool:
    letters = [character for character in line if character.isalpha()]
    return (
        len(letters) >= 4
        and len(line) <= 80
        and len(line.split()) <= 10
        and "".join(letters).isupper()
        and len(letters) >= 0.6 * len(line.replace(" ", ""))
        and not line.endswith((".", "!", "?", ",", ";"))
    )


def _numbered_lines(blocks: Sequence[str]) -> dict[int, tuple[str, int, str]]:
    """Single-line blocks numbered 1, 2, 2.1 …: only where the numbers run on and text stands between them."""
    found: list[tuple[int, str, tuple[int, ...]]] = []
    for place, block in enumerate(blocks):
        line = block.strip()
        match = None if "\n" in line else _NUMBERED.fullmatch(line)
        if not match or not match["number"] or not match["name"][0].isupper() or line.endswith((".", ",", ";")):
            continue
        if len(line.split()) <= 14:
            found.append((place, line, tuple(int(part) for part in match["number"].split("."))))
    tops = [numbers[0] for _, _, numbers in found if len(numbers) == 1]
    lists = sum(1 for (place, _, _), (after, _, _) in itertools.pairwise(found) if after == place + 1)
    if len(tops) < 2 or tops != list(range(tops[0], tops[0] + len(tops))) or tops[0] > 1 or lists > len(found) / 3:
        return {}
    return {place: (line, len(numbers), "numbering") for place, line, numbers in found}


def markdown_document(text: str, name: str, source: str) -> Document:
    """Markdown → Document: headings begin sections; links and images keep their words, not their targets."""
    from markdown_it import MarkdownIt

    text = re.sub(r"\A---\n.{0,10000}?\n(?:---|\.\.\.)\n", "", clean(text).lstrip("\n"), flags=re.DOTALL)
    parser = MarkdownIt("commonmark", {"maxNesting": 30}).enable("table").disable("inline")
    references: dict = {}
    sections: list[Section] = []
    heading, level = "", 0
    body: list[Paragraph] = []
    cells: list[str] = []
    open_heading = in_row = False
    for token in parser.parse(text, references):
        if token.type == "heading_open":
            sections.append(Section(heading, tuple(body), max(level, 1), "outline" if heading else "fallback"))
            level, body, open_heading, heading = int(token.tag[1]), [], True, ""
        elif token.type == "heading_close":
            open_heading = False
        elif token.type == "tr_open":
            in_row, cells = True, []
        elif token.type == "tr_close":
            in_row = False
            body += [Paragraph(row)] if (row := one_line(" | ".join(filter(None, cells)))) else []
        elif token.type == "inline":
            line = one_line(_inline_text(parser, token.content, references))
            if open_heading:
                heading = line
            elif in_row:
                cells.append(line)
            elif line:
                body.append(Paragraph(line))
        elif token.type in ("fence", "code_block"):
            body += [Paragraph(line)] if (line := one_line(token.content)) else []
        elif token.type == "html_block":
            body += [Paragraph(line)] if (line := one_line(_without_tags(token.content))) else []
    sections.append(Section(heading, tuple(body), max(level, 1), "outline" if heading else "fallback"))
    if not any(section.paragraphs for section in sections):
        return plain_document(text, name, source)  # an unclosed fence, or nested beyond all reason
    title, sections = _lone_title(sections)
    return document(name, sections, title=title, source=source)


def _inline_text(parser, content: str, references: dict) -> str:  # a markdown_it.MarkdownIt
    """The words of a block. Its markup is looked at only where that is sure to take little time."""
    if len(content) > 10_000 or max(map(content.count, "[*_`!<")) > 500:
        return content
    parts: list[str] = []
    tokens: list = []
    parser.inline.parse(content, parser, references, tokens)
    for token in tokens:
        if token.type in ("text", "code_inline", "image"):
            parts.append(token.content)  # of an image its description
        elif token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
    return "".join(parts)


def _without_tags(markup: str) -> str:
    from .html import text_of

    return text_of(markup)


def _lone_title(sections: list[Section]) -> tuple[str, list[Section]]:
    """The title and the other sections: a first heading that is the only one of its level is the title."""
    headed = [section for section in sections if section.heading]
    if not headed:
        return "", sections
    first = headed[0]
    top = min(section.level for section in headed)
    if len(headed) < 2 or first.level != top or sum(section.level == top for section in headed) > 1:
        return "", sections
    if any(section.paragraphs for section in sections[: sections.index(first)]):
        return "", sections
    raised = [
        Section("", first.paragraphs)
        if section is first
        else Section(section.heading, section.paragraphs, max(section.level - 1, 1), section.found_by)
        for section in sections
    ]
    lowest = min(section.level for section in raised if section.heading)
    raised = [
        Section(
            section.heading, section.paragraphs, section.level - lowest + 1 if section.heading else 1, section.found_by
        )
        for section in raised
    ]
    return first.heading, raised
