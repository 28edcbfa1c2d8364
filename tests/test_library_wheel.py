"""What is distributed: the files of the wheel and the source distribution, and the types that a
user's mypy sees.
"""

import email
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/quickstart.md", "docs/library.md")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a source distribution of this checkout, and the wheel that is built from it."""
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    ignored = shutil.ignore_patterns(
        ".git", ".venv", "build", "dist", "runs", "*.egg-info", "__pycache__", ".*_cache"
    )
    shutil.copytree(ROOT, source, ignore=ignored)
    (source / "pagesum_cli" / "__pycache__").mkdir()
    (source / "pagesum_cli" / "__pycache__" / "stray.pyc").touch()
    done = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist", source],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert not re.search(
        r"deprecat|would be ignored|SetuptoolsWarning", done.stdout + done.stderr, re.I
    )
    return folder / "dist"


@pytest.fixture(scope="module")
def wheel(dist: Path) -> Path:
    (path,) = dist.glob("*.whl")
    return path


def sources(folder: str) -> set[str]:
    """The files of a folder of the repository that are not made by a program."""
    paths = (ROOT / folder).rglob("*")
    return {
        path.relative_to(ROOT).as_posix()
        for path in paths
        if path.is_file() and not {"__pycache__", ".pytest_cache"} & set(path.parts)
    }


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    about = {name for name in names if name.split("/")[0].endswith(".dist-info")}
    assert names - about == sources("pagesum_cli")
    assert any(name.endswith("licenses/LICENSE") for name in about)
    assert wheel.stat().st_size < 100e6


def test_the_source_distribution_holds_what_tests_and_docs_need(dist: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {one.name.partition("/")[2] for one in archive.getmembers() if one.isfile()}
    made = {name for name in names if name.startswith("pagesum.egg-info/")} | {
        "PKG-INFO",
        "setup.cfg",
    }
    others = {
        "CITATION.cff",
        "LICENSE",
        "MANIFEST.in",
        "README.md",
        "constraints.txt",
        "pyproject.toml",
    }
    assert names - made == sources("pagesum_cli") | sources("docs") | sources("tests") | others


def test_the_metadata(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        (entry_points,) = [
            name for name in archive.namelist() if name.endswith("/entry_points.txt")
        ]
        fields = email.message_from_bytes(archive.read(metadata))
        assert archive.read(entry_points).decode().split("\n\n")[0].split() == [
            "[console_scripts]", "pagesum", "=", "pagesum_cli.__main__:main",
        ]  # fmt: skip
    assert fields["License-Expression"] == "Apache-2.0"
    assert "Typing :: Typed" in fields.get_all("Classifier", [])
    assert fields["Requires-Python"] == ">=3.11"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a virtual environment that has the wheel, and the dependencies that are
    installed here.
    """
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    place = subprocess.run(
        [python, "-c", code], capture_output=True, text=True, check=True
    ).stdout.strip()
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    here = [one for one in sys.path if one.endswith(("site-packages", "dist-packages"))]
    (Path(place) / "dependencies.pth").write_text("\n".join(here), encoding="utf-8")
    return python


def test_the_installed_wheel_works(installed: Path, tmp_path: Path) -> None:
    text = tmp_path / "letter.txt"
    text.write_text(
        "The council lent seed to forty farms by the river. The farms are small.", encoding="utf-8"
    )
    code = "import pagesum_cli; print(pagesum_cli.__file__)"
    place = subprocess.run(
        [installed, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert place.startswith(str(installed.parents[1]))
    done = subprocess.run(
        [installed, "-m", "pagesum_cli", "summarize", text, "--no-history"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("The council lent seed")


def test_the_examples_of_the_documentation_have_types(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    scripts = []
    for page in PAGES:
        codes = re.findall(
            r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.M | re.S
        )
        for number, code in enumerate(codes):
            scripts.append(tmp_path / f"{Path(page).stem.lower()}_{number}.py")
            scripts[-1].write_text(code, encoding="utf-8")
    assert len(scripts) > 8
    wrong = tmp_path / "wrong.py"
    wrong.write_text(
        "from pagesum_cli import "
        "PageSummarizer\nPageSummarizer.from_pretrained(1).summarize('a').sentence\n"
    )
    settings = tmp_path / "mypy.ini"
    settings.write_text(
        "[mypy]\nstrict = true\n[mypy-pandas.*]\nignore_missing_imports = true\n", encoding="utf-8"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", settings, "--python-executable", installed,
         *scripts, wrong],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    errors = [line for line in done.stdout.splitlines() if ": error: " in line]
    assert [line for line in errors if not line.startswith("wrong.py")] == []
    assert {re.sub(r"^.*\[([\w-]+)\]$", r"\1", line) for line in errors} == {
        "arg-type",
        "attr-defined",
    }
