"""Metrics that hold a model: the real code, on tiny random models that are saved to a folder and
loaded by path.
"""

import json
import math
import shutil
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForNextSentencePrediction,
    BertForSequenceClassification,
    BertModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaModel,
)

from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.evaluation.metrics.base import Pair, punkt_sentences
from pagesum_cli.evaluation.metrics.classifiers import shuffled
from pagesum_cli.evaluation.metrics.encoders import (
    SentenceEmbedder,
    framed,
    token_ids,
    token_states,
    windows,
)
from pagesum_cli.evaluation.metrics.registry import MetricRequest
from pagesum_cli.lab.spatial_locality import embedding_of

WORDS = (
    "the a dog cat bird fish sat ran flew swam on under over mat tree house river and slept".split()  # noqa: SIM905
)
FIRST = "The dog sat on the mat. A cat ran under the tree. The bird flew over the house."
SECOND = "A fish swam under the house. The bird slept on the mat."
REACH = 24


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A body, a next-sentence model and an NLI model, all random."""
    folder = tmp_path_factory.mktemp("models")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz.", *WORDS[2:]]
    tokenizer = Tokenizer(
        models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    torch.manual_seed(1)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=REACH,
        initializer_range=0.5,
    )
    labels = {"id2label": {0: "contradiction", 1: "neutral", 2: "entailment"}}
    nli = BertConfig(
        **{
            **config.to_dict(),
            **labels,
            "label2id": {name: i for i, name in labels["id2label"].items()},
        }
    )
    for name, model in (
        ("body", BertModel(config)),
        ("next", BertForNextSentencePrediction(config)),
        ("nli", BertForSequenceClassification(nli)),
    ):
        model.save_pretrained(folder / name)
        wrapped.save_pretrained(folder / name)
    return folder


def metric(name: str, model: Path):
    return MetricRequest((name,), models={name: str(model)}).make()[0]


def test_every_token_is_taken_from_one_window() -> None:
    for length in (1, 21, 22, 23, 40, 100):
        taken = []
        for start, end, first, last in windows(length, 22):
            assert end - start <= 22
            assert start <= first < last <= end
            taken += range(first, last)
        assert taken == list(range(length))


def test_special_tokens_stand_around_pairs_as_the_tokenizer_puts_them(folder: Path) -> None:
    body = metric("bertscore", folder / "body")
    inputs, before = framed(
        body.tokenizer, token_ids(body.tokenizer, "the dog sat"), token_ids(body.tokenizer, "a cat")
    )
    expected = body.tokenizer("the dog sat", "a cat", return_tensors="pt")
    assert before == 1
    assert inputs["input_ids"].tolist() == expected["input_ids"].tolist()
    assert inputs["token_type_ids"].tolist() == expected["token_type_ids"].tolist()


def test_states_of_a_short_text_are_the_models_own(folder: Path) -> None:
    body = metric("bertscore", folder / "body")
    inputs = body.tokenizer("the dog sat on a mat", return_tensors="pt")
    expected = body.model(**inputs).last_hidden_state[0, 1:-1]
    states = token_states(
        body.model, body.tokenizer, token_ids(body.tokenizer, "the dog sat on a mat")
    )
    assert torch.allclose(states, expected, atol=1e-6)


def test_rounded_weights_are_computed_with_in_float32(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "body", tmp_path / "half")
    BertModel.from_pretrained(folder / "body").to(torch.bfloat16).save_pretrained(tmp_path / "half")
    exact = BertModel.from_pretrained(tmp_path / "half", dtype=torch.float32).eval()
    for model in (
        metric("movers", tmp_path / "half").model,
        SentenceEmbedder(str(tmp_path / "half")).model,
    ):
        assert model.dtype == torch.float32
    embed = SentenceEmbedder(str(tmp_path / "half"), "cls")
    inputs = embed.tokenizer(["The dog sat."], return_tensors="pt")
    with torch.inference_mode():
        expected = exact(**inputs).last_hidden_state[0, 0].double().numpy()
    assert np.abs(embed(["The dog sat."])[0] - expected).max() < 1e-6
    name, _ = embedding_of(str(tmp_path / "half"), "cls")
    assert name == f"{tmp_path / 'half'}, cls pooling, float32"


def test_bertscore_is_100_for_the_same_text_and_matches_the_formula(folder: Path) -> None:
    bertscore = metric("bertscore", folder / "body")
    same = bertscore.score(Pair("1", FIRST, FIRST))["bertscore"]
    assert same == pytest.approx({"f": 100, "p": 100, "r": 100}, abs=1e-3)
    states = [
        torch.nn.functional.normalize(
            token_states(bertscore.model, bertscore.tokenizer, token_ids(bertscore.tokenizer, one))
        )
        for one in ("the dog sat", "a cat ran under")
    ]
    similar = states[0] @ states[1].T
    precision, recall = similar.max(1).values.mean().item(), similar.max(0).values.mean().item()
    found = bertscore.score(Pair("1", "the dog sat", "a cat ran under"))["bertscore"]
    assert found["p"] == pytest.approx(100 * precision, abs=1e-3)
    assert found["r"] == pytest.approx(100 * recall, abs=1e-3)
    assert found["f"] == pytest.approx(200 * precision * recall / (precision + recall), abs=1e-3)


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A RoBERTa of 19 layers, in a folder that is called like the one of which bert-score uses
    layer 17.
    """
    # A byte-level vocabulary without merges: a token is a byte, and a space is one of its own.
    names = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    tokenizer = Tokenizer(models.BPE({name: number for number, name in enumerate(names)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", pad_token="<pad>", eos_token="</s>",
        unk_token="<unk>", cls_token="<s>", sep_token="</s>",
    )  # fmt: skip
    torch.manual_seed(2)
    path = tmp_path_factory.mktemp("named") / "roberta-large"
    RobertaModel(
        RobertaConfig(
            vocab_size=len(wrapped), hidden_size=16, num_hidden_layers=19, num_attention_heads=2,
            intermediate_size=32, max_position_embeddings=66, initializer_range=0.3,
        )
    ).save_pretrained(path)  # fmt: skip
    wrapped.save_pretrained(path)
    return path


def test_bertscore_of_roberta_large_is_of_layer_17_with_a_space_before_the_text(
    roberta: Path,
) -> None:
    bertscore = metric("bertscore", roberta)
    assert "|layer:17|" in bertscore.signature
    texts = ("the dog sat", "a cat ran")
    states = []
    for text in texts:
        inputs = bertscore.tokenizer(f" {text}", return_tensors="pt")
        with torch.no_grad():
            hidden = bertscore.model(**inputs, output_hidden_states=True).hidden_states
        assert len(hidden) == 20  # the embeddings, and 19 layers
        # The first 17 layers alone, as bert-score runs them, give the same.
        first = RobertaModel.from_pretrained(
            roberta, num_hidden_layers=17, add_pooling_layer=False
        ).eval()
        with torch.no_grad():
            assert torch.allclose(first(**inputs).last_hidden_state, hidden[17], atol=1e-6)
        states.append(torch.nn.functional.normalize(hidden[17][0, 1:-1], dim=-1))
    similar = states[0] @ states[1].T
    found = bertscore.score(Pair("1", *texts))["bertscore"]
    assert found["p"] == pytest.approx(100 * similar.max(1).values.mean().item(), abs=1e-3)
    assert found["r"] == pytest.approx(100 * similar.max(0).values.mean().item(), abs=1e-3)
    assert bertscore.score(Pair("1", " ", texts[0]))["bertscore"]["f"] == 0


def test_the_layer_of_bertscore_can_be_chosen(roberta: Path, folder: Path) -> None:
    pair = Pair("1", "the dog sat", "a cat ran")
    default, nineteenth, third = (
        metric("bertscore", Path(f"{roberta}{layer}")) for layer in ("", "@19", "@3")
    )
    assert "|layer:3|" in third.signature
    assert len({one.score(pair)["bertscore"]["f"] for one in (default, nineteenth, third)}) == 3
    chosen = metric("bertscore", Path(f"{folder / 'body'}@2"))
    assert "|layer:last|" in metric("bertscore", folder / "body").signature
    # The last one of two: the same by number.
    assert chosen.score(pair) == metric("bertscore", folder / "body").score(pair)


@pytest.mark.parametrize(
    ("layer", "message"),
    [("@20", "is not an encoder with layer 20"), ("@0", "layer 0"), ("@last", "a layer after @")],
)
def test_a_layer_that_the_model_lacks_is_refused(roberta: Path, layer: str, message: str) -> None:
    with pytest.raises(PagesumError, match=message):
        metric("bertscore", Path(f"{roberta}{layer}"))


@pytest.mark.parametrize("name", ["bertscore", "movers"])
def test_what_stands_at_the_end_of_a_long_text_counts(folder: Path, name: str) -> None:
    one = metric(name, folder / "body")
    long = "The dog sat on the mat. " * 20
    other = long + "A fish swam under the river."
    assert len(token_ids(one.tokenizer, long)) > 3 * REACH
    scores = [next(iter(one.score(Pair("1", text, long)).values())) for text in (long, other)]
    assert min(next(iter(score.values())) for score in scores) > 0
    assert scores[0] != scores[1]


def test_an_empty_prediction_scores_0(folder: Path) -> None:
    assert metric("bertscore", folder / "body").score(Pair("1", "", FIRST))["bertscore"]["f"] == 0
    assert metric("movers", folder / "body").score(Pair("1", "", FIRST))["movers"]["value"] == 0
    empty = Pair("1", "", FIRST, sources=(SECOND,))
    assert metric("faithfulness", folder / "nli").score(empty)["faithfulness"]["value"] == 0
    assert metric("coherence", folder / "next").score(Pair("1", "", FIRST)) == {}


@pytest.mark.parametrize("name", ["faithfulness", "factcc"])
def test_nothing_supports_a_summary_of_documents_without_words(name: str, folder: Path) -> None:
    scores = metric(name, folder / "nli").score(Pair("1", FIRST, "", sources=(" ", "")))
    assert scores[name]["value"] == 0


def test_coherence_is_the_mean_probability_that_the_next_sentence_follows(folder: Path) -> None:
    coherence = metric("coherence", folder / "next")
    sentences = [
        "The dog sat on the mat.",
        "A cat ran under the tree.",
        "The bird flew over the house and the river.",
    ]
    # label 0 of BERT's head: the second sentence follows; the loss is its negative log-probability
    follows = [
        math.exp(
            -coherence.model(
                **coherence.tokenizer(a, b, return_tensors="pt"), labels=torch.tensor([0])
            ).loss.item()
        )
        for a, b in pairwise(sentences)
    ]
    assert abs(follows[0] - follows[1]) > 1e-3
    found = coherence.score(Pair("1", " ".join(sentences), ""))
    assert found["coherence"]["value"] == pytest.approx(100 * sum(follows) / 2, abs=1e-3)
    assert found["coherence-accepted"]["value"] == 100 * sum(one > 0.5 for one in follows) / 2
    assert (found["coherence"]["pairs"], found["coherence"]["truncated"]) == (2, 0)


def test_text_in_lower_case_is_split_like_any_other(folder: Path) -> None:
    coherence = metric("coherence", folder / "next")
    assert (
        coherence.score(Pair("1", FIRST.lower(), "")) == coherence.score(Pair("1", FIRST, "")) != {}
    )


@pytest.mark.parametrize(
    ("first", "second"), [(3, 40), (40, 3), (30, 30), (12, 30), (30, 11), (10, 11), (10, 12)]
)
def test_long_pairs_are_truncated_and_counted(folder: Path, first: int, second: int) -> None:
    coherence = metric("coherence", folder / "next")
    texts = [
        " ".join((WORDS * 3)[place : place + count]) for place, count in enumerate((first, second))
    ]
    room = REACH - 3
    shorter = min(first, second, room // 2)
    kept = (first, second)
    if first + second > room:
        kept = (room - shorter, shorter) if first > second else (shorter, room - shorter)
    read = [" ".join(text.split()[:count]) for text, count in zip(texts, kept, strict=True)]
    logits = coherence.model(**coherence.tokenizer(*read, return_tensors="pt")).logits[0]
    found = coherence.of_sentences(texts)["coherence"]
    assert found["value"] == pytest.approx(100 * logits.softmax(-1)[0].item(), abs=1e-3)
    assert found["truncated"] == (first + second > room)


def test_references_and_their_shuffled_sentences_are_rows(
    folder: Path, pagesum, tmp_path: Path
) -> None:
    references = [f"{FIRST} {SECOND}", "The dog sat.", SECOND]
    for name, texts in (("a", [FIRST, FIRST, "A cat ran."]), ("b", references)):
        (tmp_path / f"{name}.txt").write_text("\n".join(texts))
    command = ["eval", "--predictions", tmp_path / "a.txt", "--references", tmp_path / "b.txt"]
    command += ["--metrics", "coherence,rouge1", "--metric-model", f"coherence={folder / 'next'}"]
    found = json.loads(pagesum(*command, "--format", "json").out)
    rows = found["baselines"]
    assert list(rows) == ["reference", "reference-random"]
    coherence = metric("coherence", folder / "next")
    scores = [
        coherence.score(Pair("", text, ""))["coherence"]["value"]
        for text in (references[0], references[2])
    ]
    assert rows["reference"]["coherence"]["value"] == pytest.approx(sum(scores) / 2, abs=1e-4)
    # One sentence has no neighbors.
    assert (rows["reference"]["coherence"]["n"], rows["reference"]["coherence"]["pairs"]) == (2, 5)
    assert (found["metrics"]["coherence"]["n"], found["metrics"]["coherence"]["pairs"]) == (2, 4)
    mixed = [
        shuffled(punkt_sentences(text), str(number))
        for number, text in enumerate(references, start=1)
    ]
    assert any(own != punkt_sentences(text) for own, text in zip(mixed, references, strict=True))
    assert sorted(mixed[0]) == sorted(punkt_sentences(references[0]))
    scores = [coherence.of_sentences(own)["coherence"]["value"] for own in (mixed[0], mixed[2])]
    assert rows["reference-random"]["coherence"]["value"] == pytest.approx(
        sum(scores) / 2, abs=1e-4
    )
    table = pagesum(*command, "--format", "markdown").out
    assert "reference-random" in table
    assert f"({rows['reference']['coherence']['low']:.2f}–" in table
    assert "split:punkt" in table
    assert "seed:12345" in table


def test_movers_similarity_of_two_pairs_of_sentences_is_the_cheapest_transport(
    folder: Path,
) -> None:
    movers = metric("movers", folder / "body")
    assert movers.score(Pair("1", FIRST, FIRST))["movers"]["value"] == pytest.approx(100, abs=1e-2)
    # all of equal length
    first, second = ["The dog sat.", "A cat ran."], ["A fish swam.", "The bird flew."]
    vectors = [
        [movers.embedded([sentence])[0][0] for sentence in sentences]
        for sentences in (first, second)
    ]
    cost = [[float(np.linalg.norm(a - b)) for b in vectors[1]] for a in vectors[0]]
    cheapest = min(cost[0][0] + cost[1][1], cost[0][1] + cost[1][0]) / 2
    found = movers.score(Pair("1", " ".join(first), " ".join(second)))["movers"]["value"]
    assert found == pytest.approx(100 * math.exp(-cheapest), abs=1e-3)


def test_faithfulness_takes_the_passage_that_entails_most(folder: Path) -> None:
    faithfulness = metric("faithfulness", folder / "nli")
    sources = ("The dog sat on the mat.", "A cat ran under the tree.")

    def entailed(premise: str) -> float:
        inputs = faithfulness.tokenizer(premise, "The bird slept.", return_tensors="pt")
        return faithfulness.model(**inputs).logits.softmax(-1)[0, 2].item()

    found = faithfulness.score(Pair("1", "The bird slept.", "", sources=sources))["faithfulness"][
        "value"
    ]
    assert found == pytest.approx(100 * max(map(entailed, sources)), abs=1e-3)


def test_a_sentence_is_consistent_if_one_document_is_enough_for_it(folder: Path) -> None:
    factcc = metric("factcc", folder / "nli")
    assert "|label:entailment|" in factcc.signature
    sources = ("The dog sat on the mat.", "A cat ran under the tree.", "A fish swam.")
    sentences = [
        f"The {first} {second}."
        for first in ("dog", "bird", "cat", "fish")
        for second in ("sat", "flew", "ran")
    ]

    def margin(premise: str, sentence: str) -> float:
        logits = factcc.model(**factcc.tokenizer(premise, sentence, return_tensors="pt")).logits[0]
        return (logits[2] - logits[:2].max()).item()

    margins = torch.tensor(
        [[margin(source, sentence) for source in sources] for sentence in sentences]
    )
    # the best document of half of the sentences
    shift = -margins.max(1).values.median().item() + 1e-4
    factcc.model.classifier.bias.data[2] += shift
    by_sentence = (margins + shift > 0).tolist()
    # some with none, some with one document of three
    assert {sum(one) for one in by_sentence} >= {0, 1}
    found = factcc.score(Pair("1", " ".join(sentences), "", sources=sources))["factcc"]["value"]
    assert found == pytest.approx(100 * sum(map(any, by_sentence)) / len(sentences))
    assert factcc.score(Pair("1", "", "", sources=sources))["factcc"]["value"] == 0


def test_factcc_needs_a_class_of_consistent_sentences(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "nli", tmp_path / "factcc")
    config = json.loads((tmp_path / "factcc" / "config.json").read_text())
    for labels, known in (
        (("CORRECT", "INCORRECT", "OTHER"), True),
        (("LABEL_0", "LABEL_1", "LABEL_2"), False),
    ):
        config |= {
            "id2label": dict(enumerate(labels)),
            "label2id": {name: n for n, name in enumerate(labels)},
        }
        (tmp_path / "factcc" / "config.json").write_text(json.dumps(config))
        if known:
            assert "|label:correct|" in metric("factcc", tmp_path / "factcc").signature
        else:
            with pytest.raises(
                PagesumError, match="has the labels label_0, label_1, label_2, expected correct"
            ):
                metric("factcc", tmp_path / "factcc")


def test_faithfulness_reads_a_long_document_to_its_end(folder: Path) -> None:
    faithfulness = metric("faithfulness", folder / "nli")
    long = "The dog sat on the mat. " * 30
    ends = [long + end for end in ("A fish swam.", "A bird flew over a house and slept.")]
    read = [list(faithfulness.passages((text,), REACH - 3 - 15)) for text in ends]
    assert all(len(passage) <= 15 for found in read for passage in found)
    for text, found in zip(ends, read, strict=True):
        assert [token for passage in found for token in passage] == token_ids(
            faithfulness.tokenizer, text
        )


def test_a_model_without_the_head_is_refused(folder: Path) -> None:
    with pytest.raises(PagesumError, match="no next-sentence prediction"):
        metric("coherence", folder / "body")
    with pytest.raises(PagesumError, match="no trained classifier"):
        metric("faithfulness", folder / "body")


def test_a_metric_without_its_model_says_how_to_give_it() -> None:
    with pytest.raises(UsageError) as error:
        MetricRequest(("bertscore",))
    assert "--metric-model bertscore=" in error.value.hint


def test_a_model_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(PagesumError, match="cannot be loaded") as error:
        metric("movers", tmp_path / "none")
    assert "\n" not in error.value.message
