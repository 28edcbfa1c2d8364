"""What makes a text unsuitable: dialogue, no sentences, mostly numbers. In doubt it is suitable."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from .languages import frequent_shares, script_of

DIALOGUE = "a dialogue or transcript, which is summarized poorly: quotes can lack their speaker"
NUMBERS = "a table, mostly numbers, with few sentences to summarize"
DATA = "code, a log or data, with few sentences to summarize"
LIST = "a list, with few sentences to summarize"

MIN_TOKENS = 40  # number of tokens below which a text is not judged
MAX_TOKEN = 60  # characters of the longest token that is taken for a word or a number
SAMPLE = 10_000  # characters of the beginning, the middle and the end that are read of a longer text
MOSTLY_NUMBERS = 0.45  # share of tokens that are numbers, from which a text is a table (papers: at most 0.1)
PROSE = 0.85
"""Share of tokens that are plain words + share of words that are frequent in the language, below which a text is not
prose (papers: at least 0.95)."""

FEW_FREQUENT, FEW_ENDS = 0.12, 1.5
"""Share of frequent words, and ends of sentences per 100 tokens, below which a text is a list (papers: 0.2 and 1.8)."""

MIN_TURNS, TURN_RATE, TURN_SPAN = 6, 8.0, 0.6
"""Number of turns, turns per 1,000 tokens, and the share of the text from the first to the last one, of a dialogue."""

SPOKEN_SHARE = 0.008
"""Share of words in English dialogue or minutes that address somebody, or report what was said (papers: 0.001)."""

TIMES_RATE = 2.0  # times per 100 tokens of a transcript or chat
_TOKEN = re.compile(r"[^\s,;|]+")
_NUMBER = re.compile(r"\W{0,60}+\d[\d.:/%°€$£+\-−–eE×^]*\W*")
_PLAIN = re.compile(r"[\"'“”‘’«»(\[]{0,9}[^\W\d_]+(?:[-'’/.][^\W\d_]+)*[.:?!\"'“”‘’«»)\]…]*")
_END = re.compile(r"[.?!。！？…][\"'”’»)\]]*(?=\s|$)")
_SUBTITLE = re.compile(r"\d{1,2}:\d{2}[.,]\d{3}\s*-->\s*\d")
_TIME = re.compile(r"(?<![\w:])\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\d:])")
_SPOKEN = re.compile(
    r"\b(?:I|[Yy]ou|[Mm]y|me|[Yy]our|asked|said|noted|agreed|replied|answered|explained|reported|thanked)\b"
)
_WORD = re.compile(r"\b[^\W\d_]+")
_TURN = re.compile(
    # "Anna Lee:" or "Anna (aside):" where a sentence can begin, "ANNA:", "The CHAIRMAN.", "Q.", and "ANNA." of a play.
    r"(?:^|(?<=[.?!…)\]\"”’-] ))(?P<name>[A-Z][\w.’'-]*(?: [A-Z0-9][\w.’'-]*){0,3})"
    r"(?: ?[(\[][^()\[\]\n]{1,40}[)\]])?:(?=\s)"
    r"|\b(?P<capitals>[A-Z]{2,20}(?: [A-Z]{2,20}){0,3}):(?=\s)"
    r"|\b(?P<formal>(?:Mr\.|Mrs\.|Ms\.|Dr\.|The|Senator) [A-Z]{3,20}(?: [A-Z]{2,20}){0,3})[.:](?=\s)"
    r"|\b(?P<letter>[QA])[.:](?=\s)"
    r"|^(?P<stage>[A-Z]{3,20}(?: [A-Z]{2,20}){0,3})\.(?=\s)",
    re.MULTILINE,
)
_LABELS = (
    "advantage advantages author authors background benefit benefits cause con conclusion conclusions configuration "
    "cons context cost date definition description diagnosis discussion effect example examples figure goal goals "
    "impact important ingredients input instructions introduction labels materials method methods mitigation "
    "motivation name note notes objective option output price pro problem pros rationale reason requirement "
    "response result results risk risks scenario score solution source status step steps summary symptom table test "
    "theorem tip title type version warning"
)
"""Words before a colon that repeat in reports, proposals and lists."""


@lru_cache(maxsize=32)  # asked before a summary is made, and for it
def unsuitable(text: str) -> str | None:
    """What a text looks like, if it is unlike the articles and reports that models are trained on.

    Returns:
        What comes after "looks like"; None for prose, and if that is not clear.
    """
    text = sample_of(text)
    tokens = _TOKEN.findall(text)
    script = script_of(text)
    if len(tokens) < MIN_TOKENS or (script and not script.spaced):
        return DIALOGUE if len(_SUBTITLE.findall(text)) >= MIN_TURNS else None
    shares = frequent_shares(text)
    frequent = max(shares.values(), default=0.0)
    if _is_dialogue(text, len(tokens), is_english=not script and shares.get("en") == frequent):
        return DIALOGUE
    if len(_matching(_NUMBER, tokens)) >= MOSTLY_NUMBERS * len(tokens):
        return NUMBERS
    if script:
        return None  # its frequent words are not known, and in some scripts words hold marks that are no letters
    if len(_matching(_PLAIN, tokens)) / len(tokens) + frequent < PROSE:
        return DATA
    if frequent < FEW_FREQUENT and 100 * len(_END.findall(text)) < FEW_ENDS * len(tokens):
        return LIST
    return None


def _is_dialogue(text: str, tokens: int, *, is_english: bool) -> bool:
    if len(_SUBTITLE.findall(text)) >= MIN_TURNS:
        return True
    if is_english and len(_SPOKEN.findall(text)) < SPOKEN_SHARE * len(_WORD.findall(text)):
        return False
    times = len(_TIME.findall(text))
    if is_english and times >= MIN_TURNS and 100 * times >= TIMES_RATE * tokens:
        return True
    found = [(match.start(), next(filter(None, match.groups()))) for match in _TURN.finditer(text)]
    counts = Counter(name for _, name in found)
    turns = [(start, name) for start, name in found if counts[name] > 1 and not _is_label(name)]
    if len(turns) < MIN_TURNS or 1000 * len(turns) < TURN_RATE * tokens:
        return False
    names = [name for _, name in turns]
    changes = sum(one != other for one, other in pairwise(names))
    if turns[-1][0] - turns[0][0] < TURN_SPAN * len(text) or changes < len(names) / 2:
        return False
    return is_english or not _is_cycle(names)


def _is_label(name: str) -> bool:
    return any(word.lower() in _LABELS.split() for word in name.split())


def _is_cycle(names: list[str]) -> bool:
    return len(set(pairwise(names))) <= len(set(names))


def _matching(pattern: re.Pattern[str], tokens: list[str]) -> list[str]:
    return [token for token in tokens if len(token) <= MAX_TOKEN and pattern.fullmatch(token)]


def sample_of(text: str) -> str:
    """A text, or of a long one its beginning, middle and end."""
    if len(text) <= 3 * SAMPLE:
        return text
    middle = (len(text) - SAMPLE) // 2
    return "\n".join((text[:SAMPLE], text[middle : middle + SAMPLE], text[-SAMPLE:]))
