"""Text → sentences, in linear time whatever the text is.

pysbd decides where a sentence ends, but only in doubtful cases and on short pieces: its cost grows faster than the
text, and some of its patterns never return from long runs of numbers.
"""

import re
from functools import cache
from typing import Any

from .tables import patterns, table

VERSION = 2  # of what is split where; a new number where any result changes, for scores depend on it
PIECE_LIMIT = 1000  # characters that pysbd sees at a time; in a longer piece the plain rule decides
SECTION_LIMIT = 500_000  # characters of a text above which the plain rule alone decides: a book takes seconds
_FORMS = patterns(__file__, "sentences.toml")
_OPENING = "\"'“‘«([*"
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "st", "prof", "u.s"})

BRACKET_LIMIT = 300  # characters within which an open bracket is closed, for a stop inside not to end the sentence


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(table(__file__, "abbreviations.toml")[name].split())


@cache
def _segmenter() -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pysbd's own string escapes
        import pysbd

    return pysbd.Segmenter(language="en", clean=False)


def sentence_spans(text: str, use_pysbd: bool | None = None) -> list[tuple[int, int]]:
    """Split a text, whose line breaks count as spaces, into sentences; takes linear time for any text.

    Returns ``(start, end)`` character offsets in order. They do not overlap, neither starts nor ends with a space, and
    every other character is in exactly one of them. ``use_pysbd``: whether pysbd decides doubtful cases; by default for
    texts of up to ``SECTION_LIMIT`` characters.
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
    cuts: list[int] = []
    doubtful: list[tuple[int, bool]] = []  # (offset, the plain rule's verdict) since the last certain end
    piece_start = depth = seen = last = item = 0
    for match in _FORMS["candidate"].finditer(text):
        gap = text[seen : match.start()]
        depth = max(0, depth + len(_FORMS["openers"].findall(gap)) - len(_FORMS["closers"].findall(gap)))
        seen = match.start()
        inside = depth > 0 and _FORMS["closers"].search(text, match.end(), match.end() + BRACKET_LIMIT) is not None
        offset = match.end()
        if match.group().strip() == "." and _is_number_at_start(text, match.start(), last):
            line = text[last : match.start()].split()[-1]
            verdict, certain, item = False, True, int(line) if line.isdecimal() else 0
        elif item and (number := _place_of_number(text, match.start(), item + 1)):
            verdict, certain, item, offset = True, True, item + 1, number
        else:
            verdict, certain = _verdict(text, match, inside)
        if verdict:
            last = match.end()
        if not certain:
            doubtful.append((offset, verdict))
        elif verdict:
            if doubtful:
                cuts += _settle(text, piece_start, offset, doubtful, use_pysbd)
                doubtful = []
            cuts.append(offset)
            piece_start = offset
            depth = 0
    if doubtful:
        cuts += _settle(text, piece_start, len(text), doubtful, use_pysbd)
    return cuts


def _is_number_at_start(text: str, stop: int, start: int) -> bool:
    if stop - start > 40:
        return False
    line = text[max(start, text.rfind("\n", start, stop) + 1) : stop].strip()
    return bool(_FORMS["numbered"].fullmatch(line) or (start == 0 and _FORMS["caption"].fullmatch(line)))


def _place_of_number(text: str, stop: int, number: int) -> int:
    """Where a list item's number before a stop begins, in "1. Rye 2. Wheat"; 0 if another word is there."""
    place = stop - len(str(number))
    if place < 2 or text[place:stop] != str(number) or not text[place - 1].isspace():
        return 0
    return 0 if _last_word(text, place).lower() in _words("numbered") else place


def _last_word(text: str, end: int) -> str:
    before = _FORMS["last_word"].search(text, max(0, end - 40), end)
    return before.group(1).lstrip("'") if before else ""


def _verdict(text: str, match: re.Match[str], inside: bool) -> tuple[bool, bool]:
    """Whether a sentence ends at a punctuation mark, and whether that is certain."""
    end = match.end()
    if end >= len(text):
        return False, True  # the end of the text needs no cut
    marks = match.group().strip()
    if marks[-1] in "。！？" or (marks[0] in "!?" and not text[end].isascii() and not match.group()[-1].isspace()):
        return True, True  # Chinese and Japanese punctuation
    following = text[end : end + 120]
    plain_following = following.lstrip(_OPENING)
    first = plain_following[:1]
    if not first or following[0] in ")],;:%":
        return False, True
    word = _last_word(text, match.start())
    next_word = _FORMS["next_word"].match(plain_following).group()  # type: ignore[union-attr]
    is_start = first.isupper() and next_word.lower() in _words("starters")
    if marks[-1] in ",–-":  # citations were lost: "activity.–"
        return is_start and len(word) > 3 and word.islower(), True
    if not match.group()[-1].isspace():  # a space was lost
        if word[-1:] in ")]":
            return re.match(r"[A-Z][a-z]+[ ,]", following) is not None, True
        return is_start and re.fullmatch(r"[a-z]{4,}", word) is not None, True
    if first.islower() and not "α" <= first <= "ω":
        before = _last_word(text, match.start() - len(word) - 1)
        return marks == "." and not inside and _before_small_letter(before, word, following), True
    mark = text[match.start()]
    if mark == ".":
        decided = _at_full_stop(text, match.start(), word, marks, following, next_word, is_start)
        if decided is not None:
            return decided
    if inside and marks[-1] not in ")]”":
        return False, len(word) > 1 and mark == "."
    if _FORMS["citation_in_brackets"].match(following):
        return False, True
    is_plain = (len(word) > 1 and re.sub("['’]", "", word).isalpha()) or word[-1:].isdigit() or word[-1:] in ')]%”"'
    is_capital = first.isupper() and (_is_capitalized(next_word) or len(word) > 2)
    return True, is_capital and (is_plain or is_start)


def _before_small_letter(before: str, word: str, following: str) -> bool:
    """Whether a sentence ends before a small letter: after an ordinary word only, for abbreviations are short."""
    bare = re.split("[—–/-]", word)[-1]
    if not bare.isalpha() or "/" in word or _FORMS["domain"].match(following):
        return False
    if _is_listed(bare, "bound") or _is_listed(bare, "abbreviations"):
        return False
    if _FORMS["next_word"].match(following).group() in _words("continuing"):  # type: ignore[union-attr]
        return False
    if len(bare) > 1 and _FORMS["enumerated"].match(following):
        return True
    if not bare.islower():
        return len(bare) > 7 and bare[1:].islower() and not before.endswith(".")
    return len(bare) > 4 or (len(bare) > 2 and _FORMS["small_beginning"].match(following) is not None)


def _is_listed(word: str, name: str) -> bool:
    whole = word.strip("—–-/")
    for one in (whole, _FORMS["dash"].split(whole)[-1]):
        if one.lower() in _words(name) or (one[:1].isupper() and one.lower() in _words(f"{name}_capitalized")):
            return True
    end = whole.rpartition("-")[2]  # "Minneapolis-St. Paul", but "RNA-Seq."
    return name == "bound" and end[:1].isupper() and end[1:].islower() and end.lower() in _words("bound")


def _is_capitalized(word: str) -> bool:
    return word in ("A", "I") or (word[:1].isupper() and word[1:].islower())


def _at_full_stop(
    text: str, stop: int, word: str, marks: str, following: str, next_word: str, is_start: bool
) -> tuple[bool, bool] | None:
    """What the word before a full stop says, and whether that is certain; None if it says nothing."""
    bare = word.strip("—–-/").lower()
    tail = _FORMS["dash"].split(bare)[-1]
    if word.isalpha() and word.isupper() and len(word) > 1 and _is_capitalized(next_word) and tail not in _TITLES:
        return None  # "NO. Then": nitric oxide
    before = _last_word(text, stop - len(word) - 1) if len(tail) < 6 else ""
    if marks == ".." and next_word[:1].isupper():
        return True, True  # the abbreviation's stop and the sentence's: "et al.. Then"
    if tail in _words("units") and _is_quantity(before, word) and next_word[:1].isalnum():
        return True, next_word[:1].isupper()
    if tail in ("no", "nos") and not re.search(r"\d", marks + following.split(" ")[0]):
        return True, is_start
    if _is_listed(word, "bound"):
        if tail == "al" and (is_start or _FORMS["begins_with_verb"].match(following)):
            return True, is_start
        return False, True
    if _FORMS["time"].fullmatch(word) and next_word[:1].isupper():
        return _FORMS["of_time"].match(following) is None, True
    if bare in _words("ending") or tail in _words("ending"):
        if is_start:
            return True, True
        return (True, False) if tail in ("etc", "usw", "ecc") and next_word[:1].isupper() else (False, True)
    if _is_listed(word, "abbreviations"):
        return (True, False) if is_start else (False, True)
    if before.endswith(".") and following[0].isdigit() and word.isalpha() and word.istitle():
        return False, True  # "J. Chem. 12", "Ph. Eur. 5.0"
    if len(word) == 1 and word.isalpha():  # an initial, a genus, a panel; or "vitamin C." at an end
        is_label = before.lower() in _words("labels") or before in ("≤", "≥", "=", "<", ">", "+")
        return (is_start and len(next_word) > 1) or (is_label and next_word[1:].islower()), True
    if _FORMS["acronym"].fullmatch(word):
        return is_start, True
    if word[-1:].isdigit():
        return _after_number(text, stop, word, following, next_word)
    return None


def _is_quantity(before: str, word: str) -> bool:
    if "/" in word:
        return True
    return before[-1:].isdigit() and not (len(word) == 1 and word.isupper() and re.fullmatch(r"(?:19|20)\d\d", before))


def _after_number(text: str, stop: int, word: str, following: str, next_word: str) -> tuple[bool, bool] | None:
    if _FORMS["counted"].match(following) or (len(word) < 3 and _FORMS["decimals"].match(following)):
        return False, True  # "6. 7 per cent": scanned, with a space inside the number
    if len(word) < 3 and word.isdecimal():
        before = _last_word(text, stop - len(word) - 1)
        if next_word.lower() in _words("german_nouns") or (
            before.lower() in _words("german") and next_word[:1].isupper()
        ):
            return False, True
    return None


def _settle(text: str, start: int, end: int, doubtful: list[tuple[int, bool]], use_pysbd: bool) -> list[int]:
    """The doubtful ends in a piece that are ends: by pysbd where it is safe, by the plain rule otherwise."""
    plain = [offset for offset, verdict in doubtful if verdict]
    if not use_pysbd or end - start > PIECE_LIMIT or _FORMS["dots"].search(text, start, end):
        return plain
    offsets = _pysbd_cuts(text[start:end])
    if offsets is None:
        return plain
    ends = {start + offset for offset in offsets}
    return [offset for offset, _ in doubtful if offset in ends]


def _pysbd_cuts(piece: str) -> list[int] | None:
    """Offsets at which pysbd begins a new sentence in a piece; None where it changed the text."""
    masked = _FORMS["digit_run"].sub(lambda run: "x" * len(run.group()), _FORMS["placeholders"].sub("x", piece))
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
