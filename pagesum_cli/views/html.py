"""What HTML views share: escaped text, and evidence."""

from html import escape

from ..summary.summary import Summary
from .citation import citations
from .evidence import NOT_SUPPORTED, support_of
from .plain import one_line
from .tables import percents


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


def chapters_html(summary: Summary, *, cite: bool = True, link: str = "") -> str:
    """The summaries of a book's chapters, each collapsed under its title; empty if there are none.

    Args:
        summary: The book's summary.
        cite: Show where each sentence comes from.
        link: Address of a chapter's text, with ``{}`` for its number from 0 on; empty if it is not shown.
    """
    if not summary.chapters:
        return ""
    shares = percents([page.confidence for page in summary.pages])
    written = []
    for number, (chapter, share) in enumerate(zip(summary.chapters, shares, strict=True)):
        places = citations(chapter, merged=False) if cite else [None] * len(chapter.sentences)
        items = "".join(
            f"<li>{safe(sentence.text)}{f' <cite>{safe(place)}</cite>' if place else ''}</li>"
            for sentence, place in zip(chapter.sentences, places, strict=True)
        )
        to_text = f'<p class="note"><a href="{escape(link.format(number))}">Text of the chapter</a></p>' if link else ""
        head = f"{number + 1}. {safe(chapter.title)} <small>{share}</small>"
        written.append(f"<details><summary>{head}</summary>{to_text}<ol>{items}</ol></details>")
    return f'<h2 id="chapters">Chapters</h2>\n{"".join(written)}'


def safe(text: str) -> str:
    """The text on one line, escaped."""
    return escape(one_line(text))
