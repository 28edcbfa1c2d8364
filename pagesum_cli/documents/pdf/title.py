"""The title of a PDF."""

import re
from collections.abc import Sequence

from ..divisions import division_of
from .lines import Line
from .patterns import ABSTRACT, LICENCE, Similarity, is_references, joined, plain

_KIND = re.compile(
    r"(?:original|research|review|short|brief|full|case)?\s*+(?:article|paper|report|communication)\s*+[:—–]\s*+", re.I
)
MAX_LENGTH = 400
"""Characters of a title."""

_NO_TITLE = re.compile(
    r"\.(?:docx?|tex|dvi|pdf|indd|qxd|rtf|p65|ai)\b|^(?:untitled|microsoft word|doi:|slide)|\d{5}", re.IGNORECASE
)


def title_of(lines: Sequence[Line], body_size: float, metadata_title: str) -> tuple[str, set[int]]:
    """The title and the places of its lines: the largest text of the first page that has any.

    Args:
        lines: All lines of the document.
        body_size: Size of the running text.
        metadata_title: The title in the file's properties, which confirms one on the page, or stands in for it.
    """
    metadata_title = metadata_title if _is_sane(metadata_title) else ""
    best: tuple[float, list[int]] | None = None
    similar = Similarity()
    for group in _groups(lines, body_size):
        if len(group) > MAX_LENGTH:
            continue
        line = lines[group[0]]
        text = joined(lines[place].text for place in group)
        letters = sum(map(str.isalpha, text))
        if letters < 8 or len(text) > MAX_LENGTH or len(text.split()) < 2 or line.size < body_size:
            continue
        if metadata_title and similar(plain(text), plain(metadata_title), 0.8) > 0.8:
            return text, set(group)
        size = line.size + (0.5 if line.bold else 0)
        if LICENCE.search(text):
            continue
        if line.y < 0.35 * line.height or ABSTRACT.match(text) or is_references(text):
            continue
        if division_of(text) and sum(division_of(one.text) is not None for one in lines) > 1:  # a book's first chapter
            continue
        if best is None or size > best[0] + 0.3:
            best = (size, group)
    if best is not None and best[0] > body_size * 1.12:
        return _KIND.sub("", joined(lines[place].text for place in best[1]), count=1), set(best[1])
    return metadata_title, set()


def _groups(lines: Sequence[Line], body_size: float) -> list[list[int]]:
    """The lines of the first page, one under another in the same style, but for the kind of the article."""
    groups: list[list[int]] = []
    for place, line in enumerate(lines):
        if line.page != lines[0].page or _KIND.fullmatch(line.text.rstrip(" .:") + ":"):
            continue
        last = lines[groups[-1][-1]] if groups else None
        if (
            last is not None
            and abs(last.size - line.size) <= 0.6
            and (last.bold == line.bold or last.size > 1.3 * body_size)
            and 0 < last.y - line.y < 2.2 * line.size
        ):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def _is_sane(title: str) -> bool:
    return len(title.split()) >= 3 and len(title) < 350 and not _NO_TITLE.search(title)
