"""DPP attention in PageSum's decoder is the paper's formulas, written out here page by page and
step by step.
"""

import json
from pathlib import Path
from typing import Any

import pytest
import tiny as build
import torch
import torch.nn.functional as F
from torch import Tensor
from transformers import BartConfig, BartForConditionalGeneration

import pagesum_cli.models.layers.packing as packing
from pagesum_cli import PageSumConfig, load_model
from pagesum_cli.models.base import PageBatch
from pagesum_cli.models.layers.transformer import POSITION_OFFSET
from pagesum_cli.models.pagesum import PageSumModel

LITERAL = {"dpp_square": False, "dpp_past": "none", "dpp_rescale": False}
"""The paper's own formulas (eq. 20–22)."""
PAGES = ("own", "uniform", "confidence")
CLOSE = {"atol": 1e-5, "rtol": 1e-5}
"""All is computed in float64, but for page confidences."""


def tiny(**settings: Any) -> PageSumModel:
    """A model of three decoder layers: the middle one has a past and is one; projections are not
    the identity.
    """
    shape = {
        "d_model": 16,
        "decoder_layers": 3,
        "decoder_ffn_dim": 24,
        "encoder_ffn_dim": 24,
        "vocab_size": 40,
    }
    model = build.pagesum(**{**shape, "dpp": True, "dropout": 0.0, "init_std": 0.4, **settings})
    noise = torch.Generator().manual_seed(3)
    for parameter in model.parameters():  # biases and normalizations too
        parameter.data += torch.randn(parameter.shape, generator=noise) * 0.1
    return model.double()


def ragged() -> tuple[Tensor, Tensor]:
    """Three documents of 3, 1 and 2 pages of different lengths."""
    ids, mask = (
        torch.randint(4, 40, (3, 3, 9), generator=torch.Generator().manual_seed(1)),
        torch.zeros(3, 3, 9),
    )
    for document, lengths in enumerate([(9, 4, 6), (5,), (7, 2)]):
        for page, length in enumerate(lengths):
            mask[document, page, :length] = 1
    return (ids * mask + (1 - mask)).long(), mask.long()


def summaries(*shape: int) -> Tensor:
    return torch.randint(4, 40, shape, generator=torch.Generator().manual_seed(2))


def slow(
    model: PageSumModel,
    sources: list[Tensor],
    summary: Tensor,
    tau: float = 1.0,
    detach: bool = True,
) -> Tensor:
    """Logits ``(T, V)`` of one document whose decoder reads sources ``(S, D)`` each."""
    config, body = model.config, model.model
    words = (
        body.shared(summary) + body.decoder.embed_positions.weight[POSITION_OFFSET:][: len(summary)]
    )
    first = body.decoder.layernorm_embedding(words)
    hidden = [[first[t] for t in range(len(summary))] for _ in sources]  # by page and step
    read: list[list[Tensor]] = []
    for number, layer in enumerate(body.decoder.layers):
        attention, heads = layer.encoder_attn, layer.encoder_attn.heads
        after, now = [], []
        for page, source in enumerate(sources):
            after.append([])
            now.append([])
            keys, values = (
                proj(source).unflatten(-1, (heads, -1))
                for proj in (attention.k_proj, attention.v_proj)
            )
            for t in range(len(summary)):
                past = torch.stack(hidden[page][: t + 1])
                attended = layer.self_attn(
                    past[-1:][None], layer.self_attn.keys_values(past[None])
                )[0, 0]
                state = layer.self_attn_layer_norm(hidden[page][t] + attended)
                mean = None
                if number and t:
                    mean = (
                        sum(read_before(model, hidden, read, page, m, detach) for m in range(t)) / t
                    )
                elif number and config.dpp_first_step == "ones":
                    mean = torch.ones_like(state)
                if mean is not None and config.dpp_past != "none":
                    mean = (attention.past_proj if config.dpp_past == "own" else attention.k_proj)(
                        mean
                    )
                query = attention.q_proj(state).unflatten(-1, (heads, -1))
                contexts, contributions = [], []
                for h in range(heads):
                    alpha = (keys[:, h] @ query[h] / len(query[h]) ** 0.5 / tau).softmax(0)
                    omega = alpha
                    if mean is not None:
                        cosine = F.cosine_similarity(
                            mean.unflatten(-1, (heads, -1))[h][None], keys[:, h]
                        )
                        omega = alpha * (1 - (cosine**2 if config.dpp_square else cosine))
                        omega = omega / omega.sum() if config.dpp_rescale else omega
                    contexts.append(omega @ values[:, h])
                    contributions.append(omega @ keys[:, h])
                state = layer.encoder_attn_layer_norm(
                    state + attention.out_proj(torch.cat(contexts))
                )
                state = layer.final_layer_norm(
                    state + layer.fc2(layer.activation(layer.fc1(state)))
                )
                after[page].append(state)
                now[page].append(torch.cat(contributions))
        hidden, read = after, now
    states = torch.stack([torch.stack(page) for page in hidden])  # (P, T, D)
    return model.project((model.lin(states).softmax(0) * states).sum(0))


def read_before(
    model: PageSumModel,
    hidden: list[list[Tensor]],
    read: list[list[Tensor]],
    page: int,
    step: int,
    detach: bool,
) -> Tensor:
    """What the layer below read at a step."""
    if model.config.dpp_pages == "own":
        return read[page][step]
    pages = torch.stack([own[step] for own in read])  # (P, D)
    if model.config.dpp_pages == "uniform":
        return pages.mean(0)
    confidences = model.lin(torch.stack([own[step] for own in hidden])).softmax(0)
    return ((confidences.detach() if detach else confidences) * pages).sum(0)


def encoded(model: PageSumModel, ids: Tensor, mask: Tensor) -> list[Tensor]:
    """States of each page of a document ``(P, S)``, read alone."""
    used = [page[own.bool()][None] for page, own in zip(ids, mask, strict=True) if own.any()]
    return [
        model.model.encoder(model.model.embed(page), torch.ones_like(page).bool())[0]
        for page in used
    ]


@pytest.mark.parametrize(
    "choices",
    [{}, LITERAL, {"dpp_past": "key", "dpp_first_step": "ones"}],
    ids=["released", "literal", "key"],
)
@pytest.mark.parametrize("pages", PAGES)
def test_every_step_is_the_formulas(
    pages: str, choices: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    # pages of different lengths are computed separately
    monkeypatch.setattr(packing, "PADDING_LIMIT", 1)
    model = tiny(dpp_pages=pages, **choices).requires_grad_(False)
    ids, mask = ragged()
    summary = summaries(3, 5)
    logits = model(ids, mask, summary).logits
    for document in range(3):
        expected = slow(model, encoded(model, ids[document], mask[document]), summary[document])
        torch.testing.assert_close(logits[document], expected, **CLOSE)


@pytest.mark.parametrize("pages", PAGES)
def test_gradients_are_those_of_the_formulas(pages: str) -> None:
    """All parameters learn, and nothing by way of the confidences that weight the past."""
    model = tiny(dpp_pages=pages)
    ids, mask = ragged()
    summary = summaries(1, 5)
    weights = torch.randn(5, 40, generator=torch.Generator().manual_seed(5)).double()

    def gradients(logits: Tensor) -> dict[str, Tensor]:
        model.zero_grad()
        (logits * weights).sum().backward()
        return {name: parameter.grad for name, parameter in model.named_parameters()}

    ours = gradients(model(ids[:1], mask[:1], summary).logits[0])
    expected = gradients(slow(model, encoded(model, ids[0], mask[0]), summary[0]))
    for name, gradient in expected.items():
        torch.testing.assert_close(
            ours[name], gradient, **CLOSE, msg=lambda text, name=name: name + text
        )
        assert gradient.abs().max() > 1e-3 or name.endswith(("k_proj.bias", "lin.bias")), name
    if pages == "confidence":
        flowing = gradients(slow(model, encoded(model, ids[0], mask[0]), summary[0], detach=False))
        assert (flowing["lin.weight"] - expected["lin.weight"]).abs().max() > 0.01


@pytest.mark.parametrize("pages", PAGES)
def test_beams_keep_their_own_past(pages: str) -> None:
    """After every step, with beams that follow others, the scores are those of a whole pass over
    each beam.
    """
    model = tiny(dpp_pages=pages).requires_grad_(False)
    ids, mask = ragged()
    scorer = model.scorer(model.encode(PageBatch(ids, mask)), 3)
    chance = torch.Generator().manual_seed(4)
    histories = torch.zeros(3, 3, 0, dtype=torch.long)  # (B, K, steps)
    for step in range(6):
        parents = torch.randint(0, 3, (3, 3), generator=chance) if step else None
        if parents is not None:
            histories = histories.gather(1, parents[:, :, None].expand_as(histories))
        histories = torch.cat([histories, torch.randint(4, 40, (3, 3, 1), generator=chance)], -1)
        found = scorer.step(histories[:, :, -1], parents)
        for beam in range(3):
            whole = model(ids, mask, histories[:, beam])
            torch.testing.assert_close(found.logits[:, beam], whole.logits[:, -1], **CLOSE)
            torch.testing.assert_close(found.trace["page"][:, beam], whole.page_confidences[:, -1])


@pytest.mark.parametrize("beams", [1, 3])
@pytest.mark.parametrize(
    "settings", [{"dpp_pages": "confidence"}, {"decoding": "global"}], ids=["pages", "global"]
)
def test_generation_is_a_whole_pass(settings: dict[str, Any], beams: int) -> None:
    model = tiny(**settings, dpp_rescale=False)
    ids, mask = ragged()
    found = model.generate(
        ids, mask, num_beams=beams, max_length=20, min_length=18, length_penalty=0.0
    )
    out = model(ids, mask, found.sequences[:, :-1])
    torch.testing.assert_close(found.page_confidences, out.page_confidences, **CLOSE)


@pytest.mark.parametrize("pages", ["own", "uniform"])
def test_the_temperature_divides_the_scores(pages: str) -> None:
    model = tiny(dpp_pages=pages).requires_grad_(False)
    ids, mask = ragged()
    summary = summaries(1, 4)
    scorer = model.scorer(model.encode(PageBatch(ids[:1], mask[:1])), 1, attention_temperature=0.6)
    logits = torch.stack(
        [scorer.step(token[None, None], None).logits[0, 0] for token in summary[0]]
    )
    expected = slow(model, encoded(model, ids[0], mask[0]), summary[0], tau=0.6)
    torch.testing.assert_close(logits, expected, **CLOSE)


def test_global_decoding_reads_all_pages_as_one() -> None:
    """Logits by the formulas over the joined pages; page confidences sum to 1 though the weights do
    not.
    """
    model = tiny(decoding="global", **LITERAL)
    ids, mask = ragged()
    summary = summaries(3, 5)
    out = model(ids, mask, summary)
    expected = slow(model, [torch.cat(encoded(model, ids[0], mask[0]))], summary[0])
    torch.testing.assert_close(out.logits[0], expected, **CLOSE)
    torch.testing.assert_close(out.page_confidences.sum(-1), torch.ones(3, 5))


def test_the_first_step_has_read_nothing() -> None:
    """It is plain attention; the next one is not."""
    model = tiny()
    plain = tiny(dpp=False)
    missing, unexpected = plain.load_state_dict(model.state_dict(), strict=False)
    assert not missing
    assert {name.rpartition(".encoder_attn.")[0] for name in unexpected} == {
        "model.decoder.layers.1",
        "model.decoder.layers.2",
    }
    ids, mask = ragged()
    summary = summaries(3, 4)
    one, other = model(ids, mask, summary).logits, plain(ids, mask, summary).logits
    torch.testing.assert_close(one[:, 0], other[:, 0], **CLOSE)
    assert (one[:, 1:] - other[:, 1:]).abs().amax((0, 2)).min() > 1e-3


def test_on_one_page_all_pasts_are_the_same() -> None:
    ids, mask = ragged()
    own, *others = (
        tiny(dpp_pages=pages)(ids[:, :1], mask[:, :1], summaries(3, 6)).logits
        for pages in ("own", *PAGES[1:])
    )
    assert all(torch.equal(own, other) for other in others)


def test_the_pasts_differ_on_several_pages() -> None:
    ids, mask = ragged()
    own, uniform, confidence = (
        tiny(dpp_pages=pages)(ids, mask, summaries(3, 6)).logits for pages in PAGES
    )
    for one, other in ((own, uniform), (uniform, confidence)):
        assert (one[0] - other[0]).abs().max() > 1e-3
        torch.testing.assert_close(one[1], other[1], **CLOSE)  # of one page


@pytest.mark.parametrize("pages", PAGES)
def test_gradient_checkpointing_changes_nothing_but_memory(pages: str) -> None:
    model = tiny(dpp_pages=pages).train()
    ids, mask = ragged()
    gradients = []
    for checkpointing in (False, True):
        if checkpointing:
            model.enable_gradient_checkpointing()
        model.zero_grad()
        model(ids, mask, labels=summaries(3, 6), return_logits=False).loss.backward()
        gradients.append([parameter.grad.clone() for parameter in model.parameters()])
    for plain, checkpointed in zip(*gradients, strict=True):
        torch.testing.assert_close(plain, checkpointed)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("pages", PAGES)
def test_half_precision_is_close(pages: str, dtype: torch.dtype) -> None:
    model = tiny(dpp_pages=pages, init_std=0.1).float().requires_grad_(False)
    ids, mask = ragged()
    summary = summaries(3, 8)
    full = model(ids, mask, summary).logits
    model.to(dtype)
    scorer = model.scorer(model.encode(PageBatch(ids, mask)), 1)
    steps = torch.stack(
        [scorer.step(summary[:, t : t + 1], None).logits[:, 0] for t in range(8)], dim=1
    )
    for half in (model(ids, mask, summary).logits, steps):
        assert half.dtype == dtype
        assert (half - full).abs().mean() < 0.02 * full.abs().mean()


def test_a_bart_becomes_a_dpp_model_by_its_configuration(tmp_path: Path) -> None:
    """A projection of the past that is not there yet leaves the past as it is."""
    shape = {
        name: value
        for name, value in tiny(dpp=False).config.to_dict().items()
        if not name.startswith("dpp")
    }
    del shape["model_type"], shape["generation"]
    torch.manual_seed(0)
    BartForConditionalGeneration(BartConfig(**shape)).save_pretrained(tmp_path)
    stored = json.loads((tmp_path / "config.json").read_text())
    ids, mask = ragged()
    logits = {}
    for past in ("none", "key", "own"):
        (tmp_path / "config.json").write_text(json.dumps({**stored, "dpp": True, "dpp_past": past}))
        model, _ = load_model(str(tmp_path), device="cpu", dtype="float32")
        assert (model.config.dpp, model.config.dpp_past) == (True, past)
        logits[past] = model(ids, mask, summaries(3, 5)).logits
    torch.testing.assert_close(logits["own"], logits["none"])
    assert not torch.allclose(logits["key"], logits["none"])
    model.save_pretrained(tmp_path / "again")
    again, _ = load_model(str(tmp_path / "again"), device="cpu", dtype="float32")
    assert torch.equal(again(ids, mask, summaries(3, 5)).logits, logits["own"])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"dpp_pages": "all"}, "dpp_pages is 'all', expected one of own, uniform, confidence"),
        (
            {"dpp_pages": "uniform", "decoding": "global"},
            "dpp_pages is 'uniform', expected own with global decoding",
        ),
        ({"decoder_layers": 1}, "decoder_layers is 1, expected 2 or more with dpp"),
        ({"dpp_past": "value"}, "dpp_past is 'value', expected one of own, key, none"),
    ],
)
def test_unknown_choices_are_refused(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PageSumConfig.from_dict({"dpp": True, **values})
