"""The paper's own pages: a fixed number of them, as the official checkpoints were trained with.

The original's ``data_utils.py`` forms them; see also the paper's §3.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from ..documents.document import Document, Sentence
from ..documents.sentences import all_sentences, heading_of, sentences_of
from .discourse import OPENING
from .flow import PageSize, short_label, words_in
from .page import Page, Pages
from .spatial import place

FILLER_LABEL = "(no page)"
FILLER = "."
"""The text of a missing page. It is a page like any other: it is read and has its page confidence."""


def paper_runs(units: int, num_pages: int, one_unit_a_page: bool = False) -> list[range]:
    """The units of each page.

    Args:
        units: how many sentences there are (or sections, or documents).
        num_pages: ``P``.
        one_unit_a_page: unit ``i`` is page ``i``, and units beyond ``P`` are dropped (discourse and document
            locality). Otherwise ``units // P`` a page, the remainder on the last page (spatial locality).

    Returns:
        ``P`` ranges; an empty one is a missing page.
    """
    if one_unit_a_page:
        return [range(page, min(page + 1, units)) for page in range(num_pages)]
    size = units // num_pages
    starts = [page * size for page in range(num_pages)]
    return [range(start, end) for start, end in zip(starts, [*starts[1:], units], strict=True)]


def cut_as_in_paper(documents: Sequence[Document], locality: str, num_pages: int, size: PageSize) -> Pages:
    """The documents on exactly ``num_pages`` pages; what is longer than a page is truncated.

    A truncated page keeps a word or two more than the model reads, so that the last tokens are those that the original
    reads, which truncates within words.
    """
    if locality == "spatial":
        units = [(document.name, "", [sentence]) for document in documents for sentence in all_sentences(document)]
    elif locality == "discourse":
        units = [
            (
                document.name,
                short_label(section.heading or OPENING),
                [*heading_of(section, start), *sentences_of(section, start)],
            )
            for document in documents
            for section, start in document.read_sections
        ]
    else:
        units = [(document.name, document.name, all_sentences(document)) for document in documents]
    runs = paper_runs(len(units), num_pages, one_unit_a_page=locality != "spatial")
    pages = []
    for run in runs:
        if not run:
            filler = Sentence(FILLER)
            pages.append(Page(FILLER_LABEL, "", "", (filler,), size.count([FILLER])[0] + size.special))
            continue
        own = units[run.start : run.stop]
        page = _truncated(own[0][1], own[0][0], [sentence for _, _, sentences in own for sentence in sentences], size)
        pages.append(page if page.label else replace(page, label=place(page, run.start + 1, run.stop)))
    dropped = [sentence for _, _, sentences in units[runs[-1].stop :] for sentence in sentences]
    return Pages(locality, tuple(pages), dropped_words=words_in(dropped))


def _truncated(label: str, source: str, sentences: Sequence[Sentence], size: PageSize) -> Page:
    # The model reads the page without a space before it, where its first word may have fewer tokens than counted.
    words = sentences[0].text.split()[:1]
    limit = size.room + sum(size.count(words))
    kept: list[Sentence] = []
    tokens = 0
    for sentence, number in zip(sentences, size.count([sentence.text for sentence in sentences]), strict=True):
        if tokens + number > limit:
            words = sentence.text.split()
            reached = list(accumulate(size.count(words), initial=tokens))
            text = " ".join(words[: bisect_left(reached, limit)])
            kept += [replace(sentence, text=text, end=sentence.start + len(text))] if text else []
            tokens = limit
            break
        kept.append(sentence)
        tokens += number
    page = Page(label, source, "", tuple(kept), min(tokens, size.room) + size.special)
    return replace(page, truncated_words=words_in(sentences) - words_in(kept))
