"""A sheet as one HTML page: annotators mark words or choose the better summary, and export a CSV
file.
"""

import hashlib
import re
from html import escape
from string import Template

from ...lab.annotation import Sheet
from ...lab.protocols import CHOICES, CRITERIA, ERRORS, Item
from ..reading_page.page import allowed, resource


def sheet_page(sheet: Sheet) -> str:
    """Write the page. Text is escaped; a policy lets the browser run only the page's own script and
    load nothing.

    It holds no name of a system or document. The work of annotators is kept under the digest of its
    texts.
    """
    texts = "\n".join(
        " ".join(filter(None, (item.code, item.reference, *item.texts))) for item in sheet.items
    )
    if sheet.rules.summaries == 1:
        page, parts, article = "errors", _error_parts(), _summary
    else:
        page, parts, article = "best_worst", _criterion_parts(), _pair
    script = resource(__package__, "shared.js") + resource(__package__, f"{page}.js")
    return Template(resource(__package__, f"{page}.html")).substitute(
        sheet=hashlib.sha256(texts.encode("utf-8")).hexdigest()[:16],
        **allowed(style=resource(__package__, "style.css"), script=script),
        count=str(len(sheet.items)),
        items="\n".join(map(article, sheet.items)),
        **parts,
    )


def _error_parts() -> dict[str, str]:
    meanings = (
        f'<dt><span class="type {name}">{name}</span></dt><dd>{escape(meaning)}</dd>'
        for name, meaning in ERRORS.items()
    )
    buttons = (
        f'<button type="button" class="type {name}" data-error="{name}">{number} {name}</button>'
        for number, name in enumerate(ERRORS, start=1)
    )
    return {"labels": "".join(meanings), "buttons": " ".join(buttons)}


def _criterion_parts() -> dict[str, str]:
    meanings = (f"<dt>{name}</dt><dd>{escape(meaning)}</dd>" for name, meaning in CRITERIA.items())
    return {"labels": "".join(meanings), "names": " ".join(CRITERIA)}


def _summary(item: Item) -> str:
    """A summary: its words with their offsets, the list of its marks, and the box to tick."""
    code = escape(item.code)
    words = " ".join(
        f'<span class="w" data-start="{word.start()}" '
        f'data-end="{word.end()}">{escape(word.group())}</span>'
        for word in re.finditer(r"\S+", item.texts[0])
    )
    return (
        f'<article id="{code}"><h2>{code}</h2>'
        f'<p class="text" tabindex="0" lang="" aria-label="Summary {code}">{words}</p>'
        f'<ul aria-label="Marks in {code}"></ul><label><input type="checkbox"> Read to the '
        f"end</label></article>"
    )


def _pair(item: Item) -> str:
    """A pair: the reference, the two summaries, and two buttons for each criterion."""
    code = escape(item.code)
    summaries = "".join(
        f'<section><h3>{name}</h3><p class="text" lang="">{escape(text)}</p></section>'
        for name, text in zip(CHOICES, item.texts, strict=True)
    )
    choices = ""
    for criterion in CRITERIA:
        buttons = (
            f'<label><input type="radio" name="{code} {criterion}" value="{name}"> {name}</label>'
            for name in CHOICES
        )
        choices += f"<fieldset><legend>{criterion}</legend>{''.join(buttons)}</fieldset>"
    return (
        f'<article id="{code}"><h2>{code}</h2><h3>Reference</h3><p class="text" '
        f'lang="">{escape(item.reference)}</p>'
        f'<div class="pair">{summaries}</div>{choices}</article>'
    )
