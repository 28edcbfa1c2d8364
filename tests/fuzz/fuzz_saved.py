"""Fuzzes saved summaries: files of JSON and the history, which ``inspect`` draws and exports.

python tests/fuzz/fuzz_saved.py --seed 0 --count 1000
"""

import contextlib
import copy
import io
import json
import random
from pathlib import Path
from typing import Any
from unittest import mock

from fuzz_records import TOKENS, VALUES
from fuzzing import main, mutated

from pagesum_cli.summary.history import read_saved, recall, saved_in
from pagesum_cli.summary.summary import Summary
from pagesum_cli.views.evidence import evidence_view
from pagesum_cli.views.export import export
from pagesum_cli.views.heatmap import HeatMap, figures_view, head_view, parts_table
from pagesum_cli.views.plain import unstyled

SUMMARY: dict[str, Any] = {
    "schema": 1,
    "model": "m",
    "locality": "spatial",
    "title": "A title",
    "summary": "It rained. It stopped.",
    "sentences": [
        {
            "text": "It rained.",
            "pages": [{"page": 1, "confidence": 0.7}, {"page": 0, "confidence": 0.3}],
        }
        | {
            "source": {
                "page": 1,
                "sentence": 0,
                "file": "a.pdf",
                "section": "1 A",
                "pdf_pages": [1],
                "start": 3,
                "end": 9,
            }
        },
        {"text": "It stopped.", "pages": [{"page": 0, "confidence": 1.0}], "supported": False}
        | {"evidence": [{"text": "It did.", "page": 0, "pdf_pages": [1, 2], "support": 0.4}]},
    ],
    "tokens": [
        {"text": "It rained.", "confidences": [0.3, 0.7]},
        {"text": " It stopped.", "confidences": [1.0, 0.0], "log_probability": -1.5},
    ],
    "pages": [
        {
            "page": 0,
            "label": "1 A",
            "source": "a.pdf",
            "pdf_pages": [1],
            "tokens": 9,
            "truncated": False,
            "confidence": 0.5,
        },
        {
            "page": 1,
            "label": "2 B",
            "source": "a.pdf",
            "pdf_pages": [2],
            "tokens": 9,
            "truncated": True,
            "confidence": 0.5,
        },
    ],
    "settings": {"model": "m", "page_tokens": 64, "sources": ["a.pdf"]},
    "seconds": {"read": 0.1, "encode": 0.2, "decode": 0.3},
}


def _draw(random: random.Random, summary: Summary, folder: Path) -> None:
    """Everything that can be made of a saved summary, but figures of matplotlib, which take
    seconds.
    """
    by = random.choice(("word", "token", "sentence"))
    unstyled(head_view(summary, text=True))
    if summary.sentences:
        for view in (
            HeatMap(summary, by, 24),
            figures_view(summary),
            parts_table(summary, 24),
            evidence_view(summary),
        ):
            unstyled(view)
        for suffix in (".json", ".csv", ".html"):
            export(summary, str(folder / f"out{suffix}"), by)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with every key of it, at any depth."""
    keys = (
        list(value)
        if isinstance(value, dict)
        else range(len(value))
        if isinstance(value, list)
        else []
    )
    return [place for key in keys for place in ((value, key), *_places(value[key]))]


def _changed(random: random.Random) -> bytes:
    summary = copy.deepcopy(SUMMARY)
    for _ in range(random.choice((1, 1, 1, 2, 5))):
        container, key = random.choice(_places(summary))
        change = random.random()
        if change < 0.1:
            del container[key]
        elif change < 0.2 and isinstance(container, list):
            container *= random.choice((2, 200))
        else:
            container[key] = random.choice(VALUES)
    return json.dumps(summary, ensure_ascii=random.random() < 0.7).encode("utf-8", "surrogatepass")


def _file(random: random.Random, folder: Path, data: bytes) -> None:
    path = folder / random.choice(("s.json", "s.jsonl"))
    path.write_bytes(data)
    for summary in read_saved(str(path), saved_in(str(path)) or []):
        _draw(random, summary, folder)


def _values(random: random.Random, folder: Path) -> None:
    """A summary with other values in some places."""
    _file(random, folder, _changed(random))


def _bytes(random: random.Random, folder: Path) -> None:
    """The bytes of a summary, changed; sometimes several in a file."""
    data = json.dumps(SUMMARY).encode() + b"\n"
    _file(random, folder, mutated(random, data * random.choice((1, 1, 3)), [data], TOKENS))


def _history(random: random.Random, folder: Path) -> None:
    """The history: damaged files and things that are no summaries in its folder."""
    history = folder / "history"
    history.mkdir()
    for number in range(random.choice((0, 1, 3))):
        path = history / f"{number}.json"
        if random.random() < 0.05:
            path.mkdir()
        else:
            path.write_bytes(
                random.choice(
                    (_changed(random), mutated(random, _changed(random)), b"", b"[" * 100_000)
                )
            )
    with mock.patch("pagesum_cli.summary.history.history_folder", return_value=history):
        _draw(random, recall(random.choice((1, 1, 2, 11))), folder)


def _command(random: random.Random, folder: Path) -> None:
    """The command line itself: whatever it is given, it ends with a code of its own and no
    traceback.
    """
    from pagesum_cli.cli.app import run

    path = folder / "s.json"
    path.write_bytes(_changed(random))
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2)
    )
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(
            [
                "inspect",
                str(path),
                "--by",
                random.choice(("word", "token", "sentence")),
                "--evidence",
            ]
        )
    said = err.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert code in (0, 1, 2), code
    assert "unexpected" not in said, said
    assert not code or said.startswith("error: "), said


ATTACKS = {"values": _values, "bytes": _bytes, "history": _history, "command": _command}

if __name__ == "__main__":
    main("saved summaries", ATTACKS)
