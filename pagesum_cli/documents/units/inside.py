"""The units inside a paragraph: sentences with their labels, citations, whole quotations."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ...text.sentences import sentence_spans
from ..amendments import is_amendment, without_amendment
from ..model import Paragraph, Role
from .citations import MAX_LENGTH, is_citation, is_cut_off
from .labels import label_at
from .parts import FORMS, TAIL, Label, Place

MAX_QUOTATION = 80  # words of a quotation that is not cut


class Unit(NamedTuple):
    """A sentence, a citation or a label inside a paragraph."""

    start: int
    end: int
    role: Role
    label: str
    front: int  # offset of what stands in front of it: its label, or a run-in heading

    @property
    def is_plain(self) -> bool:
        """Whether nothing stands in front of it."""
        return self.front == self.start


def units_in(paragraph: Paragraph) -> list[Unit]:
    """The sentences and citations of a paragraph after its label; empty if there are none."""
    text, body = paragraph.text, paragraph.body
    if paragraph.is_sentence:
        return [Unit(body, len(text), "", paragraph.label, 0)] if text[body:].strip() else []
    units: list[Unit] = []
    note = _note_from(text)
    lines = [*(one for one in paragraph.line_ends if one < note), note]
    for start, end in zip([body, *lines], lines, strict=False):
        units += _units_of_line(text, start, end, paragraph)
    if note < len(text):
        units.append(Unit(note, len(text), "label", paragraph.label, note))
    if units:
        units[0] = units[0]._replace(front=0)
    return units


def _note_from(text: str) -> int:
    """Where a note on an amendment in brackets begins that ends a text, of one or more sentences:
    "(Ord. 24-38. Passed 8-12-24.)"; the length of the text if there is none.
    """
    place = text.rfind("(") if text.endswith((")", ").")) else -1
    return place if place >= 0 and is_amendment(text[place:]) else len(text)


def _units_of_line(text: str, start: int, end: int, paragraph: Paragraph) -> Iterator[Unit]:
    if paragraph.block in ("code", "verse"):
        for a, b in sentence_spans(text[start:end]):
            yield Unit(start + a, start + b, "", paragraph.label, start + a)
        return
    for front, first, last, label in _items(text, start, end, paragraph.label):
        spans = [(first + a, first + b) for a, b in sentence_spans(text[first:last])]
        for number, unit in enumerate(_joined(text, spans, label)):
            yield unit._replace(front=front) if number == 0 else unit


def _items(text: str, start: int, end: int, label: str) -> Iterator[tuple[int, int, int, str]]:
    """The items that are sentences in a paragraph: front, start, end and label of each."""
    inner = _following(text, start, end, label_at(label + " ") if label else None)
    places = [start, *(place for place, _ in inner)]
    lengths = [0, *(len(one) for _, one in inner)]
    labels = [label, *(one for _, one in inner)]
    for (place, after), length, one in zip(pairwise([*places, end]), lengths, labels, strict=True):
        rest = text[place + length : after]
        yield place, after - len(rest.lstrip()), after, one


def _following(text: str, start: int, end: int, own: Label | None) -> list[tuple[int, str]]:
    """Labels after the ends of sentences, with their offsets, that go on from the paragraph's own.

    Without an own one, the first of two or more.
    """
    found: list[tuple[int, str]] = []
    last = own.parts[-1] if own else ()
    for match in FORMS["inner"].finditer(text, start, end):
        label = label_at(match[0])
        if label is not None and (not last or _goes_on(last, label.parts[0])):
            found.append((match.start(), label.text))
            last = label.parts[0]
    return found if own or len(found) > 1 else []


def _goes_on(last: Sequence[Place], following: Sequence[Place]) -> bool:
    """Whether a label can be the one after another one."""
    after = [Place(place.style, place.number + 1) for place in last]
    return any(place in after for place in following)


def _joined(text: str, spans: Sequence[tuple[int, int]], label: str) -> list[Unit]:
    """Units of sentences: pieces of citations and of quotations joined."""
    units: list[Unit] = []
    for a, b in _quotations(text, list(_whole(text, spans))):
        piece = text[a:b]
        role = _role_of(piece)
        if role == "citation" and units and _is_cited(units[-1], text):
            units[-1] = units[-1]._replace(end=b, role=role)
        else:
            units.append(Unit(a, b, role, label, a))
    return units


def _role_of(piece: str) -> Role:
    """The role of what is between two ends of sentences: that of a label for a note on an
    amendment, which is never quoted.
    """
    if is_amendment(piece):
        return "label"
    return "citation" if is_citation(piece) else "" if _has_word(piece) else "label"


def _whole(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sentences: "Results:" and a number belong to what follows, a citation after a stop stands
    alone.
    """
    begun: int | None = None
    spans = _before_letters(text, spans)
    for number, (a, b) in enumerate(spans):
        start = a if begun is None else begun
        is_last = number + 1 == len(spans)
        if not is_last and _leads_on(text, (a, b), spans[number + 1]):
            begun = start
            continue
        begun = None
        place = _cited_from(text, start, b)
        yield from ((start, b),) if place is None else ((start, place - 1), (place, b))


def _leads_on(text: str, span: tuple[int, int], following: tuple[int, int]) -> bool:
    """Whether what stands between two ends of sentences belongs to what follows it: it ends with a
    colon, and no note on an amendment follows; or with a reference that goes on; or it has no word
    or is the letter of an item.
    """
    start, end = span
    if not _has_word(text[start:end]) or FORMS["letter"].fullmatch(text, start, end):
        return True
    if text[end - 1] == ":":
        return not is_amendment(text[slice(*following)])
    around = text[max(start, end - TAIL) : following[0] + len("of")]
    return FORMS["reference_goes_on"].search(around) is not None


def _before_letters(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sentences, the letter of an item at the end of one moved to the next: "Exempt are: a." and
    "Windmills. b." before "Tide mills.".
    """
    moved = list(spans)
    for number, (a, b) in enumerate(moved[:-1]):
        match = FORMS["letter_at_end"].search(text, max(b - len("ab; and viii."), a), b)
        after, end = moved[number + 1]
        if match and text[after].isupper():
            moved[number : number + 2] = (a, match.start(1) - 1), (match.start(1), end)
    return moved


def _cited_from(text: str, start: int, end: int) -> int | None:
    """Where a citation in brackets begins that ends a sentence after its stop, or a note on an
    amendment after its lead-in; None if there is none.
    """
    noted = without_amendment(text[start:end])
    if noted and len(noted) < end - start:
        return start + len(noted) + 1
    match = FORMS["cited"].search(text, max(start, end - MAX_LENGTH), end)
    return match.start(1) if match and _role_of(match[1]) else None


def _has_word(text: str) -> bool:
    return any(map(str.isalpha, text))


def _is_cited(unit: Unit, text: str) -> bool:
    """Whether a unit and the citation after it are one."""
    return unit.role == "citation" or is_cut_off(text[unit.start : unit.end])


def _quotations(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The sentences; those of one quotation joined, if its marks are in order and it is short."""
    opened = _quotes_open(text, spans)
    if opened is None:
        yield from spans
        return
    first = 0
    for last, is_open in enumerate(opened):
        if is_open:
            continue
        a, b = spans[first][0], spans[last][1]
        if first < last and len(text[a:b].split()) > MAX_QUOTATION:
            yield from spans[first : last + 1]
        else:
            yield a, b
        first = last + 1


def _quotes_open(text: str, spans: Sequence[tuple[int, int]]) -> list[bool] | None:
    """Whether a quotation is open at the end of each span; None if marks are not in order."""
    opened: list[bool] = []
    depth = 0
    for a, b in spans:
        for match in FORMS["quote"].finditer(text, a, b):
            mark = match[0]
            opens = mark in "“«„" if mark != '"' else _opens(text, match.start())
            depth += 1 if opens else -1
            if depth not in (0, 1):
                return None
        opened.append(depth > 0)
    return None if depth else opened


def _opens(text: str, place: int) -> bool:
    """Whether a straight quotation mark opens: nothing stands before it, or a space."""
    return place == 0 or text[place - 1] in " \t\n([—–-'‘“"
