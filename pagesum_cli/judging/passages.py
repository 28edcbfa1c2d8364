"""The passages of documents that a claim is judged by: by a model, or by who reads the check."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..documents.model import Document, Sentence
from ..retrieval.find import Answer, add_documents, find
from ..retrieval.store import Store
from ..summary.check.results import Checked, Place
from ..text.words import stem, words_of

FOUND = 4  # answers of the search that are read
MOST = 5  # passages that are read
WORDS = 150  # of a passage


def is_open(checked: Checked) -> bool:
    """Whether a claim can be judged: comparing words does not prove it, and it is no quotation,
    which the documents have word for word or not.
    """
    is_proven = checked.verdict in ("verbatim", "edited")
    return not (is_proven or checked.claim.is_quotation)


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
        found = self._found(checked, FOUND)
        return [*_without_repeats([*found[:1], *map(_compared, checked.sources), *found])][:MOST]

    def _found(self, checked: Checked, limit: int) -> list[Passage]:
        """What a search for the words of a claim finds first."""
        claim = checked.claim.text
        answers = find(claim, self._store, [""], limit).answers if words_of(claim) else ()
        return list(map(_passage, answers))

    def with_nearest(self, checked: Checked) -> Checked:
        """A result with what the search finds first, if the claim has not been compared with that:
        of one that is not found, or of a paraphrase if it has words that the others lack.
        """
        if checked.verdict == "differs":
            return checked
        compared = " ".join(one.sentence.text for one in checked.sources)
        lacking = {stem(word.lower()) for word in checked.missing_words}
        for found in self._found(checked, 1):
            text = found.place.sentence.text
            has_more = not checked.sources or lacking & set(map(stem, words_of(text)))
            if has_more and text not in compared:
                return replace(checked, nearest=found.place)
        return checked


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
