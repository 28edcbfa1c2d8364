"""By-laws, ordinances and policies, and which of their clauses say to whom they apply, what they
require and forbid, until when, with which exceptions, at what penalty, and who decides (English).
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cache
from math import inf
from operator import itemgetter

from ..documents.model import Document, Sentence
from ..documents.sentences import sentences_of
from ..locality.flow import Pages
from ..quoting.eligibility import completed
from ..text.tables import table
from .acts import act_of
from .contracts import ClauseSlot, fitting_in
from .limits import sets_limit
from .lines import content_of
from .names import beginning_of
from .points import Place, Point
from .sisters import ClauseLists

MIN_WORDS = 500  # of a regulation whose summary has slots
BINDING, BINDING_NAMED, BINDING_NUMBERED, BINDING_ALONE = 0.1, 0.05, 0.2, 0.33
"""Share of the sentences that oblige somebody where the title is that of a by-law or a policy;
where the document calls itself one; where it has numbered sections; and where nothing says so.
"""
MIN_BINDING = 8  # sentences that oblige somebody, where no title says what it is
MIN_NUMBERED = 5  # headings of a statute with numbered sections
MAX_CONDITIONS = 2  # sentences after a clause that limit or extend it
MAX_ITEMS = 6  # of a list that is quoted whole
LIMITED = 2  # how much nearer to the best a clause with a limit is
MINOR = 6  # how far a clause about enforcement or applications is from one about the subject
BEGINNING = 20  # sentences among which one says what the document is about
ALL = "deadline", "exception"  # slots in which minor clauses are last
RULES = "requirement", "prohibition"  # slots in which what is about the subject is first
MIN_CLAUSE, MAX_CLAUSE = 6, 90  # words of a clause that is quoted
TABLE = "regulations.toml"
ACTS = {
    "scope": ("scope",),
    "requirement": ("requirement", "fee"),
    "prohibition": ("prohibition",),
    "deadline": ("requirement", "prohibition", "fee", "decision", ""),
    "exception": ("exception",),
    "penalty": ("penalty", "fee"),
    "authority": ("decision", "requirement", ""),
    "repeal": ("formal",),
}
"""What the clauses of each slot may do; see :func:`~.acts.act_of`."""


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(table(__file__, TABLE)[name])


@cache
def _slots() -> dict[str, ClauseSlot]:
    return {name: ClauseSlot.of(row) for name, row in table(__file__, TABLE)["slots"].items()}


def is_regulation(document: Document) -> bool:
    """Whether enough sentences of a document oblige somebody: fewer of one that is called a by-law
    or a policy, in its title or at its beginning, or has the sections of a statute.
    """
    if len(document.text.split()) < MIN_WORDS:
        return False
    sections = (section for section, _ in document.read_sections)
    texts = [completed(one) for part in sections for one in sentences_of(part) if one.is_quotable]
    share = _least_share(document)
    is_policy = share <= BINDING and _form("applies").search(document.text) is not None
    binding = sum(_binds(one, is_plain=is_policy) for one in texts)
    return binding >= max(share * len(texts), MIN_BINDING if share > BINDING else 1)


def _binds(text: str, *, is_plain: bool) -> bool:
    """Whether a sentence obliges somebody, if need be in plain words: "should", "will"."""
    names = ("binding", "plain") if is_plain else ("binding",)
    return any(_form(name).search(text) for name in names)


def _least_share(document: Document) -> float:
    """The share of the sentences that oblige somebody, at least, in a by-law or a policy; infinite
    for a technical standard.
    """
    if _form("named").search(beginning_of(document)):
        return BINDING_NAMED
    if _is_titled(document):
        return BINDING
    numbered = sum(_form("numbered").match(one.heading) is not None for one in document.sections)
    if numbered >= MIN_NUMBERED:
        return BINDING_NUMBERED
    return inf if _form("technical").search(document.text) else BINDING_ALONE


def _is_titled(document: Document) -> bool:
    """Whether the title of a document, or its first heading, is that of a by-law or a policy."""
    headings = (one.heading for one in document.sections if one.heading)
    title = document.title or next(headings, "")
    return _form("title").search(title) is not None


def fitting(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The clauses that may fill each slot, the best first: of rules, those about the subject; of
    penalties, the largest. A rule with a deadline is in no other slot.
    """
    found = fitting_in(_slots(), clauses(ranked, pages), pages)
    own = {
        slot: [one for one in points if _act_at(one, pages) in ACTS[slot]]
        for slot, points in found.items()
    }
    subject = subject_of(pages)
    dated = {one.place for one in own["deadline"]}
    for slot in RULES:
        others = [one for one in own[slot] if one.place not in dated]
        own[slot] = _near(_by_distance(others, subject, pages))
    for slot in ALL:
        own[slot] = [one for _, one in _by_distance(own[slot], subject, pages)]
    return own | {"penalty": sorted(own["penalty"], key=_amount)}


def _act_at(point: Point, pages: Pages) -> str:
    """What a clause does; one that says what its document does not govern, below a heading like
    "Exemptions", is an exception.
    """
    act = act_of(point.text)
    page, number = point.place
    is_exempt = _form("exempt").search(pages.pages[page].sentences[number].heading) is not None
    return "exception" if act == "formal" and is_exempt else act


def _by_distance(
    points: Sequence[Point], subject: Collection[str], pages: Pages
) -> list[tuple[int, Point]]:
    """Clauses by how near they are to the subject."""
    distances = ((_distance(one, subject, pages), one) for one in points)
    return sorted(distances, key=itemgetter(0))


def _near(placed: Sequence[tuple[int, Point]]) -> list[Point]:
    """Of clauses by their distance, those that are main ones, or minor ones if all are."""
    return [one for distance, one in placed if distance < placed[0][0] + MINOR]


def subject_of(pages: Pages) -> frozenset[str]:
    """The beginnings of the content words that say what a document is about: of its title, and of
    "a by-law to …".
    """
    sentences = pages.pages[0].sentences if pages.pages else ()
    texts = [pages.pages[0].title] if sentences else []
    for one in sentences[:BEGINNING]:
        texts += [match["subject"] for match in _form("about").finditer(one.text)]
    return content_of(" ".join(texts)) - content_of(_form("general").pattern)


def _distance(point: Point, subject: Collection[str], pages: Pages) -> int:
    """How far a clause is from the best, which is about the subject, and has a figure."""
    page, number = point.place
    heading = pages.pages[page].sentences[number].heading
    is_about = not content_of(point.text).isdisjoint(subject)
    nearer = (
        LIMITED * sets_limit(point.text),
        _form("figure").search(point.text) is not None,
        _form("general_rule").search(point.text) is not None,
        not content_of(heading).isdisjoint(subject),
    )
    is_minor = _form("minor").search(f"{heading}: {point.text}") is not None
    return MINOR * is_minor - 2 * is_about - sum(nearer)


def _amount(point: Point) -> tuple[bool, float]:
    """The key by which the penalties are in order: those with the largest amounts first."""
    amounts = [float(one.replace(",", "")) for one in _form("amount").findall(point.text)]
    is_fee = act_of(point.text) == "fee"
    return is_fee, -max(amounts, default=0.0)


def clauses(ranked: Sequence[Point], pages: Pages) -> list[Point]:
    """The sentences that bind and do not explain rules under questions."""
    asked = _answers(pages)
    return [one for one in ranked if one.place not in asked and _may_be_clause(one, pages)]


def has_deadline(text: str) -> bool:
    """Whether a clause says until when, or how often."""
    return _slots()["deadline"].says(text)


def _answers(pages: Pages) -> set[Place]:
    """The sentences under frequently asked questions, which explain the rules."""
    found: set[Place] = set()
    is_asked = False
    for number, page in enumerate(pages.pages):
        for place, sentence in enumerate(page.sentences):
            if _form("asked").search(sentence.heading):
                is_asked = True
            elif not sentence.heading.endswith("?"):
                is_asked = False
            if is_asked:
                found.add((number, place))
    return found


def _may_be_clause(point: Point, pages: Pages) -> bool:
    """Whether a sentence binds, not only defines, and has the length of one that is quoted."""
    page, number = point.place
    sentence = pages.pages[page].sentences[number]
    heading = sentence.heading
    explains = heading.endswith("?") or _form("definitions").search(heading) is not None
    explains = explains or _form("formal").search(completed(sentence)) is not None
    points_back = _form("points_back").match(point.text) is not None
    return _is_whole(point) and not (explains or points_back)


def _is_whole(point: Point) -> bool:
    """Whether a sentence has a beginning and an end, and the length of one that is quoted."""
    is_closed = point.text.rstrip('”"’)').endswith((".", "!"))
    is_begun = not point.text[:1].islower() or _form("sanction").search(point.text) is not None
    return MIN_CLAUSE <= point.words <= MAX_CLAUSE and is_closed and is_begun


def lists_on(pages: Pages, points: Sequence[Point]) -> ClauseLists:
    """The lists on some pages, and the sentences without which a clause is not quoted."""
    own = {one.place: one for one in points}
    beside = {}
    for page, number in own:
        sentences = pages.pages[page].sentences
        places = [*_subject(sentences, number), *_conditions(sentences, number)]
        beside[page, number] = [own[page, one] for one in places if (page, one) in own]
    return replace(ClauseLists.on(pages, points), beside=beside)


def conditions_of(pages: Pages, places: Sequence[Place]) -> list[Place]:
    """What belongs to some clauses: the sentences after them, in their paragraphs, that limit or
    extend them, the one before that they are about, and the other items of a short list that
    obliges somebody.
    """
    found: dict[Place, None] = {}
    for page, number in places:
        sentences = pages.pages[page].sentences
        own = [*_subject(sentences, number), *_conditions(sentences, number)]
        own += _items(sentences, number)
        found |= dict.fromkeys((page, place) for place in own)
    return [one for one in found if one not in places]


def _subject(sentences: Sequence[Sentence], number: int) -> list[int]:
    """The numbers of the sentence before one that is about it ("This exception …"), or about a
    kind of things that it names ("A shared unit … The unit"), and of the ones before that if it
    was cut from them.
    """
    found: list[int] = []
    is_open = _is_about_previous(sentences, number)
    while is_open and number > 0 and _goes_on(sentences[number - 1], sentences[number]):
        number -= 1
        found.append(number)
        is_open = sentences[number].text[:1].islower()
    return [one for one in found if sentences[one].is_quotable]


def _is_about_previous(sentences: Sequence[Sentence], number: int) -> bool:
    """Whether a sentence is about the one before it, or about something of a kind there."""
    text = sentences[number].text
    definite = _form("definite").match(text)
    if number == 0 or _form("about_previous").match(text) or not definite:
        return _form("about_previous").match(text) is not None
    kind = rf"\b[Aa]n? (?:[a-z-]+ ){{1,2}}{definite['noun'].split()[0]}\b"
    return re.search(kind, sentences[number - 1].text) is not None


def _conditions(sentences: Sequence[Sentence], number: int) -> Iterator[int]:
    """The numbers of the sentences after one that limit or extend it."""
    for place in range(number + 1, min(number + 1 + MAX_CONDITIONS, len(sentences))):
        if not _is_condition(sentences[place - 1], sentences[place]):
            return
        yield place


def _items(sentences: Sequence[Sentence], number: int) -> list[int]:
    """The numbers of the items of the short list that a sentence is in, if it obliges somebody."""
    lead_in = sentences[number].lead_in
    if lead_in is None or _form("binding").search(lead_in.text) is None:
        return []
    items = [place for place, one in enumerate(sentences) if one.lead_in == lead_in]
    words = sum(len(sentences[place].text.split()) for place in items)
    is_short = len(items) <= MAX_ITEMS and words <= MAX_CLAUSE
    return items if is_short else []


def _is_condition(before: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence limits or extends the one before it in its paragraph."""
    begins = _form("condition").match(sentence.text) or _form("continuing").search(sentence.text)
    return sentence.is_quotable and _goes_on(before, sentence) and begins is not None


def _goes_on(before: Sentence, sentence: Sentence) -> bool:
    """Whether a sentence is the one after another one in its paragraph."""
    is_near = 0 <= sentence.start - before.end <= 1
    return is_near and sentence.heading == before.heading
