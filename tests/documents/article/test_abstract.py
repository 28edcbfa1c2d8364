"""The abstract can be skipped."""

import pytest

from pagesum_cli.documents.article.abstract import skipped_text, with_abstract, without_abstract
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences


def document(*sections: tuple[str, str, int]) -> Document:
    return Document(
        "a", tuple(Section(heading, (Paragraph(text),), level) for heading, text, level in sections)
    )


@pytest.mark.parametrize("heading", ["Abstract", "ABSTRACT:", "1. Summary", "Executive summary"])
def test_the_abstract_is_skipped(heading: str) -> None:
    whole = document((heading, "We asked.", 1), ("Introduction", "Wheat grows.", 1))
    rest = without_abstract(whole)
    assert rest.skipped == {0}
    assert skipped_text(rest) == "We asked."
    assert [section.heading for section, _ in rest.read_sections] == ["Introduction"]
    assert rest.text == whole.text  # offsets stay


def test_a_structured_abstract_is_skipped_whole() -> None:
    parts = [
        ("Abstract", "", 1),
        ("Background", "Why.", 1),
        ("Methods", "How.", 1),
        ("Results", "What.", 1),
    ]
    body = [("Introduction", "Wheat grows.", 1), ("Methods", "We asked.", 1)]
    assert without_abstract(document(*parts, *body)).skipped == {0, 1, 2, 3}
    below = [("Abstract", "It is.", 1), ("Objective", "Why.", 2), ("Methods", "We asked.", 1)]
    assert without_abstract(document(*below)).skipped == {0, 1}


def test_what_has_none_or_nothing_else_stays() -> None:
    for one in (
        document(("Introduction", "Wheat grows.", 1)),
        document(("Abstract", "We asked.", 1)),
    ):
        assert without_abstract(one) is one


TRIAL = [
    ("Background", "Why.", 2),
    ("Methods", "word " * 280, 2),
    ("Findings", "What.", 2),
    ("Interpretation", "It works.", 2),
]
BODY = [("Introduction", "Wheat grows.", 1), ("Methods", "We asked.", 1)]


@pytest.mark.parametrize("level", [1, 2])
def test_the_parts_of_a_structured_abstract_are_within_it(level: int) -> None:
    parts = [(heading, text, level) for heading, text, _ in TRIAL]
    one = with_abstract(document(("Summary", "", 1), *parts, *BODY))
    names = [section.name for section in one.sections]
    assert names[1:5] == [f"Summary, {heading}" for heading, _, _ in TRIAL]
    assert names[5:] == ["Introduction", "Methods"]
    assert [section.level for section in one.sections] == [1, 2, 2, 2, 2, 1, 1]
    assert {sentence.section for sentence in all_sentences(one)} == {"Summary", *names}
    assert without_abstract(one).skipped == {0, 1, 2, 3, 4}


def test_the_body_begins_with_a_name_that_the_abstract_had() -> None:
    body = [("Backgrounds", "Wheat grows.", 2), ("Methods", "We asked.", 1)]
    for abstract in ([("Abstract", "", 1), *((one, text, 1) for one, text, _ in TRIAL)], TRIAL):
        sections = abstract if abstract[0][0] == "Abstract" else [("Abstract", "", 1), *abstract]
        one = with_abstract(document(*sections, *body))
        assert [bool(section.within) for section in one.sections[-2:]] == [False, False]


def test_an_introduction_inside_of_an_abstract_has_another_after_it() -> None:
    inside = [("Abstract", "", 1), ("Introduction", "Why.", 1), ("Results", "What.", 1)]
    one = with_abstract(document(*inside, ("Introduction", "Wheat grows.", 1)))
    assert [section.within for section in one.sections] == ["", "Abstract", "Abstract", ""]
    alone = with_abstract(document(*inside))
    assert not any(section.within for section in alone.sections)


def test_a_section_of_the_body_is_not_within_an_abstract_that_has_text() -> None:
    one = with_abstract(document(("Abstract", "We asked.", 1), ("Background", "Why.", 1)))
    assert not any(section.within for section in one.sections)
