"""The examples of docs/architecture.md, added to a copy of the package as the page describes,
work.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import tiny

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FILES = re.findall(
    r"`(pagesum_cli/[\w/]+\.py)`[^`]*:\n\n```python\n(\"{3}.*?)^```", PAGE, re.M | re.S
)
LINES = re.findall(
    r"in\s`([A-Z_]+)`\sof\s`(pagesum_cli/[\w/]+\.py)`[^`]*(?:`--locality`)?[:.\n]*\n```\n(.*?)^```",
    PAGE,
    re.M | re.S | re.I,
)

CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="http://openoffice.org/2000/office"
  xmlns:text="http://openoffice.org/2000/text">
<office:body><text:h text:level="1">Harvest</text:h>
<text:p>The harvest was <text:span>late</text:span> this year.</text:p>
<text:h text:level="1">Prices</text:h><text:p>Prices rose in most towns.</text:p>
</office:body></office:document-content>
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a copy of the package, without the bundled weights, to which the examples are
    added.
    """
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        ROOT / "pagesum_cli",
        folder / "pagesum_cli",
        ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"),
    )
    for name, code in FILES:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(code, encoding="utf-8")
    for table, name, line in LINES:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        pattern = re.compile(rf"^{table}\b[^\n]*= ?([\[({{])", re.M)
        assert pattern.search(text), f"no table {table} in {name}"
        text = pattern.sub(lambda match, line=line: f"{match[0]}\n{line}", text, count=1)
        path.write_text(text, encoding="utf-8")
    return folder


def run(package: Path, *words: str | Path) -> str:
    variables = {**os.environ, "PYTHONPATH": str(package), "XDG_STATE_HOME": str(package / "state")}
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=package,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_has_an_example_of_each() -> None:
    assert [name.split("/")[1] for name, _ in FILES] == [
        "documents",
        "locality",
        "evaluation",
        "views",
        "models",
    ]
    assert [table for table, _, _ in LINES] == [
        "FORMATS",
        "LOCALITIES",
        "LOCALITIES",
        "METRICS",
        "FORMATS",
        "MODEL_TYPES",
    ]
    assert all(len(code.splitlines()) <= 40 for _, code in FILES)


def test_a_reader(package: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.sxw"
    with zipfile.ZipFile(report, "w") as archive:
        archive.writestr("mimetype", "application/vnd.sun.xml.writer")
        archive.writestr("content.xml", CONTENT)
    (document,) = json.loads(
        run(package, "-m", "pagesum_cli", "pages", report, "--format", "json")
    )["documents"]
    assert document["text"].split("\n\n") == [
        *("Harvest", "The harvest was late this year."),
        *("Prices", "Prices rose in most towns."),
    ]


def printed_pages(package: Path, *options: str) -> list[dict[str, object]]:
    words = (
        "pages",
        ROOT / "docs" / "examples" / "paper.pdf",
        "--locality",
        "printed",
        "--page-tokens",
        "512",
    )
    pages: list[dict[str, object]] = json.loads(
        run(package, "-m", "pagesum_cli", *words, "--format", "json", *options)
    )["pages"]
    return pages


def test_a_locality(package: Path) -> None:
    pages = printed_pages(package)
    assert {str(page["label"]).partition(" (")[0] for page in pages} == {
        f"p. {number}" for number in range(1, 8)
    }
    assert all(str(page["label"]).startswith(f"p. {page['pdf_pages'][0]}") for page in pages)  # type: ignore[index]


def test_a_locality_forms_a_fixed_number_of_pages(package: Path) -> None:
    pages = printed_pages(package, "--num-pages", "3")
    assert len(pages) == 3
    assert all(str(page["label"]).startswith("p. ") for page in pages)


def test_a_metric(package: Path, tmp_path: Path) -> None:
    for name, text in (
        ("out", "One two three.\nOne two.\n"),
        ("ref", "One two.\nOne two three four.\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    scores = json.loads(
        run(
            package, "-m", "pagesum_cli", "eval", "--predictions", tmp_path / "out",
            "--references", tmp_path / "ref", "--metrics", "length-ratio", "--format", "json",
            "--processes", "1",
        )
    )  # fmt: skip
    assert scores["metrics"]["length-ratio"]["value"] == pytest.approx(100)  # of 150 and 50


@pytest.mark.slow
def test_a_model_and_a_view(package: Path, tmp_path: Path, report: Path) -> None:
    tokenizer = tiny.word_piece(tiny.TEXTS)
    model = tiny.pagesum(
        1,
        vocab_size=tokenizer.vocab_size,
        generation={"num_beams": 2, "max_length": 30, "min_length": 12},
        **tiny.TOKENS,
    )
    folder = tiny.save_checkpoint(tmp_path / "sharp", model, tokenizer)
    config = folder / "config.json"
    config.write_text(
        config.read_text(encoding="utf-8").replace('"pagesum"', '"sharp"'), encoding="utf-8"
    )
    words = (
        "-m",
        "pagesum_cli",
        "summarize",
        report,
        "--model",
        folder,
        "--device",
        "cpu",
        "--format",
        "tsv",
        "--cite",
    )
    lines = run(package, *words).splitlines()
    assert lines
    assert all(re.search(r"\t.+$", line) for line in lines)
