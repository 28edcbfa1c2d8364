"""What the three models share: generation, batches, pages, checkpoints and number formats."""

from pathlib import Path
from typing import Any

import pytest
import tiny
import torch
from torch import Tensor

from pagesum_cli.decoding.rules import standard_rules
from pagesum_cli.decoding.scorer import SearchResult, Step
from pagesum_cli.decoding.search import beam_search
from pagesum_cli.errors import PagesumError
from pagesum_cli.models.base import PageBatch, load_model
from pagesum_cli.models.dpp.model import RecurrentConfig, SequenceModel

PAPER: dict[str, dict[str, Any]] = {"dpp_square": False, "dpp_past": "none", "dpp_rescale": False}
VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *(
        (kind, settings)
        for kind in tiny.SEQUENCE
        for settings in ({}, {"dpp": True}, {"dpp": True, **PAPER})
    ),
    ("recurrent", {"coverage_vector": True}),
    ("recurrent", {"dpp": True, "coverage_vector": True, "dpp_recurrence": "context"}),
    (
        "transformer",
        {"dpp": True, "dpp_past": "key", "dpp_first_step": "ones", "norm_first": False},
    ),
]
# Two documents of three and two pages; 12 and 13 stand for words that the vocabulary lacks.
IDS = torch.tensor(
    [
        [[5, 9, 12, 4, 0], [6, 12, 7, 0, 0], [8, 9, 4, 5, 10]],
        [[4, 13, 0, 0, 0], [7, 7, 6, 0, 0], [0] * 5],
    ]
)
MASK = IDS != 0
SUMMARY = torch.tensor([[1, 9, 12, 4, 5], [1, 13, 7, 6, 2]])


@pytest.fixture(
    params=VARIANTS, ids=lambda one: "-".join([one[0], *(f"{k}={v}" for k, v in one[1].items())])
)
def model(request: pytest.FixtureRequest) -> SequenceModel:
    kind, settings = request.param
    return tiny.sequence(kind, **settings)


@pytest.fixture(params=tiny.SEQUENCE)
def plain_and_dpp(request: pytest.FixtureRequest) -> list[SequenceModel]:
    return [tiny.sequence(request.param, dpp=dpp) for dpp in (False, True)]


class FromScratch:
    """Scores every hypothesis anew, by teacher forcing, without any state of the model."""

    def __init__(self, model: SequenceModel, beams: int) -> None:
        self.model, self.prefixes = model, torch.empty(2, beams, 0, dtype=torch.long)
        self.beams, self.has_reordered = beams, False

    def step(self, tokens: Tensor, parents: Tensor | None) -> Step:
        if parents is not None:
            self.has_reordered |= parents.tolist() != [list(range(self.beams))] * 2
            self.prefixes = self.prefixes.gather(1, parents[..., None].expand_as(self.prefixes))
        self.prefixes = torch.cat([self.prefixes, tokens[..., None]], -1)
        beams = [
            self.model(IDS, MASK, decoder_input_ids=self.prefixes[:, k]) for k in range(self.beams)
        ]
        logits = torch.stack([one.logits[:, -1] for one in beams], 1)
        return Step(
            logits, {"page": torch.stack([one.page_confidences[:, -1] for one in beams], 1)}
        )


def search(scorer: Any, beams: int) -> SearchResult:
    rules = standard_rules(10, 6, 3, 2)
    ends = {"max_length": 10, "eos_token_id": 2, "pad_token_id": 0}
    common = {"length_penalty": 0.9, "early_stopping": False, "num_return_sequences": beams}
    return beam_search(scorer, torch.tensor([1, 1]), beams, rules, **ends, **common)


@torch.no_grad()
def test_one_step_at_a_time_is_all_steps_at_once(model: SequenceModel) -> None:
    expected = model(IDS, MASK, decoder_input_ids=SUMMARY)
    scorer = model.scorer(model.encode(PageBatch(IDS, MASK)), 1)
    for t in range(SUMMARY.shape[1]):
        step = scorer.step(SUMMARY[:, t : t + 1], None)
        torch.testing.assert_close(step.logits[:, 0], expected.logits[:, t], rtol=1e-4, atol=1e-4)
        torch.testing.assert_close(
            step.trace["page"][:, 0], expected.page_confidences[:, t], rtol=0, atol=1e-5
        )


@torch.no_grad()
def test_beams_find_what_scoring_from_scratch_finds(model: SequenceModel) -> None:
    found = search(model.scorer(model.encode(PageBatch(IDS, MASK)), 3), 3)
    slow = FromScratch(model, 3)
    expected = search(slow, 3)
    assert slow.has_reordered
    assert found.tokens.tolist() == expected.tokens.tolist()
    torch.testing.assert_close(found.scores, expected.scores, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(found.traces["page"], expected.traces["page"], rtol=0, atol=1e-5)


@torch.no_grad()
def test_a_document_alone_is_the_document_in_a_batch(model: SequenceModel) -> None:
    together = model(IDS, MASK, decoder_input_ids=SUMMARY)
    for b, pages in ((0, 3), (1, 2)):
        alone = model(
            IDS[b : b + 1, :pages], MASK[b : b + 1, :pages], decoder_input_ids=SUMMARY[b : b + 1]
        )
        entries = alone.logits.shape[-1]
        torch.testing.assert_close(
            alone.logits[0], together.logits[b, :, :entries], rtol=1e-4, atol=1e-5
        )
        torch.testing.assert_close(
            alone.page_confidences[0], together.page_confidences[b, :, :pages]
        )


@torch.no_grad()
def test_page_confidences_are_the_attention_to_the_tokens_of_a_page(model: SequenceModel) -> None:
    shares = model(IDS, MASK, decoder_input_ids=SUMMARY).page_confidences
    torch.testing.assert_close(shares.sum(-1), torch.ones(2, 5))
    assert not shares[1, :, 2].any()  # no page
    attention = model.decode(model.encode(PageBatch(IDS, MASK)), SUMMARY).mean_attention
    for b, sizes in enumerate(MASK.sum(-1).tolist()):
        first = 0
        for page, size in enumerate(sizes):
            expected = attention[b, :, first : first + size].sum(-1) / attention[b].sum(-1)
            torch.testing.assert_close(shares[b, :, page], expected, rtol=0, atol=1e-6)
            first += size


@torch.no_grad()
def test_saved_and_loaded_it_computes_the_same(model: SequenceModel, tmp_path: Path) -> None:
    model.save_pretrained(tmp_path)
    again, _ = load_model(str(tmp_path), device="cpu", dtype="float32")
    assert again.config.to_dict() == model.config.to_dict()
    one, other = (some(IDS, MASK, decoder_input_ids=SUMMARY).logits for some in (model, again))
    assert torch.equal(one, other)
    assert isinstance(again, SequenceModel)
    assert again.generate(IDS, MASK, num_beams=2, max_length=6).sequences.shape[0] == 2


@torch.no_grad()
def test_words_beyond_the_vocabulary_are_read_as_unknown(
    plain_and_dpp: list[SequenceModel],
) -> None:
    for model in plain_and_dpp:
        known, summary = model.known(IDS), model.known(SUMMARY)
        assert known.max() < 12
        assert (known[IDS >= 12] == model.config.unk_token_id).all()
        one, other = (
            model(IDS, MASK, decoder_input_ids=SUMMARY),
            model(known, MASK, decoder_input_ids=summary),
        )
        torch.testing.assert_close(one.page_confidences, other.page_confidences, rtol=0, atol=0)
        if model.copies:
            assert one.logits.shape[-1] == 14
            words = [*range(3), *range(4, 12)]
            torch.testing.assert_close(one.logits[..., words], other.logits[..., words])
            copied = one.logits[..., [3, 12, 13]].logsumexp(-1)
            torch.testing.assert_close(copied, other.logits[..., 3])
        else:
            assert torch.equal(one.logits, other.logits)


@torch.no_grad()
def test_temperature_divides_the_scores_of_attention() -> None:
    for kind in tiny.SEQUENCE:
        model = tiny.sequence(kind, **({} if kind == "recurrent" else {"decoder_layers": 1}))
        memory = model.encode(PageBatch(IDS, MASK))
        plain, sharp = (
            model.scorer(memory, 1, attention_temperature=one)
            .step(SUMMARY[:, :1], None)
            .trace["attention"]
            for one in (1.0, 0.6)
        )
        expected = plain ** (1 / 0.6)
        torch.testing.assert_close(
            sharp, expected / expected.sum(-1, keepdim=True), rtol=1e-4, atol=1e-6
        )


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16])
def test_other_number_formats(plain_and_dpp: list[SequenceModel], dtype: torch.dtype) -> None:
    for model in plain_and_dpp:
        exact = model(IDS, MASK, labels=SUMMARY).loss.item()
        model.to(dtype)
        out = model(IDS, MASK, labels=SUMMARY)
        assert out.loss.item() == pytest.approx(exact, rel=1e-5 if dtype == torch.float64 else 0.1)
        out.loss.backward()
        assert all(one.grad.isfinite().all() for one in model.parameters() if one.grad is not None)
        assert (
            model.generate(IDS, MASK, num_beams=2, max_length=6).sequences_scores.isfinite().all()
        )


def test_training_in_mixed_precision_reaches_every_weight(
    plain_and_dpp: list[SequenceModel],
) -> None:
    for model in plain_and_dpp:
        model.config.coverage_loss = 1.0
        with torch.autocast("cpu", torch.bfloat16):
            loss = model.train()(IDS, MASK, labels=SUMMARY, return_logits=False).loss
        loss.backward()
        assert loss.isfinite()
        for name, weight in model.named_parameters():
            assert weight.grad is not None, name
            assert weight.grad.isfinite().all(), name


def test_the_loss_needs_no_logits(model: SequenceModel) -> None:
    model.config.coverage_loss = 0.5
    labels = SUMMARY.clone()
    labels[1, 3:] = -100
    whole = model(IDS, MASK, labels=labels)
    assert model(IDS, MASK, labels=labels, return_logits=False).loss.item() == pytest.approx(
        whole.loss.item()
    )
    model.config.coverage_loss = 0.0
    scores = whole.logits.log_softmax(-1)
    targets = (labels if model.copies else model.known(labels)).clamp(min=0)
    expected = -scores.gather(-1, targets[..., None]).squeeze(-1)[labels != -100].mean()
    assert model(IDS, MASK, labels=labels).loss.item() == pytest.approx(expected.item(), rel=1e-4)
    assert whole.loss.item() > expected.item()


@pytest.mark.parametrize("kind", tiny.SEQUENCE)
def test_settings_that_contradict_are_refused(kind: str, tmp_path: Path) -> None:
    model = tiny.sequence(kind)
    for name, value in (("dpp_past", "values"), ("dpp_first_step", "zeros")):
        with pytest.raises(ValueError, match=f"{name} is '{value}', expected one of "):
            type(model.config).from_dict({**model.config.to_dict(), name: value})
    model.config.dpp_past = "values"
    model.save_pretrained(tmp_path)
    with pytest.raises(PagesumError, match="dpp_past is 'values', expected one of own, key, none"):
        load_model(str(tmp_path), device="cpu")


def test_a_recurrent_model_has_two_directions_of_equal_width() -> None:
    for name, value in (("d_model", 7), ("dpp_recurrence", "state")):
        with pytest.raises(ValueError, match=f"{name} is "):
            RecurrentConfig.from_dict({name: value})


def test_sizes_of_the_paper() -> None:
    """Parameters at the paper's sizes with 50,000 words; DPP adds the projections of the past
    (Transformer only).
    """
    expected = {
        ("recurrent", False): 36_779_857,
        ("recurrent", True): 36_779_857,
        ("transformer", False): 80_678_225,
        ("transformer", True): 80_678_225 + 3 * (512 * 512 + 512),
        ("convolutional", False): 42_444_704,
        ("convolutional", True): 42_444_704,
    }
    found = {}
    for kind, (family, config, _) in tiny.SEQUENCE.items():
        for dpp in (False, True):
            with torch.device("meta"):
                found[kind, dpp] = sum(
                    one.numel() for one in family(config(vocab_size=50000, dpp=dpp)).parameters()
                )
    assert found == expected


FIGURES = {
    "input_ids": IDS,
    "attention_mask": MASK,
    "decoder_input_ids": SUMMARY,
    "labels": SUMMARY,
}


@torch.no_grad()
def test_what_beta_does_is_counted_where_the_past_was_read() -> None:
    model = tiny.sequence("recurrent", dpp=True)
    source = model.encode(PageBatch(IDS, MASK))
    state = model.start(source, 1, 1.0)
    read, unread, moves = [], [], []
    accumulated = torch.zeros_like(source.mask, dtype=torch.float64)
    for step in range(SUMMARY.shape[1]):
        past = state.read[:, 0] / max(state.steps, 1)  # (B, D)
        weights = model.step(source, SUMMARY[:, step, None], state).attention[:, 0]
        beta = 1 - torch.cosine_similarity(past[:, None], source.states, dim=-1) ** 2
        before = weights / beta
        before = before / before.sum(-1, keepdim=True)
        for b, j in source.mask.nonzero().tolist() if step else []:
            (
                read if accumulated[b, j] >= 0.6 else unread if accumulated[b, j] < 0.2 else []
            ).append(beta[b, j])
        moves += (weights - before).abs().sum(-1).div(2).tolist() if step else []
        accumulated += weights
    expected = {"beta_read": read, "beta_unread": unread, "beta_moves": moves}
    found = model.figures(FIGURES)
    assert found == pytest.approx(
        {name: float(sum(one) / len(one)) for name, one in expected.items()}, abs=1e-5
    )


@pytest.mark.parametrize("kind", tiny.SEQUENCE)
def test_only_dpp_attention_has_figures_of_beta(kind: str) -> None:
    assert tiny.sequence(kind).figures(FIGURES) == {}
    assert tiny.sequence(kind, dpp=True).figures(FIGURES).keys() == {
        "beta_read",
        "beta_unread",
        "beta_moves",
    }


@torch.no_grad()
def test_the_copying_transformer_tells_what_was_read_with_shared_keys_alone(tmp_path: Path) -> None:
    settings = {"dpp": True, **PAPER, "d_model": 64, "decoder_layers": 4}
    found = []
    for shared_keys in (False, True):
        model = tiny.sequence("transformer", **settings, shared_keys=shared_keys)
        for layer in model.decoder:  # read a position or two at a time
            layer.encoder_attn.q_proj.weight.mul_(40)
        found.append(model.figures(FIGURES))
        names = [name for name in model.state_dict() if name.endswith("encoder_attn.k_proj.weight")]
        assert len(names) == (1 if shared_keys else 4)
        model.save_pretrained(tmp_path / str(shared_keys))
        again, _ = load_model(tmp_path / str(shared_keys), device="cpu", dtype="float32")
        assert again.float().figures(FIGURES) == pytest.approx(
            model.float().figures(FIGURES), abs=1e-5
        )
    printed, shared = found
    assert abs(printed["beta_read"] - printed["beta_unread"]) < 0.1
    assert shared["beta_read"] < shared["beta_unread"] / 2
