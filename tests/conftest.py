"""What several tests need: a tiny checkpoint that works like a real one, and the command line in
this process.
"""

import io
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import schemas
import tiny
from tiny import TEXTS

from pagesum_cli.locality import Pages
from pagesum_cli.summary.drafts import SummaryText, quoted
from pagesum_cli.summary.repairs import applied
from pagesum_cli.summary.summary import Draft
from pagesum_cli.system import available_cores


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """A process for each core, of one thread; for a single file, which starts sooner without any,
    none.
    """
    if len(config.args) == 1 and Path(config.args[0].partition("::")[0]).is_file():
        return 0
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    return available_cores()


def pytest_configure() -> None:
    """Tests do not depend on whether Tesseract is installed."""
    os.environ["PAGESUM_OCR_LANGUAGES"] = "none"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is marked ``stress`` is slow too, so that ``-m "not slow"`` leaves it out."""
    for item in items:
        if item.get_closest_marker("stress"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generating checkpoint of random weights, 32 wide, with a lower-case WordPiece tokenizer,
    128 positions.
    """
    tokenizer = tiny.word_piece(TEXTS)
    forced = {"forced_bos_token_id": tiny.START, "forced_eos_token_id": tiny.END}
    generation = {
        "num_beams": 2,
        "max_length": 30,
        "min_length": 12,
        "no_repeat_ngram_size": 3,
        **forced,
    }
    shape = {
        "max_position_embeddings": 128,
        "init_std": 0.3,
        "encoder_ffn_dim": 64,
        "decoder_ffn_dim": 64,
    }
    tokens = {**tiny.TOKENS, "decoder_start_token_id": tiny.END}
    model = tiny.pagesum(
        1, vocab_size=tokenizer.vocab_size, generation=generation, **shape, **tokens
    )
    return tiny.save_checkpoint(tmp_path_factory.mktemp("checkpoint") / "tiny", model, tokenizer)


@pytest.fixture(scope="session")
def tiny_extractive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An extractive checkpoint of random weights, 32 wide, with a lower-case WordPiece tokenizer,
    128 positions.
    """
    tokenizer = tiny.word_piece(TEXTS, control_tokens=True)
    model = tiny.extractive(1, vocab_size=tokenizer.vocab_size, max_position_embeddings=128)
    return tiny.save_checkpoint(
        tmp_path_factory.mktemp("checkpoint") / "extractive", model, tokenizer
    )


@pytest.fixture(autouse=True)
def exact_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compares every quote of every summary that is made in this process with its document."""

    def checked(
        pages: Pages, draft: Draft, texts: Sequence[str] = (), **options: Any
    ) -> SummaryText:
        written = quoted(pages, draft, texts, **options)
        for sentence in () if texts else written.sentences:
            source = sentence.source
            assert source is not None
            documents = [
                document for document in options["documents"] if document.name == source.file
            ]
            slices = [document.text[source.start : source.end] for document in documents]
            assert sentence.text in [
                applied(one, source.omitted, source.inserted) for one in slices
            ]
        return written

    monkeypatch.setattr("pagesum_cli.summarizer.quoted", checked)


@pytest.fixture(scope="session")
def new_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Empty folders: ``mktemp`` compares the names of all folders so far, which takes milliseconds
    after some thousand tests.
    """
    parent = tmp_path_factory.mktemp("homes")

    def made() -> Iterator[Path]:
        for number in count():
            folder = parent / str(number)
            folder.mkdir()
            yield folder

    return made()


@pytest.fixture(autouse=True)
def history(new_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept summaries: not the user's own."""
    folder = next(new_folders) / "history"
    monkeypatch.setattr("pagesum_cli.summary.history.history_folder", lambda: folder)
    return folder


@pytest.fixture(autouse=True)
def config_home(new_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of configuration files: not the user's own. Tests use the faster bundled model,
    unless they name another.
    """
    folder = next(new_folders)
    (folder / "pagesum").mkdir()
    (folder / "pagesum" / "config.toml").write_text('model = "mini"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder))
    monkeypatch.delenv("PAGESUM_CONFIG", raising=False)
    return folder


@pytest.fixture(autouse=True)
def data_home(new_folders: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of added models: not the user's own."""
    folder = next(new_folders)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


@pytest.fixture
def pagesum(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs a command line in this process: ``pagesum("pages", "a.txt", stdin=b"…")``, on a terminal
    if it is to. JSON that it prints is compared with its schema.
    """
    from pagesum_cli.cli import console
    from pagesum_cli.cli.app import run

    monkeypatch.setattr(console, "HEARTBEAT", 1e6)  # no lines on stderr where the machine is busy

    def call(
        *arguments: str | os.PathLike[str], stdin: bytes = b"", terminal: bool = False
    ) -> Result:
        out, err = (
            io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)
        )
        if terminal:
            out.isatty = lambda: True  # type: ignore[method-assign]
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
            patch.setattr("sys.stdout", out)
            patch.setattr("sys.stderr", err)
            code = run([os.fspath(argument) for argument in arguments])
        result = Result(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))
        if "json" in arguments and result.out:
            schemas.check(str(arguments[0]), result.out)
        return result

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
        f"# The late harvest\n\n## Introduction\n\n{TEXTS[0]} {TEXTS[1]}\n\n## "
        f"Methods\n\n{TEXTS[3]}\n\n"
        f"## Results\n\n{TEXTS[4]} {TEXTS[2]}\n",
        encoding="utf-8",
    )
    return path
