"""What a claim in other words states that the passages closest to it do not."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product, zip_longest
from typing import NamedTuple

from ...text.words import stem
from .alignment import Side
from .assignments import exchanged_values, misplaced_values
from .contrasts import contrasts
from .differences import Difference
from .directions import are_alike, exchanged_directions
from .enumerations import wrong_items
from .exceptions import opposite_states, without_exception
from .exchanged import exchanges
from .known import Known
from .majorities import other_majorities
from .meanings import meanings_of, rounded
from .measures import with_units
from .notation import Reading
from .recombined import recombined_values
from .regions import joined_values
from .rivals import sole_rivals
from .stated import without_stated
from .subjects import other_roles
from .tokens import HYPHEN, LISTS, Token, mended
from .wordings import are_opposite, direction_of, is_weak, nouns_of

_SCOPE = 4  # words after a negation that it may deny
_SHARED = 3  # words that a claim has in common with what denies it
_WINDOW = 4  # words around one and its opposite of which they share one
_STRENGTHS = ("possible", "certain")
_LONGEST = 6  # words between one that compares and "than"
_DIRECTIONS = {"up": "rose", "down": "fell"}
_ASIDE = 9  # words between commas, with these
_BEGINNING = 4  # letters that forms of a name share: Norway, Norwegian


def conflicts(
    claim: Side, passages: Sequence[Side], others: Sequence[Side], known: Known
) -> list[Difference]:
    """Facts of a claim that passages in other words do not have, or have the other way round.

    Args:
        claim: The claim.
        passages: The passages.
        others: Further passages, which may prove or disprove a value.
        known: What the documents say of themselves.
    """
    ours, theirs = aligned(claim, passages, known)
    found = [*_new_facts(ours, theirs, known), *_opposites(ours, theirs)]
    found += [*_comparisons(ours, theirs), *_denials(ours, theirs), *exchanges(ours, theirs)]
    found += [*_turned(ours, theirs), *_modalities(ours, theirs), *other_roles(ours, theirs)]
    found += [*_exchanged_values(ours, theirs), *wrong_items(ours, theirs)]
    found += [*opposite_states(ours, theirs), *without_exception(claim, passages)]
    found += _other_majorities(claim, passages)
    found += _joined_values(claim, [*passages, *others], known)
    spans = {one.span for one in found}
    found += (one for one in contrasts(claim, [*passages, *others]) if one.span not in spans)
    found = with_units(without_stated(found, ours, theirs), claim, [*passages, *others])
    values = [
        _made("number", one, other.text)
        for one, other in recombined_values(*aligned(claim, [*passages, *others], known))
    ]
    values += sole_rivals(claim, [*passages, *others])
    spans = {one.span for one in values}
    found = [*values, *(one for one in found if one.span not in spans)]
    return sorted((_as_written(one, claim.text) for one in found), key=lambda one: one.span)


def _as_written(one: Difference, claim: str) -> Difference:
    """A new number or date as the claim has it: thirty-eight."""
    is_new = one.kind in ("number", "date") and not one.document
    return replace(one, claim=claim[slice(*one.span)]) if is_new else one


def missing_words(claim: Side, passages: Sequence[Side], known: Known) -> tuple[str, ...]:
    """The words of a claim that carry meaning and that passages have in no form."""
    ours, theirs = aligned(claim, passages, known)
    has = set(map(stem, _norms(theirs)))
    words = (one for one in ours if not is_weak(one) and stem(one.norm) not in has)
    return tuple(dict.fromkeys(one.text for one in words))


def aligned(
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
    has |= {one.norm for one in left if _is_in_words(one, claim.text)}
    return mended(claim.tokens, left, has), theirs


def _is_in_words(number: Reading, text: str) -> bool:
    """Whether a number of a text is written in several words: thirty-eight."""
    words = re.split(r"[\s-]", text[number.start : number.end])
    return number.norm.isdecimal() and len(words) > 1 and all(map(str.isalpha, words))


def _new_facts(
    ours: Sequence[Token], theirs: Sequence[Sequence[Token]], known: Known
) -> Iterator[Difference]:
    """Numbers, dates, units and names that passages do not have."""
    has = _norms(theirs)
    beginnings = _beginnings(has)
    for place, token in enumerate(ours):
        if token.norm in has or is_weak(token):
            continue
        if token.is_number and token.fact != "date":
            is_new = _is_new_number(place, ours, theirs, known)
        else:
            is_named = token.norm[:_BEGINNING] in beginnings or token.norm in known.words
            is_new = token.fact in ("date", "unit", "name") and not is_named
        if is_new:
            yield _made(token.fact, token)


def _is_new_number(
    place: int, ours: Sequence[Token], theirs: Sequence[Sequence[Token]], known: Known
) -> bool:
    """Whether a number that passages do not have is a value, and not known otherwise."""
    is_no_value = _is_known_date(ours[place], known) or _is_pronoun(ours, place)
    return not is_no_value and not _is_counted(place, ours, theirs, known)


def _is_pronoun(tokens: Sequence[Token], place: int) -> bool:
    """Whether a number is "one" instead of a noun: "the other one", "one of 5 mg"."""
    after = tokens[place + 1 : place + 3]
    is_of_value = len(after) == 2 and after[0].norm == "of" and after[1].is_number
    return tokens[place].text.lower() == "one" and (
        is_of_value or not after or not after[0].is_word
    )


def _norms(passages: Iterable[Sequence[Token]]) -> set[str]:
    return {one.norm for tokens in passages for one in tokens}


def _beginnings(norms: Iterable[str]) -> set[str]:
    """The first letters of words, which forms of one name share."""
    return {norm[:_BEGINNING] for norm in norms}


def _is_known_date(token: Token, known: Known) -> bool:
    """Whether a token is a day, 1/5/2020, that the documents have as their own."""
    return "/" in token.norm and token.norm in known.words


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
    has = _norms(theirs)
    if "than" in has & _norms([ours]):
        return  # see ``_comparisons``
    if any(are_alike(ours, tokens) for tokens in theirs):
        return
    beginnings = _beginnings(has)
    for place, token in enumerate(ours):
        norm = _direction(ours, place)
        if (is_weak(token) and norm == token.norm) or token.norm[:_BEGINNING] in beginnings:
            continue
        if other := _opposite_in(theirs, norm, _beside(ours, place)):
            yield _made("opposite", token, other.text)


def _turned(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """That what rises in passages falls in a claim, and the other way round."""
    for first, second in exchanged_directions(ours, theirs):
        yield _made("order", first, second.text)


def _direction(tokens: Sequence[Token], place: int) -> str:
    """The norm of a word; "up" and "down" right before a number say that it rises or falls."""
    norm = tokens[place].norm
    after = tokens[place + 1 : place + 2]
    return _DIRECTIONS.get(norm, norm) if after and after[0].is_number else norm


def _opposite_in(passages: Sequence[Sequence[Token]], norm: str, beside: set[str]) -> Token | None:
    """The first opposite of a word that has some of the same stems beside it; None without one."""
    for tokens in passages:
        for place, one in enumerate(tokens):
            if are_opposite(norm, one.norm) and beside & _beside(tokens, place):
                return one
    return None


def _beside(tokens: Sequence[Token], place: int) -> set[str]:
    """The stems of the words around one."""
    near = (*tokens[max(0, place - _WINDOW) : place], *tokens[place + 1 : place + 1 + _WINDOW])
    return {stem(one.norm) for one in near if not is_weak(one)}


def _denials(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """A word that only one side denies, where the other side has it and no negation at all.

    Two negations may undo each other, so a clause with more than one is left alone.
    """
    own = _negated(ours)
    has = [_negated(tokens) for tokens in theirs]
    denied = set[str]().union(*(one.denied for one in has))
    stated = set[str]().union(*(one.stated for one in has))
    if own.negations > 1 or own.denied & denied:
        return
    if next_denied := _denied_next(own, has):
        yield _denial(ours, next_denied)
        return
    for tokens, there in _of_links(own, zip(theirs, has, strict=True)):
        wrong = _contradicted(own, there, _denied_once(tokens) - stated)
        if wrong and len(own.stems & there.stems) >= _SHARED:
            yield _denial(ours, wrong)
            return


def _of_links(
    own: "_Negated", passages: Iterable[tuple[Sequence[Token], "_Negated"]]
) -> Iterator[tuple[Sequence[Token], "_Negated"]]:
    """The passages that have the prepositions behind the negations of a claim: "the books are red"
    does not contradict "it is not about books".
    """
    for tokens, there in passages:
        if own.links <= _norms([tokens]):
            yield tokens, there


def _denied_next(own: "_Negated", passages: Sequence["_Negated"]) -> frozenset[str]:
    """The stems that a passage denies of what the one before it names, "It is not a mill", if a
    claim states nothing but these of that: "The old house is a mill"; empty if there are none.
    """
    for before, there in pairwise(passages):
        rest = own.stems - there.stems
        is_same = bool(rest) and there.stems <= own.stems and rest <= before.stems
        if is_same and (own.negations, there.negations) == (0, 1) and len(there.denied) > 1:
            return frozenset(there.denied)
    return frozenset()


def _denial(tokens: Sequence[Token], wrong: Collection[str]) -> Difference:
    """A denial of the first word of a claim that has one of these stems."""
    place, first = next(
        (place, token) for place, token in enumerate(tokens) if stem(token.norm) in wrong
    )
    denials = [token for token in tokens[:place] if token.fact == "negation"]
    if not denials:
        return _made("negation", first, f"not {first.text}")
    span = denials[-1].start, first.end
    return Difference("negation", f"{denials[-1].text} {first.text}", first.text, span)


def _contradicted(own: "_Negated", there: "_Negated", denied_once: set[str]) -> set[str]:
    """The stems that one side denies and the other one states, if only one of them negates."""
    if own.negations == 0:
        return own.stated & denied_once
    return own.denied & there.stated if there.negations == 0 else set()


def _denied_once(tokens: Sequence[Token]) -> set[str]:
    """The stems that clauses with one negation deny."""
    clauses = [clause for clause in map(_negated, _clauses(tokens)) if clause.negations == 1]
    return {word for clause in clauses for word in clause.denied}


def _clauses(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens between punctuation marks, and those behind "but" or "although"."""
    found: list[Token] = []
    for token in tokens:
        if token.norm in LISTS["clauses"] and found:
            yield found
            found = []
        found.append(token)
    yield found


class _Negated(NamedTuple):
    """What a text denies, and what it states."""

    negations: int
    denied: set[str]  # the stems of the words right behind them
    stated: set[str]  # those of the others
    links: set[str]  # prepositions right behind negations: not about

    @property
    def stems(self) -> set[str]:
        """The stems of all words."""
        return self.denied | self.stated


def _is_mark(token: Token) -> bool:
    """Whether a token is no word, and no hyphen of one."""
    return not token.is_word and token.norm != HYPHEN


def _is_said(token: Token) -> bool:
    """Whether a word is one that a text may deny or state; names are neither."""
    is_meant = not is_weak(token) and token.norm not in LISTS["stressing"]
    return is_meant and token.fact != "name"


def _ends_clause(token: Token, after: Token | None) -> bool:
    """Whether a mark ends a clause, or an "and" that joins another verb: "and will refund"."""
    behind = after.text.lower() if after and token.norm == "and" else ""
    return _is_mark(token) or behind in LISTS["auxiliaries"]


def _denies(token: Token, after: Token | None) -> bool:
    """Whether a word denies what follows: "not", "failed to", and not "not only"."""
    behind = after.text.lower() if after else ""
    is_stress = f"{token.norm}_{behind}" in LISTS["stressed"]
    is_negation = token.fact == "negation" and not is_stress
    return is_negation or (token.norm in LISTS["denials"] and behind == "to")


def _negated(tokens: Sequence[Token]) -> _Negated:
    """What tokens deny and state."""
    denied, stated, links, left, count = set[str](), set[str](), set[str](), 0, 0
    for token, after in zip_longest(tokens, tokens[1:]):
        if _denies(token, after):
            left, count = _SCOPE, count + 1
            links |= LISTS["prepositions"].intersection(_norms([[*filter(None, [after])]]))
        elif token.norm == "non":
            left, count = 1, count + 1
        elif _ends_clause(token, after):
            left = 0
        elif _is_said(token):
            (denied if left > 0 else stated).add(stem(token.norm))
            left -= 1
    return _Negated(count, denied, stated, links)


def _modalities(ours: Sequence[Token], theirs: Sequence[Sequence[Token]]) -> Iterator[Difference]:
    """Verbs that a claim says will or must be, and passages only that they may be, or the other way
    round.
    """
    has = [one for tokens in theirs for one in _modal_verbs(tokens)]
    for one in _modal_verbs(ours):
        rivals = [it for it in has if it.verb == one.verb and it.beside & one.beside]
        if rivals and one.strength not in {it.strength for it in rivals}:
            yield _made("modality", one.modal, rivals[0].modal.text)


def _is_denied(tokens: Sequence[Token], place: int, verb: Token) -> bool:
    """Whether a negation stands in front of the modal at a place, or instead of its verb."""
    before = tokens[max(0, place - _SCOPE) : place]
    return "negation" in {one.fact for one in (*before, verb)}


class _Modal(NamedTuple):
    """A verb with "may", "must" or the like in front of it."""

    modal: Token
    strength: str
    verb: str
    beside: set[str]


def _modal_verbs(tokens: Sequence[Token]) -> Iterator[_Modal]:
    """The verbs of a text that are said to be possible or certain, and are not denied: nobody may
    do what nobody shall do.
    """
    for place, token in enumerate(tokens):
        strength = next((one for one in _STRENGTHS if token.text.lower() in LISTS[one]), "")
        start = _behind_aside(tokens, place + 1) if strength else len(tokens)
        after = tokens[start : start + _SCOPE]
        verb = next((one for one in after if not is_weak(one)), None)
        if verb and not _is_denied(tokens, place, verb):
            beside = _beside(tokens, start + after.index(verb))
            yield _Modal(token, strength, stem(verb.norm), beside)


def _behind_aside(tokens: Sequence[Token], place: int) -> int:
    """The place behind what stands between commas: "may, at his discretion, order"."""
    norms = [one.norm for one in tokens[place : place + _ASIDE]]
    if norms[:1] != [","] or "," not in norms[1:]:
        return place
    return place + norms.index(",", 1) + 1


def _exchanged_values(
    ours: Sequence[Token], theirs: Sequence[Sequence[Token]]
) -> Iterator[Difference]:
    """Values each of which a passage gives to what the other one belongs to."""
    for first, second in exchanged_values(ours, theirs):
        yield Difference("order", first.text, second.text, (first.start, first.end))


def _other_majorities(claim: Side, passages: Sequence[Side]) -> Iterator[Difference]:
    """Majorities of a claim, where the passages that have half of its words name others."""
    words = _content(claim.tokens)
    near = [one for one in passages if 2 * len(words & _content(one.tokens)) >= len(words)]
    for own, other in other_majorities(claim.text, "\n".join(one.text for one in near)):
        text = "\n".join(one.text for one in near)[other.start : other.end]
        yield Difference("number", claim.text[own.start : own.end], text, (own.start, own.end))


def _content(tokens: Iterable[Token]) -> set[str]:
    """The stems of the words that carry meaning."""
    return {stem(one.norm) for one in tokens if not is_weak(one)}


def _joined_values(claim: Side, passages: Sequence[Side], known: Known) -> Iterator[Difference]:
    """Values that passages give to something else, each with that of what the claim names."""
    ours, theirs = aligned(claim, passages, known)
    words = _content(ours)
    for first, second in (*joined_values(ours, theirs), *misplaced_values(ours, theirs)):
        is_closer = _shared(words, first, theirs) > _shared(words, second, theirs)
        if is_closer or _is_of_change(ours, first, second, theirs):
            continue  # another sentence that has fewer words of the claim
        yield Difference("number", first.text, second.text, (first.start, first.end))


def _is_of_change(
    ours: Sequence[Token], own: Token, other: Token, passages: Iterable[Sequence[Token]]
) -> bool:
    """Whether a claim says by how much something rises or falls, as the passages with its value do,
    while those with another value say only how much it is.
    """
    said = _directions(ours)
    has = [({*_norms([tokens])}, _directions(tokens)) for tokens in passages]
    with_own = [one for norms, one in has if own.norm in norms]
    with_other = [one for norms, one in has if other.norm in norms]
    is_same = bool(said) and any(said & one for one in with_own)
    return is_same and not any(with_other)


def _directions(tokens: Iterable[Token]) -> set[str]:
    return {direction_of(one.norm) for one in tokens} - {""}


def _shared(words: set[str], value: Token, passages: Iterable[Sequence[Token]]) -> int:
    """How many of some words the passage with a value has that has most of them."""
    texts = (tokens for tokens in passages if value.norm in _norms([tokens]))
    return max((len(words & _content(tokens)) for tokens in texts), default=0)


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


def _made(kind: str, token: Token, document: str = "") -> Difference:
    return Difference(kind, token.text, document, (token.start, token.end))
