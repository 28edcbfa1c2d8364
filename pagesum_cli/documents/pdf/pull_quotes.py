"""Pull quotes: what is repeated in larger type within a sentence of the text."""

from collections.abc import Sequence

from ..article.wording import CAPTION, ends_sentence
from .headings import Body
from .lines import Line

LARGER = 1.08  # times the size of the text
APART = 1.25  # white above and below a quote in the text's size, in distances of baselines
MAX_LINES, MIN_WORDS, WORD = 8, 3, 3  # of a quote, and the mean letters of its words
FULL = 0.25  # share of a column's width by which the line above may be shorter than it


def mark_pull_quotes(lines: Sequence[Line], body: Body) -> None:
    """Set ``is_boxed`` of lines that stand out between the lines of a sentence."""
    start = 1
    while start < len(lines) - 1:
        end = start
        while end < len(lines) - 1 and end - start < MAX_LINES and _stands_out(lines[end], body):
            end += 1
        if end > start and _is_within(lines[start:end], lines[start - 1], lines[end], body):
            for line in lines[start:end]:
                line.is_boxed = True
        start = max(end, start + 1)


def _stands_out(line: Line, body: Body) -> bool:
    return body.is_exceeded_by(line) and not (line.is_row or line.is_boxed)


def _is_within(quote: Sequence[Line], before: Line, after: Line, body: Body) -> bool:
    """Whether words stand within a sentence of the text that they are no part of."""
    if not (_is_text(before, body) and _is_text(after, body) and _goes_on(before, after)):
        return False
    text = " ".join(line.text for line in quote)
    words, letters = len(text.split()), sum(line.letters for line in quote)
    if words < MIN_WORDS or letters < WORD * words or CAPTION.match(text):
        return False  # a formula has shorter words
    return quote[0].size > LARGER * body.size or _is_apart(quote[0], after, body)


def _goes_on(before: Line, after: Line) -> bool:
    """Whether the sentence of a full line goes on in another line."""
    is_full = before.x1 >= before.right - FULL * before.width
    return is_full and not ends_sentence(before.text) and after.text[:1].islower()


def _is_text(line: Line, body: Body) -> bool:
    return (line.size, line.font) == (body.size, body.font) and not (line.is_row or line.is_boxed)


def _is_apart(first: Line, after: Line, body: Body) -> bool:
    """Whether there is white above and below lines in the size of the text."""
    white = APART * (body.leading or 1.2 * body.size)
    return all(line.gap == 0 or line.gap > white for line in (first, after))
