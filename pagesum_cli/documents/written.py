"""Where and when a document was written, as its first lines say: datelines, bylines, dates."""

import re
from calendar import month_abbr
from dataclasses import replace
from datetime import date
from itertools import islice

from ..text.tables import table
from .article.building import origin_of
from .model import Document, Paragraph

LINES = 6  # paragraphs at the beginning that are looked at
LINE_WORDS = 14  # words of a line that holds a date and no sentence
_DATA = table(__file__, "written.toml")
_MONTHS = [name.lower() for name in month_abbr]


def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_DATA[name].replace("<MONTH>", _DATA["month"]))


_DATES = [_compiled(name) for name in ("iso", "day_first", "month_first")]
_DATELINE, _LABELLED, _BYLINE = map(_compiled, ("dateline", "labelled", "byline"))


def date_in(text: str) -> date | None:
    """The first date with a year in a text."""
    found = [match for form in _DATES if (match := form.search(text))]
    for match in sorted(found, key=lambda one: one.start()):
        named = match["month"].lower()
        month = int(named) if named.isdigit() else _MONTHS.index(named[:3])
        try:
            return date(int(match["year"]), month, int(match["day"]))
        except ValueError:
            continue
    return None


def day_of(when: date) -> str:
    """A date as it is shown: ``3 May 2024``."""
    return f"{when.day} {when:%B %Y}"


def with_origin(document: Document) -> Document:
    """A document with the outlet and the date that its first lines name, unless they are known."""
    if document.origin or document.given is not None:
        return document
    return replace(document, origin=_origin_in(document))


def is_byline(text: str) -> bool:
    """Whether a line says only when or by whom a text was written."""
    is_short = len(text.split()) <= LINE_WORDS
    return is_short and bool(_LABELLED.fullmatch(text) or _BYLINE.fullmatch(text))


def _origin_in(document: Document) -> str:
    """What the first lines say: the first outlet, and the first date."""
    paragraphs = (one for section in document.sections for one in section.paragraphs)
    found = [_origin_of(paragraph) for paragraph in islice(paragraphs, LINES)]
    outlet = next((outlet for outlet, _ in found if outlet), "")
    when = next((when for _, when in found if when), None)
    return origin_of(outlet, when.isoformat() if when else "")


def _origin_of(paragraph: Paragraph) -> tuple[str, date | None]:
    """The outlet and the date that a dateline, or a line with a date, gives; neither for another
    paragraph.
    """
    if line := _DATELINE.match(paragraph.text):
        return line["outlet"] or line["agency"] or "", date_in(line["date"] or "")
    is_line = len(paragraph.text.split()) <= LINE_WORDS and _LABELLED.fullmatch(paragraph.text)
    return "", date_in(paragraph.text) if is_line else None
