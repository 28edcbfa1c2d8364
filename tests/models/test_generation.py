"""What a checkpoint's generation settings and given options do, whatever the family."""

import sys
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from torch import Tensor

from pagesum_cli import PageSummarizer
from pagesum_cli.errors import UsageError
from pagesum_cli.models.base import Generation, PageBatch
from pagesum_cli.models.catalog import model_class
from pagesum_cli.options import (
    DEFAULTS,
    STORED,
    STORED_OPTIONS,
    UNCONSTRAINED,
    GenerationOptions,
)

SETTINGS = {
    "num_beams": 3,
    "max_length": 14,
    "min_length": 9,
    "no_repeat_ngram_size": 2,
    "length_penalty": 0.9,
    "length_normalization": "gnmt",
    "coverage_penalty": 5.0,
    "attention_temperature": 0.6,
    "blocking": "sentence",
    "unblocked_token_ids": [7, 8],
}


@pytest.fixture
def copying(monkeypatch: pytest.MonkeyPatch):
    """A tiny model that copies words, with the given generation settings."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    from copying.model import CopyingConfig, CopyingModel

    def make(**generation: object) -> CopyingModel:
        torch.manual_seed(3)
        sizes = {"vocab_size": 12, "d_model": 16, "max_position_embeddings": 40}
        return CopyingModel(CopyingConfig(**sizes, **tiny.TOKENS, generation=generation)).eval()

    yield make
    for name in [name for name in sys.modules if name.split(".")[0] == "copying"]:
        del sys.modules[name]


def source() -> torch.Tensor:
    torch.manual_seed(1)
    return torch.randint(4, 12, (2, 3, 5))


def test_a_checkpoints_own_rules_are_those_given_by_name(copying) -> None:
    ids = source()
    own, given = copying(**SETTINGS).generate(ids), copying().generate(ids, **SETTINGS)
    assert torch.equal(own.sequences, given.sequences)
    assert torch.equal(own.sequences_scores, given.sequences_scores)
    for name in (
        "length_normalization",
        "coverage_penalty",
        "attention_temperature",
        "blocking",
        "num_beams",
    ):
        others = {key: value for key, value in SETTINGS.items() if key != name}
        assert not torch.equal(
            copying(**others).generate(ids).sequences_scores, own.sequences_scores
        ), name


def test_options_are_filled_with_the_checkpoints_rules(copying) -> None:
    filled = copying(**SETTINGS).generation_options(
        GenerationOptions(coverage_penalty=0.0, blocking="ngram")
    )
    assert (filled.length_normalization, filled.attention_temperature) == ("gnmt", 0.6)
    assert (filled.coverage_penalty, filled.blocking) == (0.0, "ngram")
    assert (filled.min_length, filled.max_length) == (8, 12)
    plain = copying().generation_options(GenerationOptions())
    own = [field.name for field in STORED_OPTIONS if field.name not in STORED]
    assert [getattr(plain, name) for name in own] == [getattr(DEFAULTS, name) for name in own]


def test_a_temperature_that_was_chosen_for_beams_is_not_one_of_greedy_search(copying) -> None:
    model, ids = copying(**SETTINGS), source()
    greedy = GenerationOptions(beams=1)
    assert model.generation_options(greedy).attention_temperature == 1
    given = GenerationOptions(beams=1, attention_temperature=0.6)
    assert model.generation_options(given).attention_temperature == 0.6
    found = model.generate(ids, num_beams=1)
    expected = model.generate(ids, num_beams=1, attention_temperature=1.0)
    assert torch.equal(found.traces["attention"], expected.traces["attention"])
    # A checkpoint whose own search is greedy keeps its temperature.
    own = copying(**{**SETTINGS, "num_beams": 1})
    assert own.generation_options(greedy).attention_temperature == 0.6
    sharp = model.generate(ids, num_beams=1, attention_temperature=0.6)
    assert torch.equal(own.generate(ids).traces["attention"], sharp.traces["attention"])


def test_an_unconstrained_search_has_none_of_the_checkpoints_rules(copying) -> None:
    filled = copying(**SETTINGS).generation_options(UNCONSTRAINED)
    assert filled.changed(max_length=9) == UNCONSTRAINED.changed(max_length=9)
    assert filled.max_length == 12  # the checkpoint's


def test_given_options_reach_the_search(copying) -> None:
    model = copying(**SETTINGS)
    batch = PageBatch(source())
    rules = {
        "length_normalization": "power",
        "coverage_penalty": 1.0,
        "attention_temperature": 2.0,
        "blocking": "ngram",
    }
    drafts, found = model.draft(batch, model.generation_options(GenerationOptions(**rules)))
    assert torch.equal(found.sequences_scores, model.generate(source(), **rules).sequences_scores)
    assert len(drafts) == 2


def test_scores_are_normalized_log_probabilities_less_the_penalty(copying) -> None:
    model, ids = copying(), source()
    found = model.generate(
        ids, num_beams=4, max_length=36, min_length=32, length_penalty=0.9,
        length_normalization="gnmt", coverage_penalty=5.0, num_return_sequences=4,
    )  # fmt: skip
    ids = ids.repeat_interleave(4, 0)
    logits = model(ids, None, found.sequences[:, :-1]).logits.log_softmax(-1)
    steps = logits.gather(-1, found.sequences[:, 1:, None])[..., 0]
    for row, sequence in enumerate(found.sequences.tolist()):
        length = sequence.index(tiny.END) + 1 if tiny.END in sequence else len(sequence)
        coverage = found.traces["attention"][row].sum(0)  # (L,)
        total = steps[row, : length - 1].sum() - 5 * (coverage.clamp(min=1).sum() - len(coverage))
        assert found.sequences_scores[row].item() == pytest.approx(
            total.item() / ((5 + length) / 6) ** 0.9, rel=1e-4
        )
        assert coverage.sum().item() == pytest.approx(length - 1, abs=1e-4)
        assert coverage.max() > 1


@pytest.mark.parametrize("beams", [1, 3])
def test_attention_scores_are_divided_by_the_temperature(copying, beams: int) -> None:
    """At a very high temperature every position is read alike; at 1, nothing changes."""
    model, ids = copying(), source()
    flat = model.generate(ids, num_beams=beams, max_length=8, attention_temperature=100.0).traces[
        "attention"
    ][:, 0]
    torch.testing.assert_close(flat, torch.full_like(flat, 1 / flat.shape[-1]), atol=0.02, rtol=0)
    plain, at_one = (
        model.generate(ids, num_beams=beams, max_length=8, **options)
        for options in ({}, {"attention_temperature": 1})
    )
    assert torch.equal(plain.sequences_scores, at_one.sequences_scores)
    assert plain.traces["attention"][:, 0].max() > 1.2 / plain.traces["attention"].shape[-1]


@pytest.mark.parametrize("beams", [1, 3])
def test_minimum_and_maximum_count_generated_tokens_without_start_and_end(
    copying, beams: int
) -> None:
    """As OpenNMT counts its minimum."""
    model = copying()
    for low, high in ((5, 5), (5, 7), (0, 3)):
        options = GenerationOptions(beams=beams, min_length=low, max_length=high, no_repeat_ngram=0)
        drafts, _ = model.draft(PageBatch(source()), model.generation_options(options))
        for draft in drafts:
            words = [token for token in draft.token_ids if token != tiny.END]
            assert low <= len(words) <= high
            assert draft.is_cut_off or draft.token_ids[-1] == tiny.END or len(words) == high


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"coverage_penalty": 5.0},
            "coverage-penalty does nothing with a pagesum model, which does not support tracing "
            "the attention",
        ),
        (
            {"attention_temperature": 0.6},
            "attention-temperature does nothing with a pagesum model, "
            "which does not support a temperature",
        ),
        (
            {"blocking": "sentence"},
            "blocking sentence, but the checkpoint does not state which tokens end a sentence",
        ),
    ],
)
def test_what_a_model_cannot_do_is_refused_before_anything_is_computed(
    options: dict, message: str, tiny_checkpoint: Path
) -> None:
    summarizer = PageSummarizer.from_pretrained(str(tiny_checkpoint), device="cpu", dtype="float32")
    with pytest.raises(UsageError, match=message):
        summarizer.summarize("no such file", generation=GenerationOptions(**options))
    with pytest.raises(UsageError, match=message):
        summarizer.model.generate(source(), **options)
    summarizer.model.config.generation.update(options)
    with pytest.raises(UsageError, match=message):
        summarizer.generation()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"beams": 4},
            "beams does nothing with an extractive model, which does not support beam search",
        ),
        ({"length_penalty": 2.0}, "length-penalty does nothing with an extractive model"),
        ({"no_repeat_ngram": 3}, "does not support generating text token by token"),
        ({"coverage_penalty": 3.0}, "coverage-penalty does nothing"),
        ({"trim": True}, "trim does nothing with"),
    ],
)
def test_options_of_a_search_are_refused_by_a_model_that_quotes(
    options: dict, message: str, tiny_extractive: Path
) -> None:
    summarizer = PageSummarizer.from_pretrained(str(tiny_extractive), device="cpu", dtype="float32")
    with pytest.raises(UsageError, match=message):
        summarizer.summarize("no such file", **options)


def test_values_that_turn_an_option_off_are_accepted_by_every_model(tiny_extractive: Path) -> None:
    model = PageSummarizer.from_pretrained(
        str(tiny_extractive), device="cpu", dtype="float32"
    ).model
    options = GenerationOptions(beams=1, coverage_penalty=0.0, no_repeat_ngram=0, sentences=2)
    assert model.generation_options(options) == GenerationOptions(sentences=2)


def test_what_only_beams_use_is_refused_in_greedy_search(copying) -> None:
    options = GenerationOptions(beams=1, length_penalty=0.5)
    with pytest.raises(UsageError, match="length-penalty does nothing in greedy search"):
        copying().generation_options(options)


def test_a_model_that_offers_no_length_in_words_is_noticed(
    copying, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = copying()
    monkeypatch.setattr(type(model), "capabilities", model.capabilities - {"words"})
    with pytest.raises(UsageError, match="words does nothing with a copying model"):
        model.generation_options(GenerationOptions(words=50))


def test_unknown_options_of_generate_are_refused(copying) -> None:
    with pytest.raises(UsageError, match="no option 'num_beam' of generation") as caught:
        copying().generate(source(), num_beam=3)
    assert caught.value.hint == "did you mean num_beams?"


@pytest.mark.parametrize("kind", ["pointer-generator", "copy-transformer", "conv-seq2seq"])
def test_sequence_models_follow_all_rules(kind: str) -> None:
    family: Any = model_class(kind)
    shape = {
        "vocab_size": 14,
        "d_model": 16,
        "encoder_layers": 1,
        "decoder_layers": 2,
        "embedding_width": 8,
    }
    shape |= {
        "encoder_attention_heads": 2,
        "decoder_attention_heads": 2,
        "encoder_ffn_dim": 16,
        "decoder_ffn_dim": 16,
    }
    torch.manual_seed(0)
    values = {
        **shape,
        "output_width": 8,
        "max_position_embeddings": 64,
        **tiny.TOKENS,
        "unk_token_id": 1,
    }
    model = family(family.config_class.from_dict(values)).eval()
    options = {
        **SETTINGS,
        "max_length": 34,
        "min_length": 32,
        "no_repeat_ngram_size": 1,
        "num_return_sequences": 3,
    }
    plain, penalized = (
        model.generate(source(), **{**options, "coverage_penalty": beta}) for beta in (0.0, 50.0)
    )

    def excess(found: Generation) -> Tensor:
        return (found.traces["attention"].sum(1) - 1).relu().sum(-1)

    assert penalized.sequences_scores.isfinite().all()
    assert (penalized.sequences_scores < plain.sequences_scores).all()
    assert excess(penalized).mean() <= excess(plain).mean()
    for row in penalized.sequences[:, 1:].tolist():
        words = [token for token in row if token not in (tiny.END, tiny.PAD)]
        assert len(words) >= 30
