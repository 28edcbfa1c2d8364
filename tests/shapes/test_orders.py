"""What a court orders."""

import pytest
from shape_texts import document_of

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.brief import Brief
from pagesum_cli.shapes.essentials import Essentials
from pagesum_cli.shapes.kinds import ORDER, kind_of
from pagesum_cli.shapes.orders import ordered

HEAD = Paragraph("In the Mill County Court. The miller asked for his stones.")
OPENS = "Therefore, it is hereby ORDERED that:"
ITEMS = ["The brook shall flow.", "The mill shall be dry.", "Costs of $40 are granted."]
LISTED = [Paragraph(one, label=f"{n}.", depth=1) for n, one in enumerate(ITEMS, 1)]
END = Paragraph("SO ORDERED.")


def _order(*paragraphs: Paragraph, heading: str = "Order") -> Document:
    return Document("file.pdf", (Section(heading, (HEAD, *paragraphs)),), "Mill")


def _said(document: Document) -> list[str]:
    sentences = all_sentences(document)
    return [sentences[number].text for number in ordered(sentences)]


def _chosen(document: Document, chooser: type[Brief]) -> list[str]:
    sentences = tuple(all_sentences(document))
    pages = Pages("discourse", (Page("file.pdf", "file.pdf", "", sentences, 100),))
    scores = {(0, number): 1.0 for number, one in enumerate(sentences) if one.is_quotable}
    places = chooser(document, GenerationOptions(), ORDER).choose(pages, scores)
    return [sentences[number].text for _, number in places]


@pytest.mark.parametrize(
    "opens",
    [
        OPENS,
        "IT IS ORDERED, ADJUDGED AND DECREED that:",
        "Having read the papers, the Court ORDERS as follows:",
        "It is ordered:",
    ],
)
@pytest.mark.parametrize("ends", [(), (END,), (Paragraph("Dated: May 4, 2021"),)])
def test_the_items_after_the_words_that_order_are_ordered(
    opens: str, ends: tuple[Paragraph, ...]
) -> None:
    assert _said(_order(Paragraph(opens), *LISTED, *ends)) == ITEMS


def test_sentences_that_order_go_on_with_the_same_order() -> None:
    texts = ["IT IS ORDERED that the mill is dry.", "It is further ORDERED that the brook flows."]
    plain = "The miller pays."
    assert _said(_order(*map(Paragraph, texts))) == texts
    assert _said(_order(Paragraph(" ".join([*texts, plain])), END)) == [*texts, plain]


def test_what_is_below_a_heading_that_orders_is_ordered() -> None:
    sections = (Section("", (HEAD,)), Section("IT IS ORDERED THAT:", (*LISTED, END)))
    assert _said(Document("file.pdf", sections, "Mill")) == ITEMS


@pytest.mark.parametrize(
    "text",
    [
        "He quotes “it is ordered that the mill is dry” at length.",
        "The court ordered to show cause.",
        "SO ORDERED.",
        OPENS,
    ],
)
def test_other_sentences_order_nothing(text: str) -> None:
    assert not _said(_order(Paragraph(text)))


def test_half_a_sentence_is_left_out() -> None:
    broken = [Paragraph("The miller must keep the stones"), Paragraph("dry at night.")]
    assert _said(_order(Paragraph(OPENS), *LISTED, *broken, END)) == ITEMS


def test_only_a_court_gives_an_order() -> None:
    assert kind_of([_order(Paragraph(OPENS), *LISTED, END)]) is ORDER
    other = document_of({"Section 1": "By my power, it is hereby ordered that mills be dry."})
    assert kind_of([other]) is not ORDER


@pytest.mark.parametrize("chooser", [Brief, Essentials])
def test_a_summary_has_the_whole_order(chooser: type[Brief]) -> None:
    chosen = _chosen(_order(Paragraph(OPENS), *LISTED, END), chooser)
    assert [one for one in chosen if one in ITEMS] == ITEMS


def test_of_a_long_order_the_first_items_are_chosen() -> None:
    long = [
        Paragraph(f"Mill {n} shall {'be dry and ' * 20}turn.", label=f"{n}.", depth=1)
        for n in range(9)
    ]
    chosen = _chosen(_order(Paragraph(OPENS), *long, END), Brief)
    assert chosen == [one.text for one in long[: len(chosen)]]
    assert 1 < len(chosen) < len(long)


@pytest.mark.parametrize(
    "text",
    [
        "The court ordered that the miller be paid for the brook.",
        "Unless the court orders otherwise, the miller is paid for the brook.",
    ],
)
def test_what_another_court_ordered_and_what_a_court_may_order_is_no_order(text: str) -> None:
    assert not _said(_order(Paragraph(text)))
    assert _said(_order(Paragraph("The court orders that the miller be paid for the brook.")))
