"""What HTML views share: escaped text, and evidence."""

from html import escape

from ..summary import Summary
from .evidence import NOT_SUPPORTED, support_of
from .plain import one_line


def evidence_html(summary: Summary) -> str:
    """What supports each sentence, collapsed; empty if it is unknown."""
    items = []
    for one in support_of(summary):
        before, after = (f'<p class="dim">{safe(text)}</p>' if text else "" for text in (one.before, one.after))
        flag = f'<p class="flag">✗ {NOT_SUPPORTED}</p>' if one.is_missing else ""
        found = "".join(
            f"<blockquote>{safe(text)} <cite>{safe(where)}</cite></blockquote>" for text, where in one.sentences
        )
        items.append(f"<li>{before}<p>{safe(one.text)} <cite>{safe(one.place)}</cite></p>{after}{flag}{found}</li>")
    return f"<details><summary>Evidence in the document</summary><ol>{''.join(items)}</ol></details>" if items else ""


def safe(text: str) -> str:
    """The text on one line, escaped."""
    return escape(one_line(text))
