"""What tasks make of records: labels of sentences, examples, batches."""

import math

import numpy as np
import pytest
import tiny
import torch

from pagesum_cli.datasets.record import Record
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.options import PagingOptions
from pagesum_cli.tokenization import FIRST_RANK, PageTokenizer
from pagesum_cli.training.examples import Example, Plan
from pagesum_cli.training.tasks import CLUSTER_SUMMARY_WORDS, SCORED, TASKS, sentence_labels

BODY = [
    "The weather was fine on the day of the visit.",
    "We propose a new method that reads every page of a report.",
    "It rained in the evening and nobody went out again.",
    "The method is faster than all others on three data sets.",
    "A method.",
]
SUMMARY = "We propose a method that reads every page. It is faster than all others on three data sets."
FIRST_CONTROL = len(tiny.SPECIAL)


@pytest.fixture(scope="module")
def tokenizer() -> PageTokenizer:
    return tiny.word_piece([*BODY, SUMMARY, "Intro Results Title"], control_tokens=True)


def record(*bodies: list[str], summary: str = SUMMARY, title: str = "") -> Record:
    sections = [
        Section(heading, (Paragraph(" ".join(body)),))
        for heading, body in zip(["Intro", "Results"], bodies, strict=False)
    ]
    return Record("a", (Document("a", tuple(sections), title=title),), summary)


def plan(tokenizer: PageTokenizer, task: str, target_tokens: int = 999, page_tokens: int = 64) -> Plan:
    paging = PagingOptions(page_tokens=page_tokens)
    return Plan(task, tokenizer.backend.to_str(), tokenizer.first_control_token, paging, target_tokens)


def selected(*eligible: bool, sentences: list[str] = BODY, summary: str = SUMMARY) -> list[int]:
    labels = sentence_labels(sentences, summary, list(eligible) or [True] * len(sentences))
    return [number for number, (is_selected, _) in enumerate(labels) if is_selected]


def test_sentences_that_cover_the_summary_are_selected() -> None:
    assert selected() == [1, 3]
    assert selected(True, True, True, False, True) == [1]
    assert selected(summary="") == []
    assert selected(sentences=[]) == []


def test_words_are_compared_by_their_stems() -> None:
    inflected = "Proposed methods are reading pages of some reports."
    assert selected(sentences=[BODY[0], inflected], summary="A method proposes to read each page of each report.") == [
        1
    ]


def test_overlap_is_highest_for_what_the_summary_repeats() -> None:
    overlaps = [overlap for _, overlap in sentence_labels(BODY, SUMMARY, [True, True, True, False, True])]
    assert overlaps[3] == 0  # not eligible
    assert overlaps[1] > max(overlaps[0], overlaps[2])
    assert sentence_labels([SUMMARY], SUMMARY, [True]) == [(True, 1.0)]


def test_an_extractive_example_labels_the_sentences_that_the_model_reads(tokenizer: PageTokenizer) -> None:
    task = TASKS["extractive"]
    encoded = task.encode(record(BODY[:2], BODY[2:], title="Title"), tokenizer, plan(tokenizer, "extractive"))
    batch = task.collate([encoded.example], pad=tiny.PAD)
    labels = batch["sentence_labels"]
    texts = []
    for document, page, position, is_selected, overlap in labels.tolist():
        ids = encoded.example.pages[int(page)].tolist()
        assert document == 0
        assert 0 <= overlap <= 1
        assert FIRST_CONTROL + FIRST_RANK <= ids[int(position)] < FIRST_CONTROL + FIRST_RANK + 7
        texts.append((tokenizer.decode(ids[int(position) + 1 : int(position) + 4]), is_selected))
    assert [text for text, is_selected in texts if is_selected] == ["we propose a", "the method is"]
    assert len(texts) == len(BODY)


def test_a_sentence_without_an_end_is_not_selected(tokenizer: PageTokenizer) -> None:
    open_ended = [BODY[0], BODY[1].removesuffix(".")]
    encoded = TASKS["extractive"].encode(record(open_ended), tokenizer, plan(tokenizer, "extractive"))
    spans = encoded.example.arrays["spans"].reshape(-1, 13)
    assert spans[-1, SCORED:].tolist() == [1, 0, 0]  # scored, not selected, no overlap


def test_a_clusters_summary_counts_in_part(tokenizer: PageTokenizer) -> None:
    task, settings = TASKS["extractive"], plan(tokenizer, "extractive")
    one = record(BODY, summary="method " * 300)
    tokens = task.collate([task.encode(one, tokenizer, settings).example], tiny.PAD)["summary_tokens"]
    assert tokens.tolist() == [300]
    cluster = Record("b", one.documents * 2, one.summary)
    tokens = task.collate([task.encode(cluster, tokenizer, settings).example], tiny.PAD)["summary_tokens"]
    assert tokens.tolist() == [CLUSTER_SUMMARY_WORDS]


def test_an_abstractive_example_shifts_the_summary_and_cuts_long_ones(tokenizer: PageTokenizer) -> None:
    task = TASKS["abstractive"]
    whole = tokenizer.encode(SUMMARY)
    cut = task.encode(record(BODY), tokenizer, plan(tokenizer, "abstractive", target_tokens=8))
    assert cut.example.arrays["target"].tolist() == [*whole[:7], tiny.END]
    assert cut.lost_tokens == len(whole) - 8
    full = task.encode(record(BODY), tokenizer, plan(tokenizer, "abstractive"))
    batch = task.collate([cut.example, full.example], pad=tiny.PAD)
    assert batch["decoder_input_ids"][1].tolist() == whole[:-1]
    assert batch["labels"][1].tolist() == whole[1:]
    assert batch["labels"][0, 7:].unique().tolist() == [-100]
    assert batch["decoder_input_ids"][0, 7:].unique().tolist() == [tiny.PAD]


def test_batches_number_their_documents() -> None:
    flags = [1, 1, 0, 0, 0, 0]
    rows = np.array([[0, 0, 2, 5, *flags, 1, 1, 250], [0, 1, 5, 9, *flags, 0, 0, 0]], dtype=np.int32)
    page = np.arange(12, dtype=np.int32)
    example = Example([page], {"target": np.array([2, 9, 3], dtype=np.int32), "spans": rows.reshape(-1)})
    batch = TASKS["extractive"].collate([example, example], pad=0)
    assert batch["sentence_labels"].tolist() == [[0, 0, 2, 1, 0.25], [1, 0, 2, 1, 0.25]]
    assert batch["summary_tokens"].tolist() == [1, 1]


@torch.no_grad()
def test_an_untrained_model_guesses() -> None:
    model = tiny.extractive(init_std=1e-4)
    ids = torch.tensor([[[tiny.START, 4, 4 + FIRST_RANK, 30, 31, tiny.END]]])
    batch = {
        "input_ids": ids,
        "attention_mask": torch.ones_like(ids),
        "sentence_labels": torch.tensor([[0, 0, 2, 1, 0.5]]),
        "summary_tokens": torch.tensor([1]),
    }
    task = TASKS["extractive"]
    assert float(task.loss(model, batch)) == pytest.approx(task.loss_of_guessing(model.config), abs=0.01)
    assert TASKS["abstractive"].loss_of_guessing(model.config) == math.log(60)
