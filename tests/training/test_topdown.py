"""AdaPool: labels, the importance tagger, and the summarizer that has it inside."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny
import torch

from pagesum_cli.cli.console import Talk
from pagesum_cli.datasets.named import DataRequest
from pagesum_cli.datasets.record import Record
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.evaluation.evaluate import evaluate
from pagesum_cli.evaluation.options import EvaluationOptions, ModelOptions, OutputOptions
from pagesum_cli.models.base import load_model
from pagesum_cli.models.tasks import Plan
from pagesum_cli.models.topdown.model import TopDownModel, TopDownTagger
from pagesum_cli.models.topdown.tasks import Importance, Weighted
from pagesum_cli.options import GenerationOptions, PagingOptions
from pagesum_cli.summarizer import PageSummarizer
from pagesum_cli.tokenization import PageTokenizer
from pagesum_cli.training.job import Job, read_log
from pagesum_cli.training.run import load_start, train
from pagesum_cli.training.settings import Settings, load_settings
from pagesum_cli.training.start import starting_point

Toy = Callable[..., Path]
Make = Callable[..., Settings]
TEXT = "Naïve farmers visited the farms. Farms don't wait, said 40 millers of Zürich."
SUMMARY = "A farmer visits Zürich and the miller."
TOPDOWN = {"window": 16, "kernel": 8, "stride": 6, "max_source_positions": 128}


@pytest.mark.parametrize(
    "tokenizer",
    [
        tiny.byte_level([*tiny.TEXTS, TEXT], 300),  # characters of several tokens
        tiny.word_piece([*tiny.TEXTS, TEXT], 80),
        tiny.word_piece([*tiny.TEXTS, TEXT], 120, control_tokens=True),
    ],
    ids=["bytes", "pieces", "control tokens"],
)
@pytest.mark.parametrize("page_tokens", [64, 40])
def test_all_tokens_of_a_word_share_its_label(tokenizer: PageTokenizer, page_tokens: int) -> None:
    paging = PagingOptions(page_tokens=page_tokens)
    plan = Plan(Importance(), tokenizer.backend.to_str(), tokenizer.first_control_token, paging, 99)
    record = Record("a", (plain_document(TEXT, "a"),), SUMMARY)
    example = Importance().encode(record, tokenizer, plan).example
    labels = example.arrays["importance"].tolist()
    ids = [token for page in example.pages for token in page.tolist()]
    assert len(labels) == len(ids)
    assert all(
        (label == -100) != tokenizer.is_text(token) or token == tiny.UNKNOWN
        for label, token in zip(labels, ids, strict=True)
    )
    words = (
        tokenizer.decode([token for token, label in zip(ids, labels, strict=True) if label == 1])
        .lower()
        .split()
    )
    joined = "".join(words).replace("ï", "i").replace("ü", "u")
    assert joined == "farmersvisitedmillerszurich"


def test_the_labels_of_a_batch_lie_where_its_tokens_are(toy: Toy) -> None:
    tokenizer = tiny.byte_level([*tiny.TEXTS, TEXT], 300)
    plan = Plan(Importance(), tokenizer.backend.to_str(), None, PagingOptions(page_tokens=40), 99)
    documents = [plain_document(text, "a") for text in (TEXT, TEXT * 2)]
    records = [Record(str(number), (one,), SUMMARY) for number, one in enumerate(documents)]
    examples = [Importance().encode(one, tokenizer, plan).example for one in records]
    batch = Importance().collate(examples, tiny.PAD)
    labels, mask = batch["importance_labels"], batch["attention_mask"]
    assert labels.shape == batch["input_ids"].shape
    assert labels[~mask].unique().tolist() == [-100]
    for number, example in enumerate(examples):
        assert labels[number][mask[number]].tolist() == example.arrays["importance"].tolist()
    importance = Weighted().collate(examples, tiny.PAD)["importance"]
    assert torch.equal(importance, (labels == 1).float())


@pytest.fixture
def bart(toy: Toy, settings: Make, tmp_path: Path) -> Path:
    train(Job((str(toy(20)),), tmp_path / "bart", settings(epochs=1, layers=2), device="cpu"))
    return tmp_path / "bart"


def of_bart(settings: Make, bart: Path, **values: Any) -> Settings:
    model = {**TOPDOWN, **values.pop("model", {})}
    return settings(
        **{"init": str(bart), "architecture": "topdown", "model": model, "epochs": 1, **values}
    )


def test_a_run_with_a_limit_for_each_document_is_continued(
    bart: Path, toy: Toy, settings: Make, tmp_path: Path
) -> None:
    job = Job(
        (str(toy(20)),), tmp_path / "run", of_bart(settings, bart, document_tokens=20), device="cpu"
    )
    first = train(job)
    more = replace(job, settings=replace(job.settings, epochs=2), resume=True)
    assert train(more).updates == 2 * first.updates


@torch.no_grad()
def test_the_loss_is_cross_entropy_of_labeled_tokens() -> None:
    model = TopDownTagger.from_bart(tiny.pagesum(encoder_layers=3), **TOPDOWN).eval()
    batch = tiny.page_batch([9, 14], [3])
    labels = torch.where(batch.attention_mask.bool(), batch.importance, -100).long()  # type: ignore[union-attr]
    labels[:, :, 0] = -100
    labels[0, 1, 15] = -100  # the last end token; others are not read
    output = model(batch.input_ids, batch.attention_mask, labels)
    losses = []
    for place in (labels >= 0).nonzero().tolist():
        logit, label = float(output.logits[tuple(place)]), int(labels[tuple(place)])
        if math.isfinite(logit):
            losses.append(math.log1p(math.exp(-logit if label else logit)))
    assert len(losses) == 9 + 14 + 3 + 1
    assert float(output.loss) == pytest.approx(sum(losses) / len(losses), abs=1e-5)


def test_a_summarizer_is_trained_with_its_tagger(
    bart: Path, toy: Toy, settings: Make, tmp_path: Path
) -> None:
    data = (str(toy(20)),)
    train(
        Job(
            data,
            tmp_path / "tagger",
            of_bart(settings, bart, architecture="topdown-tagger"),
            device="cpu",
        )
    )
    scores = next(
        entry["validation"] for entry in read_log(tmp_path / "tagger") if "validation" in entry
    )
    assert {"loss", "precision", "recall", "f1"} <= scores.keys()
    tagger, tokenizer = load_model(str(tmp_path / "tagger"), device="cpu", dtype="float32")
    assert tokenizer is not None
    with pytest.raises(UsageError, match="predicts which words matter, and makes no summaries"):
        PageSummarizer(tagger, tokenizer, name="tagger").summarize(plain_document("ash birch", "a"))

    adaptive = of_bart(
        settings, bart, model={"pooling": "adaptive"}, tagger=str(tmp_path / "tagger")
    )
    start = load_start(Job(data, tmp_path / "run", adaptive, device="cpu"))
    trained = {name for name, weight in start.model.named_parameters() if weight.requires_grad}
    assert trained == {
        name
        for name, _ in start.model.named_parameters()
        if not name.startswith(("tagger.", "lin."))
    }
    train(Job(data, tmp_path / "run", adaptive, device="cpu"))
    model, _ = load_model(str(tmp_path / "run"), device="cpu", dtype="float32")
    assert isinstance(model, TopDownModel)
    for name, weight in tagger.state_dict().items():
        assert torch.equal(model.state_dict()[name], weight), name
    book = load_settings("topdown-booksum-book-adapool")  # goes on from the chapters' model
    assert (book.init, book.tagger, book.model["pooling"]) == (
        "topdown-booksum-chapter-adapool",
        "",
        "adaptive",
    )
    again = starting_point(of_bart(settings, tmp_path / "run", model={"pooling": "adaptive"}), [])
    assert again.task.name == "abstractive-weighted"  # goes on with its tagger


def test_a_tagger_needs_no_positions_of_a_decoder(bart: Path, settings: Make) -> None:
    positions = load_model(str(bart), device="cpu", dtype="float32")[
        0
    ].config.max_position_embeddings
    longer = {"target_tokens": positions + 9, "max_length": positions + 9}
    starting_point(of_bart(settings, bart, architecture="topdown-tagger", **longer), [])
    with pytest.raises(UsageError, match="max_length"):
        starting_point(of_bart(settings, bart, **longer), [])


def test_a_tagger_that_does_not_fit_is_refused(
    bart: Path, toy: Toy, settings: Make, tmp_path: Path
) -> None:
    adaptive = {"model": {"pooling": "adaptive"}}
    with pytest.raises(UsageError, match="no importance tagger is named"):
        starting_point(of_bart(settings, bart, **adaptive), [])
    with pytest.raises(UsageError, match="but that is a pagesum model"):
        starting_point(of_bart(settings, bart, **adaptive, tagger=str(bart)), [])
    with pytest.raises(UsageError, match="does not pool by importance"):
        starting_point(of_bart(settings, bart, tagger=str(bart)), [])
    start = starting_point(
        of_bart(settings, bart, architecture="topdown-tagger", model={"window": 32}), []
    )
    start.model.save_pretrained(tmp_path / "tagger")
    start.tokenizer.save(tmp_path / "tagger")
    with pytest.raises(UsageError, match="its window is 32, that of the model 16"):
        starting_point(of_bart(settings, bart, **adaptive, tagger=str(tmp_path / "tagger")), [])
    with pytest.raises(UsageError, match="select = rouge"):
        starting_point(of_bart(settings, bart, architecture="topdown-tagger", select="rouge"), [])


def test_oracle_importance_is_that_of_the_reference(
    bart: Path, settings: Make, tmp_path: Path
) -> None:
    start = starting_point(of_bart(settings, bart, model={"pooling": "oracle"}), [])
    assert start.task.name == "abstractive-weighted"
    summarizer = PageSummarizer(start.model.eval(), start.tokenizer, name="oracle")
    document, reference = (
        plain_document("ash birch cedar date elm. fig gum hazel.", "a"),
        "birch gum",
    )
    with pytest.raises(
        PagesumError, match="the words of the reference summary, which is not given"
    ):
        summarizer.summarize(document, max_length=8)
    (summary,) = summarizer.summarize_batch([document], references=[reference], max_length=8)
    plan = start.plan(of_bart(settings, bart))
    example = start.task.encode(Record("a", (document,), reference), start.tokenizer, plan).example
    batch = start.task.collate([example], start.model.config.pad_token_id)
    assert int(batch["importance"].sum()) == len(start.tokenizer.pieces(" birch gum")[1])
    expected = start.model.generate(
        batch["input_ids"], batch["attention_mask"], importance=batch["importance"], max_length=10
    )
    text = start.tokenizer.decode(expected.sequences[0].tolist())
    assert summary.text.strip() == text.strip().rstrip("\ufffd")  # half a character is left out


def test_eval_marks_a_model_that_reads_the_reference(
    bart: Path, toy: Toy, settings: Make, tmp_path: Path
) -> None:
    start = starting_point(of_bart(settings, bart, model={"pooling": "oracle"}), [])
    start.model.save_pretrained(tmp_path / "oracle")
    start.tokenizer.save(tmp_path / "oracle")
    options = EvaluationOptions(
        data=DataRequest(data=str(toy(3, "test.jsonl"))),
        model=ModelOptions(model=str(tmp_path / "oracle"), device="cpu"),
        output=OutputOptions(output=tmp_path / "run"),
        generation=GenerationOptions(max_length=8),
    )
    report = evaluate(options, Talk(quiet=True))
    assert report is not None
    assert report.system.uses_reference
    assert report.to_json()["uses_reference"] == [report.model]
    assert list(report.significance) == []
