"""What tasks make of records: labels of sentences, examples, batches."""

import numpy as np
import pytest
import tiny
import torch

from pagesum_cli.datasets.record import Record
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.models.base import PageModel
from pagesum_cli.models.extractive.tasks import (
    CLUSTER_SUMMARY_WORDS,
    SPAN,
    Extractive,
    Preferences,
    sentence_labels,
)
from pagesum_cli.models.tasks import Abstractive, Example, Plan, Task
from pagesum_cli.options import PagingOptions
from pagesum_cli.tokenization import FIRST_RANK, PageTokenizer

BODY = [
    "The weather was fine on the day of the visit.",
    "We propose a new method that reads every page of a report.",
    "It rained in the evening and nobody went out again.",
    "The method is faster than all others on three data sets.",
    "A method.",
]
SUMMARY = (
    "We propose a method that reads every page. It is faster than all others on three data sets."
)
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


def plan(
    tokenizer: PageTokenizer, task: Task, target_tokens: int = 999, page_tokens: int = 64
) -> Plan:
    paging = PagingOptions(page_tokens=page_tokens)
    return Plan(
        task, tokenizer.backend.to_str(), tokenizer.first_control_token, paging, target_tokens
    )


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
    assert selected(
        sentences=[BODY[0], inflected],
        summary="A method proposes to read each page of each report.",
    ) == [1]


def test_overlap_is_highest_for_what_the_summary_repeats() -> None:
    overlaps = [
        overlap for _, overlap in sentence_labels(BODY, SUMMARY, [True, True, True, False, True])
    ]
    assert overlaps[3] == 0  # not eligible
    assert overlaps[1] > max(overlaps[0], overlaps[2])
    assert sentence_labels([SUMMARY], SUMMARY, [True]) == [(True, 1.0)]


def test_an_extractive_example_labels_the_sentences_that_the_model_reads(
    tokenizer: PageTokenizer,
) -> None:
    task = Extractive()
    encoded = task.encode(
        record(BODY[:2], BODY[2:], title="Title"), tokenizer, plan(tokenizer, task)
    )
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
    encoded = Extractive().encode(record(open_ended), tokenizer, plan(tokenizer, Extractive()))
    spans = encoded.example.arrays["spans"].view(SPAN)
    assert spans[["is_scored", "is_selected", "overlap"]].tolist()[-1] == (1, 0, 0)


def test_a_clusters_summary_counts_in_part(tokenizer: PageTokenizer) -> None:
    task, settings = Extractive(), plan(tokenizer, Extractive())
    one = record(BODY, summary="method " * 300)
    tokens = task.collate([task.encode(one, tokenizer, settings).example], tiny.PAD)[
        "summary_tokens"
    ]
    assert tokens.tolist() == [300]
    cluster = Record("b", one.documents * 2, one.summary)
    tokens = task.collate([task.encode(cluster, tokenizer, settings).example], tiny.PAD)[
        "summary_tokens"
    ]
    assert tokens.tolist() == [CLUSTER_SUMMARY_WORDS]


def test_an_abstractive_example_shifts_the_summary_and_cuts_long_ones(
    tokenizer: PageTokenizer,
) -> None:
    task = Abstractive()
    whole = tokenizer.encode(SUMMARY)
    cut = task.encode(record(BODY), tokenizer, plan(tokenizer, task, target_tokens=8))
    assert cut.example.arrays["target"].tolist() == [*whole[:7], tiny.END]
    assert cut.lost_tokens == len(whole) - 8
    full = task.encode(record(BODY), tokenizer, plan(tokenizer, task))
    batch = task.collate([cut.example, full.example], pad=tiny.PAD)
    assert batch["decoder_input_ids"][1].tolist() == whole[:-1]
    assert batch["labels"][1].tolist() == whole[1:]
    assert batch["labels"][0, 7:].unique().tolist() == [-100]
    assert batch["decoder_input_ids"][0, 7:].unique().tolist() == [tiny.PAD]


FLAGS_OF_A_SPAN = [1, 1, 0, 0, 0, 0, 0, 0, 1, 0]


def example_of(*spans: list[int], labels: tuple[int, ...] = ()) -> Example:
    """A page of twelve tokens with some sentences."""
    arrays = {"target": [2, 9, 3], "spans": np.concatenate(spans), "labels": labels}
    return Example(
        [np.arange(12, dtype=np.int32)],
        {name: np.array(values, dtype=np.int32) for name, values in arrays.items()},
    )


def test_preferences_count_tokens_of_sentences() -> None:
    spans = [
        [0, number, start, end, *FLAGS_OF_A_SPAN, is_scored, 0, 0]
        for number, start, end, is_scored in ((0, 1, 2, 0), (1, 2, 5, 1), (2, 5, 11, 1))
    ]
    labels = (1000, 1000, 1000, 1000, 600, 1000, 0, 0)
    batch = Preferences().collate([example_of(*spans, labels=labels)], pad=0)
    quoted = batch["sentence_labels"][:, :4]
    torch.testing.assert_close(quoted, torch.tensor([[0, 0, 2, 2.0], [0, 0, 5, 3.0]]))


def test_batches_number_their_documents() -> None:
    example = example_of(
        [0, 0, 2, 5, *FLAGS_OF_A_SPAN, 1, 1, 250], [0, 1, 5, 9, *FLAGS_OF_A_SPAN, 0, 0, 0]
    )
    batch = Extractive().collate([example, example], pad=0)
    assert batch["sentence_labels"].tolist() == [[0, 0, 2, 1, 0.25], [1, 0, 2, 1, 0.25]]
    assert batch["summary_tokens"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "model",
    [
        tiny.pagesum(decoder_layers=2),
        tiny.pagesum(decoder_layers=2, decoding="global"),
        tiny.pagesum(decoder_layers=2, dpp=True, dpp_pages="confidence"),
        tiny.pagesum(decoder_layers=2, dpp=True, decoding="global"),
        tiny.topdown(decoding="global"),
        tiny.topdown(decoding="pages", update="concat"),
        *(tiny.sequence(kind, dpp=True) for kind in tiny.SEQUENCE),
    ],
)
def test_the_loss_depends_on_all_parameters_that_are_trained(model: PageModel) -> None:
    ids = torch.randint(4, 12, (2, 3, 8), generator=torch.Generator().manual_seed(0))
    labels = ids[:, 0]
    Abstractive().loss(model.train(), {"input_ids": ids, "labels": labels}).backward()
    trained = model.trainable_parameters(head_only=False)
    assert all(parameter.grad is not None for parameter in trained)
    others = set(model.parameters()) - set(trained)
    assert all(parameter.grad is None for parameter in others)
