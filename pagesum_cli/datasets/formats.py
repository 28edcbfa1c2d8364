"""The forms in which the field writes a record as a JSON object → Record. One table: :data:`FORMS`."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from ..documents.document import Document, Paragraph, Section
from ..documents.text import paragraphs_of
from ..errors import PagesumError
from ..text.cleaning import one_line
from .record import Record

Units = Literal["sentences", "sections", "documents"]
"""What the entries of an ``article`` list are."""

DOCUMENT_SEPARATOR = re.compile(r"\|{5}|story_separator_special_tag")


def units_of(locality: str) -> Units:
    """What the original program's ``article`` lists hold for a locality."""
    return "sections" if locality == "discourse" else "documents" if locality == "document" else "sentences"


def record_of(value: Any, number: str = "1", units: Units = "sentences", source: str = "") -> Record:
    """Read one JSON object of any form in :data:`FORMS`.

    Args:
        value: The object.
        number: The id if the object has none.
        units: What the entries of ``article`` are if it is a list.
        source: The path that it was read from.

    Raises:
        PagesumError: It has none of these forms, or no words.
    """
    if not isinstance(value, dict):
        raise PagesumError(f"expected a JSON object, found {type(value).__name__}")
    form = form_of(value)
    ids = (value.get(key) for key in ("id", "article_id"))
    identity = one_line(str(next((one for one in ids if one not in (None, "")), number)))
    title = one_line(value["title"]) if isinstance(value.get("title"), str) else ""
    documents = []
    for name, sections in form.read(value, identity, units):
        kept = tuple(section for section in sections if section.paragraphs or section.heading)
        if any(section.paragraphs for section in kept):
            documents.append(Document(name, kept, title=title if name == identity else "", source=source))
    if not documents:
        raise PagesumError("expected text, found none")
    summary = next((value[key] for key in form.summaries if value.get(key) is not None), "")
    extra = {key: one for key, one in value.items() if key not in _KNOWN}
    return Record(identity, tuple(documents), _summary(summary, form.summaries[0]), extra)


def form_of(value: dict[str, Any]) -> "Form":
    """The form of a record.

    Raises:
        PagesumError: It has none of :data:`FORMS`.
    """
    for form in FORMS:
        if form.key in value and isinstance(value[form.key], form.holds):
            return form
    raise PagesumError(f'expected "sections", "documents" or "text", found {columns_of(value)}')


def columns_of(value: dict[str, Any]) -> str:
    """The first fields of a record, for messages."""
    return ", ".join(map(repr, list(value)[:8])) or "nothing"


Parts = Iterator[tuple[str, list[Section]]]
"""The name and the sections of each document."""


class Form(NamedTuple):
    """A form of records.

    Attributes:
        key: The field that tells this form from the others.
        holds: The type of that field's value.
        summaries: The fields that may hold the summary.
        read: Object, id and units → documents.
    """

    key: str
    holds: type | tuple[type, ...]
    summaries: tuple[str, ...]
    read: Callable[[dict[str, Any], str, Units], Parts]


def _arxiv(value: dict[str, Any], identity: str, units: Units) -> Parts:
    names, sections = value.get("section_names"), value.get("sections")
    if isinstance(sections, list) and isinstance(names, list) and len(names) == len(sections) > 0:
        named = zip(names, sections, strict=True)
        parts = [_headed(one_line(str(name)), _paragraphs(text, "sections")) for name, text in named]
        if parts := [part for part in parts if part.paragraphs]:
            yield identity, parts
            return
    yield identity, [_headed("", _paragraphs(value["article_text"], "article_text"))]


def _original(value: dict[str, Any], identity: str, units: Units) -> Parts:
    article = value["article"]
    if units == "sentences" and not isinstance(article, str):
        yield identity, [_headed("", _paragraphs(article, "article"))]
        return
    texts = [article] if isinstance(article, str) else _texts(article, "article")
    if units == "documents":
        yield from ((f"{identity}/{place}", [_plain(text)]) for place, text in enumerate(texts, 1))
    else:
        yield identity, [_section_of_lines(text) if units == "sections" else _plain(text) for text in texts]


def _govreport(value: dict[str, Any], identity: str, units: Units) -> Parts:
    yield identity, list(_report_sections(value.get("report", value.get("reports"))))


def _cluster(value: dict[str, Any], identity: str, units: Units) -> Parts:
    texts = [text for text in DOCUMENT_SEPARATOR.split(value["document"]) if text.strip()]
    yield from ((f"{identity}/{place}", [_plain(text)]) for place, text in enumerate(texts, 1))


def _sections(value: dict[str, Any], identity: str, units: Units) -> Parts:
    yield identity, [_section(one, "sections") for one in value["sections"]]


def _documents(value: dict[str, Any], identity: str, units: Units) -> Parts:
    for place, one in enumerate(value["documents"], 1):
        name = one_line(str((isinstance(one, dict) and one.get("name")) or f"{identity}/{place}"))
        if isinstance(one, dict) and isinstance(one.get("sections"), list):
            yield name, [_section(part, "sections") for part in one["sections"]]
        else:
            yield name, [_section(one, "documents")]


def _text(value: dict[str, Any], identity: str, units: Units) -> Parts:
    yield identity, [_headed("", _paragraphs(value["text"], "text"))]


FORMS = (
    Form("article_text", object, ("abstract_text",), _arxiv),  # arXiv and PubMed, Cohan et al. 2018
    Form("article", object, ("abstract",), _original),  # the original program
    Form("report", object, ("summary", "highlight"), _govreport),  # GAO reports, and GovReport on the hub
    Form("reports", object, ("summary", "highlight"), _govreport),  # CRS reports
    Form("document", str, ("summary",), _cluster),  # Multi-News
    Form("sections", list, ("summary",), _sections),  # records of this program
    Form("documents", list, ("summary",), _documents),
    Form("text", (str, list), ("summary",), _text),
)
"""The first form that fits is used."""

_KNOWN = {
    *("id", "article_id", "title", "labels", "section_names"),
    *(key for form in FORMS for key in (form.key, *form.summaries)),
}


def _paragraphs(value: Any, what: str) -> tuple[Paragraph, ...]:
    """Text as paragraphs; of a list of sentences each is a paragraph that is never split again."""
    if isinstance(value, str):
        return paragraphs_of(value)
    lines = map(one_line, _texts(value, what))
    return tuple(Paragraph(line, is_sentence=True) for line in lines if line)


def _texts(value: Any, what: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise PagesumError(f'expected "{what}" to be text or a list of texts, found {type(value).__name__}')
    return value


def _plain(text: str) -> Section:
    return _headed("", paragraphs_of(text))


def _headed(heading: str, paragraphs: tuple[Paragraph, ...], level: int = 1) -> Section:
    return Section(heading, paragraphs, level, "outline" if heading else "fallback")


def _section(value: Any, what: str) -> Section:
    """``{"heading", "level", "text"}``, or the text alone."""
    if isinstance(value, (str, list)):
        value = {"text": value}
    if not isinstance(value, dict):
        raise PagesumError(f'expected each of "{what}" to be an object, found {type(value).__name__}')
    heading, level = value.get("heading") or "", value.get("level")
    if not isinstance(heading, str):
        raise PagesumError(f'expected "heading" to be text, found {type(heading).__name__}')
    level = level if isinstance(level, int) and 1 <= level <= 9 else 1
    return _headed(one_line(heading), _paragraphs(value.get("text", ""), "text"), level)


def _section_of_lines(text: str) -> Section:
    """A section whose first line is the heading if more follows."""
    heading, _, rest = text.strip().partition("\n")
    return _headed(one_line(heading), paragraphs_of(rest)) if rest.strip() else _plain(text)


def _report_sections(parts: Any, level: int = 1) -> Iterator[Section]:
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, str):
            yield _plain(part)
        elif isinstance(part, dict):
            heading = one_line(str(part.get("section_title") or ""))
            text = "\n\n".join(_texts(part.get("paragraphs") or [], "paragraphs"))
            yield _headed(heading, paragraphs_of(text), min(level, 9))
            yield from _report_sections(part.get("subsections") or [], level + 1)


def _summary(value: Any, what: str) -> str:
    """A summary on one line; in the data it is text, a list of sentences or paragraphs, or sections (GovReport)."""
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        value = [paragraph.text for section in _report_sections(value) for paragraph in section.paragraphs]
    text = value if isinstance(value, str) else " ".join(_texts(value, what))
    return one_line(re.sub(r"</?S>", " ", text) if what == "abstract_text" else text)
