"""A summary and where it came from: what the views draw and what ``--format json`` holds."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import msgspec

from ..documents.boxes import LineBox
from ..documents.coverage import Coverage

SCHEMA = 1
# decimal places of confidences in JSON: those of a sentence still sum to 1 within 1e-3 for a
# thousand pages
DIGITS = 6


@dataclass(frozen=True)
class PageShare:
    """How much one page weighed: ``confidence`` in 0–1, averaged over tokens."""

    page: int
    confidence: float


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a page that supports a sentence of the summary."""

    text: str  # the sentence
    page: int  # its page
    pdf_pages: tuple[int, ...]  # its PDF pages
    support: float  # how much of the summary's sentence it covers, 0–1; see ``text.words.support``
    # in the summary of a book, its number in its chapter's summary; otherwise None
    sentence: int | None = None


@dataclass(frozen=True)
class Source:
    """The place of a quoted sentence."""

    page: int  # number of the page; in the summary of a book, of the chapter
    sentence: int  # its index among the page's sentences, or among those of the chapter's summary
    file: str  # name of the document
    section: str  # heading of its section; empty where there is none
    pdf_pages: tuple[int, ...]  # its PDF pages
    # start, end: offsets in the document's text (``pages --format json`` has it): the whole
    # sentence
    start: int
    end: int
    # before, after: the sentences around it in its section; empty where there is none, None where
    # not recorded
    before: str | None = None
    after: str | None = None
    # where its lines stand on the PDF pages; empty where that is not known
    boxes: tuple[LineBox, ...] = ()
    # the numbers printed on its PDF pages; empty where they are not known
    page_labels: tuple[str, ...] = ()
    # its first and its last line in the file; None where they are not known
    lines: tuple[int, int] | None = None
    # of a document in several files, such as LaTeX source, the one that its lines are in
    source_file: str = ""
    # its number among the document's sentences, where nothing else names its place
    sentence_number: int | None = None
    # what of the sentence is left out, as offsets within it, in order
    omitted: tuple[tuple[int, int], ...] = ()
    # offsets within the summary's sentence, in order, and what is put in there; see
    # ``repairs.applied``
    inserted: tuple[tuple[int, str], ...] = ()
    time: float | None = None  # of a recording, when it is spoken, in seconds; None where not known
    speaker: str = ""  # by whom it is spoken; empty where not known
    front: str = ""  # what stands before it in its paragraph: label, run-in heading, speaker's name
    # the labels of the paragraphs that its own is below, the outermost first
    parents: tuple[str, ...] = ()
    paragraph: str = ""  # of a document that counts its paragraphs, the number: ``127``
    # words of the sentence that were recognized in a scan, and may be wrong
    uncertain: tuple[str, ...] = ()


@dataclass(frozen=True)
class LeadIn(Source):
    """The place of a sentence that a quoted item completes."""

    text: str = ""  # the sentence
    label: str = ""  # the number or letter of its paragraph
    lead_in: "LeadIn | None" = None  # the one that it completes itself, where lists are nested

    @property
    def path(self) -> "tuple[LeadIn, ...]":
        """It and those that it completes, the outermost first."""
        return (*self.lead_in.path, self) if self.lead_in else (self,)

    def changed(self, change: Callable[[Source], Source]) -> "LeadIn":
        """It and those that it completes, with other places."""
        own = cast(LeadIn, change(self))
        return replace(own, lead_in=self.lead_in and self.lead_in.changed(change))


RECORDED = ("decision", "vote", "action", "date")
"""The kinds of what minutes record."""


def counted_by_kind(kinds: Iterable[str]) -> str:
    """How many outcomes there are of each kind, for people: ``2 decisions, 1 vote``."""
    counts = Counter(kinds)
    return ", ".join(
        f"{counts[kind]} {kind}{'s' if counts[kind] > 1 else ''}"
        for kind in RECORDED
        if counts[kind]
    )


@dataclass(frozen=True)
class Outcome:
    """What a sentence of minutes records, or a clause does."""

    # ``decision``, ``vote``, ``action`` or ``date``; of a clause ``obligation``, ``deadline`` …,
    # several with commas
    kind: str
    who: str = ""  # of an action, whose task it is; empty where not known
    due: str = ""  # of an action, until when; empty where not known
    goes_on: bool = False  # whether the next sentence of the summary says the rest of it
    vote: str = ""  # of a decision on one of several items, the vote on all: ``consent vote 11-0``

    def __str__(self) -> str:
        """For people: ``action: Anna Berg, by 4 June``."""
        details = ", ".join(filter(None, (self.who, self.due, self.vote)))
        return f"{self.kind}: {details}" if details else self.kind


@dataclass(frozen=True)
class SummarySentence:
    """A sentence of the summary."""

    text: str  # the sentence
    pages: tuple[PageShare, ...]  # every page's weight in it, largest first, summing to 1
    # its place in the documents if it is a quote; None for a generated sentence
    source: Source | None = None
    # whether some sentence of the document supports it; None if that was not checked
    supported: bool | None = None
    # the sentences that support it best, see ``attribution.with_evidence``; None if that was not
    # checked
    evidence: tuple[SourceSentence, ...] | None = None
    needs_context: bool = False  # whether it points at something that the summary does not say
    # Of a quote, where the document says so: by whom it is spoken, the number or letter of its
    # paragraph ("(a)"), and the place of the sentence that it completes
    speaker: str = ""
    label: str = ""
    lead_in: LeadIn | None = None
    # what chose it, if not the model's own score: ``editor``
    chosen_by: str = ""
    # what the summary shows before it: speaker, lead-in, label; ends with a space unless empty
    opening: str = ""
    # Of a proven summary (see ``proving``): what ``check`` calls the sentence, the sentences that
    # prove a generated one, and the generated sentence in whose place a quote stands
    verdict: str = ""
    quotes: tuple[Source, ...] = ()
    replaced: str = ""
    agreeing: tuple[str, ...] = ()  # of news, the other files that say the same
    # of minutes, what it records; of a clause, what it does
    outcome: Outcome | None = None

    @property
    def shown(self) -> str:
        """The sentence as the summary shows it."""
        return self.opening + self.text

    @property
    def lead_ins(self) -> tuple[LeadIn, ...]:
        """The sentences that it completes, the outermost first."""
        return self.lead_in.path if self.lead_in else ()

    @property
    def sources(self) -> tuple[Source, ...]:
        """Its place, if it is a quote, and those of its lead-ins, the outermost first."""
        return (self.source, *self.lead_ins) if self.source else ()

    def with_sources(self, change: Callable[[Source], Source]) -> "SummarySentence":
        """The sentence, its place, those of its lead-ins and of what proves it changed."""
        return replace(
            self,
            source=self.source and change(self.source),
            lead_in=self.lead_in and self.lead_in.changed(change),
            quotes=tuple(map(change, self.quotes)),
        )


@dataclass(frozen=True)
class SummaryParagraph:
    """Consecutive sentences of a summary that belong together."""

    # of the chapter or file, or a heading; empty for an overview and where paragraphs have none
    title: str
    sentences: tuple[int, ...]  # numbers of its sentences, in order
    pdf_pages: tuple[int, ...] = ()  # PDF pages of the chapter; otherwise empty
    sections: tuple[str, ...] = ()  # titles of a chapter's sections, which the views name


@dataclass(frozen=True)
class RivalNumber:
    """A number that a source gives, where others give another one."""

    number: str  # as it is written
    file: str  # name of the document
    origin: str  # outlet and date, as far as the file gives them
    # of the sentence: heading of its section, PDF pages, offsets in the document's text
    section: str
    pdf_pages: tuple[int, ...]
    start: int
    end: int
    text: str  # the sentence


@dataclass(frozen=True)
class Disagreement:
    """Numbers for the same on which sources disagree."""

    about: str  # what they count or measure: "people killed"
    numbers: tuple[RivalNumber, ...]  # one of each source, in the order of the sources
    event: str = ""  # what happened to what is counted; may be empty
    is_updated: bool = False  # whether the others rose to the last number, as a source reports


@dataclass(frozen=True)
class SummaryToken:
    """A piece of the summary's text; the pieces joined are the summary."""

    text: str  # the piece
    confidences: tuple[float, ...]  # each page's ĉ, in page order
    # of the piece in a given text, in nats; None where the model chose it itself
    log_probability: float | None = None


@dataclass(frozen=True)
class SummaryPage:
    """A page that was read: where it came from and its share of the whole summary."""

    page: int  # its number
    label: str  # what to call it
    source: str  # name of its document
    pdf_pages: tuple[int, ...]  # its PDF pages
    tokens: int  # how many it has for the model
    truncated: bool  # whether its end was left out
    confidence: float  # its share, 0–1; over all pages they sum to 1
    # start, end: offsets of its sentences in the document's text; -1 for a page without text of a
    # document
    start: int = -1
    end: int = -1
    # the numbers printed on its PDF pages; empty where they are not known
    page_labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Draft:
    """What a model returns for one document: generated tokens, or references to its sentences."""

    page_confidences: Sequence[Sequence[float]]  # ``(T, P)``, one row for each token or sentence
    token_ids: tuple[int, ...] = ()  # ``T`` generated tokens after the start token
    # ``T`` selected sentences as (page, index in ``page.sentences``)
    sentences: tuple[tuple[int, int], ...] = ()
    is_cut_off: bool = False  # whether generation stopped at the maximum length
    notes: tuple[str, ...] = ()  # what is unusual about it, one line each
    # whether each of ``sentences`` needs the sentence before it; empty if that is not known
    needs_context: tuple[bool, ...] = ()
    # whether the citations after each of ``sentences`` are shown; empty for all of them
    with_citations: tuple[bool, ...] = ()
    # what chose each of ``sentences``, where not the model's own score; empty for none
    chosen_by: tuple[str, ...] = ()

    def chooser_of(self, number: int) -> str:
        """What chose a sentence, if not the model's own score."""
        return self.chosen_by[number] if self.chosen_by else ""


@dataclass(frozen=True)
class Summary:
    """A summary, sentence by sentence, with the pages that it comes from."""

    model: str  # name or path of the checkpoint
    locality: str  # how the pages were cut
    title: str  # of the document; empty where unknown
    text: str  # the whole summary
    sentences: tuple[SummarySentence, ...]  # its sentences in order
    tokens: tuple[SummaryToken, ...]  # its pieces in order, for a finer picture
    pages: tuple[SummaryPage, ...]  # every page that was read, in order
    settings: dict[str, Any]  # everything needed to run it again
    seconds: dict[str, float]  # ``read``, ``encode``, ``decode``
    # what is unusual about the documents (see ``documents.notes``) or the summary, one line each
    notes: tuple[str, ...] = ()
    unread_words: int = 0  # how many words of the documents no page holds
    hidden_words: int = 0  # how many words the files hold that a reader of them does not see
    coverage: Coverage | None = None  # how much of the documents was read
    # of the summary of a book (see ``recursive``), the chapters' own, in the order of ``pages``,
    # which are the chapters; ``title`` is the chapter's. Otherwise empty
    chapters: tuple["Summary", ...] = ()
    # every sentence in one of them, in order; empty where the summary is a single one
    paragraphs: tuple[SummaryParagraph, ...] = ()
    # sentences of a model that the documents do not support and that no quote stands for
    unproven: tuple[str, ...] = ()
    participants: tuple[str, ...] = ()  # of a meeting, as its minutes list them
    disagreements: tuple[Disagreement, ...] = ()  # of several files, numbers for the same

    @property
    def made_of(self) -> str:
        """What ``pages`` are: parts of documents, or chapters of a book."""
        return "chapter" if self.chapters else "part"

    @property
    def is_list(self) -> bool:
        """Whether the sentences are a list: what minutes record, or clauses."""
        return any(one.outcome for one in self.sentences)

    def in_paragraphs(self, paragraphs: Iterable[SummaryParagraph]) -> "Summary":
        """The summary with its sentences in paragraphs; a blank line between two in its text."""
        paragraphs = tuple(paragraphs)
        texts = [
            " ".join(self.sentences[number].shown for number in one.sentences) for one in paragraphs
        ]
        return replace(self, text="\n\n".join(filter(None, texts)), paragraphs=paragraphs)

    def to_json(self) -> dict[str, Any]:
        """The summary as one JSON object (``schema`` 1, see docs/json.md); chapters and paragraphs
        only if some.
        """
        data = asdict(replace(self, chapters=()), dict_factory=_stated)
        data["summary"] = data.pop("text")
        data["chapters"] = [chapter.to_json() for chapter in self.chapters]
        return {
            "schema": SCHEMA,
            **{name: value for name, value in data.items() if value or name not in _IF_ANY},
        }

    def to_line(self) -> str:
        """The summary as one line of JSON Lines, with rounded confidences."""
        return json.dumps(rounded(self.to_json()), ensure_ascii=False)

    def __str__(self) -> str:
        """The text."""
        return self.text

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from pkgutil import resolve_name

        # views know summaries
        return resolve_name("pagesum_cli.views.notebook:notebook_view")(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Summary":
        """The summary that :meth:`to_json` wrote; ValueError for another schema, or for what is
        missing or does not fit.
        """
        if data.get("schema") != SCHEMA:
            raise ValueError(f"schema {data.get('schema')!r} where {SCHEMA} was expected")
        try:
            summary = msgspec.convert({"title": "", "tokens": (), **_renamed(data)}, cls)
        except (msgspec.ValidationError, AttributeError, TypeError, OverflowError) as error:
            raise ValueError(f"expected a summary, found other JSON ({error})") from error
        if any(chapter.chapters for chapter in summary.chapters):
            raise ValueError("expected chapters without chapters of their own")
        for each in (summary, *summary.chapters):
            _check(each)
        return summary


_IF_ANY = {"chapters", "paragraphs", "hidden_words", "unproven", "participants", "disagreements"}
_IF_KNOWN = frozenset(
    [
        "source",
        "supported",
        "evidence",
        "log_probability",
        "sentence",
        "time",
        "sentence_number",
        "lead_in",
        "before",
        "after",
        "coverage",
        "outcome",
    ]
)
_IF_NOT_EMPTY = frozenset(
    (
        *("needs_context", "sections", "boxes", "page_labels", "lines", "source_file"),
        *("omitted", "inserted", "uncertain"),
        *("speaker", "label", "opening", "front", "parents", "paragraph", "chosen_by"),
        *("verdict", "quotes", "replaced", "who", "due", "event", "agreeing", "goes_on"),
        "vote",
    )
)
OPTIONAL = _IF_KNOWN | _IF_NOT_EMPTY | _IF_ANY
"""The names of fields that are missing in JSON where they say nothing."""


def _stated(fields: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A part of a summary as a JSON object, without the optional fields that say nothing."""
    data = {
        name: value
        for name, value in fields
        if (value is not None or name not in _IF_KNOWN) and (value or name not in _IF_NOT_EMPTY)
    }
    return data


def _renamed(data: dict[str, Any]) -> dict[str, Any]:
    """The JSON object with ``summary`` under the name of its field, in the chapters too."""
    own = {("text" if name == "summary" else name): value for name, value in data.items()}
    if chapters := data.get("chapters"):
        own["chapters"] = [{"title": "", "tokens": (), **_renamed(chapter)} for chapter in chapters]
    return own


def _check(summary: Summary) -> None:
    """Refuse pages, sentences and confidences that do not fit together."""
    count = len(summary.pages)
    if not count or [page.page for page in summary.pages] != list(range(count)):
        raise ValueError("expected a summary with its pages numbered from 0")
    if any(len(token.confidences) != count for token in summary.tokens):
        raise ValueError(f"expected {count} confidences per token, one for each page")
    if not all(0 <= page < count for page in _page_numbers(summary)):
        raise ValueError(f"expected sentences with pages 0 to {count - 1}")
    for sentence in summary.sentences:
        _check_quote(sentence)
    numbers = [number for one in summary.paragraphs for number in one.sentences]
    if numbers and numbers != list(range(len(summary.sentences))):
        raise ValueError("expected every sentence in one paragraph, in order")
    if summary.chapters:
        _check_chapters(summary)
    if not all(0 <= confidence <= 1.001 for confidence in _confidences(summary)):
        raise ValueError("expected confidences between 0 and 1")


def _page_numbers(summary: Summary) -> Iterator[int]:
    """Every page that sentences refer to; -1 for a sentence without pages."""
    for sentence in summary.sentences:
        yield from [share.page for share in sentence.pages] or [-1]
        yield from (source.page for source in _all_sources(sentence))


def _all_sources(sentence: SummarySentence) -> tuple[Source | SourceSentence, ...]:
    """What a sentence was quoted from, with its lead-ins, and what supports or proves it."""
    return (*sentence.sources, *(sentence.evidence or ()), *sentence.quotes)


def _check_quote(sentence: SummarySentence) -> None:
    if sentence.lead_in and not sentence.source:
        raise ValueError("expected lead-ins of quotes only")
    if sentence.source and not _fits(sentence.text, sentence.source):
        raise ValueError("expected repairs that fit the sentence and its source")


def _check_chapters(summary: Summary) -> None:
    if len(summary.chapters) != len(summary.pages):
        raise ValueError(f"expected {len(summary.pages)} chapters, one for each page")
    for sentence in summary.sentences:
        for source in _all_sources(sentence):
            if not 0 <= (source.sentence or 0) < len(summary.chapters[source.page].sentences):
                raise ValueError("expected sentences of the chapters' summaries")


def _confidences(summary: Summary) -> Iterator[float]:
    yield from (page.confidence for page in summary.pages)
    for sentence in summary.sentences:
        yield from (share.confidence for share in sentence.pages)
        yield from (source.support for source in sentence.evidence or ())
    for token in summary.tokens:
        yield from token.confidences


def _fits(text: str, source: Source) -> bool:
    """Whether what is omitted and inserted makes a text of this length, which holds what is
    inserted.
    """
    if not source.omitted and not source.inserted:
        return True
    length = source.end - source.start
    for bounds, end in (
        ([offset for span in source.omitted for offset in span], length),
        ([offset for at, piece in source.inserted for offset in (at, at + len(piece))], len(text)),
    ):
        if sorted(bounds) != bounds or not all(0 <= offset <= end for offset in bounds):
            return False
    kept = length - sum(end - start for start, end in source.omitted)
    is_whole = kept + sum(len(piece) for _, piece in source.inserted) == len(text)
    return is_whole and all(text.startswith(piece, at) for at, piece in source.inserted)


def rounded(value: Any) -> Any:
    """A JSON value with its numbers rounded."""
    return json.loads(json.dumps(value), parse_float=lambda number: round(float(number), DIGITS))
