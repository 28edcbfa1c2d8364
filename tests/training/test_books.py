"""Training of a chapter model, and from it of a book model on joined reference summaries."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.models.base import load_model
from pagesum_cli.training.job import Job, check_job
from pagesum_cli.training.prepare import prepared
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import Settings, load_settings
from pagesum_cli.training.start import starting_point

Make = Callable[..., Settings]


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Books of three chapters each, with summaries of the chapters and of the book."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    lines = []
    for number in range(12):
        names = [*["oak", "elm", "yew"][number % 3 :], "ash"]
        chapters = [
            {"heading": f"Chapter {name}", "text": f"the {name} grows here . " * 3}
            for name in names
        ]
        summaries = [{"heading": f"Chapter {name}", "text": f"{name} grows ."} for name in names]
        value = {
            "id": f"b{number}",
            "sections": chapters,
            "chapter_summaries": summaries,
            "summary": " ".join(names),
        }
        lines.append(json.dumps(value) + "\n")
    path = tmp_path / "books.jsonl"
    path.write_text("".join(lines))
    return path


def test_a_book_model_is_trained_from_a_chapter_model(
    books: Path, settings: Make, tmp_path: Path
) -> None:
    tiny = {
        "architecture": "topdown",
        "model": {
            "window": 8,
            "kernel": 4,
            "stride": 3,
            "max_source_positions": 128,
            "pooling": "average",
        },
        "layers": 3,
        "source_tokens": 100,
        "epochs": 1,
    }
    chapter = tmp_path / "chapter"
    train(Job((str(books),), chapter, settings(**tiny), device="cpu"))
    # The preset's own settings, but for those that are too large for a tiny model.
    small = {
        "init": str(chapter),
        "target_tokens": 16,
        "min_length": 1,
        "max_length": 14,
        "page_tokens": 64,
    }
    small |= {"source_tokens": 100, "epochs": 1, "beams": 1, "accumulate": 2}
    shape = {
        name: tiny["model"][name] for name in ("window", "kernel", "stride", "max_source_positions")
    }  # type: ignore[index]
    preset = load_settings(
        "topdown-booksum-book", flags={**small, "model": {**shape, "local_layers": 2}}
    )
    start = starting_point(preset, [])
    examples = prepared([str(books)], "train", start.plan(preset), root=tmp_path / "prepared")
    read = " ".join(start.tokenizer.decode(page.tolist()).strip() for page in examples[2].pages)
    assert read == "Chapter yew yew grows . Chapter ash ash grows ."
    result = train(Job((str(books),), tmp_path / "book", preset, device="cpu"))
    assert result.scores.keys() >= {"rouge2", "loss"}
    model, _ = load_model(str(tmp_path / "book"), device="cpu")
    assert (model.config.model_type, model.config.locality) == ("topdown", "discourse")


def test_books_without_summaries_of_chapters_are_reported(
    books: Path, settings: Make, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in books.read_text().splitlines()]
    for one in lines:
        del one["chapter_summaries"]
    books.write_text("".join(json.dumps(one) + "\n" for one in lines))
    chosen = settings(chapter_summaries=True)
    check_job(Job((str(books),), tmp_path / "run", chosen))
    with pytest.raises(PagesumError, match='expected "chapter_summaries", found none'):
        train(Job((str(books),), tmp_path / "run", chosen, device="cpu"))
