"""A summary as W3C Web Annotations (https://www.w3.org/TR/annotation-model/), which other programs
show and store.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from ..documents.model import Document
from ..summary.summary import LeadIn, Summary, SummarySentence
from .reading_page.marks import file_link

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3778"

Passage = tuple[str, str, int, int, tuple[int, ...]]
"""The name of a document, a text or "", its offsets or -1, and its PDF pages."""

AROUND = 32  # characters before and after a quote that tell it from the same words elsewhere


def annotations_view(
    summary: Summary, *, documents: Sequence[Document] = (), path: str | None = None
) -> str:
    """An annotation page in JSON-LD: each sentence of the summary with the passages of the
    documents that it rests on.

    Without documents, only quotes that nothing was changed in are located. Links to the documents'
    files are relative to ``path``.
    """
    names = [document.name for document in documents]
    known = {document.name: document for document in documents if names.count(document.name) == 1}
    items = []
    for number, sentence in enumerate(summary.sentences):
        targets = list(_targets(sentence, summary, known, path))
        content = {
            "type": "Annotation",
            "motivation": "highlighting" if sentence.source else "linking",
            "body": {"type": "TextualBody", "value": sentence.shown, "format": "text/plain"},
            "target": targets[0] if len(targets) == 1 else targets,
        }
        items.append({"id": _name(f"{number} {content}"), **content})
    page = {"@context": CONTEXT, "id": _name(str(items)), "type": "AnnotationPage", "items": items}
    return json.dumps(page, ensure_ascii=False, indent=1)


def _name(content: str) -> str:
    return uuid5(NAMESPACE_URL, content).urn


def _targets(
    sentence: SummarySentence, summary: Summary, known: dict[str, Document], path: str | None
) -> Iterator[dict[str, Any]]:
    """What a sentence is quoted from, or its evidence, or else the document of its strongest
    page.
    """
    strongest = summary.pages[sentence.pages[0].page].source
    passages = list(_quoted(sentence) if sentence.source else _evidence(sentence, summary))
    for file, exact, start, end, pdf_pages in passages or [(strongest, "", -1, -1, ())]:
        document = known.get(file)
        selectors = list(_places(exact, start, end, document.text if document else ""))
        if pdf_pages and file.lower().endswith(".pdf"):
            fragment = f"page={pdf_pages[0]}"
            selectors.append(
                {"type": "FragmentSelector", "conformsTo": PDF_FRAGMENTS, "value": fragment}
            )
        link = (file_link(document, path) if document else "") or quote(file)
        yield {"source": link, "selector": selectors} if selectors else {"source": link}


def _quoted(sentence: SummarySentence) -> Iterator[Passage]:
    """What a sentence is quoted from, and its lead-ins."""
    for source in sentence.sources:
        is_whole = not (source.omitted or source.inserted)
        text = source.text if isinstance(source, LeadIn) else sentence.text
        yield source.file, text if is_whole else "", source.start, source.end, source.pdf_pages


def _evidence(sentence: SummarySentence, summary: Summary) -> Iterator[Passage]:
    """What supports a sentence; not known of a book, whose evidence is in its chapters'
    summaries.
    """
    for one in (sentence.evidence or ()) if not summary.chapters else ():
        yield summary.pages[one.page].source, one.text, -1, -1, one.pdf_pages


def _places(exact: str, start: int, end: int, text: str) -> Iterator[dict[str, Any]]:
    """Selectors of a passage of a document with this text; of one without a place where it stands
    only once.
    """
    if start < 0 and exact and text.count(exact) == 1:
        start = text.index(exact)
        end = start + len(exact)
    if text and start >= 0:
        around = {
            "prefix": text[max(0, start - AROUND) : start],
            "suffix": text[end : end + AROUND],
        }
        yield {"type": "TextQuoteSelector", "exact": text[start:end], **around}
    elif exact:
        yield {"type": "TextQuoteSelector", "exact": exact}
    if start >= 0:
        yield {"type": "TextPositionSelector", "start": start, "end": end}
