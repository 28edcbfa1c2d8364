"""How the attention of copying models reads a source."""

import json
import math
import shutil

import numpy as np
import pytest
import tiny
import torch
from tiny import TEXTS

from pagesum_cli import PageSummarizer
from pagesum_cli.datasets.named import DataRequest, read_data
from pagesum_cli.lab.attention import entropies, mean_reading, normalized, read_by, reading_of
from pagesum_cli.locality import paginate
from pagesum_cli.models.dpp.model import RecurrentConfig
from pagesum_cli.models.dpp.recurrent import PointerGenerator


def test_steps_are_renormalized_and_those_after_the_end_left_out():
    attention = np.array([[0.2, 0.2, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, 1.0]])
    assert normalized(attention).tolist() == [[0.5, 0.5, 0], [0.25, 0.5, 0.25]]


def test_the_entropy_of_a_step_is_in_nats():
    attention = np.array([[0.25, 0.25, 0.25, 0.25], [1.0, 0, 0, 0]])
    assert entropies(attention).tolist() == pytest.approx([math.log(4), 0])


def test_spans_shares_and_diversity_of_a_reading():
    # Three spans: 5, 5 and 2 tokens. Two steps: both read position 1, and one each positions 6 and
    # 11.
    attention = np.zeros((2, 12))
    attention[0, [1, 6]] = 0.5, 0.5
    attention[1, [1, 11, 7]] = 0.1, 0.6, 0.3
    tokens = [1, 2, 3, 4, 1, 5, 6, 7, 8, 9, 2, 2]
    reading = reading_of(attention, tokens)
    assert reading.accumulated[[0, 1, 6, 7, 11]].tolist() == pytest.approx([0, 0.6, 0.5, 0.3, 0.6])
    assert reading.high_spans == pytest.approx(2 / 3)  # the first and the last
    assert reading.diversity == pytest.approx(4 / 7)  # 1 2 3 4 1 and 2 2
    assert reading.shares == pytest.approx((8 / 12, 2 / 12, 2 / 12))
    assert reading.steps == 2
    second = -sum(weight * math.log(weight) for weight in (0.1, 0.6, 0.3))
    assert reading.entropy == pytest.approx((math.log(2) + second) / 2)


def test_special_tokens_are_read_but_not_counted():
    attention = np.array([[0.9, 0.1, 0.0, 0.0]])
    reading = reading_of(attention, [0, 7, 8, 2], special=(0, 2))
    assert reading.accumulated[1:3].tolist() == [0.1, 0.0]
    assert np.isnan(reading.accumulated[[0, 3]]).all()
    assert (reading.high_spans, reading.shares) == (0, (1, 0, 0))
    assert math.isnan(reading.diversity)  # no span is high
    with pytest.raises(ValueError, match="no token"):
        reading_of(attention, [0, 0, 2, 2], special=(0, 2))


def test_attention_that_moves_on_reads_more_spans_than_attention_that_stays():
    tokens = list(range(50))
    stays, moves = np.zeros((10, 50)), np.zeros((10, 50))
    stays[:, 3] = 1
    moves[range(10), range(0, 50, 5)] = 1
    assert reading_of(stays, tokens).high_spans == 0.1
    assert reading_of(moves, tokens).high_spans == 1


def test_sources_have_the_same_weight_and_positions_are_means_over_those_that_have_them():
    short = reading_of(np.array([[1.0, 0.0]]), [5, 6])
    long = reading_of(
        np.array([[0.5, 0, 0, 0, 0, 0.5], [0, 0, 0, 0, 0, 1.0]]), [0, 1, 2, 3, 4, 4], special=(0,)
    )
    mean = mean_reading([short, long])
    assert mean.accumulated == pytest.approx((1.0, 0, 0, 0, 0, 1.5))
    assert (mean.documents, mean.steps, mean.high_spans) == (2, 1.5, 1)
    assert mean.diversity == pytest.approx((1 + 4 / 5) / 2)


@pytest.fixture(scope="module")
def copying(tmp_path_factory):
    """A pointer-generator of random weights, which reads the first 40 tokens of a source."""
    tokenizer = tiny.word_piece(TEXTS)
    torch.manual_seed(1)
    shape = {
        "d_model": 16,
        "embedding_width": 12,
        "vocab_size": tokenizer.vocab_size,
        "source_tokens": 40,
    }
    rules = {"max_length": 22, "min_length": 15, "no_repeat_ngram_size": 2, "num_beams": 3}
    config = RecurrentConfig(
        **shape, **tiny.TOKENS, unk_token_id=tiny.UNKNOWN, generation=rules, dpp=True
    )
    model = PointerGenerator(config).eval()
    return tiny.save_checkpoint(tmp_path_factory.mktemp("copying") / "pg", model, tokenizer)


@pytest.fixture
def clusters(tmp_path):
    lines = [
        {"documents": [{"name": "a", "text": TEXTS[n]}, {"name": "b", "text": TEXTS[n + 1]}]}
        for n in range(3)
    ]
    (tmp_path / "clusters.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    return tmp_path / "clusters.jsonl"


def test_a_source_is_read_as_the_model_s_own_greedy_search_without_rules(copying, clusters):
    summarizer = PageSummarizer.from_pretrained(str(copying), device="cpu", dtype="float32")
    records = read_data(DataRequest(str(clusters)), print)
    found = read_by(summarizer, records[:1])
    # Teacher forcing with what the search generated gives the same attention.
    paging, model = summarizer.paging(), summarizer.model
    pages = paginate(records[0].documents, paging, summarizer.tokenizer)
    batch = model.prepare(summarizer.tokenizer, [pages], paging.page_tokens, True)
    result = model.generate(
        batch.input_ids, batch.attention_mask, num_beams=1, min_length=0, no_repeat_ngram_size=0
    )
    source = model.encode(batch)
    with torch.no_grad():
        attention = model.decode(source, result.sequences[:, :-1]).attention[0].double().numpy()
    # after the start, which is the same
    end = (result.sequences[0] == tiny.END).nonzero()[1:2].flatten().tolist()
    attention = attention[: end[0]] if end else attention
    special = (tiny.PAD, tiny.START, tiny.END)
    expected = reading_of(attention, source.ids[0].tolist(), special)
    assert found.steps == len(attention)
    assert found.entropy == pytest.approx(expected.entropy, abs=1e-5)
    assert found.high_spans == expected.high_spans
    assert len(found.accumulated) == int((~np.isnan(expected.accumulated)).sum())
    assert len(found.accumulated) <= 40


def test_how_a_checkpoint_decodes_does_not_change_how_it_reads(copying, clusters):
    """A temperature in its settings would make its attention sharper, whatever was trained."""
    summarizer = PageSummarizer.from_pretrained(str(copying), device="cpu", dtype="float32")
    records = read_data(DataRequest(str(clusters)), print)
    for own in ({"num_beams": 5}, {"num_beams": 1}):
        summarizer.model.config.generation = {"max_length": 22, **own}
        plain = read_by(summarizer, records)
        summarizer.model.config.generation |= {"attention_temperature": 0.6, "min_length": 15}
        found = read_by(summarizer, records)
        assert (found.entropy, found.shares) == (plain.entropy, plain.shares)


def test_the_command_compares_models(pagesum, copying, clusters, tmp_path):
    other = shutil.copytree(copying, tmp_path / "other")
    command = ["analyze", "attention", "--data", clusters, "--model", copying, "--model", other]
    exports = [tmp_path / f"a{suffix}" for suffix in (".json", ".csv", ".svg")]
    done = pagesum(
        *command, "--limit", "2", *(part for path in exports for part in ("--export", path))
    )
    assert done.code == 0, done.err
    assert "2 documents, greedy search" in done.out
    first, second = json.loads(exports[0].read_text())["readings"]
    assert {**first, "model": ""} == {**second, "model": ""}
    assert (first["documents"], second["model"]) == (2, str(other))
    assert sum(first["shares"]) == pytest.approx(1)
    assert (
        exports[1]
        .read_text()
        .splitlines()[0]
        .startswith("model,documents,steps,entropy,high_spans,diversity,low")
    )
    assert b"accumulated attention" in exports[2].read_bytes() or b"<svg" in exports[2].read_bytes()


def test_a_single_source_is_drawn_with_its_words(pagesum, clusters, copying, tmp_path):
    command = ["analyze", "attention", "--data", clusters, "--model", copying, "--limit", "1"]
    numbers, figure = tmp_path / "a.json", tmp_path / "a.svg"
    done = pagesum(*command, "--export", numbers, "--export", figure)
    assert done.code == 0, done.err
    (reading,) = json.loads(numbers.read_text())["readings"]
    assert len(reading["tokens"]) == len(reading["accumulated"])
    (cluster,) = read_data(
        DataRequest(data=str(clusters), split="validation", limit=1), pytest.fail
    )
    source = " ".join(" ".join(document.text for document in cluster.documents).lower().split())
    words = [word for word in reading["tokens"] if word.isalpha()]
    assert words
    assert source.startswith(words[0])
    assert all(word in source for word in words)  # a word that the vocabulary lacks too
    drawn = figure.read_text()
    assert all(f"<!-- {word} -->" in drawn for word in words)
    assert "<!-- accumulated attention -->" in drawn


def test_models_that_trace_no_attention_are_refused(pagesum, clusters, tiny_checkpoint):
    refused = pagesum("analyze", "attention", "--data", clusters, "--model", tiny_checkpoint)
    assert (refused.code, refused.out) == (2, "")
    assert "does not trace attention over the source" in refused.err
    assert pagesum("analyze", "attention", "--data", clusters).code == 2
    assert pagesum("analyze", "attention", "--model", tiny_checkpoint).code == 2
