"""Extraction by a language model's states: what they are, and that labels of an editor can be
learned.
"""

import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
import tiny
import torch
from safetensors.torch import load_file
from torch import Tensor

from pagesum_cli import PageSummarizer, load_model
from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.errors import PagesumError
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.models.base import PageBatch
from pagesum_cli.models.extractive.language_model import CONTINUED, LanguageModelExtractor
from pagesum_cli.models.extractive.quotes import DocumentsToQuote
from pagesum_cli.models.layers.llama import LlamaLayers, LlamaSize, fuses
from pagesum_cli.quoting.candidates import Candidate
from pagesum_cli.quoting.choice import ALONE
from pagesum_cli.quoting.eligibility import Eligibility
from pagesum_cli.tokenization import HEADING, EncodedPage, PageTokenizer
from pagesum_cli.training.job import Job, read_log
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import load_settings
from pagesum_cli.training.watcher import Progress, Watcher

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


@pytest.fixture
def extractor(language_model: Path) -> tuple[LanguageModelExtractor, PageTokenizer]:
    torch.manual_seed(0)
    model, tokenizer = LanguageModelExtractor.from_language_model(language_model, scorers=1)
    return model.eval(), tokenizer


def page_of(tokenizer: PageTokenizer, place: int, *texts: str) -> EncodedPage:
    """A page of sentences, and of headings, which end with a colon."""
    first = tokenizer.first_control_token or 0
    ids = [tiny.END, first + place]
    for text in texts:
        ids += [first + HEADING + (not text.endswith(":")), *words_of(tokenizer, text)]
    return EncodedPage([*ids, tiny.END])


def words_of(tokenizer: PageTokenizer, text: str) -> list[int]:
    return tokenizer.pieces(f" {text}")[1]


def states_of_transformers(folder: Path, layers: list[int], ids: list[int], size: int) -> Tensor:
    """Mean and last state of the last tokens of a text, by layer."""
    from transformers import LlamaModel

    whole = LlamaModel.from_pretrained(folder).eval()
    hidden = whole(torch.tensor([ids]), output_hidden_states=True).hidden_states
    parts = [hidden[layer][0, -size:] for layer in layers]
    return torch.cat([state for one in parts for state in (one.mean(0), one[-1])])


@torch.no_grad()
def test_states_are_means_and_last_states_of_transformers(
    language_model: Path, extractor: tuple[LanguageModelExtractor, PageTokenizer]
) -> None:
    model, tokenizer = extractor
    texts = ("Rye grows in the north.", "Fields:", "Oats do not.", "Farms pay.")
    found = model.encode(model.batch([[page_of(tokenizer, 0, *texts)]])).states
    line_break = model.config.line_break_id
    ids = [tiny.END]
    for row, text in enumerate(texts):
        words = words_of(tokenizer, text)
        ids += [*[line_break] * (row in (1, 2)), *words]
        expected = states_of_transformers(
            language_model, model.config.state_layers, ids, len(words)
        )
        torch.testing.assert_close(found[row], expected, atol=1e-5, rtol=1e-4)


@torch.no_grad()
def test_a_second_window_has_the_title_and_what_stands_before(
    language_model: Path, extractor: tuple[LanguageModelExtractor, PageTokenizer]
) -> None:
    model, tokenizer = extractor
    title = "Grain:"
    texts = [f"Farms of the {place} grow grain." for place in ("north", "south", "west", "east")]
    pages = [page_of(tokenizer, n, title, *texts[2 * n : 2 * n + 2]) for n in range(2)]
    line_break = model.config.line_break_id
    own = [words_of(tokenizer, text) for text in texts]
    before = [line_break, *own[0], *own[1], tiny.END, line_break]
    model.config.window_tokens, model.config.context_tokens = len(before), 7
    memory = model.encode(model.batch([pages]))
    assert memory.row.tolist() == [0, 0, 1, 1]  # titles have no row
    begin = [tiny.END, line_break, *words_of(tokenizer, title)]
    windows = [[*begin, line_break, *own[0]], [*begin, *before[:-2]]]
    windows += [[*begin, *before[-7:], *own[2]], [*begin, *before[-7:], *own[2], *own[3]]]
    for found, words, ids in zip(memory.states, own, windows, strict=True):
        expected = states_of_transformers(
            language_model, model.config.state_layers, ids, len(words)
        )
        torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


@torch.no_grad()
def test_one_window_reads_several_pages(
    extractor: tuple[LanguageModelExtractor, PageTokenizer],
) -> None:
    model, tokenizer = extractor
    pages = [page_of(tokenizer, n, "Grain:", f"Rye {n} grows.", "Oats do.") for n in range(3)]
    other = [page_of(tokenizer, 0, "Mills:", "Mills turn.")]
    seen: list[list[int]] = []
    read = model.shared.register_forward_hook(lambda _, ids, __: seen.extend(ids[0].tolist()))
    together = model.encode(model.batch([pages, other]))
    read.remove()
    title = words_of(tokenizer, "Grain:")
    assert len(seen) == 2  # one for each document
    assert sum(ids[n : n + len(title)] == title for ids in seen for n in range(len(ids))) == 1
    assert together.row.tolist() == [0, 0, 1, 1, 2, 2, 3]
    alone = [model.encode(model.batch([document])).scores for document in (pages, other)]
    torch.testing.assert_close(together.scores, torch.cat(alone), atol=1e-4, rtol=1e-4)


@torch.no_grad()
@pytest.mark.parametrize("window", [5, 20, 1000])
def test_all_but_titles_are_scored(
    window: int, extractor: tuple[LanguageModelExtractor, PageTokenizer]
) -> None:
    """Another heading at the beginning of a later page is no title."""
    model, tokenizer = extractor
    model.config.window_tokens = window
    first = page_of(tokenizer, 0, "Grain:", "Fields:", "Rye grows.")
    pages = [first, page_of(tokenizer, 1, "Grain:", "Oats:")]
    untitled = [page_of(tokenizer, 0, "Grain:", "Rye."), page_of(tokenizer, 1, "Mills:", "Oats.")]
    memory = model.encode(model.batch([pages, untitled]))
    assert memory.row.tolist() == [0, 0, 1, 2, 2, 3, 3]
    assert memory.scores.shape == (7, 3)
    assert bool(memory.scores.isfinite().all())


@torch.no_grad()
def test_training_reads_what_fused_layers_read(
    extractor: tuple[LanguageModelExtractor, PageTokenizer],
) -> None:
    model, tokenizer = extractor
    batch = model.batch([[page_of(tokenizer, 0, "Rye grows in the north.", "Oats do not.")]])
    expected = model.encode(batch).states
    with torch.enable_grad():
        found = model.encode(batch).states
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


@torch.no_grad()
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float32, 1e-5), (torch.bfloat16, 3e-2)])
def test_fused_layers_are_the_layers(dtype: torch.dtype, tolerance: float) -> None:
    torch.manual_seed(0)
    layers = LlamaLayers(LlamaSize(32, 48, 3, 4, 2)).to(dtype)
    for name, weight in layers.named_parameters():
        weight.normal_(1.0 if "layernorm" in name else 0.0, 0.2)
    embedded = torch.randn(2, 19, 32).to(dtype)
    if not fuses(embedded):
        pytest.skip("this processor has no fused products of this number format")
    given = embedded.clone()
    found = layers(embedded, [1, 3])
    expected = layers.double()(embedded.double(), [1, 3])
    assert torch.equal(embedded, given)
    assert (found.dtype, found.shape) == (dtype, (2, 2, 19, 32))
    errors = (found.double() - expected).norm(dim=-1) / expected.norm(dim=-1)
    assert errors.max().item() < tolerance


def test_a_document_without_a_title_may_begin_with_a_heading(
    extractor: tuple[LanguageModelExtractor, PageTokenizer], tmp_path: Path
) -> None:
    tiny.save_checkpoint(tmp_path, *extractor)
    summarizer = PageSummarizer.from_pretrained(str(tmp_path), device="cpu", dtype="float32")
    texts = [text for _, text in labelled(0)["sentences"]]
    sections = [Section(name, (Paragraph(text),)) for name, text in zip("AB", texts, strict=False)]
    document = Document("a.txt", tuple(sections))
    assert summarizer.summarize(document, locality="document").text in "\n".join(texts)


def test_a_logit_is_a_score_and_another_one_the_probability_to_stand_alone(
    extractor: tuple[LanguageModelExtractor, PageTokenizer],
) -> None:
    candidate = Candidate(0, 0, (1, 2), 0.0)
    scored = [
        extractor[0].scored(candidate, Eligibility(), 2.5, logit) for logit in (-1e4, 0.0, 1e4)
    ]
    assert [one.score for one in scored] == [2.5] * 3
    assert [one.alone for one in scored] == pytest.approx([0, 0.5, 1])


def test_what_surely_continues_a_sentence_does_not_stand_alone(
    extractor: tuple[LanguageModelExtractor, PageTokenizer],
) -> None:
    candidate, rules = Candidate(0, 0, (1, 2), 0.0), Eligibility(continues=True)
    assert extractor[0].scored(candidate, rules, 2.5, 9.0).alone == CONTINUED < ALONE
    assert extractor[0].scored(candidate, rules, 2.5, -9.0).alone < 0.01


@pytest.mark.parametrize(("needs", "expected"), [(0.1, False), (0.2, True), (0.9, True)])
def test_a_sentence_leans_on_the_one_before_it_as_read_and_by_its_words(
    extractor: tuple[LanguageModelExtractor, PageTokenizer], needs: float, expected: bool
) -> None:
    candidate, rules = Candidate(0, 0, (1, 2), 0.0), Eligibility(needs_context=needs)
    assert extractor[0].scored(candidate, rules, 2.5, 0.0).leans is expected
    assert not extractor[0].scored(candidate, rules, 2.5, 9.0).leans


def test_what_the_sentences_of_one_document_name_is_known(
    extractor: tuple[LanguageModelExtractor, PageTokenizer],
) -> None:
    sentences = (Sentence("They met Ann Lee."), Sentence("Then Lee left Hull."))
    page = Page("1", "farm", "", sentences, 20, title="Hull")
    documents = DocumentsToQuote(pages=(Pages("spatial", (page,)),))
    first = Candidate(page=0, sentence=0, tokens=(), score=0.0)
    second = replace(first, sentence=1)
    named = extractor[0].named(documents, 0, [first, second])
    assert [one.assumed for one in named] == [(), ("Lee",)]
    assert not extractor[0].named(documents, 0, [first, replace(second, document=1)])
    assert not extractor[0].named(DocumentsToQuote(), 0, [first, second])


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
    model, tokenizer = LanguageModelExtractor.from_language_model(language_model, scorers=1)
    tiny.save_checkpoint(tmp_path, model, tokenizer)
    loaded, _ = load_model(str(tmp_path), device="cpu", dtype="bfloat16")
    assert loaded.dtype == torch.bfloat16
    assert {weight.dtype for weight in loaded.scoring.state_dict().values()} == {torch.float32}


def test_other_models_and_records_without_labels_are_refused(
    language_model: Path, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2"}))
    with pytest.raises(PagesumError, match="holds a 'gpt2' model, expected one like Llama"):
        LanguageModelExtractor.from_language_model(tmp_path, scorers=1)
    given = json.loads((language_model / "config.json").read_text())
    for changes, message in (
        (
            {"rope_parameters": {"rope_type": "llama3", "rope_theta": 5e5}},
            "unsupported kind of rotary positions",
        ),
        ({"num_key_value_heads": None}, "has no num_key_value_heads"),
        ({"head_dim": 99}, "heads of an unsupported width: 99"),
    ):
        (tmp_path / "config.json").write_text(json.dumps({**given, **changes}))
        with pytest.raises(PagesumError, match=message):
            LanguageModelExtractor.from_language_model(tmp_path, scorers=1)
    data = tmp_path / "papers.jsonl"
    data.write_text(
        2 * (json.dumps({"id": "7", "text": "Rye grows.", "summary": "Rye grows."}) + "\n")
    )
    settings = load_settings("quotes", flags={"init_encoder": str(language_model)})
    with pytest.raises(PagesumError, match="7: no labels of an editor"):
        train(Job((str(data),), tmp_path / "run", settings, device="cpu", cache=tmp_path / "cache"))


def test_the_last_layer_of_the_heads_is_adapted_to_labels_with_states_that_are_kept(
    extractor: tuple[LanguageModelExtractor, PageTokenizer], tmp_path: Path
) -> None:
    start, cache = tmp_path / "start", tmp_path / "cache"
    start.mkdir()
    tiny.save_checkpoint(start, *extractor)
    data = tmp_path / "labels.jsonl"
    data.write_text("".join(json.dumps(labelled(number)) + "\n" for number in range(8)))
    changes = {"init": str(start), "page_tokens": 200, "epochs": 4, "dtype": "float32"}
    settings = load_settings("labels", flags=changes)
    assert load_settings("labels").init == "editor"
    result = train(Job((str(data),), tmp_path / "run", settings, device="cpu", cache=cache))
    assert (result.updates, result.best_update) == (8, 8)
    losses = [entry["loss"] for entry in read_log(tmp_path / "run") if "loss" in entry]
    assert sum(losses[-2:]) < sum(losses[:2])
    before, after = (
        load_model(str(folder), device="cpu", dtype="float32")[0].state_dict()
        for folder in (start, tmp_path / "run")
    )
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    expected = {"scoring.heads.0.out.weight", "scoring.length.bias"}
    assert changed - {"scoring.heads.0.out.bias"} == expected
    assert len([*cache.glob("states/*/*.npy")]) == 8


class Stopping(Watcher):
    """Ends a run while it reads documents, in an update, or by Ctrl-C after one."""

    def __init__(self, at: str) -> None:
        self.at = at

    def reading(self, done: int, documents: int) -> None:
        if self.at == "reading" and done == 3:
            raise OSError("stopped")

    def progress(self, progress: Progress) -> None:
        if progress.update == 3 and self.at == "update":
            raise OSError("stopped")
        if progress.update == 3 and self.at == "Ctrl-C":
            signal.raise_signal(signal.SIGINT)


def test_adapting_to_labels_continues_bit_equal_wherever_it_was_stopped(
    extractor: tuple[LanguageModelExtractor, PageTokenizer], tmp_path: Path
) -> None:
    start = tmp_path / "start"
    start.mkdir()
    tiny.save_checkpoint(start, *extractor)
    data = tmp_path / "labels.jsonl"
    data.write_text("".join(json.dumps(labelled(number)) + "\n" for number in range(8)))
    changes = {"init": str(start), "page_tokens": 200, "epochs": 3, "dtype": "float32"}
    settings = load_settings("labels", flags=changes)
    whole, stopped = (
        Job((str(data),), tmp_path / name, settings, device="cpu", cache=tmp_path / f"{name}-cache")
        for name in ("whole", "stopped")
    )
    train(whole)
    kept = []
    for at in ("reading", "update", "Ctrl-C"):
        resume = (stopped.output / "settings.toml").exists()
        with pytest.raises(KeyboardInterrupt if at == "Ctrl-C" else PagesumError):
            train(replace(stopped, resume=resume), Stopping(at))
        kept.append(len([*stopped.output.glob("checkpoints/checkpoint-*")]))
    assert kept == [0, 0, 1]
    train(replace(stopped, resume=True))
    found, expected = (load_file(job.output / "model.safetensors") for job in (stopped, whole))
    assert all(torch.equal(found[name], expected[name]) for name in expected)
    losses, of_whole = (
        [entry.get("loss") for entry in read_log(job.output)] for job in (stopped, whole)
    )
    assert losses == of_whole


@torch.no_grad()
def test_the_mean_length_is_that_of_labelled_quotes(
    extractor: tuple[LanguageModelExtractor, PageTokenizer],
) -> None:
    model, tokenizer = extractor
    torch.nn.init.normal_(model.scoring.length.weight, std=0.1)
    texts = (("Rye grows.", "Oats fail."), ("Hay is dry.",), ("Farms pay.", "Oats fail."))
    documents = [
        {
            "input_ids": torch.tensor([[page_of(tokenizer, 0, *own).ids]]),
            "attention_mask": None,
            "summary_tokens": torch.tensor([tokens]),
        }
        for own, tokens in zip(texts, (40, 90, 0), strict=True)  # nothing is quoted of the third
    ]

    def lengths() -> Tensor:
        memories = [model.encode(PageBatch(one["input_ids"])) for one in documents]
        return torch.stack([memory.scores[0, 2] for memory in memories])

    before = lengths()
    model.shift_lengths(documents)
    after = lengths()
    assert after[:2].mean().exp().item() == pytest.approx(60)  # the geometric mean of 40 and 90
    torch.testing.assert_close(after - before, (after - before)[:1].expand(3))
    bias = model.scoring.length.bias.clone()
    model.shift_lengths(documents[2:])
    assert torch.equal(model.scoring.length.bias, bias)


def test_a_ranking_compares_the_sentences_of_each_document(
    extractor: tuple[LanguageModelExtractor, PageTokenizer],
) -> None:
    model, tokenizer = extractor
    pages = [page_of(tokenizer, 1, *("Rye grows.", "Oats fail.", "Hay is dry.")) for _ in range(2)]
    ids = torch.tensor([[page.ids] for page in pages])
    is_sentence = ids[0, 0] == (tokenizer.first_control_token or 0) + HEADING + 1
    places = is_sentence.nonzero()[:, 0].tolist()
    shares = torch.tensor([[1.0, 0.0, 0.6], [0.0, 0.0, 0.0]])  # nothing is quoted of the second
    labels = torch.tensor(
        [
            [document, 0, place, share, 1, 0, 0]
            for document in range(2)
            for place, share in zip(places, shares[document].tolist(), strict=True)
        ]
    )
    output = model.eval()(input_ids=ids, sentence_labels=labels, ranks=True)
    probabilities = output.scores[: len(places), 0].softmax(0)
    expected = -(probabilities[0].log() + 0.6 * probabilities[2].log()) / 1.6
    torch.testing.assert_close(output.loss, expected / 2)


def test_weights_that_bfloat16_holds_are_stored_so_and_no_others(
    extractor: tuple[LanguageModelExtractor, PageTokenizer], tmp_path: Path
) -> None:
    model, tokenizer = extractor
    exact = model.encoder.layers[0].mlp.up_proj.weight
    exact.data = exact.data.bfloat16().float()
    tiny.save_checkpoint(tmp_path, model, tokenizer)
    stored = load_file(tmp_path / "model.safetensors")
    assert stored["encoder.layers.0.mlp.up_proj.weight"].dtype == torch.bfloat16
    assert stored["encoder.layers.0.mlp.down_proj.weight"].dtype == torch.float32
    loaded, _ = load_model(str(tmp_path), device="cpu", dtype="float32")
    assert loaded.dtype == torch.float32
    for name, value in loaded.state_dict().items():
        assert value.dtype == torch.float32
        assert torch.equal(value, model.state_dict()[name])
