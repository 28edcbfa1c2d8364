"""Which reader reads which files, and how one is added."""

from pathlib import Path

import pytest

from pagesum_cli.documents import formats
from pagesum_cli.documents.formats import Format, kind_of
from pagesum_cli.documents.read import find_files, read_file


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.PDF", "pdf"), ("b/c.jsonl.xz", "records"), ("a.json", "records"), ("a.md", "markdown"), ("a.docx", None)],
)
def test_formats_by_name(name: str, kind: str | None) -> None:
    assert kind_of(name) == kind


def test_a_reader_is_a_module_and_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "subtitles.py").write_text(
        "from pagesum_cli.documents.building import SectionBuilder, document\n"
        "from pagesum_cli.documents.encodings import decode\n"
        "def read(source):\n"
        "    builder = SectionBuilder()\n"
        "    for block in decode(source.data, source.path).split('\\n\\n'):\n"
        "        builder.paragraph(' '.join(block.splitlines()[2:]))\n"
        "    return [document(source.name, builder.sections(), source=source.path)]\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(formats, "FORMATS", [*formats.FORMATS, Format("subtitles", (".srt",), "subtitles:read")])
    path = tmp_path / "film.srt"
    path.write_text("1\n00:01 --> 00:02\nHello\nthere.\n\n2\n00:03 --> 00:04\nGood bye.\n")
    (document,) = read_file(str(path))
    assert document.text == "Hello there.\n\nGood bye."
    assert find_files([str(tmp_path)]) == [str(path)]
