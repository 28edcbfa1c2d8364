"""What this program writes is verbatim when it is checked, in every format."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.readers.html import html_document
from pagesum_cli.documents.readers.markdown import markdown_document
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim, claims_in, claims_of_text
from pagesum_cli.summary.drafts import quoted
from pagesum_cli.summary.summary import (
    Disagreement,
    Draft,
    RivalNumber,
    Summary,
    SummaryPage,
)
from pagesum_cli.views.formats import written

STATUTE = (
    Paragraph("(b) Exempt is the work of:", label="(b)", body=4),
    Paragraph("(1) a child under the age of 18 for its father; and", label="(1)", body=4, depth=1),
    Paragraph("(2) a person in the employ of:", label="(2)", body=4, depth=1),
    Paragraph("(A) the United States Government;", label="(A)", body=4, depth=2),
    Paragraph("(B) a State or a city; or", label="(B)", body=4, depth=2),
    Paragraph("(C) a school, unless it says otherwise; and", label="(C)", body=4, depth=2),
    Paragraph("(3) a person on a boat at sea.", label="(3)", body=4, depth=1),
    Paragraph("The Secretary makes the rules for this section."),
)
INTERVIEW = (
    Paragraph("6.129. The inquiry then heard the men of the night shift.", label="6.129.", body=7),
    Paragraph(
        "Mr Bates: I saw nothing at all. It was dark in the yard.", body=10, speaker="Mr Bates"
    ),
    Paragraph("I went home at ten.", speaker="Mr Bates"),
    Paragraph("Ms Lee: Who else was there that night?", body=8, speaker="Ms Lee"),
    Paragraph("Q. Did you sign the contract in London?", label="Q.", body=3),
    Paragraph("A. I signed it there in June.", label="A.", body=3),
)
OPINION = (
    Paragraph("The court held that the term was vague. Id., 1065. Yet it let the sentence stand."),
    Paragraph("We disagree with the reading of the lower court."),
)


def document_of(*paragraphs: Paragraph) -> Document:
    placed = tuple(
        Paragraph(
            one.text,
            ((0, 3),),
            label=one.label,
            body=one.body,
            depth=one.depth,
            speaker=one.speaker,
        )
        for one in paragraphs
    )
    return Document("a.pdf", (Section("§ 3121 Terms", placed),), "Of terms")


def summary_of(
    document: Document, numbers: tuple[int, ...], *, cite: bool, verbatim: bool
) -> Summary:
    sentences = tuple(one for one in all_sentences(document) if not one.is_heading)
    places = tuple((0, number) for number in numbers if sentences[number].is_quotable)
    draft = Draft([[1.0]] * len(places), sentences=places, with_citations=(cite,) * len(places))
    pages = Pages("spatial", (Page("§ 3121 Terms", "a.pdf", "", sentences, 0),))
    made = quoted(pages, draft, documents=[document], verbatim=verbatim)
    span = (sentences[0].start, sentences[-1].end)
    page = SummaryPage(0, "§ 3121 Terms", "a.pdf", (3,), 10, False, 1.0, *span)
    return Summary(
        "mini", "spatial", document.title, made.text, made.sentences, (), (page,), {}, {}
    )


def claims_from(summary: Summary, name: str, document: Document) -> list[Claim]:
    if name == "json":
        return list(claims_in(Summary.from_json(summary.to_json())))
    text = written(summary, name, documents=[document], cite=name != "text")
    if name == "html":
        own = html_document(text, "summary.html", "")
    else:
        own = (
            markdown_document(text, "summary.md", "")
            if name in ("markdown", "obsidian")
            else plain_document(text, "summary")
        )
    return list(claims_of_text(own, [document]))


@pytest.mark.parametrize("name", ["text", "markdown", "html", "json"])
@pytest.mark.parametrize("verbatim", [False, True])
@pytest.mark.parametrize("cite", [False, True])
@pytest.mark.parametrize(
    ("paragraphs", "numbers"),
    [
        (STATUTE, (1, 3, 6)),
        (STATUTE, (3, 4, 5)),
        (STATUTE, (1, 7)),
        (STATUTE, (4,)),
        (STATUTE, tuple(range(8))),
        (INTERVIEW, (0, 1, 2, 3)),
        (INTERVIEW, (2, 3, 4, 5, 6)),
        (OPINION, (0, 3)),
        (OPINION, (0, 1, 2, 3)),
    ],
)
def test_own_summaries_are_verbatim(
    paragraphs: tuple[Paragraph, ...],
    numbers: tuple[int, ...],
    name: str,
    verbatim: bool,
    cite: bool,
) -> None:
    document = document_of(*paragraphs)
    summary = summary_of(document, numbers, cite=cite, verbatim=verbatim)
    claims = claims_from(summary, name, document)
    assert claims
    checked = list(Checker.of([document]).checked(claims))
    assert [(one.claim.text, one.verdict) for one in checked if one.verdict != "verbatim"] == []
    assert not any(one.is_cited_right is False for one in checked)


@pytest.mark.parametrize("name", ["text", "markdown", "html", "obsidian"])
def test_own_list_of_rival_numbers_is_no_claim(name: str) -> None:
    document = document_of(*OPINION)
    numbers = (
        RivalNumber("12", "a.txt", "AP, 3 May 2024", "", (), 0, 9, "12 died."),
        RivalNumber("14", "b.txt", "", "", (), 0, 9, "14 died."),
    )
    rivals = (Disagreement("people killed", numbers, "killed"),)
    summary = replace(summary_of(document, (0,), cite=False, verbatim=True), disagreements=rivals)
    claims = claims_from(summary, name, document)
    assert not any("Sources disagree" in one.text for one in claims)
    dated = (numbers[0], replace(numbers[1], origin="AP, 4 May 2024"))
    rivals = (Disagreement("people killed", dated, "killed"),)
    claims = claims_from(replace(summary, disagreements=rivals), name, document)
    assert not any("Numbers by date" in one.text for one in claims)
