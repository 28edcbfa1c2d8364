"""The kinds of documents whose brief summaries have headings, and how each is recognized."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

from ..documents.model import Document
from ..locality.flow import Pages
from . import (
    arguments,
    complaints,
    conclusions,
    contracts,
    directives,
    filings,
    lessons,
    limits,
    opinions,
    orders,
    paper_slots,
    protocols,
    regulations,
    releases,
    reports,
    resolutions,
    reviews,
    software,
    syllabi,
)
from .likely_kinds import likely_kind
from .papers import has_parts_of_paper
from .points import Place, Point
from .sisters import ClauseLists

MIN_SLOTS = 2  # slots of a summary


@dataclass(frozen=True)
class Kind:
    """The slots of a kind of document."""

    name: str  # what a document of this kind is called
    titles: Mapping[str, str]  # the headings of the slots, in order
    numbers: Mapping[str, int]  # maximum number of sentences of each
    rounds: Sequence[str]  # the order in which slots get a sentence while words last
    # the sentences that may fill each slot, the best first
    fitting: Callable[[Sequence[Point], Pages], dict[str, list[Point]]]
    is_plain: bool = False  # whether a plain summary has what belongs in the slots, too
    min_slots: int = MIN_SLOTS  # slots with a sentence, fewer of which are no summary
    binds: bool = False  # whether its clauses bring the sentences that limit or extend them
    listed: str = ""  # the slot that has all its sentences in their order, as far as words last
    # what is shown beside the headings of slots
    notes: Callable[[Document, Mapping[str, Sequence[Point]]], Mapping[str, str]] = (
        lambda document, chosen: {}
    )
    # the sentences that are quoted together with each
    beside: Callable[[Sequence[Point], Pages], Mapping[Place, Sequence[Point]]] = (
        lambda ranked, pages: {}
    )
    # the lists whose items are quoted together
    lists: Callable[[Pages, Sequence[Point]], ClauseLists] = ClauseLists.on
    # slots whose sentences say more than those of another one
    beyond: Mapping[str, str] = field(default_factory=dict)
    apart: Collection[str] = ()  # slots whose items are quoted without the others of their lists
    learned: str = ""  # what a model that has learned slots calls it
    # slots that are filled by words alone where others have a sentence by words
    certain: Mapping[str, Collection[str]] = field(default_factory=dict)
    # sentences that somebody else says, or about somebody who is not named
    strange: Callable[[Pages], Collection[Place]] = lambda pages: ()
    # sentences that say what a party claims, and the slots that none of them may fill
    claims: Callable[[Pages], Collection[Place]] = lambda pages: ()
    findings: Collection[str] = ()
    # whether a sentence has no place in a slot, however likely a model finds it there
    excludes: Callable[[str, Point], bool] = lambda slot, point: False
    # by how much a sentence counts more than others in a slot, in log odds
    weight: Callable[[Point], float] = lambda point: 0.0
    # the same, by what the whole document says
    weights: Callable[[Sequence[Point]], Mapping[Place, float]] = lambda points: {}

    @property
    def turns(self) -> list[str]:
        """The slots in the order in which they get their sentences."""
        turns = product(range(max(self.numbers.values())), self.rounds)
        return [slot for turn, slot in turns if turn < self.numbers[slot]]


PAPER = Kind(
    "paper",
    {
        "aim": "Question",
        "method": "Method",
        "finding": "Findings",
        "conclusion": "Conclusion",
        "limitation": "Limits",
        "open": "Left open",
    },
    {"aim": 1, "method": 2, "finding": 3, "conclusion": 1, "limitation": 2, "open": 1},
    ("finding", "aim", "conclusion", "method", "limitation", "open"),
    paper_slots.fitting,
    beside=conclusions.beside,
    learned="paper",
    strange=paper_slots.asides,
    weights=paper_slots.main_results,
)


def _of_protocol(ranked: Sequence[Point], pages: Pages) -> dict[str, list[Point]]:
    """The sentences that may fill each slot: of those with the question, the best and what it is
    expected to be answered by.
    """
    found, planned = paper_slots.fitting(ranked, pages), protocols.fitting(ranked, pages)
    question = [*found["aim"][:1], *planned["hypothesis"]]
    return planned | {"aim": question} | {name: found[name] for name in ("limitation", "open")}


PROTOCOL = Kind(
    "protocol of a study",
    {
        "aim": "Question",
        "design": "Design",
        "participants": "Participants",
        "primary": "Primary outcome",
        "size": "Sample size",
        "limitation": "Limits",
        "open": "Left open",
    },
    {"aim": 2, "design": 2, "participants": 1, "primary": 1, "size": 1}
    | {"limitation": 2, "open": 1},
    ("primary", "aim", "design", "size", "participants", "limitation", "open"),
    _of_protocol,
    learned="paper",
)
REVIEW = Kind(
    "review",
    {"aim": "What it reviews", "conclusion": "Conclusions", "open": "Left open"},
    {"aim": 2, "conclusion": 3, "open": 2},
    ("aim", "conclusion", "open"),
    reviews.fitting,
    learned="paper",
)
SOFTWARE = Kind(
    "description of software",
    {"what": "What it is", "need": "Need", "parts": "What it has", "limit": "Limits"}
    | {"place": "Where to get it"},
    {"what": 1, "need": 2, "parts": 2, "limit": 1, "place": 1},
    ("what", "need", "parts", "place", "limit"),
    software.fitting,
    learned="software",
)
OPINION = Kind(
    "court opinion",
    {
        "case": "Case",
        "question": "Question",
        "holding": "Holding",
        "reason": "Reasons",
        "disposition": "Disposition",
        "vote": "Judges",
    },
    {"case": 1, "question": 1, "holding": 2, "reason": 3, "disposition": 2, "vote": 2},
    ("disposition", "holding", "question", "case", "reason", "vote"),
    opinions.fitting,
    is_plain=True,
    beyond={"holding": "disposition"},
    learned="opinion",
    certain={"disposition": ("disposition",)},
    strange=opinions.asides,
    claims=arguments.attributed,
    findings=opinions.FINDINGS,
)
SYLLABUS = replace(
    OPINION,
    numbers={**OPINION.numbers, "case": 2, "holding": 1, "disposition": 1},
    fitting=syllabi.fitting,
    listed="holding",
    beyond={"reason": "holding"},
    certain={**OPINION.certain, "holding": ("holding",)},
)
ORDER = replace(
    OPINION,
    name="order of a court",
    numbers={**OPINION.numbers, "disposition": 1},
    fitting=orders.fitting,
    lists=orders.lists_in,
    min_slots=1,
)
FILING = Kind(
    "motion to a court",
    {
        "request": "Request",
        "alternative": "In the alternative",
        "reason": "Reasons",
        "position": "Other party",
        "deadline": "Deadlines",
    },
    {"request": 1, "alternative": 1, "reason": 2, "position": 1, "deadline": 1},
    ("request", "alternative", "position", "reason", "deadline"),
    filings.fitting,
    is_plain=True,
    min_slots=1,
)
RESOLUTION = Kind(
    "resolution",
    {"resolved": "Resolved"},
    {"resolved": 1},
    ("resolved",),
    resolutions.fitting,
    is_plain=True,
    min_slots=1,
    listed="resolved",
)
COMPLAINT = Kind(
    "complaint that begins a lawsuit",
    {
        "allegation": "Allegations of the plaintiff",
        "claim": "Claims, as alleged",
        "relief": "Relief requested",
    },
    {"allegation": 3, "claim": 3, "relief": 1},
    ("relief", "claim", "allegation"),
    complaints.fitting,
    is_plain=True,
)
CONTRACT = Kind(
    "contract",
    {
        "purpose": "Purpose",
        "grant": "Rights granted",
        "duty": "Duties",
        "restriction": "Restrictions",
        "payment": "Payment",
        "deadline": "Time limits",
        "confidentiality": "Confidentiality",
        "liability": "Liability",
        "indemnity": "Indemnity",
        "termination": "Termination",
        "change": "Changes",
        "law": "Governing law",
    },
    {"purpose": 1, "grant": 1, "duty": 3, "restriction": 2, "payment": 3, "deadline": 2}
    | {"confidentiality": 1}
    | {"liability": 2, "indemnity": 1, "termination": 2, "change": 1, "law": 1},
    (
        *("liability", "payment", "termination", "grant", "restriction", "confidentiality"),
        *("duty", "indemnity", "deadline", "law", "purpose", "change"),
    ),
    contracts.fitting,
    is_plain=True,
    binds=True,
    learned="contract",
)
NAMED_CONTRACT = replace(CONTRACT, is_plain=False)
REGULATION = Kind(
    "by-law or regulation",
    {
        "scope": "Applies to",
        "requirement": "Requirements",
        "prohibition": "Prohibitions",
        "deadline": "Deadlines",
        "exception": "Exceptions",
        "penalty": "Penalties and fees",
        "authority": "Who decides",
        "repeal": "In force and repeals",
    },
    {"scope": 1, "requirement": 4, "prohibition": 4, "deadline": 4}
    | {"exception": 3, "penalty": 3, "authority": 2, "repeal": 2},
    (
        *("prohibition", "penalty", "requirement", "deadline"),
        *("scope", "exception", "authority", "repeal"),
    ),
    regulations.fitting,
    is_plain=True,
    binds=True,
    lists=regulations.lists_on,
    apart=("deadline",),
    learned="rules",
    excludes=limits.has_no_place_in,
    weight=limits.weight_of,
)
DIRECTIVE = replace(
    REGULATION,
    name="policy or directive",
    titles={"requirement": "Requirements", **REGULATION.titles},
    numbers={**REGULATION.numbers, "requirement": directives.MAX_ORDERED},
    rounds=("requirement", *(one for one in REGULATION.rounds if one != "requirement")),
    certain={"requirement": ("requirement",)},
    min_slots=1,
    apart=("requirement", "prohibition"),
)
RELEASE = Kind(
    "press release",
    {
        "news": "News",
        "person": "Who",
        "cleared": "Cleared or to be cleared",
        "event": "What happened",
        "time": "When and where",
        "amount": "Amounts",
        "next": "Next",
        "quotation": "Quotation",
        "contact": "Contact",
    },
    {"news": 1, "person": 2, "cleared": 2, "event": 1, "time": 2, "amount": 2, "next": 1}
    | {"quotation": 1, "contact": 3},
    ("news", "person", "cleared", "event", "next", "amount", "time", "quotation", "contact"),
    releases.fitting,
    is_plain=True,
    min_slots=1,
    learned="release",
    certain={"time": ("event",)},
    strange=releases.unnamed,
)
REPORT = Kind(
    "auditors’ report",
    {
        "purpose": "Purpose",
        "scope": "Scope and method",
        "finding": "Findings",
        "recommendation": "Recommendations",
        "numbered": "Recommendations",
        "matter": "For Congress",
        "conclusion": "Conclusion",
    },
    {"purpose": 1, "scope": 1, "finding": 3, "recommendation": 2, "numbered": 1, "matter": 2}
    | {"conclusion": 1},
    (
        *("finding", "purpose", "recommendation", "numbered", "matter"),
        *("conclusion", "scope"),
    ),
    reports.fitting,
    is_plain=True,
    listed="numbered",
    notes=reports.notes_on,
    beside=reports.contrasts_in,
    learned="report",
    certain={"recommendation": ("numbered", "matter")},
)
NAMED_REPORT = replace(REPORT, name="report", is_plain=False)
LESSON = Kind(
    "lesson",
    {"objective": "Objectives", "point": "Key points"},
    {"objective": 3, "point": 1},
    ("point", "objective"),
    lessons.fitting,
    is_plain=True,
    min_slots=1,
    listed="point",
)


_RECOGNIZED = (
    (syllabi.has_syllabus, SYLLABUS),
    (orders.is_order, ORDER),
    (opinions.is_opinion, OPINION),
    (complaints.is_complaint, COMPLAINT),
    (filings.is_filing, FILING),
    (resolutions.is_resolution, RESOLUTION),
    (contracts.is_contract, CONTRACT),
    (releases.is_release, RELEASE),
    (lessons.is_lesson, LESSON),
    (reports.is_report, REPORT),
    (software.is_software, SOFTWARE),
    (reports.is_named_report, NAMED_REPORT),
    (protocols.is_protocol, PROTOCOL),
    (reviews.is_review, REVIEW),
    (has_parts_of_paper, PAPER),
    (contracts.is_agreement, CONTRACT),
    (contracts.calls_itself_so, NAMED_CONTRACT),
    (directives.is_directive, DIRECTIVE),
    (regulations.is_regulation, REGULATION),
    (software.is_readme, SOFTWARE),
)


# what takes the place of no kind, and of a paper, where the words of a document say so; not press
# releases, whose words are those of articles and stories, too
_LIKELY = {
    "contract": NAMED_CONTRACT,
    "opinion": OPINION,
    "paper": PAPER,
    "report": NAMED_REPORT,
    "rules": REGULATION,
    "software": SOFTWARE,
}
_INSTEAD_OF_PAPER = ("report", "rules")


def kind_of(documents: Sequence[Document]) -> Kind | None:
    """The kind of a single document; None for another kind, or several documents."""
    if len(documents) != 1:
        return None
    kind = by_rules(documents[0])
    if kind is None:
        return _LIKELY.get(likely_kind(documents[0]))
    if kind is PAPER and (name := likely_kind(documents[0])) in _INSTEAD_OF_PAPER:
        return _LIKELY[name]
    return kind


def by_rules(document: Document) -> Kind | None:
    """The kind that a document has by rules; None for another one."""
    kind = next((kind for is_one, kind in _RECOGNIZED if is_one(document)), None)
    if kind is not DIRECTIVE:
        return kind
    spans = directives.ordering(document)
    return replace(DIRECTIVE, fitting=partial(directives.fitting, spans))
