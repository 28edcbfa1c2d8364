"""Markdown → Document, by markdown-it."""

import re
from collections.abc import Sequence
from typing import Any

from ..text.cleaning import clean, one_line
from .back_matter import without_back_matter
from .building import SectionBuilder, document, without_title
from .document import Document
from .encodings import decode
from .formats import Input
from .html import text_of
from .text import plain_document

_FRONT_MATTER = re.compile(r"\A---\n.{0,10000}?\n(?:---|\.\.\.)\n", re.DOTALL)
_MATH = re.compile(r"\$\$.+?\$\$|\$(?!\s)[^$\n]*[^$\s\\]\$(?!\d)", re.DOTALL)  # "$5 and $10" is none


def read(source: Input) -> list[Document]:
    """The one document of a Markdown file."""
    return [markdown_document(decode(source.data, source.path), source.name, source.path)]


def markdown_document(text: str, name: str, source: str) -> Document:
    """Markdown → Document: headings begin sections; links and images keep their words, not their targets."""
    from markdown_it import MarkdownIt

    text = _FRONT_MATTER.sub("", clean(text).lstrip("\n"))
    parser = MarkdownIt("commonmark", {"maxNesting": 30}).enable("table").disable("inline")
    parser.inline.ruler.before("escape", "math", _math)
    references: dict[str, Any] = {}
    builder = SectionBuilder()
    level = 0  # of the heading whose text comes next
    cells: list[str] | None = None  # of the table's row
    for token in parser.parse(text, references):
        if token.type == "heading_open":
            level = int(token.tag[1])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "tr_open":
            cells = []
        elif token.type == "tr_close":
            builder.paragraph(" | ".join(filter(None, cells or [])))
            cells = None
        elif token.type == "inline":
            words = _inline_text(parser, token.content, references)
            if level:
                builder.heading(words, level)
            elif cells is not None:
                cells.append(one_line(words))
            else:
                builder.paragraph(words)
        elif token.type in ("fence", "code_block"):
            builder.paragraph(token.content)
        elif token.type == "html_block":
            builder.paragraph(text_of(token.content))
    sections = builder.sections()
    if not any(section.paragraphs for section in sections):
        return plain_document(text, name, source)  # an unclosed fence, or nested beyond all reason
    title, sections = without_title(sections)
    sections, back_matter = without_back_matter(sections)
    return document(name, sections, title=title, source=source, left_out=back_matter)


def _inline_text(parser: Any, content: str, references: dict[str, Any]) -> str:
    """The words of a block. Its markup is parsed only where that is certain to take little time."""
    if len(content) > 10_000 or max(map(content.count, "[*_`!<")) > 500:
        return content
    tokens: list[Any] = []
    parser.inline.parse(content, parser, references, tokens)
    return _words(tokens)


def _words(tokens: Sequence[Any]) -> str:
    """The text of inline tokens, escapes and entities decoded (``text_special``); an image is its description."""
    parts = []
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline"):
            parts.append(token.content)
        elif token.type == "image":
            parts.append(_words(token.children))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
    return "".join(parts)


def _math(state: Any, silent: bool) -> bool:
    """A rule of the parser: mathematics between dollars is text as it was written, with its backslashes."""
    match = _MATH.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("text", "", 0).content = match[0]
    state.pos = match.end()
    return True
