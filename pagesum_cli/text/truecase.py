"""Capitals, accents and spaces for the output of a lower-case vocabulary, learned from the
documents summarized.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

_TOKEN = re.compile(r"[\u3400-\u9fff]|(?:(?![\u3400-\u9fff])[^\W_])+|[^\w\s]|_")
_UNKNOWN = "[UNK]"
_ENDS = frozenset(".!?…")
_NO_SPACE_BEFORE = frozenset(".,;:!?%)]}’”»′″°…'")
_NO_SPACE_AFTER = frozenset("([{“‘«$£€#@~'")
_TIGHT = frozenset("-‐‑–—/_\\^")


class Truecaser:
    """Learns the most frequent form of words, and spaces between them; a sentence's first capital
    counts little.
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        self._forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._spaces: Counter[tuple[str, str]] = Counter()  # spaces minus no spaces
        for sentence in sentences:
            end, before = 0, ""
            for match in _TOKEN.finditer(sentence):
                norm = normalized(match.group())
                self._forms[norm][match.group()] += 1000 if before else 1
                if before:
                    self._spaces[before, norm] += 1 if match.start() > end else -1
                end, before = match.end(), norm

    def restore(self, pieces: Sequence[str]) -> list[str]:
        """Write out a generated text: the text of each piece; joined, they are the finished
        text.
        """
        words: list[list[str]] = []
        for piece in pieces:
            if piece.startswith("##") and len(piece) > 2 and words:
                words[-1].append(piece[2:])
            else:
                words.append([piece])
        norms = ["", *map("".join, words)]
        restored: list[str] = []
        starts = True
        for before, norm, parts in zip(norms, norms[1:], words, strict=False):
            space = bool(before) and self._has_space(before, norm)
            starts = starts or (space and before in _ENDS)
            form = "" if norm == _UNKNOWN else self._form(norm)
            if starts and norm[:1].isalnum():
                starts = False
                form = form[:1].upper() + form[1:] if form.islower() else form
            restored += _spread(" " * (space and bool(form)) + form, parts)
        return restored

    def _form(self, norm: str) -> str:
        forms = self._forms.get(norm)
        return max(forms, key=forms.__getitem__) if forms else norm

    def _has_space(self, before: str, norm: str) -> bool:
        if vote := self._spaces[before, norm]:
            return vote > 0
        return not (
            norm in _NO_SPACE_BEFORE
            or before in _NO_SPACE_AFTER
            or norm in _TIGHT
            or before in _TIGHT
        )


def normalized(word: str) -> str:
    """A word as a lower-case BERT vocabulary has it: without case and accents."""
    return "".join(
        one for one in unicodedata.normalize("NFD", word) if unicodedata.category(one) != "Mn"
    ).lower()


def _spread(form: str, parts: Sequence[str]) -> list[str]:
    ends = [
        len(form) - len("".join(parts)) + len("".join(parts[: count + 1]))
        for count in range(len(parts) - 1)
    ]
    return [form[first:last] for first, last in zip([0, *ends], [*ends, len(form)], strict=True)]
