"""The numbers and dates of a claim beside those of a text."""

from collections.abc import Container, Sequence

from .alignment import Block
from .known import Known
from .moves import reaches
from .tokens import Token
from .wordings import has_other_words, noun_of, nouns_of

_LONG = 4  # digits from which a number identifies what it belongs to


def places_of(kind: str, tokens: Sequence[Token]) -> list[int]:
    """The places of the tokens that state a fact of a kind; the number of a symbol, x₁, states
    none.
    """
    return [place for place, one in enumerate(tokens) if one.fact == kind and not one.is_subscript]


def lacking(kind: str, tokens: Sequence[Token], others: Sequence[Token]) -> list[int]:
    """The places of the facts of a kind that others do not have."""
    has = {one.norm for one in others}
    return [place for place in places_of(kind, tokens) if tokens[place].norm not in has]


def rivals_of(ours: Sequence[Token], place: int, theirs: Sequence[Token]) -> list[int]:
    """The places of other numbers of a text that count what a number of a claim does, if it does
    not have this number.
    """
    number, noun = ours[place], noun_of(ours, place)
    numbers = places_of("number", theirs) if noun else []
    alike = [there for there in numbers if noun_of(theirs, there) == noun]
    return [] if any(theirs[there].norm == number.norm for there in alike) else alike


def narrowed(kind: str, block: Block, ours: Sequence[Token], theirs: Sequence[Token]) -> Block:
    """The numbers or dates of a block; if the text has none there, with one that counts the same
    elsewhere, or none.
    """
    left = [block.a + place for place in places_of(kind, ours[block.a : block.b])]
    right = [block.c + place for place in places_of(kind, theirs[block.c : block.d])]
    if not left:
        return block
    if not right:
        found = [there for place in left for there in rivals_of(ours, place, theirs)]
        right = found[:1]
    right = right[-len(left) :]
    start, end = (right[0], right[-1] + 1) if right else (block.c, block.c)
    return Block(left[0], left[-1] + 1, start, end)


def is_stated(
    kind: str,
    block: Block,
    words: tuple[Sequence[Token], Sequence[Token]],
    has: Container[str],
    known: Known,
) -> bool:
    """Whether the words of a text in a block state a fact of a kind otherwise than a claim: both
    have a number or a date, or the documents have that of the claim nowhere; a negation reaches
    beyond them.

    Args:
        kind: The kind of fact.
        block: The words of both that stand for each other.
        words: The tokens of the claim and of the text.
        has: The words of the documents.
        known: What the documents say of themselves.
    """
    ours, theirs = words[0][block.a : block.b], words[1][block.c : block.d]
    if kind == "negation" and all(map(has_other_words, (ours, theirs))):
        return any(map(reaches, (ours, theirs)))
    if kind not in ("number", "date") or not has_other_words(theirs):
        return True
    places = [block.a + place for place in places_of(kind, ours)]
    if not places:
        return not has_other_words(ours)
    return bool(places_of(kind, theirs)) or any(
        rivals_of(words[0], place, words[1]) or not _is_known(words[0], place, has, known)
        for place in places
    )


def _is_known(tokens: Sequence[Token], place: int, has: Container[str], known: Known) -> bool:
    """Whether the documents have a value: a long one, or one of the same noun."""
    norm = tokens[place].norm
    return (norm in has and len(norm) >= _LONG) or known.counts(norm, nouns_of(tokens, place))
