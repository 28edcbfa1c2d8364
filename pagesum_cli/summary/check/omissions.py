"""What a sentence may leave out of the one that it restates.

Without a parser, only words at boundaries are known to be whole parts of a sentence: a phrase that
begins with a preposition, a clause between marks, a word or two between an article and their noun.
Anything else may take the noun from its modifier, or the verb from its subject.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, pairwise, takewhile

from ...text.words import STOP_WORDS
from .tokens import DATA, HYPHEN, LISTS, Token
from .wordings import is_weak

_BOUND = ("number", "unit", "comparison", "sign")  # facts of words that go with those beside them
_FACTS = LISTS["negation"] | LISTS["modality"] | LISTS["comparison"] | LISTS["bounds"]
_PERSONS = LISTS["persons"] | {"it", "its"}
_JOINTS = LISTS["clauses"] | LISTS["joints"]
_PREPOSITIONS = LISTS["prepositions"]
_BEGINNINGS = _JOINTS | _PREPOSITIONS | LISTS["openings"]
_OPENING = LISTS["determiners"] | _PREPOSITIONS  # before the modifier of a noun
_FOLLOWING = _PREPOSITIONS | {form for forms in DATA["tenses"].values() for form in forms.split()}
_ENDS = frozenset([",", ";", "–", ")", ".", "!", "and", "but"])  # of no subordinate word
_MODIFIERS = 2  # words between an article and a noun


def is_meant(token: Token) -> bool:
    """Whether a word must stand in the source."""
    is_light = is_weak(token) or token.text.lower() in STOP_WORDS - _FACTS
    return token.is_word and (not is_light or token.norm in _PERSONS | LISTS["bounds"])


@dataclass(frozen=True)
class Gap:
    """Words that are left out between two that are kept."""

    before: Token | None  # the kept word before them; None at the beginning of the sentence
    words: tuple[Token, ...]  # some of which are meant
    tail: tuple[Token, ...]  # articles, auxiliaries and signs of the next kept word
    after: Token | None  # the next kept word; None at the end
    # whether a negation or a comparison in the same part of the sentence stands before them: "no
    # large mills" are not "no mills"
    is_in_scope: bool

    @property
    def may_go(self) -> bool:
        """Whether what is left states a part of what the sentence states."""
        if self._parts_word or self._is_bound:
            return False
        if self.after is None:
            return self.words[0].norm in _BEGINNINGS or self.words[0].fact == "date"
        if _is_infinitive(self.words):
            return False
        if self.ends_at_boundary:
            return self._is_clause
        return self.after.fact not in _BOUND and (self.is_modifier or self._is_phrase)

    @property
    def ends_at_boundary(self) -> bool:
        """Whether the next kept word begins a part of the sentence."""
        return self.after is not None and any(map(_is_joint, (self.words[-1], self.after)))

    @property
    def is_modifier(self) -> bool:
        """Whether it is a word or two between an article or a preposition and their noun, or an
        adverb.
        """
        light = list(takewhile(lambda one: not is_meant(one), self.words))
        words = self.words[len(light) :]
        if self.tail or any(map(_is_joint, light)) or not all(map(_is_modifying, words)):
            return False
        last = light[-1].norm if light else ""
        return (
            self._begins_with_modifier(last, words)
            if self.before is None
            else (_is_adverb(words) or (last in _OPENING and len(words) <= _MODIFIERS))
        )

    def _begins_with_modifier(self, last: str, words: Sequence[Token]) -> bool:
        """Whether it is one word between an article and their noun, at the beginning."""
        return len(words) == 1 and last in LISTS["determiners"] and not _is_name(self.after)

    @property
    def _parts_word(self) -> bool:
        """Whether a hyphen joins some of it to a word that is kept."""
        whole = (*self.words, *self.tail)
        return HYPHEN in (self.before and whole[0].norm, self.after and whole[-1].norm)

    @property
    def _is_bound(self) -> bool:
        """Whether it restricts the word before, or what a negation or a comparison is about."""
        first, meant = self.words[0], next(filter(is_meant, self.words))
        if self.before is None:
            return False
        is_restricting = first.fact in _BOUND or meant.fact in ("comparison", "negation")
        is_restricting |= self.before.is_number and meant.is_number  # three to five
        return is_restricting or (self.is_in_scope and not _is_joint(first))

    @property
    def _is_clause(self) -> bool:
        """Whether it is a phrase or clauses up to a mark, and not the subject of what follows."""
        inner = list(self.words)
        while inner and _is_joint(inner[-1]):
            inner.pop()
        begins = self.before is None or _is_joint(inner[0] if inner else self.words[0])
        is_phrase = self.words[0].norm in _BEGINNINGS and not any(map(_is_joint, inner))
        last = self.words[-1]
        is_ended = last.norm in _ENDS or not _is_joint(last)
        return is_ended and (is_phrase or (begins and not self._has_subject))

    @property
    def _has_subject(self) -> bool:
        """Whether a clause of it has a subject, and the clause behind it may have the same."""
        if self.before is None or self.words[-1].norm not in LISTS["joining"]:
            return False
        first = next(dropwhile(_is_joint, self.words))
        return first.norm in LISTS["subjects"] or _is_name(first)

    @property
    def _is_phrase(self) -> bool:
        """Whether it is a date, or a phrase that begins with a preposition, before another phrase
        or an auxiliary; at the beginning of the sentence, before an article.
        """
        first, last = self.words[0], self.words[-1]
        is_begun = first.norm in _PREPOSITIONS or first.fact == "date"
        follows = LISTS["determiners"] if self.before is None else _FOLLOWING
        is_whole = last.norm not in _PREPOSITIONS and not any(map(_is_joint, self.words))
        return is_begun and is_whole and any(one.norm in follows for one in self.tail)


def gaps_of(tokens: Sequence[Token], kept: Collection[int]) -> Iterator[Gap]:
    """What is left out of a sentence of which words are kept that start at these places."""
    places = [place for place, one in enumerate(tokens) if one.start in kept]
    for first, last in pairwise([-1, *places, len(tokens)]):
        words = list(tokens[first + 1 : last])
        while words and not (is_meant(words[-1]) or _is_joint(words[-1])):
            words.pop()
        if any(map(is_meant, words)):
            yield Gap(
                tokens[first] if first >= 0 else None,
                tuple(words),
                tuple(tokens[first + 1 + len(words) : last]),
                tokens[last] if last < len(tokens) else None,
                _is_in_scope(tokens[: first + 1]),
            )


def _is_in_scope(before: Sequence[Token]) -> bool:
    """Whether a negation or a comparison stands in the last part of what is before."""
    part = takewhile(lambda one: not _is_joint(one), reversed(before))
    return any(one.fact in ("negation", "comparison") for one in part)


def _is_joint(token: Token) -> bool:
    """Whether a clause or a part of a list begins here."""
    return token.norm in _JOINTS


def _is_infinitive(words: Sequence[Token]) -> bool:
    """Whether words may begin with an infinitive, on which the words behind them depend."""
    first, *rest = words
    return first.norm == "to" and bool(rest) and is_meant(rest[0]) and rest[0].fact == ""


def _is_adverb(words: Sequence[Token]) -> bool:
    return len(words) == 1 and words[0].norm.endswith("ly")


def _is_name(token: Token | None) -> bool:
    return token is not None and token.fact == "name"


def _is_modifying(token: Token) -> bool:
    """Whether a noun without this word is still what it is."""
    is_changing = token.norm in LISTS["changing"] | _PERSONS
    return is_meant(token) and token.fact in ("", "date", "name") and not is_changing
