"""A sheet as one HTML page: annotators mark words with mouse or keyboard, and export a CSV file."""

import base64
import hashlib
import re
from html import escape
from importlib.resources import files
from string import Template

from ...lab.annotation import ERRORS, Entry, Sheet


def annotation_page(sheet: Sheet) -> str:
    """Write the page. Text is escaped; a policy lets the browser run only the page's own script and load nothing.

    It holds no name of a system or document.
    """
    return filled_template(
        "page.html",
        "script.js",
        texts="\n".join(f"{entry.code} {entry.text}" for entry in sheet.entries),
        count=str(len(sheet.entries)),
        errors="".join(
            f'<dt><span class="type {name}">{name}</span></dt><dd>{escape(meaning)}</dd>'
            for name, meaning in ERRORS.items()
        ),
        buttons=" ".join(
            f'<button type="button" class="type {name}" data-error="{name}">{number} {name}</button>'
            for number, name in enumerate(ERRORS, start=1)
        ),
        summaries="\n".join(map(_article, sheet.entries)),
    )


def filled_template(page: str, script: str, texts: str, **parts: str) -> str:
    """A page with its style and script, and the hashes by which its policy knows them.

    Args:
        page: The template's file.
        script: The file of its own script, after the one that all pages share.
        texts: All texts on the page: the work of annotators is kept under their digest.
        **parts: What else the template holds, as HTML.
    """
    style, scripts = _resource("style.css"), _resource("shared.js") + _resource(script)
    return Template(_resource(page)).substitute(
        sheet=hashlib.sha256(texts.encode("utf-8")).hexdigest()[:16],
        style=style,
        style_hash=_hash(style),
        script=scripts,
        script_hash=_hash(scripts),
        **parts,
    )


def _article(entry: Entry) -> str:
    """A summary: its words with their offsets, the list of its marks, and the box to tick."""
    code = escape(entry.code)
    words = " ".join(
        f'<span class="w" data-start="{word.start()}" data-end="{word.end()}">{escape(word.group())}</span>'
        for word in re.finditer(r"\S+", entry.text)
    )
    return (
        f'<article id="{code}"><h2>{code}</h2>'
        f'<p class="text" tabindex="0" lang="" aria-label="Summary {code}">{words}</p>'
        f'<ul aria-label="Marks in {code}"></ul><label><input type="checkbox"> Read to the end</label></article>'
    )


def _resource(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
