"""The first page of a paper in a PDF: the badges and dates beside its title, and where an abstract
without a heading ends.
"""

from collections.abc import Sequence

from ..model import Paragraph
from .fonts import family
from .headings import Body
from .lines import Line
from .patterns import FORMS
from .runs import Dropped

MIN_LINES = 3  # of an abstract in other type, and of the running text below it
MIN_WORDS = 40  # of such an abstract
MAX_WORDS = 400  # of an abstract that looks like the text after it
BESIDE = 20.0  # points by which a badge is left of the other lines of the title


def without_badges(lines: Sequence[Line], dropped: Dropped) -> list[Line]:
    """The lines without those of the first page that are a badge ("OPEN") or the date on which a
    paper was received, accepted or published; these are noted.
    """
    kept = []
    for line in lines:
        if line.page == lines[0].page and FORMS["badge_or_date"].fullmatch(line.text.strip()):
            dropped.add("notice", line.text, line.page, "")
        else:
            kept.append(line)
    return kept


def without_badge(title: str, lines: Sequence[Line]) -> str:
    """A title without the badge that is left of its first line, and so in this line."""
    match = FORMS["badge_before"].match(title)
    others = [line.x0 for line in lines[1:]]
    is_beside = bool(others) and lines[0].x0 < min(others) - BESIDE
    return title[match.end() :] if match and is_beside else title


def split_abstract(
    prose: Sequence[Paragraph], front: Sequence[Line], body: Body
) -> tuple[list[Paragraph], list[Paragraph]]:
    """The text before the first heading of a paper → the abstract and what follows it: text in the
    type of the running text below an abstract in other type.

    The abstract is empty where the text is too long for one and its type does not show its end.
    """
    start = _start_of_text(front, body)
    beginning = front[start].text.rstrip("-")[:MAX_WORDS] if start else ""
    for number, paragraph in enumerate(prose):
        if number and beginning and paragraph.text.startswith(beginning):
            return list(prose[:number]), list(prose[number:])
    words = sum(len(one.text.split()) for one in prose)
    return (list(prose), []) if words <= MAX_WORDS else ([], list(prose))


def _start_of_text(lines: Sequence[Line], body: Body) -> int:
    """The index of the first line of the running text that is below an abstract in other type; 0
    where there is none.
    """
    above: list[Line] = []  # lines in other type, one below another in one look
    for index, line in enumerate(lines):
        if _is_running(line, body):
            if _is_abstract(above) and _is_text(lines[index : index + MIN_LINES], body):
                return index
            above = []
        else:
            above = [*above, line] if above and _is_alike(above[-1], line) else [line]
    return 0


def _is_abstract(lines: Sequence[Line]) -> bool:
    """Whether lines are enough for an abstract."""
    return len(lines) >= MIN_LINES and sum(len(one.text.split()) for one in lines) >= MIN_WORDS


def _is_text(lines: Sequence[Line], body: Body) -> bool:
    """Whether some lines are running text, and enough of it."""
    return len(lines) == MIN_LINES and all(_is_running(one, body) for one in lines)


def _is_alike(line: Line, other: Line) -> bool:
    return (line.size, line.bold) == (other.size, other.bold)


def _is_running(line: Line, body: Body) -> bool:
    """Whether a line is in the type of the running text."""
    is_alike = line.font == body.font or (family(line.font) == family(body.font) and not line.bold)
    return is_alike and abs(line.size - body.size) < 0.3
