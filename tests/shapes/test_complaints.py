"""The summary of a complaint: who alleges what, what is claimed, and what relief is requested."""

from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.shapes.complaints import HEADING, attributed, fitting
from pagesum_cli.shapes.kinds import COMPLAINT, kind_of
from pagesum_cli.shapes.points import Point
from pagesum_cli.summary.summary import Summary, SummarySentence

HEAD = "The Plaintiff Anna Berg files the following petition and jury demand against Defendant:"
PARTY = "Plaintiff Anna Berg is a resident of Northtown."
FACT = "The Defendant kept the mill open at night although its gate was broken."
AGAIN = "Plaintiff realleges all prior paragraphs as if set forth in full."
CLAIM = "Defendant breached its duty to the Plaintiff when it left the gate open."
RELIEF = "WHEREFORE, Plaintiff demands judgment against Defendant for her damages and costs."
LINES = {
    "INTRODUCTION": (HEAD,),
    "PARTIES": (PARTY,),
    "FACTS": (FACT,),
    "COUNT I NEGLIGENCE": (AGAIN, CLAIM, RELIEF),
}


def _document(lines: dict[str, tuple[str, ...]]) -> Document:
    sections = [Section(name, tuple(map(Paragraph, own))) for name, own in lines.items()]
    return Document("a", tuple(sections))


def test_a_complaint_is_one() -> None:
    assert kind_of([_document(LINES)]) is COMPLAINT
    without_counts = {name: own for name, own in LINES.items() if not name.startswith("COUNT")}
    assert kind_of([_document(without_counts)]) is not COMPLAINT


def test_allegations_claims_and_relief_are_apart() -> None:
    pairs = [(name, text) for name, own in LINES.items() for text in own]
    sentences = tuple(Sentence(text, (), name, 0, len(text)) for name, text in pairs)
    pages = Pages("spatial", (Page("file", "a.txt", "", sentences, 100),))
    points = [Point((0, number), 0, text, 0.0) for number, (_, text) in enumerate(pairs)]
    found = {name: [one.text for one in own] for name, own in fitting(points, pages).items()}
    assert found == {"allegation": [FACT], "claim": [CLAIM], "relief": [RELIEF]}


def test_a_plain_summary_says_above_its_quotes_whose_words_they_are() -> None:
    sentences = (SummarySentence(FACT, ()),)
    quoted = Summary("mini", "discourse", "", "", sentences, (), (), {}, {})
    assert [one.title for one in attributed(quoted).paragraphs] == [HEADING]


def test_whom_most_allegations_name_is_named_and_no_plaintiff_or_hiring() -> None:
    hired = "Anna Berg began working for the town in May 1991."
    first = "The town knew of the flood in May and did nothing about the gate."
    named = "The town kept Carl Dorn in office at the mill after the flood."
    others = [f"Dorn sent Berg a bill of {number} dollars for the flood." for number in range(6)]
    texts = ("Plaintiff Anna Berg lives at the brook.", hired, first, named, *others)
    sentences = tuple(Sentence(text, heading="Facts") for text in texts)
    pages = Pages("discourse", (Page("file", "file.pdf", "", sentences, 100),))
    points = [Point((0, number), 0, text, 0.0) for number, text in enumerate(texts)]
    allegations = [one.text for one in fitting(points, pages)["allegation"]]
    assert allegations[0] == named
    assert hired not in allegations
