"""A model's draft → text, sentences and tokens with their page confidences."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from typing import Any

from tokenizers.decoders import DecodeStream

from ..documents.model import GAP, Document, Role, Sentence
from ..locality.flow import Pages
from ..text.sentences import sentence_spans
from ..text.truecase import Truecaser
from ..tokenization import PageTokenizer
from .openings import with_citations, with_openings
from .repairs import Repairer
from .summary import Draft, LeadIn, PageShare, Source, SummarySentence, SummaryToken

CLOSED = (".", "!", "?", "…", "。", "！", "？")
CITATION = " [citation]"  # stands for the citations after a quote where they are left out
CITATIONS: tuple[Role, ...] = ("citation",)
ROLES: tuple[Role, ...] = ("label", *CITATIONS, "lead-in")
# tokens after the end of a sentence that show that it was one (and not "Fig. 2", "e.g. this")
LOOKAHEAD = 8

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class LengthLimit:
    """Which of the generated sentences are kept: all, unless something is asked for; always one or
    more.
    """

    trim: bool = False  # leave out an unfinished last sentence after a whole one
    words: int | None = None  # end after the sentence that comes nearest to this number of words
    sentences: int | None = None  # at most so many

    def count(self, sentences: Sequence[str], is_cut_off: bool) -> int:
        """The number of sentences to keep, from the first."""
        kept = len(sentences)
        if self.trim and kept > 1 and _is_unfinished(sentences[-1], is_cut_off):
            kept -= 1
        if self.sentences is not None:
            kept = min(kept, self.sentences)
        if self.words is not None and kept:
            lengths = list(accumulate(len(one.split()) for one in sentences[:kept]))
            kept = 1 + min(range(kept), key=lambda number: abs(lengths[number] - (self.words or 0)))
        return kept


@dataclass(frozen=True)
class SummaryText:
    """A finished summary, before it knows its documents."""

    text: str  # the whole summary
    sentences: tuple[SummarySentence, ...]  # its sentences in order
    tokens: tuple[SummaryToken, ...]  # its pieces in order; empty for quotes
    shares: tuple[float, ...]  # each page's share of the whole summary, ``(P,)``, summing to 1
    notes: tuple[str, ...] = ()  # what is unusual about it, one line each


def quoted(
    pages: Pages,
    draft: Draft,
    texts: Sequence[str] = (),
    *,
    documents: Sequence[Document] = (),
    verbatim: bool = False,
) -> SummaryText:
    """A summary of quotes: sentences of the source text, repaired (see :mod:`.repairs`).

    Args:
        pages: The pages that the draft refers to.
        draft: Its sentences and their page confidences.
        texts: Given sentences that were aligned to the draft's; by default the quotes themselves.
        documents: What the pages were cut from, for what is known only from a document as a whole.
        verbatim: Quote the sentences without repairs.
    """
    quoter = _Quoter(pages, draft, documents, verbatim=verbatim)
    numbers = range(len(draft.sentences))
    sentences = [quoter.aligned(number, texts[number]) for number in numbers if texts]
    if not texts:
        sentences = with_openings([quoter.quote(n) for n in numbers], verbatim=verbatim)
    shares = _mean(draft.page_confidences)
    text = " ".join(one.shown for one in sentences)
    return SummaryText(text, tuple(sentences), (), tuple(shares), draft.notes)


class _Quoter:
    """Quotes the sentences of one draft, in order."""

    def __init__(
        self, pages: Pages, draft: Draft, documents: Sequence[Document], *, verbatim: bool
    ) -> None:
        self._pages, self._draft, self._verbatim = pages, draft, verbatim
        self._repairer = Repairer({document.name: document.text for document in documents})
        several = documents if len(documents) > 1 else ()
        self._origins = {document.name: document.origin for document in several}
        self._follows = [
            number > 0 and _neighbor(pages, *place, -1) == draft.sentences[number - 1]
            for number, place in enumerate(draft.sentences)
        ]
        self._places = {
            (page.source, sentence.start): (number, place)
            for number, page in enumerate(pages.pages)
            for place, sentence in enumerate(page.sentences)
        }

    def _origin_of(self, number: int, file: str) -> str:
        """Where and when the file of a quote was written, unless the quote before is from it."""
        before = self._pages.pages[self._draft.sentences[number - 1][0]].source if number else ""
        return self._origins.get(file, "") if file != before else ""

    def aligned(self, number: int, text: str) -> SummarySentence:
        """A given sentence that was aligned to one of the draft."""
        source = self._source(*self._draft.sentences[number])
        return SummarySentence(text, _ranked(self._draft.page_confidences[number]), source)

    def quote(self, number: int) -> SummarySentence:
        """A sentence of the draft, repaired, with the citations after it or a sign of them."""
        page, place = self._draft.sentences[number]
        sentence = self._pages.pages[page].sentences[place]
        citations = _citations(self._pages, page, place)
        shows_all = not self._draft.with_citations or self._draft.with_citations[number]
        shown = citations if shows_all else ()
        source = self._source(page, place, shown)
        origin = self._origin_of(number, source.file)
        leads = number + 1 < len(self._follows) and self._follows[number + 1]
        follows = self._follows[number]
        repaired = self._repairer.repaired(
            sentence.text,
            source.file,
            follows=follows,
            leads=leads,
            origin=origin,
            completes=sentence.lead_in is not None,
        )
        text = sentence.text
        if not self._verbatim:
            text, inserted = repaired.text, repaired.inserted
            if citations and not shown:
                inserted = (*inserted, (len(text), CITATION))
                text += CITATION
            source = replace(source, omitted=repaired.omitted, inserted=inserted)
        is_marked = any(self._draft.needs_context) and self._draft.needs_context[number]
        return SummarySentence(
            text + with_citations(sentence, shown)[len(sentence.text) :],
            _ranked(self._draft.page_confidences[number]),
            source,
            needs_context=(repaired.needs_context or is_marked) and not follows,
            speaker=sentence.speaker,
            label=sentence.label,
            lead_in=self._lead_in(sentence.lead_in, page, place),
            chosen_by=self._draft.chooser_of(number),
        )

    def _source(self, page: int, place: int, citations: Sequence[Sentence] = ()) -> Source:
        """The place of a sentence with citations after it."""
        sentence = self._pages.pages[page].sentences[place]
        whole = (sentence, *citations)
        pdf_pages = dict.fromkeys(number for one in whole for number in one.pdf_pages)
        before = _neighbor(self._pages, page, place, -1, CITATIONS)
        after = _neighbor(self._pages, page, place + len(citations), 1, ())
        return Source(
            page=page,
            sentence=place,
            file=self._pages.pages[page].source,
            section=sentence.section,
            pdf_pages=tuple(pdf_pages),
            start=sentence.start,
            end=whole[-1].end,
            before=_text_at(self._pages, before),
            after=_text_at(self._pages, after),
            time=sentence.time,
            speaker=sentence.speaker,
            front=sentence.front or self._number(page, place),
            parents=sentence.parents,
            paragraph=sentence.paragraph,
        )

    def _number(self, page: int, place: int) -> str:
        """The label of a paragraph that begins with this sentence and does not hold its label."""
        sentence = self._pages.pages[page].sentences[place]
        before = _before(self._pages, page, place)
        is_inside = before is not None and 0 <= sentence.start - before.end <= 1
        return "" if is_inside else sentence.label

    def _lead_in(self, sentence: Sentence | None, page: int, place: int) -> LeadIn | None:
        """The place of a lead-in; that of its item where no page holds it."""
        if sentence is None:
            return None
        file = self._pages.pages[page].source
        page, place = self._places.get((file, sentence.start), (page, place))
        return LeadIn(
            page=page,
            sentence=place,
            file=file,
            section=sentence.section,
            pdf_pages=sentence.pdf_pages,
            start=sentence.start,
            end=sentence.end,
            front=sentence.front or sentence.label,
            parents=sentence.parents,
            paragraph=sentence.paragraph,
            text=sentence.text,
            label=sentence.label,
            lead_in=self._lead_in(sentence.lead_in, page, place),
        )


def _citations(pages: Pages, page: int, place: int) -> tuple[Sentence, ...]:
    """The citations after a sentence in its paragraph, on its page."""
    end, found = pages.pages[page].sentences[place].end, []
    for one in pages.pages[page].sentences[place + 1 :]:
        if one.role != "citation" or not 0 <= one.start - end <= 1:
            break
        found.append(one)
        end = one.end
    return tuple(found)


def _text_at(pages: Pages, place: tuple[int, int] | None) -> str:
    return pages.pages[place[0]].sentences[place[1]].text if place else ""


def _before(pages: Pages, page: int, place: int) -> Sentence | None:
    """What stands before a sentence on the pages of its document."""
    found = _next(pages, page, place, -1)
    return pages.pages[found[0]].sentences[found[1]] if found else None


def _next(pages: Pages, page: int, place: int, step: int) -> tuple[int, int] | None:
    """The place before (``step`` -1) or after (1) another one in its document."""
    own = pages.pages[page]
    if 0 <= place + step < len(own.sentences):
        return page, place + step
    page += step
    other = pages.pages[page] if 0 <= page < len(pages.pages) else None
    if other is None or not other.sentences or other.source != own.source:
        return None
    return page, 0 if step > 0 else len(other.sentences) - 1


def _neighbor(
    pages: Pages, page: int, place: int, step: int, passed: Collection[Role] = ROLES
) -> tuple[int, int] | None:
    """The place of the sentence before (``step`` -1) or after (1) another one in its section.

    Sentences with a role that is ``passed`` do not count. None if there is no such sentence.
    """
    here = pages.pages[page].sentences[place]
    while found := _next(pages, page, place, step):
        page, place = found
        there = pages.pages[page].sentences[place]
        first, second = (here, there) if step > 0 else (there, here)
        if there.is_heading or not _are_adjacent(first, second):
            return None
        if there.role not in passed:
            return found
        here = there
    return None


def _are_adjacent(first: Sentence, second: Sentence) -> bool:
    """Whether nothing but what stands in front of the second sentence is between two."""
    front = len(second.front) + 1 if second.front else 0
    is_next = 0 <= second.start - first.end <= len(GAP) + front
    return is_next and first.section == second.section


class TextOfDraft:
    """Token ids of a generated summary → one piece of text a token; the pieces joined are the text.

    A lower-case WordPiece vocabulary gets the capitals and spaces that the words have in the
    documents.
    """

    def __init__(self, tokenizer: PageTokenizer, pages: Pages) -> None:
        self.tokenizer = tokenizer
        self._pages = pages
        self._truecaser: Truecaser | None = None

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the documents that a vocabulary of words lacks; see
        ``PageTokenizer.unknown_words``.
        """
        return self.tokenizer.unknown_words(self._pages)

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """The text of each token."""
        if self.tokenizer.is_lower_case:
            if self._truecaser is None:
                self._truecaser = Truecaser(
                    one.text for page in self._pages.pages for one in page.sentences
                )
            return self._truecaser.restore(
                [self.tokenizer.token(token, self.words) for token in ids]
            )
        stream = DecodeStream(skip_special_tokens=False)
        # A token that ends within a character gives nothing; the one that completes it gives the
        # character.
        pieces = [
            _CONTROL.sub(" ", stream.step(self.tokenizer.backend, token) or "") for token in ids
        ]
        return [*map(str.lstrip, pieces[:1]), *pieces[1:]]

    def written(self, draft: Draft, limit: LengthLimit) -> SummaryText:
        """The finished summary."""
        places = [
            place for place, token in enumerate(draft.token_ids) if self.tokenizer.is_text(token)
        ]
        pieces = self.pieces([draft.token_ids[place] for place in places])
        if pieces:
            pieces[-1] = pieces[-1].rstrip()
        text = "".join(pieces)
        spans = sentence_spans(text)
        count = limit.count([text[slice(*span)] for span in spans], draft.is_cut_off)
        if count < len(spans):
            end = bisect_right(list(accumulate(map(len, pieces))), spans[count - 1][1])
            pieces, places, spans = pieces[:end], places[:end], spans[:count]
        rows = [draft.page_confidences[place] for place in places]
        # A summary without a word still has the confidences of the token that ended it.
        shares = _mean(rows or draft.page_confidences[:1])
        return replace(summary_of(pieces, spans, rows), shares=tuple(shares), notes=draft.notes)


def summary_of(
    pieces: Sequence[str],
    spans: Sequence[tuple[int, int]],
    rows: Sequence[Sequence[float]],
    log_probabilities: Sequence[float] = (),
) -> SummaryText:
    """A summary of these pieces, the places of its sentences, and page confidences ``(T, P)``."""
    text = "".join(pieces)
    starts = list(accumulate(map(len, pieces[:-1]), initial=0))
    # A sentence has the tokens that begin after the sentence before it, the space between them
    # included.
    bounds = [0, *(bisect_left(starts, end) for _, end in spans)]
    sentences = tuple(
        # One token can hold two sentences: the second one then shares it.
        SummarySentence(text[start:end], _ranked(_mean(rows[min(first, last - 1) : last])))
        for (start, end), first, last in zip(spans, bounds, bounds[1:], strict=False)
    )
    scores: list[float | None] = [round(score, 5) for score in log_probabilities] or [None] * len(
        pieces
    )
    tokens = tuple(
        SummaryToken(piece, tuple(round(share, 5) for share in row), score)
        for piece, row, score in zip(pieces, rows, scores, strict=True)
    )
    return SummaryText(text, sentences, tokens, tuple(_mean(rows)))


class Streamer:
    """Passes on progress, and the text of greedy search as soon as a sentence is settled.

    Args:
        text: Decodes tokens.
        pages: Number of pages that will be encoded.
        on_text, on_progress: See ``PageSummarizer.summarize``.
        waits: Pass on the text only when all of it is known.
    """

    def __init__(
        self,
        text: TextOfDraft,
        pages: int,
        on_text: Callable[[str], None] | None,
        on_progress: Callable[[str, int, int], None] | None,
        waits: bool = False,
    ) -> None:
        self._waits = waits or on_text is None
        self._text = text
        self._on_text = on_text or (lambda text: None)
        self._on_progress = on_progress or (lambda stage, done, total: None)
        self._ids: list[int] = []
        self._written = 0
        self.encoded(0, pages)

    def encoded(self, done: int, pages: int) -> None:
        """Report encoded pages."""
        self._on_progress("encode", done, pages)

    def __call__(self, step: int, limit: int, tokens: Any) -> None:
        """Report a decoding step; see :data:`~pagesum_cli.decoding.scorer.OnStep`."""
        self._on_progress("decode", step, limit)
        if (
            not self._waits
            and tokens is not None
            and self._text.tokenizer.is_text(token := int(tokens[0]))
        ):
            self._ids.append(token)
            before = self._ids[-1 - LOOKAHEAD : -LOOKAHEAD]
            if before and self._text.tokenizer.token(before[0], self._text.words).endswith(CLOSED):
                text = "".join(self._text.pieces(self._ids))
                settled = [end for _, end in sentence_spans(text)][:-1]
                if settled and settled[-1] > self._written:
                    self._write(text[self._written : settled[-1]])

    def finish(self, text: str) -> None:
        """Write what is left of the whole text."""
        if len(text) > self._written:
            self._write(text[self._written :])

    def _write(self, text: str) -> None:
        self._written += len(text)
        self._on_text(text)


def _is_unfinished(sentence: str, cut_off: bool) -> bool:
    """Whether a last sentence stops midway: within brackets, or without a full stop where the
    length ran out.
    """
    return sentence.count("(") > sentence.count(")") or (
        cut_off and not sentence.rstrip("\"'”’)]").endswith(CLOSED)
    )


def _mean(rows: Sequence[Sequence[float]]) -> list[float]:
    """The mean of rows ``(T, P)``, summing to 1."""
    sums = [sum(column) for column in zip(*rows, strict=True)]
    total = sum(sums)
    return [value / total for value in sums]


def _ranked(shares: Sequence[float]) -> tuple[PageShare, ...]:
    total = sum(shares)
    pairs = sorted(enumerate(shares), key=lambda pair: -pair[1])
    return tuple(PageShare(page, share / total) for page, share in pairs)
