"""The abstract can be skipped."""

import pytest

from pagesum_cli.documents.article.article import skipped_text, without_abstract
from pagesum_cli.documents.model import Document, Paragraph, Section


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
