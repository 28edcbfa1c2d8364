"""The sentences of the document behind each sentence of the summary: on the terminal, in Markdown and in HTML."""

from dataclasses import replace
from html import escape

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..summary import SourceSentence, Summary, SummarySentence
from .citation import place
from .plain import one_line
from .tables import literal

NOT_SUPPORTED = "no sentence of the document says this in such words"


def evidence_view(summary: Summary) -> RenderableType:
    """Each sentence of the summary and, beside it, what the document says."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, show_lines=True, expand=True)
    table.add_column("summary", ratio=2, overflow="fold")
    table.add_column("what the document says", ratio=3, overflow="fold")
    for number, sentence in enumerate(summary.sentences, start=1):
        strongest = sentence.pages[0]
        where = f"{place(summary, summary.pages[strongest.page])} {100 * strongest.confidence:.0f}%"
        said = Text.assemble((f"{number} ", "dim"), one_line(sentence.text), (f"\n{where}", "dim"))
        parts = [Text(f"✗ {NOT_SUPPORTED}", "bold red")] if sentence.supported is False else []
        for one in sentence.evidence or ():
            parts.append(Text.assemble(literal(one.text), (f"  [{_where(summary, sentence, one)}]", "dim")))
        table.add_row(said, Group(*parts))
    return table


def evidence_markdown(summary: Summary) -> str:
    """A list of the sentences with what the document says under each; empty where nobody has looked."""
    from .markdown import escaped

    if not has_evidence(summary):
        return ""
    lines = ["## Evidence", ""]
    for number, sentence in enumerate(summary.sentences, start=1):
        lines.append(f"{number}. {escaped(sentence.text)}")
        if sentence.supported is False:
            lines.append(f"   - **✗ {NOT_SUPPORTED}**")
        for one in sentence.evidence or ():
            lines.append(f"   - “{escaped(one.text)}” ({escaped(_where(summary, sentence, one))})")
    return "\n".join(lines)


def evidence_html(summary: Summary) -> str:
    """The same, folded away; all text escaped."""
    if not has_evidence(summary):
        return ""
    parts = []
    for sentence in summary.sentences:
        flag = f'<p class="flag">✗ {NOT_SUPPORTED}</p>' if sentence.supported is False else ""
        quotes = "".join(
            f"<blockquote>{escape(one_line(one.text))} "
            f"<cite>{escape(_where(summary, sentence, one))}</cite></blockquote>"
            for one in sentence.evidence or ()
        )
        parts.append(f"<li><p>{escape(one_line(sentence.text))}</p>{flag}{quotes}</li>")
    return f"<details><summary>Evidence in the document</summary><ol>{''.join(parts)}</ol></details>"


def has_evidence(summary: Summary) -> bool:
    """Whether anybody has looked for it."""
    return any(sentence.evidence is not None for sentence in summary.sentences)


def _where(summary: Summary, sentence: SummarySentence, source: SourceSentence) -> str:
    """Where a source sentence stands and how much it covers."""
    page = summary.pages[source.page]
    where = place(summary, replace(page, pdf_pages=source.pdf_pages))
    other = "" if source.page == sentence.pages[0].page else ", not the strongest page"
    return f"{where}{other}; covers {100 * source.support:.0f}%"
