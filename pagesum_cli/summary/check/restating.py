"""Whether a sentence says nothing but what one sentence of a document says.

For text that a language model has written: it joins words of a passage to statements that the
passage does not make, and words alone cannot tell. What restates a sentence is therefore made of
its words, in their order, and leaves out nothing that the rest depends on. That is stricter than
a paraphrase by a person needs; what fails can be quoted instead.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from ...text.words import STOP_WORDS, lcs_pairs, positions_of, stem
from .differences import Side
from .known import Known
from .paraphrases import aligned
from .tokens import DATA, LISTS, Token
from .wordings import is_weak

_MOVED = 1  # words that may stand at another place: two are enough to exchange who did what
_FORMS = {form: name for name, forms in DATA["same_forms"].items() for form in forms.split()}
_PERSONS, _LINKS = LISTS["persons"], LISTS["prepositions"] | {"be"}
_FACTS = LISTS["negation"] | LISTS["modality"] | LISTS["comparison"]
_BOUND = ("number", "unit", "comparison", "sign")  # facts of words that go with those beside them


def restates(claim: Side, source: Side, known: Known) -> bool:
    """Whether all that a claim states is stated by a source, a sentence of a document."""
    left, (right,) = aligned(claim, [source], known)
    ours, theirs = list(filter(_is_meant, left)), list(filter(_is_meant, right))
    said, has = list(map(_unit, ours)), list(map(_unit, theirs))
    if not said or Counter(said) - Counter(has):
        return False
    if _qualifiers(left) != _qualifiers(right) or not _links(left) <= _links(right):
        return False
    pairs = lcs_pairs(said, positions_of(has), len(has))
    moved = Counter(said) - Counter(said[i] for i, _ in pairs)
    if moved.total() > _MOVED:
        return False
    kept = {theirs[j].start for _, j in pairs} | _places(theirs, moved)
    return all(_may_go(gap, before, after) for before, gap, after in _gaps(right, kept))


@cache
def _reports() -> frozenset[str]:
    """The stems of verbs that report what somebody says."""
    return frozenset(map(stem, LISTS["reports"]))


def _is_meant(token: Token) -> bool:
    """Whether a word must stand in the source."""
    is_light = is_weak(token) or token.text.lower() in STOP_WORDS - _FACTS
    return token.is_word and (not is_light or token.norm in _PERSONS)


def _unit(token: Token) -> str:
    """What is compared of a word: a name as it is written, the base of an auxiliary, a stem."""
    return token.norm if token.fact == "name" else _FORMS.get(token.norm, stem(token.norm))


def _links(tokens: Sequence[Token]) -> set[tuple[str, str]]:
    """The words that say which part the next one has: (sold) by, was (sold)."""
    found, link, before = set[tuple[str, str]](), "", ""
    for token in filter(lambda one: one.is_word, tokens):
        unit = _unit(token)
        if not _is_meant(token):
            # "due to" and "because of" are one word
            link = unit if unit in _LINKS and before != "because" else link
            continue
        if link and unit not in _FORMS.values():
            found.add((link, unit))
        link, before = "", unit
    return found


def _qualifiers(tokens: Sequence[Token]) -> Counter[str]:
    """What restricts a statement: negation, modality, conditions, who reports it, a question."""
    found = Counter("not" for one in tokens if one.fact == "negation")
    found.update(one.norm for one in tokens if one.fact == "modality")
    found.update(one.norm for one in tokens if one.norm in LISTS["conditions"] or one.norm == "?")
    found.update(unit for unit in map(_unit, tokens) if unit in _reports())
    return found


def _places(tokens: Sequence[Token], units: Counter[str]) -> set[int]:
    """Where the words stand that have moved."""
    return {one.start for one in tokens if _unit(one) in units}


Gap = tuple[Token | None, list[Token], Token | None]


def _gaps(tokens: Sequence[Token], kept: set[int]) -> Iterator[Gap]:
    """What is left out, with the kept words around it; None at an end of the sentence."""
    places = [place for place, one in enumerate(tokens) if one.start in kept]
    for first, last in pairwise([-1, *places, len(tokens)]):
        gap = list(tokens[first + 1 : last])
        while gap and not (_is_meant(gap[-1]) or _ends(gap[-1])):
            gap.pop()  # an article or an auxiliary of the next word
        if any(map(_is_meant, gap)):
            before = tokens[first] if first >= 0 else None
            yield before, gap, tokens[last] if last < len(tokens) else None


def _may_go(gap: Sequence[Token], before: Token | None, after: Token | None) -> bool:
    """Whether words may be left out: they qualify no word beside them, and are of one clause or are
    whole clauses, so that what is left keeps its subject and its object.
    """
    if before and gap[0].fact in _BOUND:
        return False
    if after is None:  # the end of a sentence
        return True
    # of what has gone: the lawyer of Smith
    goes_with_next = gap[-1].fact in _BOUND or gap[-1].norm in LISTS["prepositions"]
    return not goes_with_next and _is_whole(gap, before, after)


def _is_whole(gap: Sequence[Token], before: Token | None, after: Token) -> bool:
    """Whether words within a sentence are of one clause, or are whole clauses."""
    is_joint = [_is_joint(one) for one in gap]
    begins = before is None or is_joint[0]
    return not any(is_joint) or (begins and (is_joint[-1] or _is_joint(after)))


def _ends(token: Token) -> bool:
    """Whether it depends on such a word whether those before it may be left out."""
    return _is_joint(token) or token.norm in LISTS["prepositions"]


def _is_joint(token: Token) -> bool:
    """Whether a clause or a part of a list begins here."""
    return token.norm in LISTS["clauses"] or token.norm in LISTS["joints"]
