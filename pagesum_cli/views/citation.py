"""Where a sentence comes from, in a few words."""

from dataclasses import replace

from ..locality.discourse import OPENING
from ..summary.page_confidences import page_of
from ..summary.summary import Source, Summary, SummaryPage, SummarySentence
from .plain import one_line
from .tables import pdf_range

SECOND_SHARE = 0.8
"""A second page is named if its confidence is at least this much of the strongest page's."""

MAX_NAMED = 2


def citation(summary: Summary, sentence: SummarySentence) -> str:
    """``[2 Methods, p. 3]``: where a quoted sentence stands.

    For a generated one, its strongest page, and the second if nearly as strong. If such a page stands on several PDF
    pages, only those of the evidence are named.
    """
    if sentence.source:
        return f"[{source_place(summary, sentence.source)}]"
    strongest = sentence.pages[0].confidence
    named = [share for share in sentence.pages if share.confidence >= SECOND_SHARE * strongest][:MAX_NAMED]
    return f"[{'; '.join(place(summary, narrowed(sentence, summary.pages[share.page])) for share in named)}]"


def source_place(summary: Summary, source: Source) -> str:
    """Section and PDF page of a quoted sentence."""
    page = summary.pages[source.page]
    section = section_of(summary, source)
    label = section
    if summary.chapters:
        label = page.label if is_named_by(page, section) else f"{page.label}, {section}"
    return place(summary, replace(page, label=label, source=source.file, pdf_pages=source.pdf_pages))


def section_of(summary: Summary, source: Source) -> str:
    """Heading of a quoted sentence's section; where it has none, what its page is called."""
    page = summary.pages[source.page]
    merged = f"{OPENING} – " in page.label  # the opening shares its part with the first section
    return source.section or (OPENING if merged else page.label)


def is_named_by(chapter: SummaryPage, section: str) -> bool:
    """Whether a section's heading is the chapter's, which may have its part's name or its label in front."""
    return chapter.label.endswith(section)


def origin_place(summary: Summary, sentence: SummarySentence) -> str:
    """The page that :func:`~pagesum_cli.summary.page_confidences.page_of` names and its confidence."""
    page = page_of(sentence)
    confidence = next((share.confidence for share in sentence.pages if share.page == page), 0.0)
    return f"{place(summary, summary.pages[page])} {100 * confidence:.0f}%"


def place(summary: Summary, page: SummaryPage) -> str:
    """``2 Methods, p. 3–4``; preceded by the file's name if there are several files."""
    return ", ".join(filter(None, (label(summary, page), pdf_range(page.pdf_pages))))


def label(summary: Summary, page: SummaryPage) -> str:
    """``2 Methods (1/2)``; preceded by the file's name if there are several files."""
    name, file = one_line(page.label), one_line(page.source)
    return f"{file}: {name}" if several_files(summary) and file not in name else name


def several_files(summary: Summary) -> bool:
    """Whether the pages come from more than one file."""
    return len({page.source for page in summary.pages}) > 1


def is_quoted(summary: Summary) -> bool:
    """Whether the summary's own sentences are quotes from the document."""
    return any(sentence.source for sentence in summary.sentences) and not summary.settings.get("given_summary")


def narrowed(sentence: SummarySentence, page: SummaryPage) -> SummaryPage:
    """The page with only the PDF pages of the sentence's evidence on it, if there is any."""
    evidence = (sentence.evidence or ()) if sentence.supported else ()
    numbers = {number for one in evidence if one.page == page.page for number in one.pdf_pages}
    return replace(page, pdf_pages=tuple(sorted(numbers))) if numbers else page
