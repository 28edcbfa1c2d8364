"""Does what a summary says stand in the documents?"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from heapq import nlargest
from itertools import pairwise
from math import log

from ...documents.model import Document
from ...text.words import Units, covering, support
from .alignment import Side
from .antecedents import resolved, with_full_names
from .attributions import Statement, statements_in
from .authored import Authored
from .cited import Cited
from .claims import Citation, Claim, is_only_quoted, quotations_in
from .clear import Copy, is_denied_alike, is_new_value, is_wrong_by
from .differences import CHANGES, Comparison, Difference
from .known import ABOUT_ITSELF, Known
from .layout import Layout, as_copied, with_breaks
from .lists import Lists
from .marks import JOINS, Marks, clause_end, fronts_of, list_text, marks_in_list, marks_of, without
from .moves import content_of
from .nearby import new_values, place_of_values, spare_words
from .notation import amounts_in
from .paraphrases import conflicts, missing_words
from .places import pieces_of_place, places_of
from .related import related
from .restating import restates
from .results import (
    RANKS,
    VERDICTS,
    Checked,
    Place,
    is_better,
    is_sure,
    is_wider,
    lacks_values,
    may_be_elsewhere,
    misattributed,
    reorders,
    text_of,
    uncertain_words,
    verdict_of,
    with_words,
)
from .sayings import Sayings, Speaker, new_around, shifted
from .tokens import Token, is_in_capitals, norms_of_words, pieces_of, tokens_of
from .voted import with_vote
from .votes import Votes
from .works import without_works

# below this support, no sentence of the document supports the claim; docs/inspect.md explains why
MIN_SUPPORT = 0.25
BEFORE = 3  # sentences in which the name stands that a pronoun stands for
CANDIDATES = 12  # sentences with the rarest words of a claim that it is compared with
# share of a claim's words that sentences must have to be compared with it word by word
MIN_SHARE = 0.4
BUDGET = 4000  # occurrences of a claim's words that are looked at: the rarest words first


class Checker:
    """Checks claims against sentences, by an index of their words.

    Args:
        places: The sentences, those of a document one after another.
        documents: The documents that claims may cite.
    """

    def __init__(self, places: Iterable[Place], documents: Sequence[Document] = ()) -> None:
        self._documents = documents
        self._layout = Layout(documents)
        self._known = Known(documents)
        self._authored = Authored(documents)
        self._single = cache(lambda number: Checker.of([documents[number]]))
        self._places = [piece for place in places for piece in pieces_of_place(place)]
        self._cited = Cited(documents)
        self._where: defaultdict[str, list[int]] = defaultdict(list)
        names = self._indexed()
        self._tokens = lru_cache(maxsize=4096)(lambda text: tokens_of(text, names))
        self._lists = Lists(self._places, self._words)
        self._fronts = fronts_of([one for one, _ in self._places])
        self._sayings = Sayings(self._places)
        self._votes = Votes(self._places)

    def _indexed(self) -> set[str]:
        """The words that are always large, though their sentence is not in capitals; the places of
        all words are noted.
        """
        lower, cased = set[str](), set[str]()
        for number, (sentence, _) in enumerate(self._places):
            words = [(one.norm, one.text) for one in pieces_of(sentence.text) if one.is_word]
            lower.update(norm for norm, text in words if text.islower())
            cased.update(() if is_in_capitals(sentence.text) else dict(words))
            for norm in dict(words):
                self._where[norm].append(number)
        return cased - lower

    @classmethod
    def of(cls, documents: Sequence[Document]) -> "Checker":
        """A checker of documents, also of the text that their readers left out."""
        return cls(places_of(documents), documents)

    def checked(self, claims: Iterable[Claim]) -> Iterator[Checked]:
        """Check claims; quotations of a sentence that is not there are checked instead of it.

        A sentence that says more than that the document has these words is checked too. One that
        names another speaker or label than that of what it quotes is checked itself.
        """
        for claim in claims:
            result = self.check(claim)
            kinds = {one.kind for one in result.differences}
            is_own = result.verdict == "verbatim" or (
                result.verdict == "edited" and "insertion" not in kinds
            )
            quotations = [] if is_own or kinds & {"speaker", "label"} else quotations_in(claim)
            if not quotations or not is_only_quoted(claim):
                yield result
            yield from map(self.check, quotations)

    def check(self, claim: Claim) -> Checked:
        """Check one claim; works that it cites by author and year are words of it only if the
        documents have it with them.
        """
        result = self._check(claim)
        bare = without_works(claim.text)
        is_cited = bare != claim.text and any(map(str.isalnum, bare))
        if not is_cited or result.verdict == "verbatim":
            return result
        stated = replace(claim, text=bare)
        result = replace(self._check(stated), claim=claim)
        return self._authored.compared(result, lambda number: self._alone(stated, claim, number))

    def _alone(self, stated: Claim, claim: Claim, number: int) -> Checked:
        """What one document has of a claim that is stated without the works that it cites."""
        result = self._single(number)._check(stated)
        sources = tuple(place._replace(document=number) for place in result.sources)
        return replace(result, claim=claim, sources=sources)

    def _check(self, claim: Claim) -> Checked:
        """Check one claim, with the works that it cites as words of it."""
        result = self._closest(claim)
        if claim.is_quotation or result.verdict == "verbatim":
            return result
        result = self._with_vote(result)
        for said in statements_in(claim.text):
            result = self._with_speaker(result, said)
        return result

    def _closest(self, claim: Claim) -> Checked:
        """A claim beside what is closest to it."""
        copies, ours, candidates = self._copies(claim)
        order = [
            (
                RANKS[one.verdict],
                one.is_cited_right is False,
                reorders(one),
                -one.score,
                len(one.differences),
            )
            for one in copies
        ]
        texts = self._of_text(candidates)
        if not copies:
            return self._as_paraphrase(claim, ours, texts)
        best = copies[order.index(min(order))]
        if claim.is_quotation or best.verdict != "differs":
            return best
        restated = self._restated(best, ours, texts) if lacks_values(best) else None
        return restated or self._sure(best, ours, texts)

    def _sure(self, copy: Checked, ours: list[Token], candidates: Sequence[int]) -> Checked:
        """A copy that differs, with what shows this; in other words if nothing does."""
        source = self._tokens(text_of(copy))
        found = Copy(ours, source, self._where.keys()).clear(copy.differences)
        if verdict_of(found) == "differs":
            return self._elsewhere(copy, ours) or replace(copy, differences=tuple(found))
        result = self._as_paraphrase(copy.claim, ours, candidates)
        unproven = replace(copy, verdict="paraphrase", differences=tuple(found))
        return unproven if result.verdict == "not found" else result

    def _with_vote(self, result: Checked) -> Checked:
        """A result, after a vote in the claim has been compared with that on its motion."""
        found = self._votes.of(result.claim.text)
        places = [self._places[number] for number in (found.places if found else ())]
        return with_vote(result, found, places, self._is_there(result.claim.citation, places))

    def _with_speaker(self, result: Checked, said: Statement) -> Checked:
        """What was found of a claim, after who says something in it has been compared with who says
        it in the documents.
        """
        told = self._told(result.claim, said)
        if same := [pair for pair in told if pair[0].is_same]:
            own = self._as_said(result.claim, said, *same[0])
            return own if is_better(own, result, said) else result
        sure = [pair for pair in told if is_sure(pair[1], result)]
        if sure and all(speaker.is_same is False for speaker, _ in sure):
            return misattributed(result.claim, said, *sure[0])
        return result

    def _told(self, claim: Claim, said: Statement) -> list[tuple[Speaker, Checked]]:
        """What is closest to what somebody says in a claim, each with who says it, the best
        first.
        """
        part = said.is_quotation
        inner = Claim(said.text, part, claim.citation, is_quotation=part)
        copies = self._copies(inner)[0] or [self._closest(inner)]
        copies = sorted(copies, key=lambda one: (RANKS[one.verdict], -one.score))
        found = [one for one in copies if one.sources]
        return [(self._sayings.speaker_of(said, one.sources[0]), one) for one in found]

    def _as_said(self, claim: Claim, said: Statement, speaker: Speaker, one: Checked) -> Checked:
        """A claim that names the right speaker, by the verdict on the statement alone."""
        found = [*shifted(one.differences, said), *self._around(claim, said, speaker)]
        is_changed = {one.kind for one in found} & CHANGES
        if not is_changed and not found:
            found = [Difference("moved", claim.text[: said.span[0]].strip(), speaker.name)]
        verdict = verdict_of(found) if one.verdict in VERDICTS[:3] else one.verdict
        verdict = "differs" if is_changed and verdict == "paraphrase" else verdict
        found.sort(key=lambda one: one.span)
        return replace(one, claim=claim, verdict=verdict, differences=tuple(found))

    def _around(self, claim: Claim, said: Statement, speaker: Speaker) -> Iterator[Difference]:
        """What a claim has around what somebody says, and the document has not."""
        has = {one.norm for one in self._tokens(speaker.text)}
        for new in new_around(self._tokens(claim.text), claim.text, said, has):
            unknown = [one.fact for one in new if one.norm not in self._where]
            kind = next((one for one in unknown if one in ("number", "date")), "wording")
            span = new[0].start, new[-1].end
            yield Difference(kind, claim.text[slice(*span)], "", span)

    def _copies(self, claim: Claim) -> tuple[list[Checked], list[Token], list[int]]:
        """A claim beside the sentences and lists that it may be a copy of; its tokens; and the
        sentences that share its words.
        """
        ours = self._tokens(claim.text)
        core = without(ours, [(0, self._fronts.end_in(claim.text))])
        words = norms_of_words(core) or norms_of_words(ours)
        candidates = self._candidates(words)
        shares = {number: len(words & self._norms(number)) / len(words) for number in candidates}
        close = sorted(
            (one for one in candidates if shares[one] >= MIN_SHARE), key=lambda one: -shares[one]
        )
        lists = self._lists.joined(self._words(claim.text), candidates)
        passages = self._passages(close, words)
        compared = [*(self._beside(claim, ours, numbers) for numbers in passages)]
        compared += [self._beside_list(claim, ours, parts) for parts in lists]
        found = filter(None, compared)
        copies = [one for one in found if one.verdict in VERDICTS[:3] or is_wider(one)]
        return copies, ours, candidates

    def _of_text(self, candidates: Iterable[int]) -> list[int]:
        found = ((number, self._places[number].sentence) for number in candidates)
        return [
            number for number, one in found if one.start >= 0 or one.heading not in ABOUT_ITSELF
        ]

    def restates(self, checked: Checked) -> bool:
        """Whether a claim says nothing but what one sentence of the documents says: it is whole
        sentences, verbatim, or made of the words of one of its sources; see :mod:`.restating`.
        """
        claim = self._side(checked.claim.text)
        sources = [self._side(place.sentence.text) for place in checked.sources]
        is_whole = sum(one.words for one in sources) <= claim.words
        if checked.verdict == "verbatim" and is_whole:
            return True
        return any(restates(claim, one, self._known) for one in sources)

    def _side(self, text: str) -> Side:
        return Side(text, self._tokens(text))

    def _passages(self, close: Sequence[int], words: Collection[str]) -> Iterator[range]:
        """What a claim with these words is compared with: sentences, and the closest with
        others.
        """
        yield from (range(number, number + 1) for number in close)
        for number in close[:1]:
            yield self._widened(number, words)
            yield self._with_citations(number)

    def _candidates(self, words: Collection[str]) -> list[int]:
        """The sentences that share the rarest words with a claim, best first."""
        scores: defaultdict[int, float] = defaultdict(float)
        looked_at = 0
        for word in sorted(
            self._where.keys() & words, key=lambda word: (len(self._where[word]), word)
        ):
            where = self._where[word][:BUDGET]
            if scores and looked_at + len(where) > BUDGET:
                break
            looked_at += len(where)
            weight = log(1 + len(self._places) / len(where))
            for number in where:
                scores[number] += weight
        return nlargest(CANDIDATES, scores, key=lambda number: (scores[number], -number))

    def _words(self, text: str) -> tuple[str, ...]:
        return tuple(token.norm for token in self._tokens(text) if token.is_word)

    def _with_citations(self, number: int) -> range:
        """A sentence and the citations after it."""
        end = number + 1
        while end < len(self._places) and self._places[end].sentence.role == "citation":
            end += 1
        return range(number, end)

    def _norms(self, number: int) -> set[str]:
        return {token.norm for token in self._tokens(self._places[number].sentence.text)}

    def _widened(self, number: int, words: Collection[str]) -> range:
        """A sentence with those around it that have three or more words of the claim that it
        lacks.
        """
        own = self._places[number]
        numbers, missing = [number], set(words) - self._norms(number)
        for other in (number - 1, number + 1, number - 2, number + 2):
            sentence, document = (
                self._places[other] if 0 <= other < len(self._places) else (own.sentence, None)
            )
            if document == own.document and (sentence.start < 0) == (own.sentence.start < 0):
                added = missing & self._norms(other)
                numbers += [other] if len(added) > 2 else []
                missing -= added
        return range(min(numbers), max(numbers) + 1)

    def _joined(self, numbers: range) -> Place:
        """Sentences, one after another, as one."""
        sentences = [self._places[number].sentence for number in numbers]
        pages = tuple(dict.fromkeys(page for one in sentences for page in one.pdf_pages))
        text = " ".join(one.text for one in sentences)
        whole = replace(sentences[0], text=text, pdf_pages=pages, end=sentences[-1].end)
        return Place(whole, self._places[numbers[0]].document)

    def _breaks(self, numbers: range) -> Iterator[int]:
        """The offsets in joined sentences at which lines of a page begin."""
        start = 0
        for number in numbers:
            sentence, document = self._places[number]
            yield from (start + line for line in self._layout.breaks_in(sentence, document))
            start += len(sentence.text) + 1

    def _beside(self, claim: Claim, ours: list[Token], numbers: range) -> Checked | None:
        """A claim beside sentences, one after another; None if they are too different."""
        place = self._joined(numbers)
        source = place.sentence.text
        marks = marks_of(claim.text, place.sentence, self._fronts.speakers)
        is_drawn = self._layout.is_drawn(place.document)
        if is_drawn:
            ours = self._tokens(as_copied(claim.text))
            theirs = with_breaks(self._tokens(as_copied(source)), [*self._breaks(numbers)])
        else:
            theirs = self._tokens(source)
        left = Side(claim.text, without(ours, marks.spans))
        compared = Comparison(left, Side(source, theirs), self._known, is_drawn=is_drawn)
        near = range(max(0, numbers[0] - BEFORE), numbers[0])
        before = set[str]().union(*map(self._norms, near))
        return self._compared(claim, compared, marks, [place], before)

    def _beside_list(
        self, claim: Claim, ours: list[Token], numbers: Sequence[int]
    ) -> Checked | None:
        """A claim beside parts of a list; None if they are too different."""
        parts = [self._places[number].sentence for number in numbers]
        follows = [b - a == 1 or not self._places[b].sentence.lead_in for a, b in pairwise(numbers)]
        source = list_text(claim.text, parts, follows)
        marks = marks_in_list(claim.text, parts, self._fronts.speakers)
        left = [one for one in without(ours, marks.spans) if one.norm not in JOINS]
        right = [one for one in self._tokens(source) if one.norm not in JOINS]
        places = sorted(
            (self._places[number] for number in numbers), key=lambda one: bool(one.sentence.role)
        )
        compared = Comparison(Side(claim.text, left), Side(source, right), self._known)
        return self._compared(claim, compared, marks, places)

    def _compared(
        self,
        claim: Claim,
        compared: Comparison,
        marks: Marks,
        places: Sequence[Place],
        before: Collection[str] = (),
    ) -> Checked | None:
        """What a comparison with some places found, behind sentences with some words; None if it is
        no copy.
        """
        if not compared.is_copy:
            return None
        differences = compared.differences(self._where.keys(), is_part=claim.is_part)
        if not compared.is_copy:
            return None
        differences = [
            *marks.differences,
            *with_full_names(resolved(differences, before), claim.text, self._known),
            *uncertain_words(claim, places, self._documents),
        ]
        is_cited_right = self._is_there(claim.citation, places)
        score = round(compared.coverage, 4)
        return Checked(
            claim, verdict_of(differences), score, tuple(places), tuple(differences), is_cited_right
        )

    def _as_paraphrase(self, claim: Claim, ours: list[Token], candidates: Sequence[int]) -> Checked:
        """A claim whose words stand in some sentences in another order, or which was not found.

        A quotation must stand there, and so must a number somewhere in the documents. A claim that
        cites a place is a paraphrase only of what stands at that place.
        """
        units = [Units.of(self._places[number].sentence.text) for number in candidates]
        chosen, value = covering(Units.of(claim.text), units)
        if not chosen or value < MIN_SUPPORT:
            return Checked(claim, "not found", round(value, 4))
        found_in = [self._places[one] for one in candidates]
        chosen = related(chosen, found_in, ours, self._tokens)
        places = [found_in[one] for one in chosen]
        is_cited_right = self._is_there(claim.citation, places)
        if is_cited_right is False:
            cited = [
                one for one in candidates if self._is_there(claim.citation, [self._places[one]])
            ]
            if cited and cited != candidates:
                return self._as_paraphrase(claim, ours, cited)
            return Checked(claim, "not found", round(value, 4), is_cited_right=False)
        near = {candidates[one] + step for one in chosen for step in (-1, 0, 1)}
        around = near & set(range(len(self._places)))
        around.update(self._above(candidates[one] for one in chosen))
        further = [number for number in candidates if number not in around]
        passages, others = (
            [self._side(self._places[number].sentence.text) for number in numbers]
            for numbers in (sorted(around), further)
        )
        side = Side(claim.text, ours)
        text = Side(claim.text, without(ours, [(0, clause_end(claim.text))]))
        found = conflicts(text, passages, others, self._known)
        if is_denied_alike(ours, self._tokens(places[0].sentence.text)):
            found = [one for one in found if one.kind != "negation"]
        score = round(value * 0.5 ** len(found), 4)
        is_wrong = any(self._is_wrong(one, value, claim.text) for one in found)
        verdict = "not found" if claim.is_quotation else "differs" if is_wrong else "paraphrase"
        sources = [self._side(one.sentence.text) for one in places]
        result = Checked(claim, verdict, score, tuple(places), tuple(found), is_cited_right)
        return with_words(result, side, sources, self._known)

    def _above(self, numbers: Iterable[int]) -> Iterator[int]:
        """The lead-ins in front of the paragraphs of which some sentences are parts."""
        return (above for one in numbers if (above := self._lists.above(one)) is not None)

    def _restated(
        self, copy: Checked, ours: list[Token], candidates: Sequence[int]
    ) -> Checked | None:
        """A claim whose values and names one sentence has, maybe with the lead-in above it."""
        claim = Side(copy.claim.text, ours)
        new = new_values(copy, ours, self._words_of(copy), ("number", "date", "name"))
        lacks = {*missing_words(claim, [self._side(text_of(copy))], self._known)} - new
        titled, spare = self._known.titled(ours), spare_words(copy, content_of([ours]))
        for number in candidates:
            if not may_be_elsewhere(copy, new, self._places[number]):
                continue
            numbers = [*self._above([number]), number]
            side = self._side(" ".join(self._places[one].sentence.text for one in numbers))
            absent = missing_words(claim, [side], self._known)
            missing = tuple(filter(lambda one: one.lower() not in titled, absent))
            is_whole = len(missing) <= spare or {*absent} <= lacks
            is_there = is_whole and new <= {one.norm for one in side.tokens}
            if is_there and not conflicts(claim, [side], [], self._known):
                places = tuple(self._places[one] for one in numbers[::-1])
                is_cited_right = self._is_there(copy.claim.citation, places)
                score = round(support(Units.of(claim.text), Units.of(side.text)), 4)
                return Checked(copy.claim, "paraphrase", score, places, (), is_cited_right, missing)
        return None

    def _elsewhere(self, copy: Checked, ours: Sequence[Token]) -> Checked | None:
        """A claim with values that the documents have beside words that the copied one lacks."""
        has = self._words_of(copy)
        number = place_of_values(copy, ours, has, self._where, self._norms)
        if number is None:
            return None
        claim, places = copy.claim, (self._places[number],)
        is_cited_right = self._is_there(claim.citation, places)
        return Checked(claim, "paraphrase", copy.score, places, (), is_cited_right)

    def _words_of(self, copy: Checked) -> set[str]:
        return {one.norm for one in self._tokens(text_of(copy))}

    def _is_wrong(self, difference: Difference, support: float, claim: str) -> bool:
        """Whether a conflict of a paraphrase with this support shows that it is wrong, such as a
        number that no document has.
        """
        if not is_new_value(difference, claim):
            return is_wrong_by(difference, support)
        norms = [piece.norm for piece in pieces_of(difference.claim)]
        norms += [one.norm for one in amounts_in(difference.claim)]
        return self._where.keys().isdisjoint(norms) and not any(map(self._known.has_number, norms))

    def _is_there(self, citation: Citation | None, places: Iterable[Place]) -> bool | None:
        """Whether one of some places is the one that is cited."""
        if citation is None:
            return None
        return any(self._cited.holds(citation, *place) for place in places)
