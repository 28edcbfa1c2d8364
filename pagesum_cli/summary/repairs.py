"""What is left out of a quoted sentence and put into it, so that it can be read without its
document and stays true.

A repair never changes a word. What it does is recorded: see ``Source.omitted`` and
``Source.inserted``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ..text.abbreviations import agreeing, definitions, singular
from ..text.tables import patterns, table

# start and end in a sentence, and what takes the place of the characters between
Edit = tuple[int, int, str]
MAX_EXPLAINED = 2  # maximum number of abbreviations that are explained in a sentence

_DATA, _FORMS = table(__file__, "repairs.toml"), patterns(__file__, "repairs.toml")


def _any(words: Sequence[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _set(kind: str, name: str) -> frozenset[str]:
    return frozenset(_DATA[kind][name].split())


_LABEL = re.compile(
    rf"(?=[A-Z])(?i:{_any(_DATA['labels']['words'])})(?:\s*[:.—–]\s*|\s+-\s+"
    rf"|\s+(?=(?:{_any(_DATA['labels']['beginnings'].split())})\b))(?!To [a-z]|[\s:.—–-])"
)
"""``Abstract: ``, ``CONCLUSIONS ``; not before an aim, ``Objective: To test …``, which is no
sentence without it.
"""
_CONNECTIVE = re.compile(
    "|".join(
        f"(?P<{kind}>(?:{_any(words)})\\s*,\\s*)"
        for kind, words in _DATA["connectives"].items()
        if "_" not in kind
    )
    + rf"|(?P<short>(?:{_any(_DATA['connectives']['short_words'])})\s+"
    + rf"(?=(?-i:{_any(_DATA['connectives']['subject_words'])})\b))"
    + rf"|(?P<contrast_word>(?:{_any(_DATA['connectives']['contrast_words'])})\b"
    r"(?=\s+(?-i:[a-z])))",
    re.IGNORECASE,
)
_NAME_MARKS = frozenset("._/(=@#`")
"""Directly after a word, these make it a part of a name: ``loader.load``."""
_NO_BEGINNING = frozenset(["and", "but", "or", "nor", "http", "https", "www"])


@dataclass(frozen=True)
class Repaired:
    """A sentence after its repair; see ``Source`` for ``omitted`` and ``inserted``."""

    text: str
    omitted: tuple[tuple[int, int], ...]
    inserted: tuple[tuple[int, str], ...]
    needs_context: bool  # whether it is in contrast to a sentence that is not quoted


def applied(
    slice_: str, omitted: Sequence[tuple[int, int]], inserted: Sequence[tuple[int, str]]
) -> str:
    """The text of a quote: the slice of the document less what is omitted, then with what is
    inserted.
    """
    bounds = [0, *(offset for span in omitted for offset in span), len(slice_)]
    text = "".join(slice_[start:end] for start, end in zip(bounds[::2], bounds[1::2], strict=True))
    for at, piece in inserted:
        text = text[:at] + piece + text[at:]
    return text


class Repairer:
    """Repairs the quotes of one summary, in order; knows the texts of the documents by name."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._sources = {name: _Source(text) for name, text in texts.items()}
        self._explained: set[str] = set()

    def repaired(
        self,
        text: str,
        file: str,
        *,
        follows: bool,
        leads: bool,
        origin: str = "",
        completes: bool = False,
    ) -> Repaired:
        """Repair a sentence.

        Args:
            text: The sentence.
            file: The name of its document.
            follows: Whether the sentence before it in its document is quoted right before it.
            leads: Whether the sentence after it is quoted right after it.
            origin: Where and when it was written, if it must be said: stands in square brackets
                before it.
            completes: Whether it completes a sentence that is shown before it: then its beginning
                stays.
        """
        source = self._sources.get(file) or _Source("")
        begin, is_item, needs_context = 0, False, False
        if not completes:
            begin, is_item, needs_context = opening(text, follows=follows, leads=leads)
        edits: list[Edit] = [(0, 0, f"[{origin}] ")] if origin else []
        if begin:
            edits.append((0, begin, ""))
            if _needs_capital(text, begin) and (is_item or text[0].isupper()):
                edits.append((begin, begin + 1, text[begin].upper()))
        edits += [(start, end, "") for start, end in references(text, begin, source)]
        edits += self._explanations(text, source, edits)
        omitted, inserted = _recorded(edits)
        return Repaired(applied(text, omitted, inserted), omitted, inserted, needs_context)

    def _explanations(self, text: str, source: "_Source", edits: Sequence[Edit]) -> list[Edit]:
        """What abbreviations mean that neither this quote nor one before it explains."""
        found: list[Edit] = []
        for match in _FORMS["short"].finditer(text):
            short = singular(match[0])
            long = source.definitions.get(short)
            if long is None or short in self._explained:
                continue
            if long.lower() in text.lower() or re.search(rf"\({re.escape(short)}s?\b", text):
                self._explained.add(short)
                continue
            is_left_out = any(start <= match.start() < end for start, end, _ in edits)
            is_in_bracket = text.count("[", 0, match.start()) > text.count("]", 0, match.start())
            if not is_left_out and not is_in_bracket and len(found) < MAX_EXPLAINED:
                self._explained.add(short)
                meaning = agreeing(short, long, source.text, is_plural=short != match[0])
                found.append((match.end(), match.end(), f" [{meaning}]"))
        return found


@dataclass
class _Source:
    """What is known of a document as a whole."""

    text: str

    @cached_property
    def definitions(self) -> dict[str, str]:
        """What its abbreviations mean, without well-known ones."""
        known = _set("abbreviations", "known")
        return {short: long for short, long in definitions(self.text).items() if short not in known}

    @cached_property
    def cites_names(self) -> bool:
        """Whether it cites by name and year."""
        return _FORMS["cites"].search(self.text) is not None

    @cached_property
    def cites_numbers(self) -> bool:
        """Whether it cites by numbers."""
        return len(set(re.findall(r"\[\d{1,3}\]", self.text))) >= 5


def opening(text: str, *, follows: bool, leads: bool) -> tuple[int, bool, bool]:
    """What comes before the sentence proper.

    Returns:
        The number of characters to leave out; whether a list's bullet or a dateline is among them;
        whether
        the sentence is in contrast to one that is not quoted.
    """
    begin = 0
    item = _FORMS["bullet"].match(text) or _FORMS["dateline"].match(text)
    if item and _can_begin(text, item.end()):
        begin = item.end()
    is_item = begin > 0
    if (label := _LABEL.match(text, begin)) and _can_begin(text, label.end()):
        begin = label.end()
    while match := _CONNECTIVE.match(text, begin):
        if str(match.lastgroup).startswith("contrast"):
            return begin, is_item, not follows
        is_first = match.lastgroup == "sequence" and (
            leads or _FORMS["second"].search(text, match.end())
        )
        is_kept = follows or is_first
        if is_kept or not _can_begin(text, match.end()):
            break
        begin = match.end()
    return begin, is_item, False


def _can_begin(text: str, start: int) -> bool:
    """Whether a sentence can begin here: with a word, but none that joins it to something before
    it.
    """
    word = _FORMS["word"].match(text, start)
    return word is not None and word[0].lower() not in _NO_BEGINNING


def _needs_capital(text: str, start: int) -> bool:
    """Whether a lower-case word begins here that is not a name or a part of one: not ``mRNA``,
    ``p53``, ``x-ray``.
    """
    word = _FORMS["word"].match(text, start)
    if (
        not word
        or not (word[0].islower() and word[0].isalpha())
        or (len(word[0]) == 1 and word[0] != "a")
    ):
        return False
    return text[word.end() : word.end() + 1] not in _NAME_MARKS


# References in brackets

_JOINED = (["et"], ["and"], ["&"])
_LABELS = _set("brackets", "labels")
_WITH_LABELS = _LABELS | _set("brackets", "with")
_SIGNS_OF_CITATION = frozenset(("al.", "al", "&", "p.", "pp."))
_OF_CITATION = _set("brackets", "of_citation")
_NO_NAMES = _set("brackets", "no_names")
_NEEDED_AFTER = _set("brackets", "needed_after")


def references(text: str, begin: int, source: _Source) -> Iterator[tuple[int, int]]:
    """Brackets of a sentence that hold only citations or references to figures, tables and
    sections, with the space before them; not those that the sentence needs: "as in [12]"."""
    runs: list[tuple[int, int]] = []
    for match in _FORMS["bracket"].finditer(text, begin):
        if not _is_reference(match[0], source):
            continue
        if runs and _FORMS["between"].fullmatch(text, runs[-1][1], match.start()):
            runs[-1] = (runs[-1][0], match.end())
        else:
            runs.append(match.span())
    for start, end in runs:
        before = text[begin:start].rstrip()
        if before and not _is_needed(text, start, end, before, source):
            after = _FORMS["space_before_mark"].match(text, end)
            yield begin + len(before), after.end() if after else end


def citations_in(text: str) -> list[tuple[int, int]]:
    """The :func:`references` in a sentence of an unknown document."""
    return list(references(text, 0, _Source(text)))


def _is_needed(text: str, start: int, end: int, before: str, source: _Source) -> bool:
    """Whether a sentence needs a reference: as its subject, after a preposition, or as a part of a
    word.
    """
    is_apart = text[start - 1].isspace()
    if text[end : end + 1].isalnum() or text[end : end + 1] in (
        "'",
        "’",
        "(",
        "[",
        "{",
        "-",
        "/",
        "_",
    ):
        return True
    if before[-1] in "([{“‘—–=<>+" or (is_apart and before[-1] in ",;:"):
        return True
    if (
        not is_apart
        and before[-1].isalnum()
        and not (source.cites_numbers and before[-1].isalpha())
    ):
        return True
    last = before.split()[-1].lstrip("([“\"'").rstrip(".")
    if _FORMS["range"].fullmatch(text, start, end):  # of a number: "62 [55–70]"
        is_year = source.cites_numbers and _FORMS["year"].fullmatch(last)
        if (before[-1].isdigit() and not is_year) or _FORMS["average"].search(text):
            return True
    return last.lower() in _NEEDED_AFTER


def _is_reference(bracket: str, source: _Source) -> bool:
    if _FORMS["numbers"].fullmatch(bracket) or _FORMS["keys"].fullmatch(bracket):
        return True
    spaced = re.sub(r"([A-Za-z])\.(?=\d)", r"\1. ", bracket[1:-1]).replace(",", " , ")
    pieces = [piece.split() for piece in spaced.split(";")]
    if all(map(_is_place, pieces)):
        return True
    cited = [piece for piece in pieces if not _is_place(piece)]
    certain = bracket[0] == "[" or source.cites_names or len(cited) > 1
    return all(_is_citation(piece, certain) for piece in cited)


def _is_place(words: Sequence[str]) -> bool:
    """Whether words refer to a figure, table or section by its number: ``see Fig. 2A and Table S1,
    left``.
    """
    parts = [part for word in words if (part := word.strip(".,:"))]
    return (
        all(part.lower() in _WITH_LABELS or _FORMS["place"].fullmatch(part) for part in parts)
        and any(part.lower() in _LABELS for part in parts)
        and any(
            any(map(str.isdigit, part)) or part.isupper()
            for part in parts
            if part.lower() not in _WITH_LABELS
        )
    )


def _is_citation(words: Sequence[str], certain: bool) -> bool:
    """Whether words are names and years, or names and pages, of works: ``Smith et al., 2010``,
    ``Lee, p. 264``.
    """
    is_certain = certain or not _SIGNS_OF_CITATION.isdisjoint(words)
    years = names = 0
    last = ""  # what kind of word came before
    for number, (before, word) in enumerate(pairwise(["", *words]), start=1):
        kind = _kind_of(word, before, after=words[number : number + 1], last=last)
        if kind == "year":
            years += 1
            if not names or (last == "name" and sum(map(str.isupper, before)) > 1):
                return False  # "(TREC 2005)" is an event
        elif kind == "name":
            names += 1
            if last == "name":
                return False  # "(New York, 2010)"
        elif (kind == "letter" and not years) or not kind:  # but "2010a,b"
            return False
        if kind != "letter":
            last = kind
    return is_certain and years > 0 and names > 0


def _kind_of(word: str, before: str, *, after: Sequence[str], last: str) -> str:
    """What a word of a reference is: ``,``, ``joint``, ``year`` (or the number of a page),
    ``initial``, ``name``, ``letter``; empty if it belongs in none. ``last`` is the kind of the word
    before it.
    """
    part = word.strip(".")
    if part == ",":
        return ","
    if part.lower() in _OF_CITATION:
        return "joint"
    if _is_number_of_citation(part, before):
        return "year"
    is_joined = part.lower() not in _NO_NAMES or after in _JOINED
    if is_joined and _FORMS["name"].fullmatch(word):
        return "initial" if _is_initial(part, last) else "name"
    return "letter" if len(part) == 1 and part.islower() else ""


def _is_number_of_citation(part: str, before: str) -> bool:
    is_page = before in ("p.", "pp.") and _FORMS["pages"].fullmatch(part) is not None
    return is_page or _FORMS["year"].fullmatch(part) is not None


def _is_initial(part: str, last: str) -> bool:
    letters = part.replace(".", "").replace("-", "")
    return letters.isupper() and len(letters) <= (3 if last == "," else 2)


def _recorded(
    edits: Sequence[Edit],
) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, str], ...]]:
    """Edits as what is omitted from the slice and what is inserted into the text."""
    omitted, inserted, shift = [], [], 0
    for start, end, piece in sorted(edits):
        if end > start:
            omitted.append((start, end))
        if piece:
            inserted.append((start + shift, piece))
        shift += len(piece) - (end - start)
    return tuple(omitted), tuple(inserted)
