"""How many died, by several reports: the toll of each, that of the latest report first."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from ..summary.check.notation import values_in
from .kinds import Kind
from .questions import Question
from .store import Store

NEAR = 0.5  # share of the best score that a toll has at least where an event is named
LOOKED_AT = 1000  # passages in which tolls are looked for
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_EARLIER = re.compile(
    r"(?i)\b(?:last|previous|that) (?:year|decade|century)\b|\b(?:years|decades) (?:ago|earlier)\b"
)
_PART = re.compile(
    r"(?i)\b(?:an?)?other\b|\bmore(?! than)\b|\bone of\b|\bof (?:them|these|those)\b"
)
"""Of a number that counts only some of the dead."""


@dataclass(frozen=True)
class _Toll:
    """A passage with a toll."""

    passage: int
    value: float
    document: int
    written: date | None


def tolls_first(
    question: Question, store: Store, scores: Mapping[int, float], ordered: Sequence[int]
) -> list[int]:
    """Passages in their order; if the question asks for a toll and several documents have one, the
    toll of each is first, the latest document's before the others, and the tolls of the events of
    other years are last.
    """
    kind = next((kind for kind in question.kinds if kind.is_toll), None)
    if kind is None or not ordered:
        return list(ordered)
    looked_at = ordered[:LOOKED_AT]
    tolls, earlier = _tolls(kind, store, looked_at)
    if not question.is_general(kind):
        if ordered[0] in earlier:
            return list(ordered)
        least = NEAR * max(map(scores.__getitem__, looked_at))
        tolls = [one for one in tolls if scores[one.passage] >= least]
    bests = list(_best_of_each(tolls, scores))
    return _with_first(bests, earlier, ordered) if len(bests) > 1 else list(ordered)


def _with_first(
    bests: Iterable[_Toll], earlier: Collection[int], ordered: Sequence[int]
) -> list[int]:
    """Passages with some tolls first, and those about another year last."""
    first = [one.passage for one in sorted(bests, key=_latest_first)]
    return list(dict.fromkeys([*first, *sorted(ordered, key=earlier.__contains__)]))


def _tolls(
    kind: Kind, store: Store, passages: Sequence[int]
) -> tuple[list[_Toll], Collection[int]]:
    """The passages with the toll of what a document reports, and those about another year."""
    dates = {one: _date_in(data) for one, data in store.document_data().items()}
    newest = max(filter(None, dates.values()), default=None)
    documents, texts = store.documents(), store.texts(passages)
    tolls: list[_Toll] = []
    earlier: set[int] = set()
    for one in passages:
        written, value = dates.get(documents[one]), _value(kind.parts(texts[one]))
        if _is_earlier(texts[one], written or newest):
            earlier.add(one)
        elif value is not None:
            tolls.append(_Toll(one, value, documents[one], written))
    return tolls, earlier


def _is_earlier(text: str, written: date | None) -> bool:
    """Whether a sentence is about another year than the one in which its document was written, or
    the latest of the documents if that is not known.
    """
    years = set(map(int, _YEAR.findall(text)))
    is_other = bool(years) and written is not None and written.year not in years
    return is_other or _EARLIER.search(text) is not None


def _value(parts: Iterable[str]) -> float | None:
    """The largest number in some parts of a sentence, without those that count only some."""
    whole = (part for part in parts if not _PART.search(part))
    norms = (reading.norm for part in whole for reading in values_in(part))
    return max((float(norm) for norm in norms if _NUMBER.fullmatch(norm)), default=None)


def _best_of_each(tolls: Sequence[_Toll], scores: Mapping[int, float]) -> Iterator[_Toll]:
    """The largest toll of each document; of several, the one with the best score."""
    groups: dict[int, list[_Toll]] = defaultdict(list)
    for one in tolls:
        groups[one.document].append(one)
    for group in groups.values():
        yield max(group, key=lambda one: (one.value, scores[one.passage]))


def _latest_first(toll: _Toll) -> tuple[int, float]:
    """What tolls are ordered by: documents without a date are last, and larger tolls first."""
    return -(toll.written.toordinal() if toll.written else 0), -toll.value


def _date_in(data: str) -> date | None:
    """When a document was written, of its data in the store."""
    written = json.loads(data).get("date") if data else None
    return date.fromisoformat(written) if written else None
