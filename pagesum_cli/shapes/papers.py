"""The summary of a paper by sections, and of other documents under their own headings."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from ..documents.article.names import core_name, is_abstract
from ..documents.model import Document
from ..summary.summary import Summary, SummaryParagraph

OWN_PARTS = {"methods", "results"}  # sections that only papers have
SENTENCES = 6  # of a summary that is a single paragraph


def is_paper(documents: Sequence[Document]) -> bool:
    """Whether there is one document, with an abstract or two sections that papers have."""
    if len(documents) != 1:
        return False
    headings = [section.heading for section in documents[0].sections]
    return any(map(is_abstract, headings)) or len(set(map(core_name, headings)) - {""}) > 1


def has_parts_of_paper(document: Document) -> bool:
    """Whether a document has an abstract, methods or results, or cites others between two parts
    that papers have.
    """
    headings = [section.heading for section in document.sections]
    cites = not {"references", "mark"}.isdisjoint(one.reason for one in document.left_out)
    joined = " and ".join(headings) if cites else ""  # "Results and analysis"
    parts = set(map(core_name, [*headings, *joined.split(" and ")])) - {""}
    is_named = any(map(is_abstract, headings)) or not parts.isdisjoint(OWN_PARTS)
    return is_named or (cites and len(parts) > 1)


def reports_study(document: Document) -> bool:
    """Whether a document has methods, results and another part that papers have, or an abstract
    and one of the first two, as no minutes have.
    """
    headings = [section.heading for section in document.sections]
    parts = set(map(core_name, headings)) - {""}
    if any(map(is_abstract, headings)):
        return not parts.isdisjoint(OWN_PARTS)
    return parts > OWN_PARTS


class TopSections:
    """The sections of the highest level of a document that has several ones, by offset."""

    def __init__(self, document: Document) -> None:
        levels = Counter(section.level for section in document.sections if section.heading)
        level = min((one for one, number in levels.items() if number > 1), default=0)
        headings = [(0, "")]
        for section, start in zip(document.sections, document.starts, strict=True):
            if section.heading and section.level <= level:
                headings.append((start, section.heading))
        self._headings = headings

    def heading(self, offset: int) -> tuple[int, str]:
        """The offset and the heading of the section that holds a character."""
        return self._headings[bisect_right(self._headings, offset, key=itemgetter(0)) - 1]


def under_headings(summary: Summary, documents: Sequence[Document], *, titled: bool) -> Summary:
    """A summary of quotes in paragraphs, one for each top-level section or, of several documents,
    each document.
    """
    sections = {document.name: TopSections(document) for document in documents}
    titles = {document.name: document.title or document.name for document in documents}

    def section_of(number: int) -> tuple[str, int, str]:
        source = summary.sentences[number].source
        if source is None or source.file not in sections:
            return "", 0, ""
        if len(documents) > 1:
            return source.file, 0, titles[source.file]
        return (source.file, *sections[source.file].heading(source.start))

    groups = [
        (key, tuple(numbers))
        for key, numbers in groupby(range(len(summary.sentences)), key=section_of)
    ]
    if len(groups) < 2 and not (titled and groups and groups[0][0][2]):
        return summary
    return summary.in_paragraphs(
        SummaryParagraph(key[2] if titled else "", numbers) for key, numbers in groups
    )


def in_sections(summary: Summary, documents: Sequence[Document]) -> Summary:
    """A summary with a paragraph for each document with a title, or each top-level section of a
    paper's longer one.
    """
    if len(documents) > 1 and all(one.title for one in documents):
        return under_headings(summary, documents, titled=True)
    if len(summary.sentences) <= SENTENCES or not is_paper(documents):
        return summary
    return under_headings(summary, documents, titled=False)
