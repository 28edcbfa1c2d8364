"""The model as a whole: what it equals, what it reads, and what it keeps."""

from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from tiny import page_batch, topdown
from torch import Tensor

from pagesum_cli.models.base import PageBatch, load_model
from pagesum_cli.models.pagesum import PageSumConfig, PageSumModel
from pagesum_cli.models.topdown.encoder import TopDownConfig
from pagesum_cli.models.topdown.model import TopDownModel

PAGES = {"decoding": "pages", "special_tokens": "page", "positions": "page"}
SUMMARY = torch.tensor([[0, 5, 9, 30, 41], [0, 44, 7, 12, 8]])


def parameters(model: torch.nn.Module) -> float:
    return sum(weight.numel() for weight in model.parameters()) / 1e6


@pytest.mark.parametrize(
    ("changes", "millions"),
    [({}, 464.0), ({"segment_positions": True}, 464.5), ({"update": "none"}, 406.3 + 15.7)],
    ids=str,
)
def test_it_has_the_papers_number_of_parameters(changes: dict[str, Any], millions: float) -> None:
    with torch.device("meta"):
        assert parameters(TopDownModel(TopDownConfig(**changes))) == pytest.approx(
            millions, abs=0.06
        )
        assert parameters(PageSumModel(PageSumConfig())) == pytest.approx(406.3, abs=0.06)


@pytest.mark.parametrize(
    "changes", [{"window": 200}, {"window": 2 * 39}], ids=["reaches all", "just enough"]
)
@torch.no_grad()
def test_without_update_and_with_a_window_that_reaches_all_it_is_bart(
    changes: dict[str, Any],
) -> None:
    bart = tiny.pagesum(encoder_layers=3, decoding="global").double()
    model = (
        TopDownModel.from_bart(bart, **{**tiny.TOPDOWN, "update": "none", **changes})
        .double()
        .eval()
    )
    batch = page_batch([38], [20])
    inputs = (batch.input_ids, batch.attention_mask, SUMMARY)
    torch.testing.assert_close(model(*inputs).logits, bart(*inputs).logits, atol=1e-10, rtol=0)
    ours, theirs = (one.generate(*inputs[:2], num_beams=3, max_length=12) for one in (model, bart))
    assert torch.equal(ours.sequences, theirs.sequences)


@torch.no_grad()
def test_one_page_decoded_by_pages_is_pagesum() -> None:
    pagesum = tiny.pagesum(encoder_layers=3).double()
    model = (
        TopDownModel.from_bart(
            pagesum, **{**tiny.TOPDOWN, **PAGES, "update": "none", "window": 200}
        )
        .double()
        .eval()
    )
    batch = page_batch([30], [17])
    inputs = (batch.input_ids, batch.attention_mask, SUMMARY)
    torch.testing.assert_close(model(*inputs).logits, pagesum(*inputs).logits, atol=1e-10, rtol=0)


@torch.no_grad()
def test_pages_that_no_window_joins_are_those_of_pagesum() -> None:
    """With a window of one token each word reads only itself: pages meet nowhere, and the order of
    pages is all one.
    """
    model = topdown(**PAGES, update="none", window=1)
    batch = page_batch([9, 14], [5, 5])
    inputs = (batch.input_ids, batch.attention_mask, SUMMARY)
    swapped = (batch.input_ids.flip(1), batch.attention_mask.flip(1), SUMMARY)
    output, other = model(*inputs), model(*swapped)
    torch.testing.assert_close(output.logits, other.logits)
    torch.testing.assert_close(output.page_confidences, other.page_confidences.flip(-1))


@torch.no_grad()
def test_windows_cross_pages_and_segments_reach_further() -> None:
    def states(model: TopDownModel, changed: int | None = None) -> Tensor:
        batch = page_batch([12, 12, 12, 12, 12])
        if changed is not None:
            batch.input_ids[0, changed, 5] = 59
        pages = model.pack(batch)
        return model.encode_pages(pages, batch)  # (N, S, D)

    for update, reached in (("none", [True, True, False, False, False]), ("attention", [True] * 5)):
        model = topdown(**PAGES, update=update, window=8)  # 3 layers of 4 tokens to either side
        difference = (states(model, changed=0) - states(model)).abs().amax((1, 2))
        assert (difference > 0).tolist() == reached


@pytest.mark.parametrize(
    "changes", [{}, PAGES, {"update": "concat"}, {"pooling": "adaptive"}], ids=str
)
@torch.no_grad()
def test_documents_of_a_batch_are_as_each_alone(changes: dict[str, Any]) -> None:
    model = topdown(**changes)
    batch = page_batch([9, 14, 20], [3])
    together = model(batch.input_ids, batch.attention_mask, SUMMARY)
    torch.testing.assert_close(
        together.page_confidences.sum(-1), torch.ones(2, 5), check_dtype=False
    )
    for document, pages in ((0, 3), (1, 1)):
        one = slice(document, document + 1)
        alone = model(batch.input_ids[one, :pages], batch.attention_mask[one, :pages], SUMMARY[one])
        torch.testing.assert_close(together.logits[one], alone.logits, atol=2e-6, rtol=0)
        torch.testing.assert_close(
            together.page_confidences[one, :, :pages], alone.page_confidences, atol=2e-6, rtol=0
        )


@pytest.mark.parametrize("changes", [{}, PAGES], ids=["global", "pages"])
@torch.no_grad()
def test_generation_is_that_of_teacher_forcing(changes: dict[str, Any]) -> None:
    model, batch = topdown(**changes), page_batch([9, 14], [3])
    inputs = (batch.input_ids, batch.attention_mask)
    result = model.generate(*inputs, num_beams=1, max_length=9, no_repeat_ngram_size=0)
    tokens = result.sequences[:, :1]
    # greedy search from scratch, without a cache
    while tokens.shape[1] < result.sequences.shape[1]:
        tokens = torch.cat([tokens, model(*inputs, tokens).logits[:, -1:].argmax(-1)], dim=1)
    ended = (result.sequences == model.config.eos_token_id).cumsum(1).cumsum(1) > 1
    assert torch.equal(tokens.masked_fill(ended, 1), result.sequences.masked_fill(ended, 1))
    beams = model.generate(*inputs, num_beams=3, max_length=9, length_penalty=0.0)
    scores = model(*inputs, beams.sequences[:, :-1]).logits.log_softmax(-1)
    of_tokens = scores.gather(-1, beams.sequences[:, 1:, None])[..., 0]
    after_end = (beams.sequences[:, 1:] == model.config.eos_token_id).cumsum(1).cumsum(1) > 1
    total = of_tokens.masked_fill(after_end, 0).sum(1)
    torch.testing.assert_close(total, beams.sequences_scores.double(), atol=1e-4, rtol=0)


@torch.no_grad()
def test_everything_of_a_bart_is_copied_and_positions_are_repeated() -> None:
    bart = tiny.pagesum(encoder_layers=3)
    model = TopDownModel.from_bart(bart, **{**tiny.TOPDOWN, "max_source_positions": 250})
    ours, theirs = model.state_dict(), bart.state_dict()
    positions = "model.encoder.embed_positions.weight"
    assert theirs.keys() <= ours.keys()
    assert all(torch.equal(ours[name], theirs[name]) for name in theirs if name != positions)
    known = theirs[positions][2:]
    assert torch.equal(ours[positions][2:], torch.cat([known, known, known])[:250])
    assert torch.equal(ours[positions][:2], theirs[positions][:2])


def test_an_update_of_no_gain_is_none() -> None:
    start = tiny.pagesum(encoder_layers=3)
    batch = page_batch([9, 14], [3])
    inputs = (batch.input_ids, batch.attention_mask, SUMMARY)
    plain = TopDownModel.from_bart(start, **tiny.TOPDOWN, update="none").eval()(*inputs).logits
    for update in ("attention", "concat"):
        model = TopDownModel.from_bart(start, **tiny.TOPDOWN, update=update, update_gain=0.0).eval()
        torch.testing.assert_close(model(*inputs).logits, plain)


@pytest.mark.parametrize("changes", [{}, {"update": "concat"}, {"pooling": "adaptive"}], ids=str)
def test_a_saved_model_computes_the_same(changes: dict[str, Any], tmp_path: Path) -> None:
    model = topdown(**changes).float()
    model.save_pretrained(tmp_path)
    loaded, _ = load_model(str(tmp_path), device="cpu", dtype="float32")
    assert isinstance(loaded, TopDownModel)
    assert loaded.config == model.config
    batch = page_batch([9, 14], [3])
    inputs = (batch.input_ids, batch.attention_mask, SUMMARY)
    torch.testing.assert_close(loaded(*inputs).logits, model(*inputs).logits)
    half, _ = load_model(str(tmp_path), device="cpu", dtype="bfloat16")
    near = half(*inputs).logits.float().log_softmax(-1) - model(*inputs).logits.log_softmax(-1)
    assert float(near.abs().mean().detach()) < 0.5


@torch.no_grad()
def test_short_documents() -> None:
    model = topdown()
    ids = torch.tensor([[[7]]])  # one token: shorter than a segment and a window
    output = model(ids, torch.ones_like(ids), SUMMARY[:1])
    assert bool(output.logits.isfinite().all())
    assert output.page_confidences.tolist() == [[[1.0]] * 5]


@torch.no_grad()
def test_what_is_beyond_positions_is_reported() -> None:
    batch = page_batch([30, 30], [10, 10])
    model = topdown(max_source_positions=40)
    assert model.notes_on(batch) == [
        ("the model has positions for 40 tokens; 22 at the end are not read",),
        (),
    ]
    other = PageBatch(batch.input_ids.clone(), batch.attention_mask)
    other.input_ids[0, 1, 12:30] = 59
    torch.testing.assert_close(model.encode(other).states, model.encode(batch).states)


def test_recomputed_layers_have_the_same_gradients() -> None:
    gradients = []
    for recomputes in (False, True):
        model = topdown().train()
        model.set_dropout(0.0)
        if recomputes:
            model.enable_gradient_checkpointing()
        batch = page_batch([9, 14], [3])
        model(
            batch.input_ids, batch.attention_mask, labels=SUMMARY, return_logits=False
        ).loss.backward()
        gradients.append({name: weight.grad for name, weight in model.named_parameters()})
    for name, gradient in gradients[0].items():
        if gradient is not None:
            torch.testing.assert_close(gradients[1][name], gradient)
    assert gradients[0]["model.encoder.segment_layers.0.fc1.weight"] is not None


def test_dropout_in_training_alone() -> None:
    model, batch = topdown(), page_batch([9, 14], [3])
    model.set_dropout(0.4)
    inputs = (batch.input_ids, batch.attention_mask, SUMMARY)
    model.eval()
    assert torch.equal(model(*inputs).logits, model(*inputs).logits)
    model.train()
    assert not torch.equal(model(*inputs).logits, model(*inputs).logits)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pooling": "mean"}, "pooling is 'mean', expected one of average, adaptive, oracle"),
        ({"update": "add"}, "update is 'add'"),
        ({"positions": "segment"}, "positions is 'segment'"),
        ({"window": 0}, "window is 0"),
        ({"stride": 40}, "stride is 40, expected at most kernel, 32"),
        ({"local_layers": 99}, "local_layers is 99, expected at most 12"),
        ({"update": "none", "pooling": "adaptive"}, "without an update nothing is pooled"),
        ({"window": "large"}, "window is 'large'"),
    ],
    ids=str,
)
def test_a_configuration_that_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TopDownConfig.from_dict(changes)
