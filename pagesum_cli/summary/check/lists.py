"""Lists of documents: which of their parts, lead-ins and items, a claim joins."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from ...documents.model import Sentence

MEMBERS = 500  # parts of a list that are looked at
NEAR = 8  # sentences behind a lead-in that may belong to it
MIN_SHARE = 0.7  # share of a part's words that a claim must have to join it, if it has been changed


class Lists:
    """The lists among sentences, which are given with the numbers of their documents.

    Args:
        sentences: The sentences, those of a document one after another.
        words_of: The words of a text as they are compared.
    """

    def __init__(
        self, sentences: Sequence[tuple[Sentence, int]], words_of: Callable[[str], tuple[str, ...]]
    ) -> None:
        self._words_of = words_of
        self._sentences = sentences
        self._members: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        self._roots: dict[int, tuple[int, int]] = {}
        self._above: dict[int, int] = {}
        above: int | None = None
        for number, (sentence, document) in enumerate(sentences):
            if sentence.lead_in or sentence.role == "lead-in":
                root = (*sentence.lead_ins, sentence)[0]
                self._roots[number] = document, root.start
                self._members[document, root.start].append(number)
            above = number if sentence.role == "lead-in" else above
            if above is not None and self._is_below(number, above):
                self._above[number] = above

    def _is_below(self, number: int, above: int) -> bool:
        """Whether a sentence follows a lead-in that it may belong to, though it is no item."""
        (own, document), (lead_in, other) = self._sentences[number], self._sentences[above]
        is_near = 0 < number - above <= NEAR and document == other
        return is_near and not own.lead_in and own.heading == lead_in.heading and own.start >= 0

    def above(self, number: int) -> int | None:
        """The lead-in in front of the paragraphs of which a sentence is one; None without one."""
        return self._above.get(number)

    def joined(self, words: Sequence[str], numbers: Sequence[int]) -> Iterator[list[int]]:
        """The parts that a claim of these words may join, of the lists of some sentences.

        Whole sentences of these that the claim has too are among them: it may have been split
        wrongly.
        """
        roots = dict.fromkeys(self._roots[number] for number in numbers if number in self._roots)
        for root in roots:
            members = self._members[root][:MEMBERS]
            others = [one for one in numbers if one not in self._roots]
            for found in (self._copied(words, [*members, *others]), self._similar(words, members)):
                if any(self._sentences[number][0].lead_in for number in found):
                    yield found

    def _copied(self, words: Sequence[str], members: Sequence[int]) -> list[int]:
        """The parts whose words a claim has in a row, longer ones first."""
        text, taken, found = f" {' '.join(words)} ", list[tuple[int, int]](), list[int]()
        for number, part in sorted(self._parts(members), key=lambda one: -len(one[1])):
            start = text.find(part)
            while start >= 0 and any(a < start + len(part) - 1 and start + 1 < b for a, b in taken):
                start = text.find(part, start + 1)
            if start >= 0:
                taken.append((start + 1, start + len(part) - 1))
                found.append(number)
        return sorted(found)

    def _parts(self, members: Sequence[int]) -> Iterator[tuple[int, str]]:
        for number in members:
            words = self._words(number)
            if words:
                yield number, f" {' '.join(words)} "

    def _similar(self, words: Sequence[str], members: Sequence[int]) -> list[int]:
        """The parts most of whose words a claim has."""
        known, found = set(words), list[int]()
        for number in members:
            own = set(self._words(number))
            if own and len(own & known) >= MIN_SHARE * len(own):
                found.append(number)
        return found

    def _words(self, number: int) -> tuple[str, ...]:
        """The words of a part, without the one that joins it with the next."""
        words = self._words_of(self._sentences[number][0].text)
        return words[:-1] if len(words) > 1 and words[-1] in ("and", "or", "but") else words
