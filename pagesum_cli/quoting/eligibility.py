"""What the words and the place of a sentence say about quoting it (English)."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..documents.model import Sentence
from ..documents.unpunctuated import is_cut_inside, is_spoken_question, is_unpunctuated
from ..locality.flow import Page
from ..text.words import STOP_WORDS
from .annulled import annulled_in
from .cited import is_of_cited
from .context import NOTHING_AROUND, Surroundings, needs_context
from .continuing import continues, is_left_open
from .cues import (
    AIM,
    CLOSED,
    OTHERS,
    OWN,
    QUESTION,
    SPACED_STOP,
    View,
    begins_small,
    is_content,
    is_whole,
)
from .own import values_of
from .parts import parts_of, roles_in


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DEMONSTRATIVES = _words("this that")
SHOWN_ELSEWHERE = _words("fig figs figure figures table tables section")
_FIGURE_NUMBER = re.compile(r"(?!(?:1[ab]|2[ad]|3[ad]|4a)$)(?:[1-9]|[12]\d|30)[a-z]?")
"""``3`` and ``4b``; not the most frequent panels, which are words of the bundled vocabulary: a
sentence about them was selected before, and is selected now."""

_CEREMONY = re.compile(
    r"(?i)^\W*whereas\b|\b(?:pledge of allegiance|allegiance to the flag|nation under god)\b"
    r"|\b(?:(?:we|let us|let’s|i) pray(?:ed)? (?:that|for|this|in|you)|pray with me)\b"
    r"|\bbow (?:your|our) heads?\b|\bin the name of (?:the lord|jesus|christ)\b"
    r"|\bin jesus(?:’|')? name\b|\bheavenly father\b"
    r"|\bamen\W*$"
)
"""What opens a meeting or honors somebody: a prayer, a pledge, recitals."""

_VOTE = re.compile(
    r"(?i)\bmotion (?:carries|carried|passes|passed|fails|failed)\b"
    r"|\b(?:affirmative|negative) votes?\b|\bvotes? (?:yes|no|aye|nay)\b"
    r"|\b(?:the|that|this) \w+ (?:is|was|has been) (?:hereby )?"
    r"(?:approved|adopted|passed|carried|denied|rejected|reappointed|appointed)\W*$"
)
"""A vote that is spoken, without its matter."""

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")

OFTEN = 4  # sentences that a name in lower case begins
SENTENCES_BEFORE = 3  # sentences before another one that are looked at


@dataclass(frozen=True, slots=True)
class Eligibility:
    """What a sentence's words say about quoting it."""

    # It is a whole sentence: begins with a capital, is closed by a sentence mark, has every bracket
    # and quotation mark twice, and has no number in front.
    is_whole: bool = True
    # It is about the document's subject: not a caption, back matter, or about the document's own
    # parts
    is_content: bool = True
    refers_away: bool = False  # it refers to a figure, table or section: "(Fig. 1)"
    is_others: bool = False  # it tells what others found or wrote
    is_aim: bool = False  # it tells the document's aim
    repeats_aim: bool = False  # it does so outside of an abstract, which tells that
    is_abstract: bool = False  # it is in the abstract
    # the sentence before it on the page is the one before it in its paragraph
    follows: bool = False
    # it is no heading, label, citation or lead-in, not on a work that the sentence before it
    # cites, and no clause that a note annuls; these are never quoted by themselves
    is_quotable: bool = True
    words: int = 1  # number of its words, with those of the lead-in that it completes
    citation_words: int = 0  # number of words of the citations that belong to it
    # the probability that it points at something that it does not hold itself
    needs_context: float = 0.0
    # it surely continues the sentence before it, or is inside of a quotation that began before it
    continues: bool = False
    # what its place adds to its score, in logits, in a paper that is read without its abstract
    value: float = 0.0
    # the probability of each role, in a paper
    roles: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls, text: str, around: Surroundings = NOTHING_AROUND, *, may_count: bool = False
    ) -> "Eligibility":
        """Examine a sentence; if it ``may_count``, its first word can be a number."""
        view = View(text, around.heading, may_count)
        aim = AIM.search(text)
        names_itself = aim is not None and aim.start() == 0 and text.startswith("This ")
        return cls(
            is_whole=is_whole(view),
            is_content=is_content(view),
            refers_away=_refers_away(_TOKEN.findall(text.lower())),
            is_others=OTHERS.search(text) is not None and OWN.search(text) is None,
            is_aim=aim is not None,
            words=len(text.split()),
            needs_context=0.0 if names_itself else needs_context(text, around),
        )


def eligibility_of(pages: Sequence[Page], known: str = "") -> tuple[tuple[Eligibility, ...], ...]:
    """Examine each sentence of the pages of a document, whose abstract may be ``known``."""
    parts = parts_of(pages)
    roles = roles_in(pages, parts)
    values = values_of(pages, parts, roles, known)
    names = _names(pages)
    told = {pages[number].source for (number, _), part in parts.items() if part == "abstract"}
    examined: list[tuple[Eligibility, ...]] = []
    spoken = _unpunctuated(pages)
    before: list[Sentence] = []
    for number, page in enumerate(pages):
        if number and page.source != pages[number - 1].source:
            before = []
        reading = _Reading(page, before, names, page.source in told)
        for place in range(len(page.sentences)):
            key = (number, place)
            reading.read(place, parts[key], roles.get(key, {}))
        examined.append(
            tuple(
                replace(_spoken(one, item.text) if page.source in spoken else one, value=value)
                for place, (item, one) in enumerate(
                    zip(page.sentences, reading.examined, strict=True)
                )
                for value in [values.get((number, place), 0.0)]
            )
        )
        before = reading.before
    return tuple(examined)


def _unpunctuated(pages: Sequence[Page]) -> set[str]:
    """The sources whose sentences are pieces of speech without marks."""
    texts: dict[str, list[str]] = {}
    for page in pages:
        texts.setdefault(page.source, []).extend(one.text for one in page.sentences)
    return {source for source, own in texts.items() if is_unpunctuated(own)}


def _spoken(own: Eligibility, text: str) -> Eligibility:
    """A piece of speech without marks: what an interviewer asks, and the rest of a clause, are
    never quoted, and no mark ends any other one.
    """
    if is_spoken_question(text) or is_cut_inside(text):
        return replace(own, is_whole=False, is_content=False, is_quotable=False)
    return replace(own, is_whole=own.words >= MIN_PIECE)


class _Reading:
    """The sentences of a page, examined one after another."""

    def __init__(
        self, page: Page, before: Sequence[Sentence], names: set[str], has_abstract: bool
    ) -> None:
        self.page = page
        self.has_abstract = has_abstract
        self.before = list(before)  # the last sentences before
        self.names = names
        self.cited = _citation_words(page.sentences)
        self.annulled = annulled_in(page.sentences)
        self.examined: list[Eligibility] = []
        self.is_quotation = False  # whether a quotation of the paragraph is still open

    def read(self, place: int, part: str, roles: Mapping[str, float]) -> None:
        """Examine the next sentence.

        One whose paragraph goes on in lower case is not whole: a comma was read as a stop, or two
        columns as one.
        """
        item = self.page.sentences[place]
        goes_on = self._goes_on(item)
        text = self._capitalized(completed(item))
        around = Surroundings(self._near(item), not goes_on, self.page.title, item.heading)
        own = Eligibility.of(text, around, may_count=part == "abstract" and goes_on)
        if goes_on and self._is_cut_before(text):
            self.examined[-1] = replace(self.examined[-1], is_whole=False)
        follows = goes_on and place > 0
        own = self._in_its_place(own, item, part)
        is_quotable = own.is_quotable and place not in self.annulled
        own = replace(own, is_quotable=is_quotable, citation_words=self.cited[place])
        own = replace(own, follows=follows, roles=roles)
        is_inside = goes_on and self.is_quotation
        self.examined.append(replace(own, continues=is_inside or continues(text)))
        self.is_quotation = is_left_open(item.text, is_inside)
        self.before = [*self.before[1 - SENTENCES_BEFORE :], item]

    def _in_its_place(self, own: Eligibility, item: Sentence, part: str) -> Eligibility:
        """What is known of a sentence by what it is part of, too."""
        is_abstract = part == "abstract"
        last = "".join(self._near(item)[-1:])
        is_short = item.lead_in is not None and len(item.text.split()) < MIN_ITEM
        is_question = not is_abstract and QUESTION.search(item.text) is not None
        return replace(
            own,
            is_whole=own.is_whole and not is_short,
            is_content=own.is_content and not is_question,
            is_abstract=is_abstract,
            repeats_aim=own.is_aim and self.has_abstract and not is_abstract,
            is_quotable=_may_be_quoted(item) and not is_of_cited(item.text, last, part),
        )

    def _goes_on(self, item: Sentence) -> bool:
        """Whether the paragraph of the sentence before goes on with it."""
        last = self.before[-1] if self.before else item
        return last.end >= 0 and 0 <= item.start - last.end <= 1

    def _near(self, item: Sentence) -> list[str]:
        """The last sentences under the same heading."""
        same = (one for one in self.before if one.heading == item.heading)
        return [one.text for one in same if not one.is_heading]

    def _capitalized(self, text: str) -> str:
        """A sentence that begins with a name in lower case."""
        return text[0].upper() + text[1:] if text.partition(" ")[0] in self.names else text

    def _is_cut_before(self, text: str) -> bool:
        """Whether the last sentence on the page goes on with a text, in lower case."""
        is_spaced = bool(self.before) and SPACED_STOP.search(self.before[-1].text) is not None
        return bool(self.examined) and begins_small(text) and not is_spaced


def _citation_words(sentences: Sequence[Sentence]) -> list[int]:
    """How many words the citations directly after each sentence have."""
    words = [0] * (len(sentences) + 1)
    for number in range(len(sentences) - 1, -1, -1):
        if sentences[number].role == "citation":
            words[number] = words[number + 1] + len(sentences[number].text.split())
    return words[1:]


MIN_PIECE = 8  # words of a piece of speech without marks that says something
MIN_ITEM = 3  # words of an item of a list that is quoted

_OPEN_ITEM = re.compile(r"[;,](?: (?:and|or))?$")


def completed(item: Sentence) -> str:
    """A sentence; of an item of a list, what it makes with its lead-in: "A person may not: drive a
    bus.".
    """
    if item.lead_in is None:
        return item.text
    text = " ".join([*(one.text for one in item.lead_ins), _OPEN_ITEM.sub("", item.text)])
    return text if CLOSED.search(text) else f"{text}."


def _names(pages: Sequence[Page]) -> set[str]:
    """Names in lower case, such as that of a program: words that begin several sentences."""
    sentences = (item.text for page in pages for item in page.sentences if not item.is_heading)
    first = Counter(text.partition(" ")[0] for text in sentences if CLOSED.search(text))
    return {word for word, count in first.items() if count >= OFTEN and _can_be_name(word)}


def _can_be_name(word: str) -> bool:
    return word[0].islower() and word.isalpha() and word not in STOP_WORDS


def _refers_away(tokens: list[str]) -> bool:
    padded = ("", *tokens, "", "")
    return any(
        token in SHOWN_ELSEWHERE
        and (before in DEMONSTRATIVES or _is_number(after) or _is_number(second))
        for before, token, after, second in zip(
            padded, padded[1:], padded[2:], padded[3:], strict=False
        )
    )


def _is_number(token: str) -> bool:
    return _FIGURE_NUMBER.fullmatch(token) is not None


def _may_be_quoted(item: Sentence) -> bool:
    """Whether a sentence can be quoted; of a recording, no words of a ceremony and no result of a
    vote, which does not say on what and may be overtaken by the next one.
    """
    is_recorded = item.time is not None
    is_other = is_recorded and any(one.search(item.text) for one in (_CEREMONY, _VOTE))
    return item.is_quotable and not is_other
