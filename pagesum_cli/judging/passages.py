"""The passages of documents that a claim is judged by."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..documents.model import Document, Sentence
from ..retrieval.find import Answer, add_documents, find
from ..retrieval.store import Store
from ..summary.check.results import Checked, Place
from ..text.words import words_of

FOUND = 4  # answers of the search that are read
MOST = 5  # passages that are read
WORDS = 150  # of a passage


@dataclass(frozen=True)
class Passage:
    """A sentence or a table row with what is before and after it."""

    place: Place
    text: str


class Passages:
    """The passages of documents, found as ``pagesum find`` finds answers."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._store = Store()
        add_documents(self._store, "", documents)

    def of(self, checked: Checked) -> list[Passage]:
        """What a claim is judged by: what the check compared it with, and what a search for its
        words finds; the best first.
        """
        claim = checked.claim.text
        answers = find(claim, self._store, [""], FOUND).answers if words_of(claim) else ()
        found = list(map(_passage, answers))
        return [*_without_repeats([*found[:1], *map(_compared, checked.sources), *found])][:MOST]


def _passage(answer: Answer) -> Passage:
    passage = answer.passage
    before, after = answer.around
    own = f"{passage.opening} {passage.shown}".strip()
    sentence = Sentence(
        passage.text,
        passage.pdf_pages,
        passage.section,
        passage.start,
        passage.end,
    )
    text = _shortened(own if passage.start < 0 else f"{before} {own} {after}")
    return Passage(Place(sentence, answer.number), _under(passage.headings, text))


def _compared(place: Place) -> Passage:
    sentence = place.sentence
    return Passage(place, _under(sentence.heading, _shortened(sentence.printed)))


def _under(heading: str, text: str) -> str:
    return f"({' '.join(heading.split())}) {text}" if heading else text


def _shortened(text: str) -> str:
    return " ".join(text.split()[:WORDS])


def _without_repeats(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Passages of which no sentence is in an earlier one."""
    read = ""
    for one in passages:
        if " ".join(one.place.sentence.text.split()) not in read:
            read += f" {one.text}"
            yield one
