"""The extractive family: what it scores, what it is trained on, and that earlier checkpoints still
load.
"""

import random
import re
from pathlib import Path

import pytest
import tiny
import torch
from tiny import TEXTS

from pagesum_cli import PageSummarizer
from pagesum_cli.errors import UsageError
from pagesum_cli.models.base import PageBatch
from pagesum_cli.models.extractive.model import RUN
from pagesum_cli.options import GenerationOptions
from pagesum_cli.tokenization import FIRST_RANK, HEADING

CONTROL = 4


def page(*sentences: list[int], place: int = 0) -> list[int]:
    """A page of a heading and sentences, each after its control token."""
    ids = [tiny.START, CONTROL + place, CONTROL + HEADING, 30]
    for sentence in sentences:
        ids += [CONTROL + FIRST_RANK, *sentence]
    return [*ids, tiny.END]


def batch(*documents: list[list[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    width = max(len(one) for document in documents for one in document)
    ids = torch.zeros(len(documents), max(map(len, documents)), width, dtype=torch.long)
    for b, document in enumerate(documents):
        for p, one in enumerate(document):
            ids[b, p, : len(one)] = torch.tensor(one)
    return ids, ids != tiny.PAD


FIRST = [page([31, 32, 33], [34, 35]), page([36, 37, 38, 39], place=1)]
SECOND = [page([40, 41], [42, 43, 44], [45])]


def test_documents_of_a_batch_are_scored_each_alone() -> None:
    model = tiny.extractive()
    together = model(*batch(FIRST, SECOND)).scores
    alone = torch.cat([model(*batch(document)).scores for document in (FIRST, SECOND)])
    torch.testing.assert_close(together, alone, atol=1e-4, rtol=1e-4)
    assert together.shape == (3 + 2 + 4, 3)


def test_sentences_see_those_of_other_pages_but_pages_are_encoded_alone() -> None:
    model = tiny.extractive()
    one = model(*batch(FIRST)).scores
    changed = model(*batch([FIRST[0], page([50, 51, 52, 53], place=1)])).scores
    assert not torch.allclose(one[0], changed[0])  # scored beside another sentence
    states = model.encoder(model.shared(batch(FIRST)[0][0]), batch(FIRST)[1][0])
    again = model.encoder(model.shared(batch([FIRST[0]])[0][0]), batch([FIRST[0]])[1][0])
    torch.testing.assert_close(states[:1, : again.shape[1]], again, atol=1e-5, rtol=1e-4)


def test_only_sentences_are_computed_in_the_last_layer_and_packed_weights_give_the_same() -> None:
    model = tiny.extractive().eval()
    names = list(model.state_dict())
    ids, mask = batch(FIRST, SECOND)
    with torch.no_grad():
        memory = model.encode(PageBatch(ids, mask))
        whole = model.encoder(model.shared(memory.pages.input_ids), memory.pages.mask)
        torch.testing.assert_close(
            memory.states, whole[memory.row, memory.place], atol=1e-5, rtol=1e-4
        )
        model.pack_weights()
        torch.testing.assert_close(
            model.encode(PageBatch(ids, mask)).states, memory.states, atol=1e-5, rtol=1e-4
        )
    assert list(model.state_dict()) == names


def test_the_loss_is_that_of_the_labels() -> None:
    model = tiny.extractive()
    ids, mask = batch(FIRST, SECOND)
    labels = torch.tensor([[0, 0, 4, 1, 0.7], [0, 1, 4, 0, 0.1], [1, 0, 4, 1, 1.0]])
    out = model(ids, mask, labels, torch.tensor([20, 40]))
    logits = out.scores[[1, 4, 6], :2]
    errors = torch.nn.functional.binary_cross_entropy_with_logits(
        logits, labels[:, 3:], reduction="none"
    ).mean(1)
    weights = torch.tensor([2.0, 2.0, 1.0]).rsqrt()
    assert out.losses["sentences"].item() == pytest.approx(
        ((weights * errors).sum() / weights.sum()).item(), rel=1e-4
    )
    deviance = torch.tensor([20.0, 40.0]).log() - torch.stack(
        [out.scores[:5, 2].mean(), out.scores[5:, 2].mean()]
    )
    assert out.losses["length"].item() == pytest.approx(
        0.01 * (deviance.exp() - 1 - deviance).mean().item(), rel=1e-4
    )
    out.loss.backward()
    assert model.encoder.layers[0].fc1.weight.grad.abs().sum() > 0
    assert model.scoring.length.weight.grad.abs().sum() > 0


def test_it_learns_what_to_select() -> None:
    model = tiny.extractive(init_std=0.1, dropout=0.0).train()
    ids, mask = batch(FIRST, SECOND)
    labels = torch.tensor(
        [[0, 0, 4, 1, 1.0], [0, 0, 8, 0, 0.0], [0, 1, 4, 0, 0.0], [1, 0, 4, 0, 0], [1, 0, 7, 1, 1]]
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for _ in range(40):
        loss = model(ids, mask, labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.1


def test_long_documents_are_scored_in_runs() -> None:
    model = tiny.extractive(max_position_embeddings=4 * RUN, page_tokens=4 * RUN)
    ids, mask = batch([page(*[[31, 32]] * (RUN + 5))])
    assert model(ids, mask).scores.shape == (RUN + 6, 3)
    assert model(torch.tensor([[[2, 4, 31, 3]]])).scores.shape == (0, 3)


def test_quotes_are_spans_of_the_source(tiny_extractive: Path, report: Path) -> None:
    summarizer = PageSummarizer.from_pretrained(str(tiny_extractive), device="cpu", dtype="float32")
    cuts = []
    summary = summarizer.summarize(report, on_pages=cuts.append)
    from pagesum_cli.documents.read import read_file

    (document,) = read_file(str(report))
    assert summary.tokens == ()
    for sentence in summary.sentences:
        source = sentence.source
        assert document.text[source.start : source.end] == sentence.text
        assert cuts[0].pages[source.page].sentences[source.sentence].text == sentence.text
        assert sum(share.confidence for share in sentence.pages) == pytest.approx(1)
    assert summary.text == " ".join(sentence.text for sentence in summary.sentences)


def test_lengths_scale_what_the_model_predicts(tiny_extractive: Path, tmp_path: Path) -> None:
    summarizer = PageSummarizer.from_pretrained(str(tiny_extractive), device="cpu", dtype="float32")
    torch.nn.init.zeros_(summarizer.model.scoring.length.weight)
    torch.nn.init.constant_(summarizer.model.scoring.length.bias, torch.tensor(40.0).log().item())
    words = sorted(set(re.findall("[a-z]+", " ".join(TEXTS).lower())))
    sentences = [" ".join(random.Random(n).sample(words, 9)).capitalize() + "." for n in range(40)]
    (tmp_path / "a.txt").write_text(" ".join(sentences))

    def tokens(**options: object) -> int:
        summary = summarizer.summarize(tmp_path / "a.txt", generation=GenerationOptions(**options))
        return sum(summarizer.tokenizer.count([sentence.text for sentence in summary.sentences]))

    lengths = [tokens(length=length) for length in ("short", "medium", "long")]
    assert lengths[0] < lengths[1] == tokens() < lengths[2]
    assert tokens(max_length=20) <= 20
    assert tokens(min_length=100) >= 85


@pytest.mark.parametrize(
    "option", [{"beams": 3}, {"blocking": "sentence"}, {"attention_temperature": 0.5}]
)
def test_options_of_a_search_are_refused(tiny_extractive: Path, report: Path, option: dict) -> None:
    summarizer = PageSummarizer.from_pretrained(str(tiny_extractive), device="cpu", dtype="float32")
    with pytest.raises(UsageError, match="does nothing with an extractive model"):
        summarizer.summarize(report, **option)


def test_a_given_summary_is_aligned_to_its_sources(tiny_extractive: Path, report: Path) -> None:
    summarizer = PageSummarizer.from_pretrained(str(tiny_extractive), device="cpu", dtype="float32")
    explained = summarizer.explain(
        report, "Rain fell for eleven days in April. Farms on the hills lost a tenth."
    )
    assert [sentence.text for sentence in explained.sentences] == [
        "Rain fell for eleven days in April.",
        "Farms on the hills lost a tenth.",
    ]
    sections = [sentence.source.section for sentence in explained.sentences]
    assert sections == ["Introduction", "Results"]
    for sentence in explained.sentences:
        assert sum(share.confidence for share in sentence.pages) == pytest.approx(1)
