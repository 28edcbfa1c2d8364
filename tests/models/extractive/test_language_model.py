"""Extraction by a language model's states: what they are, and that labels of an editor can be
learned.
"""

import json
from pathlib import Path

import pytest
import tiny
import torch

from pagesum_cli import PageSummarizer, load_model
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.errors import PagesumError
from pagesum_cli.locality import paginate
from pagesum_cli.models.extractive.language_model import LanguageModelExtractor
from pagesum_cli.models.layers.packing import PackedPages
from pagesum_cli.options import PagingOptions
from pagesum_cli.tokenization import HEADING
from pagesum_cli.training.job import Job
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import load_settings

TOPICS = ("wheat", "rye", "oats", "barley", "millet", "maize")


def labelled(number: int) -> dict:
    """A document whose sentences with "must" are quoted, and those with "this" need the one
    before.
    """
    topic = TOPICS[number % len(TOPICS)]
    texts = [f"Many farms of the north grow {topic} {n} in summer." for n in range(5)]
    texts[2] = f"Every farm must pay {number} coins for its {topic} before the end of May."
    texts[3] = f"But this was not so for {topic} in all the other years of the trial."
    sentences = [["" if n < 3 else "Prices", text] for n, text in enumerate(texts)]
    labels = {"quoted": [2], "alternates": [0], "rejected": {"3": "pointer", "4": "detail"}}
    return {"id": str(number), "title": topic.title(), "sentences": sentences, **labels}


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny Llama as Transformers saves it, with its tokenizer."""
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("llama")
    tokenizer = tiny.byte_level(text for n in range(6) for _, text in labelled(n)["sentences"])
    tokenizer.save(folder)
    torch.manual_seed(0)
    sizes = {
        "hidden_size": 24,
        "intermediate_size": 40,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
    }
    config = LlamaConfig(
        vocab_size=tokenizer.vocab_size,
        num_key_value_heads=2,
        eos_token_id=tiny.END,
        bos_token_id=tiny.END,
        **sizes,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@torch.no_grad()
def test_states_are_means_and_last_states_of_transformers(language_model: Path) -> None:
    from transformers import LlamaModel

    model, tokenizer = LanguageModelExtractor.from_language_model(language_model, scoring_layers=1)
    model.eval()
    paragraphs = tuple(
        Paragraph(text, is_sentence=True) for text in ("Rye grows in the north.", "Oats do not.")
    )
    cut = paginate(
        [Document("a.txt", (Section("Fields", paragraphs, found_by="outline"),))],
        PagingOptions(page_tokens=100).filled(100, None, 100, "auto", None),
        tokenizer,
    )
    batch = model.batch([tokenizer.encode_pages(cut, 100)])
    found = model.encode(batch).states
    words = [
        tokenizer.pieces(f" {text}")[1] for text in ("Fields", *(one.text for one in paragraphs))
    ]
    (line_break,) = {model.config.line_break_id}
    ids = [tiny.END, line_break, *words[0], line_break, *words[1], *words[2], tiny.END]
    whole = LlamaModel.from_pretrained(language_model).eval()
    hidden = whole(torch.tensor([ids]), output_hidden_states=True).hidden_states
    start = 2
    for row, own in enumerate(words):
        layers = [hidden[layer][0, start : start + len(own)] for layer in model.config.state_layers]
        expected = torch.cat([*(one.mean(0) for one in layers), *(one[-1] for one in layers)])
        torch.testing.assert_close(found[row], expected, atol=1e-5, rtol=1e-4)
        start += len(own) + (row == 0)
    assert PackedPages.pack(batch.input_ids, batch.attention_mask).input_ids[0, 2] == (
        (tokenizer.first_control_token or 0) + HEADING
    )


def test_an_editor_s_labels_are_learned(language_model: Path, tmp_path: Path) -> None:
    data = tmp_path / "labels.jsonl"
    data.write_text("".join(json.dumps(labelled(number)) + "\n" for number in range(40)))
    changes = {
        "init_encoder": str(language_model),
        "page_tokens": 200,
        "epochs": 12,
        "dtype": "float32",
    }
    settings = load_settings("quotes", flags={**changes, "learning_rate": 5e-3, "warmup": 5})
    train(Job((str(data),), tmp_path / "run", settings, device="cpu", cache=tmp_path / "cache"))
    model, _ = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert isinstance(model, LanguageModelExtractor)
    unseen = labelled(41)
    paragraphs = [text for _, text in unseen["sentences"]]
    document = Document(
        "unseen.txt", (Section("", tuple(map(Paragraph, paragraphs))),), title=unseen["title"]
    )
    summarizer = PageSummarizer.from_pretrained(
        str(tmp_path / "run"), device="cpu", dtype="float32"
    )
    summary = summarizer.summarize(document, sentences=1)
    assert summary.text == paragraphs[2]
    assert summary.sentences[0].source.start == document.text.index(paragraphs[2])


def test_scoring_layers_stay_in_float32(language_model: Path, tmp_path: Path) -> None:
    model, tokenizer = LanguageModelExtractor.from_language_model(language_model, scoring_layers=1)
    tiny.save_checkpoint(tmp_path, model, tokenizer)
    loaded, _ = load_model(str(tmp_path), device="cpu", dtype="bfloat16")
    assert loaded.dtype == torch.bfloat16
    assert {weight.dtype for weight in loaded.scoring.state_dict().values()} == {torch.float32}


def test_other_models_and_records_without_labels_are_refused(
    language_model: Path, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2"}))
    with pytest.raises(PagesumError, match="holds a 'gpt2' model, expected one like Llama"):
        LanguageModelExtractor.from_language_model(tmp_path, scoring_layers=1)
    given = json.loads((language_model / "config.json").read_text())
    for changes, message in (
        (
            {"rope_parameters": {"rope_type": "llama3", "rope_theta": 5e5}},
            "rotary positions of another kind",
        ),
        ({"num_key_value_heads": None}, "has no num_key_value_heads"),
        ({"head_dim": 99}, "heads of another width: 99"),
    ):
        (tmp_path / "config.json").write_text(json.dumps({**given, **changes}))
        with pytest.raises(PagesumError, match=message):
            LanguageModelExtractor.from_language_model(tmp_path, scoring_layers=1)
    data = tmp_path / "papers.jsonl"
    data.write_text(
        2 * (json.dumps({"id": "7", "text": "Rye grows.", "summary": "Rye grows."}) + "\n")
    )
    settings = load_settings("quotes", flags={"init_encoder": str(language_model)})
    with pytest.raises(PagesumError, match="7: no labels of an editor"):
        train(Job((str(data),), tmp_path / "run", settings, device="cpu", cache=tmp_path / "cache"))
