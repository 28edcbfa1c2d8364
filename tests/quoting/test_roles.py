"""What a sentence of a paper does."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Sentence
from pagesum_cli.locality.flow import Page
from pagesum_cli.quoting.eligibility import eligibility_of
from pagesum_cli.quoting.parts import parts_of
from pagesum_cli.quoting.roles import ROLES, roles_of


@pytest.mark.parametrize(
    ("text", "part", "position", "role"),
    [
        ("We found that yields rose by 30 % (p < 0.01).", "results", 0.6, "finding"),
        ("A limitation of this study is its small sample.", "discussion", 0.9, "limitation"),
        ("Plants were grown at 25 °C using a commercial kit.", "methods", 0.3, "method"),
        (
            "Wheat is one of the most important crops of the world.",
            "introduction",
            0.05,
            "background",
        ),
        ("The aim of this study was to test the new variety.", "introduction", 0.1, "aim"),
    ],
)
def test_roles(text: str, part: str, position: float, role: str) -> None:
    probabilities = roles_of(text, part, position)
    assert max(probabilities, key=lambda name: probabilities[name]) == role
    assert sum(probabilities.values()) == pytest.approx(1)
    assert tuple(probabilities) == ROLES


def page(heading: str, text: str, within: str = "") -> Page:
    return Page(
        heading,
        "paper.pdf",
        heading,
        (Sentence(text, heading=heading, start=0, end=len(text), within=within),),
        20,
    )


def test_only_the_sentences_of_a_paper_have_roles() -> None:
    paper = [
        page("1 Introduction", "Wheat is a crop."),
        page("Field work", "It rained."),
        page("3 Results", "It rose."),
    ]
    assert all(one[0].roles for one in eligibility_of(paper))
    letter = [
        page("Greetings", "Wheat is a crop."),
        page("The farm", "It rained."),
        page("3 Results", "It rose."),
    ]
    assert not any(one[0].roles for one in eligibility_of(letter))


def test_the_parts_of_a_structured_abstract_belong_to_it() -> None:
    names = ["Background", "Methods", "Conclusions"]
    text = "Forty farms took part."
    examined = eligibility_of(
        [*(page(name, text, "Summary") for name in names), *(page(name, text) for name in names)]
    )
    assert [one[0].is_abstract for one in examined] == [True, True, True, False, False, False]
    plain = eligibility_of(
        [page(name, "Forty farms took part.") for name in ("Abstract", "Introduction", "Methods")]
    )
    assert [one[0].is_abstract for one in plain] == [True, False, False]


def test_a_paper_that_begins_with_its_background_is_no_structured_abstract() -> None:
    text = "Many rivers of the north carry much more sand than those of the south. " * 20
    headings = ["Abstract", "Background", "Methods", "Results", "Conclusions"]
    examined = eligibility_of(
        [page(heading, text if n else "Rivers carry sand.") for n, heading in enumerate(headings)]
    )
    assert [one[0].is_abstract for one in examined] == [True, False, False, False, False]
    assert all(one[0].roles for one in examined)


def test_a_summary_at_the_end_is_no_abstract() -> None:
    headings = ["The farm", "The mill", "Summary"]
    examined = eligibility_of(
        [page(one, "Forty farms took part in the trial.") for one in headings]
    )
    assert not any(one[0].is_abstract for one in examined)


def test_each_document_of_a_cluster_has_an_abstract() -> None:
    pages = [page(one, "Forty farms took part.") for one in ("Abstract", "Introduction", "Methods")]
    others = [replace(one, source="other.pdf") for one in pages]
    examined = eligibility_of([*pages, *others])
    assert [one[0].is_abstract for one in examined] == [True, False, False] * 2


def test_a_part_without_a_number_ends_at_the_next_numbered_heading() -> None:
    headings = ["1 Introduction", "4.2 Entities", "Results", "Errors", "4.3 Linking", "5 Results"]
    parts = parts_of([page(heading, "Wheat is a crop.") for heading in headings])
    introduction = ["introduction"] * 2
    assert list(parts.values()) == [*introduction, "results", "results", "introduction", "results"]
