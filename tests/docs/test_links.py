"""Links between the pages of the documentation lead to a file and a heading."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "pagesum_cli" / "assets").rglob("README.md")),
    ROOT / "tests" / "data" / "README.md",
]


def anchors(page: Path) -> set[str]:
    """The anchors that GitHub gives to the headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _, anchor = target.replace("\n", "").partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_in_code_exist(page: Path) -> None:
    for path in re.findall(
        r"`((?:docs|tests|pagesum_cli)/[\w./-]+)`", page.read_text(encoding="utf-8")
    ):
        made_by_reader = "architecture" in page.name and path.endswith(".py")
        assert made_by_reader or (ROOT / path).exists(), path


def test_every_page_is_linked_from_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for page in sorted((ROOT / "docs").glob("*.md")):
        assert f"docs/{page.name}" in readme


def test_the_version_is_the_same_everywhere() -> None:
    version = (ROOT / "pagesum_cli" / "version.py").read_text(encoding="utf-8").split('"')[1]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version} – " in (ROOT / "docs" / "changelog.md").read_text(encoding="utf-8")
