"""Summary → HTML for a cell of a notebook; needs neither torch nor Rich."""

from html import escape

from ..summary.summary import Summary
from .citation import (
    NEEDS_CONTEXT,
    NEEDS_CONTEXT_MEANS,
    citation_of,
    lines_after,
    made_of,
    opening_of,
    paragraphs_of,
)
from .plain import safe_html
from .rows import table_rows
from .tables import percents

# Colors are the notebook's own, so that they fit its light or dark theme.
_NO_MATH = "tex2jax_ignore mathjax_ignore"  # dollars are not formulas
_DIM = "opacity:.65"
_BAR = "display:inline-block;height:.6em;border-radius:2px;background:currentColor;opacity:.5"
_CELL = "text-align:left;padding:0 .8em 0 0;background:none;border:none"


def notebook_view(summary: Summary) -> str:
    """Title, sentences with their origin, and the sections with their shares as bars; all text is
    escaped.

    The origin of each sentence shows when the mouse is over it, and after the last of consecutive
    sentences of the same origin. Styles are inline, so that they apply to nothing else in the
    notebook.
    """
    title = f'<div style="font-weight:bold;margin-bottom:.4em">{safe_html(summary.title)}</div>'
    after = "".join(
        f'<div style="{_DIM};margin-top:.6em">{escape(line)}</div>' for line in lines_after(summary)
    )
    footer = safe_html(f"{made_of(summary)}; model {summary.model}")
    return (
        f'<div class="{_NO_MATH}" '
        f'style="max-width:46em;line-height:1.5">{title}<div>{_sentences(summary)}</div>{after}'
        f'<table style="margin:.6em 0 '
        f'0;font-size:.85em;line-height:1.3;border:none">{_bars(summary)}</table>'
        f'<div style="{_DIM};font-size:.8em">{footer}</div></div>'
    )


def _sentences(summary: Summary) -> str:
    paragraphs = []
    for title, named, cited in paragraphs_of(summary, cite=True):
        pieces = [f"<b>{safe_html(title)}</b><br>"] if title else []
        for sentence, text, citation in cited:
            origin = safe_html(citation_of(summary, sentence).text)
            opening = (
                f'<span style="{_DIM}">{escape(opening_of(sentence))}</span>'
                if sentence.opening
                else ""
            )
            pieces.append(f'<span title="{origin}">{opening}{escape(text)}</span>')
            if sentence.needs_context:
                pieces.append(
                    f'<small style="{_DIM}" title="{NEEDS_CONTEXT_MEANS}">({NEEDS_CONTEXT})</small>'
                )
            pieces += [f'<small style="{_DIM}">{safe_html(citation)}</small>'] if citation else []
        pieces += [f"<i>{safe_html(named)}</i>"] if named else []
        paragraphs.append(" ".join(pieces))
    return '</div><div style="margin-top:.6em">'.join(paragraphs)


def _bars(summary: Summary) -> str:
    rows = table_rows(summary)
    shares = percents([row.share for row in rows])
    largest = max(row.share for row in rows)  # above 0: shares sum to 1
    return "".join(
        f'<tr style="background:none"><td style="{_CELL}">{safe_html(row.name)}</td>'
        f'<td style="{_CELL};text-align:right">{escape(share)}</td>'
        f'<td style="{_CELL};width:10em"><span '
        f'style="{_BAR};width:{100 * row.share / largest:.0f}%"></span></td></tr>'
        for row, share in zip(rows, shares, strict=True)
    )
