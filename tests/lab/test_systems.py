"""Other systems: tiny random models of Transformers, saved to a folder with a tokenizer of their
own.
"""

import json
import re
from pathlib import Path

import pytest
import torch
import transformers
from huggingface_hub.errors import LocalEntryNotFoundError
from tiny import TEXTS
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.evaluation.report import compare
from pagesum_cli.evaluation.results import FILE, shard_path
from pagesum_cli.evaluation.systems import RunRequest
from pagesum_cli.files import safe_name
from pagesum_cli.lab.systems import TransformersSystem, check_system
from pagesum_cli.options import GenerationOptions

START, PAD, END, UNKNOWN = 0, 1, 2, 3
SHAPE = {
    "d_model": 16,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 16,
    "decoder_ffn_dim": 16,
    "init_std": 0.7,
    "decoder_start_token_id": END,
}
TOKENS = {"pad_token_id": PAD, "bos_token_id": START, "eos_token_id": END}
SMALL_T5 = {"d_kv": 8, "d_ff": 16, "num_layers": 1, "num_heads": 2, "initializer_factor": 5.0}
KINDS = {
    "led": ("LED", {"max_encoder_position_embeddings": 64, "max_decoder_position_embeddings": 40,
                    "attention_window": [8]}),
    "bart": ("Bart", {"max_position_embeddings": 48}),
    "pegasus": ("Pegasus", {"max_position_embeddings": 32}),
    "bigbird": ("BigBirdPegasus", {"max_position_embeddings": 128, "block_size": 4,
                                   "num_random_blocks": 1}),
    "t5": ("T5", SMALL_T5),
    "longt5": ("LongT5", {**SMALL_T5, "local_radius": 7}),
    "longt5-global": ("LongT5", {**SMALL_T5, "encoder_attention_type": "transient-global",
                                 "local_radius": 7, "global_block_size": 4}),
    "pegasus-x": ("PegasusX", {"max_position_embeddings": 64, "block_size": 8,
                              "num_global_tokens": 4}),
}  # fmt: skip


def words_of(text: str) -> list[str]:
    return [word for word, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(text)]


VOCABULARY = {
    word: place
    for place, word in enumerate(
        dict.fromkeys(
            ["<s>", "<pad>", "</s>", "<unk>", "<n>", *words_of(" ".join(TEXTS)), "<doc-sep>"]
        )
    )
}
DECODING = {"num_beams": 2, "max_length": 14, "min_length": 6, "no_repeat_ngram_size": 2}


def save(folder: Path, kind: str, start: bool = True, **settings) -> Path:
    """A model of random weights; its tokenizer has a token per word, and ``<s> … </s>`` unless
    ``start`` is off.
    """
    torch.manual_seed(3)
    name, own = KINDS[kind]
    shape = {"decoder_start_token_id": PAD, "d_model": 16} if "t5" in kind else SHAPE
    config = getattr(transformers, f"{name}Config")(
        **{**shape, **TOKENS, **own, "vocab_size": len(VOCABULARY)}
    )
    model = getattr(transformers, f"{name}ForConditionalGeneration")(config)
    model.generation_config.update(**{**DECODING, **settings})
    model.save_pretrained(folder)
    backend = Tokenizer(models.WordLevel(VOCABULARY, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = [("<s>", START), ("</s>", END)]
    form = "<s> $A </s>" if start else "$A </s>"
    backend.post_processor = processors.TemplateProcessing(single=form, special_tokens=special)
    names = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    names |= {"extra_special_tokens": ["<doc-sep>"]}
    PreTrainedTokenizerFast(tokenizer_object=backend, **names).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("systems")
    for kind in KINDS:
        save(folder / kind, kind, start=kind in ("led", "bart"))
    return folder


def system_of(folder: Path, batch_size: int = 1, **generation) -> TransformersSystem:
    request = RunRequest(
        str(folder), generation=GenerationOptions(**generation), batch_size=batch_size
    )
    return TransformersSystem(request, "cpu", "float32")


def ids_of(text: str) -> list[int]:
    return [VOCABULARY[word] for word in words_of(text)]


def generated(folder: Path, ids: list[int], **settings) -> str:
    """What Transformers itself generates."""
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder)
    made = model.generate(torch.tensor([ids]), **settings)[0].tolist()
    names = {place: word for word, place in VOCABULARY.items()}
    return " ".join(
        names[one] for one in made if one > UNKNOWN and names[one] not in ("<n>", "<doc-sep>")
    )


def single(*texts: str):
    value = {"documents": [{"name": str(place), "text": text} for place, text in enumerate(texts)]}
    return record_of({"id": "a", "summary": "The council met.", **value})


LONG = " ".join(TEXTS)


def test_led_attends_to_its_first_token_from_everywhere(folder):
    # 64 positions in windows of 8; the first token alone is global.
    ids = [START, *ids_of(LONG)[:62], END]
    mask = torch.zeros(1, 64)
    mask[0, 0] = 1
    expected = generated(folder / "led", ids, global_attention_mask=mask)
    (result,) = system_of(folder / "led").results([single(LONG)])
    assert result.prediction == expected
    assert result.cut_tokens == len(ids_of(LONG)) - 62 > 0
    assert expected != generated(folder / "led", ids)  # the mask matters


def test_primera_reads_an_equal_share_of_each_document_and_attends_to_the_separators(folder):
    separator = VOCABULARY["<doc-sep>"]
    short = TEXTS[1]
    (result,) = system_of(folder / "led").results([single(LONG, short)])
    first, second = ids_of(LONG)[:30], ids_of(short)  # 64 // 2, without the start and end token
    assert len(second) < 30
    ids = [START, *first, separator, *second, separator, END]
    mask = torch.tensor([[float(one in (START, separator)) for one in ids]])
    assert result.prediction == generated(folder / "led", ids, global_attention_mask=mask)
    assert result.cut_tokens == len(ids_of(LONG)) - 30


@pytest.mark.parametrize("kind", ["longt5", "longt5-global", "pegasus-x"])
def test_efficient_attention_reads_what_transformers_itself_reads(folder, kind):
    path = folder / kind
    room = 63 if kind == "pegasus-x" else 10**9  # LongT5 has no positions that could end
    (result,) = system_of(path).results([single(LONG, LONG)])
    ids = ids_of(f"{LONG} {LONG}")
    assert result.prediction == generated(path, [*ids[:room], END])
    assert result.cut_tokens == max(len(ids) - room, 0)
    (short,) = system_of(path).results([single("The council met.")])
    assert short.prediction == generated(path, [*ids_of("The council met."), END])


@pytest.mark.parametrize(("kind", "limit"), [("bart", 48), ("pegasus", 32), ("bigbird", 128)])
def test_other_models_read_as_many_tokens_as_they_have_positions_for(folder, kind, limit):
    text = f"{LONG} {LONG}"
    frame = ([START], [END]) if kind == "bart" else ([], [END])
    room = limit - len(frame[0]) - 1
    ids = [*frame[0], *ids_of(text)[:room], END]
    (result,) = system_of(folder / kind).results([single(text)])
    assert result.prediction == generated(folder / kind, ids)
    assert result.cut_tokens == len(ids_of(text)) - room > 0
    (whole,) = system_of(folder / kind).results([single("The council met", "twice.")])
    assert whole.prediction == generated(
        folder / kind, [*frame[0], *ids_of("The council met twice."), END]
    )
    assert whole.cut_tokens == 0


def test_t5_gets_its_prefix_and_its_settings_for_summarization(folder, tmp_path):
    save(tmp_path / "t5", "t5", start=False, num_beams=None, max_length=None, min_length=None)
    config = json.loads((tmp_path / "t5" / "config.json").read_text())
    settings = {"prefix": "Methods. ", "num_beams": 3, "max_length": 11, "min_length": 4}
    config |= {"task_specific_params": {"summarization": settings}, "n_positions": 20}
    (tmp_path / "t5" / "config.json").write_text(json.dumps(config))
    (result,) = system_of(tmp_path / "t5").results([single(LONG)])
    ids = [*ids_of(f"Methods. {LONG}")[:19], END]
    assert result.prediction == generated(
        tmp_path / "t5", ids, num_beams=3, max_length=11, min_length=4
    )
    assert result.settings["max_length"] == 11
    assert system_of(tmp_path / "t5").has_length
    silent = save(tmp_path / "silent", "t5", start=False, max_length=None)
    assert not system_of(silent).has_length
    assert system_of(silent, max_length=9).has_length


def test_a_batch_gives_what_single_documents_give(folder):
    records = [single(LONG), single(TEXTS[0]), single(TEXTS[2])]
    for kind in ("led", "bart", "pegasus"):
        together = system_of(folder / kind, batch_size=3).results(records)
        alone = [one for record in records for one in system_of(folder / kind).results([record])]
        assert [one.prediction for one in together] == [one.prediction for one in alone]


def test_a_short_document_does_not_change_the_attention_for_those_after_it(folder):
    system = system_of(folder / "bigbird")
    long = single(f"{LONG} {LONG}")
    (before,) = system.results([long])
    system.results([single("The council met.")])
    assert system.results([long])[0].prediction == before.prediction


def test_flags_go_over_the_models_own_settings(folder):
    flags = {
        "beams": 3,
        "min_length": 4,
        "max_length": 20,
        "no_repeat_ngram": 0,
        "length_penalty": 0.5,
    }
    system = system_of(folder / "bart", **flags)
    names = {
        "num_beams": 3,
        "min_length": 5,
        "max_length": 22,
        "no_repeat_ngram_size": 0,
        "length_penalty": 0.5,
    }
    ids = [START, *ids_of(TEXTS[0]), END]
    (result,) = system.results([single(TEXTS[0])])
    assert result.prediction == generated(folder / "bart", ids, **names)
    assert result.prediction != system_of(folder / "bart").results([single(TEXTS[0])])[0].prediction


def test_special_tokens_in_a_text_are_words(folder):
    (ids, _) = system_of(folder / "led").encode(["The </s> council <doc-sep> met."])
    assert ids.count(END) == 1
    assert VOCABULARY["<doc-sep>"] not in ids


def test_what_is_no_such_model_is_refused_in_one_line(folder, tmp_path, tiny_extractive):
    options = GenerationOptions()
    with pytest.raises(PagesumError, match="no model 'nothing'"):
        check_system("nothing", options)
    bert = transformers.BertConfig(
        vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=1
    )
    bert.save_pretrained(tmp_path / "bert")
    with pytest.raises(PagesumError, match="a 'bert' model, expected a sequence-to-sequence one"):
        check_system(str(tmp_path / "bert"), options)
    with pytest.raises(PagesumError, match="cannot be loaded as a model"):
        check_system(str(tiny_extractive), options)
    (tmp_path / "empty").mkdir()
    with pytest.raises(PagesumError, match="cannot be loaded as a model") as caught:
        check_system(str(tmp_path / "empty"), options)
    assert "\n" not in caught.value.message
    with pytest.raises(UsageError, match=r"--max-length 47, but .* generates at most 46 tokens"):
        check_system(str(folder / "bart"), GenerationOptions(max_length=47))
    check_system(str(folder / "bart"), GenerationOptions(max_length=46))


def test_a_tokenizer_that_needs_a_missing_library_is_told(folder, tmp_path, monkeypatch):
    save(tmp_path / "p", "pegasus")
    (tmp_path / "p" / "tokenizer.json").unlink()
    (tmp_path / "p" / "spiece.model").write_bytes(b"")
    monkeypatch.setattr("pagesum_cli.errors.find_spec", lambda name: None)
    with pytest.raises(PagesumError, match=r"sentencepiece.* not installed"):
        check_system(str(tmp_path / "p"), GenerationOptions())


def test_code_in_a_model_is_never_run(folder, tmp_path):
    save(tmp_path / "b", "bart")
    config = json.loads((tmp_path / "b" / "config.json").read_text())
    config |= {
        "model_type": "mine",
        "auto_map": {"AutoConfig": "mine.C", "AutoModelForSeq2SeqLM": "mine.M"},
    }
    (tmp_path / "b" / "config.json").write_text(json.dumps(config))
    (tmp_path / "b" / "mine.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(PagesumError, match="cannot be loaded as a model"):
        check_system(str(tmp_path / "b"), GenerationOptions())
    assert not (tmp_path / "ran").exists()


def test_weights_that_lack_a_part_are_refused(folder, tmp_path):
    save(tmp_path / "b", "bart")
    config = json.loads((tmp_path / "b" / "config.json").read_text())
    (tmp_path / "b" / "config.json").write_text(json.dumps({**config, "encoder_layers": 2}))
    with pytest.raises(PagesumError, match=r"its weights lack model\.encoder\.layers\.1"):
        system_of(tmp_path / "b")


@pytest.fixture
def data(tmp_path) -> Path:
    texts = [LONG, TEXTS[1], TEXTS[2], TEXTS[3], TEXTS[4], TEXTS[0]]
    values = [
        {"id": f"d{place}", "text": text, "summary": f"{text[:40]}."}
        for place, text in enumerate(texts)
    ]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(value) + "\n" for value in values))
    return tmp_path / "data.jsonl"


def command(data: Path, *systems: Path) -> list[str]:
    flags = [word for system in systems for word in ("--system", str(system))]
    return [
        "eval",
        "--data",
        str(data),
        "--dtype",
        "float32",
        "--processes",
        "1",
        "--batch-size",
        "2",
        "--fast",
        *flags,
    ]


def test_systems_are_rows_of_the_same_table_with_the_significance_of_each_difference(
    pagesum, folder, data, tmp_path
):
    names = [str(folder / "led"), str(folder / "bart")]
    run = [*command(data, *map(Path, names)), "--output", str(tmp_path / "out"), "--format", "json"]
    result = pagesum(*run)
    assert f"{names[0]}: 1 of 6 documents are truncated" in result.err
    found = json.loads(result.out)
    assert found["model"] == "mini"
    assert list(found["systems"]) == names
    assert set(found["systems"][names[0]]) == set(found["metrics"])
    # The scores of each system are those of its own file, and the tests those of these scores.
    files = [
        tmp_path / "out" / FILE,
        *sorted((tmp_path / "out" / "systems").glob(f"*/{FILE}"), reverse=True),
    ]
    rows = [[json.loads(line) for line in path.read_text().splitlines()] for path in files]
    assert [one[0]["settings"]["model"] for one in rows] == ["mini", *names]
    scores = [[line["scores"]["rouge1"]["f"] for line in lines] for lines in rows]
    assert found["systems"][names[0]]["rouge1"]["f"] == pytest.approx(
        sum(scores[1]) / len(scores[1])
    )
    tests = {
        (one["a"], one["b"]): one for one in found["significance"] if one["metric"] == "rouge1"
    }
    assert list(tests) == [("mini", names[0]), ("mini", names[1]), (names[0], names[1])]
    expected = compare(scores[0], scores[1])
    assert tests["mini", names[0]]["difference"] == pytest.approx(expected.difference)
    assert tests["mini", names[0]]["p"] == max(expected.p_bootstrap, expected.p_randomization)
    assert found["cut"] == {
        names[0]: {"documents": 1, "tokens": rows[1][0]["cut_tokens"]},
        names[1]: {"documents": 1, "tokens": rows[2][0]["cut_tokens"]},
    }
    assert rows[1][0]["cut_tokens"] == len(ids_of(LONG)) - 62
    # A file of one system compares with that of another.
    both = json.loads(pagesum("eval", "--compare", *files[1:], "--format", "json").out)
    assert (both["first"], both["second"]) == tuple(names)


def test_a_stopped_system_goes_on_with_what_it_has(pagesum, folder, data, tmp_path, monkeypatch):
    run = [*command(data, folder / "bart"), "--output", str(tmp_path / "out"), "--format", "json"]
    results = TransformersSystem.results
    part = shard_path(tmp_path / "out" / "systems" / safe_name(str(folder / "bart")), 0)

    batches = []

    def stopped(self, batch):
        if batches:
            raise KeyboardInterrupt
        batches.append(batch)
        return results(self, batch)

    monkeypatch.setattr(TransformersSystem, "results", stopped)
    result = pagesum(*run)
    assert result.code == 130
    assert re.search(
        rf"{folder / 'bart'}: [12] of 6 documents are in {part.parent}; the same command",
        result.err,
    )
    before = part.read_text().splitlines()
    monkeypatch.setattr(TransformersSystem, "results", results)
    again = pagesum(*run)
    assert f"{folder / 'bart'}: 2 documents were done before" in again.err
    lines = (part.parent / FILE).read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [f"d{place}" for place in range(6)]
    assert set(before) <= set(lines)
    system = system_of(folder / "bart")
    for line in map(json.loads, lines):
        source = next(
            one for one in map(json.loads, data.read_text().splitlines()) if one["id"] == line["id"]
        )
        assert line["prediction"] == system.results([single(source["text"])])[0].prediction


def test_given_summaries_stand_beside_a_system_on_the_same_documents(
    pagesum, folder, data, tmp_path
):
    (tmp_path / "p.txt").write_text("The council met.\n" * 6)
    run = [
        "eval",
        "--predictions",
        tmp_path / "p.txt",
        "--data",
        data,
        "--system",
        folder / "bart",
        "--format",
        "json",
    ]
    found = json.loads(pagesum(*run, "--max-length", "12").out)
    assert found["model"] == "p.txt"
    assert 0 < found["lengths"][str(folder / "bart")] <= 12
    other = pagesum(*run, "--locality", "spatial", "--page-tokens", "64")
    assert (other.code, other.out) == (2, "")
    assert "--page-tokens does nothing with --predictions" in other.err


def test_a_system_that_cannot_be_reached_takes_no_other_row_away(
    pagesum, folder, data, monkeypatch
):
    def unreachable(*arguments, **options):
        raise LocalEntryNotFoundError("the hub cannot be reached")

    monkeypatch.setattr("huggingface_hub.snapshot_download", unreachable)
    names = ["owner/led", str(folder / "bart")]
    result = pagesum(*command(data, *names), "--format", "json")
    found = json.loads(result.out)
    assert (result.code, list(found["systems"])) == (1, names[1:])
    assert list(found["missing"]) == names[:1]
    assert "cannot be fetched" in found["missing"]["owner/led"]
    assert found["metrics"]["rouge1"]["f"] > 0
    assert "the row of owner/led will be missing" in result.err
    assert "owner/led is missing: " in pagesum(*command(data, *names), "--format", "markdown").out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--system", "nothing"], "no model 'nothing'"),
        (["--check", "--system", "x"], "--system does nothing with --check"),
        (["--system", "x", "--system", "x"], "--system names the same system twice"),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_is_computed(
    pagesum, data, tmp_path, flags, message
):
    result = pagesum("eval", "--data", data, "--output", tmp_path / "out", *flags)
    assert (result.code > 0, result.out) == (True, "")
    assert message in result.err
    assert not (tmp_path / "out").exists()
