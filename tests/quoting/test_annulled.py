"""Clauses that a note behind them annuls."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.documents.units import with_units
from pagesum_cli.locality.flow import Page
from pagesum_cli.quoting.annulled import annulled_in
from pagesum_cli.quoting.eligibility import eligibility_of

RULE = "The mill shall be closed on the first Monday in March."
MORE = "The clerk shall lock it."
OTHER = "Section 1: Every miller shall keep the stones dry."


def _annulled(*paragraphs: str) -> list[str]:
    section = Section("Mills", tuple(map(Paragraph, paragraphs)))
    sentences = list(all_sentences(Document("mill.md", tuple(with_units([section])))))
    return [sentences[number].text for number in sorted(annulled_in(sentences))]


@pytest.mark.parametrize(
    "note",
    [
        "*(This section was rescinded at the town meeting of 3/7/1972.)",
        "[This by-law has been repealed by chapter 4 of 1988.]",
        "(This section is now obsolete.)",
    ],
)
def test_a_note_on_a_section_annuls_all_of_it(note: str) -> None:
    assert _annulled(OTHER, f"Section 2: {RULE} {MORE} {note}") == [RULE, MORE]


@pytest.mark.parametrize(
    "note",
    [
        "*(Chapter 4 of the laws states that mills shall be closed on July 1.)",
        "*(Subsections (a) and (b) were rescinded on 3/7/1942.)",
    ],
)
def test_a_note_against_a_clause_annuls_the_one_before_it(note: str) -> None:
    assert _annulled(f"Section 2: {MORE} {RULE} {note}") == [RULE]


@pytest.mark.parametrize(
    "note",
    [
        "*(This section was approved at the town meeting of 3/7/1972.)",
        "*(Section 30 of the general laws has been repealed.)",
        "By-law 12 of the town is hereby repealed.",
        "(Millers shall see section 4.)",
    ],
)
def test_other_notes_annul_nothing(note: str) -> None:
    assert not _annulled(OTHER, f"Section 2: {RULE} {MORE} {note}")


def test_what_is_annulled_is_not_quoted() -> None:
    text = f"Section 2: {RULE} *(This section was rescinded in 1972.)"
    section = Section("Mills", tuple(map(Paragraph, (OTHER, text))))
    sentences = tuple(all_sentences(Document("mill.md", tuple(with_units([section])))))
    (own,) = eligibility_of([Page("file", "mill.md", "", sentences, 100)])
    quotable = [one.text for one, rules in zip(sentences, own, strict=True) if rules.is_quotable]
    assert RULE not in quotable
    assert any("stones" in one for one in quotable)
