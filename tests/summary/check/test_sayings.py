"""Who says what a claim says that somebody has said."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.readers.text import lined_document
from pagesum_cli.summary.check.attributions import statements_in
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import claims_of_text
from pagesum_cli.summary.check.results import Checked

ARTICLE = (
    Paragraph('Grace Adeyemi said: "They had seventy minutes and they used none of them."'),
    Paragraph("“I will publish the whole review,” Helen Corrigan told the Herald."),
    Paragraph("“We shall use all our powers,” said its director, Miriam Stone. “It will be soon.”"),
    Paragraph("“Gate 2 did not close in May,” wrote Peter Lind, who left in June."),
    Paragraph("The mayor, Ann Poole, called for an inquiry. “People were all asleep,” she said."),
    Paragraph("“Nobody ever told us a thing,” the spokesman said."),
    Paragraph("“We lost the old house. The water took it,” said Dorothy Pike."),
)
HEARING = (
    Paragraph("Julie Morgan AM: We now have 890 children in schools.", body=17,
              speaker="Julie Morgan AM"),
    Paragraph("Vaughan Gething AM: Thank you all.", body=20, speaker="Vaughan Gething AM"),
)  # fmt: skip


def checked(text: str) -> list[Checked]:
    documents = [Document("a.txt", (Section("", ARTICLE), Section("Hearing", HEARING)))]
    claims = claims_of_text(lined_document(text, "summary", ""), documents)
    return list(Checker.of(documents).checked(claims))


@pytest.mark.parametrize(
    ("text", "said", "speaker"),
    [
        ('"They had seventy minutes and they used none of them," said Helen Corrigan.',
         "Helen Corrigan", "Grace Adeyemi"),
        ('Helen Corrigan said: "They had seventy minutes and they used none of them."',
         "Helen Corrigan", "Grace Adeyemi"),
        ("“They had seventy minutes and they used none of them,” Mrs Corrigan told the Herald.",
         "Mrs Corrigan", "Grace Adeyemi"),
        ("“They had seventy minutes,” Peter Lind, who left in June, added.",
         "Peter Lind", "Grace Adeyemi"),
        ("“I will publish the whole review,” according to Grace Adeyemi.",
         "Grace Adeyemi", "Helen Corrigan"),
        ("“We shall use all our powers,” Helen Corrigan said.", "Helen Corrigan", "Miriam Stone"),
        ("“It will be soon,” Helen Corrigan said.", "Helen Corrigan", "Miriam Stone"),
        ("“People were all asleep,” said Peter Lind.", "Peter Lind", "Ann Poole"),
        ("“We lost the old house,” said Alan Pike.", "Alan Pike", "Dorothy Pike"),
        ("Vaughan Gething said that 890 children were in schools.",
         "Vaughan Gething", "Julie Morgan AM"),
        ("There are now 890 children in schools, according to Vaughan Gething.",
         "Vaughan Gething", "Julie Morgan AM"),
        ("According to Grace Adeyemi, gate 2 did not close in May.",
         "Grace Adeyemi", "Peter Lind"),
    ],
)  # fmt: skip
def test_another_speaker_differs(text: str, said: str, speaker: str) -> None:
    (one,) = checked(text)
    assert one.verdict == "differs"
    found = [(it.claim, it.document) for it in one.differences if it.kind == "speaker"]
    assert found == [(said, speaker)]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('"They had seventy minutes and they used none of them," said Grace Adeyemi.', "edited"),
        ('"They had seventy minutes and they used none of them," Ms Adeyemi said.', "edited"),
        ("“We shall use all our powers,” Miriam Stone said.", "edited"),
        ("“People were all asleep,” said Ann Poole.", "edited"),
        ("“The water took it,” said Dorothy Pike.", "edited"),
        ("Julie Morgan said that 890 children were in schools.", "edited"),
        ("Peter Lind wrote that gate 2 did not close in May.", "edited"),
        ("Peter Lind warned that gate 2 did not close in May.", "paraphrase"),
    ],
)
def test_the_same_speaker_does_not_differ(text: str, verdict: str) -> None:
    (one,) = checked(text)
    assert one.verdict == verdict


def test_nobody_is_contradicted_where_the_document_gives_no_name() -> None:
    found = checked("“Nobody ever told us a thing,” said Ann Poole.")
    assert "speaker" not in {one.kind for claim in found for one in claim.differences}


def test_another_number_of_the_same_speaker_is_named() -> None:
    (one,) = checked("Julie Morgan said that 980 children were in schools.")
    assert ("number", "980", "890") in [(it.kind, it.claim, it.document) for it in one.differences]


@pytest.mark.parametrize(
    "text",
    ["He said that nobody was there at all.", "The spokesman said that nobody was there.",
     "“Nobody was there,” she said.", "On Monday nobody was there at all."],
)  # fmt: skip
def test_a_pronoun_is_no_name(text: str) -> None:
    assert list(statements_in(text)) == []


LOG = (
    Paragraph("The control room log of the Harlow reservoir shows that it opened at 3.25am."),
    Paragraph("The gate has jammed in two of five tests and I would not rely on it."),
    Paragraph("The drug is safe for adults and not for children."),
    Paragraph("Because the price of bread rose by 24 cents, many of the men left the old town."),
)


@pytest.mark.parametrize(
    ("text", "verdict", "kind"),
    [
        ("The Harlow control room log shows that it opened at 3.25am.", "edited", "insertion"),
        ("The gate has jammed in two of five tests.", "edited", "omission"),
        ("The gate has jammed in three of five tests.", "differs", "number"),
        ("The drug is safe for adults.", "differs", "negation"),
        ("Many of the men left the old town because the price of bread rose by 42 cents.",
         "differs", "number"),
    ],
)  # fmt: skip
def test_the_least_difference_is_named(text: str, verdict: str, kind: str) -> None:
    checker = Checker.of([Document("a.txt", (Section("", LOG),))])
    (one,) = checker.checked(claims_of_text(lined_document(text, "summary", ""), ()))
    assert one.verdict == verdict
    assert kind in {it.kind for it in one.differences}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("“I will publish the review,” said Ministry of Trade spokesman Otto Lenz.", "edited"),
        ("“I will publish the review,” said Ministry of Trade spokesman Paul Roth.", "differs"),
        ("Ministry of Trade spokesman Otto Lenz said that the bridge will open in May.", "edited"),
        ("Ministry of Trade spokesman Paul Roth said that the bridge will open in May.", "differs"),
    ],
)
def test_the_name_behind_an_office_is_that_of_the_speaker(text: str, verdict: str) -> None:
    paragraphs = (
        Paragraph("“I will publish the review,” Otto Lenz, a spokesman for the Ministry of Trade, "
                  "said."),
        Paragraph("Otto Lenz, a spokesman for the Ministry of Trade, said that the bridge will "
                  "open in May."),
    )  # fmt: skip
    documents = [Document("a.txt", (Section("", paragraphs),))]
    claims = claims_of_text(lined_document(text, "summary", ""), documents)
    (one,) = Checker.of(documents).checked(claims)
    assert one.verdict == verdict
