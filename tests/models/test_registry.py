"""A third party's architecture takes one folder and one line in the registry: everything else works
with it.
"""

import sys
from pathlib import Path

import pytest
import tiny
import torch

from pagesum_cli import PageSummarizer, load_model
from pagesum_cli.models import catalog


@pytest.fixture
def copying(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    monkeypatch.setitem(catalog.MODEL_TYPES, "copying", "copying.model:CopyingModel")
    yield catalog.model_class("copying")
    for name in [name for name in sys.modules if name.split(".")[0] == "copying"]:
        del sys.modules[name]


def test_it_loads_generates_and_summarizes(copying, tmp_path: Path, report: Path) -> None:
    tokenizer = tiny.word_piece(tiny.TEXTS)
    torch.manual_seed(0)
    sizes = {
        "vocab_size": tokenizer.vocab_size,
        "d_model": 16,
        "max_position_embeddings": 128,
        "page_tokens": 64,
    }
    tokens = {**tiny.TOKENS, "generation": {"num_beams": 3, "max_length": 20, "min_length": 10}}
    tiny.save_checkpoint(
        tmp_path / "copying", copying(copying.config_class(**sizes, **tokens)), tokenizer
    )

    model, _ = load_model(str(tmp_path / "copying"), device="cpu", dtype="float32")
    assert isinstance(model, copying)
    summary = PageSummarizer.from_pretrained(
        str(tmp_path / "copying"), device="cpu", dtype="float32"
    ).summarize(report)
    assert len(summary.tokens) >= 8
    for sentence in summary.sentences:
        assert sum(share.confidence for share in sentence.pages) == pytest.approx(1)


@pytest.mark.parametrize("beams", [1, 3])
def test_its_state_and_traces_follow_the_beams(copying, beams: int) -> None:
    torch.manual_seed(3)
    model = copying(
        copying.config_class(vocab_size=20, d_model=16, max_position_embeddings=40, **tiny.TOKENS)
    ).eval()
    ids = torch.randint(4, 20, (2, 3, 7))
    result = model.generate(ids, num_beams=beams, max_length=12, min_length=11, length_penalty=0.0)
    out = model(ids, None, result.sequences[:, :-1])
    torch.testing.assert_close(result.page_confidences, out.page_confidences, atol=1e-5, rtol=1e-4)
    assert set(result.traces) == model.traces
    if beams > 1:
        scores = out.logits.gather(-1, result.sequences[:, 1:, None]).sum((1, 2))
        ended = result.sequences[:, -1] == tiny.END
        torch.testing.assert_close(
            result.sequences_scores[ended], scores[ended], atol=1e-4, rtol=1e-4
        )


def test_an_unknown_architecture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        catalog.model_class("t5")
