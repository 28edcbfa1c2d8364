"""Words that the vocabulary lacks, on the whole path: documents → ids → model → text."""

import pytest
import tiny
import torch

from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.errors import PagesumError
from pagesum_cli.models.dpp.model import RecurrentConfig
from pagesum_cli.models.dpp.recurrent import PointerGenerator
from pagesum_cli.summarizer import PageSummarizer


@pytest.fixture
def copier() -> PageSummarizer:
    """A model that copies every word, of a vocabulary that has few."""
    tokenizer = tiny.words(["the", "."])
    torch.manual_seed(1)
    tokens = {**tiny.TOKENS, "unk_token_id": tiny.UNKNOWN, "vocab_size": tokenizer.vocab_size}
    model = PointerGenerator(RecurrentConfig(d_model=16, embedding_width=8, **tokens)).eval()
    torch.nn.init.constant_(model.copy_gate.bias, 100.0)
    return PageSummarizer(model, tokenizer, name="copier")


TOWNS = [
    plain_document("Zürich lost its barley.", name="a"),
    plain_document("Geneva kept the barley.", name="b"),
]


def test_words_that_no_vocabulary_has_are_copied_with_their_capitals(
    copier: PageSummarizer,
) -> None:
    summary = copier.summarize(TOWNS, max_length=12, min_length=12, no_repeat_ngram=1)
    assert {"Zürich", "Geneva", "barley"} <= set(summary.text.replace(".", "").split())
    assert [round(sum(token.confidences), 3) for token in summary.tokens] == [1.0] * len(
        summary.tokens
    )
    greedy = copier.summarize(TOWNS, max_length=12, beams=1)
    pieces: list[str] = []
    assert (
        copier.summarize(TOWNS, max_length=12, beams=1, on_text=pieces.append).text
        == "".join(pieces)
        == greedy.text
    )


def test_a_copied_word_weighs_on_the_part_that_has_it(copier: PageSummarizer) -> None:
    explained = copier.explain(TOWNS, "Zürich kept Basel")
    assert [token.text.strip() for token in explained.tokens] == ["Zürich", "kept", "Basel"]
    zurich, _, basel = (token.log_probability or 0.0 for token in explained.tokens)
    assert zurich > -4 > -20 > basel  # the documents lack Basel, and the model copies everything


def test_a_cluster_of_one_document_is_read(copier: PageSummarizer) -> None:
    assert copier.summarize(TOWNS[:1], max_length=5).pages[0].confidence == pytest.approx(1)


def test_a_vocabulary_of_another_model_is_refused(copier: PageSummarizer) -> None:
    other = PageSummarizer(copier.model, tiny.words(["the", ".", "farm"]), name="other")
    with pytest.raises(PagesumError, match="the tokenizer has 7 tokens, but the model has 6"):
        other.summarize(TOWNS)
