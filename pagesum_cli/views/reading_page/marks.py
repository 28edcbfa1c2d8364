"""Where in the documents' text the parts and the sentences of a summary stand."""

import os
import urllib.parse
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from ...documents.model import GAP, Document
from ...documents.readers.formats import kind_of
from ...summary.summary import Summary, SummaryPage, SummarySentence


@dataclass(frozen=True)
class Block:
    """A heading or a paragraph of a document."""

    start: int  # start, end: offsets in the document's text
    end: int
    level: int = 0  # of a heading, 1 for the highest; 0 for a paragraph
    # Offsets in the document's text at which a PDF page starts, and its number
    page_starts: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Quote:
    """A stretch of text that sentences of the summary quote, or that supports them."""

    start: int  # start, end: offsets in the document's text
    end: int
    sentences: tuple[int, ...]  # numbers of these sentences, in order
    targets: tuple[int, ...]  # those among them whose link leads here


@dataclass(frozen=True)
class Marks:
    """What is marked in one document."""

    document: Document  # the document
    blocks: tuple[Block, ...]  # its text, in order
    # The parts that were made of it, in order; each includes the headings above its first sentence
    # and the spaces after its last
    parts: tuple[SummaryPage, ...] = ()
    quotes: tuple[Quote, ...] = ()  # in order, without overlaps
    # By part, numbers of the sentences whose link leads to its beginning
    leading: dict[int, list[int]] = field(default_factory=dict)
    link: str = ""  # address of the document's file, relative to the page; empty if it has none


def marks_of(summary: Summary, documents: Sequence[Document], path: str | None) -> list[Marks]:
    """What is to be marked in each document.

    A quoted sentence marks its source. A generated one marks the sentences that support it, in
    whatever part; if there are none, its link leads to the beginning of its strongest part. Links
    to files are relative to the page's ``path``.
    """
    owners = _owners(summary.pages, documents)
    spans: list[dict[tuple[int, int], list[int]]] = [{} for _ in documents]
    targets: dict[int, tuple[int, int, int]] = {}
    leading: dict[int, list[int]] = {}
    for number, sentence in enumerate(summary.sentences):
        found = _spans(sentence, summary, documents, owners)
        for owner, start, end in found:
            numbers = spans[owner].setdefault((start, end), [])
            if number not in numbers:
                numbers.append(number)
        if found:
            targets[number] = found[0]
        elif sentence.pages:
            leading.setdefault(sentence.pages[0].page, []).append(number)
    marks = []
    for index, document in enumerate(documents):
        own = [page for page in summary.pages if owners.get(page.page) == index]
        quotes = _disjoint(
            Quote(a, b, tuple(numbers), tuple(n for n in numbers if targets[n] == (index, a, b)))
            for (a, b), numbers in sorted(spans[index].items())
        )
        shown = tuple(found for found in quotes if document.text[found.start : found.end].strip())
        blocks = _blocks(document)
        parts = _extended(own, blocks, document.text)
        marks.append(Marks(document, blocks, parts, shown, leading, file_link(document, path)))
    return marks


def file_link(document: Document, path: str | None) -> str:
    """Address of the document's file, relative to the folder of a page; empty if it is not in a
    file of its own.
    """
    source = document.source
    if source in ("", "-") or kind_of(source) == "records" or not os.path.isfile(source):
        return ""
    relative = os.path.relpath(
        source, os.path.dirname(os.path.abspath(path)) if path else os.getcwd()
    )
    return urllib.parse.quote(os.fsencode(relative.replace(os.sep, "/")))


def _owners(pages: Sequence[SummaryPage], documents: Sequence[Document]) -> dict[int, int]:
    """The document of each part that has text, by number: parts are in the order of the documents'
    text.
    """
    owners: dict[int, int] = {}
    index, before = 0, -1
    for page in pages:
        if page.start < 0:
            continue
        while index < len(documents) and (
            documents[index].name != page.source or page.start <= before
        ):
            index, before = index + 1, -1
        if index < len(documents):
            owners[page.page], before = index, page.start
    return owners


def _quoted(sentence: SummarySentence, owners: dict[int, int]) -> list[tuple[int, int, int]]:
    """Document, start and end of a quote and its lead-ins."""
    return [
        (owners[one.page], one.start, one.end) for one in sentence.sources if one.page in owners
    ]


def _spans(
    sentence: SummarySentence,
    summary: Summary,
    documents: Sequence[Document],
    owners: dict[int, int],
) -> list[tuple[int, int, int]]:
    """Document, start and end of what a sentence quotes, with its lead-ins, or else of what
    supports it, in chapters of a book too.
    """
    if sentence.source:
        return _quoted(sentence, owners)
    found = []
    for source in (sentence.evidence or ()) if sentence.supported else ():
        owner, page = owners.get(source.page), summary.pages[source.page]
        if owner is None:
            continue
        if source.sentence is not None and summary.chapters:
            chapter = summary.chapters[source.page]
            inner = dict.fromkeys(range(len(chapter.pages)), owner)
            found += _spans(chapter.sentences[source.sentence], chapter, documents, inner)
        elif (start := documents[owner].text.find(source.text, page.start, page.end)) >= 0:
            found.append((owner, start, start + len(source.text)))
    return list(dict.fromkeys(found))


def _blocks(document: Document) -> tuple[Block, ...]:
    blocks = []
    offset = level = 0
    for section in document.sections:
        if section.heading:
            level = min(section.level, level + 1)  # headings of a page leave no level out
            blocks.append(Block(offset, offset + len(section.heading), level))
            offset += len(section.heading) + len(GAP)
        for paragraph in section.paragraphs:
            starts = tuple((offset + start, page) for start, page in paragraph.page_starts)
            blocks.append(Block(offset, offset + len(paragraph.text), 0, starts))
            offset += len(paragraph.text) + len(GAP)
    return tuple(blocks)


def _extended(
    parts: Sequence[SummaryPage], blocks: Sequence[Block], text: str
) -> tuple[SummaryPage, ...]:
    """The parts, each from the headings above its first sentence on, up to the spaces after its
    last.
    """
    starts = [block.start for block in blocks]
    extended: list[SummaryPage] = []
    for part in parts:
        index = bisect_right(starts, part.start) - 1
        start, end = part.start, part.end
        while end < len(text) and text[end].isspace():
            end += 1
        if start == starts[index]:
            before = extended[-1].end if extended else 0
            while index and blocks[index - 1].level and starts[index - 1] >= before:
                index -= 1
                start = starts[index]
        extended.append(replace(part, start=start, end=end))
    return tuple(extended)


def _disjoint(quotes: Iterable[Quote]) -> list[Quote]:
    """Quotes in order, each from the end of the one before it on; one inside another is left to
    that one.
    """
    kept: list[Quote] = []
    for quote in quotes:
        if kept and quote.end <= kept[-1].end:
            outer = kept[-1]
            both = tuple(sorted({*outer.sentences, *quote.sentences}))
            kept[-1] = replace(outer, sentences=both, targets=(*outer.targets, *quote.targets))
        else:
            kept.append(replace(quote, start=max(quote.start, kept[-1].end)) if kept else quote)
    return kept
