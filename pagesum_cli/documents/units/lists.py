"""Lists: how deep their items are nested, and the sentences that introduce them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import chain

from ..amendments import is_amendment, without_amendment
from ..model import Paragraph
from .parts import FORMS, Label, Part, Place, ends_as

MAX_ITEM = 40  # words of an item without a label and without an end

_APART = ("section", "pilcrow", "bracket", "star", "decimal")  # labels of what is no item


def introduces(sentence: str, paragraph: Paragraph, following: Paragraph | None) -> bool:
    """Whether the last sentence of a paragraph is completed by the paragraph after it."""
    if following is None or _is_apart(sentence, paragraph, following):
        return False
    if is_open(sentence) or FORMS["announces"].search(sentence):
        return True
    if sentence.endswith(",") and FORMS["first"].fullmatch(following.label):
        return True
    return not (_is_closed(sentence) or _is_clause(following))


def _is_apart(sentence: str, paragraph: Paragraph, following: Paragraph) -> bool:
    """Whether a paragraph is no deeper than the one before, or the first of a body."""
    if not following.block and following.depth <= paragraph.depth:
        return True
    return not paragraph.label and _begins_body(sentence)


def _begins_body(sentence: str) -> bool:
    """Whether a sentence is what stands between the recitals and the body of a contract or a
    by-law, all of whose clauses it announces: "Now, therefore, the parties agree as follows:".
    """
    return FORMS["enacts"].match(sentence) is not None and ends_as("as_follows", sentence)


def _is_closed(sentence: str) -> bool:
    """Whether a sentence ends as one that introduces nothing."""
    is_ended = ends_as("terminal", sentence) or ends_as("goes_on", sentence)
    is_other = FORMS["address"].search(sentence) or FORMS["apart"].match(sentence)
    return is_ended or is_other is not None


def _is_clause(paragraph: Paragraph) -> bool:
    """Whether a paragraph is a clause with a number of its own, "5.1 Each party …", which no title
    above it introduces.
    """
    is_numbered = FORMS["clause_number"].fullmatch(paragraph.label) is not None
    return is_numbered and paragraph.text[paragraph.body : paragraph.body + 1].isupper()


def is_open(text: str) -> bool:
    """Whether a text ends as what introduces a list or a quotation does."""
    return ends_as("open", without_amendment(text))


def continues(paragraph: Paragraph) -> bool:
    """Whether a paragraph goes on with the sentence before the list above it."""
    return bool(paragraph.block) or paragraph.text[paragraph.body : paragraph.body + 1].islower()


def find_depths(parts: Sequence[Part]) -> None:
    """Find which paragraphs of a section are items of lists, and how deep these are nested; notes
    on amendments are none, and interrupt none.
    """
    parts = [part for part in parts if not is_amendment(part.text)]
    lists = _Lists(parts)
    for number, part in enumerate(parts):
        if part.is_known:
            lists.end_all()
        else:
            part.update(depth=lists.depth_of(number))


class _Lists:
    """The lists that are open, while the paragraphs of a section are read."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._levels: list[Place] = []  # the last item of each list, the outermost first
        self._outside = 0  # 1 where the outermost list began before the section
        self._is_plain = False  # whether the paragraph before is an item without a label
        self._places: dict[Place, list[int]] = defaultdict(list)  # where each place is taken
        for number, part in enumerate(parts):
            for place in chain.from_iterable(part.label.parts if part.label else ()):
                self._places[place].append(number)

    def end_all(self) -> None:
        """End all lists: the structure of what follows is known."""
        self._levels, self._outside, self._is_plain = [], 0, False

    def depth_of(self, number: int) -> int:
        """The depth of a paragraph, after those before it; 0 for one that is no item."""
        part = self._parts[number]
        before = self._parts[number - 1] if number else None
        if part.label is None and not part.has_bullet:
            return self._of_plain(part, before, number)
        self._is_plain = False
        if part.label is not None:
            is_introduced = before is not None and is_open(before.text)
            return self._of_label(part.label, is_introduced=is_introduced)
        depth = before.paragraph.depth if before else 0
        return depth if before and before.has_bullet else depth + 1

    def _of_label(self, label: Label, *, is_introduced: bool) -> int:
        is_apart = label.kind in _APART and not self._is_inside(label, is_introduced)
        if is_apart:
            self._levels = []
        places = label.parts[is_apart:]
        if places and not is_introduced and self._began_outside(places[0]):
            self._outside = int(bool(self._levels))
            self._levels = []
        for number, one in enumerate(places):
            self._enter(one, is_introduced=is_introduced and number == 0)
        return max(len(self._levels) - self._outside, 0)

    def _is_inside(self, label: Label, is_introduced: bool) -> bool:
        """Whether a number in square brackets is that of an item inside of another one."""
        if label.kind != "bracket":
            return False
        is_first = is_introduced and label.is_first and bool(self._levels)
        return is_first or self._level(label.parts[0], _is_next) is not None

    def _began_outside(self, places: Sequence[Place]) -> bool:
        """Whether the beginning of the list of an item is not in the section."""
        styles = {level.style for level in self._levels}
        return not any(place.number == 1 or place.style in styles for place in places)

    def _enter(self, places: Sequence[Place], *, is_introduced: bool) -> None:
        """Go to the list that an item goes on with, or begin one."""
        first = next((place for place in places if place.number == 1), None)
        found = None
        if not (first and is_introduced):
            again = _restarts if first else int.__le__
            found = self._level(places, _is_next) or self._level(places, again)
        depth, place = found or (len(self._levels), first or places[0])
        self._levels[depth:] = [place]

    def _level(
        self,
        places: Sequence[Place],
        follows: Callable[[int, int], bool],
    ) -> tuple[int, Place] | None:
        """The deepest list with which one of the places goes on."""
        for depth in range(len(self._levels) - 1, -1, -1):
            level = self._levels[depth]
            for place in places:
                if place.style == level.style and follows(level.number, place.number):
                    return depth, place
        return None

    def _of_plain(self, part: Part, before: Part | None, number: int) -> int:
        """The depth of a paragraph without a label: an item, or what belongs to one."""
        was_plain, self._is_plain = self._is_plain, False
        if before is None or _is_outside(part):
            return 0
        depth = before.paragraph.depth
        is_item = _is_next_item if was_plain else _is_first_item
        if is_item(before.text, part.text):
            self._is_plain = True
            return depth if was_plain else depth + 1
        if depth and continues(part.paragraph):
            return depth
        return self._resumed(number) if depth else 0

    def _resumed(self, number: int) -> int:
        """The depth of the innermost list that goes on before another of its style begins."""
        for depth in range(len(self._levels), 0, -1):
            level = self._levels[depth - 1]
            following = self._next(Place(level.style, level.number + 1), number)
            if following < self._next(Place(level.style, 1), number):
                return max(depth - self._outside, 0)
        return 0

    def _next(self, place: Place, number: int) -> int:
        """Where a place is taken next after a paragraph; the number of paragraphs if it is not."""
        taken = self._places.get(place, [])
        index = bisect_right(taken, number)
        return taken[index] if index < len(taken) else len(self._parts)


def _is_next(last: int, number: int) -> bool:
    return number == last + 1


def _restarts(last: int, number: int) -> bool:
    return number == 1


def _is_first_item(before: str, text: str) -> bool:
    """Whether a text without a label is the first item after an introduction."""
    if ends_as("goes_on", text):
        return is_open(before) or (_is_unfinished(before) and not ends_as("goes_on", before))
    is_introduced = before.rstrip('"”').endswith(":")
    return is_introduced and (text[:1].islower() or _is_unfinished(text))


def _is_next_item(before: str, text: str) -> bool:
    """Whether a text without a label is an item after an item, or after "and" between two."""
    if ends_as("goes_on", before) or FORMS["joins"].fullmatch(before):
        return True
    return _is_unfinished(before) and (text[:1].islower() or _is_unfinished(text))


def _is_unfinished(text: str) -> bool:
    """Whether a text is short and ends without a mark."""
    is_ended = any(ends_as(form, text) for form in ("open", "terminal", "noted"))
    return not is_ended and len(text.split()) <= MAX_ITEM


def _is_outside(part: Part) -> bool:
    """Whether a paragraph is in no list: a turn of a speaker, or the end of a press release."""
    is_turn = bool(part.paragraph.speaker and part.paragraph.body)
    return is_turn or FORMS["end_of_release"].fullmatch(part.text) is not None
