"""Which pages a sentence came from, in a few words."""

from dataclasses import replace

from ..summary import Summary, SummaryPage, SummarySentence
from .plain import one_line
from .tables import pdf_range

NEARLY_AS_STRONG = 0.8
"""Of the strongest page's confidence: what a second page must have to be named too."""

NAMED_AT_MOST = 2


def citation(summary: Summary, sentence: SummarySentence) -> str:
    """``[2 Methods, p. 3]``: the sentence's strongest page, and the second where it is nearly as strong.

    Of a page that stands on several PDF pages, those are named where the evidence for the sentence stands, if there is.
    """
    strongest = sentence.pages[0].confidence
    named = [share for share in sentence.pages if share.confidence >= NEARLY_AS_STRONG * strongest][:NAMED_AT_MOST]
    return f"[{'; '.join(place(summary, _located(sentence, summary.pages[share.page])) for share in named)}]"


def place(summary: Summary, page: SummaryPage) -> str:
    """``2 Methods, p. 3–4``; with the document's name where there are several documents."""
    label = one_line(page.label)
    if several_sources(summary) and one_line(page.source) not in label:
        label = f"{one_line(page.source)}: {label}"
    return ", ".join(filter(None, (label, pdf_range(page.pdf_pages))))


def _located(sentence: SummarySentence, page: SummaryPage) -> SummaryPage:
    evidence = (sentence.evidence or ()) if sentence.supported else ()
    found = {number for one in evidence if one.page == page.page for number in one.pdf_pages}
    return replace(page, pdf_pages=tuple(sorted(found))) if found else page


def several_sources(summary: Summary) -> bool:
    """Whether the pages come from more than one document."""
    return len({page.source for page in summary.pages}) > 1
