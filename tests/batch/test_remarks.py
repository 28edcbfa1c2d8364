"""What is reported of a summary."""

import pytest

from pagesum_cli.batch.remarks import from_abstract, without_answers
from pagesum_cli.documents.model import Document
from pagesum_cli.summary.summary import (
    PageShare,
    Source,
    Summary,
    SummaryPage,
    SummarySentence,
)


def summary_of(sections: list[str], labels: list[str]) -> Summary:
    """A summary with a quote from each section, of the first page."""
    sources = [Source(0, number, "a.pdf", name, (1,), 0, 5) for number, name in enumerate(sections)]
    share = (PageShare(0, 1.0),)
    return Summary(
        model="mini",
        locality="discourse",
        title="A title",
        text="Foxes.",
        sentences=tuple(SummarySentence("Foxes.", share, one) for one in sources),
        tokens=(),
        pages=tuple(
            SummaryPage(number, label, "a.pdf", (1,), 9, False, 0.5)
            for number, label in enumerate(labels)
        ),
        settings={},
        seconds={},
    )


@pytest.mark.parametrize(
    ("sections", "labels", "is_reported"),
    [
        (["Abstract", "Abstract"], ["Abstract", "Methods"], True),
        (["Background", "Results"], ["Abstract", "Methods"], True),
        (["Summary"], ["Summary – Statement of need", "Methods"], True),
        (["Summary", "Statement of need"], ["Summary – Statement of need", "Methods"], False),
        (["Results"], ["Results", "Methods"], False),
        (["Abstract"], ["Abstract"], False),
    ],
)
def test_it_says_that_all_quotes_are_from_the_abstract(
    sections: list[str], labels: list[str], is_reported: bool
) -> None:
    assert any(from_abstract(summary_of(sections, labels))) is is_reported


def test_files_without_an_answer_are_named() -> None:
    summary = summary_of(["Results"], ["Results"])
    documents = [Document(name, ()) for name in ("a.pdf", "b.pdf")]
    assert list(without_answers(summary, documents, "foxes")) == [
        "nothing about 'foxes' was selected from b.pdf"
    ]
    assert not list(without_answers(summary, documents, None))
    assert not list(without_answers(summary, documents[:1], "foxes"))
