"""Markdown → Document, by markdown-it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from ...text.cleaning import clean, one_line
from ...text.scripts import subscript, superscript
from ...text.tables import patterns, table
from ..article.article import parts_of_article
from ..article.building import document, left_out
from ..article.wording import is_prose
from ..input import Input
from ..lists import Lists
from ..marked import NO_MARKS, Marks
from ..model import HIDDEN, Document, LeftOut, Section
from ..notes import STYLES
from .blocks import Block, blocks_of
from .bold_headings import is_beside, looks_like_heading
from .clause_headings import with_clause_headings
from .converted import as_written
from .cross_references import without_references
from .divisions import admonition_of, with_division_headings
from .encodings import decode
from .front_matter import Front, front_of, with_abstract_before
from .furniture import Furniture
from .html import MIN_CONTENTS, main_blocks, sections_of
from .invisible import Invisible
from .prose_cells import of_cells
from .raw_html import HIDDEN as IS_HIDDEN
from .raw_html import Styles, block_of, note_hidden, with_whole_lists
from .saved_page import of_paragraph, with_listed_headings
from .site_marks import without_site_marks
from .text import plain_document

_FORMS = patterns(__file__, "markdown.toml")
_DIRECTIVES: dict[str, list[str]] = table(__file__, "markdown.toml")["directives"]
MAX_SIGNS = 5_000  # of a kind in a piece of a paragraph whose inline syntax is parsed
MIN_HEADINGS = 3  # bold lines that are headings by their looks, in a text that has such
_TEXT = ("text", "text_special", "code_inline")  # the types of tokens that are words


def read(source: Input) -> list[Document]:
    """The one document of a Markdown file."""
    return [markdown_document(decode(source.data, source.path), source.name, source.path)]


def markdown_document(text: str, name: str, source: str) -> Document:
    """Markdown → Document: headings begin sections; links and images keep their words, not their
    targets.

    Left out are tables, code, footnotes, lists of contents, pictures that stand alone, and
    references.
    """
    front = front_of(clean(text).lstrip("\n"))
    text = front.text
    dropped: list[LeftOut] = []
    text = _as_common_mark(with_listed_headings(text, dropped), dropped)
    text = with_clause_headings(_without_notes(text, dropped))
    sections = sections_of(main_blocks(_blocks(text, dropped), dropped))
    is_hidden = any(one.reason == HIDDEN for one in dropped)
    if not is_hidden and not any(section.paragraphs for section in sections):
        return plain_document(text, name, source)  # nothing but code, or nested beyond all reason
    title, sections = parts_of_article(sections, dropped, front.title)
    sections = with_abstract_before(sections, _abstract(front, dropped))
    made = document(
        name, sections, title=title, source=source, left_out=dropped, origin=front.origin
    )
    return replace(made, authors=front.authors) if front.authors else made


def _abstract(front: Front, dropped: list[LeftOut]) -> list[Section]:
    """The abstract in the front matter of a file as a section."""
    if not front.abstract:
        return []
    text = _as_common_mark(f"# Abstract\n\n{front.abstract}\n", dropped)
    return sections_of(main_blocks(_blocks(text, dropped), dropped))


def _as_common_mark(text: str, dropped: list[LeftOut]) -> str:
    """The text without the syntax that Pandoc, MkDocs and Obsidian add; listings stay."""
    has_citations = _FORMS["citation"].search(text) is not None
    parts = _FORMS["listing"].split(with_division_headings(text))
    taken: defaultdict[str, list[str]] = defaultdict(list)

    def note(found: re.Match[str]) -> str:
        taken["footnote"].append(found[1])
        return ""

    def mark(found: re.Match[str]) -> str:
        taken["mark"].append(found[0])
        return ""

    def foot(found: re.Match[str]) -> str:
        head = (found["head"] or "").strip(" *")
        is_repeated = head and text.count(head) > 2
        taken["running head"].append(found[0] if is_repeated else found[0].split("\n")[-1])
        return "" if is_repeated or not head else f"{found['head']}\n"

    def admonition(found: re.Match[str]) -> str:
        if names := found["names"] or "":
            taken["mark"].append(names)
        return admonition_of(found)

    for place in range(0, len(parts), 2):
        part = as_written(with_whole_lists(parts[place]), dropped)
        part = _FORMS["latex_block"].sub(mark, part)
        part = _FORMS["latex_line"].sub(mark, without_references(part))
        part = _FORMS["inline_note"].sub(note, part)
        part = _FORMS["note_script"].sub(mark, _FORMS["citation"].sub(mark, part))
        part = _FORMS["source"].sub(r"[\g<key>]", part) if has_citations else part
        part = _FORMS["page_line"].sub(foot, part)
        for name in ("comment", "picture_link", "abbreviation", "block_id"):
            part = _FORMS[name].sub("", part)
        part = without_site_marks(part)
        part = _FORMS["directive_division"].sub(r"\n\g<title>\n", part)
        part = _FORMS["division"].sub("\n", _FORMS["wiki_link"].sub(r"\g<text>", part))
        part = _FORMS["admonition"].sub(admonition, _FORMS["attributes"].sub("", part))
        parts[place] = _FORMS["script_tag"].sub(_script, part)
    dropped += [left_out(*group) for group in taken.items()]
    return "".join(parts)


def _script(found: re.Match[str]) -> str:
    is_above = found[1] in ("^", "sup")
    return superscript(found["script"]) if is_above else subscript(found["script"])


def _blocks(text: str, dropped: list[LeftOut]) -> Iterator[Block]:
    from markdown_it import MarkdownIt

    parser = (
        MarkdownIt("commonmark", {"maxNesting": 30})
        .enable(["table", "strikethrough"])
        .disable("inline")
    )
    parser.normalizeLinkText = str  # type: ignore[method-assign, assignment]  # as written
    parser.inline.ruler.before("escape", "math", _math)
    parser.inline.ruler.before("strikethrough", "script", _script_rule)
    references: dict[str, Any] = {}
    bold = _FORMS["bold_line"]
    has_bold_headings = sum(1 for _ in bold.finditer(text)) >= MIN_HEADINGS
    if has_bold_headings:
        text = bold.sub(lambda found: found[0].replace("\n", "\n\n"), text)
    tokens = parser.parse(text, references)
    return _Tokens(parser, tokens, references, dropped, has_bold_headings).blocks()


class _Tokens:
    """Makes blocks of the tokens of a text."""

    def __init__(
        self,
        parser: Any,
        tokens: Sequence[Any],
        references: dict[str, Any],
        dropped: list[LeftOut],
        has_bold_headings: bool,
    ) -> None:
        self._parser, self._tokens = parser, tokens
        self._references, self._dropped = references, dropped
        self._has_bold_headings = has_bold_headings
        self._level = 0  # of the heading whose text comes next
        self._last, self._heading = 1, ""  # the last heading by its markup
        self._capitals = 2  # level of the last heading in capitals
        self._rows: list[list[Block]] = []  # the cells of the table's rows; none outside of one
        self._lists = Lists()
        self._quotations = 0  # that are open
        self._styles = Styles()  # of raw HTML

    def blocks(self) -> Iterator[Block]:
        if any(map(_has_html, self._tokens)):
            for token in self._tokens:
                self._parse(token)
            self._styles = note_hidden(self._tokens)
            if self._styles.are_too_large:
                self._dropped.append(left_out(STYLES, []))
        for number, token in enumerate(self._tokens):
            self._parse(token)
            if token.meta.get(IS_HIDDEN):
                self._dropped.append(left_out(HIDDEN, [one_line(token.content)]))
            elif token.type == "inline":
                yield from self._text(number, token)
            elif token.type in ("fence", "code_block"):
                yield from self._code(token)
            elif token.type == "html_block":
                yield from self._raw_html(token)
            elif token.type == "table_close":
                yield from _of_table(self._rows, self._dropped)
                self._rows = []
            else:
                self._edge(token)

    def _raw_html(self, token: Any) -> Iterator[Block]:
        root = block_of(token)
        if root is not None:
            reason = Furniture(root, Invisible(root, self._styles.text))
            yield from blocks_of(root, reason, self._dropped, is_hidden=reason.is_hidden)

    def _parse(self, token: Any) -> None:
        """Parse the words of a paragraph, unless it is done."""
        if token.type == "inline" and not token.children:
            content = _FORMS["definition"].sub(": ", token.content)
            token.children = _inline_tokens(self._parser, content, self._references)

    def _edge(self, token: Any) -> None:
        """Note the beginning or the end of what holds text."""
        match token.type:
            case "heading_open":
                self._last = self._level = int(token.tag[1])
            case "heading_close":
                self._level = 0
            case "table_open" | "tr_open":
                self._rows.append([])
            case "bullet_list_open":
                self._lists.begin()
            case "ordered_list_open":
                mark, start = token.markup, int(token.attrs.get("start", 1))
                self._lists.begin(lambda number: f"{number}{mark}", start)
            case "bullet_list_close" | "ordered_list_close":
                self._lists.end()
            case "list_item_open":
                self._lists.item(_item_number(token))
            case "list_item_close":
                self._lists.end_item()
            case "blockquote_open" | "blockquote_close":
                self._quotations += token.nesting

    def _text(self, number: int, token: Any) -> Iterator[Block]:
        is_definition = _FORMS["definition"].search(token.content) is not None
        block = _inline(token.children, self._dropped)
        if self._rows:
            self._rows[-1].append(replace(block, text=one_line(block.text)))
        elif level := self._heading_level(block.text, self._tokens[number : number + 3]):
            yield Block(block.text, level)
        elif block.is_picture:
            self._dropped.append(left_out("picture", [one_line(block.text)]))
        elif (rest := of_paragraph(block.text, self._dropped)) is not None:
            yield from rest
        elif block.text.strip():
            yield self._marked(block, is_definition=is_definition)

    def _heading_level(self, text: str, tokens: Sequence[Any]) -> int:
        """The level of a paragraph that is a heading; 0 for others."""
        if self._level:
            self._capitals = self._level if text.isupper() else self._capitals
            self._heading = text
            return self._level
        if _is_topic(tokens):
            return self._last + 1
        if self._has_bold_headings and looks_like_heading(tokens):
            below = self._last + (not is_beside(text, self._heading))
            return self._capitals if text.isupper() else below
        return 0

    def _marked(self, block: Block, *, is_definition: bool = False) -> Block:
        """A paragraph with what stands around it."""
        marks = self._lists.marks()
        marks = replace(
            marks,
            depth=marks.depth + is_definition,
            head=block.marks.head,
            breaks=block.marks.breaks,
            block="quotation" if self._quotations else "",
            term=block.text.find(": ") + 1 if is_definition else 0,
        )
        return replace(block, marks=marks)

    def _code(self, token: Any) -> Iterator[Block]:
        words = one_line(token.content)
        directive = _FORMS["directive"].fullmatch(token.info)
        if directive:
            yield from self._directive(directive["name"].lower(), directive["title"], token.content)
        elif token.type == "code_block" and is_prose(words):
            yield self._marked(Block(words))
        elif words:
            self._dropped.append(left_out("code", [words]))

    def _directive(self, name: str, title: str, content: str) -> Iterator[Block]:
        """The text of a directive of MyST, or what it is otherwise."""
        body = _FORMS["options"].sub("", content)
        words = one_line(body)
        is_text = name in _DIRECTIVES["text"] or is_prose(words)
        if name == "math":
            yield Block(_formula(body))
        elif is_text and name not in _DIRECTIVES["no_text"]:
            text = _as_common_mark(f"{title}\n\n{body}", self._dropped)
            yield from _blocks(text, self._dropped)
        elif words:
            self._dropped.append(left_out("caption" if name == "figure" else "code", [words]))


def _is_topic(tokens: Sequence[Any]) -> bool:
    """Whether an item of a list is the title of what is listed below it: a line with a link, and no
    sentence.
    """
    text = tokens[0].content
    has_list = (
        len(tokens) == 3
        and tokens[0].level == 3
        and tokens[2].type in ("bullet_list_open", "ordered_list_open")
    )
    return has_list and "](" in text and "\n" not in text and not text.endswith((".", ":"))


def _item_number(token: Any) -> int | None:
    """The number that is written before an item; None if items are counted: "1. 1. 1."."""
    return int(token.info) if token.info not in ("", "0", "1") else None


def _of_table(rows: Sequence[Sequence[Block]], dropped: list[LeftOut]) -> Iterator[Block]:
    """The cells of a table of prose; none of a table that describes the sections it leads to."""
    texts = [[cell.text for cell in row] for row in rows]
    if _is_contents(rows):
        dropped.append(left_out("contents", list(chain.from_iterable(texts))))
    else:
        yield from of_cells(texts, dropped)


def _is_contents(rows: Sequence[Sequence[Block]]) -> bool:
    """Whether most rows of a table begin with a link to a place in the same work."""
    entries = sum(bool(row and row[0].links) for row in rows)
    return entries >= MIN_CONTENTS and 2 * entries > len(rows)


def _without_notes(text: str, dropped: list[LeftOut]) -> str:
    """The text without footnotes (``[^1]: …`` with its indented lines), and without the marks that
    lead to them.
    """
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


def _has_html(token: Any) -> bool:
    """Whether a token may have tags of HTML."""
    is_text = token.type == "inline" and _FORMS["tag"].search(token.content) is not None
    return is_text or token.type == "html_block"


def _inline_tokens(parser: Any, content: str, references: dict[str, Any]) -> list[Any]:
    """The tokens of a paragraph; of a piece of little but signs, which takes long, only its tags
    are taken apart.
    """
    from markdown_it.token import Token

    tokens: list[Any] = []
    for piece in _FORMS["piece"].findall(content):
        if max(map(piece.count, "[*_`!~")) <= MAX_SIGNS:
            parser.inline.parse(piece, parser, references, tokens)
            continue
        for place, part in enumerate(_FORMS["tag"].split(piece)):
            tokens.append(Token("html_inline" if place % 2 else "text", "", 0, content=part))
    return tokens


def _inline(tokens: Sequence[Any], dropped: list[LeftOut]) -> Block:
    hidden = [one for one in tokens if one.meta.get(IS_HIDDEN)]
    if words := one_line(_words(hidden)):
        dropped.append(left_out(HIDDEN, [words]))
        tokens = [one for one in tokens if not one.meta.get(IS_HIDDEN)]
    for token in tokens:
        if token.type == "html_inline" and _FORMS["line_break"].fullmatch(token.content):
            token.type = "hardbreak"
    struck, tokens = _struck(tokens)
    if struck:
        dropped.append(left_out("struck out", [_words(struck)]))
    links, linked, inside, bare, pictures = 0, 0, 0, False, False
    for token in tokens:
        if token.type == "link_open" and str(token.attrs.get("href", "")).startswith("#"):
            links, inside = links + 1, 1
        elif token.type == "link_close":
            inside = 0
        elif token.type in _TEXT:
            linked += inside * sum(map(str.isalpha, token.content))
            bare = bare or bool(token.content.strip())
        pictures = pictures or token.type == "image"
    words = _words(tokens)
    text = _FORMS["alert"].sub("", words)
    if text != words:
        dropped.append(left_out("mark", [words.removesuffix(text)]))
    marks = _marks(tokens) if text == words else NO_MARKS
    return Block(text, links=links, linked=linked, is_picture=pictures and not bare, marks=marks)


def _marks(tokens: Sequence[Any]) -> Marks:
    """The bold beginning of a paragraph, and the ends of its lines that are no wrapping."""
    breaks: list[int] = []
    head = place = bold = 0
    is_plain = False
    for token in tokens:
        bold += token.nesting if token.tag == "strong" else 0
        words = _words([token])
        place += len(words)
        if token.type == "hardbreak":
            breaks.append(place)
        elif token.type == "strong_close" and not (bold or is_plain):
            head = place
        is_plain = is_plain or (not bold and bool(words.strip()))
    return Marks(head=head, breaks=tuple(breaks))


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
        if token.type in _TEXT:
            parts.append(token.content)
        elif token.type == "image":
            parts.append(_words(token.children or ()))
        elif token.type in ("softbreak", "hardbreak"):
            parts.append("\n")
    return "".join(parts)


def _math(state: Any, silent: bool) -> bool:
    """A rule of the parser: mathematics between dollars is text."""
    match = _FORMS["math"].match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("text", "", 0).content = _formula(match[0].strip("$"))
    state.pos = match.end()
    return True


def _formula(source: str) -> str:
    from .latex.inline import formula

    return formula(source)


def _script_rule(state: Any, silent: bool) -> bool:
    """A rule of the parser: superscripts and subscripts between their signs."""
    match = _FORMS["script"].match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("text", "", 0).content = _script(match)
    state.pos = match.end()
    return True
