"""What speaks for and against a sentence as a line, a row each."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from math import exp

from .lines import Line, content_of, defines
from .rules import has_verb, instructs

MODEL = 0.4  # weight of the model's score among the sentences of a chapter

BEGINNING = 4  # words of a sentence in which its subject stands
EARLY = 6  # sentences of a chapter after which the bonus of the first one is a third
LONG = 30  # words up to which a longer line is better
SHORT = 5.0  # a missing word counts as so many that are too many

_DEFINITE = re.compile(r"The ([a-z]+(?: [a-z]+)?)\b(?![-_])")
_CONDITION = re.compile(r"(?:If|When|Once|After|Unless|While|Whenever|Until)\b")


@dataclass(frozen=True)
class Weight:
    """How much something in a sentence counts."""

    name: str
    weight: float
    value: Callable[[Line], float]


def _share_of_title(line: Line) -> float:
    title = line.subject.title
    return len(line.content & title) / len(title) if title else 0.0


def _excess(line: Line) -> float:
    shortest, longest = line.lengths
    words = line.rules.words
    return max(words - longest, 0) + SHORT * max(shortest - words, 0)


def _begins_with_title(line: Line) -> bool:
    beginning = " ".join(line.text.split()[:BEGINNING])
    return bool(content_of(beginning) & line.subject.own)


def _names_unknown(line: Line) -> bool:
    """Whether it begins with something that no heading above it names: "The flag …"."""
    named = _DEFINITE.match(line.text)
    known = line.subject.title | line.heading
    return named is not None and content_of(named[1]).isdisjoint(known)


ANYWHERE = (
    Weight("title", 1.5, _share_of_title),
    Weight("needs context", -6.0, lambda line: max(line.needs_context, line.rules.needs_context)),
    Weight("announcement", -6.0, lambda line: line.is_empty),
    Weight("fragment", -5.0, lambda line: not line.is_whole),
    Weight("figure", -1.5, lambda line: line.rules.refers_away),
    Weight("others' finding", -1.5, lambda line: line.rules.is_others),
    Weight("instruction", -1.5, lambda line: instructs(line.text)),
    Weight("no verb", -5.0, lambda line: not has_verb(line.text)),
    Weight("length", -0.1, _excess),
)
"""Of every sentence."""

IN_CHAPTER = (
    Weight("begins with the title", 2.0, _begins_with_title),
    Weight("definition", 2.0, lambda line: defines(line.text, line.subject.own)),
    Weight("early", 3.0, lambda line: exp(-line.number / EARLY)),
    Weight("first", 1.5, lambda line: line.is_first),
    Weight("heading", 2.0, lambda line: not line.content.isdisjoint(line.heading)),
    Weight("stands alone", 1.0, lambda line: line.stands),
    Weight("long", 0.1, lambda line: min(len(line.text.split()), LONG)),
    Weight("number", -1.0, lambda line: any(map(str.isdigit, line.text))),
    Weight("unknown subject", -2.0, _names_unknown),
    Weight("condition", -1.0, lambda line: _CONDITION.match(line.text) is not None),
)
"""Of those of a chapter or file, too."""


def weighed(line: Line, score: float, *, is_chapter: bool) -> float:
    """The model's score of a sentence, with what its words and its place say."""
    weights = ANYWHERE + IN_CHAPTER if is_chapter else ANYWHERE
    model = MODEL * score if is_chapter else score
    return model + sum(one.weight * one.value(line) for one in weights)
