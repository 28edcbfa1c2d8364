"""ROUGE: the library's own numbers, whatever the text."""

import json
import random
from pathlib import Path

import pytest
from rouge_score import rouge_scorer

from pagesum_cli.evaluation.metrics.base import Pair, scored_sentences
from pagesum_cli.evaluation.metrics.rouge import ROUGE_TYPES, Rouge, rouge
from pagesum_cli.text.sentences import VERSION

GOVREPORT = Path(__file__).parents[2] / "data" / "govreport.jsonl"
"""Some of the summaries that the paper's authors published."""
LIBRARY = rouge_scorer.RougeScorer(list(ROUGE_TYPES), use_stemmer=True)


def same_as_library(prediction: list[str], reference: list[str]) -> None:
    ours = rouge(prediction, reference, ROUGE_TYPES)
    theirs = LIBRARY.score("\n".join(reference), "\n".join(prediction))
    for kind in ROUGE_TYPES:
        assert ours[kind] == pytest.approx(theirs[kind], abs=1e-9), (kind, prediction, reference)


def test_random_texts_score_as_in_the_library():
    rng = random.Random(7)
    words = ["a", "b", "c", "dog", "dogs", "running", "the", "1", "2", "é", "-"]

    def text() -> list[str]:
        return [" ".join(rng.choices(words, k=rng.randrange(15))) for _ in range(rng.randrange(6))]

    for _ in range(2000):
        same_as_library(text(), text())


def test_sentences_longer_than_a_machine_word_score_as_in_the_library():
    rng = random.Random(8)
    words = [f"w{number}" for number in range(30)]
    for _ in range(30):
        same_as_library(
            *([" ".join(rng.choices(words, k=rng.randrange(60, 200)))] * 1 for _ in range(2))
        )


@pytest.mark.parametrize("tokenize", ["none", "ptb"])
def test_real_summaries_score_as_in_the_library(tokenize):
    for line in GOVREPORT.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        same_as_library(
            *(scored_sentences(pair[name], tokenize) for name in ("prediction", "reference"))
        )


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [("", "Some text."), ("Some text.", ""), ("", ""), ("...", "!!!"), ("漢字", "漢字")],
)
def test_texts_without_words_score_0(prediction, reference):
    scores = Rouge(ROUGE_TYPES).score(Pair("1", prediction, reference))
    assert all(value == 0 for score in scores.values() for value in score.values())


def test_one_subsequence_is_not_the_union_of_subsequences():
    prediction = "The cat sat on the mat. The dog ran home."
    reference = "The dog ran home. The cat sat on the mat."
    scores = Rouge(ROUGE_TYPES).score(Pair("1", prediction, reference))
    assert scores["rougeLsum"]["f"] == 100
    assert scores["rougeL"]["f"] == pytest.approx(60)


def test_the_signature_names_what_moves_the_score():
    assert "|L:sum|" in Rouge().signature
    assert "|L:one+sum|" in Rouge(("rougeL", "rougeLsum")).signature
    assert "|L:" not in Rouge(("rouge1",)).signature
    for part in ("rouge-score-0.1.2", "stem:porter", f"split:pagesum-{VERSION},", "tok:alnum"):
        assert part in Rouge().signature
    assert "tok:ptb" in Rouge(tokenize="ptb").signature
    assert "split:punkt" in Rouge(tokenize="ptb").signature


def test_tokenized_lower_case_text_has_sentences_too():
    assert scored_sentences("we show it . it works , and well . the end .") == [
        "we show it .",
        "it works , and well .",
        "the end .",
    ]
    assert scored_sentences("") == []


def test_treebank_tokens_are_lower_case_with_named_brackets():
    assert scored_sentences("He didn't go (to Rome). She did.", "ptb") == [
        "he did n't go -lrb- to rome -rrb- .",
        "she did .",
    ]


def test_an_abbreviation_ends_no_sentence_under_the_papers_protocol():
    assert len(scored_sentences("The U.S. Congress met Dr. Smith on Jan. 5. It voted.", "ptb")) == 2


def test_a_references_sentences_are_those_of_the_data_except_in_the_papers_protocol():
    sentences = ("( 1 ) As in fig . 3 ;", "The dog ran .")
    pair = Pair("1", "The dog ran as in fig 3.", " ".join(sentences), reference_sentences=sentences)
    prediction = scored_sentences(pair.prediction)
    expected = LIBRARY.score("\n".join(sentences), "\n".join(prediction))["rougeLsum"]
    assert scored_sentences(pair.reference) != list(sentences)  # split here, they would be others
    assert Rouge(ROUGE_TYPES).score(pair)["rougeLsum"]["f"] == pytest.approx(
        100 * expected.fmeasure, abs=1e-9
    )
    ptb = Rouge(ROUGE_TYPES, "ptb")
    assert ptb.score(pair) == ptb.score(Pair("1", pair.prediction, pair.reference))
