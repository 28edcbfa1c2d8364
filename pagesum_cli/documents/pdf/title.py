"""The title of a PDF."""

import re
from collections.abc import Sequence

from ..article.divisions import division_of
from .lines import Line
from .patterns import ABSTRACT, LICENCE, Similarity, is_name, joined, plain

_KIND = re.compile(
    r"(?:original|research|review|short|brief|full|case)?\s*+(?:article|paper|report|communication)\s*+[:—–]\s*+", re.I
)
_KIND_WORD = re.compile(
    r"original|research|review|short|brief|full|length|case|articles?|papers?|reports?|communications?|study|studies|"
    r"protocol|letter|editorial|perspective|commentary|opinion|open|access|clinical|trial|systematic|investigation|"
    r"technical|note|methodology|special|issue|feature|mini|rapid|data|descriptor|in|the|of|and|invited|regular|"
    r"scientific|contribution|section|theme|author|manuscript|accepted|public|hhs|nih|preprint|free|available|online|"
    r"peer|reviewed|meta-analysis|science|journal",
    re.IGNORECASE,
)
"""Words of which the kind of an article is made ("Original Research Article", "Open Access")."""

_CITED = re.compile(
    r"\A(?P<name>\D{5,120}?)(?:[,.;]? ?\(?(?:19|20)\d\d\)?[;,:]? ?(?:vol(?:ume|\.)? ?)?|"
    r",? ?(?:vol(?:ume|\.)? ?)?\d{1,4} \((?:19|20)\d\d\)[,:]? ?)\d",
    re.IGNORECASE,
)
"""A journal's name where the article is cited: "Journal of Foxes 2019, 4:12" or "Journal of Foxes 4 (2019) 12–15"."""

_ISSUE = re.compile(r"\bvol(?:ume|\.)? ?\d{1,4}\b.{0,12}\b(?:no|nos|nr|number|issue)\b\.? ?\d", re.IGNORECASE)
"""An issue of a journal: "Volume 13 Number 3 1985"."""

_MARKS = "*∗†‡§¶# \t\n"

MAX_LENGTH = 400
"""Characters of a title."""

MIN_BOLD = 4
"""Words of a title that is no larger than the text."""

MIN_JOURNAL = 8
"""Letters of a journal's name."""

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
    bold: list[int] | None = None  # the first bold group of several words
    journals = _journals(lines)
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
            return text.rstrip(_MARKS), set(group)
        if any(name in plain(text) and 2 * len(name) > len(plain(text)) for name in journals):
            continue
        size = line.size + (0.5 if line.bold else 0)
        if _ISSUE.search(text):
            continue
        if line.y < 0.35 * line.height or ABSTRACT.match(text) or is_name(text) or LICENCE.search(text):
            continue
        if division_of(text) and sum(division_of(one.text) is not None for one in lines) > 1:  # a book's first chapter
            continue
        if best is None or size > best[0] + 0.3:
            best = (size, group)
        if bold is None and line.bold and line.y > 0.5 * line.height and len(text.split()) >= MIN_BOLD:
            bold = group
    chosen = best[1] if best is not None and best[0] > body_size * 1.12 else None
    if chosen is None and not metadata_title:
        chosen = bold
    if chosen is None:
        return metadata_title, set()
    text = joined(lines[place].text for place in chosen)
    return _KIND.sub("", text, count=1).rstrip(_MARKS), set(chosen)


def _journals(lines: Sequence[Line]) -> set[str]:
    """The names of journals in the citations on the first page, without white space and punctuation."""
    cited = (_CITED.match(line.text) for line in lines if line.page == lines[0].page)
    return {name for match in cited if match and len(name := plain(match["name"])) > MIN_JOURNAL}


def is_kind(text: str) -> bool:
    """Whether a line is the kind of an article."""
    words = [word.strip(".:,|&-–") for word in text.split()]
    return all(_KIND_WORD.fullmatch(word) for word in words if word)


def _groups(lines: Sequence[Line], body_size: float) -> list[list[int]]:
    """The lines of the first page, one under another in the same style, but for the kind of the article."""
    groups: list[list[int]] = []
    for place, line in enumerate(lines):
        if line.page != lines[0].page or is_kind(line.text):
            continue
        last = lines[groups[-1][-1]] if groups else None
        if (
            last is not None
            and abs(last.size - line.size) <= 0.06 * last.size
            and (last.bold == line.bold or last.size > 1.3 * body_size)
            and 0 < last.y - line.y < (2.5 if last.style == line.style and line.bold else 2.2) * line.size
        ):
            groups[-1].append(place)
        else:
            groups.append([place])
    return groups


def _is_sane(title: str) -> bool:
    return len(title.split()) >= 3 and len(title) < 350 and not _NO_TITLE.search(title)
