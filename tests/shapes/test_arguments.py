"""What parties argue in an opinion of a court."""

import pytest
from shape_texts import document_of

from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.quoting.scores import Scores
from pagesum_cli.shapes.arguments import attributed, is_argument, unattributed
from pagesum_cli.shapes.brief import Brief
from pagesum_cli.shapes.kinds import OPINION


def _pages(texts: dict[str, str]) -> Pages:
    sentences = tuple(all_sentences(document_of(texts)))
    return Pages("discourse", (Page("file", "file.pdf", "", sentences, 100),))


@pytest.mark.parametrize(
    "text",
    [
        "Counsel for the miller argued that the flood was solely due to the neglect of the town.",
        "It was further contended that the mill had no gate.",
        "It has been urged on behalf of the owner that the brook is private.",
        "According to the appellant, the mill was never let.",
        "Brook submits that the letter was late.",
        "Learned counsel vehemently contended the letter could not be read.",
        "It is the case of the prosecution that the miller set fire to the barn.",
        "Learned counsel for the town strongly controverted what the miller had written.",
    ],
)
def test_a_sentence_that_says_who_argues_is_an_argument(text: str) -> None:
    assert is_argument(text)


@pytest.mark.parametrize(
    "text",
    [
        "We reject the argument of counsel, who submitted that the gate was open.",
        "The miller pleaded guilty and was fined.",
        "The owner submitted a report on the flood.",
        "The owner did not submit that the brook is private.",
        "Although the miller contends that the gate was open, it was shut.",
        "As the miller pointed out, the gate was open.",
        "The court found that the gate was open.",
    ],
)
def test_what_the_court_says_or_answers_and_what_is_filed_is_none(text: str) -> None:
    assert not is_argument(text)


GOES_ON = (
    "Learned counsel for the miller contended that the letter was late. "
    "The delay clearly shows that the town never meant to warn him. "
    "We are not persuaded. The letter came in time."
)


def test_what_goes_on_with_an_argument_up_to_the_words_of_the_court_is_one() -> None:
    pages = _pages({"I. Letter": GOES_ON, "II. Gate": "The gate was open."})
    texts = [one.text for one in pages.pages[0].sentences]
    assert [texts[place].split(",")[0][:9] for _, place in attributed(pages)] == ["Learned c"]
    assert [texts[place][:9] for _, place in unattributed(pages)] == ["The delay"]


def test_a_part_under_a_heading_of_submissions_is_one() -> None:
    pages = _pages({"Submissions of the miller": "The gate was open.", "Facts": "It rained."})
    texts = [one.text for one in pages.pages[0].sentences]
    assert [texts[place] for _, place in unattributed(pages)] == ["The gate was open."]


def test_no_argument_is_a_reason_even_if_the_model_finds_it_likely() -> None:
    text = f"{GOES_ON} The appeal is dismissed with costs."
    document = document_of({"I. Letter": text})
    pages = _pages({"I. Letter": text})
    places = [(0, number) for number, one in enumerate(pages.pages[0].sentences)]
    places = [one for one in places if pages.pages[0].sentences[one[1]].is_quotable]
    likely = dict.fromkeys(places, 0.9)
    scores = Scores(dict.fromkeys(places, 0.0), {"opinion.reason": likely})
    brief = Brief(document, GenerationOptions(), OPINION)
    brief.choose(pages, scores)
    shown = {title: [one.text for one in points] for title, points in brief._in_order()}
    assert not any("counsel" in one or "delay" in one for one in shown["Reasons"])
