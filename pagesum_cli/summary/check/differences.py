"""How a claim differs from a text of a document."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product
from os.path import commonprefix
from typing import NamedTuple

from ...text.words import STOP_WORDS, lcs_pairs, positions_of, stem
from .known import NOTHING, Known
from .layout import as_copied, without_gaps
from .meanings import kind_of, meanings_of, rounded
from .tokens import DATA, FACTS, HYPHEN, LISTS, PUNCTUATION, Token, are_words, mended

MIN_COVERAGE, MIN_SHARED, MIN_ORDERED = 0.6, 0.85, 0.3
"""Shares of a claim's words, in order or in any order, and then in order, that make it a copy of a
sentence.
"""

_SOFT = {"comparison", "modality"}
"""Kinds of facts that other words may express, too."""

_LONGEST_ADVERB = 3
"""Words of an omission that may change what is left by a comparison or a modality."""

CHANGES = {*FACTS, "opposite", "order", "question", "speaker", "label"}
"""Kinds of differences that make a claim state something else."""

_CONJUNCTIONS = frozenset(["and", "or"])
_BOUNDS = frozenset(",;:()[]–.!?'")
_AT_ENDS = PUNCTUATION - frozenset("()[]!?") | {"*"}
_CLOSING = _AT_ENDS | set(")]")
_WEAK = (
    STOP_WORDS
    - LISTS["negation"]
    - LISTS["modality"]
    - LISTS["comparison"]
    - {"he", "she", "his", "her"}
)
_PAIRS = [tuple(pair.split()) for pair in DATA["opposites"]["pairs"]]
_BY_LETTER: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
"""Each beginning of a word and that of its opposite, by the first letter."""
for _pair in (*_PAIRS, *(pair[::-1] for pair in _PAIRS)):
    _BY_LETTER[_pair[0][0]].append(_pair)


class Block(NamedTuple):
    """Tokens of a claim, from ``a`` up to ``b``, that stand where the document has its tokens ``c``
    up to ``d``.
    """

    a: int
    b: int
    c: int
    d: int


@dataclass(frozen=True)
class Difference:
    """What the claim and the document have at the same place."""

    # one of ``CHANGES``; of an edited quote omission, insertion, citation, case, punctuation, form
    # or moved; and ``wording`` is other words for what may be the same
    kind: str
    # claim, document: the words; empty where there are none
    claim: str
    document: str
    span: tuple[int, int] = (0, 0)  # their place in the claim


class Side(NamedTuple):
    """A text that is compared, and its tokens."""

    text: str
    tokens: list[Token]


class Comparison:
    """A claim beside one or several sentences.

    Args:
        claim: The claim.
        source: The text of the document.
        known: What the documents say of themselves.
        is_drawn: Whether the document is drawn on pages: see ``layout.py``.

    Attributes:
        coverage: The share of the claim's words that the text has in the same order, 0–1.
        is_copy: Whether the claim is a copy of the text, changed or not.
    """

    def __init__(
        self, claim: Side, source: Side, known: Known = NOTHING, *, is_drawn: bool = False
    ) -> None:
        self._known = known
        (self._claim, ours), (self._source, theirs) = claim, source
        texts = [as_copied(one.text) if is_drawn else one.text for one in (claim, source)]
        norms = [{one.norm for one in side} for side in (theirs, ours)]
        left, right = (
            (*meanings_of(text), *known.short_forms_in(text, others))
            for text, others in zip(texts, norms, strict=True)
        )
        right = (*right, *rounded(left, right))
        said = {one.norm for one in ours} | {one.norm for one in left}
        theirs = mended(theirs, right, said)
        has = {one.norm for one in source.tokens + theirs} | {one.norm for one in right}
        self._ours, self._theirs = _stripped(mended(ours, left, has)), _stripped(theirs)
        self._is_drawn = is_drawn
        positions = positions_of([token.norm for token in self._theirs])
        self._pairs = lcs_pairs([token.norm for token in self._ours], positions, len(self._theirs))
        paired = {j for _, j in self._pairs}
        self._loose = Counter(
            _singular(one.norm) for place, one in enumerate(self._theirs) if place not in paired
        )
        """What the text has without a word of the claim beside it."""
        words = [token.norm for token in self._ours if token.is_word]
        shared = (Counter(words) & Counter(token.norm for token in self._theirs)).total() / max(
            len(words), 1
        )
        self.coverage = sum(self._ours[i].is_word for i, _ in self._pairs) / max(len(words), 1)
        content = [token.is_word and token.norm not in STOP_WORDS for token in self._ours]
        of_content = sum(content[i] for i, _ in self._pairs) / max(sum(content), 1)
        is_close = min(self.coverage, of_content) >= MIN_COVERAGE or (
            shared >= MIN_SHARED and self.coverage >= MIN_ORDERED
        )
        self.is_copy = is_close and (len(words) > 2 or self.coverage == 1)

    def differences(self, known: Container[str], *, is_part: bool) -> list[Difference]:
        """What differs, in the order of the claim, from documents with these words; a part need not
        be a whole sentence.
        """
        blocks, a, c = [], 0, 0
        for i, j in [*self._pairs, (len(self._ours), len(self._theirs))]:
            if i > a or j > c:
                blocks.append(Block(a, i, c, j))
            a, c = i + 1, j + 1
        if moved := self._moved(blocks) or self._reordered():
            return [moved]
        blocks = [
            one
            for one in blocks
            if not (self._is_of_layout(one) or (is_part and self._is_around(one)))
        ]
        found = [self._made(self._kind(block, known), block) for block in blocks]
        found += self._of_pairs()
        return sorted(found, key=lambda one: one.span)

    def _is_around(self, block: Block) -> bool:
        """Whether a block is only what the document has around the claim, and no part of its first
        or last word.
        """
        if block.b > block.a or 0 < block.a < len(self._ours):
            return False
        place = block.d if block.a == 0 else block.c
        inside, outside = self._theirs[place - 1 : place], self._theirs[place : place + 1]
        neighbors = [*inside, *outside]
        is_attached = len(neighbors) == 2 and neighbors[0].end == neighbors[1].start
        return not is_attached or any(
            one.norm in PUNCTUATION - {HYPHEN} or one.norm in _BOUNDS for one in neighbors
        )

    def _is_of_layout(self, block: Block) -> bool:
        """Whether a block is only a hyphen that a document drawn on pages has at the end of a line,
        next to letters, or the closing marks that a copy has cut off.
        """
        theirs = self._theirs[block.c : block.d]
        if not self._is_drawn or block.b > block.a:
            return False
        if block.d == len(self._theirs):
            return all(one.norm in _CLOSING for one in theirs)
        if len(theirs) != 1 or not theirs[0].is_break:
            return False
        return any(one.norm.isalpha() for one in self._theirs[max(0, block.c - 1) : block.d + 1])

    def _of_pairs(self) -> Iterator[Difference]:
        """How words that are the same are written differently, and spaces more or less."""
        ours, theirs = self._ours, self._theirs
        for i, j in self._pairs:
            kind = _kind_of_pair(ours[i], theirs[j], is_first=i == 0)
            if kind and not (self._is_drawn and _are_drawn_alike(ours[i], theirs[j])):
                yield self._made(kind, Block(i, i + 1, j, j + 1))
        for (h, k), (i, j) in pairwise(self._pairs):
            if (i - h, j - k) == (1, 1):
                kind = _kind_of_space(ours[h : i + 1], theirs[k : j + 1])
                if kind and not (self._is_drawn and ours[h].is_number != ours[i].is_number):
                    yield self._made(kind, Block(h, i + 1, k, j + 1))

    def _made(self, kind: str, block: Block) -> Difference:
        ours, theirs = self._ours[block.a : block.b], self._theirs[block.c : block.d]
        place = ours[0].start if ours else self._ours[block.a - 1].end if block.a else 0
        span = place, ours[-1].end if ours else place
        document = self._source[theirs[0].start : theirs[-1].end] if theirs else ""
        return Difference(kind, self._claim[slice(*span)], document, span)

    def _moved(self, blocks: Sequence[Block]) -> Difference | None:
        """Words that both have at other places: exchanged, or moved as a whole."""
        parts = [
            (self._ours[block.a : block.b], self._theirs[block.c : block.d]) for block in blocks
        ]
        left, right = (
            [one.norm for part in parts for one in part[side] if not is_weak(one)]
            for side in (0, 1)
        )
        common = Counter(left) & Counter(right)
        touched = [
            place
            for place, part in enumerate(parts)
            if common.keys() & {one.norm for one in (*part[0], *part[1])}
        ]
        if len(touched) < 2 or common.total() < 0.8 * len(left):
            return None
        are_one_sided = len(parts) == 2 and all(not ours or not theirs for ours, theirs in parts)
        begin = {
            next((one.norm for one in ours or theirs if one.is_word), "") for ours, theirs in parts
        }
        is_adverbial = are_one_sided and left == right and begin <= LISTS["adverbial"]
        first, last = blocks[touched[0]], blocks[touched[-1]]
        return self._made(
            "moved" if is_adverbial else "order", Block(first.a, last.b, first.c, last.d)
        )

    def _reordered(self) -> Difference | None:
        """Numbers or dates that have changed places, each without the words beside it."""
        places = defaultdict[str, list[int]](list)
        for place, token in enumerate(self._theirs):
            places[token.norm].append(place)
        own = dict(self._pairs)
        moved = [
            (i, own.get(i, places[token.norm][0]))
            for i, token in enumerate(self._ours)
            if token.fact in ("number", "date") and (i in own or len(places[token.norm]) == 1)
        ]
        for (h, k), (i, j) in pairwise(moved):
            if j < k and not self._is_alike_beside(h, k) and not self._is_alike_beside(i, j):
                return self._made("order", Block(h, i + 1, j, k + 1))
        return None

    def _is_alike_beside(self, i: int, j: int) -> bool:
        """Whether a word of the claim and one of the text have the same word before or after."""
        return any(
            0 <= i + step < len(self._ours)
            and 0 <= j + step < len(self._theirs)
            and self._ours[i + step].norm == self._theirs[j + step].norm
            for step in (-1, 1)
        )

    def _kind(self, block: Block, known: Container[str]) -> str:
        ours = [token for token in self._ours[block.a : block.b] if token.norm not in PUNCTUATION]
        theirs = [
            token for token in self._theirs[block.c : block.d] if token.norm not in PUNCTUATION
        ]
        if not ours and not theirs:
            marks = (self._ours[block.a : block.b], self._theirs[block.c : block.d])
            asks = ["?" in [one.norm for one in side] for side in marks]
            return "punctuation" if asks[0] == asks[1] else "question"
        if ours and theirs:
            return self._of_exchange(block, ours, theirs) or _of_other_words(ours, theirs)
        if all(token.is_citation for token in (ours or theirs)):
            return "citation"
        if theirs:
            return self._of_omission(block, theirs)
        is_bracket = {"[", "]"} <= {
            token.norm for token in self._ours[max(0, block.a - 1) : block.b + 1]
        }
        supported = (
            ("name", "date", "unit")
            if is_bracket and all(token.norm in known for token in ours)
            else ()
        )
        added = [one for one in ours if _singular(one.norm) not in self._loose]
        facts = _facts(added)
        kind = next((one for one in FACTS if facts[one] and one not in supported), "insertion")
        return "wording" if self._is_told(kind, block, added) else kind

    def _is_told(self, kind: str, block: Block, added: Sequence[Token]) -> bool:
        """Whether what a claim adds stands elsewhere in the documents: around the statement a name
        or a date that a title page or the references have, or a number of the same things.
        """
        if kind in ("name", "date"):
            content = [i for i, _ in self._pairs if not is_weak(self._ours[i])]
            is_around = bool(content) and (block.b <= content[0] or block.a > content[-1])
            own = self._ours[block.a : block.b]
            values = meanings_of(self._claim[own[0].start : own[-1].end])
            is_dated = any("/" in one.norm and one.norm in self._known.words for one in values)
            stated = ("name", "number") if is_dated else ("name", "number", "date")
            named = [one.norm for one in added if one.fact in stated]
            return is_around and self._known.words.issuperset(named)
        numbers = [i for i in range(block.a, block.b) if self._ours[i].fact == "number"]
        return kind == "number" and all(
            self._known.counts(self._ours[place].norm, nouns_of(self._ours, place))
            for place in numbers
        )

    def _of_exchange(self, block: Block, ours: Sequence[Token], theirs: Sequence[Token]) -> str:
        """The kind of fact that words have instead of others; empty if they state the same, less,
        or what the document has at another place.
        """
        left, right = _facts(ours), _facts(theirs)
        changed = [kind for kind in FACTS if left[kind] != right[kind]]
        counted = self._changing(block) | {"negation", "sign"}
        if not (_has_other_words(ours) or _has_other_words(theirs)):
            counted |= _SOFT
        elif theirs[0].norm in _CONJUNCTIONS and not left["negation"]:
            counted -= {"negation"}
        added = {kind for kind in set(changed) - _SOFT if left[kind] - right[kind] - self._loose}
        return next((kind for kind in changed if kind in counted | added), "")

    def _changing(self, block: Block) -> set[str]:
        """The kinds of facts that change what stands right beside them if they are left out."""
        gone = [one for one in self._theirs[block.c : block.d] if one.norm not in LISTS["in_names"]]
        before, after = self._theirs[: block.c][-1:], self._theirs[block.d :][:1]
        edges = [*product(before, gone[:1]), *product(after, gone[-1:])]
        kinds = {"number", "unit", "name"}
        if any(kept.is_number and gone.fact in kinds for kept, gone in edges):
            return kinds
        return {"name"} if any(kept.fact == gone.fact == "name" for kept, gone in edges) else set()

    def _of_omission(self, block: Block, words: Sequence[Token]) -> str:
        """The kind of an omission: it may change what is left."""
        before, after = self._theirs[: block.c][-1:], self._theirs[block.d :][:1]
        starts, ends = [*before, self._theirs[block.c]], [self._theirs[block.d - 1], *after]
        if all(
            len(side) < 2 or any(one.norm in _BOUNDS for one in side) for side in (starts, ends)
        ):
            return "omission"
        is_phrase = sum(one.is_word for one in words) > _LONGEST_ADVERB
        changing = {"negation", "sign", *(_SOFT if after and not is_phrase else ())}
        changing |= self._changing(block)
        facts = _facts(words)
        return next((kind for kind in FACTS if kind in changing and facts[kind]), "omission")


def _facts(tokens: Sequence[Token]) -> dict[str, Counter[str]]:
    """What tokens state, by kind; negations are alike."""
    facts = {
        kind: Counter(_singular(token.norm) for token in tokens if token.fact == kind)
        for kind in FACTS
    }
    return facts | {"negation": Counter("not" for token in tokens if token.fact == "negation")}


def _singular(norm: str) -> str:
    """A name without the ending of its plural: BIDs, BID."""
    return norm[:-1] if len(norm) > 3 and norm[-1] == "s" and norm[-2] != "s" else norm


def _has_other_words(tokens: Sequence[Token]) -> bool:
    """Whether tokens have words that carry meaning and state no fact."""
    return any(not one.fact and not is_weak(one) for one in tokens)


def _kind_of_pair(ours: Token, theirs: Token, *, is_first: bool) -> str:
    """How two tokens differ that are the same but for how they are written; empty if only in
    typographic variants.
    """
    one, other = ours.written, theirs.written
    if one == other or (is_first and _is_capital_only(one, other)):
        return ""
    words = {*one.lower().split(), *other.lower().split()}
    if words & DATA["same"].keys() and one.lower() != other.lower():
        return "form"
    if one.lower() != other.lower() and (kind := kind_of(ours.norm)):
        return kind
    if one.lower() == other.lower():
        return "unit" if "unit" in (ours.fact, theirs.fact) else "case"
    if {ours.fact, theirs.fact} & {"negation"} and ours.fact != theirs.fact:
        return "negation"
    both = re.sub(r"[\s'-]", "", one + other)
    return "spelling" if both.isalpha() else "notation"


def _are_drawn_alike(ours: Token, theirs: Token) -> bool:
    """Whether two tokens differ only in a space between a number and letters."""
    return without_gaps(ours.written) == without_gaps(theirs.written)


def _is_capital_only(one: str, other: str) -> bool:
    """Whether the first letter of two words is large in one of them, as where a sentence
    begins.
    """
    same = one[1:] == other[1:] and one[0].lower() == other[0].lower()
    is_word = one[1:].islower() or (len(one) > 3 and one[1].islower())
    return same and (is_word or one in "aA")


def _kind_of_space(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    """What a space between two words is that only one side has; empty if it matters not."""
    is_attached = [one.end == other.start for one, other in (ours, theirs)]
    if is_attached[0] == is_attached[1] or not are_words((*ours, *theirs)):
        return ""
    return "number" if all(one.norm.isdecimal() for one in ours) else "spacing"


def _stripped(tokens: list[Token]) -> list[Token]:
    """Tokens without punctuation at both ends, except brackets."""
    places = [place for place, token in enumerate(tokens) if token.norm not in _AT_ENDS]
    return tokens[places[0] : places[-1] + 1] if places else []


def is_weak(token: Token) -> bool:
    """Whether a token carries no meaning of its own."""
    return token.norm in _WEAK or not token.is_word


def _of_other_words(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    if not any(token.is_word for token in (*ours, *theirs)):
        return "sign"
    letters = ["".join(token.norm for token in side if token.is_word) for side in (ours, theirs)]
    if letters[0] == letters[1]:
        return "spelling"
    left, right = ({token.norm for token in side} for side in (ours, theirs))
    left, right = left - right, right - left
    pairs = [(one, other) for one in left for other in right]
    if any(are_opposite(one, other) for one, other in pairs):
        return "opposite"
    if any(_is_negated(one, other) or _is_negated(other, one) for one, other in pairs):
        return "negation"
    alike = {word for pair in pairs if _are_forms(*pair) for word in pair}
    return "form" if (left | right) - _WEAK <= alike else "wording"


def _are_forms(one: str, other: str) -> bool:
    """Whether two words differ only in an ending of English inflection."""
    start = len(commonprefix([one, other]))  # noqa: RUF071
    return start > 2 and {one[start:], other[start:]} <= LISTS["endings"] | {""}


def _is_negated(one: str, other: str) -> bool:
    """Whether a word is another one with a negative beginning."""
    return (
        len(other) > 3
        and one.endswith(other)
        and one.removesuffix(other) in LISTS["negative_beginnings"]
    )


def nouns_of(tokens: Sequence[Token], place: int) -> set[str]:
    """What a number counts: the stems of the words after it."""
    return {stem(one.norm) for one in tokens[place + 1 : place + 4] if not is_weak(one)}


def are_opposite(one: str, other: str) -> bool:
    """Whether two words say the opposite of each other."""
    return any(_begins(other, opposite) for opposite in _opposites(one))


@lru_cache(maxsize=1 << 16)
def _opposites(word: str) -> list[str]:
    """How the words begin that say the opposite of a word."""
    return [opposite for beginning, opposite in _BY_LETTER[word[:1]] if _begins(word, beginning)]


def _begins(word: str, beginning: str) -> bool:
    """Whether a word is a form of what begins so; short beginnings are whole words."""
    return word.startswith(beginning) and len(word) - len(beginning) <= (
        4 if len(beginning) > 3 else 0
    )
