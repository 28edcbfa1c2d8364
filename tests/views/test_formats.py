"""The table of formats."""

import sys

import pytest

from pagesum_cli.errors import UsageError
from pagesum_cli.views.formats import FORMATS, Format, format_of, written

NEW_VIEW = """
def view(summary, *, cite):
    return "\\n".join(f"* {sentence.text}" for sentence in summary.sentences)
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.md", "markdown"),
        ("A.JSON", "json"),
        ("a.jsonl", "jsonl"),
        ("/dev/stdout", "text"),
        (None, "text"),
    ],
)
def test_the_extension_of_a_file_names_its_format(path, name):
    assert format_of(path) == name


def test_an_unknown_extension_is_refused_before_any_work(pagesum, report, tmp_path):
    with pytest.raises(UsageError, match=r"unknown extension \.docx"):
        format_of("a.docx")
    result = pagesum("summarize", report, "-o", tmp_path / "a.docx")
    assert result.code == 2
    assert not (tmp_path / "a.docx").exists()


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_writes_the_summary(summary, name):
    text = written(summary, name, cite=True)
    assert all(sentence.text in text for sentence in summary.sentences)
    assert not text.endswith("\n")


@pytest.mark.parametrize("name", FORMATS)
def test_citations_are_the_default_in_markdown_and_html(summary, name):
    own = written(summary, name)
    assert own == written(summary, name, cite=name in ("markdown", "html"))
    if name not in ("json", "jsonl", "annotations", "parquet", "obsidian"):
        ways = {
            written(summary, name, cite=cite, bullets=bullets)
            for cite in (0, 1)
            for bullets in (0, 1)
        }
        assert len(ways) == (2 if name == "html" else 4)


def test_a_new_format_is_a_function_and_a_line(
    pagesum, tiny_checkpoint, report, tmp_path, monkeypatch
):
    (tmp_path / "bullets.py").write_text(NEW_VIEW)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(FORMATS, "bullets", Format(".org", "bullets:view", "bullets"))
    output = tmp_path / "summary.org"
    assert pagesum("summarize", report, "--model", tiny_checkpoint, "-o", output).code == 0
    assert output.read_text().startswith("* ")
    sys.modules.pop("bullets")
