"""Times by which something must be done: "within 30 days", "no later than June 1"."""

from collections.abc import Iterable, Iterator

from ..documents.model import Sentence
from ..text.tables import patterns

OTHER_TIME = 0.4  # grade of a sentence with a limit of time, but without a duty
SHORTEST_LEAD_IN = 7  # words; a shorter line that ends with a colon begins something else
_PATTERNS = patterns(__file__, "limits.toml")


def limit_grade(text: str) -> float:
    """How well a sentence says by when something must be done, 0–1."""
    if not _PATTERNS["limit"].search(text):
        return 0.0
    is_duty = _PATTERNS["duty"].search(text) or _PATTERNS["line"].search(text)
    return 1.0 if is_duty else OTHER_TIME


def opens_with_limit(text: str) -> bool:
    """Whether a heading or lead-in begins with a limit of time."""
    return _PATTERNS["limit"].match(text) is not None


def with_limits(sentences: Iterable[Sentence], heading: str) -> Iterator[tuple[Sentence, str]]:
    """The sentences of a section, each with the limit of time above it: that of a line of its own
    ("Within 30 days:"), or of the heading; empty if there is none. That of a line ends at the next
    line that introduces something, which may forbid it, or be for another time.
    """
    limit = f"{heading.rstrip(':')}: " if opens_with_limit(heading) else ""
    end = -1
    for sentence in sentences:
        is_line = sentence.text.endswith(":") and sentence.lead_in is None
        if is_line and opens_with_limit(sentence.text):
            limit, end = f"{sentence.text} ", sentence.end
        elif _ends_limit(sentence, of_line=end >= 0):
            limit = ""
        is_shown = any(one.end == end for one in sentence.lead_ins)
        yield sentence, "" if is_shown else limit


def _ends_limit(sentence: Sentence, *, of_line: bool) -> bool:
    """Whether a sentence introduces something for which the limit above it may not hold."""
    if of_line and sentence.role == "lead-in":
        return True
    is_short = len(sentence.text.split()) < SHORTEST_LEAD_IN
    return is_short and sentence.text.endswith(":") and sentence.lead_in is None
