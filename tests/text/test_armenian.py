"""Sentences in Armenian end with a colon."""

import pytest
from tiny import assert_linear

from pagesum_cli.text.armenian import LIMIT, is_armenian
from pagesum_cli.text.sentences import sentence_spans, split_sentences

SENTENCES = ["Հայաստանը երկիր է:", "Երևանը մայրաքաղաքն է:", "Նա եկավ 5 օր առաջ:"]


def test_a_colon_ends_a_sentence() -> None:
    assert split_sentences(" ".join(SENTENCES)) == SENTENCES
    assert split_sentences(" ".join(SENTENCES * 100)) == SENTENCES * 100


def test_a_name_in_an_english_text_changes_nothing() -> None:
    assert not is_armenian("The capital is Երևան: it is old.")
    assert not is_armenian("The capital is Yerevan: it is old.")
    assert not is_armenian("ա" * (LIMIT + 1))


@pytest.mark.parametrize(
    "text", ["ա" * 20_000, "ա " + "1, " * 10_000, "ա" * 10 + "?!..." * 2000, "ա (" * 6000]
)
def test_no_text_hangs(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert_linear(lambda count: sentence_spans(text[: len(text) // 4 * count]), 2)
