"""Similarity by distance."""

import json
import random
from itertools import combinations

import numpy as np
import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.lab.spatial_locality import dense, spatial_locality, tf_idf
from pagesum_cli.views.analyses import spatial_file, spatial_view


def directly(documents, vectors_of, farthest):
    """Figure 1 by comparing every two sentences, one after the other."""
    at, everything, by_document = {}, [], []
    for document in documents:
        vectors = vectors_of(document)
        vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        own = {}
        for first, second in combinations(range(len(vectors)), 2):
            own.setdefault(second - first, []).append(float(vectors[first] @ vectors[second]))
        flat = [one for similar in own.values() for one in similar]
        everything += flat
        by_document.append(
            {distance: np.mean(similar) / np.mean(flat) for distance, similar in own.items()}
        )
        for distance, similar in own.items():
            at.setdefault(distance, []).extend(similar)
    distances = [distance for distance in sorted(at) if distance <= farthest]
    curve = [np.mean(at[distance]) for distance in distances]
    normalized = [
        np.mean([one[distance] for one in by_document if distance in one]) for distance in distances
    ]
    return (
        curve,
        np.mean(everything),
        normalized,
        [len(at[distance]) for distance in distances],
        len(everything),
    )


@pytest.mark.parametrize("lengths", [(40,), (25, 3, 12, 2)])
def test_equal_to_comparing_every_pair(lengths):
    draw = np.random.default_rng(0)
    vectors = {f"{length}": 1 + draw.normal(size=(length, 5)) for length in lengths}
    documents = [[f"{length}"] * length for length in lengths]
    curve, average, normalized, pairs, all_pairs = directly(
        documents, lambda own: vectors[own[0]], 10
    )
    result = spatial_locality(documents, lambda own: dense(vectors[own[0]]), "mine", farthest=10)
    assert result.similarities == pytest.approx(curve)
    # also of pairs that are farther apart than the curve goes
    assert result.average == pytest.approx(average)
    assert result.relative == pytest.approx(np.array(curve) / average)
    assert (result.normalized, result.without_norm) == (pytest.approx(normalized), 0)
    assert (list(result.pairs), result.all_pairs) == (pairs, all_pairs)


def test_tf_idf_vectors_are_compared_in_the_same_way():
    draw = random.Random(0)
    words = [f"w{number}" for number in range(30)]
    sentences = [" ".join(draw.choices(words, k=8)) for _ in range(40)]
    vectors = np.concatenate(list(tf_idf(sentences)), axis=1)
    similar = vectors @ vectors.T
    result = spatial_locality([sentences], tf_idf, "TF-IDF", farthest=10)
    assert result.similarities == pytest.approx(
        [np.diagonal(similar, distance).mean() for distance in range(1, 11)]
    )
    assert result.average == pytest.approx(similar[np.triu_indices(40, 1)].mean())


def test_pairs_count_the_same_and_in_the_normalized_curve_documents():
    short, long = ["a b", "a b"], ["c d", "e f"] * 10
    result = spatial_locality([short, long], tf_idf, "TF-IDF", farthest=3)
    assert result.similarities == pytest.approx([1 / 20, 1, 0])
    assert (result.reach, result.pairs) == ((2, 1, 1), (20, 18, 17))
    long_average = 90 / 190  # of the pairs of sentences, those at an even distance
    assert result.normalized == pytest.approx([(1 / 1 + 0) / 2, 1 / long_average, 0])


def test_a_document_without_similar_sentences_has_no_norm():
    result = spatial_locality([["a b", "c d"], ["a b", "a b"]], tf_idf, "TF-IDF")
    assert (result.without_norm, result.normalized) == (1, pytest.approx((1,)))
    assert result.similarities == pytest.approx((0.5,))


def test_topics_in_blocks_are_local():
    blocks = [
        ["rain fell on the fields", "prices rose in towns"][place // 10 % 2] for place in range(40)
    ]
    result = spatial_locality([blocks], tf_idf, "TF-IDF")
    assert result.similarities[0] > result.average > result.similarities[9]


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
    lines = spatial_file(result, ".csv").decode().splitlines()
    assert lines[0] == "distance,similarity,relative,normalized,pairs,documents"
    assert (
        lines[1]
        == f"1,{result.similarities[0]:.6f},{result.relative[0]:.6f},{result.normalized[0]:.6f},2,1"
    )
    assert lines[-1] == f"all,{result.average:.6f},1.000000,1.000000,3,1"
    numbers = json.loads(spatial_file(result, ".json"))
    assert numbers["relative"] == pytest.approx(
        [one / numbers["average"] for one in numbers["similarities"]]
    )
    nothing = spatial_locality([["a b", "c d"]], tf_idf, "TF-IDF")
    assert json.loads(spatial_file(nothing, ".json"))["relative"] == [None]
    assert "not above 0" in spatial_view(nothing).renderables[-1].plain
    pytest.importorskip("matplotlib")
    assert spatial_file(result, ".svg").startswith(b"<?xml")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    from transformers import BertConfig, BertForMaskedLM, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("encoders")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "rain", "fell", "prices", "rose"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    config = BertConfig(
        vocab_size=9,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    for name, model in (("body", BertModel(config)), ("without", BertForMaskedLM(config))):
        model.save_pretrained(folder / name)
        BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder / name)
    return folder


@pytest.mark.slow
def test_a_sentence_encoder_by_each_pooling(encoder):
    from transformers import AutoModel, AutoTokenizer

    from pagesum_cli.evaluation.metrics.encoders import SentenceEmbedder

    folder = str(encoder / "body")
    model, tokenizer = (
        AutoModel.from_pretrained(folder).eval(),
        AutoTokenizer.from_pretrained(folder),
    )
    sentences = ["rain fell", "prices rose rose rose", "rain"]  # padding changes nothing
    outputs = [model(**tokenizer(one, return_tensors="pt")) for one in sentences]
    expected = {
        "cls": [one.last_hidden_state[0, 0] for one in outputs],
        "pooler": [one.pooler_output[0] for one in outputs],
        "mean": [one.last_hidden_state[0].mean(0) for one in outputs],
    }
    for pooling, vectors in expected.items():
        found = SentenceEmbedder(folder, pooling)(sentences)
        assert found == pytest.approx(np.stack([one.detach().numpy() for one in vectors]), abs=1e-5)
    assert SentenceEmbedder(folder).pooling == "mean"
    (encoder / "body" / "1_Pooling").mkdir()
    (encoder / "body" / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    assert SentenceEmbedder(folder).pooling == "cls"


@pytest.mark.slow
def test_a_pooling_layer_that_is_not_there_is_refused(encoder):
    from pagesum_cli.evaluation.metrics.encoders import SentenceEmbedder

    with pytest.raises(PagesumError, match="has no pooler"):
        SentenceEmbedder(str(encoder / "without"), "pooler")
    assert SentenceEmbedder(str(encoder / "without"), "cls")(["rain"]).shape == (1, 8)
    with pytest.raises(PagesumError, match=r"cannot be loaded"):
        SentenceEmbedder(str(encoder), "cls")
