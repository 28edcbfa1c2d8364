"""What a summary shows around quotes that do not stand alone: speakers, lead-ins, labels, "…"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeGuard

from ..documents.article.names import is_of_abstract
from ..documents.model import GAP, Sentence
from ..documents.sentences import labels_in
from ..documents.units.parts import is_title
from .summary import LeadIn, Source, Summary, SummarySentence

# stands for items of a list, and sentences of an abstract, that are not quoted
LEFT_OUT = "…"
PIECE = 8  # words of a piece of speech without marks, unlike a name or a heading
WHOLE = 0.6  # share of an abstract from which on it is quoted whole, but for a few sentences

_GOES_ON = re.compile(r"[;,](?: (?:and/or|and|or|but))?$")
"""The end of an item after which others come."""

Path = tuple[LeadIn, ...]
"""The lead-ins of an item, the outermost first."""


def with_openings(
    sentences: Sequence[SummarySentence], *, verbatim: bool = False
) -> list[SummarySentence]:
    """The sentences of a summary, in order, with what is shown before each.

    Sentences left out of an abstract that is quoted otherwise are marked by "…". The end of an
    item after which others are left out ("; or") becomes "; …", unless they are
    quoted ``verbatim``.
    """
    opened: list[SummarySentence] = []
    paths = [*_paths(sentences), ()]
    for number, one in enumerate(sentences):
        before = opened[-1] if opened else None
        shared = _number_shared(paths[number - 1], paths[number]) if number else 0
        one = replace(one, opening=_opening(one, before, shared))
        following = sentences[number + 1 : number + 2]
        own, next_path = paths[number : number + 2]
        is_listed = bool(following) and _number_shared(own, next_path) == len(own)
        goes_on = is_listed or any(are_adjacent(one, other) for other in following)
        opened.append(_ended(one) if one.lead_in and not (goes_on or verbatim) else one)
    return _with_gaps(opened)


def alone(sentence: SummarySentence) -> SummarySentence:
    """A sentence with all that is shown before it where it stands alone."""
    return with_openings([sentence], verbatim=True)[0]


def are_adjacent(first: SummarySentence, second: SummarySentence) -> bool:
    """Whether a quote stands right after another one in its section, only its label between."""
    a, b = first.source, second.source
    if a is None or b is None or (a.file, a.section) != (b.file, b.section):
        return False
    return _is_next(a, b)


def _is_next(a: Source | Sentence, b: Source | Sentence) -> bool:
    front = len(b.front) + 1 if b.front else 0
    return 0 <= b.start - a.end <= front + len(GAP)


def _with_gaps(sentences: Sequence[SummarySentence]) -> list[SummarySentence]:
    """Quotes; those of most of an abstract, and pieces of speech without marks, with a mark before
    each that does not come right after the one before.
    """
    skips = _skips if _is_whole_abstract(sentences) else _skips_speech
    marks = [f"{LEFT_OUT} " if skips(*pair) else "" for pair in pairwise(sentences)]
    return [
        *sentences[:1],
        *(
            replace(one, opening=mark + one.opening)
            for mark, one in zip(marks, sentences[1:], strict=True)
        ),
    ]


def without_gaps(summary: Summary) -> Summary:
    """A summary without the marks of gaps in an abstract. Its text still has them: the caller joins
    the sentences again.
    """
    mark = f"{LEFT_OUT} "
    sentences = (
        replace(one, opening=one.opening.removeprefix(mark)) if not one.lead_in else one
        for one in summary.sentences
    )
    return replace(summary, sentences=tuple(sentences))


def _is_whole_abstract(sentences: Sequence[SummarySentence]) -> bool:
    """Whether quotes are most of the sentences of an abstract, and nothing else."""
    sources = [one.source for one in sentences if _is_from_abstract(one.source)]
    if len(sources) < max(2, len(sentences)):
        return False
    length = sum(one.end - one.start for one in sources)
    return length >= WHOLE * (sources[-1].end - sources[0].start)


def _is_from_abstract(source: Source | None) -> TypeGuard[Source]:
    return source is not None and is_of_abstract(source.section)


def _skips_speech(before: SummarySentence, one: SummarySentence) -> bool:
    """Whether something is between two pieces of speech without marks."""
    is_open = all(not text.opening and text.text[-1:].isalnum() for text in (before, one))
    is_piece = is_open and len(before.text.split()) >= PIECE
    return is_piece and _skips(before, one) and not is_title(before.text)


def _skips(before: SummarySentence, one: SummarySentence) -> bool:
    """Whether something but a heading is between two quotes."""
    a, b = before.source, one.source
    if a is None or b is None:
        return False
    heading = 0 if a.section == b.section else len(b.section) + len(GAP)
    return b.start - a.end > heading + len(GAP)


def _paths(sentences: Sequence[SummarySentence]) -> Iterator[Path]:
    """The lead-ins of each sentence; a further sentence of an item has those of the one before."""
    path: Path = ()
    before: Source | None = None
    for one in sentences:
        if one.lead_in:
            path = one.lead_ins
        elif not _is_in_paragraph(before, one.source):
            path = ()
        before = one.source
        yield path


def _is_in_paragraph(a: Source | None, b: Source | None) -> bool:
    """Whether one place is right after another one in its paragraph."""
    return a is not None and b is not None and a.file == b.file and 0 <= b.start - a.end <= 1


def _number_shared(one: Path, other: Path) -> int:
    """How many lead-ins two items share, from the outermost on."""
    places = [(a.file, a.start) == (b.file, b.start) for a, b in zip(one, other, strict=False)]
    return [*places, False].index(False)


def _opening(one: SummarySentence, before: SummarySentence | None, shared: int) -> str:
    """What is shown before a sentence whose outer lead-ins, ``shared`` of them, were shown."""
    if one.source is None:
        return ""
    path = one.lead_ins
    speaker = "" if before and _speaks_on(before, one, shared) else one.speaker
    is_marked = before is None or before.text.endswith(LEFT_OUT)  # what is left out
    last = before.source if before and shared and not is_marked else None
    listed = _listed(path[shared:], one.source, last)
    if path:
        return _spaced([*_named(speaker), *listed, _shown_label(one.label, one.source)])
    return _numbered(_own_label(one, one.source, before), one.speaker) + _spaced(_named(speaker))


def _own_label(one: SummarySentence, source: Source, before: SummarySentence | None) -> str:
    """The label of a sentence without a lead-in, with those above that were not shown before.

    A further sentence of a paragraph has it too, unless another one of it was quoted before.
    """
    shown = _labels_of(before) if before and _is_same_section(before.source, source) else ()
    own, parents = _labels_of(one), _shown_labels(source.parents, source)
    if not source.front and (not one.label or own == shown):
        return ""
    is_below = shown[: len(parents)] == parents
    label = _shown_label(one.label, source)
    label = label if is_below else _joined([*parents, label])
    return label if source.front or not label else f"{label} {LEFT_OUT}"


def _labels_of(one: SummarySentence) -> tuple[str, ...]:
    """The labels above a quote and its own, each apart."""
    own = labels_in(one.label)
    return _shown_labels((*one.source.parents, *own), one.source) if one.source else tuple(own)


def _shown_labels(labels: Sequence[str], place: Source | Sentence) -> tuple[str, ...]:
    """Labels without the number of a counted paragraph, which citations have."""
    return tuple(filter(None, (_shown_label(one, place) for one in labels)))


def _shown_label(label: str, place: Source | Sentence) -> str:
    """A label; empty if it is the number of a counted paragraph."""
    is_number = bool(place.paragraph) and label.strip("[].)") == place.paragraph
    return "" if is_number else label


def _joined(labels: Sequence[str]) -> str:
    """Labels as one: "(g)(2)", "6.1 (a)"."""
    written = ""
    for label in filter(None, labels):
        is_apart = written and not (label.startswith("(") and written.endswith(")"))
        written += f" {label}" if is_apart else label
    return written


def _is_same_section(a: Source | None, b: Source) -> bool:
    return a is not None and (a.file, a.section) == (b.file, b.section)


def opening_of(sentence: Sentence) -> str:
    """What is shown before a sentence of a document that stands alone."""
    named = _named(sentence.speaker)
    if path := sentence.lead_ins:
        shown = _shown_label(sentence.label, sentence)
        return _spaced([*named, *_listed(path, sentence, None), shown])
    labels = _shown_labels((*sentence.parents, sentence.label), sentence)
    label = _joined(labels) if sentence.front else ""
    return _numbered(label, sentence.speaker) + _spaced(named)


def _speaks_on(before: SummarySentence, one: SummarySentence, shared: int) -> bool:
    """Whether the speaker of a sentence was named before."""
    return before.speaker == one.speaker and (shared > 0 or are_adjacent(before, one))


def _numbered(label: str, speaker: str) -> str:
    """The label of a paragraph, unless it is its speaker's, ``Q.``, or a page's, ``*484``."""
    is_shown = label and label.rstrip(".:") != speaker and not label.startswith("*")
    return f"{label} " if is_shown else ""


def _named(speaker: str) -> list[str]:
    return [f"{speaker}:"] if speaker else []


def _listed(
    path: Sequence[LeadIn | Sentence], item: Source | Sentence, last: Source | Sentence | None
) -> Iterator[str]:
    """Lead-ins with their labels, and signs of what is left out between what is shown ``last``,
    them and an item.
    """
    for number, lead_in in enumerate(path):
        label = _shown_label(lead_in.label, lead_in)
        if number == 0 and last is None:
            label = _joined([*_shown_labels(lead_in.parents, lead_in), label])
        yield from (_mark(last, lead_in), label, lead_in.text)
        last = lead_in
    yield _mark(last, item)


def _spaced(pieces: Iterable[str]) -> str:
    return "".join(f"{piece} " for piece in pieces if piece)


def _mark(last: Source | Sentence | None, following: Source | Sentence) -> str:
    """``…`` if something of a list is left out between two."""
    is_known = last is None or following.start < last.end or _is_next(last, following)
    return "" if is_known else LEFT_OUT


def _ended(sentence: SummarySentence) -> SummarySentence:
    """An item after which others are left out."""
    source, text = sentence.source, sentence.text
    match = _GOES_ON.search(text)
    if source is None or match is None:
        return sentence
    length = source.end - source.start
    span = (length - len(match[0]), length)
    if source.omitted and source.omitted[-1][1] > span[0]:
        return sentence
    kept = text[: match.start()]
    source = replace(
        source,
        omitted=(*source.omitted, span),
        inserted=(*source.inserted, (len(kept), f"; {LEFT_OUT}")),
    )
    return replace(sentence, text=f"{kept}; {LEFT_OUT}", source=source)


def with_citations(sentence: Sentence, citations: Sequence[Sentence]) -> str:
    """A sentence and the citations after it as they stand in their paragraph."""
    text, end = sentence.text, sentence.end
    for one in citations:
        text += " " * (one.start - end) + one.text
        end = one.end
    return text
