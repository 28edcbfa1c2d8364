"""Words, numbers and signs of a text with their places: every character that is no white space is
of a token.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from itertools import groupby, pairwise, zip_longest
from typing import NamedTuple
from unicodedata import category, decimal, normalize

from ...text.cleaning import clean
from ...text.tables import table
from ...text.words import STOP_WORDS
from ..repairs import citations_in
from .notation import Reading
from .typography import APOSTROPHE, DASHES, LIGATURES, OPENING, is_unknown, typographic

DATA = table(__file__, "words.toml")
LISTS = {name: frozenset(words.split()) for name, words in DATA.items() if isinstance(words, str)}
FACTS = ("negation", "number", "date", "unit", "name", "comparison", "modality", "sign")
DASH, HYPHEN, MINUS, QUOTE = "–", "-", "−", "'"
QUOTES = frozenset("'\"")
PUNCTUATION = frozenset(".,;:!?()[]{}…•·") | {DASH, HYPHEN} | QUOTES

_ZERO_WIDTH = "\u200b"  # where a line may end in a word
_SOFT = "\u00ad\ufffe"  # hyphens at line ends: of a text, and as PDFium has them
_DASHES = f"[{re.escape(DASHES)}]"
_HYPHENS = f"[{re.escape('-‐‑‒–−－﹣')}]"
_TOKEN = re.compile(
    # of a range, maybe broken at the end of a line
    rf"(?P<sign>(?<=\d)\s?(?:{_DASHES}[{_SOFT}]?|[{_SOFT}])\s*(?=\d)"
    rf"|(?<![^\W\d_]){_DASHES}(?=[.\d]))"
    r"|(?P<broken>(?<=[^\W\d_])(?:\s*\n(?=[-‐‑]\s*\n))?"
    rf"(?:[-‐‑][{_SOFT}]?\s+|[-‐‑]?[{_SOFT}]\s*)(?=[^\W\d_]))"
    rf"|(?P<hyphen>(?<=[^\W_])(?:{_HYPHENS}[{_SOFT}]?|[{_SOFT}])(?=[^\W_])"
    # of a part of a word: "pre- and post-war"
    r"|(?<=[^\W_])[-‐‑](?=[\s,])|(?<![\w)])[-‐‑](?=[^\W_]))"
    rf"|(?P<dash>{_DASHES}+)|(?P<opening>{OPENING})"
    r"|\d+(?:[.,]\d+)*|(?:[^\W\d_][\u0300-\u036f\u200b]*)+"
    rf"(?:(?:['’‘\"]|{APOSTROPHE})(?:[^\W\d_][\u0300-\u036f]*)+)*"
    r"|''|``|\.{3}|[^\w\s]|_"
)
_SIGNS = {"sign": MINUS, "broken": HYPHEN, "hyphen": HYPHEN, "dash": DASH, "opening": QUOTE}
_NOTE = re.compile(r"(?:(?<=[.,;:)”\"])|(?<=[^\W\d_][a-z]{2}))\d{1,3}(?:[.,–-]\d{1,3})*(?!\d)")
"""Numbers directly behind a word or a mark, which are those of notes or works: "effect.12,13"."""
_SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MIN_LOUD, _LOUD = 4, 0.8
"""Words of a sentence in capitals, and the share of its letters that are large."""
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")


class Token(NamedTuple):
    """A word, a number or a sign."""

    # what is aligned: without case, accents, apostrophes and typographic variants
    norm: str
    written: str  # what must be the same in a verbatim copy
    text: str  # as it stands in the text
    # start, end: its place in the text
    start: int
    end: int
    fact: str = ""  # what kind of fact it states, one of ``FACTS``; empty if none
    # whether it belongs to the citation of a work, or is the number of a note
    is_citation: bool = False

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.norm[0].isalnum()

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return _is_number(self.norm[0])

    @property
    def is_subscript(self) -> bool:
        """Whether it is the number of a symbol: the ₁ of x₁."""
        return self.norm[0] in _SUBSCRIPTS

    @property
    def is_break(self) -> bool:
        """Whether it is a hyphen at which a line ends, which may be none of the word."""
        return self.norm == HYPHEN and (self.text[-1].isspace() or self.text[-1] in _SOFT)


def pieces_of(text: str) -> Iterator[Token]:
    """The tokens of a text without what they state; they leave out nothing but white space, and
    what readers remove from every text.
    """
    for match in _TOKEN.finditer(text):
        piece = match[0]
        if not match.lastgroup and not clean(piece):
            continue
        if match.lastgroup:
            norm = _SIGNS[match.lastgroup]
            yield Token(norm, _sign(piece, norm), piece, *match.span())
        elif piece.isalpha() or piece[0].isdecimal() or not _has_numbers(piece):
            yield Token(*_compared(piece), piece, *match.span())
        else:
            yield from _parted(piece, match.start())


def _sign(text: str, norm: str) -> str:
    """A dash as it is compared: a space only before it makes the sign of a range that of a
    number.
    """
    is_ambiguous = norm == MINUS and text[0].isspace() and not text[-1].isspace()
    return f" {norm}" if is_ambiguous else norm


def _has_numbers(text: str) -> bool:
    return any(map(_is_number, text))


def _is_number(character: str) -> bool:
    return category(character)[0] == "N"


def _parted(word: str, start: int) -> Iterator[Token]:
    """A word with numbers that are no digits, such as ½ and ², parted from them."""
    for is_number, group in groupby(word, _is_number):
        run = "".join(group)
        for part in run if is_number else [run]:
            yield Token(*_compared(part), part, start, start + len(part))
            start += len(part)


@lru_cache(maxsize=1 << 17)
def _compared(piece: str) -> tuple[str, str]:
    """A piece as it is aligned, and as it is compared."""
    written = typographic(piece.replace(_ZERO_WIDTH, ""))
    if piece[0].isdecimal():
        digits = "".join(str(decimal(one, one)) for one in piece)
        norm = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits
    elif piece[0].isalpha():
        norm = "".join(filter(str.isalnum, normalize("NFKD", piece.lower())))
    else:
        written = {"''": '"', "``": '"', "...": "…"}.get(written, written)
        norm = written
    norm = norm or written
    return DATA["same"].get(norm, norm), written


def tokens_of(text: str, names: Collection[str] = ()) -> list[Token]:
    """The tokens of a text, some words of which are names also where a sentence begins."""
    is_loud = is_in_capitals(text)
    spans = [
        *citations_in(text),
        *(match.span() for match in _NOTE.finditer(text.translate(_RAISED))),
    ]
    cited = {place for span in spans for place in range(*span)}
    tokens: list[Token] = []
    for piece in pieces_of(text):
        before = tokens[-1] if tokens else None
        if piece.norm in QUOTES:
            piece = _quotation_mark(piece, before)
        fact = (
            _fact_in_capitals(piece, before, names)
            if is_loud
            else _fact(piece.norm, piece.text, before, names)
        )
        tokens[-2:] = _in_front_of(piece, fact, tokens[-2:])
        is_citation = piece.start in cited and piece.end - 1 in cited
        tokens.append(piece._replace(fact=fact, is_citation=is_citation))
    return tokens


def _fact_in_capitals(piece: Token, before: Token | None, names: Collection[str]) -> str:
    """What kind of fact a word states that is large only because its whole sentence is."""
    fact = _fact(piece.norm, piece.text.lower(), before, names)
    is_name = piece.norm in names and piece.norm not in STOP_WORDS
    return fact or ("name" if is_name else "")


def is_in_capitals(text: str) -> bool:
    """Whether a sentence is written in capitals, which then say nothing of its words."""
    letters = [one for one in text if one.isalpha()]
    capitals = sum(map(str.isupper, letters))
    return len(text.split()) >= _MIN_LOUD and capitals >= _LOUD * len(letters)


def _in_front_of(piece: Token, fact: str, before: list[Token]) -> list[Token]:
    """The tokens in front of one that states a fact, with what it makes of them."""
    if piece.norm in LISTS["bounded"]:
        return list(_as_bounds(before))
    return [*before[:-1], *map(_as_number, before[-1:])] if fact == "unit" else before


def _as_bounds(tokens: list[Token]) -> Iterator[Token]:
    """Two tokens with a negation as a comparison: "not" in "not later" and "not be later than"."""
    for token, behind in zip_longest(tokens, tokens[1:]):
        is_bound = token.fact == "negation" and (behind is None or behind.norm == "be")
        yield token._replace(fact="comparison") if is_bound else token


def _as_number(token: Token) -> Token:
    """What would be a year without the unit behind it, as a number: 1715 m²."""
    return token._replace(fact="number") if token.fact == "date" and token.is_number else token


def _quotation_mark(piece: Token, before: Token | None) -> Token:
    """Single and double marks are the same, except after a digit or a single letter: 5', x"."""
    is_prime = (
        before is not None
        and before.end == piece.start
        and (before.is_number or (before.is_word and len(before.text) == 1))
    )
    return piece if is_prime else piece._replace(norm=QUOTE, written=QUOTE)


def _fact(norm: str, text: str, before: Token | None, names: Collection[str]) -> str:
    if _is_number(norm[0]) or norm in "−±+":
        return (
            "date" if len(norm) == 4 and norm.isdecimal() and "1500" <= norm <= "2100" else "number"
        )
    is_shouted = norm in LISTS["modality"] and text.isupper()  # MAY is no month
    if norm in LISTS["dates"] and text[0].isupper() and not is_shouted:
        return "date"
    is_measured = before is not None and (
        before.is_number or before.norm in "/·" or before.fact == "unit"
    )
    if norm in LISTS["units"] and (is_measured or len(norm) > 2 or not norm[0].isalpha()):
        return "unit"
    for kind in ("negation", "modality", "comparison"):
        if norm in LISTS[kind]:
            return kind
    if not norm[0].isalnum():
        is_sign = category(norm[0])[0] == "S" and norm not in LISTS["marks"] | PUNCTUATION
        return "sign" if is_sign and not is_unknown(norm[0]) else ""
    is_name = (before or norm in names) and norm not in STOP_WORDS and any(map(str.isupper, text))
    return "name" if is_name else ""


def mended(
    tokens: list[Token], readings: Collection[Reading], wholes: Collection[str]
) -> list[Token]:
    """Tokens, where several that make one of the ``wholes`` are one: a word that is written
    together there, is broken at the end of a line or lacks a ligature, and a value in another
    notation.
    """
    found: list[Token] = []
    for token in _with_values(tokens, readings, wholes):
        found.append(token)
        for count in (3, 2):
            whole = _whole(found[-count:], wholes) if len(found) >= count else None
            if whole:
                found[-count:] = [whole]
    return found


def _with_values(
    tokens: list[Token], readings: Collection[Reading], wholes: Collection[str]
) -> list[Token]:
    """Tokens, where those of a value that is among the wholes are one, the longest first."""
    firsts = {one.start: place for place, one in enumerate(tokens)}
    lasts = {one.end: place for place, one in enumerate(tokens)}
    taken: dict[int, tuple[int, str]] = {}  # by the first token of a value, the last one
    free = [True] * len(tokens)
    for reading in sorted(readings, key=lambda one: one.start - one.end):
        first, last = firsts.get(reading.start), lasts.get(reading.end)
        if first is None or last is None or reading.norm not in wholes:
            continue
        if all(free[first : last + 1]):
            free[first : last + 1] = [False] * (last + 1 - first)
            taken[first] = last, reading.norm
    found, place = list[Token](), 0
    while place < len(tokens):
        last, norm = taken.get(place, (place, tokens[place].norm))
        parts = tokens[place : last + 1]
        found.append(_as_value(parts, norm))
        place = last + 1
    return found


def _as_value(parts: list[Token], norm: str) -> Token:
    """Tokens of a value as one; 10¹ is 10, but not written so."""
    return parts[0] if len(parts) == 1 and parts[0].norm == norm else _joined(parts, norm)


def _joined(parts: list[Token], norm: str, written: str = "") -> Token:
    """Several tokens as one."""
    facts = [one.fact for one in parts]
    fact = next((kind for kind in FACTS if kind in facts), "")
    return Token(
        norm,
        written or _as_written(parts),
        " ".join(one.text for one in parts),
        parts[0].start,
        parts[-1].end,
        fact,
        all(one.is_citation for one in parts),
    )


def norms_of_words(tokens: Iterable[Token]) -> set[str]:
    """The words among tokens, as they are compared."""
    return {one.norm for one in tokens if one.is_word}


def are_words(tokens: Iterable[Token]) -> bool:
    """Whether a space matters between tokens: all are of letters and numbers."""
    return all(one.text[0].isalnum() and one.text[-1].isalnum() for one in tokens)


def _as_written(parts: list[Token]) -> str:
    """Tokens with the spaces that matter: those between words."""
    text = parts[0].written
    for before, one in pairwise(parts):
        is_apart = before.end < one.start and are_words([before, one])
        text += f" {one.written}" if is_apart else one.written
    return text


def _whole(parts: list[Token], wholes: Collection[str]) -> Token | None:
    """What two words, or three tokens with a hyphen or an unknown character, are together; None
    if it is none of the wholes.
    """
    first, last = parts[0], parts[-1]
    is_attached = first.end == parts[1].start and parts[-2].end == last.start
    if is_attached and is_unknown(parts[-2].norm[0]):
        return _with_ligature(parts, wholes)
    if not (first.norm[-1].isalpha() and last.norm[0].isalpha()):
        return None
    norm = first.norm + last.norm
    if len(parts) == 2:
        return _joined(parts, norm) if norm in wholes else None
    if parts[1].norm == HYPHEN and norm in wholes:
        separator = "" if parts[1].is_break else HYPHEN
        return _joined(parts, norm, first.written + separator + last.written)
    return None


def _with_ligature(parts: list[Token], wholes: Collection[str]) -> Token | None:
    """A word with an unknown character before its last letters that stands for a ligature; None if
    it is none of the wholes.
    """
    *first, _, last = parts
    before = first[0] if first else None
    if not last.norm[0].isalpha() or (before and not before.norm[-1].isalpha()):
        return None
    for letters in LIGATURES:
        norm = f"{before.norm if before else ''}{letters}{last.norm}"
        if norm in wholes:
            written = f"{before.written if before else ''}{letters}{last.written}"
            return _joined(parts, norm, written)
    return None
