"""How documents are cut → the terminal."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from ..documents.document import Document
from ..locality.page import Pages
from .tables import columns, counted, literal, pdf_range

WHY = {
    "outline": "the file says so",
    "numbering": "its number",
    "style": "its font",
    "name": "its name",
    "fallback": "",
}


def pages_view(documents: Sequence[Document], cuts: Pages) -> RenderableType:
    """The sections that were found, and the pages that were made of them."""
    parts: list[RenderableType] = []
    for document in documents:
        parts += [_sections(document), Text()]
    words = sum(len(section.text.split()) for document in documents for section in document.sections)
    parts.append(
        Text.assemble(
            (counted(len(cuts.pages), "page"), "bold"),
            f", {cuts.locality} locality, {words:,} words, {sum(page.tokens for page in cuts.pages):,} tokens",
        )
    )
    table = columns(header=True)
    for name, justify in (("", "right"), ("page", "left"), ("in the file", "left"), ("tokens", "right"), ("", "left")):
        table.add_column(name, justify=justify, no_wrap=name != "page")
    several = len(documents) > 1
    for number, page in enumerate(cuts.pages):
        where = ", ".join(filter(None, (page.source if several else "", pdf_range(page.pdf_pages))))
        left_out = f"{page.truncated_words:,} words left out" if page.truncated_words else ""
        table.add_row(
            Text(str(number), style="dim"),
            _shortened(literal(page.label)),
            literal(where, "dim"),
            f"{page.tokens:,}",
            Text(left_out, style="yellow"),
        )
    parts.append(table)
    return Group(*parts)


def _sections(document: Document) -> RenderableType:
    title = Text.assemble(literal(document.title or document.name, "bold"))
    if document.title:
        title.append("  ").append_text(literal(document.name, "dim"))
    table = columns(header=True)
    for name, justify in (("section", "left"), ("in the file", "left"), ("words", "right"), ("found by", "left")):
        table.add_column(name, justify=justify, no_wrap=name != "section")
    for section in document.sections:
        heading = literal(section.heading) if section.heading else Text("(no heading)", style="dim")
        table.add_row(
            _shortened(Text("  " * (section.level - 1)).append_text(heading)),
            Text(pdf_range(section.pdf_pages), style="dim"),
            f"{len(section.text.split()):,}",
            Text(WHY[section.found_by], style="dim"),
        )
    return Group(title, table)


def _shortened(name: Text) -> Text:
    """A name that alone gives way where a table is too wide, and stays on its line."""
    name.no_wrap, name.overflow = True, "ellipsis"
    return name
