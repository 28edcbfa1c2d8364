"""Lower-case word pieces → text as a person writes it, learnt from the documents that the summary is about.

A lower-case WordPiece vocabulary knows neither case nor accents nor where white space stood. The documents do: what is
copied, ``RUN`` words in a row or more, is written as where it was copied from. Each other word takes the form that it
has there in the same surroundings, and each pair of neighbours the space that it has there. What the documents do not
say follows the rules of typography. An item of a list is written as a sentence, without its bullet, and a copied first
sentence without a "Therefore,", where a capital can begin what follows.
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tokenizers import pre_tokenizers

# What evidence weighs: the same word between the same neighbours, after or before the same one, the word alone; a rule.
BOTH, ONE, ALONE, RULE = 16.0, 3.0, 1.0, 0.2
QUOTE_RULE = 8.0
UNKNOWN = "[UNK]"
"""A word that the vocabulary does not have. Where it is copied, it is known after all."""

RUN = 5
"""Words and marks in a row that are the same as in the documents: copied."""

PLACES_LOOKED_AT = 50
"""Of a run that the documents repeat, however often they do."""

INITIAL = 1e-6
"""What a capital counts that may only stand for the beginning of a sentence, or for a heading: next to nothing. Where
there is no other evidence, lower case was right more often (on the development documents of papers and proposals)."""

NO_SPACE_BEFORE = frozenset(".,;:!?%)]}’”»′″°…")
NO_SPACE_AFTER = frozenset("([{“‘«$£€#@~")
TIGHT = frozenset("-‐‑–—/'’_\\^")
DASHES = frozenset("-–—")
BULLETS = frozenset("-–—*+•·‣⁃◦●○▪▫■□")
NAME_MARKS = frozenset("._/(=@#`")
"""Right behind a word, these make it a part of a name: ``loader.load``."""
CONNECTIVES = frozenset(
    """
    accordingly additionally also besides consequently finally furthermore hence however instead lastly likewise
    moreover nevertheless nonetheless similarly then therefore thus
    """.split()  # noqa: SIM905 (a list of words reads better as words)
)
"""Before a comma, these join a sentence to the one before it."""
QUOTES = frozenset("\"'")
ENDS = frozenset(".!?…")
CLOSERS = frozenset("\"'”’»)]")
ABBREVIATIONS = frozenset(
    """
    al approx ca cf dr ed eds eq eqs etc ext fig figs inc incl jr mr mrs ms no nos pp prof ref refs resp sp spp st
    subsp var viz vol vs
    """.split()  # noqa: SIM905 (a list of words reads better as words)
)
ABBREVIATION_LENGTH = 5
NAMES = frozenset(
    """
    january february april june july august september october november december monday tuesday wednesday thursday
    friday saturday sunday i
    """.split()  # noqa: SIM905 (a list of words reads better as words)
)
CONTRACTED = frozenset({"s", "t", "re", "ve", "ll", "d", "m"})
_PRE_TOKENIZER = pre_tokenizers.BertPreTokenizer()
NOTHING = ""
"""Stands before the first word of a text and behind the last."""


class Surface:
    """How words are written in some texts. Learning and restoring take linear time.

    Args:
        source_texts: sentences, in any order.
        headings: texts whose capitals mean little.
    """

    def __init__(self, source_texts: Iterable[str], headings: Iterable[str] = ()) -> None:
        texts = [(_read(text), False) for text in source_texts] + [(_read(text), True) for text in headings]
        self._seen = {norm for read, _ in texts for norm in read.norms}
        # Most words are only ever written as the vocabulary has them: nothing needs to be learnt about them.
        self._varied = {
            norm for read, _ in texts for form, norm in zip(read.forms, read.norms, strict=True) if form != norm
        }
        self._forms: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self._spaces: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
        self._capitals: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0])
        for read, is_heading in texts:
            self._learn(read, is_heading)
        self._sources = [read for read, is_heading in texts if not is_heading]

    def restore(self, tokens: Sequence[str]) -> list[str]:
        """The finished text of a summary.

        Args:
            tokens: word pieces; one that continues a word begins with ``##``.

        Returns:
            one piece of text a token; the pieces joined are the text.
        """
        words = _words(tokens)
        norms = ["".join(pieces) for pieces in words]
        copied = self._copied(norms)
        restored: list[str] = []
        begins = True
        open_quotes: set[str] = set()
        for i, (norm, pieces) in enumerate(zip(norms, words, strict=True)):
            source = copied.get(i)
            if norm == UNKNOWN and source is None:
                restored.append("")
                continue
            if source and source.space is not None:
                space = source.space
            else:
                space = i > 0 and self._has_space(norms, i, open_quotes)
            space &= any(restored)
            begins = begins or (space and self._is_end(norms, i)) or _is_label(norms, i - 1)
            if begins and source and source.is_left_out:
                restored += [""] * len(pieces)
                continue
            if norm in QUOTES:
                open_quotes ^= {norm}
            form = source.form if source else self._form(norms, i)
            if begins and _is_word(norm):
                if not (source and source.is_settled) and form.islower():
                    form = form[0].upper() + form[1:]
                begins = False
            first, *others = _spread(form, pieces)
            restored += [f" {first}" if space else first, *others]
        return restored

    def _copied(self, norms: Sequence[str]) -> dict[int, "_Copied"]:
        """The words that are copied, by their place: the longest runs, from the beginning on."""
        wanted = {tuple(norms[i : i + RUN]) for i in range(len(norms) - RUN + 1)}
        places: defaultdict[tuple[str, ...], list[tuple[_Read, int]]] = defaultdict(list)
        for read in self._sources:
            for start, run in enumerate(zip(*(read.norms[offset:] for offset in range(RUN)), strict=False)):
                if run in wanted and len(places[run]) < PLACES_LOOKED_AT:
                    places[run].append((read, start))
        copied: dict[int, _Copied] = {}
        i = 0
        while i < len(norms):
            length = 0
            for candidate, first in places.get(tuple(norms[i : i + RUN]), ()):
                same = 0
                for ours, theirs in zip(norms[i:], candidate.norms[first:], strict=False):
                    if ours not in (theirs, UNKNOWN):
                        break
                    same += 1
                if same > length:
                    read, start, length = candidate, first, same
            if not length:
                i += 1
                continue
            # No run of known words begins with an unknown one.
            back = 0
            while back < min(i, start) and i - back - 1 not in copied:
                if norms[i - back - 1] not in (read.norms[start - back - 1], UNKNOWN):
                    break
                back += 1
            is_summary_begun = i == back and start == back
            first = 2 if is_summary_begun and read.is_joined else int(read.is_item)  # of the words that are kept
            is_named = read.is_named(first)
            for offset in range(-back, length):
                place = start + offset
                copied[i + offset] = _Copied(
                    form=read.forms[place],
                    # A source text is a sentence: a space stands before its first word.
                    space=read.spaced[place] if offset > -back else True if place == 0 else None,
                    is_settled=(offset > -back or place == 0) and (place != first or is_named),
                    is_left_out=place < first,
                )
            i += length
        return copied

    def _learn(self, read: "_Read", is_heading: bool) -> None:
        norms = read.norms
        begins = True
        after_word = False
        for i, (form, norm, spaced) in enumerate(zip(read.forms, norms, read.spaced, strict=True)):
            is_word = _is_word(norm)
            if i and not (is_word and after_word):
                for key, _ in _space_keys(norms, i):
                    self._spaces[key][spaced] += 1
                if spaced and _end_before(norms, i) is not None:
                    begins = True
                    if norms[i - 1] == "." and form[0].isalpha():
                        for key in _end_keys(norms, i):
                            self._capitals[key][form[0].isupper()] += 1
            if norm in self._varied:
                weight = INITIAL if (begins or is_heading) and form.istitle() else 1
                for key, _ in _form_keys(norms, i):
                    self._forms[key][form] += weight
            begins = begins and not is_word
            after_word = is_word

    def _form(self, norms: Sequence[str], i: int) -> str:
        """How the word is written in the middle of a sentence."""
        norm = norms[i]
        if norm in self._seen and norm not in self._varied:
            return norm
        votes: Counter[str] = Counter()
        for key, weight in _form_keys(norms, i):
            seen = self._forms.get(key)
            if seen:
                total = max(sum(seen.values()), 1)
                for form, count in seen.items():
                    votes[form] += weight * count / total
        if votes:
            form = max(votes, key=votes.__getitem__)
            return form if votes[form] > RULE or not form.istitle() else norm
        for other, ending in ((norm.removesuffix("s"), "s"), (f"{norm}s", "")):  # DNA and DNAs
            seen = self._forms.get((other,))
            if seen and len(other) > 1 and other != norm:
                form = max(seen, key=seen.__getitem__)
                if any(character.isupper() for character in form[1:]):
                    return form + ending if ending else form[:-1]
        return norm.capitalize() if norm in NAMES else norm

    def _has_space(self, norms: Sequence[str], i: int, open_quotes: set[str]) -> bool:
        """Whether white space stands before the word."""
        if _is_word(norms[i]) and _is_word(norms[i - 1]):
            return not (_is_ideograph(norms[i]) and _is_ideograph(norms[i - 1]))
        weight = QUOTE_RULE if '"' in (norms[i - 1], norms[i]) else RULE
        vote = weight if _rule_has_space(norms, i, open_quotes) else -weight
        for key, weight in _space_keys(norms, i):
            seen = self._spaces.get(key)
            if seen:
                vote += weight * (seen[True] - seen[False]) / sum(seen)
        return vote > 0

    def _is_end(self, norms: Sequence[str], i: int) -> bool:
        """Whether a sentence ends before the word."""
        mark = _end_before(norms, i)
        if mark is None or norms[mark] != ".":
            return mark is not None
        for key in _end_keys(norms, i) if mark == i - 1 else ():
            seen = self._capitals.get(key)
            if seen:
                return seen[True] >= seen[False]
        word = _at(norms, mark - 1)
        return word not in ABBREVIATIONS and not (len(word) == 1 and word.isalpha())


@dataclass(frozen=True)
class _Copied:
    """A word as it is written where it was copied from.

    Attributes:
        space: whether a space precedes it; None: it begins a run.
        is_settled: whether what precedes it there precedes it here too, and it is not the first word of a sentence,
            which may have no capital there.
        is_left_out: whether it only says that an item of a list begins, or joins the summary's first sentence to one
            that is not there.
    """

    form: str
    space: bool | None
    is_settled: bool
    is_left_out: bool


@dataclass(frozen=True)
class _Read:
    """The words and marks of a text as they are written, as the vocabulary has them, and whether a space precedes."""

    forms: list[str]
    norms: list[str]
    spaced: list[bool]

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list, behind a bullet, that can begin with a capital."""
        return len(self.norms) > 1 and self.norms[0] in BULLETS and self.spaced[1] and self._can_begin(1)

    @property
    def is_joined(self) -> bool:
        """Whether it is a sentence behind a "Therefore," that can begin without it."""
        return len(self.norms) > 2 and self.norms[0] in CONNECTIVES and self.norms[1] == "," and self._can_begin(2)

    def _can_begin(self, place: int) -> bool:
        """Whether a sentence can begin with a word: it can have a capital."""
        form = self.forms[place]
        return _is_word(self.norms[place]) and (not form[0].islower() or (form.islower() and not self.is_named(place)))

    def is_named(self, place: int) -> bool:
        """Whether a word is the beginning of a name: ``loader.load``."""
        return place + 1 < len(self.norms) and self.norms[place + 1] in NAME_MARKS and not self.spaced[place + 1]


def _read(text: str) -> _Read:
    forms: list[str] = []
    norms: list[str] = []
    spaced: list[bool] = []
    last = 0
    for form, (start, end) in _PRE_TOKENIZER.pre_tokenize_str(text):
        norm = _norm(form)
        if norm:
            forms.append(form)
            norms.append(norm)
            spaced.append(start > last)
            last = end
    return _Read(forms, norms, spaced)


@lru_cache(maxsize=100_000)
def _norm(word: str) -> str:
    """A word as BERT's lower-case vocabularies have it: no case, no accents."""
    apart = unicodedata.normalize("NFD", word)
    return "".join(c for c in apart if unicodedata.category(c) not in ("Mn", "Cc", "Cf")).lower()


def _words(tokens: Sequence[str]) -> list[list[str]]:
    words: list[list[str]] = []
    for token in tokens:
        if token.startswith("##") and len(token) > 2 and words:
            words[-1].append(token[2:])
        else:
            words.append([token])
    return words


def _spread(form: str, pieces: Sequence[str]) -> list[str]:
    """A written word in as many parts as it has pieces: each character with the piece it belongs to."""
    parts = [""] * len(pieces)
    ends = [sum(map(len, pieces[: n + 1])) for n in range(len(pieces))]
    part = done = 0
    for character in form:
        parts[part] += character
        done += len(_norm(character))
        while part < len(pieces) - 1 and done >= ends[part]:
            part += 1
    return parts


def _at(norms: Sequence[str], i: int) -> str:
    return norms[i] if 0 <= i < len(norms) else NOTHING


@lru_cache(maxsize=100_000)
def _is_word(norm: str) -> bool:
    return any(character.isalnum() for character in norm)


def _is_ideograph(norm: str) -> bool:
    return "\u3400" <= norm[-1] <= "\u9fff"


def _form_keys(norms: Sequence[str], i: int) -> tuple[tuple[tuple[str, ...], float], ...]:
    before, norm, after = _at(norms, i - 1), norms[i], _at(norms, i + 1)
    return (
        ((before, norm, after), BOTH),
        ((before, norm, "→"), ONE),
        (("→", norm, after), ONE),
        ((norm,), ALONE),
    )


def _space_keys(norms: Sequence[str], i: int) -> tuple[tuple[tuple[str, ...], float], ...]:
    a, b, c, d = _at(norms, i - 2), norms[i - 1], norms[i], _at(norms, i + 1)
    exact = (((a, b, c, d), BOTH), ((a, b, c), ONE))
    if b in ENDS and not (a.isdigit() and c.isdigit()):  # "file.name" says nothing about what ends a sentence
        return exact
    return (
        *exact,
        (("→", b, c, d), ONE),
        ((b, c), ALONE),
        (("kind", _kind(a), _kind(b), _kind(c), _kind(d)), ALONE),
    )


def _kind(norm: str) -> str:
    if norm.isdigit():
        return "0"
    return "a" if _is_word(norm) and norm not in CONTRACTED else norm


def _end_before(norms: Sequence[str], i: int) -> int | None:
    """The mark before a word that may end a sentence, quotation marks and brackets passed over; None: there is none."""
    mark = i - 1
    while mark > 0 and norms[mark] in CLOSERS:
        mark -= 1
    return mark if mark >= 0 and norms[mark] in ENDS else None


def _is_label(norms: Sequence[str], i: int) -> bool:
    """Whether a mark is the colon of "Methods:" at the beginning of a text or a sentence."""
    return i > 0 and norms[i] == ":" and (i == 1 or norms[i - 2] in ENDS)


def _end_keys(norms: Sequence[str], i: int) -> tuple[tuple[str, ...], ...]:
    word = _at(norms, i - 2)
    return ((word, norms[i]), (word,)) if len(word) <= ABBREVIATION_LENGTH else ((word, norms[i]),)


def _rule_has_space(norms: Sequence[str], i: int, open_quotes: set[str]) -> bool:
    """Whether typography wants a space before the word."""
    before, last, norm = _at(norms, i - 2), norms[i - 1], norms[i]
    if norm == '"':
        return norm not in open_quotes and last not in NO_SPACE_AFTER
    if last == '"':
        return last not in open_quotes and norm not in NO_SPACE_BEFORE
    if last == "'":
        return norm not in CONTRACTED and before.endswith("s")
    if (norm in DASHES and last in ENDS) or (last in DASHES and before in ENDS):  # the items of a list
        return True
    if norm in NO_SPACE_BEFORE or last in NO_SPACE_AFTER or norm in TIGHT or last in TIGHT:
        return False
    if last in ".,:" and before[-1:].isdigit() and norm[0].isdigit():  # 2.5, 1,000, 10:30
        return last == "," and len(norm) != 3
    # e.g. and U.S.
    return not (last == "." and len(before) == 1 and len(norm) == 1 and before.isalpha() and norm.isalpha())
