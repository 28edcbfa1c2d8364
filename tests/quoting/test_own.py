"""What sentences of a paper are worth where its abstract is left out."""

import pytest
from tiny import assert_linear

from pagesum_cli.documents.model import Sentence
from pagesum_cli.locality.flow import Page
from pagesum_cli.quoting.own import BACKGROUND, MAIN, RESULT, values_of

FINDING, OTHER = {"finding": 0.9}, {"finding": 0.1}
ABSTRACT = "The yield of rye was 31.5 kg in May."


def values(
    texts: dict[str, str], role: dict[str, float] = FINDING, known: str = ABSTRACT
) -> list[float]:
    """The values of sentences, by the parts that they are in; there are methods, too."""
    texts = texts | {"methods": "Rye was sown."}
    sentences = tuple(Sentence(text, heading=part) for part, text in texts.items())
    places = [(0, number) for number in range(len(texts))]
    parts = dict(zip(places, texts, strict=True))
    page = Page("paper", "paper", "", sentences, 0)
    return list(values_of([page], parts, dict.fromkeys(places, role), known).values())[:-1]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("With more people, hunger spreads.", BACKGROUND),
        ("As we know, rye grows in all countries.", BACKGROUND),
        ("The aim of this study is to sow rye.", 0),
        ("We sow rye in May.", 0),
    ],
)
def test_an_introduction_says_what_was_known(text: str, value: float) -> None:
    assert values({"introduction": text}) == [value]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The yield rose to 47.2 kg in June.", MAIN),
        ("The yield of 31.5 kg was high.", RESULT),
        ("Most plants (83%) were tall.", RESULT),
        ("Yields of 47.2 kg have been reported by others [12].", 0),
        ("The yield was very high.", 0),
    ],
)
def test_what_was_measured_is_worth_more(text: str, value: float) -> None:
    assert values({"results": text}) == [value]


def test_without_a_known_abstract_results_are_worth_what_they_are() -> None:
    assert values({"results": "The yield rose to 47.2 kg in June."}, known="") == [0]


def test_a_procedure_is_no_result() -> None:
    assert values({"results": "Plants of 47.2 kg were cut."}, OTHER) == [0]


def test_an_abstract_says_what_is_worth_most() -> None:
    assert values({"abstract": "Rye is tall.", "results": "The yield was 47.2 kg."}) == []


def test_the_pattern_is_linear() -> None:
    assert_linear(lambda n: values({"results": "1.1 kg 9" * n}), 2000)
