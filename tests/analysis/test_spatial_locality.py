"""Similarity by distance."""

import random

import numpy as np
import pytest

from pagesum_cli.analysis.spatial_locality import dense, spatial_locality, tf_idf
from pagesum_cli.errors import PagesumError
from pagesum_cli.views.analyses import spatial_file, spatial_view


def test_equal_to_comparing_every_pair():
    draw = random.Random(0)
    words = [f"w{number}" for number in range(30)]
    sentences = [" ".join(draw.choices(words, k=8)) for _ in range(40)]
    vectors = np.concatenate(list(tf_idf(sentences)), axis=1)
    similar = vectors @ vectors.T
    result = spatial_locality([sentences], tf_idf, "TF-IDF", farthest=10)
    expected = [np.diagonal(similar, distance).mean() for distance in range(1, 11)]
    assert result.similarities == pytest.approx(expected)
    above = np.triu_indices(40, 1)
    assert result.average == pytest.approx(similar[above].mean())


def test_documents_count_the_same_whatever_their_length():
    short, long = ["a b", "a b"], ["c d", "e f"] * 10
    result = spatial_locality([short, long], tf_idf, "TF-IDF", farthest=3)
    assert result.similarities[0] == pytest.approx((1 + 0) / 2)
    assert result.similarities[1] == pytest.approx(1)
    assert result.reach == (2, 1, 1)


def test_topics_in_blocks_are_local():
    blocks = [["rain fell on the fields", "prices rose in towns"][place // 10 % 2] for place in range(40)]
    result = spatial_locality([blocks], tf_idf, "TF-IDF")
    assert result.similarities[0] > result.average > result.similarities[9]


def test_vectors_of_an_encoder():
    vectors = np.random.default_rng(0).normal(size=(12, 5))
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    result = spatial_locality([["x"] * 12], lambda sentences: dense(vectors), "mine")
    assert result.similarities[2] == pytest.approx(np.diagonal(units @ units.T, 3).mean())


def test_documents_without_two_sentences_are_skipped():
    with pytest.raises(PagesumError, match="no document has two sentences"):
        spatial_locality([[], ["one"], ["?!", "..."]], tf_idf, "TF-IDF")
    assert spatial_locality([["one"], ["a b", "c d"]], tf_idf, "TF-IDF").documents == 1


def test_it_can_be_shown_and_saved():
    from rich.console import Console

    result = spatial_locality([["rain fell", "rain fell again", "prices rose"]], tf_idf, "TF-IDF")
    for width in (40, 80, 200):
        console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
        console.print(spatial_view(result))
        assert max(map(len, console.export_text().splitlines())) <= width
    assert spatial_file(result, ".csv").decode().splitlines()[-1].startswith("all,")
    assert b'"average"' in spatial_file(result, ".json")
    pytest.importorskip("matplotlib")
    assert spatial_file(result, ".svg").startswith(b"<?xml")


@pytest.mark.slow
def test_a_sentence_encoder_from_disk(tmp_path):
    from transformers import BertConfig, BertModel, BertTokenizerFast

    from pagesum_cli.analysis.embeddings import SentenceEmbedder

    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rain", "fell", "prices", "rose"]
    (tmp_path / "vocab.txt").write_text("\n".join(vocabulary))
    BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    BertModel(
        BertConfig(vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16)
    ).save_pretrained(tmp_path)
    embed = SentenceEmbedder(str(tmp_path))
    together = embed(["rain fell", "prices rose rose rose", "rain fell"])
    assert together.shape == (3, 8)
    # Padding changes nothing.
    assert together[0] == pytest.approx(embed(["rain fell"])[0], abs=1e-5)
    assert together[0] == pytest.approx(together[2], abs=1e-6)
