"""Where and when a document was written, as its first lines say: datelines, bylines, dates."""

import re
from calendar import day_abbr, month_abbr
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import islice

from ..text.tables import table
from .amendments import ends_amendment, is_amendment
from .article.building import origin_of
from .model import GAP, Document, Paragraph

LINES = 6  # paragraphs at the beginning that are looked at
LINE_WORDS = 14  # words of a line that holds a date and no sentence
DAYS = 31  # from a day without a year to the days of other texts, at most
_DATA = table(__file__, "written.toml")
_MONTHS = [name.lower() for name in month_abbr]


def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_DATA[name].replace("<MONTH>", _DATA["month"]))


_DATES = [_compiled(name) for name in ("iso", "day_first", "month_first")]
_DATELINE, _LABELLED, _BYLINE = map(_compiled, ("dateline", "labelled", "byline"))
_DAY_LINE, _FIELD = map(_compiled, ("day_line", "field"))


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


def origin_of_fields(fields: str) -> str:
    """The date in the front matter of a Markdown file; empty if it has none."""
    found = _FIELD.search(fields)
    when = date_in(found["value"]) if found else None
    return day_of(when) if when else ""


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


def written_on(document: Document) -> date | None:
    """When a document was written: as its origin says, or else the first of its first lines that
    holds a date and no sentence.
    """
    if when := date_in(with_origin(document).origin):
        return when
    paragraphs = (one.text for section in document.sections for one in section.paragraphs)
    lines = (text for text in islice(paragraphs, LINES) if _is_line(text))
    return next(filter(None, (date_in(text.title()) for text in lines)), None)


def _is_line(text: str) -> bool:
    """Whether a text is no sentence, and does not say when a clause was amended."""
    is_line = len(text.split()) <= LINE_WORDS and not text.endswith((".", "?", "!", ":"))
    return is_line and not (is_amendment(text) or ends_amendment(text))


def dated(documents: Sequence[Document]) -> list[Document]:
    """Documents, of which one that names its last day without a year has that of the others."""
    known = [day for one in documents if (day := date_in(one.origin))]
    return [_dated_by(one, max(known)) if known and not one.origin else one for one in documents]


def _dated_by(document: Document, near: date) -> Document:
    """A document with the last day that its lines name."""
    days = [day for _, day in day_lines(document, near)]
    return replace(document, origin=day_of(max(days))) if days else document


def day_lines(document: Document, near: date) -> Iterator[tuple[int, date]]:
    """The lines that name a day and no year, as above the parts of a report that is continued
    ("Thursday, June 27 update"): where each is in the text, and its day near another one.
    """
    texts = document.text.split(GAP)
    offset = 0
    for text in texts:
        is_line = len(text.split()) <= LINE_WORDS
        match = _DAY_LINE.fullmatch(text) if is_line else None
        if match and (day := _day_near(match, near)):
            yield offset, day
        offset += len(text) + len(GAP)


def _day_near(match: re.Match[str], near: date) -> date | None:
    """The day that a line names, if it is near another one and on the weekday that is named."""
    month, weekday = _MONTHS.index(match["month"].lower()[:3]), match["weekday"]
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            day = date(year, month, int(match["day"]))
        except ValueError:
            continue
        is_its_name = weekday is None or weekday[:3] == day_abbr[day.weekday()]
        if is_its_name and abs((day - near).days) <= DAYS:
            return day
    return None
