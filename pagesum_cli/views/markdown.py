"""Summary → Markdown."""

import re

from ..summary import Summary
from .citation import citation, place
from .evidence import evidence_markdown
from .plain import one_line
from .tables import counted, percents

# What means something in the middle of a line, and what does at its start only.
_INLINE = re.compile(r"([\\`*_\[\]<>|~&$])")
_LINE_START = re.compile(r"^(\d+(?=[.)])|[-+=#>:])")


def markdown_view(summary: Summary, *, cite: bool = False) -> str:
    """Title, summary, and a table of the pages with their shares; text from documents never acts as Markdown.

    Args:
        summary: what to write.
        cite: name each sentence's strongest pages behind it, and what the document says at the end.
    """
    parts = [f"# {escaped(summary.title)}"] if one_line(summary.title) else []
    sentences = [
        one_line(sentence.text) + (f" {citation(summary, sentence)}" if cite else "") for sentence in summary.sentences
    ]
    parts.append(escaped(" ".join(sentences)))
    shares = percents([page.confidence for page in summary.pages])
    rows = [
        f"| {page.page} | {escaped(place(summary, page))} | {share} |"
        for page, share in zip(summary.pages, shares, strict=True)
    ]
    parts.append("\n".join(["| | page | share |", "|--:|---|--:|", *rows]))
    if cite and (evidence := evidence_markdown(summary)):
        parts.append(evidence)
    parts.append(f"*{counted(len(summary.pages), 'page')}, {summary.locality}; model {escaped(summary.model)}*")
    return "\n\n".join(parts)


def escaped(text: str) -> str:
    """The text on one line, as Markdown that shows it letter by letter."""
    inline = _INLINE.sub(r"\\\1", one_line(text))
    start = _LINE_START.match(inline)
    if not start:
        return inline
    mark = start.group()
    return f"{mark}\\{inline[len(mark) :]}" if mark[0].isdigit() else f"\\{inline}"
