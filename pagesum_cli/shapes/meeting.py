"""The minutes of a meeting: its topics, who takes part, and what each sentence records."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import zip_longest
from math import inf

from ..documents.article.names import bare_name
from ..documents.model import GAP, Document, Section, Sentence
from ..documents.sentences import all_sentences
from ..documents.written import date_in
from ..summary.summary import Outcome
from ..text.words import is_usually_capital
from .agendas import has_results, past_titles, without_captions, without_items
from .attendance import (
    absent_from,
    fits_people,
    is_about_people,
    known_names,
    lines_above,
    participants_of,
    word_count,
)
from .learned import around, kind_of
from .outcomes import has_date, is_status, outcome, outcome_of, recorded_in, rule_of
from .owners import is_body, owner_beside
from .rules import (
    decides,
    has_tasks,
    has_verb,
    instructs,
    is_list_of_decisions,
    is_minutes,
    is_procedure,
    is_said_by,
    is_takeaways,
    is_talk,
    meets_again,
    opens_minutes,
)

MAX_TITLE = 14  # words of a line that names a topic
NUMBERED_TITLE = 20  # words of one with the number of an item
REPEATED = 4  # words of an outcome that counts once where it stands twice
FIRST = 8  # lines among which minutes name themselves
DATE_WORDS = 4  # words of a heading that is a date
OPENING = 20  # sentences among which minutes say that a meeting begins

_BOX = re.compile(r"\[ ?[xX✓]? ?\] ?")
_TAG = re.compile(r"[A-Z]{2,12}(?:-[A-Z\d]{1,12}){1,3} (?=[A-Z])")
"""The number of a resolution before its text: "RES-TC The board …"."""
_PAGES = re.compile(r"\d+(?:[-–]\d+)?")
_OPEN_BOX = re.compile(r"\[ ?\] ?\w")


@dataclass(frozen=True)
class Topic:
    """What a part of a meeting was about."""

    start: int  # offset in the document's text
    title: str  # empty for what is no topic
    is_procedure: bool = False  # whether it says nothing about a subject


class Meeting:
    """A document read as the minutes of a meeting."""

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _sentences(self) -> list[Sentence]:
        return all_sentences(self._document)

    @cached_property
    def topics(self) -> list[Topic]:
        """The topics in order, the first at offset 0."""
        topics = _topics_of_sections(self._document)
        subjects = [one for one in topics if one.title and not one.is_procedure]
        if len(subjects) < 2:
            titles = _title_lines(self._sentences)  # a single one is the title of a list
            lines = [_topic_of_line(one) for one in titles if len(titles) > 1]
            topics = sorted([*topics, *lines], key=lambda one: one.start)
        return topics

    def topic(self, offset: int) -> int:
        """The number of the topic at an offset."""
        return bisect_right(self.topics, offset, key=lambda one: one.start) - 1

    @cached_property
    def participants(self) -> tuple[str, ...]:
        """Who takes part, as the minutes list them."""
        return participants_of(self._sentences)

    @cached_property
    def absent(self) -> tuple[str, ...]:
        """Who is not there, as the minutes list them."""
        return absent_from(self._sentences)

    @property
    def date(self) -> date | None:
        """When one met: the date in the title, the first headings and lines, or the file's name."""
        headings = [part.heading for part in self._document.sections if part.heading]
        lines = [one.text for one in self._sentences[:FIRST]]
        texts = (self._document.title, *headings[:2], *lines, self._document.name)
        return next(filter(None, map(date_in, texts)), None)

    @property
    def has_outcomes(self) -> bool:
        """Whether any sentence records something in a form that a rule knows."""
        return bool(ruled_outcomes(self._sentences))

    @property
    def is_meeting(self) -> bool:
        """Whether it is the minutes of a meeting by its title, its first lines or headings, its
        opening, who takes part and what is formal in a meeting, or an agenda with results.
        """
        headings = [part.heading for part in self._document.sections if part.heading]
        is_named = self._is_named(headings) or self._has_form(headings) or self._is_log(headings)
        return is_named or has_results(self._document.title, self._sentences)

    def _is_log(self, headings: Sequence[str]) -> bool:
        """Whether most headings are dates alone, under which something was decided."""
        dated = [one for one in headings if len(one.split()) <= DATE_WORDS and date_in(one)]
        return len(dated) > 1 and 2 * len(dated) > len(headings) and self.has_outcomes

    def _is_named(self, headings: Sequence[str]) -> bool:
        """Whether the title, or one of the first headings or lines, names the minutes of a
        meeting.
        """
        lines = [one.text for one in self._sentences[:FIRST] if word_count(one) <= MAX_TITLE]
        titles = (self._document.title, *headings[:2], *lines)
        opening = [one.text for one in self._sentences[:OPENING]]
        return any(map(is_minutes, titles)) or any(map(opens_minutes, opening))

    def _has_form(self, headings: Sequence[str]) -> bool:
        """Whether the document says who takes part, and has a formal part of a meeting or its
        date.
        """
        formal = [name for name in map(bare_name, headings) if is_procedure(name)]
        listed = [name for name in formal if fits_people(name, "heading")]
        is_dated = any(map(has_date, (self._document.title, *headings[:1])))
        is_formal = len(formal) > len(listed)
        return bool(listed or self.participants) and (is_formal or is_dated)


def outcomes_in(sentences: Sequence[Sentence]) -> dict[int, Outcome]:
    """What the sentences of minutes in a row record, by their numbers: what the rules find, and
    what is likely by its words.
    """
    found = ruled_outcomes(sentences)
    names = known_names(sentences)
    for number in undecided_in(sentences, found):
        text = sentences[number].printed
        kind = kind_of(*around(sentences, number))
        if kind:
            bare = text.removeprefix(sentences[number].label)
            found[number] = outcome(kind, bare, owner_beside(bare, names))
    return _surely(sentences, dict(sorted(found.items())))


def ruled_outcomes(sentences: Sequence[Sentence]) -> dict[int, Outcome]:
    """What the sentences of minutes in a row record by the rules, by their numbers; what they
    repeat, once.
    """
    found: dict[int, Outcome] = {}
    known: set[str] = set()
    spoken, names = set(said(sentences)), known_names(sentences)
    past = set(past_titles(sentences))
    for number, sentence in enumerate(sentences):
        if not _is_note(sentence) or sentence.printed in known:
            continue
        before = sentences[number - 1] if number else None
        is_first = number not in past and _begins_paragraph(before, sentence)
        recorded = _recorded(sentence, names, is_said=number in spoken, is_first=is_first)
        if recorded is not None:
            found[number] = recorded
            known.update(_once(sentence, recorded))
    return _surely(sentences, found)


def _surely(sentences: Sequence[Sentence], found: Mapping[int, Outcome]) -> dict[int, Outcome]:
    return without_captions(sentences, without_items(sentences, found))


def undecided_in(sentences: Sequence[Sentence], found: Mapping[int, Outcome]) -> list[int]:
    """The numbers of the sentences in which the rules find nothing, but which may record
    something: no speech, no names, no report on a task, and nothing that stands twice.
    """
    known = {sentences[number].printed for number in found}
    spoken = set(said(sentences))
    others: list[int] = []
    for number, sentence in enumerate(sentences):
        is_new = number not in spoken and sentence.printed not in known
        if is_new and _may_record(sentence):
            others.append(number)
            known.add(sentence.printed)
    return others


def _is_note(sentence: Sentence) -> bool:
    """Whether a sentence is no heading, no list of people, and does not only cite rules or sign."""
    is_other = sentence.is_heading or is_about_people(sentence)
    return not (is_other or fits_people(sentence.text, "rules", "signed"))


def _may_record(sentence: Sentence) -> bool:
    return _is_note(sentence) and not (is_talk(sentence.text) or is_status(sentence.printed))


def _plain(sentence: Sentence, names: Set[str]) -> str:
    """A sentence without the number of its paragraph and the box before it that is ticked when a
    task is done; a name at its beginning has a capital, and what a speaker promises has his name.
    """
    text = _BOX.sub("", sentence.printed.removeprefix(sentence.label).lstrip())
    if _TAG.match(text) and not text.startswith("ACTION"):
        text = _TAG.sub("", text, count=1)
    first = text.partition(" ")[0]
    if sentence.speaker and fits_people(text, "promise"):
        return f"{sentence.speaker}: {text}"
    return text[:1].upper() + text[1:] if first.capitalize() in names else text


def _begins_paragraph(before: Sentence | None, sentence: Sentence) -> bool:
    return before is None or bool(sentence.front) or not 0 <= sentence.start - before.end <= 1


def _once(sentence: Sentence, recorded: Outcome) -> list[str]:
    """The text of an outcome that counts once where it stands twice."""
    is_named = recorded.kind != "vote" and word_count(sentence) >= REPEATED
    return [sentence.printed] if is_named else []


def _recorded(
    sentence: Sentence, names: Set[str], *, is_said: bool, is_first: bool
) -> Outcome | None:
    """What a sentence records, by its words or, if it is the first one of its paragraph, by its
    place.

    A label or a vote says the kind; then the heading does, unless it is that of decisions and the
    sentence gives a task to somebody.
    """
    text = _plain(sentence, names)
    form = rule_of(text, is_speech=is_said, names=names)
    own = recorded_in(text, form, names) if form else None
    placed = _by_place(sentence, names, is_said=is_said) if is_first else None
    if form is None or own is None or placed is None:
        return own or placed
    return own if form[0].is_explicit or _is_task(own, placed) else _placed(placed, own, text)


def _is_task(own: Outcome, placed: Outcome) -> bool:
    """Whether a sentence under decisions gives a task to somebody."""
    return (own.kind, placed.kind) == ("action", "decision") and not is_body(own.who)


def _placed(placed: Outcome, own: Outcome, text: str) -> Outcome:
    """What a heading says that a sentence records, with who does it."""
    return outcome(placed.kind, text, own.who or placed.who)


def _by_place(sentence: Sentence, names: Set[str], *, is_said: bool) -> Outcome | None:
    """What a sentence records because of the box, the heading or the line above it, or because it
    tells somebody what to do: "Mend the mill (Anna)".
    """
    text = _BOX.sub("", sentence.printed)
    if not _has_content(text):
        return None
    above = [bare_name(one) for one in lines_above(sentence)]
    under = _kind_under(above, text, is_said=is_said, has_speaker=bool(sentence.speaker))
    who = owner_beside(text, names)
    is_task = not is_said and (_is_open(sentence) or _is_given(text, who))
    kind = "action" if is_task else under
    return outcome(kind, text, who) if _is_told(kind, text) else None


def _has_content(text: str) -> bool:
    """Whether a text may record something by its place: no status, no beginning of a list."""
    return any(map(str.isalpha, text)) and not (is_status(text) or text.endswith(":"))


def _is_open(sentence: Sentence) -> bool:
    """Whether a box is before it that is not ticked."""
    return bool(_OPEN_BOX.match(sentence.printed)) and not sentence.role


def _is_given(text: str, who: str) -> bool:
    """Whether a text tells somebody what to do."""
    return bool(who) and instructs(text)


def _is_told(kind: str, text: str) -> bool:
    """Whether a text is no question: "Ask the owner whether he sells the mill?" is a task."""
    is_question = kind != "action" or fits_people(text, "question")
    return bool(kind) and not (text.endswith("?") and is_question)


def _kind_under(above: Sequence[str], text: str, *, is_said: bool, has_speaker: bool) -> str:
    """The kind of item that headings announce; empty if they announce none."""
    if any(map(meets_again, above)) and has_date(text) and any(map(str.isdigit, text)):
        return "date"
    if any(map(has_tasks, above)):
        return "" if is_talk(text.partition(":")[0]) else "action"
    if not _is_decided(above, is_said=is_said, has_speaker=has_speaker):
        return ""
    return "action" if _is_to_be_done(above, text) else "decision"


def _is_decided(above: Sequence[str], *, is_said: bool, has_speaker: bool) -> bool:
    """Whether headings announce decisions."""
    is_listed = any(map(is_list_of_decisions, above)) and not has_speaker
    return is_listed or (any(map(decides, above)) and not is_said)


def _is_to_be_done(above: Sequence[str], text: str) -> bool:
    """Whether a takeaway says what to do, not what is so: "Mend it", not "The mill is old."."""
    return any(map(is_takeaways, above)) and not (has_verb(text) or text.endswith("."))


def said(sentences: Sequence[Sentence]) -> Iterator[int]:
    """The numbers of the sentences that somebody says: those of paragraphs that begin with a
    name.
    """
    is_said, end = False, -1
    labels = Counter(map(_label_of, sentences))
    for number, sentence in enumerate(sentences):
        goes_on = is_said and 0 <= sentence.start - end <= 1
        is_said = goes_on or sentence.is_spoken or _is_turn(sentence, labels)
        end = sentence.end
        if is_said:
            yield number


def _label_of(sentence: Sentence) -> str:
    """What stands before a colon at the beginning of a sentence; empty without one."""
    label, colon, _ = sentence.text.partition(":")
    return label if colon else ""


def _is_turn(sentence: Sentence, labels: Mapping[str, int]) -> bool:
    """Whether it begins with the name of who says it, and records nothing by itself. Words that
    no name has, and that stand once before a colon, are a topic: "Payments: …".
    """
    label = _label_of(sentence)
    words = label.split()
    is_topic = labels[label] == 1 and not any(map(is_usually_capital, words))
    is_name = not is_topic and (len(words) == 1 or not any(one[:1].islower() for one in words))
    is_turn = is_name and is_said_by(sentence.text)
    return is_turn and outcome_of(sentence.text, is_speech=True) is None


def _title_lines(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The lines of a text without headings that name topics: numbered titles, or else what stands
    alone in a line above text or a list, at the outermost level that has several.
    """
    lines = [one for one in _lines(sentences) if _is_title_line(one)]
    if sum(one.label[:1].isalnum() and not one.role for one in lines) > 1:
        return list(filter(_is_numbered_title, lines))
    return _outermost([one for one in lines if one.role in ("label", "lead-in")])


def _is_numbered_title(line: Sentence) -> bool:
    """Whether a line is the title of an item, also one above bullets."""
    is_above = line.role == "lead-in" and line.label[:1].isdigit()
    return is_above or (line.label[:1].isalnum() and not line.role)


def _outermost(lines: Sequence[Sentence]) -> list[Sentence]:
    depths = Counter(len(one.lead_ins) for one in lines)
    depth = min((one for one, count in depths.items() if count > 1), default=0)
    return [one for one in lines if len(one.lead_ins) == depth]


def _lines(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """The sentences that are paragraphs of their own."""
    end = -len(GAP)
    for sentence, following in zip_longest(sentences, sentences[1:]):
        is_first = sentence.front_start - end >= len(GAP)
        is_last = following is None or following.front_start - sentence.end >= len(GAP)
        if is_first and is_last:
            yield sentence
        end = sentence.end


def _is_title_line(sentence: Sentence) -> bool:
    is_ended = sentence.text.endswith((".", "?"))
    most = NUMBERED_TITLE if sentence.label[:1].isdigit() else MAX_TITLE
    is_title = word_count(sentence) <= most and not is_ended
    return is_title and not is_about_people(sentence) and outcome_of(sentence.printed) is None


def _topic_of_line(line: Sentence) -> Topic:
    """A line as a topic; apologies may be followed by news of who left."""
    title = line.text.rstrip(" :")
    return Topic(line.start, title, is_procedure(title) and not fits_people(title, "absent"))


def _topics_of_sections(document: Document) -> list[Topic]:
    """Topics are what sections with decisions stand under; where there are none, all sections with
    text.
    """
    pairs = zip(document.starts, document.sections, strict=True)
    headed = [(start, section) for start, section in pairs if section.heading]
    levels = _levels_above_decisions([section for _, section in headed])
    topics = [Topic(0, "")]
    for start, section in headed:
        is_high = section.level <= max(levels, default=inf)
        if is_high and not decides(bare_name(section.heading)):
            topics.append(_topic_of(start, section, levels))
    return topics


def _topic_of(start: int, section: Section, levels: Collection[int]) -> Topic:
    """A section as a topic; without a name if it has no text."""
    name = bare_name(section.heading)
    has_text = section.level in levels or bool(section.paragraphs)
    has_text = has_text and not _PAGES.fullmatch(name)
    is_other = is_procedure(name) or fits_people(name, "heading", "absent")
    return Topic(start, name if has_text else "", is_other)


def _levels_above_decisions(sections: Sequence[Section]) -> set[int]:
    """The levels of the sections that hold a section with what was decided."""
    levels, above = set[int](), list[int]()
    for section in sections:
        while above and above[-1] >= section.level:
            above.pop()
        if decides(bare_name(section.heading)):
            levels.update(above[-1:])
        above.append(section.level)
    return levels
