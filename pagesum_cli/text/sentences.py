"""Text → sentences, in linear time whatever the text is.

pysbd decides where a sentence ends, but only in doubtful cases and on short pieces: its cost grows faster than the
text, and some of its patterns never return from long runs of numbers.
"""

import re
from functools import cache
from typing import Any

PIECE_LIMIT = 1000
"""Characters that pysbd sees at a time. In a longer piece without a certain end, the plain rule decides."""

SECTION_LIMIT = 500_000
"""Characters of a text above which the plain rule alone decides, so that a book takes seconds, not minutes."""

_CANDIDATE = re.compile(
    r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’»)\]]{0,3}+(?:\[[\d,;–-]{1,40}\]|[\d,–-]{1,12}(?=\s+[A-Z]))?(?=\s)\s++|[。！？]"
    r"|(?<=[\u3040-\u30ff\u3400-\u9fff])[!?]++(?=[\u3040-\u30ff\u3400-\u9fff])"  # between Chinese or Japanese letters
)
_NEXT_WORD = re.compile(r"^[\w’']*")
_LAST_WORD = re.compile(r"[^\s(\[“\"‘']+$")
_OPENERS = re.compile(r"[(\[“]")
_CLOSERS = re.compile(r"[)\]”]")
# What makes pysbd's nested quantifiers explode: runs of digits, also separated by spaces, commas and hyphens.
_DIGIT_RUN = re.compile(r"\d[\d,\s\-]{10,}")
_DOTS = re.compile(r"(?:[.!?…。！？] ?){6,}")
# Characters that pysbd uses as placeholders.
_PLACEHOLDERS = re.compile(r"[∯∮ȸȹ♨☝♬♭☉☈☇☄ƪ☏♟♝⎋✂⌬ᓰᓱᓳᓴᓷᓸ&\\]")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ABBREVIATIONS = _set("""
    al approx appl av avg bot ca capt cat cf chap chem co col comm comp conc conf corp def deg dept dev diam dist
    div doi dr e.g ed eds eg eng eq eqn eqns eqs esp est et etc ex exp ext fem ff fig figs figures gen gov hon i.e
    i.p i.v ibid ie inc incl int jr kg lab lat lett lit ltd m.sc mag max mech med mfr min misc mol mr mrs ms mt
    mus nat nb no nos nr nucl obs op opp p pat ph.d ph phd phys pl pp prep pres proc prof prop pt publ pvt q.v ref
    refs rep res resp rev s.c s.d s.e sc sci sec sect sen ser sp spec spp sr ssp st stat subsp suppl supp syn tab
    tech temp tel thm trans transl u.k u.s u.s.a univ v.s var vers viz vol vols vs wt yr alg algo app appx art
    para cor lem rem def ass jan feb mar apr jun jul aug sept sep oct nov dec mon tue wed thu fri
""")
# These often end a sentence too: before a capital, pysbd decides.
_MAY_END = _set("""
    etc al inc co corp ltd u.s u.k u.s.a jr sr st p.m a.m no dept div est max min
""")
# Words that often start a sentence.
_STARTERS = _set("""
    the this these those we it in a an our they there he she however moreover furthermore for as to at on i thus
    therefore finally although when while if after by since such both all its then here from with
""")


@cache
def _segmenter() -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pysbd's own string escapes
        import pysbd

    return pysbd.Segmenter(language="en", clean=False)


_COUNTED = re.compile(r"\d+ ?(?:%|per ?cent\b|(?:m|b|tr)illion\b)")


def sentence_spans(text: str, use_pysbd: bool | None = None) -> list[tuple[int, int]]:
    """Split a text into sentences.

    Args:
        text: Any text; line breaks count as spaces.
        use_pysbd: Whether pysbd decides doubtful cases; by default for texts of up to ``SECTION_LIMIT`` characters.

    Returns:
        ``(start, end)`` character offsets in order. They do not overlap, neither starts nor ends with a space, and
        every other character of the text is in exactly one of them. Takes linear time for any text.
    """
    cuts = _cuts(text, len(text) <= SECTION_LIMIT if use_pysbd is None else use_pysbd)
    spans = []
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        piece = text[start:end]
        if stripped := piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            spans.append((first, first + len(stripped)))
    return spans


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, see :func:`sentence_spans`; white space inside a sentence becomes one space."""
    return [" ".join(text[start:end].split()) for start, end in sentence_spans(text)]


def _cuts(text: str, use_pysbd: bool) -> list[int]:
    """Offsets at which a new sentence begins, in order."""
    cuts: list[int] = []
    doubtful: list[tuple[int, bool]] = []  # (offset, the plain rule's verdict) since the last certain end
    piece_start = depth = seen = 0
    for match in _CANDIDATE.finditer(text):
        gap = text[seen : match.start()]
        depth = max(0, depth + len(_OPENERS.findall(gap)) - len(_CLOSERS.findall(gap)))
        seen = match.start()
        verdict, certain = _verdict(text, match, depth > 0)
        if not certain:
            doubtful.append((match.end(), verdict))
        elif verdict:
            if doubtful:
                cuts += _settle(text, piece_start, match.end(), doubtful, use_pysbd)
                doubtful = []
            cuts.append(match.end())
            piece_start = match.end()
            depth = 0
    if doubtful:
        cuts += _settle(text, piece_start, len(text), doubtful, use_pysbd)
    return cuts


def _verdict(text: str, match: re.Match[str], inside: bool) -> tuple[bool, bool]:
    """Whether a sentence ends at a punctuation mark, and whether that is certain."""
    end = match.end()
    if end >= len(text):
        return False, True  # the end of the text needs no cut
    if not match.group()[-1].isspace():
        return True, True  # Chinese and Japanese punctuation
    following = text[end : end + 40].lstrip("\"'“‘«([*")
    first = following[:1]
    if not first or first.islower():
        return False, True
    before = _LAST_WORD.search(text, max(0, match.start() - 40), match.start())
    word = before.group() if before else ""
    mark = text[match.start()]
    next_word = _NEXT_WORD.findall(following)[0]
    if mark == ".":
        bare = word.strip("—–-/").lower()
        tail = re.split(r"[—–/-]", bare)[-1]
        if bare in _ABBREVIATIONS or tail in _ABBREVIATIONS:
            if tail in _MAY_END and next_word.lower() in _STARTERS and first.isupper():
                return True, False
            return False, True
        if len(word) == 1 and word.isalpha():  # an initial, a genus, a panel; or "vitamin C." at an end
            return next_word.lower() in _STARTERS and len(next_word) > 1, True
        if re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word):
            return next_word.lower() in _STARTERS, True
        if before and re.fullmatch(r"\(?\d{1,2}", word) and text[before.start() - 1 : before.start()] in ("", "\n"):
            return False, True  # the number of a list item
        if word[-1:].isdigit() and _COUNTED.match(following):
            return False, True  # "6. 7 per cent": scanned, with a space inside the number
    if inside and match.group().strip()[-1] not in ")]”":
        return False, len(word) > 1 and mark == "."
    plain = (len(word) > 1 and word.isalpha() and word[1:].islower()) or word[-1:].isdigit() or word[-1:] in ')]%”"'
    certain = plain and first.isupper() and len(next_word) > 1 and next_word[1:].islower()
    return True, certain


def _settle(text: str, start: int, end: int, doubtful: list[tuple[int, bool]], use_pysbd: bool) -> list[int]:
    """The doubtful ends in a piece that are ends: by pysbd where it is safe, by the plain rule otherwise."""
    plain = [offset for offset, verdict in doubtful if verdict]
    if not use_pysbd or end - start > PIECE_LIMIT or _DOTS.search(text, start, end):
        return plain
    offsets = _pysbd_cuts(text[start:end])
    if offsets is None:
        return plain
    ends = {start + offset for offset in offsets}
    return [offset for offset, _ in doubtful if offset in ends]


def _pysbd_cuts(piece: str) -> list[int] | None:
    """Offsets at which pysbd begins a new sentence in a piece; None where it changed the text."""
    masked = _DIGIT_RUN.sub(lambda run: "x" * len(run.group()), _PLACEHOLDERS.sub("x", piece))
    masked = re.sub(r"\s", " ", masked)
    places = [offset for offset, character in enumerate(masked) if character != " "]
    try:
        sentences = _segmenter().processor(masked).process()
    except (re.error, IndexError, ValueError):  # it builds patterns from the text
        return None
    lengths = [len("".join(sentence.split())) for sentence in sentences]
    if "".join("".join(sentence.split()) for sentence in sentences) != masked.replace(" ", ""):
        return None
    cuts, count = [], 0
    for length in lengths[:-1]:
        count += length
        cuts.append(places[count])
    return cuts
