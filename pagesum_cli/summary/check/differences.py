"""How a claim differs from a sentence of a document."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from os.path import commonprefix
from pathlib import Path
from typing import NamedTuple
from unicodedata import normalize

from ...text.words import STOP_WORDS, lcs_rows, positions_of
from .tokens import PUNCTUATION, Token, mended

_KINDS = ("negation", "number", "date", "unit", "name", "comparison", "modality")
FACTS = frozenset([*_KINDS, "opposite", "order"])
"""Kinds of differences that make a claim state something else. Of an edited quote, they are omission, insertion,
citation, case, punctuation, form and moved; and ``wording`` is other words for what may be the same."""

MIN_COVERAGE, MIN_SHARED, MIN_ORDERED = 0.6, 0.85, 0.3
"""Shares of a claim's words, in order or in any order, and then in order, that make it a copy of a sentence."""

_DATA = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_SETS = {name: frozenset(words.split()) for name, words in _DATA.items() if isinstance(words, str)}
_SAME: dict[str, str] = _DATA["same"]
_BOUNDS = frozenset(",;:()[]–.!?")
_WEAK = STOP_WORDS - _SETS["negation"] - _SETS["modality"] - _SETS["comparison"] - {"he", "she", "his", "her"}


class Block(NamedTuple):
    """Tokens of a claim, from ``a`` up to ``b``, that stand where the document has its tokens ``c`` up to ``d``."""

    a: int
    b: int
    c: int
    d: int


@dataclass(frozen=True)
class Difference:
    """What the claim and the document have at the same place.

    Attributes:
        kind: see ``FACTS``.
        claim, document: the words; empty where there are none.
        span: their place in the claim.
    """

    kind: str
    claim: str
    document: str
    span: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Context:
    """What is known of the documents.

    Attributes:
        known: their words.
        lower: those that they have in lower case, which are no names.
        has_phrase: whether a phrase stands in them.
    """

    known: Collection[str]
    lower: Collection[str]
    has_phrase: Callable[[Sequence[str]], bool]


@dataclass(frozen=True)
class Comparison:
    """A claim beside a text of a document.

    Attributes:
        words: number of the claim's words.
        coverage: the share of the claim's words that the text has in the same order, 0–1.
        shared: the same in any order.
        begin, end: what of the claim is left at its ends, in tokens, where the text has nothing.
        differences: in the order of the claim; empty for what is no copy.
    """

    words: int
    coverage: float
    shared: float
    begin: int
    end: int
    differences: tuple[Difference, ...] = ()

    @property
    def is_copy(self) -> bool:
        """Whether the claim is a copy of the text, changed or not."""
        is_close = self.coverage >= MIN_COVERAGE or (self.shared >= MIN_SHARED and self.coverage >= MIN_ORDERED)
        return is_close and (self.words > 2 or self.coverage == 1)

    @property
    def verdict(self) -> str:
        """``verbatim``, ``edited``, ``differs``, or ``paraphrase`` for what is no copy or has other words."""
        kinds = {one.kind for one in self.differences}
        if not self.is_copy or (self.coverage < MIN_COVERAGE and "order" not in kinds):
            return "paraphrase"
        if kinds & FACTS:
            return "differs"
        return "paraphrase" if "wording" in kinds else "edited" if kinds else "verbatim"


def compared(
    claim: str,
    ours: list[Token],
    source: str,
    theirs: list[Token],
    context: Context,
    references: Collection[tuple[int, int]] = (),
    *,
    is_part: bool = False,
) -> Comparison:
    """Compare a claim with one or several sentences.

    Args:
        claim, ours: The claim and its tokens.
        source, theirs: The text of the document and its tokens.
        context: What is known of the documents.
        references: Brackets in ``source`` that hold only citations.
        is_part: Whether the claim need not be a whole sentence.
    """
    wholes = {token.norm for token in (*ours, *theirs)}
    ours, theirs = _stripped(mended(ours, wholes)), _stripped(mended(theirs, wholes))
    pairs = _pairs([token.norm for token in ours], [token.norm for token in theirs])
    blocks = _blocks(pairs, ours, theirs)
    kept = sum(ours[i].is_word for i, _ in pairs)
    words = [token.norm for token in ours if token.is_word]
    shared = (Counter(words) & Counter(token.norm for token in theirs if token.is_word)).total()
    begin, end = (pairs[0][0], len(ours) - 1 - pairs[-1][0]) if pairs else (len(ours), len(ours))
    count = max(len(words), 1)
    found = Comparison(len(words), kept / count, shared / count, begin, end)
    if not found.is_copy:
        return found
    sides = _Sides(claim, ours, source, theirs, context, references, is_part)
    return replace(found, differences=tuple(sides.differences(blocks, pairs)))


def _stripped(tokens: list[Token]) -> list[Token]:
    """Tokens without punctuation at both ends, except brackets."""
    start, end = 0, len(tokens)
    marks = PUNCTUATION - frozenset("()[]")
    while start < end and tokens[start].norm in marks | {"•", "*"}:
        start += 1
    while end > start and tokens[end - 1].norm in marks:
        end -= 1
    return tokens[start:end]


def _pairs(ours: list[str], theirs: list[str]) -> list[tuple[int, int]]:
    """A longest common subsequence, as places in both."""
    rows = lcs_rows(ours, positions_of(theirs), len(theirs))
    pairs = []
    i, j = len(ours), len(theirs)
    while low := rows[i] & ((1 << j) - 1):
        if ours[i - 1] == theirs[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif (rows[i - 1] & ((1 << j) - 1)).bit_count() == low.bit_count():
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def _blocks(pairs: list[tuple[int, int]], ours: Sequence[Token], theirs: Sequence[Token]) -> list[Block]:
    """What lies between the pairs; a single small word between two differences belongs to them."""
    found: list[Block] = []
    a = c = 0
    for i, j in [*pairs, (len(ours), len(theirs))]:
        if i > a or j > c:
            block = Block(a, i, c, j)
            before = found[-1] if found else block
            are_both = all(one.b > one.a and one.d > one.c for one in (before, block))
            if are_both and a - before.b == 1 and c - before.d == 1 and _is_weak(ours[before.b]):
                found[-1] = Block(before.a, i, before.c, j)
            else:
                found.append(block)
        a, c = i + 1, j + 1
    return found


def _is_weak(token: Token) -> bool:
    return token.norm in _WEAK or not token.is_word


@dataclass(frozen=True)
class _Sides:
    """The two texts of a comparison; see :func:`compared`."""

    claim: str
    ours: list[Token]
    source: str
    theirs: list[Token]
    context: Context
    references: Collection[tuple[int, int]]
    is_part: bool

    def differences(self, blocks: Sequence[Block], pairs: Sequence[tuple[int, int]]) -> list[Difference]:
        """What differs, in order."""
        if moved := self._moved(blocks):
            return [moved]
        result = [self._difference(block) for block in blocks]
        for i, j in pairs:
            one, other = (normalize("NFKC", token.text) for token in (self.ours[i], self.theirs[j]))
            if i and one != other and one.lower() == other.lower():
                kind = "unit" if self.ours[i - 1].is_number and self.ours[i].norm in _SETS["units"] else "case"
                result.append(self._made(kind, Block(i, i + 1, j, j + 1)))
        return sorted((one for one in result if one), key=lambda one: one.span)

    def _made(self, kind: str, block: Block) -> Difference:
        ours, theirs = self.ours[block.a : block.b], self.theirs[block.c : block.d]
        place = ours[0].start if ours else self.ours[block.a - 1].end if block.a else 0
        span = place, ours[-1].end if ours else place
        document = self.source[theirs[0].start : theirs[-1].end] if theirs else ""
        return Difference(kind, self.claim[slice(*span)], document, span)

    def _moved(self, blocks: Sequence[Block]) -> Difference | None:
        """Words that both have at other places: exchanged, or moved as a whole."""
        left = [one.norm for block in blocks for one in self.ours[block.a : block.b] if not _is_weak(one)]
        right = [one.norm for block in blocks for one in self.theirs[block.c : block.d] if not _is_weak(one)]
        common = Counter(left) & Counter(right)
        if not common or common.total() < 0.8 * len(left):
            return None
        touched = [
            block
            for block in blocks
            if any(token.norm in common for token in (*self.ours[block.a : block.b], *self.theirs[block.c : block.d]))
        ]
        if len(touched) < 2:
            return None
        whole = Block(touched[0].a, touched[-1].b, touched[0].c, touched[-1].d)
        return self._made("moved" if self._is_adverbial(touched, left, right) else "order", whole)

    def _is_adverbial(self, blocks: Sequence[Block], left: list[str], right: list[str]) -> bool:
        """Whether one part of the sentence stands at its other end."""
        sides = [(self.ours, block.a, block.b) for block in blocks if block.c == block.d]
        sides += [(self.theirs, block.c, block.d) for block in blocks if block.a == block.b]
        if len(blocks) != 2 or len(sides) != 2 or left != right:
            return False
        firsts = {next((token.norm for token in side[a:b] if token.is_word), "") for side, a, b in sides}
        return bool(firsts & _SETS["adverbial"])

    def _difference(self, block: Block) -> Difference | None:
        ours, theirs = self.ours[block.a : block.b], self.theirs[block.c : block.d]
        words, others = ([token for token in side if token.norm not in PUNCTUATION] for side in (ours, theirs))
        if not words and not others:
            return self._made("punctuation", block)
        at_edge = block.c == 0 or block.d == len(self.theirs)
        if not words:
            if at_edge and self.is_part and (block.a == 0 or block.b == len(self.ours)):
                return None
            return self._made(self._of_omission(block, theirs, others), block)
        if not others:
            return self._made(self._of_insertion(block, ours, words), block)
        changed = self._facts(ours, block.a, self.ours), self._facts(theirs, block.c, self.theirs)
        for kind in _KINDS:
            if changed[0][kind] != changed[1][kind]:
                return self._made(kind, block)
        return self._made(_of_other_words(words, others), block)

    def _of_omission(self, block: Block, theirs: Sequence[Token], words: Sequence[Token]) -> str:
        """The kind of an omission: it may change what is left."""
        first, last = theirs[0], theirs[-1]
        is_reference = any(start <= first.start and last.end <= end for start, end in self.references)
        if is_reference or _is_note(self.source, words):
            return "citation"
        facts = self._facts(theirs, block.c, self.theirs)
        before = self.theirs[block.c - 1] if block.c else None
        after = self.theirs[block.d] if block.d < len(self.theirs) else None
        starts = before is None or before.norm in _BOUNDS or first.norm in _BOUNDS
        ends = after is None or after.norm in _BOUNDS or last.norm in _BOUNDS
        if starts and ends:
            return "omission"
        for kind in ("negation", "comparison", "modality"):
            if facts[kind] and (kind == "negation" or block.d < len(self.theirs)):
                return kind
        kept = [before] if before and not self.source[before.end : words[0].start].strip(" -–") else []
        kept += [after] if after and not self.source[words[-1].end : after.start].strip(" -–") else []
        for kind in ("number", "unit", "name"):
            if facts[kind] and any(one.is_number or (kind == "name" and self._is_name(one, 1)) for one in kept):
                return kind
        return "omission"

    def _of_insertion(self, block: Block, ours: Sequence[Token], words: Sequence[Token]) -> str:
        if _is_note(self.claim, words):
            return "citation"
        before = self.ours[block.a - 1].norm if block.a else ""
        after = self.ours[block.b].norm if block.b < len(self.ours) else ""
        in_bracket = (ours[0].norm == "[" or before == "[") and (ours[-1].norm == "]" or after == "]")
        if in_bracket and self.context.has_phrase([token.norm for token in words]):
            return "insertion"
        facts = self._facts(ours, block.a, self.ours)
        return next((kind for kind in _KINDS if facts[kind]), "insertion")

    def _facts(self, tokens: Sequence[Token], place: int, side: Sequence[Token]) -> defaultdict[str, Counter[str]]:
        """What a part of a text states, by kind."""
        facts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for number, token in enumerate(tokens, place):
            norm = _SAME.get(token.norm, token.norm)
            kind = ""
            if norm[0].isdigit() or norm in ("−", "±", "+"):
                is_year = len(norm) == 4 and norm.isdecimal() and "1500" <= norm <= "2100"
                kind = "date" if is_year else "number"
            elif token.norm in _SETS["negation"]:
                kind, norm = "negation", "not"
            elif token.norm in _SETS["dates"] and token.text[0].isupper():
                kind = "date"
            elif self._is_unit(token, number, side):
                kind = "unit"
            elif token.norm in _SETS["modality"]:
                kind = "modality"
            elif token.norm in _SETS["comparison"]:
                kind = "comparison"
            elif self._is_name(token, number):
                kind = "name"
            if kind:
                facts[kind][norm] += 1
        return facts

    def _is_unit(self, token: Token, number: int, side: Sequence[Token]) -> bool:
        if token.norm not in _SETS["units"]:
            return False
        before = side[number - 1] if number else None
        is_short = len(token.norm) < 3 and token.norm[0].isalpha()
        return not is_short or (before is not None and (before.is_number or before.norm in "/·" or _is_unit(before)))

    def _is_name(self, token: Token, place: int) -> bool:
        if not any(map(str.isupper, token.text)) or token.norm in STOP_WORDS:
            return False
        return place > 0 or (token.norm in self.context.known and token.norm not in self.context.lower)


def _is_unit(token: Token) -> bool:
    return token.norm in _SETS["units"]


def conflicts(ours: Sequence[Token], theirs: Sequence[Token], context: Context) -> tuple[list[Difference], bool]:
    """Facts of a claim that passages in other words do not have, and whether one of both denies what the other says."""
    has = {_SAME.get(token.norm, token.norm) for token in theirs}
    says = {_SAME.get(token.norm, token.norm) for token in ours}
    compares = "than" in has & says  # "A is larger than B" is "B is smaller than A"
    found = []
    for place, token in enumerate(ours):
        norm = _SAME.get(token.norm, token.norm)
        if norm in has or norm in _SETS["negation"] or norm in _WEAK:
            continue
        opposites = [other for other in has - says if not compares and _are_opposite(norm, other)]
        is_date = norm in _SETS["dates"] and token.text[0].isupper()
        is_unit = norm in _SETS["units"] and place and ours[place - 1].is_number
        is_name = place and token.text[0].isupper() and norm not in STOP_WORDS and norm not in context.lower
        is_new = not any(one[:4] == norm[:4] for one in has)
        if token.is_number or ((is_date or is_unit) and is_new) or (is_name and is_new) or opposites:
            kind = "opposite" if opposites else "number" if token.is_number else "unit" if is_unit else "name"
            found.append(Difference(kind, token.text, opposites[0] if opposites else "", (token.start, token.end)))
    denials = [sum(token.norm in _SETS["negation"] for token in side) % 2 for side in (ours, theirs)]
    return found, denials[0] != denials[1]


def _is_note(text: str, tokens: Sequence[Token]) -> bool:
    """Whether numbers directly behind a word or a mark are those of notes or works: "effect.12,13"."""
    start = tokens[0].start
    before = text[max(0, start - 3) : start]
    is_behind = before[-1:] in tuple('.,;:)”"') or (len(before) == 3 and before.isalpha() and before[1:].islower())
    return is_behind and all(
        token.norm in ("−",) or (token.is_number and max(map(len, token.norm.replace(",", ".").split("."))) < 4)
        for token in tokens
    )


def _of_other_words(ours: Sequence[Token], theirs: Sequence[Token]) -> str:
    left, right = (Counter(token.norm for token in side) for side in (ours, theirs))
    left, right = left - right, right - left
    pairs = [(one, other) for one in left for other in right]
    if any(_are_opposite(one, other) for one, other in pairs):
        return "opposite"
    if any(_is_negated(one, other) or _is_negated(other, one) for one, other in pairs):
        return "negation"
    rest = [[_SAME.get(word, word) for word in side if word not in _WEAK] for side in (left, right)]
    are_forms = all(
        any(_are_forms(one, other) for other in there) for here, there in (rest, rest[::-1]) for one in here
    )
    return "form" if are_forms else "wording"


def _are_forms(one: str, other: str) -> bool:
    """Whether two words differ only in an ending of English inflection."""
    start = len(commonprefix([one, other]))  # noqa: RUF071
    return one == other or (start > 2 and {one[start:], other[start:]} <= _SETS["endings"] | {""})


def _is_negated(one: str, other: str) -> bool:
    """Whether a word is another one with a negative beginning, or -less for -ful."""
    if len(other) > 3 and one.endswith(other) and one[: len(one) - len(other)] in _SETS["negative_beginnings"]:
        return True
    return one.endswith("less") and other == one[:-4] + "ful"


@cache
def _opposites() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for pair in _DATA["opposites"]["pairs"]:
        one, other = pair.split()
        table.setdefault(one, []).append(other)
        table.setdefault(other, []).append(one)
    return table


def _are_opposite(one: str, other: str) -> bool:
    table = _opposites()
    beginnings = (one[:length] for length in range(2, len(one) + 1) if one[:length] in table)
    return any(
        _begins(one, beginning) and any(_begins(other, opposite) for opposite in table[beginning])
        for beginning in beginnings
    )


def _begins(word: str, beginning: str) -> bool:
    """Whether a word is a form of what begins so; short beginnings are whole words."""
    return word.startswith(beginning) and len(word) - len(beginning) <= (4 if len(beginning) > 3 else 0)
