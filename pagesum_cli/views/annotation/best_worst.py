"""A sheet of best-worst scaling as one HTML page: annotators choose the better of two summaries, and export CSV."""

from html import escape

from ...lab.best_worst import CHOICES, CRITERIA, Item, PairSheet
from .page import filled_template


def best_worst_page(sheet: PairSheet) -> str:
    """Write the page, as secure as :func:`~.page.annotation_page`. It holds no name of a system or document."""
    return filled_template(
        "best_worst.html",
        "best_worst.js",
        texts="\n".join(" ".join((item.code, item.reference, *item.texts)) for item in sheet.items),
        count=str(len(sheet.items)),
        names=" ".join(CRITERIA),
        criteria="".join(f"<dt>{name}</dt><dd>{escape(meaning)}</dd>" for name, meaning in CRITERIA.items()),
        pairs="\n".join(map(_article, sheet.items)),
    )


def _article(item: Item) -> str:
    """A pair: the reference, the two summaries, and two buttons for each criterion."""
    code = escape(item.code)
    summaries = "".join(
        f'<section><h3>{name}</h3><p class="text" lang="">{escape(text)}</p></section>'
        for name, text in zip(CHOICES, item.texts, strict=True)
    )
    choices = "".join(
        f"<fieldset><legend>{criterion}</legend>"
        + "".join(
            f'<label><input type="radio" name="{code} {criterion}" value="{name}"> {name}</label>' for name in CHOICES
        )
        + "</fieldset>"
        for criterion in CRITERIA
    )
    return (
        f'<article id="{code}"><h2>{code}</h2><h3>Reference</h3><p class="text" lang="">{escape(item.reference)}</p>'
        f'<div class="pair">{summaries}</div>{choices}</article>'
    )
