"""The example book and the script that makes it."""

import importlib.util
import json
import lzma
from pathlib import Path

from pagesum_cli.documents.books.chapters import chapters_of
from pagesum_cli.documents.read import read_file

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_equal_records_give_equal_books(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("make_book", EXAMPLES / "make_book.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = "Activity rose. Retail Sales & orders fell. Commercial Real Estate Rents were flat."
    records = [
        {
            "id": f"beige-{year}-{month:02}",
            "documents": [{"name": name, "text": text} for name in ("Boston", "Atlanta")],
        }
        for year in (2006, 2007, 2008)
        for month in (10, 3)
    ]
    with lzma.open(tmp_path / "records.jsonl.xz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    for name in ("a.epub", "b.epub"):
        script.make(tmp_path / name, [str(tmp_path / "records.jsonl.xz")])
    assert (tmp_path / "a.epub").read_bytes() == (tmp_path / "b.epub").read_bytes()
    (document,) = read_file(str(tmp_path / "a.epub"))
    assert [section.heading for section in document.sections][:5] == [
        "2007",
        "March 2007",
        "Retail",
        "Commercial Real Estate",
        "October 2007",
    ]
    assert document.sections[2].text == "Sales & orders fell."


def test_the_example_is_a_book_of_ten_years() -> None:
    (document,) = read_file(str(EXAMPLES / "book.epub"))
    assert [one.title for one in chapters_of(document).chapters] == [
        str(year) for year in range(2007, 2017)
    ]
    assert len(document.text.split()) > 100_000
    assert (EXAMPLES / "book.epub").stat().st_size < 400_000
