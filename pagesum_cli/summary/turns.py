"""Quotes of what was said: an answer with its question, and with what takes it back or corrects
it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..documents.model import Sentence
from ..locality import Pages
from ..text.tables import patterns
from .summary import Draft

Place = tuple[int, int]

_FORMS = patterns(__file__, "turns.toml")
MOST = 3  # sentences in a row that are brought after one


def with_whole_answers(pages: Pages, draft: Draft, *, may_add: bool) -> Draft:
    """A draft in which an answer that says nothing alone ("No, we will not") follows its question,
    and what somebody says is followed by what takes it back ("But if …") or corrects it ("That is
    not quite right").

    Args:
        pages: The pages that the draft refers to.
        draft: Its quotes, in order.
        may_add: Whether sentences may be added; otherwise those that need others are marked.
    """
    chosen = dict.fromkeys(draft.sentences)
    if not any(_at(pages, place).speaker for place in chosen):
        return draft
    spoken = _Spoken(pages)
    causes: dict[Place, Place] = {}  # of what is brought, what it is brought by
    todo = list(chosen)
    while todo:
        place = todo.pop()
        for other in spoken.needed(place):
            if other not in chosen and other not in causes:
                causes[other] = place
                todo.append(other)
    if not causes:
        return draft
    return _extended(draft, causes) if may_add else _marked(draft, set(causes.values()))


def _at(pages: Pages, place: Place) -> Sentence:
    number, index = place
    return pages.pages[number].sentences[index]


class _Spoken:
    """The sentences of a document in order, with what each needs to be understood as it was
    meant.
    """

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._places = [
            (number, index)
            for number, page in enumerate(pages.pages)
            for index, sentence in enumerate(page.sentences)
            if not sentence.is_heading
        ]
        self._numbers = {place: number for number, place in enumerate(self._places)}

    def needed(self, place: Place) -> Iterator[Place]:
        """The question before an answer, and the sentences after one that take it back."""
        here = _at(self._pages, place)
        if not here.speaker or place not in self._numbers:
            return
        number = self._numbers[place]
        before = self._answered(number, here) or self._taken_back(number)
        if before is not None:
            yield before
        for following in range(number + 1, min(number + 1 + MOST, len(self._places))):
            if not self._takes_back(number, following):
                return
            yield self._places[following]

    def _answered(self, number: int, here: Sentence) -> Place | None:
        """The question that a sentence answers with a word that says nothing alone."""
        if number == 0 or not _FORMS["answer"].match(here.text):
            return None
        before = _at(self._pages, self._places[number - 1])
        is_other = before.speaker != here.speaker and self._is_same_source(number - 1, number)
        return self._places[number - 1] if is_other and before.text.endswith("?") else None

    def _taken_back(self, number: int) -> Place | None:
        """The sentence before one that takes it back."""
        is_taken_back = number > 0 and self._takes_back(number - 1, number)
        return self._places[number - 1] if is_taken_back else None

    def _takes_back(self, number: int, following: int) -> bool:
        """Whether a sentence limits or corrects one before it: the same speaker in either way,
        another one only by a correction right after it.
        """
        text = _at(self._pages, self._places[following]).text
        is_correction = _FORMS["correction"].match(text) is not None
        if self._goes_on(number, following):
            return is_correction or _FORMS["contrast"].match(text) is not None
        is_next = following == number + 1
        return is_correction and is_next and self._is_same_source(number, following)

    def _goes_on(self, number: int, following: int) -> bool:
        """Whether the one who says a sentence also says another one after it."""
        speakers = {_at(self._pages, self._places[one]).speaker for one in (number, following)}
        return len(speakers) == 1 and self._is_same_source(number, following)

    def _is_same_source(self, number: int, other: int) -> bool:
        pages = self._pages.pages
        sources = {pages[self._places[one][0]].source for one in (number, other)}
        return len(sources) == 1


def _extended(draft: Draft, causes: Mapping[Place, Place]) -> Draft:
    """A draft with more sentences, each with the page confidences of the one that brings it."""
    numbers = {place: number for number, place in enumerate(draft.sentences)}
    places = sorted({*draft.sentences, *causes})
    rows = [draft.page_confidences[numbers[_root(place, causes)]] for place in places]
    helped = set(causes.values())
    own = [numbers.get(place) for place in places]
    needs = [
        _of(draft.needs_context, number) and place not in helped
        for number, place in zip(own, places, strict=True)
    ]
    choosers = ["" if number is None else draft.chooser_of(number) for number in own]
    return replace(
        draft,
        page_confidences=rows,
        sentences=tuple(places),
        needs_context=tuple(needs),
        with_citations=tuple(_of(draft.with_citations, one, default=True) for one in own),
        chosen_by=tuple(choosers),
    )


def _marked(draft: Draft, places: set[Place]) -> Draft:
    """A draft in which some sentences are marked as needing context."""
    marked = [
        _of(draft.needs_context, number) or place in places
        for number, place in enumerate(draft.sentences)
    ]
    return replace(draft, needs_context=tuple(marked))


def _root(place: Place, causes: Mapping[Place, Place]) -> Place:
    """The sentence of the draft by which another one was brought in the end."""
    while place in causes:
        place = causes[place]
    return place


def _of(values: Sequence[bool], number: int | None, *, default: bool = False) -> bool:
    """A value of a sentence of the draft; the default for others, and where none are known."""
    return values[number] if values and number is not None else default
