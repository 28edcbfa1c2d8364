"""Lists: how deep their items are nested, and the sentences that introduce them."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..model import Paragraph
from .labels import FORMS, Label, Place

MAX_ITEM = 40  # words of an item without a label and without an end

_APART = ("section", "pilcrow", "bracket", "star", "decimal")  # labels of paragraphs that are no items


def introduces(sentence: str, paragraph: Paragraph, following: Paragraph | None) -> bool:
    """Whether the last sentence of a paragraph is completed by the paragraph after it."""
    if following is None or not (following.depth > paragraph.depth or following.block):
        return False
    return is_open(sentence) or FORMS["terminal"].search(sentence) is None


def is_open(text: str) -> bool:
    """Whether a text ends as what introduces a list or a quotation does."""
    return FORMS["open"].search(text) is not None


def continues(paragraph: Paragraph) -> bool:
    """Whether a paragraph goes on with the sentence before the list above it."""
    return bool(paragraph.block) or paragraph.text[paragraph.body : paragraph.body + 1].islower()


def with_depths(
    paragraphs: Sequence[Paragraph], labels: Sequence[Label | None], marked: Sequence[bool]
) -> list[Paragraph]:
    """The paragraphs of a section with the depths of the items among them.

    ``labels`` are theirs; ``marked`` says which begin with a bullet. What has a depth already keeps it.
    """
    lists = _Lists(labels)
    done: list[Paragraph] = []
    for n, paragraph in enumerate(paragraphs):
        if paragraph.depth or paragraph.block or paragraph.is_sentence:
            lists.leave()
        elif label := labels[n]:
            paragraph = replace(paragraph, depth=lists.labelled(label))
        elif marked[n]:
            paragraph = replace(paragraph, depth=lists.marked())
        else:
            paragraph = replace(paragraph, depth=lists.plain(paragraph, n))
        lists.before, lists.is_marked = paragraph, marked[n]
        done.append(paragraph)
    return done


class _Lists:
    """The lists that are open, while the paragraphs of a section are read."""

    def __init__(self, labels: Sequence[Label | None]) -> None:
        self._levels: list[Place] = []  # the last item of each list, the outermost first
        self._outside = 0  # 1 where the outermost list began before the section, above a list that stands in it
        self._plain = False  # whether the paragraph before is an item without a label
        self.before: Paragraph | None = None  # the paragraph before
        self.is_marked = False  # whether it begins with a bullet
        self._all: dict[Place, list[int]] = defaultdict(list)  # where each place is taken
        for n, label in enumerate(labels):
            for place in (place for places in (label.parts if label else ()) for place in places):
                self._all[place].append(n)

    def leave(self) -> None:
        """End all lists: the structure of what follows is known."""
        self._levels, self._outside, self._plain = [], 0, False

    def labelled(self, label: Label) -> int:
        """The depth of a paragraph with a label."""
        self._plain = False
        if label.kind in _APART:
            self._levels = []
        is_introduced = self.before is not None and is_open(self.before.text)
        parts = label.parts[label.kind in _APART :]
        if parts and not is_introduced and self._is_from_elsewhere(parts[0]):
            self._outside = int(bool(self._levels))
            self._levels = []
        for number, places in enumerate(parts):
            self._enter(places, is_introduced=is_introduced and number == 0)
        return max(len(self._levels) - self._outside, 0)

    def _is_from_elsewhere(self, places: Sequence[Place]) -> bool:
        """Whether an item belongs to a list whose beginning is not in the section."""
        styles = {level.style for level in self._levels}
        return all(place.number > 1 and place.style not in styles for place in places)

    def marked(self) -> int:
        """The depth of a paragraph with a bullet."""
        self._plain = False
        depth = self.before.depth if self.before else 0
        return depth if self.is_marked else depth + 1

    def plain(self, paragraph: Paragraph, n: int) -> int:
        """The depth of a paragraph with neither."""
        before = self.before
        if before is None or (paragraph.speaker and paragraph.body):
            self._plain = False
            return 0
        if self._plain:
            self._plain = _is_next_item(before.text, paragraph)
            if self._plain:
                return before.depth
        elif is_open(before.text):
            self._plain = _is_first_item(before.text, paragraph.text)
            if self._plain:
                return before.depth + 1
        if before.depth and continues(paragraph):
            return before.depth
        return self._resumed(n) if before.depth else 0

    def _resumed(self, n: int) -> int:
        """The depth of the innermost list that goes on after paragraph ``n``, before one of its style begins."""
        for depth in range(len(self._levels), 0, -1):
            style, number = self._levels[depth - 1]
            following = self._after(Place(style, number + 1), n)
            if following is not None and following < (self._after(Place(style, 1), n) or following + 1):
                return max(depth - self._outside, 0)
        return 0

    def _after(self, place: Place, n: int) -> int | None:
        taken = self._all.get(place, [])
        after = bisect_right(taken, n)
        return taken[after] if after < len(taken) else None

    def _enter(self, places: Sequence[Place], *, is_introduced: bool) -> None:
        """Go to the level of an item: of the list that it goes on with, or a new one."""
        first = next((one for one in places if one.number == 1), None)
        found = None if first and is_introduced else self._level(places, lambda last, one: one == last + 1)
        if found is None and first is None:
            found = self._level(places, lambda last, one: one > last)
        elif found is None and not is_introduced:
            found = self._level(places, lambda last, one: one == 1)
        depth, place = found or (len(self._levels), first or places[0])
        self._levels[depth:] = [place]

    def _level(
        self, places: Sequence[Place], follows: Callable[[int, int], bool]
    ) -> tuple[int, Place] | None:
        """The deepest list with which one of the places goes on."""
        for depth in range(len(self._levels) - 1, -1, -1):
            level = self._levels[depth]
            for place in places:
                if place.style == level.style and follows(level.number, place.number):
                    return depth, place
        return None


def _is_first_item(before: str, text: str) -> bool:
    """Whether a text without a label is the first item after an introduction."""
    if FORMS["goes_on"].search(text):
        return True
    return before.rstrip('"”').endswith(":") and (text[:1].islower() or _is_unfinished(text))


def _is_next_item(before: str, paragraph: Paragraph) -> bool:
    """Whether a paragraph without a label is an item after an item."""
    if FORMS["goes_on"].search(before):
        return True
    return _is_unfinished(before) and (_is_unfinished(paragraph.text) or paragraph.text[:1].islower())


def _is_unfinished(text: str) -> bool:
    """Whether a text is short and ends without a mark."""
    return FORMS["terminal"].search(text) is None and not is_open(text) and len(text.split()) <= MAX_ITEM
