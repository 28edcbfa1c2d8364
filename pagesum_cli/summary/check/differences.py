"""How a claim differs from a text of a document."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from ...text.words import STOP_WORDS
from .alignment import AT_ENDS, Block, Side, aligned_sides, pairs_of
from .assignments import RESPECTIVELY, exchanged_values, misplaced_values
from .conditions import RESTRICTION, leaves_out_restriction
from .directions import exchanged_directions
from .known import NOTHING, Known
from .links import kind_of_link
from .majorities import other_majorities
from .meanings import meanings_of
from .moves import (
    are_same_lists,
    content_of,
    is_adverbial,
    is_genitive,
    norms_of,
    with_parted_denial,
    without_exponents,
    without_far_denial,
)
from .omitted import BOUNDS, kind_of_gap, restricts
from .orders import is_in_order
from .recombined import recombined_values
from .regions import joined_values
from .titles import without_courtesy, without_titles
from .tokens import FACTS, HYPHEN, LISTS, PUNCTUATION, Token
from .values import is_stated, lacking, narrowed
from .wordings import (
    are_drawn_alike,
    facts_of,
    first_fact,
    has_other_words,
    is_weak,
    kind_of_marks,
    kind_of_other_words,
    kind_of_pair,
    kind_of_space,
    nouns_of,
    without_ending,
)

MIN_COVERAGE, MIN_SHARED, MIN_ORDERED = 0.6, 0.85, 0.3
"""Shares of a claim's words, in order or in any order, and then in order, that make it a copy of a
sentence.
"""

MIN_UNMOVED = 0.65
"""The share of a claim's words in the same order with which the rest of them may be exchanged."""

_SOFT = {"comparison", "modality"}
"""Kinds of facts that other words may express, too."""

_LONGEST_ADVERB = 3
"""Words of an omission that may change what is left by a comparison or a modality."""

CHANGES = {*FACTS, "opposite", "order", "question", "speaker", "label"}
"""Kinds of differences that make a claim state something else."""

_FINDERS = (
    ("order", exchanged_directions),
    ("order", exchanged_values),
    ("number", joined_values),
    ("number", misplaced_values),
    ("number", recombined_values),
)
_LONGEST_MOVED = 2  # words of meaning that the text has at another place
_LONGEST_NOUN = 4  # words of a noun with which another one may change places

_CONJUNCTIONS = frozenset(["and", "or"])
_CLOSING = AT_ENDS | set(")]")


@dataclass(frozen=True)
class Difference:
    """What the claim and the document have at the same place."""

    # one of ``CHANGES``; of an edited quote omission, insertion, citation, case, punctuation, form,
    # moved; and ``wording`` is other words for what may be the same
    kind: str
    # claim, document: the words; empty where there are none
    claim: str
    document: str
    span: tuple[int, int] = (0, 0)  # their place in the claim
    is_sure: bool = False  # whether it shows alone that a claim in other words is wrong


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
        self._claim, self._source, self._is_drawn = claim.text, source.text, is_drawn
        self._ours, self._theirs = aligned_sides(claim, source, known, is_drawn=is_drawn)
        self._pairs = pairs_of(self._ours, self._theirs)
        paired = {j for _, j in self._pairs}
        loose = (norm for place, norm in enumerate(norms_of(self._theirs)) if place not in paired)
        self._loose = Counter(map(without_ending, loose))
        """What the text has without a word of the claim beside it."""
        self.coverage = self._share_in_order([one.is_word for one in self._ours])
        self.is_copy = self._is_copied()

    def _share_in_order(self, are_counted: Sequence[bool]) -> float:
        """The share of the claim's tokens that are counted that the text has in the same order."""
        return sum(are_counted[i] for i, _ in self._pairs) / max(sum(are_counted), 1)

    def _is_copied(self) -> bool:
        """Whether the text has enough of the claim's words; of one or two, it must have both."""
        words = norms_of(one for one in self._ours if one.is_word)
        if len(words) <= 2 and self.coverage < 1:
            return False
        content = [one.is_word and one.norm not in STOP_WORDS for one in self._ours]
        if min(self.coverage, self._share_in_order(content)) >= MIN_COVERAGE:
            return True
        shared = (Counter(words) & Counter(norms_of(self._theirs))).total()
        return shared / max(len(words), 1) >= MIN_SHARED and self.coverage >= MIN_ORDERED

    def differences(self, known: Container[str], *, is_part: bool) -> list[Difference]:
        """What differs, in the order of the claim, from documents with these words; a part need not
        be a whole sentence.
        """
        blocks = [*self._blocks()]
        if moved := self._reordered() or self._shuffled(blocks):
            return [*self._replaced(), moved]
        found = [*self._of_pairs(), *self._of_order()]
        for block in blocks:
            is_outside = is_part and self._is_around(block)
            if not (is_outside or self._is_of_layout(block)):
                kind = self._kind(block, known)
                found.append(self._made(kind, self._narrowed(kind, block)))
        found.sort(key=lambda one: one.span)
        is_changed = {one.kind for one in found} & CHANGES
        return [*self._exchanged(), *found] if found and not is_changed else found

    def _of_order(self) -> Iterator[Difference]:
        """That a claim has the same in another order."""
        if self._pairs and not is_in_order(self._ours):
            theirs = self._theirs[self._pairs[0][1] : self._pairs[-1][1] + 1]
            document = self._source[theirs[0].start : theirs[-1].end]
            yield Difference("moved", self._claim, document, (0, len(self._claim)))

    def _exchanged(self) -> Iterator[Difference]:
        """Values that the text gives to something else, and majorities that it does not have."""
        for own, other in other_majorities(self._claim, self._source):
            words = self._claim[own.start : own.end], self._source[other.start : other.end]
            yield Difference("number", *words, (own.start, own.end))
        for kind, find in _FINDERS:
            for first, second in find(self._ours, [self._theirs]):
                yield Difference(kind, first.text, second.text, (first.start, first.end))

    def _narrowed(self, kind: str, block: Block) -> Block:
        """A block of another number or date without the words around it; and one in which only one
        side has words, without the marks of the other one.
        """
        ours, theirs = self._sides(block)
        if bool(_without_marks(ours)) != bool(_without_marks(theirs)):
            return (
                block._replace(b=block.a) if _without_marks(theirs) else block._replace(d=block.c)
            )
        is_value = kind in ("number", "date")
        return narrowed(kind, block, self._ours, self._theirs) if is_value else block

    def _blocks(self) -> Iterator[Block]:
        """What is between the tokens that both have."""
        a, c = 0, 0
        for i, j in [*self._pairs, (len(self._ours), len(self._theirs))]:
            if i > a or j > c:
                yield Block(a, i, c, j)
            a, c = i + 1, j + 1

    def _sides(self, block: Block) -> tuple[list[Token], list[Token]]:
        """The tokens of the claim and of the text in a block."""
        ours, theirs = self._ours[block.a : block.b], self._theirs[block.c : block.d]
        return with_parted_denial(ours), with_parted_denial(theirs)

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
            one.norm in PUNCTUATION - {HYPHEN} or one.norm in BOUNDS for one in neighbors
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
            kind = kind_of_pair(ours[i], theirs[j], is_first=i == 0)
            if kind and not (self._is_drawn and are_drawn_alike(ours[i], theirs[j])):
                yield self._made(kind, Block(i, i + 1, j, j + 1))
        for (h, k), (i, j) in pairwise(self._pairs):
            if (i - h, j - k) == (1, 1):
                kind = kind_of_space(ours[h : i + 1], theirs[k : j + 1])
                if kind and not (self._is_drawn and ours[h].is_number != ours[i].is_number):
                    yield self._made(kind, Block(h, i + 1, k, j + 1))

    def _made(self, kind: str, block: Block) -> Difference:
        ours, theirs = self._sides(block)
        place = ours[0].start if ours else self._ours[block.a - 1].end if block.a else 0
        span = place, ours[-1].end if ours else place
        document = self._source[theirs[0].start : theirs[-1].end] if theirs else ""
        return Difference(kind, self._claim[slice(*span)], document, span)

    def _moved(self, blocks: Sequence[Block]) -> Difference | None:
        """Words that both have at other places: exchanged, or moved as a whole."""
        parts = [self._sides(block) for block in blocks]
        left = content_of(ours for ours, _ in parts)
        right = content_of(theirs for _, theirs in parts)
        common = Counter(left) & Counter(right)
        touched = [
            block
            for block, (ours, theirs) in zip(blocks, parts, strict=True)
            if not common.keys().isdisjoint(norms_of([*ours, *theirs]))
        ]
        if common.total() < 0.8 * len(left) or not self._are_exchanged(touched):
            return None
        first, last = touched[0], touched[-1]
        between = self._ours[touched[0].b : touched[-1].a]
        spans = slice(first.a, last.b), slice(first.c, last.d)
        is_same = left == right and is_adverbial(parts, between)
        is_same |= are_same_lists(self._ours, self._theirs, spans)
        kind = "moved" if is_same else "order"
        return self._made(kind, Block(first.a, last.b, first.c, last.d))

    def _shuffled(self, blocks: Sequence[Block]) -> Difference | None:
        """Words that both have at other places; of many, the claim is no copy."""
        moved = self._moved(blocks)
        if moved and moved.kind == "order":
            self.is_copy &= self.coverage >= MIN_UNMOVED
        return moved

    def _replaced(self) -> Iterator[Difference]:
        """Numbers and dates of a text whose parts are in another order, each instead of the only
        one of the document that the claim lacks.
        """
        for kind in ("number", "date"):
            new = lacking(kind, self._ours, self._theirs)
            gone = lacking(kind, self._theirs, self._ours)
            if len(new) == len(gone) == 1:
                yield self._made(kind, Block(new[0], new[0] + 1, gone[0], gone[0] + 1))

    def _are_exchanged(self, blocks: Sequence[Block]) -> bool:
        """Whether the words of blocks have changed places, and not only between a noun in front of
        another one and "of" or the like behind it: "the Harlow log", "the log of Harlow".
        """
        if len(blocks) != 2:
            return len(blocks) > 2
        between = self._ours[blocks[0].b : blocks[1].a]
        is_noun = 0 < len(between) <= _LONGEST_NOUN and all(one.is_word for one in between)
        (own, own_other), (other, behind) = (self._sides(block) for block in blocks)
        if not own and not behind:  # "log of Harlow" of a claim, "Harlow log" of the document
            own, own_other, other, behind = own_other, own, behind, other
        is_apart = not content_of([own_other, other])  # "a." in front of an item counts for nothing
        return not (is_noun and is_apart and is_genitive(own, behind))

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
        """The kind of the difference in a block."""
        sides = self._sides(block)
        ours, theirs = map(_without_marks, sides)
        if not ours and not theirs:
            return kind_of_marks(*sides)
        kind = self._kind_of_words(block, known)
        is_wider = leaves_out_restriction(self._theirs, block, self._ours)
        return RESTRICTION if is_wider and kind not in CHANGES - _SOFT else kind

    def _kind_of_words(self, block: Block, known: Container[str]) -> str:
        """The kind of the difference in a block in which one side has words."""
        ours, theirs = map(_without_marks, self._sides(block))
        beside = self._ours[: block.a][-1:], self._ours[block.b :][:1]
        if kind := kind_of_link(ours, theirs, *beside):
            return kind
        if ours and theirs:
            return self._of_words(block, known)
        if all(token.is_citation for token in (ours or theirs)):
            return "citation"
        if theirs:
            return self._of_omission(block, self._without_adverbial(block))
        return self._of_insertion(block, ours, known)

    def _of_words(self, block: Block, known: Container[str]) -> str:
        """The kind of an exchange of words."""
        ours, theirs = map(_without_marks, self._sides(block))
        kind = self._of_exchange(block, ours, theirs)
        words = self._ours, self._theirs
        if kind and not is_stated(kind, block, words, known, self._known):
            return "wording"
        return self._unlisted(kind, ours) or kind_of_other_words(ours, theirs)

    def _of_insertion(self, block: Block, words: Sequence[Token], known: Container[str]) -> str:
        """The kind of what only a claim has; in brackets it may have names, dates and units that
        the documents have anywhere.
        """
        is_supported = self._is_in_brackets(block) and all(one.norm in known for one in words)
        rest = self._without_loose(words)
        added = without_titles(rest, self._behind(block))
        stated = set(FACTS) - {"name", "date", "unit"} if is_supported else set(FACTS)
        kind = first_fact(added, stated)
        is_moved = len(content_of([words])) > _LONGEST_MOVED
        is_new = not is_supported and (is_moved or not all(map(is_weak, rest)))
        if self._is_told(kind, block, added) or (is_new and not kind):
            return "wording"
        return kind or "insertion"

    def _without_loose(self, words: Sequence[Token]) -> list[Token]:
        """Words without those that the text has at another place."""
        return [one for one in words if without_ending(one.norm) not in self._loose]

    def _behind(self, block: Block) -> Token | None:
        """The token of the claim behind a block."""
        return next(iter(self._ours[block.b : block.b + 1]), None)

    def _is_in_brackets(self, block: Block) -> bool:
        """Whether the claim has a block in square brackets."""
        return {"[", "]"} <= {*norms_of(self._ours[max(0, block.a - 1) : block.b + 1])}

    def _is_told(self, kind: str, block: Block, added: Sequence[Token]) -> bool:
        """Whether what a claim adds stands elsewhere in the documents: around the statement a name
        or a date that a title page or the references have, or a number of the same things.
        """
        if kind in ("name", "date"):
            return self._stands_around(block) and self._is_named(block, added)
        return kind == "number" and self._are_counted(block)

    def _stands_around(self, block: Block) -> bool:
        """Whether a block is before or after all content words that both have."""
        content = [i for i, _ in self._pairs if not is_weak(self._ours[i])]
        return bool(content) and (block.b <= content[0] or block.a > content[-1])

    def _is_named(self, block: Block, added: Sequence[Token]) -> bool:
        """Whether a title page or the references have the names, numbers and dates that are added;
        the words of a day that they have may be others.
        """
        own, _ = self._sides(block)
        values = meanings_of(self._claim[own[0].start : own[-1].end])
        is_dated = any("/" in one.norm and one.norm in self._known.words for one in values)
        stated = ("name", "number") if is_dated else ("name", "number", "date")
        return self._known.words.issuperset(one.norm for one in added if one.fact in stated)

    def _are_counted(self, block: Block) -> bool:
        """Whether the documents have each number of a block with the same noun."""
        places = [i for i in range(block.a, block.b) if self._ours[i].fact == "number"]
        return all(
            self._known.counts(self._ours[place].norm, nouns_of(self._ours, place))
            for place in places
        )

    def _of_exchange(self, block: Block, ours: Sequence[Token], theirs: Sequence[Token]) -> str:
        """The kind of fact that words have instead of others; empty if they state the same, less,
        or what the document has at another place.
        """
        ours, theirs = without_courtesy(ours), without_courtesy(theirs)
        theirs = [one for one in theirs if not self._known.spells_out(one.norm, norms_of(ours))]
        left, right = facts_of(ours), facts_of(theirs)
        counted = self._counted(block, ours, theirs)
        kinds = [
            kind
            for kind in FACTS
            if left[kind] != right[kind]
            and (kind in counted or self._is_added(kind, left[kind] - right[kind]))
        ]
        kind = next(iter(kinds), "")
        is_told = kind == "name" and not right["name"] and self._is_told(kind, block, ours)
        return "wording" if is_told else kind

    def _is_added(self, kind: str, new: Counter[str]) -> bool:
        """Whether new facts of a claim stand nowhere in the text."""
        return kind not in _SOFT and bool(new - self._loose)

    def _counted(self, block: Block, ours: Sequence[Token], theirs: Sequence[Token]) -> set[str]:
        """The kinds of facts of a text that words instead of them may not lack."""
        counted = self._changing(block) | {"negation", "sign"}
        if not has_other_words([*ours, *theirs]):
            return counted | _SOFT
        if has_other_words(ours) and has_other_words(theirs):
            counted.discard("sign")  # of a formula or a figure
        is_joined = bool(theirs) and theirs[0].norm in _CONJUNCTIONS
        is_denied = any(one.fact == "negation" for one in ours)
        return counted - {"negation"} if is_joined and not is_denied else counted

    def _changing(self, block: Block) -> set[str]:
        """The kinds of facts whose omission changes the words right beside them, but for years."""
        edges = [one for one in self._edges(block) if not _is_year(*one)]
        kinds = {"number", "unit", "name"}
        if _have_number_beside(edges, kinds):
            return kinds
        own = {*norms_of(one for one in self._ours if one.fact == "name")}
        is_name = any(kept.fact == gone.fact == "name" and kept.norm in own for kept, gone in edges)
        return {"name"} if is_name else set()

    def _edges(self, block: Block) -> list[tuple[Token, Token]]:
        """The words right beside those that a claim leaves out, each with the one beside it."""
        before, after = self._theirs[: block.c][-1:], self._theirs[block.d :][:1]
        ours, whole = self._sides(block)
        if all(map(is_weak, without_courtesy(ours))):
            whole = without_titles(whole, next(iter(after), None))
        gone = [one for one in whole if one.norm not in LISTS["in_names"]]
        first = gone[:1] if gone[:1] == whole[:1] or not has_other_words(gone) else []
        names = [one for one in gone[:1] if one.fact == "name"]
        return [*product(before, first or names), *product(after, gone[-1:])]

    def _of_omission(self, block: Block, words: Sequence[Token]) -> str:
        """The kind of an omission: it may change what is left."""
        if kind := kind_of_gap(self._theirs, block, self._ours):
            return kind
        changing = {"negation", "sign"} | self._changing(block)
        if restricts(self._theirs, block):
            return first_fact(words, changing) or "wording"
        is_last = block.d == len(self._theirs)
        if not is_last and sum(one.is_word for one in words) <= _LONGEST_ADVERB:
            changing |= _SOFT
        words = without_exponents(without_far_denial([*words]) if is_last else words)
        return self._unlisted(first_fact(words, changing) or "omission")

    def _unlisted(self, kind: str, ours: Sequence[Token] = ()) -> str:
        """The kind of an omission; wording for numbers that are in the order of their nouns."""
        is_other = any(one.is_number for one in ours) or RESPECTIVELY not in norms_of(self._theirs)
        return "wording" if kind == "number" and not is_other else kind

    def _without_adverbial(self, block: Block) -> list[Token]:
        """The words that a claim leaves out, without those up to a comma where the sentence begins
        with a preposition: "With no objections, the board" leaves "the board".
        """
        _, words = self._sides(block)
        norms = norms_of(words)
        is_adverbial = block.c == 0 and norms[0] in LISTS["prepositions"] and "," in norms
        return _without_marks(words[norms.index(",") :] if is_adverbial else words)


def _without_marks(tokens: Iterable[Token]) -> list[Token]:
    return [one for one in tokens if one.norm not in PUNCTUATION]


def _is_year(kept: Token, gone: Token) -> bool:
    return kept.fact == "date" and gone.fact in ("unit", "number")


def _have_number_beside(edges: Iterable[tuple[Token, Token]], kinds: set[str]) -> bool:
    return any(kept.is_number and gone.fact in kinds for kept, gone in edges)
