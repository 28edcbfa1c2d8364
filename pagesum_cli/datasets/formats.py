"""The forms in which the field writes a record as a JSON object → Record. One table:
:data:`FORMS`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Literal, NamedTuple

from ..documents.article.abstract import with_abstract
from ..documents.article.building import origin_of
from ..documents.model import Document, Paragraph, Section
from ..documents.readers.text import paragraphs_of
from ..documents.sentences import whole_text
from ..documents.units import with_units
from ..errors import PagesumError
from ..text.cleaning import one_line
from .record import EditorLabels, Record

Units = Literal["sentences", "sections", "documents"]  # what the entries of an ``article`` list are
DOCUMENT_SEPARATOR = re.compile(r"\|{5}|story_separator_special_tag")

TITLE_END, PARAGRAPH_END, SENTENCE_END = "<EOT>", "<EOP>", "<SNT>"
"""Marks of WikiCatSum: after a title, between paragraphs of the source, between sentences of the
target.
"""


WORD_PART = "@@ "  # the end of a part of a word in SummScreen's tokenized files


def units_of(locality: str) -> Units:
    """What the original program's ``article`` lists hold for a locality."""
    return (
        "sections"
        if locality == "discourse"
        else "documents"
        if locality == "document"
        else "sentences"
    )


def record_of(
    value: Any, number: str = "1", units: Units = "sentences", source: str = ""
) -> Record:
    """Read one JSON object of any form in :data:`FORMS`."""
    if not isinstance(value, dict):
        raise PagesumError(f"expected a JSON object, found {type(value).__name__}")
    form = form_of(value)
    ids = (
        value.get(key)
        for key in ("id", "article_id", *(["filename"] if form.key == "Transcript" else []))
    )
    identity = one_line(str(next((one for one in ids if one not in (None, "")), number)))
    title = one_line(value["title"]) if isinstance(value.get("title"), str) else ""
    documents = tuple(
        replace(
            document,
            sections=tuple(with_units(document.sections)),
            title=title if document.name == identity else "",
            source=source,
        )
        for document in map(with_abstract, form.read(value, identity, units))
    )
    if not any(document.has_words for document in documents):
        raise PagesumError("expected text, found none")
    name = next((key for key in form.summaries if value.get(key) is not None), "")
    written = value.get(name, "")
    if name == "highlights" and isinstance(written, str):
        written = [line for line in written.split("\n") if line.strip()]
    elif name == "Recap" and isinstance(written, list):  # a list of one text, or of several
        written = " ".join(_texts(written, name)).replace(WORD_PART, "")
    labels = _editor_labels(value) if form.key == "sentences" else None
    if labels and name == "quoted":
        written = [value["sentences"][number][1] for number in labels.quoted]
    summary, sentences = _summary(written, form)
    extra = {key: one for key, one in value.items() if key not in _KNOWN}
    return Record(identity, documents, summary, sentences, _chapter_summaries(value), extra, labels)


def form_of(value: dict[str, Any]) -> "Form":
    """The form of a record."""
    for form in FORMS:
        if form.key in value and isinstance(value[form.key], form.holds):
            return form
    raise PagesumError(f'expected "sections", "documents" or "text", found {columns_of(value)}')


def columns_of(value: dict[str, Any]) -> str:
    """The first fields of a record, for messages."""
    return ", ".join(map(repr, list(value)[:8])) or "nothing"


class Form(NamedTuple):
    """A form of records."""

    key: str  # the field that tells this form from the others
    holds: type | tuple[type, ...]  # the type of that field's value
    summaries: tuple[str, ...]  # the fields that may hold the summary
    # object, id and units → documents, in order
    read: Callable[[dict[str, Any], str, Units], Iterator[Document]]


def _arxiv(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    """Sections with their names, and beside them the sentences alone: ``article_text``."""
    names, sections = value.get("section_names"), value.get("sections")
    if isinstance(sections, list) and isinstance(names, list) and len(names) == len(sections) > 0:
        named = [
            _headed(one_line(str(name)), text, "sections")
            for name, text in zip(names, sections, strict=True)
        ]
        if any(section.paragraphs for section in named):
            # A section without words counts as one, and its name is not read as if it were text.
            kept = (one if one.paragraphs else replace(one, given=whole_text(one)) for one in named)
            yield Document(
                identity,
                tuple(kept),
                given_sentences=_article_text(value["article_text"], sections, named),
            )
            return
    yield Document(identity, (_headed("", value["article_text"], "article_text"),))


def _article_text(
    article: Any, sections: Sequence[Any], named: Sequence[Section]
) -> tuple[str, ...]:
    """``article_text``; where it is missing, the sentences of all sections. Nothing if they come as
    text.
    """
    if not (
        isinstance(article, list) and any(text.strip() for text in _texts(article, "article_text"))
    ):
        lists = sections if all(isinstance(section, list) for section in sections) else []
        article = [text for section in lists for text in section]
    known = {
        paragraph.text: paragraph.text for section in named for paragraph in section.paragraphs
    }
    return tuple(known.get(text, text) for text in article)  # equal texts are kept once


def _original(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    article = value["article"]
    if isinstance(article, str) or units == "sentences":
        yield Document(identity, (_headed("", article, "article"),))
    elif units == "sections":
        yield Document(identity, tuple(map(_section_of_lines, _texts(article, "article"))))
    else:
        for place, text in enumerate(_texts(article, "article"), 1):
            yield Document(f"{identity}/{place}", (_plain(text),), given=text)


def _transcript(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    turns = (
        one_line(line.replace(WORD_PART, "")) for line in _texts(value["Transcript"], "Transcript")
    )
    yield Document(identity, (Section("", tuple(Paragraph(turn) for turn in turns if turn)),))


def _chapter(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    yield Document(
        identity,
        (_headed(one_line(str(value.get("summary_name") or "")), value["chapter"], "chapter"),),
    )


def _govreport(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    report = value.get("report", value.get("reports"))
    is_sentences = (
        isinstance(report, list) and bool(report) and all(isinstance(one, str) for one in report)
    )
    yield Document(
        identity,
        (_headed("", report, "report"),) if is_sentences else tuple(_report_sections(report)),
    )


def _cluster(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    texts = [text.strip() for text in DOCUMENT_SEPARATOR.split(value["document"]) if text.strip()]
    for place, text in enumerate(texts, 1):
        yield Document(f"{identity}/{place}", (_plain(text),), given=text)


def record_of_lines(source: str, target: str) -> dict[str, Any]:
    """A record of a line of each of two files: Multi-News', or one with the marks of WikiCatSum.

    WikiCatSum's source is ``TITLE <EOT> PARAGRAPH <EOP> PARAGRAPH …``, its target ``SENTENCE <SNT>
    SENTENCE …``.
    """
    sentences = [one for one in map(str.strip, target.split(SENTENCE_END)) if one]
    summary = sentences if SENTENCE_END in target else target
    if TITLE_END not in source and PARAGRAPH_END not in source:
        return {"document": source.replace("NEWLINE_CHAR", "\n"), "summary": summary}
    title, _, text = source.rpartition(TITLE_END)
    paragraphs = text.split(PARAGRAPH_END)
    return {"sections": [{"heading": title, "text": "\n\n".join(paragraphs)}], "summary": summary}


def _sections(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    yield Document(identity, tuple(_section(one, "sections") for one in value["sections"]))


def _documents(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    for place, one in enumerate(value["documents"], 1):
        known = one if isinstance(one, dict) else {}
        name = one_line(str(known.get("name") or f"{identity}/{place}"))
        origin = origin_of(str(known.get("outlet") or ""), str(known.get("date") or ""))
        sections = known.get("sections")
        parts, field = (
            (sections, "sections") if isinstance(sections, list) else ([one], "documents")
        )
        yield Document(name, tuple(_section(part, field) for part in parts), origin=origin)


def _text(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    yield Document(identity, (_headed("", value["text"], "text"),))


def _labelled(value: dict[str, Any], identity: str, units: Units) -> Iterator[Document]:
    """Pairs of heading and sentence, which an editor has labelled; see
    :class:`~.record.EditorLabels`.
    """
    pairs = value["sentences"]
    if not all(
        isinstance(one, list) and list(map(type, one)) == [str, str] and one_line(one[1])
        for one in pairs
    ):
        raise PagesumError(
            'expected "sentences" to be pairs of heading and text, which is not empty'
        )
    groups = groupby(pairs, key=lambda one: one[0])
    yield Document(
        identity,
        tuple(_headed(one_line(name), [text for _, text in own], "text") for name, own in groups),
    )


def _editor_labels(value: dict[str, Any]) -> EditorLabels | None:
    if not isinstance(value.get("quoted"), list):
        return None
    try:
        quoted, alternates = (
            tuple(map(int, value.get(name) or ())) for name in ("quoted", "alternates")
        )
        reasons = {
            int(number): str(reason) for number, reason in dict(value.get("rejected") or {}).items()
        }
    except (TypeError, ValueError) as error:
        message = (
            'expected numbers of sentences in "quoted" and "alternates", and {number: '
            'reason} in "rejected"'
        )
        raise PagesumError(message) from error
    known = range(len(value["sentences"]))
    if not {*quoted, *alternates, *reasons} <= set(known):
        raise PagesumError(
            f'expected numbers below {len(known)} in "quoted", "alternates" and "rejected"'
        )
    pointers = tuple(number for number, reason in reasons.items() if reason == "pointer")
    return EditorLabels(quoted, alternates, tuple(reasons), pointers, tuple(reasons.values()))


FORMS = (
    Form("article_text", object, ("abstract_text",), _arxiv),  # arXiv and PubMed, Cohan et al. 2018
    # the original program; CNN/DailyMail
    Form("article", object, ("abstract", "highlights"), _original),
    Form("Transcript", list, ("Recap",), _transcript),  # SummScreen, Chen et al. 2022
    # GAO reports, and GovReport on the hub
    Form("report", object, ("summary", "highlight"), _govreport),
    Form("reports", object, ("summary", "highlight"), _govreport),  # CRS reports
    Form("document", str, ("summary",), _cluster),  # Multi-News
    Form("sections", list, ("summary",), _sections),  # records of this program
    Form("documents", list, ("summary",), _documents),
    Form("text", (str, list), ("summary",), _text),
    Form("chapter", str, ("summary_text",), _chapter),  # BookSum on the hub
    Form("sentences", list, ("summary", "quoted"), _labelled),  # what an editor quotes
)
"""The first form that fits is used."""

_KNOWN = {
    *("id", "article_id", "title", "labels", "section_names", "chapter_summaries"),
    *("quoted", "alternates", "rejected"),
    *(key for form in FORMS for key in (form.key, *form.summaries)),
}


def _chapter_summaries(value: dict[str, Any]) -> tuple[Section, ...]:
    given = value.get("chapter_summaries") or []
    if not isinstance(given, list):
        raise PagesumError(
            f'expected "chapter_summaries" to be a list, found {type(given).__name__}'
        )
    sections = (_section(one, "chapter_summaries") for one in given)
    return tuple(section for section in sections if section.paragraphs)


def _texts(value: Any, what: str) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise PagesumError(
            f'expected "{what}" to be text or a list of texts, found {type(value).__name__}'
        )
    return value


def _headed(heading: str, value: Any, what: str, level: int = 1) -> Section:
    """A section of text, or of a list of sentences: each is a paragraph that is never split
    again.
    """
    found_by = "outline" if heading else "fallback"
    if isinstance(value, str):
        return Section(heading, paragraphs_of(value), level, found_by)
    texts = _texts(value, what)
    lines = [line for line in map(one_line, texts) if line]
    given = () if lines == texts else tuple(texts)
    paragraphs = tuple(Paragraph(line, is_sentence=True) for line in lines)
    return Section(heading, paragraphs, level, found_by, given_sentences=given)


def _plain(text: str) -> Section:
    return _headed("", text, "text")


def _section(value: Any, what: str) -> Section:
    if isinstance(value, (str, list)):
        value = {"text": value}
    if not isinstance(value, dict):
        raise PagesumError(
            f'expected each of "{what}" to be an object, found {type(value).__name__}'
        )
    heading, level = value.get("heading") or "", value.get("level")
    if not isinstance(heading, str):
        raise PagesumError(f'expected "heading" to be text, found {type(heading).__name__}')
    level = level if isinstance(level, int) and 1 <= level <= 9 else 1
    return _headed(one_line(heading), value.get("text", ""), "text", level)


def _section_of_lines(text: str) -> Section:
    """A section whose first line is the heading if more follows."""
    heading, _, rest = text.strip().partition("\n")
    section = _headed(one_line(heading), rest, "article") if rest.strip() else _plain(text)
    return replace(section, given=text)


def _report_sections(parts: Any, level: int = 1) -> Iterator[Section]:
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, str):
            yield _plain(part)
        elif isinstance(part, dict):
            heading = one_line(str(part.get("section_title") or ""))
            text = "\n\n".join(_texts(part.get("paragraphs") or [], "paragraphs"))
            if heading or text.strip():
                yield _headed(heading, text, "paragraphs", min(level, 9))
            yield from _report_sections(part.get("subsections") or [], level + 1)


def _summary(value: Any, form: Form) -> tuple[str, tuple[str, ...]]:
    """The text of a summary, and its sentences where it is a list of them; GovReport's are
    paragraphs or sections.
    """
    if isinstance(value, list) and any(isinstance(part, dict) for part in value):
        value = " ".join(
            paragraph.text
            for section in _report_sections(value)
            for paragraph in section.paragraphs
        )
    is_list = not isinstance(value, str)
    texts = _texts(value, form.summaries[0]) if is_list else [value]
    if form.key == "article_text":
        texts = [re.sub(r"</?S>", " ", text) for text in texts]
    lines = [line for line in map(one_line, texts) if line]
    # the original's target, white space included
    is_exact = form.key == "article" and is_list and bool(lines)
    text = " ".join(texts if is_exact else lines)
    return text, tuple(lines) if is_list and form.key != "reports" else ()
