"""Summary → HTML for a cell of a notebook; needs neither torch nor Rich."""

from html import escape

from ..summary.summary import Summary
from .citation import citation_of, citations, made_of, page_name
from .plain import one_line
from .tables import percents

ROWS = 8
"""Maximum number of parts with a bar each; the others share one."""

# Colors are the notebook's own, so that they fit its light or dark theme.
_NO_MATH = "tex2jax_ignore mathjax_ignore"  # dollars are not formulas
_DIM = "opacity:.65"
_BAR = "display:inline-block;height:.6em;border-radius:2px;background:currentColor;opacity:.5"
_CELL = "text-align:left;padding:0 .8em 0 0;background:none;border:none"


def notebook_view(summary: Summary) -> str:
    """Title, sentences with their origin, and the strongest parts with their shares as bars; all text is escaped.

    The origin of each sentence shows when the mouse is over it, and after the last of consecutive sentences of the same
    origin. Styles are inline, so that they apply to nothing else in the notebook.
    """
    title = f'<div style="font-weight:bold;margin-bottom:.4em">{_safe(summary.title)}</div>'
    footer = _safe(f"{made_of(summary)}; model {summary.model}")
    return (
        f'<div class="{_NO_MATH}" style="max-width:46em;line-height:1.5">{title}<div>{_sentences(summary)}</div>'
        f'<table style="margin:.6em 0 0;font-size:.85em;line-height:1.3;border:none">{_bars(summary)}</table>'
        f'<div style="{_DIM};font-size:.8em">{footer}</div></div>'
    )


def _sentences(summary: Summary) -> str:
    pieces = []
    for sentence, cited in zip(summary.sentences, citations(summary), strict=True):
        origin = _safe(citation_of(summary, sentence).text)
        pieces.append(f'<span title="{origin}">{_safe(sentence.text)}</span>')
        pieces += [f'<small style="{_DIM}">{_safe(cited)}</small>'] if cited else []
    return " ".join(pieces)


def _bars(summary: Summary) -> str:
    strongest = sorted(summary.pages, key=lambda page: -page.confidence)
    kept = strongest if len(strongest) <= ROWS else strongest[: ROWS - 1]
    rows = [(page_name(summary, page), page.confidence) for page in summary.pages if page in kept]
    if others := strongest[len(kept) :]:
        rows.append((f"{len(others)} other parts", sum(page.confidence for page in others)))
    shares = percents([share for _, share in rows])
    largest = max(share for _, share in rows)  # above 0: shares sum to 1
    return "".join(
        f'<tr style="background:none"><td style="{_CELL}">{_safe(label)}</td>'
        f'<td style="{_CELL};text-align:right">{escape(written)}</td>'
        f'<td style="{_CELL};width:10em"><span style="{_BAR};width:{100 * share / largest:.0f}%"></span></td></tr>'
        for (label, share), written in zip(rows, shares, strict=True)
    )


def _safe(text: str) -> str:
    return escape(one_line(text))
