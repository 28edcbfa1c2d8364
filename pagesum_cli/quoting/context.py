"""Whether a sentence, quoted alone, points at something that is not there: a linear model of its
words (English).

People found 30 % of extractive summaries misleading by coreference or discourse (Zhang et al.,
2022, arXiv 2209.03549). The weights of ``context.toml`` are fitted by
``tests/benchmarks/context.py``.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from math import exp
from pathlib import Path
from typing import NamedTuple

# words at the beginning of a sentence in which a pronoun is likely to refer to the sentence before
FEW = 8

LONGEST_PHRASE = 5  # words of a noun phrase after its article that are looked at

MANY = 50  # words of a long sentence

_TOKEN = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*|[^\w\s]")
_PLACEHOLDER = re.compile(
    r"it (?:is|was|has been|should be|can be|will be|may be|would be|seems|appears|remains|"
    r"follows) (?:\w+ )?(?:that|to|not|\w+ed that|possible|important|necessary|known|clear|likely|"
    r"worth)\b"
)
_COMPARATIVE = re.compile(r"\b(?:more|less|fewer|better|worse|\w{3,12}er)\b")


class Surroundings(NamedTuple):
    """What is around a sentence."""

    before: Sequence[str] = ()  # up to three sentences before it in its section, the nearest last
    is_first: bool = False  # whether it begins a paragraph
    title: str = ""  # of the document
    heading: str = ""  # of the section


NOTHING_AROUND = Surroundings()

CONTRAST = 0.9
"""Probability for a sentence that begins with a contrast, whose other half is before it: "However,
…"; or with what is before it: "These results …"; and for one that names another place: "the
above-mentioned …"."""

_CONTRASTS = (
    "in contrast",
    "by contrast",
    "on the other hand",
    "on the contrary",
    "in other words",
    "in the alternative",
    "alternatively",
)
_POINTS_BACK = re.compile(
    r"(?:(?:taken together|overall|together|thus|therefore),? )?(?:these|this) (?:results?|"
    r"findings?|data|observations?)\b|(?:as )?such (?!as\b)|so (?!far\b|called\b)|"
    r"(?:a )?similar (?:findings?|results?|trends?|patterns?|effects?|observations?)\b|"
    r"the (?:second|third) \w+ (?:is|was)\b|"
    r"both \w+ (?:is|are|were|was|have|had|start|show|use|can|may)\b",
    re.IGNORECASE,
)
"""A beginning that a reader takes for what the sentence before says."""
_ELSEWHERE = re.compile(
    r"\b(?:(?:above|before|below)[- ]?mentioned|aforementioned|aforesaid|the above|"
    r"(?:mentioned|described|defined|see) (?:above|below)|the (?:pair|duo|trio)(?! of)|"
    r"the \d\d-year-old)\b|"
    r"\A[^\d]{0,200}\b(?:of|at|with|by) that (?:speed|size|height|depth|distance|rate|amount|price|"
    r"sum|length|weight|temperature|strength|magnitude)\b",
    re.IGNORECASE,
)
"""What stands at another place of the document, or who is named there."""
_OTHER_HALF = re.compile(
    r"(?!(?:\S+ ){0,7}(?:one|two|both|first|either|each)\b)(?:\S+ ){0,7}the other (?:\w+ )?"
    r"(?:groups?|arms?|half|halves|cohorts?|patients|participants|subjects|animals|samples)\b|"
    r"(?:\S+ ){0,2}the (?:former|latter)\b(?! \w+ of\b)|"
    r"(?:of|in|among|for) (?:these|those) (?:patients|participants|subjects|cases|groups)\b",
    re.IGNORECASE,
)
"""A beginning that names the rest of what the sentence before names: "Patients in the other group
…"."""


@cache
def _data() -> tuple[dict[str, frozenset[str]], dict[str, float]]:
    """The lists of words, and the weights of the cues."""
    data = tomllib.loads(Path(__file__).with_name("context.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in data["words"].items()}, data[
        "weights"
    ]


@cache
def _function_words() -> frozenset[str]:
    return frozenset[str]().union(*_data()[0].values())


def needs_context(sentence: str, around: Surroundings) -> float:
    """The probability that a sentence needs another one to be understood."""
    weights = _data()[1]
    cues = context_cues(sentence, around)
    probability = 1 / (1 + exp(-sum(value * weights.get(cue, 0.0) for cue, value in cues.items())))
    is_contrast = cues.get("contrast") or sentence.lower().startswith(_CONTRASTS)
    points_away = is_contrast or _POINTS_BACK.match(sentence) or _ELSEWHERE.search(sentence)
    return max(probability, CONTRAST) if points_away or names_rest(sentence) else probability


def names_rest(sentence: str) -> bool:
    """Whether a sentence completes the one before it: "Patients in the other group …"."""
    return _OTHER_HALF.match(sentence) is not None


def context_cues(sentence: str, around: Surroundings) -> dict[str, float]:
    """What in a sentence points back, or does not, each with how much of it there is."""
    tokens = _TOKEN.findall(sentence)
    words = [token.lower() for token in tokens if token[0].isalnum()]
    cues: dict[str, float] = defaultdict(float, bias=1)
    if not words:
        return dict(cues)
    reader = _Reader(words, around, cues)
    start = reader.read_connective()
    reader.read_subject(start)
    reader.read_rest(start)
    capitals = sum(token[0].isupper() for token in tokens[1:])
    cues |= {
        "first in paragraph": around.is_first,
        "first in section": not around.before,
        "capitals": min(capitals, FEW) / FEW,
        "begins with a name": tokens[0][0].isupper() and not reader.is_function_word(words[0]),
        "number": any(map(str.isdigit, sentence)),
        "length": min(len(words), MANY) / MANY,
        "ends with a colon": sentence.rstrip().endswith(":"),
        "comparative without than": "than" not in words
        and _COMPARATIVE.search(" ".join(words)) is not None,
    }
    return dict(cues)


class _Reader:
    """Reads the words of a sentence, and counts its cues."""

    def __init__(self, words: Sequence[str], around: Surroundings, cues: dict[str, float]) -> None:
        self._words, self._cues, self._lists = words, cues, _data()[0]
        self._title = _stems(around.title)
        self._heading = _stems(around.heading)
        near = [_stems(text) for text in around.before]
        self._last = near[-1] if near else frozenset[str]()
        self._before = frozenset[str]().union(*near)

    def _is(self, name: str, number: int) -> bool:
        """Whether a word is in a list; False beyond the end."""
        return number < len(self._words) and self._words[number] in self._lists[name]

    def is_function_word(self, word: str) -> bool:
        """Whether a word is in any list."""
        return word in _function_words()

    def read_connective(self) -> int:
        """Count the connective with which the sentence begins; the number of its words."""
        for name in ("contrast", "consequence", "addition"):
            if self._is(name, 0):
                self._cues[name] = 1
                return 1
        if " ".join(self._words[:2]) in (
            "for example",
            "for instance",
            "in contrast",
            "in addition",
            "as such",
        ):
            self._cues[" ".join(self._words[:2])] = 1
            return 2
        return 0

    def read_subject(self, start: int) -> None:
        """Count what the first noun phrase is."""
        words, cues = self._words, self._cues
        word = words[start] if start < len(words) else ""
        if _PLACEHOLDER.match(" ".join(words[start : start + 6])):
            cues["placeholder"] = 1
        elif self._is("preposition", start):
            self._read_phrase(start + 1, "in phrase: ")
        elif word in ("a", "an") or word[:1].isdigit():
            cues["indefinite"] = 1
        else:
            self._read_phrase(start, "")

    def _read_phrase(self, start: int, where: str) -> None:
        cues = self._cues
        word = self._words[start] if start < len(self._words) else ""
        for name in ("pronoun", "possessive", "own"):
            cues[where + name] += self._is(name, start)
        if word == "such":
            cues[f"{where}such"] = 1
        elif self._is("demonstrative", start):
            names_document = self._is("document", start + 1) or self._is("document", start + 2)
            kind = (
                "alone" if self._is("stop", start + 1) else "document" if names_document else "noun"
            )
            cues[f"{where}demonstrative: {kind}"] = 1
        elif word == "the" or self._is("other", start):
            self._read_definite(start, where)

    def _read_definite(self, start: int, where: str) -> None:
        """Count what says whether a definite noun phrase is known: the title, words after it, the
        text before.
        """
        phrase: list[str] = []
        for word in self._words[start + 1 : start + 1 + LONGEST_PHRASE]:
            if word in self._lists["stop"] or word in self._lists["preposition"]:
                break
            phrase.append(word)
        stems = _stems(" ".join(phrase))
        end = start + 1 + len(phrase)
        has_complement = end < len(self._words) and self._words[end] in (
            "of",
            "for",
            "in",
            "between",
            "that",
            "which",
        )
        in_title = not self._title.isdisjoint(stems)
        self._cues |= {
            f"{where}definite": 1,
            f"{where}other": self._is("other", start) or self._is("other", start + 1),
            f"{where}definite: with complement": has_complement,
            f"{where}definite: single word": len(phrase) == 1 and not has_complement,
            f"{where}definite: in title": in_title,
            f"{where}definite: in heading": not self._heading.isdisjoint(stems),
            f"{where}definite: in last sentence": not in_title and not self._last.isdisjoint(stems),
            f"{where}definite: before": not in_title and not self._before.isdisjoint(stems),
            f"{where}definite: document": any(word in self._lists["document"] for word in phrase),
        }

    def read_rest(self, start: int) -> None:
        """Count pronouns and the like after the beginning, and where they stand."""
        words, cues = self._words, self._cues
        content: set[str] = set()
        for number in range(start, len(words)):
            if number > start:
                self._read_word(number, number - start < FEW, bool(content))
                self._read_later_definite(number, content)
            if len(words[number]) > 3 and not self.is_function_word(words[number]):
                content.add(_stem(words[number]))
        cues["own in the sentence"] = any(
            self._is("own", number) for number in range(start, start + FEW)
        )
        cues["you"] = "you" in words or "your" in words
        cues["share of the title"] = len(content & self._title) / max(1, len(content))
        cues["share of the last sentence"] = len(content & self._last) / max(1, len(content))

    def _read_word(self, number: int, is_early: bool, has_nouns: bool) -> None:
        """Count what one word after the beginning is."""
        cues, word = self._cues, self._words[number]
        place = "early" if is_early else "late"
        nouns = "nouns before" if has_nouns else "no noun before"
        for name in ("pronoun", "possessive"):
            cues[f"{place} {name}, {nouns}"] += self._is(name, number)
        if self._is("demonstrative", number) and word != "that":
            kind = "document" if self._is("document", number + 1) else "noun"
            cues[f"{place} demonstrative: {kind}"] += 1
        cues["other in the sentence"] += self._is("other", number)
        cues["such in the sentence"] += word == "such"
        cues["adverb"] += self._is("adverb", number)

    def _read_later_definite(self, number: int, content: set[str]) -> None:
        """Count a definite noun phrase after the beginning, if nothing has named it before."""
        words, cues = self._words, self._cues
        if words[number] != "the" or number + 1 == len(words):
            return
        stem = _stem(words[number + 1])
        is_new = stem not in content and stem not in self._title
        cues["new definite"] += is_new and words[number + 2 : number + 3] != ["of"]
        cues["definite of the text before"] += is_new and stem in self._before


def _stem(word: str) -> str:
    return word[:6].rstrip("s")


@lru_cache(maxsize=1000)  # a title is that of all sentences, and a sentence is before three others
def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(token.lower()) for token in _TOKEN.findall(text) if len(token) > 3)
