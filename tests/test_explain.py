"""Reading a given summary with the model."""

import math

import pytest
import torch
from tiny import END

from pagesum_cli import PageSummarizer
from pagesum_cli.decoding.rules import ForcedToken, standard_rules
from pagesum_cli.errors import PagesumError
from pagesum_cli.models import generation


@pytest.fixture(scope="module")
def summarizer(tiny_checkpoint):
    return PageSummarizer.from_pretrained(str(tiny_checkpoint), device="cpu", dtype="float32")


def test_the_models_own_summary_has_the_same_confidences(summarizer, report, monkeypatch):
    # What random weights write need not become the same tokens again, so the search is made to
    # write this.
    text = "Prices rose in most towns. Rain fell for eleven days."
    _, ids = summarizer.tokenizer.pieces(text)
    # after start, [CLS]
    forced = [ForcedToken(place, token) for place, token in enumerate([*ids, END], start=2)]
    monkeypatch.setattr(
        generation,
        "standard_rules",
        lambda *args, **more: [*standard_rules(*args, **more), *forced],
    )
    written = summarizer.summarize(report, beams=1, min_length=0, max_length=60, no_repeat_ngram=0)
    assert len(written.tokens) == len(ids)
    explained = summarizer.explain(report, written.text)
    assert explained.text == written.text
    for one, other in zip(explained.tokens, written.tokens, strict=True):
        assert one.confidences == pytest.approx(other.confidences, abs=1e-4)


def test_log_probabilities_are_the_models(summarizer, report):
    text = "Prices rose in most towns."
    explained = summarizer.explain(report, text)
    _, ids = summarizer.tokenizer.pieces(text)
    batch = {}
    summarizer.model.register_forward_hook(
        lambda module, args, kwargs, output: batch.update(kwargs, logits=output.logits),
        with_kwargs=True,
    )
    summarizer.explain(report, text)
    # start, forced first token, text
    assert batch["decoder_input_ids"].tolist() == [[3, 2, *ids[:-1]]]
    expected = batch["logits"][0, 1:].log_softmax(-1)[torch.arange(len(ids)), ids]
    assert [token.log_probability for token in explained.tokens] == pytest.approx(
        expected.tolist(), abs=1e-4
    )
    assert all(token.log_probability < 0 for token in explained.tokens)


@pytest.mark.parametrize(
    "text", ["It rained.", "  Two   words ", "naïve café 収穫 🌾.", "[SEP] is text"]
)
def test_the_text_stays_as_it_is(summarizer, report, text):
    explained = summarizer.explain(report, text)
    assert "".join(token.text for token in explained.tokens) == " ".join(text.split())
    assert all(math.isclose(sum(token.confidences), 1, abs_tol=1e-3) for token in explained.tokens)
    assert math.isclose(sum(page.confidence for page in explained.pages), 1)


def test_texts_that_cannot_be_read(summarizer, report):
    with pytest.raises(PagesumError, match="no word"):
        summarizer.explain(report, " \n ")
    with pytest.raises(PagesumError, match="positions for 127"):
        summarizer.explain(report, "wheat " * 200)
