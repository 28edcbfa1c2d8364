"""Where a run can begin."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import tiny
import torch
from transformers import BartConfig, BartForConditionalGeneration, BertConfig, BertModel

from pagesum_cli.batch.cutting import cut_for
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.models.base import load_model
from pagesum_cli.models.catalog import MODEL_TYPES
from pagesum_cli.options import GenerationOptions, PagingOptions
from pagesum_cli.options.presets import TOPDOWN
from pagesum_cli.training.job import Job, read_log
from pagesum_cli.training.prepare import prepared
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import Settings, load_settings
from pagesum_cli.training.start import changed, starting_point, training_texts

Toy = Callable[..., Path]
Make = Callable[..., Settings]
SHAPE = {"vocab_size": 40, "max_position_embeddings": 64}


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    folder = tmp_path / "bert"
    config = BertConfig(
        hidden_size=16, num_hidden_layers=4, num_attention_heads=2, intermediate_size=32, **SHAPE
    )
    torch.manual_seed(0)
    BertModel(config).save_pretrained(folder)
    letters = [letter for plain in "abcdefghijklmnopq" for letter in (plain, f"##{plain}")]
    (folder / "vocab.txt").write_text(
        "\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", "part", *letters])
    )
    return folder


def test_begins_with_a_bert_like_encoder(
    bert: Path, toy: Toy, settings: Make, tmp_path: Path
) -> None:
    chosen = settings(init_encoder=str(bert), epochs=1)
    start = starting_point(chosen, [])
    model, tokenizer = start.model, start.tokenizer
    assert start.task.name == "abstractive"
    assert len(model.model.encoder.layers) == 4
    assert len(model.model.decoder.layers) == 3
    last = model.model.encoder.layers[3].fc1.weight
    assert torch.equal(model.model.decoder.layers[2].fc1.weight, last)
    assert tokenizer.encode("part a") == [2, 5, 6, 3]
    train(Job((str(toy(20)),), tmp_path / "run", chosen, device="cpu"))
    trained, loaded = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert (
        trained.config.bos_token_id
        == trained.config.decoder_start_token_id
        == loaded.encode("part")[0]
        == 2
    )


@pytest.mark.parametrize("kind", ["init", "init_encoder"])
def test_a_new_model_claims_no_language_of_the_one_it_began_with(
    kind: str, tiny_extractive: Path, settings: Make, tmp_path: Path
) -> None:
    base = shutil.copytree(tiny_extractive, tmp_path / "base")
    config = json.loads((base / "config.json").read_text())
    (base / "config.json").write_text(json.dumps({**config, "languages": ["en"]}))
    start = starting_point(settings(**{kind: str(base)}, task="extractive"), [])
    assert start.model.config.languages == []


def test_a_model_reads_as_many_tokens_as_it_was_trained_with(
    tiny_checkpoint: Path, settings: Make, tmp_path: Path
) -> None:
    chosen = settings(init=str(tiny_checkpoint), source_tokens=50)
    start = starting_point(chosen, [])
    assert start.plan(chosen).paging.source_tokens == 50
    start.model.save_pretrained(tmp_path / "trained")
    start.tokenizer.save(tmp_path / "trained")
    cut = cut_for(str(tmp_path / "trained"), [plain_document("word " * 200, "a")], PagingOptions())
    assert sum(len(page.text.split()) for page in cut.pages) == 50 // len(
        start.tokenizer.pieces("word")[1]
    )
    further = settings(init=str(tmp_path / "trained"), document_tokens=40)
    start = starting_point(further, [])
    assert (start.plan(further).paging.source_tokens, start.model.config.source_tokens) == (
        None,
        None,
    )
    with pytest.raises(UsageError, match="document_tokens 40 together with source_tokens 50"):
        chosen.changed({"document_tokens": 40}, "flags")


def test_paragraphs_are_ranked_where_the_settings_say_so(
    tiny_checkpoint: Path, settings: Make, tmp_path: Path
) -> None:
    record = {
        "id": "1",
        "text": "Prices rose.\n\nThe council met twice.",
        "summary": "The council met.",
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    read = []
    for is_ranked in (False, True):
        chosen = settings(init=str(tiny_checkpoint), rank_paragraphs=is_ranked)
        start = starting_point(chosen, [])
        examples = prepared(
            [str(tmp_path / "a.jsonl")], "train", start.plan(chosen), root=tmp_path / "cache"
        )
        read.append(start.tokenizer.decode(examples[0].pages[0].tolist()).strip())
    assert read == ["prices rose. the council met twice.", "the council met twice. prices rose."]


def test_begins_with_a_bart(toy: Toy, settings: Make, tmp_path: Path) -> None:
    first = tmp_path / "first"
    train(Job((str(toy(20)),), first, settings(epochs=1), device="cpu"))
    _, tokenizer = load_model(str(first), device="cpu")
    config = BartConfig(
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        **{**SHAPE, "vocab_size": tokenizer.vocab_size},
    )
    bart = tmp_path / "bart"
    BartForConditionalGeneration(config).save_pretrained(bart)
    with pytest.raises(PagesumError, match="no tokenizer"):
        starting_point(settings(init=str(bart)), [])
    tokenizer.save(bart)
    train(
        Job(
            (str(toy(20)),),
            tmp_path / "run",
            settings(init=str(bart), epochs=1, max_length=14),
            device="cpu",
        )
    )
    model, _ = load_model(str(tmp_path / "run"), device="cpu")
    assert not model.config.untrained_confidence


def test_refuses_a_tokenizer_of_another_model(toy: Toy, settings: Make, tmp_path: Path) -> None:
    first = tmp_path / "first"
    train(Job((str(toy(20)),), first, settings(epochs=1), device="cpu"))
    text = (first / "config.json").read_text()
    assert '"bos_token_id": 0' in text
    (first / "config.json").write_text(text.replace('"bos_token_id": 0', '"bos_token_id": 3'))
    with pytest.raises(PagesumError, match=r"with \(0, 2\), the model \(\d+, 3, 2\)"):
        starting_point(settings(init=str(first)), [])


def test_refuses_what_is_no_encoder(toy: Toy, settings: Make, bert: Path, tmp_path: Path) -> None:
    with pytest.raises(PagesumError, match="has 4 layers"):
        starting_point(settings(init_encoder=str(bert), decoder_layers=[9]), [])
    text = (bert / "vocab.txt").read_text()
    (bert / "vocab.txt").write_text(text.replace("[CLS]", "[other]"))
    with pytest.raises(PagesumError, match="cls_token not found"):
        starting_point(settings(init_encoder=str(bert)), [])


def test_begins_with_the_encoder_of_a_checkpoint(
    tiny_extractive: Path, toy: Toy, settings: Make
) -> None:
    chosen = settings(init_encoder=str(tiny_extractive), page_tokens=64, decoding="global")
    start = starting_point(chosen, [])
    source, _ = load_model(str(tiny_extractive), device="cpu", dtype="float32")
    assert (start.task.name, start.model.config.model_type, start.model.config.decoding) == (
        "abstractive",
        "pagesum",
        "global",
    )
    assert start.model.config.first_control_token == source.config.first_control_token
    ids = torch.randint(30, 60, (2, 20))
    mask = torch.ones_like(ids, dtype=torch.bool)
    ours = start.model.model.encoder(start.model.model.embed(ids), mask)
    torch.testing.assert_close(ours, source.encoder(source.shared(ids), mask), atol=1e-5, rtol=0)


def test_dpp_attention_begins_with_the_past_as_it_is(bert: Path, settings: Make) -> None:
    """No encoder has a projection of the past: it is the identity."""
    plain = starting_point(settings(init_encoder=str(bert)), []).model
    model = starting_point(
        settings(init_encoder=str(bert), model={"dpp": True, "dpp_pages": "uniform"}), []
    ).model
    assert (model.config.dpp, model.config.dpp_pages) == (True, "uniform")
    first, second, _ = (layer.encoder_attn for layer in model.model.decoder.layers)
    assert not hasattr(first, "past_proj")
    assert torch.equal(second.past_proj.weight, torch.eye(model.config.d_model))
    assert torch.equal(
        second.q_proj.weight, plain.model.decoder.layers[1].encoder_attn.q_proj.weight
    )


def test_global_decoding_has_no_pages_to_mix(bert: Path, settings: Make) -> None:
    chosen = settings(
        init_encoder=str(bert), model={"dpp": True, "dpp_pages": "uniform"}, decoding="global"
    )
    with pytest.raises(UsageError, match="decoding = global: dpp_pages is 'uniform', expected own"):
        starting_point(chosen, [])


def test_a_family_learns_only_its_tasks(tiny_extractive: Path, settings: Make) -> None:
    with pytest.raises(UsageError, match="cannot learn the task abstractive") as caught:
        starting_point(settings(init=str(tiny_extractive), task="abstractive"), [])
    assert "--set architecture" in caught.value.hint


def test_a_third_partys_architecture_trains_from_scratch(
    toy: Toy, settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "models"))
    monkeypatch.setitem(MODEL_TYPES, "copying", "copying.model:CopyingModel")
    chosen = settings(
        architecture="copying", epochs=4, select="rouge", learning_rate=0.03, warmup=5
    )
    result = train(Job((str(toy(20)),), tmp_path / "run", chosen, device="cpu"))
    model, _ = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert model.config.model_type == "copying"
    assert result.updates == 8
    with pytest.raises(UsageError, match="no architecture 'copyng'"):
        starting_point(settings(architecture="copyng"), [])


def test_an_extractive_model_trains_from_scratch(toy: Toy, settings: Make, tmp_path: Path) -> None:
    chosen = settings(task="extractive", epochs=1)
    train(Job((str(toy(20)),), tmp_path / "run", chosen, device="cpu"))
    model, tokenizer = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert model.config.model_type == "extractive"
    assert tokenizer is not None
    assert tokenizer.token(model.config.first_control_token) == "<control0>"


DECODING = {
    "blocking": "sentence",
    "unblocked": ["."],
    "length_normalization": "gnmt",
    "coverage_penalty": 5.0,
    "attention_temperature": 0.6,
}


def test_a_trained_model_carries_the_rules_of_its_data(
    toy: Toy, settings: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "models"))
    monkeypatch.setitem(MODEL_TYPES, "copying", "copying.model:CopyingModel")
    chosen = settings(architecture="copying", epochs=1, **DECODING)
    train(Job((str(toy(20)),), tmp_path / "run", chosen, device="cpu"))
    model, tokenizer = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    stored = model.config.generation
    assert stored["unblocked_token_ids"] == [tokenizer.backend.token_to_id(".")]
    options = model.generation_options(GenerationOptions())
    expected = {name: value for name, value in DECODING.items() if name != "unblocked"}
    assert (
        {name: getattr(options, name) for name in expected}
        == {name: stored[name] for name in expected}
        == expected
    )


@pytest.mark.parametrize(
    ("values", "message", "hint"),
    [
        ({"unblocked": ["<t>"]}, "unblocked: the tokenizer has no token '<t>'", "vocabulary"),
        (
            {"blocking": "sentence"},
            "blocking = sentence, but no token ends a sentence",
            'unblocked = ["."]',
        ),
        (
            {"coverage_penalty": 5},
            "coverage-penalty does nothing with a pagesum model",
            "leave it out",
        ),
        (
            {"attention_temperature": 0.6},
            "attention-temperature does nothing with a pagesum",
            "leave it out",
        ),
    ],
)
def test_rules_that_the_model_cannot_follow_are_refused_before_training(
    values: dict, message: str, hint: str, tiny_checkpoint: Path, settings: Make
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        starting_point(settings(init=str(tiny_checkpoint), **values), [])
    assert hint in caught.value.hint


WORDS_SETTINGS = {
    "model": {"d_model": 16, "embedding_width": 8, "dropout": 0.0},
    "architecture": "pointer-generator",
}


def test_a_model_of_words_builds_and_saves_its_vocabulary(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    chosen = settings(**WORDS_SETTINGS, vocabulary=300, updates=3, epochs=1, optimizer="adagrad")
    result = train(Job((str(toy(20)),), tmp_path / "run", chosen, device="cpu"))
    assert result.updates == 3
    model, tokenizer = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert (model.config.model_type, model.config.d_model) == ("pointer-generator", 16)
    assert tokenizer is not None
    assert model.config.vocab_size == tokenizer.vocab_size
    assert tokenizer.encode("Birch Note")[1:-1] == [
        tokenizer.backend.token_to_id(word) for word in ("birch", "note")
    ]


def test_a_second_stage_changes_the_model_and_keeps_its_weights(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    first = settings(**WORDS_SETTINGS, vocabulary=300, updates=2)
    train(Job((str(toy(20)),), tmp_path / "first", first, device="cpu"))
    second = starting_point(settings(init=str(tmp_path / "first"), model={"dpp": True}), [])
    before, _ = load_model(str(tmp_path / "first"), device="cpu", dtype="float32")
    assert second.model.config.dpp
    assert not before.config.dpp
    weights = second.model.state_dict()
    assert all(torch.equal(weights[name], value) for name, value in before.state_dict().items())


def test_dpp_attention_begins_as_if_the_past_were_not_projected() -> None:
    trained = tiny.pagesum(decoder_layers=2)
    own, none = (
        changed(trained, {"dpp": True, "dpp_past": past}).eval() for past in ("own", "none")
    )
    ids = torch.randint(4, 30, (1, 2, 9), generator=torch.Generator().manual_seed(0))
    results = [model(ids, decoder_input_ids=ids[:, 0]).logits for model in (own, none)]
    torch.testing.assert_close(*results)


@pytest.mark.parametrize(
    ("values", "message", "hint"),
    [
        (
            {"model": {"dppp": True}},
            "a pointer-generator model has no field 'dppp'",
            "it has activation",
        ),
        ({"model": {"dpp_past": "mine"}}, "dpp_past is 'mine', expected one of own, key, none", ""),
        ({"model": {"d_model": 15}}, "d_model is 15, expected an even number", ""),
        (
            {"decoding": "global"},
            "decoding = global with a pointer-generator model",
            "leave it out",
        ),
        (
            {"architecture": "conv-seq2seq"},
            "source_tokens 0, but the model has positions for 1024",
            "--source-tokens 512",
        ),
        (
            {"init": "", "init_encoder": "mini"},
            "--init-encoder with a pointer-generator",
            "--init scratch",
        ),
    ],
)
def test_what_a_model_of_words_cannot_do_is_refused(
    values: dict, message: str, hint: str, toy: Toy, settings: Make
) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        starting_point(settings(**{**WORDS_SETTINGS, **values}), [str(toy(4))])
    assert hint in (caught.value.hint or "")


def test_training_stops_when_it_no_longer_gets_better(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    chosen = settings(
        epochs=10,
        validate_every=1,
        patience=2,
        learning_rate=1.0,
        warmup=1,
        optimizer="nesterov",
        clip=1.0,
    )
    result = train(Job((str(toy(20)),), tmp_path / "run", chosen, device="cpu"))
    assert result.updates == result.best_update + 2 < 20


def test_the_rate_falls_where_validation_gets_no_better(
    toy: Toy, settings: Make, tmp_path: Path
) -> None:
    chosen = settings(
        epochs=30,
        validate_every=1,
        schedule="plateau",
        learning_rate=1.0,
        warmup=1,
        optimizer="nesterov",
        clip=1.0,
    )
    job = Job((str(toy(20)),), tmp_path / "run", chosen, device="cpu")
    train(job)
    rates, best, expected = [], float("inf"), 1.0
    for entry in read_log(tmp_path / "run"):
        if "learning_rate" in entry:
            rates.append(entry["learning_rate"])
            assert rates[-1] == pytest.approx(expected)
        elif entry["validation"]["loss"] < best * (1 - 1e-4):
            best = entry["validation"]["loss"]
        else:
            expected = max(expected / 10, 1e-5)
    assert rates[-1] == pytest.approx(1e-5)  # and there it ended
    assert rates.count(rates[-1]) == 1


def test_presets_of_the_top_down_transformer_start_from_a_bart_of_their_shape(
    tmp_path: Path,
) -> None:
    tokenizer = tiny.word_piece(["one two"])
    shape = {
        "d_model": 8,
        "encoder_layers": 12,
        "decoder_layers": 1,
        "encoder_ffn_dim": 8,
        "decoder_ffn_dim": 8,
    }
    heads = {"encoder_attention_heads": 1, "decoder_attention_heads": 1}
    ids = {"bos_token_id": 2, "eos_token_id": 3, "pad_token_id": 0, "decoder_start_token_id": 3}
    config = BartConfig(vocab_size=60, max_position_embeddings=1024, **shape, **heads, **ids)
    BartForConditionalGeneration(config).save_pretrained(tmp_path / "bart")
    tokenizer.save(tmp_path / "bart")
    flags = {"init": str(tmp_path / "bart")}
    taggers = {name for name in TOPDOWN if name.endswith("tagger")}
    own_start = {"topdown-booksum-book-adapool"}  # a model of chapters
    for name in sorted(set(TOPDOWN) - own_start, key=lambda name: name not in taggers):
        chosen = load_settings(name, flags=flags)
        if chosen.tagger:
            chosen = replace(chosen, tagger=str(tmp_path / chosen.tagger))
        start = starting_point(chosen, [])
        own = start.model.config
        if name in taggers:
            start.model.save_pretrained(tmp_path / name)
            start.tokenizer.save(tmp_path / name)
            assert start.task.name == "importance"
            continue
        assert {one: getattr(own, one) for one in chosen.model} == chosen.model
        assert (own.local_layers, own.source_tokens) == (8, chosen.source_tokens)
        assert own.generation["max_length"] == chosen.max_length + 2


def test_a_model_that_does_not_fit_into_memory_is_refused(toy: Toy, settings: Make) -> None:
    with pytest.raises(UsageError, match=r"the model's weights take [\d,]+ GiB, but"):
        starting_point(settings(width=65_536, layers=99), [str(toy(4))])


def test_a_new_tokenizer_learns_from_parts_of_very_long_words(
    tmp_path: Path, settings: Make
) -> None:
    # whole, it stalls the training
    record = {"text": f"ash {'birch' * 40_000} cedar", "summary": "ash"}
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(record)}\n")
    learned = " ".join(training_texts(settings(), [str(tmp_path / "a.jsonl")])).split()
    assert max(map(len, learned)) == 100
    assert "".join(learned) == f"ashash{'birch' * 40_000}cedar"
