"""Which page said what: steps, figures, evidence."""

import math
import random
from dataclasses import replace
from itertools import pairwise

import pytest

from pagesum_cli.documents.document import Sentence
from pagesum_cli.locality.page import Page, Pages
from pagesum_cli.provenance import (
    Step,
    Units,
    locality_figures,
    page_figures,
    page_name,
    page_range,
    steps_of,
    support,
    with_evidence,
)
from pagesum_cli.summary import PageShare, Summary, SummaryPage, SummarySentence, SummaryToken


def a_summary(pieces, sentences, pages=2, evidence_pages=None):
    """A summary of ``(piece, confidences)`` and ``(sentence, strongest page)`` pairs."""
    tokens = tuple(SummaryToken(text, tuple(row)) for text, row in pieces)
    shares = [sum(column) / len(tokens) for column in zip(*(token.confidences for token in tokens), strict=True)]
    return Summary(
        model="m",
        locality="spatial",
        title="",
        text="".join(text for text, _ in pieces),
        sentences=tuple(
            SummarySentence(
                text, (PageShare(top, 0.9), *(PageShare(page, 0.1) for page in range(pages) if page != top))
            )
            for text, top in sentences
        ),
        tokens=tokens,
        pages=tuple(
            SummaryPage(page, f"page {page}", "a.pdf", (page + 1,), 10, False, shares[page]) for page in range(pages)
        ),
        settings={},
        seconds={},
    )


PIECES = [
    ("The", (0.8, 0.2)),
    (" har", (0.6, 0.4)),
    ("vest", (0.2, 0.8)),
    (" failed.", (0.9, 0.1)),
    (" Prices", (0.1, 0.9)),
    (" rose.", (0.3, 0.7)),
]
TWO = a_summary(PIECES, [("The harvest failed.", 0), ("Prices rose.", 1)])


def test_words_are_averages_of_their_tokens():
    words = steps_of(TWO, "word")
    assert [word.text for word in words] == ["The", "harvest", "failed.", "Prices", "rose."]
    assert words[1].confidences == pytest.approx((0.4, 0.6))
    assert [word.sentence for word in words] == [0, 0, 0, 1, 1]


def test_no_weight_is_lost_from_tokens_to_words():
    words, tokens = steps_of(TWO, "word"), steps_of(TWO, "token")
    for page in range(2):
        assert sum(word.tokens * word.confidences[page] for word in words) == pytest.approx(
            sum(token.confidences[page] for token in tokens)
        )


def test_without_tokens_there_are_sentences():
    saved = replace(TWO, tokens=())
    assert [step.text for step in steps_of(saved, "word")] == ["The harvest failed.", "Prices rose."]
    assert steps_of(saved, "token")[1].confidences == (0.1, 0.9)


def test_log_probabilities_add_up():
    tokens = tuple(replace(token, log_probability=-1.0) for token in TWO.tokens)
    scored = replace(TWO, tokens=tokens)
    assert [step.log_probability for step in steps_of(scored, "word")] == [-1, -2, -1, -1, -1]
    assert [step.log_probability for step in steps_of(scored, "sentence")] == [-4, -2]


def one_hot(leaders, pages):
    return [Step("w", True, 0, tuple(float(page == leader) for page in range(pages))) for leader in leaders]


def test_one_page_at_a_time_is_as_local_as_can_be():
    figures = locality_figures(one_hot([0, 0, 0, 1, 1, 2], 4))
    assert (figures.pages_for_80, figures.entropy) == (1, 0)
    assert figures.stays == pytest.approx(3 / 5)
    assert figures.run == pytest.approx(2)


def test_equal_pages_are_not_local_at_all():
    figures = locality_figures([Step("w", True, 0, (0.1,) * 10)] * 3)
    assert figures.pages_for_80 == 8
    assert figures.entropy == pytest.approx(math.log2(10))


def test_shuffled_figures_are_those_of_many_shuffles():
    leaders = [0] * 7 + [1] * 4 + [2] * 3
    figures = locality_figures(one_hot(leaders, 3))
    draw = random.Random(0)
    stays, runs = [], []
    for _ in range(4000):
        draw.shuffle(leaders)
        same = sum(a == b for a, b in pairwise(leaders))
        stays.append(same / (len(leaders) - 1))
        runs.append(len(leaders) - same)
    assert figures.stays_shuffled == pytest.approx(sum(stays) / len(stays), abs=0.01)
    assert figures.run_shuffled == pytest.approx(len(leaders) / (sum(runs) / len(runs)), abs=0.02)


def test_one_step_has_figures():
    figures = locality_figures(one_hot([1], 3))
    assert (figures.stays, figures.run, figures.run_shuffled) == (0, 1, 1)


def test_pages_say_what_they_led():
    first, second = page_figures(TWO)
    assert (first.sentences, first.words) == ((0,), 2)
    assert (second.sentences, second.words) == ((1,), 3)
    assert (second.peak, second.peak_word) == (0.9, "Prices")
    assert first.share + second.share == pytest.approx(1)


@pytest.mark.parametrize(
    ("source", "expected"),
    [("The harvest failed in April.", 1.0), ("Nothing to do with it.", 0.0), ("A failed harvest.", 0.5)],
)
def test_support_is_recall_of_words_and_pairs(source, expected):
    assert support(Units.of("The harvest failed"), Units.of(source)) == pytest.approx(expected, abs=0.26)
    assert 0 <= support(Units.of("The harvest failed"), Units.of(source)) <= 1


def test_support_of_the_sentence_itself_is_whole_in_any_script():
    for text in ("The harvest failed.", "Урожай погиб.", "収穫は失敗した。", "of the and"):
        assert support(Units.of(text), Units.of(text)) == 1
    assert support(Units.of("?!"), Units.of("?!")) == 0


def pages_of(*pages):
    made = tuple(
        Page(f"page {number}", "a.pdf", "", tuple(Sentence(text, (number + 1,)) for text in texts), 10)
        for number, texts in enumerate(pages)
    )
    return Pages("spatial", made)


def test_evidence_is_the_sentence_of_the_strongest_page_that_says_it():
    pages = pages_of(
        ["It rained for days.", "In the north the harvest failed again."], ["Bread was scarce, prices rose."]
    )
    first, second = with_evidence(TWO, pages).sentences
    assert first.evidence[0].text == "In the north the harvest failed again."
    assert (first.evidence[0].page, first.evidence[0].pdf_pages, first.supported) == (0, (1,), True)
    assert second.evidence[0].text == "Bread was scarce, prices rose."


def test_a_second_sentence_is_evidence_where_it_adds_something():
    summary = a_summary([("x", (1, 0))], [("Wheat rotted in April and bread cost more in June.", 0)])
    pages = pages_of(["In April wheat rotted everywhere.", "Nobody knew why.", "Bread cost more in June."], ["Else."])
    texts = [one.text for one in with_evidence(summary, pages).sentences[0].evidence]
    assert texts == ["Bread cost more in June.", "In April wheat rotted everywhere."]


def test_better_support_on_another_page_is_told():
    summary = a_summary([("x", (1, 0))], [("The mills held their prices until winter.", 0)])
    pages = pages_of(["The mills stood still."], ["The mills held their prices until winter."])
    found = with_evidence(summary, pages).sentences[0]
    assert [one.page for one in found.evidence] == [0, 1]
    assert found.evidence[1].support == 1
    assert found.supported


def test_what_nothing_supports_is_marked():
    summary = a_summary([("x", (1, 0))], [("Astronauts landed on Mars yesterday.", 0)])
    found = with_evidence(summary, pages_of(["The harvest failed."], ["Prices rose."])).sentences[0]
    assert (found.supported, found.evidence) == (False, ())


def test_evidence_survives_json():
    found = with_evidence(TWO, pages_of(["The harvest failed."], ["Prices rose."]))
    assert Summary.from_json(found.to_json()) == found
    assert "evidence" not in TWO.to_json()["sentences"][0]


def test_names_of_pages():
    assert page_name(TWO, 1) == "page 1, p. 2"
    assert page_range([1, 2, 3, 7, 9, 10]) == "1–3, 7, 9–10"
    other = replace(TWO, pages=(TWO.pages[0], replace(TWO.pages[1], source="b.pdf")))
    assert page_name(other, 1, pdf_pages=False) == "b.pdf: page 1"
