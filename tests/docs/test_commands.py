"""Every command that README.md and docs/ show with a prompt works as it stands there, without a network."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BUNDLED = ROOT / "pagesum_cli" / "assets" / "mini" / "config.json"


def commands():
    shown = {}
    for page in PAGES:
        for block in re.findall(r"^```console\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S):
            for line in block.splitlines():
                if line.startswith("$ "):
                    shown.setdefault(line[2:], page.name)
    return [pytest.param(command, id=f"{page}: {command}") for command, page in shown.items()]


@pytest.fixture
def clone(tmp_path):
    """A folder with the examples where the commands expect them."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "docs" / "examples")
    return tmp_path


@pytest.mark.slow
@pytest.mark.skipif(not BUNDLED.exists(), reason="this checkout has no bundled checkpoint")
@pytest.mark.parametrize("command", commands())
def test_the_command_works(command, clone):
    variables = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HF_HUB_OFFLINE": "1",
        "XDG_STATE_HOME": str(clone / "state"),
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=clone, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "error" not in done.stderr
    assert done.stdout or "--output" in command or ">" in command


def test_links_between_the_pages_lead_somewhere():
    for page in [*PAGES, *(ROOT / "docs").rglob("README.md")]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_python_example_is_valid():
    for code in re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S):
        compile(code, "README.md", "exec")
