"""The model computes what the original program computed, and what BART computes on one page."""

from pathlib import Path

import pytest
import tiny as build
import torch
from reference import DATA, INPUTS, Reference, trimmed
from transformers import BartConfig, BartForConditionalGeneration

import pagesum_cli.models.pagesum as modeling
from pagesum_cli import load_model
from pagesum_cli.errors import PagesumError
from pagesum_cli.models.pagesum import PageSumModel

ALL = Path(__file__).parents[4] / "shared" / "reference"
"""The whole of it, where it is at hand."""
# Gradients of these are zero in truth: what is left is rounding.
NO_GRADIENT = ("k_proj.bias", "lin.bias")


WHOLE = [
    pytest.param(folder, marks=pytest.mark.slow, id=f"whole {folder.name}")
    for folder in sorted(ALL.glob("ref-*"))
]


@pytest.fixture(
    scope="module", params=[DATA / "ref-a", DATA / "ref-b", *WHOLE], ids=lambda folder: folder.name
)
def reference(request: pytest.FixtureRequest) -> Reference:
    return Reference(request.param)


def test_forward_is_the_originals(reference: Reference) -> None:
    for case in reference.cases:
        out = reference.model(**{name: reference.tensor(case, name) for name in INPUTS})
        some = reference.documents(case)
        torch.testing.assert_close(
            out.logits[some], reference.tensor(case, "logits")[some], atol=5e-4, rtol=0
        )
        confidences = reference.tensor(case, "page_confidence")[some]
        torch.testing.assert_close(out.page_confidences[some], confidences, atol=1e-4, rtol=0)
        torch.testing.assert_close(
            out.page_confidences.sum(-1),
            torch.ones(out.page_confidences.shape[:2]),
            atol=1e-5,
            rtol=0,
        )


def test_loss_and_gradients_are_the_originals(reference: Reference) -> None:
    for case, info in reference.cases.items():
        if info["all_pad_pages_in_last_doc"]:
            continue
        reference.model.zero_grad()
        out = reference.model(
            **{name: reference.tensor(case, name) for name in INPUTS}, labels=reference.labels(case)
        )
        out.loss.backward()
        assert out.loss.item() == pytest.approx(info["label_smoothing_loss"], rel=1e-5)
        for name, parameter in reference.model.named_parameters():
            if not name.endswith(NO_GRADIENT) and name in info["grad_norms"]:
                assert parameter.grad.norm().item() == pytest.approx(
                    info["grad_norms"][name], rel=1e-3
                ), name


def test_every_summary_is_the_originals(reference: Reference) -> None:
    compared = 0
    for case, info in reference.cases.items():
        ids, mask = reference.tensor(case, "input_ids"), reference.tensor(case, "attention_mask")
        for name, expected in info["generate"].items():
            found = reference.model.generate(ids, mask, **reference.settings[name])
            some = slice(
                0,
                reference.documents(case).stop
                * reference.settings[name].get("num_return_sequences", 1),
            )
            theirs, ours = expected["sequences"][some], found.sequences.tolist()[some]
            assert [trimmed(s) for s in ours] == [trimmed(s) for s in theirs], (case, name)
            if expected["scores"]:
                assert found.sequences_scores.tolist()[some] == pytest.approx(
                    expected["scores"][some], abs=1e-4
                )
            key = {
                "arxiv": "arxiv_best_beam_page_confidence",
                "greedy": "greedy_page_confidence",
            }.get(name)
            if key:
                written = (found.sequences[:, 1:] != reference.model.config.pad_token_id)[some]
                confidences = reference.tensor(case, key)[some][written]
                torch.testing.assert_close(
                    found.page_confidences[some][written], confidences, atol=1e-4, rtol=0
                )
            compared += 1
    assert compared == sum(len(info["generate"]) for info in reference.cases.values()) > 10


def tiny(**settings: object) -> PageSumModel:
    shape = {
        "encoder_layers": 2,
        "decoder_layers": 2,
        "encoder_attention_heads": 4,
        "decoder_attention_heads": 4,
    }
    sizes = {"max_position_embeddings": 64, "page_tokens": 32, "init_std": 0.2}
    return build.pagesum(**{**shape, **sizes, "generation": {"forced_eos_token_id": 2}, **settings})


def ragged() -> tuple[torch.Tensor, torch.Tensor]:
    """Three documents of 3, 1 and 2 pages of different lengths."""
    torch.manual_seed(1)
    ids, mask = torch.randint(4, 60, (3, 3, 20)), torch.zeros(3, 3, 20, dtype=torch.long)
    for document, lengths in enumerate([(20, 7, 12), (9,), (15, 3)]):
        for page, length in enumerate(lengths):
            mask[document, page, :length] = 1
    return ids * mask + (1 - mask), mask


def test_one_page_is_bart() -> None:
    model = tiny()
    settings = {
        key: value
        for key, value in model.config.to_dict().items()
        if key not in ("model_type", "generation")
    }
    bart = BartForConditionalGeneration(BartConfig(**settings)).eval()
    missing, unexpected = bart.load_state_dict(model.state_dict(), strict=False)
    assert set(missing) == {
        "model.encoder.embed_tokens.weight",
        "model.decoder.embed_tokens.weight",
        "lm_head.weight",
    }
    assert set(unexpected) == {"lin.weight", "lin.bias"}
    bart.tie_weights()
    ids, mask = ragged()
    summary = torch.randint(4, 60, (3, 11))
    ours = model(ids[:, :1], mask[:, :1], summary)
    theirs = bart(input_ids=ids[:, 0], attention_mask=mask[:, 0], decoder_input_ids=summary)
    torch.testing.assert_close(ours.logits, theirs.logits, atol=1e-5, rtol=1e-5)
    assert ours.page_confidences.eq(1).all()


def test_a_batch_of_different_documents_is_each_alone() -> None:
    model = tiny()
    ids, mask = ragged()
    summary = torch.randint(4, 60, (3, 9))
    together = model(ids, mask, summary)
    written = model.generate(ids, mask, num_beams=3, max_length=12, no_repeat_ngram_size=2)
    for document, (pages, length) in enumerate([(3, 20), (1, 9), (2, 15)]):
        own = slice(document, document + 1)
        alone = model(ids[own, :pages, :length], mask[own, :pages, :length], summary[own])
        torch.testing.assert_close(together.logits[own], alone.logits, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(
            together.page_confidences[own, :, :pages], alone.page_confidences
        )
        assert together.page_confidences[own, :, pages:].eq(0).all()
        single = model.generate(
            ids[own, :pages, :length],
            mask[own, :pages, :length],
            num_beams=3,
            max_length=12,
            no_repeat_ngram_size=2,
        )
        assert trimmed(written.sequences[document].tolist()) == trimmed(
            single.sequences[0].tolist()
        )


@pytest.mark.parametrize("beams", [1, 3])
def test_steps_are_a_whole_pass(beams: int) -> None:
    """What the search remembers gives the confidences and the scores of a pass over the finished
    summary.
    """
    model = tiny()
    ids, mask = ragged()
    found = model.generate(
        ids, mask, num_beams=beams, max_length=30, min_length=25, length_penalty=0.0
    )
    out = model(ids, mask, found.sequences[:, :-1])
    torch.testing.assert_close(found.page_confidences, out.page_confidences, atol=1e-5, rtol=1e-4)
    scores = out.logits.log_softmax(-1).gather(-1, found.sequences[:, 1:, None]).squeeze(-1)
    assert found.sequences[:, -1].eq(model.config.eos_token_id).all()
    if beams > 1:  # a forced end costs nothing
        expected = scores[:, :-1].sum(1)
        torch.testing.assert_close(found.sequences_scores, expected, atol=1e-3, rtol=1e-3)


def test_pages_read_a_few_at_a_time_give_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny()
    ids, mask = ragged()
    whole = model.generate(ids, mask, num_beams=2, max_length=12)
    monkeypatch.setattr(modeling, "ENCODER_TOKENS", 40)
    sliced = model.generate(ids, mask, num_beams=2, max_length=12)
    assert torch.equal(whole.sequences, sliced.sequences)
    torch.testing.assert_close(whole.page_confidences, sliced.page_confidences)


@pytest.mark.parametrize("most", [1, 40])
def test_a_pass_without_gradients_takes_a_few_pages_at_a_time(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    model = tiny()
    ids, mask = ragged()
    summary = torch.tensor([[2, 5, 6, 7]] * len(ids))
    whole = model(ids, mask, summary)
    sizes: list[torch.Size] = []
    model.model.encoder.register_forward_pre_hook(
        lambda module, inputs: sizes.append(inputs[1].shape)
    )
    monkeypatch.setattr(modeling, "ENCODER_TOKENS", most)
    with torch.no_grad():
        sliced = model(ids, mask, summary)
    assert sum(pages for pages, _ in sizes) == int(mask.any(-1).sum())
    assert len(sizes) > 1
    assert all(pages == 1 or pages * tokens <= most for pages, tokens in sizes)
    torch.testing.assert_close(sliced.logits, whole.logits)
    torch.testing.assert_close(sliced.page_confidences, whole.page_confidences)


def test_out_of_memory_encodes_fewer_pages_then_reports_it() -> None:
    model = tiny()
    ids, mask = ragged()
    whole = model.generate(ids, mask, num_beams=2, max_length=12)
    limit, sizes = 2, []

    def small_device(module: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        sizes.append(len(inputs[1]))
        if len(inputs[1]) > limit:
            raise torch.OutOfMemoryError("CUDA out of memory")

    model.model.encoder.register_forward_pre_hook(small_device)
    assert torch.equal(
        model.generate(ids, mask, num_beams=2, max_length=12).sequences, whole.sequences
    )
    assert max(sizes) > limit
    limit = 0
    with pytest.raises(PagesumError, match="memory does not hold 9 parts") as caught:
        model.generate(ids, mask, num_beams=2, max_length=12)
    assert "--max-pages" in caught.value.hint


def test_more_pages_than_memory_holds_are_refused_beforehand() -> None:
    many = 2**24
    ids = torch.ones(1, 1, 60, dtype=torch.long).expand(1, many, 60)  # takes no memory itself
    with pytest.raises(
        PagesumError, match=r"16777216 parts need \d+ GB of memory, but \d+ GB are"
    ) as caught:
        tiny().generate(ids, None, num_beams=4, max_length=60)
    assert "--max-pages" in caught.value.hint


def test_pages_read_are_told() -> None:
    ids, mask = ragged()
    told: list[tuple[int, int]] = []
    tiny().generate(
        ids,
        mask,
        num_beams=2,
        max_length=5,
        on_encode=lambda done, pages: told.append((done, pages)),
    )
    assert told[-1] == (6, 6)


def test_order_of_pages_does_not_matter() -> None:
    model = tiny()
    ids = torch.randint(4, 60, (1, 4, 10))
    summary = torch.randint(4, 60, (1, 6))
    order = torch.tensor([2, 0, 3, 1])
    first, second = model(ids, None, summary), model(ids[:, order], None, summary)
    torch.testing.assert_close(first.logits, second.logits, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(first.page_confidences[:, :, order], second.page_confidences)


def test_what_makes_no_sense_is_refused() -> None:
    model = tiny()
    ids, mask = ragged()
    with pytest.raises(ValueError, match="documents, pages, tokens"):
        model(ids[0], None, ids[0])
    with pytest.raises(ValueError, match="without any token"):
        model(ids, mask * 0, ids[:, 0])
    with pytest.raises(ValueError, match="decoder_input_ids or labels"):
        model(ids, mask)
    with pytest.raises(ValueError, match="max_length 66"):
        model.generate(ids, mask, max_length=66)
    with pytest.raises(ValueError, match="num_return_sequences 3 with 2 beams"):
        model.generate(ids, mask, max_length=9, num_beams=2, num_return_sequences=3)


def test_labels_alone_are_moved_behind_the_start_token() -> None:
    model = tiny()
    ids, mask = ragged()
    labels = torch.randint(4, 60, (3, 7))
    labels[1, 4:] = -100
    start = torch.full((3, 1), model.config.decoder_start_token_id)
    inputs = torch.cat([start, labels[:, :-1].clamp(min=1)], dim=1)
    torch.testing.assert_close(
        model(ids, mask, labels=labels).loss, model(ids, mask, inputs, labels=labels).loss
    )


def test_saved_and_loaded(tmp_path: Path) -> None:
    model = tiny(generation={"num_beams": 3})
    model.save_pretrained(tmp_path)
    ids, mask = ragged()
    for other in (
        PageSumModel.from_pretrained(tmp_path, dtype="float32"),
        load_model(str(tmp_path), dtype="float32")[0],
    ):
        assert other.config == model.config
        summary = ids[:, 0, :5]
        torch.testing.assert_close(
            other(ids, mask, summary).logits, model(ids, mask, summary).logits
        )


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_half_precision_is_close(dtype: torch.dtype) -> None:
    model = tiny()
    ids, mask = ragged()
    summary = ids[:, 0, :8]
    full = model(ids, mask, summary)
    half = model.to(dtype)(ids, mask, summary)
    assert half.page_confidences.dtype == torch.float32
    assert (half.page_confidences - full.page_confidences).abs().max() < 0.1
    assert model.generate(ids, mask, num_beams=2, max_length=10).sequences.shape[0] == 3


def test_gradient_checkpointing_changes_nothing_but_memory() -> None:
    model = tiny(dropout=0.0).train()
    ids, mask = ragged()
    labels = torch.randint(4, 60, (3, 7))
    gradients = []
    for checkpointing in (False, True):
        if checkpointing:
            model.enable_gradient_checkpointing()
        model.zero_grad()
        model(ids, mask, labels=labels).loss.backward()
        gradients.append([p.grad.clone() for p in model.parameters()])
    for plain, checkpointed in zip(*gradients, strict=True):
        torch.testing.assert_close(plain, checkpointed)


# Global decoding


def flat_bart(model: PageSumModel) -> BartForConditionalGeneration:
    settings = {
        key: value
        for key, value in model.config.to_dict().items()
        if key not in ("model_type", "generation")
    }
    bart = BartForConditionalGeneration(BartConfig(**settings, attn_implementation="eager")).eval()
    bart.load_state_dict(model.state_dict(), strict=False)
    bart.tie_weights()
    return bart


def test_global_decoding_is_a_bart_whose_decoder_reads_all_pages() -> None:
    """Logits, and each page's share of the cross-attention, by Transformers' own decoder."""
    model = tiny(decoding="global")
    ids, mask = ragged()
    summary = torch.randint(4, 60, (3, 9))
    out = model(ids, mask, summary)
    bart = flat_bart(model)
    for document in range(3):
        pages = [page for page in range(3) if mask[document, page].any()]
        lengths = [int(mask[document, page].sum()) for page in pages]
        encoded = [
            bart.model.encoder(ids[document, p, :n][None]).last_hidden_state
            for p, n in zip(pages, lengths, strict=True)
        ]
        theirs = bart.model.decoder(
            input_ids=summary[document][None],
            encoder_hidden_states=torch.cat(encoded, dim=1),
            output_attentions=True,
        )
        logits = bart.lm_head(theirs.last_hidden_state) + bart.final_logits_bias
        torch.testing.assert_close(out.logits[document], logits[0], atol=1e-4, rtol=1e-4)
        weights = torch.stack(theirs.cross_attentions).mean((0, 2))[0]  # (T, L)
        shares = torch.stack([part.sum(-1) for part in weights.split(lengths, dim=-1)], dim=-1)
        torch.testing.assert_close(
            out.page_confidences[document, :, : len(pages)], shares, atol=1e-5, rtol=1e-4
        )
    torch.testing.assert_close(out.page_confidences.sum(-1), torch.ones(3, 9))


@pytest.mark.parametrize("beams", [1, 3])
def test_global_decoding_generates_what_a_whole_pass_gives(beams: int) -> None:
    model = tiny(decoding="global")
    ids, mask = ragged()
    result = model.generate(
        ids, mask, num_beams=beams, max_length=30, min_length=25, length_penalty=0.0
    )
    out = model(ids, mask, result.sequences[:, :-1])
    torch.testing.assert_close(result.page_confidences, out.page_confidences, atol=1e-5, rtol=1e-4)


def test_global_decoding_learns() -> None:
    model = tiny(decoding="global", dropout=0.0).train()
    ids, mask = ragged()
    labels = torch.randint(4, 60, (3, 7))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    losses = []
    for _ in range(30):
        loss = model(ids, mask, labels=labels, return_logits=False).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0]
