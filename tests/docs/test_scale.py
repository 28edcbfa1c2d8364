"""The examples of docs/scale.md run as they are."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pagesum_cli.errors import is_installed

PAGE = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
EXAMPLES = dict(re.findall(r"^`?([\w ]+)`?:\n\n```python\n(.*?)^```", PAGE, re.M | re.S))
RECORDS = [
    {"id": f"paper {number}", "text": f"Rain fell for {number} days. The river rose."}
    for number in range(3)
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "package"), [("Ray Data", "ray"), ("datasets", "datasets"), ("Spark", "pyspark")]
)
def test_the_example_summarizes_each_record(name: str, package: str, tmp_path: Path) -> None:
    if not is_installed(package) or (name == "Spark" and shutil.which("java") is None):
        pytest.skip(f"needs {package}, and Spark a JVM")
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    variables = {**os.environ, "PYSPARK_PYTHON": sys.executable, "HF_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", EXAMPLES[name]]
    done = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    files = list(tmp_path.glob("summaries*/*.json")) or [tmp_path / "summaries.jsonl"]
    rows = [json.loads(line) for path in files for line in path.read_text().splitlines()]
    assert sorted(row["id"] for row in rows) == [record["id"] for record in RECORDS]
    assert all(row["summary"] and not row["summary_error"] for row in rows)
    assert {json.loads(row["summary_json"])["settings"]["id"] for row in rows} == {
        record["id"] for record in RECORDS
    }
