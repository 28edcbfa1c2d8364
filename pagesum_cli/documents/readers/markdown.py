"""Markdown → Document, by markdown-it."""

from collections.abc import Iterator, Sequence
from typing import Any

from ...text.cleaning import clean, one_line
from ...text.tables import patterns
from ..article.article import parts_of_article
from ..article.building import document, left_out
from ..article.wording import is_prose
from ..input import Input
from ..model import Document, LeftOut
from .encodings import decode
from .html import Block, Furniture, blocks_of, parsed, sections_of, without_contents
from .text import plain_document

_FORMS = patterns(__file__, "markdown.toml")


def read(source: Input) -> list[Document]:
    """The one document of a Markdown file."""
    return [markdown_document(decode(source.data, source.path), source.name, source.path)]


def markdown_document(text: str, name: str, source: str) -> Document:
    """Markdown → Document: headings begin sections; links and images keep their words, not their targets.

    Left out are tables, code, footnotes, lists of contents, pictures that stand alone, and references.
    """
    text = clean(text).lstrip("\n")
    title = ""
    if front := _FORMS["front_matter"].match(text):
        text = text[front.end() :]
        found = _FORMS["title"].search(front["fields"] or "")
        title = one_line(found["title"]) if found else ""
    dropped: list[LeftOut] = []
    text = _without_notes(text, dropped)
    sections = sections_of(without_contents(_blocks(text, dropped), dropped))
    if not any(section.paragraphs for section in sections):
        return plain_document(text, name, source)  # nothing but code, or nested beyond all reason
    title, sections = parts_of_article(sections, dropped, title)
    return document(name, sections, title=title, source=source, left_out=dropped)


def _blocks(text: str, dropped: list[LeftOut]) -> Iterator[Block]:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": 30}).enable(["table", "strikethrough"]).disable("inline")
    parser.inline.ruler.before("escape", "math", _math)
    references: dict[str, Any] = {}
    level = 0  # of the heading whose text comes next
    cells: list[str] | None = None  # of the table
    last = 1  # level of the last heading
    tokens = parser.parse(text, references)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            last = level = int(token.tag[1])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "table_open":
            cells = []
        elif token.type == "table_close":
            yield from _of_table(cells or [], dropped)
            cells = None
        elif token.type == "inline":
            block = _inline(parser, _FORMS["definition"].sub(": ", token.content), references, dropped)
            if cells is not None:
                cells.append(one_line(block.text))
            elif level or _is_topic(tokens[number : number + 3]):
                yield Block(block.text, level or last + 1)
            elif block.is_picture:
                dropped.append(left_out("picture", [one_line(block.text)]))
            else:
                yield block
        elif token.type in ("fence", "code_block"):
            words = one_line(token.content)
            if token.type == "code_block" and is_prose(words):
                yield Block(words)
            elif words:
                dropped.append(left_out("code", [words]))
        elif token.type == "html_block" and (root := parsed(token.content)) is not None:
            yield from blocks_of(root, Furniture(root), dropped)


def _is_topic(tokens: Sequence[Any]) -> bool:
    """Whether an item of a list is the title of what is listed below it: a line with a link, and no sentence."""
    text = tokens[0].content
    has_list = len(tokens) == 3 and tokens[0].level == 3 and tokens[2].type in ("bullet_list_open", "ordered_list_open")
    return has_list and "](" in text and "\n" not in text and not text.endswith((".", ":"))


def _of_table(cells: Sequence[str], dropped: list[LeftOut]) -> Iterator[Block]:
    prose = [one for one in cells if is_prose(one)]
    if 2 * sum(map(len, prose)) > sum(map(len, cells)):
        yield from (Block(one) for one in prose)
        cells = [one for one in cells if one not in prose]
    if any(cells):
        dropped.append(left_out("table", filter(None, cells)))


def _without_notes(text: str, dropped: list[LeftOut]) -> str:
    """The text without footnotes (``[^1]: …`` with its indented lines), and without the marks that lead to them."""
    if "[^" not in text:
        return text
    kept: list[str] = []
    notes: list[str] = []
    fence = ""
    in_note = False
    for line in text.split("\n"):
        if (match := _FORMS["fence"].match(line)) and (not fence or match[1].startswith(fence)):
            fence = "" if fence else match[1]
        if not fence and _FORMS["note"].match(line):
            in_note = True
            notes.append(_FORMS["note"].sub("", line))
        elif in_note and (not line.strip() or line[:1] in (" ", "\t")):
            notes.append(line)
        else:
            in_note = False
            kept.append(line if fence else _FORMS["note_mark"].sub("", line))
    if notes:
        dropped.append(left_out("footnote", filter(str.strip, notes)))
    return "\n".join(kept)


def _inline(parser: Any, content: str, references: dict[str, Any], dropped: list[LeftOut]) -> Block:
    if len(content) > 10_000 or max(map(content.count, "[*_`!<~")) > 500:
        return Block(content)
    tokens: list[Any] = []
    parser.inline.parse(content, parser, references, tokens)
    struck, tokens = _struck(tokens)
    if struck:
        dropped.append(left_out("struck out", [_words(struck)]))
    words = _FORMS["alert"].sub("", _words(tokens))
    links, linked, inside, bare, pictures = 0, 0, 0, False, False
    for token in tokens:
        if token.type == "link_open" and str(token.attrs.get("href", "")).startswith("#"):
            links, inside = links + 1, 1
        elif token.type == "link_close":
            inside = 0
        elif token.type in ("text", "code_inline", "text_special"):
            linked += inside * sum(map(str.isalpha, token.content))
            bare = bare or bool(token.content.strip())
        pictures = pictures or token.type == "image"
    return Block(words, links=links, linked=linked, is_picture=pictures and not bare)


def _struck(tokens: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    struck: list[Any] = []
    others: list[Any] = []
    depth = 0
    for token in tokens:
        depth += (token.type == "s_open") - (token.type == "s_close")
        (struck if depth else others).append(token)
    return struck, others


def _words(tokens: Sequence[Any]) -> str:
    parts = []
    for token in tokens:
        if token.type in ("text", "text_special", "code_inline"):
            parts.append(token.content)
        elif token.type == "image":
            parts.append(_words(token.children or ()))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
    return "".join(parts)


def _math(state: Any, silent: bool) -> bool:
    """A rule of the parser: mathematics between dollars is text as it was written, with its backslashes."""
    match = _FORMS["math"].match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("text", "", 0).content = match[0]
    state.pos = match.end()
    return True
