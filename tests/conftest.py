"""What several tests need: a tiny checkpoint that works like a real one, and the command line in this process."""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

TEXTS = (
    "The harvest was late this year. Rain fell for eleven days in April, and the fields stood under water until May.",
    "Prices rose in most towns. Wheat cost a third more than the year before, and bread followed in the summer.",
    "The council met twice. It lent seed to forty farms and asked the mills to hold their prices until the winter.",
    "Methods. We asked two hundred farmers what they sowed, when they sowed it, and what they sold it for.",
    "Results. Farms on the hills lost a tenth of their wheat; farms by the river lost nearly half of it.",
)


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint folder of random weights, 32 wide, with a lower-case WordPiece tokenizer, 128 positions."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    from transformers import GenerationConfig, PreTrainedTokenizerFast

    from pagesum_cli import PageSumConfig, PageSumForConditionalGeneration

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    trainer = trainers.WordPieceTrainer(vocab_size=400, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(TEXTS, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    torch.manual_seed(1)
    config = PageSumConfig(
        vocab_size=tokenizer.get_vocab_size(),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=128,
        page_tokens=64,
        init_std=0.3,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        decoder_start_token_id=3,
        forced_bos_token_id=2,
        forced_eos_token_id=3,
    )
    model = PageSumForConditionalGeneration(config)
    model.generation_config = GenerationConfig(
        num_beams=2,
        max_length=30,
        min_length=12,
        no_repeat_ngram_size=3,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        decoder_start_token_id=3,
        forced_bos_token_id=2,
        forced_eos_token_id=3,
    )
    folder = tmp_path_factory.mktemp("checkpoint") / "tiny"
    model.save_pretrained(folder)
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", bos_token="[CLS]", eos_token="[SEP]"
    ).save_pretrained(folder)
    return folder


@pytest.fixture(autouse=True)
def history(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept summaries: not the user's own."""
    folder = tmp_path_factory.mktemp("state") / "history"
    monkeypatch.setattr("pagesum_cli.history.history_folder", lambda: folder)
    return folder


@pytest.fixture
def pagesum(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs a command line in this process: ``pagesum("pages", "a.txt", stdin=b"…")``."""
    from pagesum_cli.cli.app import run

    def call(*arguments: str | os.PathLike[str], stdin: bytes = b"") -> Result:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
            patch.setattr("sys.stdout", out)
            patch.setattr("sys.stderr", err)
            code = run([os.fspath(argument) for argument in arguments])
        return Result(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))

    return call


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    """A text file of a few sentences, without headings."""
    path = tmp_path / "letter.txt"
    path.write_text(" ".join(TEXTS[:3]), encoding="utf-8")
    return path


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A Markdown file with a title and three sections."""
    path = tmp_path / "report.md"
    path.write_text(
        f"# The late harvest\n\n## Introduction\n\n{TEXTS[0]} {TEXTS[1]}\n\n## Methods\n\n{TEXTS[3]}\n\n"
        f"## Results\n\n{TEXTS[4]} {TEXTS[2]}\n",
        encoding="utf-8",
    )
    return path
