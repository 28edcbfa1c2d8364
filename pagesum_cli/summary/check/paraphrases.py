"""What a claim in other words states that the passages closest to it do not."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product, zip_longest
from typing import NamedTuple

from ...text.words import stem
from .differences import Difference, Side, are_opposite, is_weak, nouns_of
from .known import Known
from .meanings import meanings_of, rounded
from .tokens import LISTS, Token, mended

_SCOPE = 4  # words after a negation that it may deny
_SHARED = 3  # words that a claim has in common with what denies it
_WINDOW = 4  # words around one and its opposite of which they share one
_LONGEST = 6  # words between one that compares and "than"
_TO = {"toward": "to", "towards": "to"}
_BEGINNING = 4  # letters that forms of a name share: Norway, Norwegian


def conflicts(claim: Side, passages: Sequence[Side], known: Known) -> list[Difference]:
    """Facts of a claim that passages in other words do not have, or have the other way round."""
    ours, theirs = _aligned(claim, passages, known)
    found = [*_new_facts(ours, theirs, known), *_opposites(ours, theirs)]
    found += [*_comparisons(ours, theirs), *_denials(ours, theirs), *_exchanges(ours, theirs)]
    return sorted(found, key=lambda one: one.span)


def _aligned(
    claim: Side, passages: Sequence[Side], known: Known
) -> tuple[list[Token], list[list[Token]]]:
    """The tokens of a claim and of passages, where values and phrases that are the same are one
    token of the same norm.
    """
    words = {one.norm for _, tokens in passages for one in tokens}
    left = (*meanings_of(claim.text), *known.short_forms_in(claim.text, words))
    said = {one.norm for one in claim.tokens} | {one.norm for one in left}
    theirs, has = [], set(known.words)
    for text, tokens in passages:
        right = [*meanings_of(text), *known.short_forms_in(text, said)]
        right += rounded(left, right)
        theirs.append(mended(tokens, right, said))
        has |= {one.norm for one in tokens} | {one.norm for one in right}
    return mended(claim.tokens, left, has), theirs


def _new_facts(
    ours: Sequence[Token], theirs: Sequence[Sequence[Token]], known: Known
) -> Iterator[Difference]:
    """Numbers, dates, units and names that passages do not have."""
    has = {one.norm for tokens in theirs for one in tokens}
    beginnings = {norm[:_BEGINNING] for norm in has}
    for place, token in enumerate(ours):
        is_dated = "/" in token.norm and token.norm in known.words
        if token.norm in has or is_dated or is_weak(token):
            continue
        if token.is_number and token.fact != "date":
            is_new = not _is_counted(place, ours, theirs, known)
        else:
            is_named = token.norm[:_BEGINNING] in beginnings or token.norm in known.words
            is_new = token.fact in ("date", "unit", "name") and not is_named
        if is_new:
            yield _made(token.fact, token)


def _is_counted(
    place: int, ours: Sequence[Token], theirs: Sequence[Sequence[Token]], known: Known
) -> bool:
    """Whether the documents have a number with the same noun elsewhere, and the passages no other
    number with it.
    """
    nouns = nouns_of(ours, place)
    rivals = {
        noun
        for tokens in theirs
        for there, one in enumerate(tokens)
        if one.is_number
        for noun in nouns_of(tokens, there)
    }
    return not nouns & rivals and known.counts(ours[place].norm, nouns)


def _opposites(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """Words the opposites of which passages have beside the same words."""
    has = {one.norm for tokens in theirs for one in tokens}
    if "than" in has and any(one.norm == "than" for one in ours):
        return  # see ``_comparisons``
    beginnings = {norm[:_BEGINNING] for norm in has}
    for place, token in enumerate(ours):
        if token.norm in has or is_weak(token) or token.norm[:_BEGINNING] in beginnings:
            continue
        beside = _beside(ours, place)
        other = next(
            (
                one.text
                for tokens in theirs
                for there, one in enumerate(tokens)
                if are_opposite(token.norm, one.norm) and beside & _beside(tokens, there)
            ),
            "",
        )
        if other:
            yield _made("opposite", token, other)


def _beside(tokens: Sequence[Token], place: int) -> set[str]:
    """The stems of the words around one."""
    near = (*tokens[max(0, place - _WINDOW) : place], *tokens[place + 1 : place + 1 + _WINDOW])
    return {stem(one.norm) for one in near if not is_weak(one)}


def _denials(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """A word that only one side denies, where the other side has it and no negation at all.

    Two negations may undo each other, so a clause with more than one is left alone.
    """
    count, denied, stated = _denied(ours)
    has = [(tokens, _denied(tokens)) for tokens in theirs]
    denied_there = {word for _, one in has for word in one[1]}
    stated_there = {word for _, one in has for word in one[2]}
    if count > 1 or denied & denied_there:
        return
    for tokens, one in has:
        if count == 0:
            clauses = [clause for clause in map(_denied, _clauses(tokens)) if clause[0] == 1]
            there = {word for clause in clauses for word in clause[1]}
            wrong = there & stated - stated_there
        else:
            wrong = denied & one[2] if one[0] == 0 else set()
        first = next((token for token in ours if stem(token.norm) in wrong), None)
        if first and len((denied | stated) & (one[1] | one[2])) >= _SHARED:
            yield _made("negation", first, first.text)
            return


def _clauses(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens between punctuation marks, and those behind "but" or "although"."""
    found: list[Token] = []
    for token in tokens:
        if token.norm in LISTS["clauses"] and found:
            yield found
            found = []
        found.append(token)
    yield found


def _denied(tokens: Sequence[Token]) -> tuple[int, set[str], set[str]]:
    """The number of negations, the stems of the words right behind them, and those of the
    others.
    """
    denied, stated, left, count = set[str](), set[str](), 0, 0
    for token, after in zip_longest(tokens, tokens[1:]):
        is_denial = token.norm in LISTS["denials"] and after and after.text.lower() == "to"
        if token.fact == "negation" or is_denial:
            left, count = _SCOPE, count + 1
        elif not token.is_word:
            left = 0
        elif not is_weak(token):
            (denied if left > 0 else stated).add(stem(token.norm))
            left -= 1
    return count, denied, stated


def _exchanges(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """Words that have changed places behind prepositions: from A to B, from B to A; and names that
    stand where passages have others: led by A, led by B.
    """
    said, has = _roles(ours), [_roles(tokens) for tokens in theirs]
    for first, second in pairwise(said):
        crossed = {(first.role, second.norm), (second.role, first.norm)}
        if first.role != second.role and any(
            crossed <= {one[:2] for one in there} for there in has
        ):
            span = first.word.start, second.word.end
            yield Difference("order", first.word.text, second.word.text, span)
    there = [one for roles in has for one in roles if one.word.fact == "name"]
    for one in said:
        rivals = [other for other in there if (other.role, other.head) == (one.role, one.head)]
        names = {other.norm for other in rivals}
        if one.word.fact == "name" and rivals and one.norm not in names:
            yield _made("name", one.word, rivals[0].word.text)


def _comparisons(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """Comparisons the other way round: "A is larger than B" is "B is smaller than A"."""
    said = _compared(ours)
    for there in filter(None, map(_compared, theirs)):
        for (word, other), (their_word, their_other) in product(said, there):
            is_same_end = other.norm == their_other.norm
            is_same_word = word.norm == their_word.norm
            if are_opposite(word.norm, their_word.norm) and is_same_end:
                yield _made("opposite", word, their_word.text)
            has_both = _has(ours, their_other) and any(_has(one, other) for one in theirs)
            if is_same_word and not is_same_end and has_both:
                yield _made("order", other, their_other.text)


def _compared(tokens: Sequence[Token]) -> list[tuple[Token, Token]]:
    """The word that compares, and what "than" compares with."""
    found = []
    for place, token in enumerate(tokens):
        if token.norm != "than":
            continue
        words = [one for one in tokens[max(0, place - _LONGEST) : place] if _compares(one)]
        after = next((one for one in tokens[place + 1 :] if not is_weak(one)), None)
        if words and after and not after.is_number:
            found.append((words[-1], after))
    return found


def _compares(token: Token) -> bool:
    return token.fact == "comparison" and token.norm != "than"


def _has(tokens: Sequence[Token], word: Token) -> bool:
    return any(one.norm == word.norm for one in tokens)


class _Role(NamedTuple):
    """A word with the preposition and the word in front of it: (led) by Smith."""

    role: str
    norm: str
    head: str
    word: Token


def _roles(tokens: Sequence[Token]) -> list[_Role]:
    """The words behind prepositions."""
    found = []
    for place, token in enumerate(tokens):
        role = _TO.get(token.text.lower(), token.text.lower())
        if place and role in LISTS["roles"]:
            after = (one for one in tokens[place + 1 : place + 4] if not is_weak(one))
            if word := next(after, None):
                found.append(_Role(role, word.norm, tokens[place - 1].norm, word))
    return found


def _made(kind: str, token: Token, document: str = "") -> Difference:
    return Difference(kind, token.text, document, (token.start, token.end))
