"""Items of an agenda with their results, run together: "*43 Grant of … (Ordinance) (Y-5) 44 …"."""

from collections.abc import Sequence
from itertools import groupby, pairwise
from re import Match

from ..text.tables import patterns
from .model import Paragraph

_FORMS = patterns(__file__, "agenda_items.toml")

ITEMS = 4  # consecutive items with results, from which on they are those of an agenda


def with_items(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Paragraphs, those of an agenda with results by its items: each ends with its result."""
    changed: list[Paragraph] = []
    for is_plain, group in groupby(paragraphs, lambda one: one == Paragraph(one.text)):
        own = list(group)
        changed += _items(own) if is_plain else own
    return changed


def _items(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    text = "\n".join(one.text for one in paragraphs)
    numbers = _row(list(_FORMS["number"].finditer(text)))
    bounds = [*(match.start() for match in numbers), len(text)]
    results = [_result(text, *bound) for bound in pairwise(bounds)]
    if sum(map(bool, results)) < ITEMS:
        return list(paragraphs)
    items = _lines(text[: bounds[0]])
    for number, result, end in zip(numbers, results, bounds[1:], strict=True):
        last = result.end() if result else number.start()
        if result:
            items.append(_item(text[number.start() : last], number))
        items += _lines(text[last:end])
    return items


def _lines(text: str) -> list[Paragraph]:
    return [Paragraph(line.strip()) for line in text.split("\n") if line.strip()]


def _item(text: str, number: Match[str]) -> Paragraph:
    """An item without the lines that end a page inside of it."""
    whole = " ".join(_FORMS["page"].sub("", line).strip() for line in text.split("\n"))
    body = number.end() - number.start()
    return Paragraph(whole, is_sentence=True, label=number[1], body=body)


def _result(text: str, start: int, end: int) -> Match[str] | None:
    """The last result in the text up to the next item."""
    return max(
        _FORMS["result"].finditer(text, start, end), key=lambda match: match.end(), default=None
    )


def _row(numbers: Sequence[Match[str]]) -> list[Match[str]]:
    """The longest row of numbers each of which is one more than the one before."""
    rows: dict[int, list[Match[str]]] = {}
    longest: list[Match[str]] = []
    for match in numbers:
        number = int(match[1])
        rows[number] = [*rows.pop(number - 1, ()), match]
        longest = max(longest, rows[number], key=len)
    return longest
