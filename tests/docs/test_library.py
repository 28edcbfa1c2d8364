"""The recipes of docs/library.md run as they are."""

import ast
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
RECIPES = {
    section.partition("\n")[0]: re.findall(r"^```python\n(.*?)^```", section, re.M | re.S)
    for section in re.split(r"^##? ", PAGE, flags=re.M)
    if "```python" in section
}
ALONE = {"A batch of PDFs to a data frame", "Notebooks", "A web service"}
"""Recipes with a test of their own."""

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the examples in their place, and ``papers`` with a PDF and a damaged one."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    (tmp_path / "papers").mkdir()
    shutil.copy(tmp_path / "docs" / "examples" / "paper.pdf", tmp_path / "papers" / "a.pdf")
    (tmp_path / "papers" / "b.pdf").write_bytes(b"%PDF-1.7 broken")
    return tmp_path


def run(code: str, folder: Path) -> str:
    variables = {**os.environ, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", code],
        cwd=folder, env=variables, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(code, id=name)
        for name, codes in RECIPES.items()
        if name not in ALONE
        for code in codes
    ],
)
def test_the_recipe_works(code: str, folder: Path) -> None:
    assert len(run(code, folder).splitlines()) > 2


def test_errors_are_reported_with_hints(folder: Path) -> None:
    (code,) = RECIPES["Errors"]
    assert run(code, folder).splitlines() == [
        "cannot be summarized: missing.pdf: no such file",
        "hint: check the path; use - to read standard input",
        "wrong option: locality 'discurse': expected one of auto, spatial, discourse, document",
        "hint: did you mean discourse?",
    ]


def test_a_batch_gives_a_row_per_file_also_if_one_is_damaged(folder: Path) -> None:
    batch, sentences = RECIPES["A batch of PDFs to a data frame"]
    if not find_spec("pandas"):
        batch = batch.replace("import pandas as pd\n", "").replace("pd.DataFrame(rows)", "rows")
    code = f"{batch}\nimport json; print(json.dumps(rows))"
    good, bad = json.loads(run(code, folder).splitlines()[-1])
    assert good["title"] == "Construction of the Literature Graph in Semantic Scholar"
    assert good["parts"] > 10
    assert good["summary"]
    assert bad["file"] == "b.pdf"
    assert "broken" in bad["error"]
    assert all("'section': " in line for line in run(sentences, folder).splitlines())


def test_the_last_value_of_a_cell_shows_itself(folder: Path) -> None:
    (code,) = RECIPES["Notebooks"]
    *_, last = ast.parse(code).body
    assert isinstance(last, ast.Expr)
    value = ast.unparse(last)
    html = run(f"{code}\nprint({value}._repr_html_())", folder)
    assert "[p. 84 (PDF 1), Abstract]" in html


@pytest.fixture
def service(folder: Path) -> Iterator[str]:
    """The address of the web service of the recipe, on a free port."""
    (code,) = RECIPES["A web service"]
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert code.count("8000") == 1
    with subprocess.Popen(
        [sys.executable, "-c", code.replace("8000", str(port))], cwd=folder
    ) as process:
        try:
            for _ in range(600):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


def post(address: str, data: bytes) -> tuple[int, dict[str, object]]:
    try:
        with urllib.request.urlopen(urllib.request.Request(address, data), timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_the_web_service_answers(service: str, folder: Path) -> None:
    status, summary = post(service, (folder / "papers" / "a.pdf").read_bytes())
    assert (status, summary["title"]) == (
        200,
        "Construction of the Literature Graph in Semantic Scholar",
    )
    status, summary = post(
        service, b"The council met twice. It lent seed to forty farms by the river."
    )
    assert (status, summary["locality"]) == (200, "spatial")
    status, answer = post(service, (folder / "papers" / "b.pdf").read_bytes())
    assert status == 422
    assert "broken" in str(answer["error"])
    assert answer["hint"]


def test_the_web_service_answers_two_requests_at_a_time_alike(service: str, folder: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    bodies = [
        path.read_bytes()
        for path in sorted((folder / "docs" / "examples" / "beige_book").glob("*.txt"))
    ]
    alone = [post(service, body)[1]["sentences"] for body in bodies]
    with ThreadPoolExecutor(len(bodies)) as pool:
        together = [
            answer["sentences"] for _, answer in pool.map(lambda body: post(service, body), bodies)
        ]
    assert together == alone
