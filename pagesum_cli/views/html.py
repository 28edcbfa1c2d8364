"""Summary → one HTML file that needs nothing else."""

from html import escape

from ..summary import Summary
from .citation import citation, place
from .evidence import evidence_html
from .plain import one_line
from .tables import counted, percents

PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 1.05rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }}
h1 {{ font-size: 1.5rem; line-height: 1.25; }}
cite {{ font-style: normal; font-size: .85em; opacity: .7; }}
table {{ border-collapse: collapse; width: 100%; font-size: .9rem; margin-top: 2rem; }}
td {{ padding: .2rem .6rem .2rem 0; vertical-align: baseline; }}
td:first-child, td:nth-child(3) {{ text-align: right; white-space: nowrap; opacity: .7; }}
td:last-child {{ width: 35%; }}
meter {{ width: 100%; }}
details {{ margin-top: 2rem; }}
summary {{ cursor: pointer; }}
blockquote {{ margin: .3rem 0 .6rem; padding-left: .8rem; border-left: 3px solid; font-size: .9rem; }}
footer {{ font-size: .85rem; opacity: .7; margin-top: 1rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{text}</p>
<table>
{rows}
</table>
{evidence}
<footer>{footer}</footer>
</body>
</html>"""


def html_view(summary: Summary, *, cite: bool = False) -> str:
    """Title, summary, and a table of the pages with their shares as bars; all text escaped.

    Args:
        summary: what to write.
        cite: name each sentence's strongest pages behind it; else they show when the mouse is over the sentence.
    """
    return PAGE.format(
        title=_safe(summary.title or "Summary"),
        text=" ".join(_sentences(summary, cite)),
        rows="\n".join(_rows(summary)),
        evidence=evidence_html(summary) if cite else "",
        footer=_safe(f"{counted(len(summary.pages), 'page')}, {summary.locality}; model {summary.model}"),
    )


def _sentences(summary: Summary, cite: bool) -> list[str]:
    written = []
    for sentence in summary.sentences:
        source = _safe(citation(summary, sentence))
        behind = f" <cite>{source}</cite>" if cite else ""
        written.append(f'<span title="{source}">{_safe(sentence.text)}</span>{behind}')
    return written


def _rows(summary: Summary) -> list[str]:
    greatest = max(page.confidence for page in summary.pages)
    shares = percents([page.confidence for page in summary.pages])
    return [
        f"<tr><td>{page.page}</td><td>{_safe(place(summary, page))}</td><td>{share}</td>"
        f'<td><meter max="{greatest:.4f}" value="{page.confidence:.4f}"></meter></td></tr>'
        for page, share in zip(summary.pages, shares, strict=True)
    ]


def _safe(text: str) -> str:
    return escape(one_line(text))
