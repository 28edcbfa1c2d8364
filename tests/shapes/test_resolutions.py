"""What a council resolves."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.brief import Brief
from pagesum_cli.shapes.kinds import RESOLUTION, kind_of

REASON = "WHEREAS, the town has a mill that needs two stones;"
RESOLVES = "NOW THEREFORE BE IT RESOLVED by the Town Council of Mill Town:"
RETAINED = "That the mason Berg be and is retained by the town for all work on the mill."
RATE = "Such work is paid at the rate of $20 per hour."
FURTHER = "BE IT FURTHER RESOLVED that the clerk shall report on the work each month."
END = ["Approved as to form:", "Anna Dahl is the clerk of this town for the year."]


def resolution(*texts: str) -> Document:
    return Document("a.pdf", (Section("A mason", tuple(map(Paragraph, texts))),), "A mason")


def test_the_clauses_that_resolve_are_quoted_and_neither_reasons_nor_signatures() -> None:
    document = resolution(REASON, RESOLVES, f"{RETAINED} {RATE}", FURTHER, *END)
    assert kind_of([document]) is RESOLUTION
    sentences = tuple(all_sentences(document))
    pages = Pages("discourse", (Page("a.pdf", "a.pdf", "", sentences, 100),))
    scores = {(0, number): 1.0 for number, one in enumerate(sentences) if one.is_quotable}
    places = Brief(document, GenerationOptions(), RESOLUTION).choose(pages, scores)
    assert [sentences[number].text for _, number in places] == [RETAINED, RATE, FURTHER]


@pytest.mark.parametrize(
    "texts",
    [
        (REASON, "NOW, THEREFORE, the parties agree as follows:", RETAINED),
        ("The council has not resolved to retain the mason.", RETAINED),
        (RESOLVES, RETAINED),
    ],
)
def test_a_contract_or_a_report_is_no_resolution(texts: tuple[str, ...]) -> None:
    assert kind_of([resolution(*texts)]) is not RESOLUTION
