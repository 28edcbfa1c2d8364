"""The files in which the field keeps its data sets."""

import gzip
import json
import tracemalloc
from io import BytesIO
from pathlib import Path

import pytest

from pagesum_cli.datasets import readers
from pagesum_cli.datasets.formats import record_of
from pagesum_cli.datasets.readers import data_set_split, read_path, records_of
from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.documents.read import read_file
from pagesum_cli.documents.sentences import all_sentences, sentences_of
from pagesum_cli.errors import PagesumError


def read(path, split="test", units="sentences"):
    problems = []
    return list(read_path(path, split, units, problems.append)), problems


def texts(record):
    return [
        [(section.heading, section.text) for section in one.sections] for one in record.documents
    ]


def test_the_original_programs_folder_in_the_order_of_numbers(tmp_path):
    (tmp_path / "test").mkdir()
    for number in (0, 2, 10):
        value = {
            "article": [f"It was {number} a.m. in Rome.", "He left."],
            "abstract": ["One.", "Two."],
        }
        (tmp_path / "test" / f"{number}.json").write_text(json.dumps(value))
    records, problems = read(tmp_path)
    assert [record.id for record in records] == ["0", "2", "10"]
    assert records[0].summary == "One. Two."
    assert [one.text for one in sentences_of(records[0].documents[0].sections[0])] == [
        "It was 0 a.m. in Rome.",
        "He left.",
    ]
    assert problems == []


def test_the_original_programs_sections_and_documents(tmp_path):
    (tmp_path / "test").mkdir()
    value = {"article": ["Methods\nWe counted.", "Results\nMany."], "abstract": ["One."]}
    (tmp_path / "test" / "0.json").write_text(json.dumps(value))
    assert texts(read(tmp_path, units="sections")[0][0]) == [
        [("Methods", "We counted."), ("Results", "Many.")]
    ]
    assert len(read(tmp_path, units="documents")[0][0].documents) == 2


def test_cohans_json_lines_have_sections(tmp_path):
    value = {
        "article_id": "1234.5",
        "article_text": ["all in one ."],
        "abstract_text": ["<S> we show it . </S>", "<S> it works . </S>"],
        "section_names": ["introduction", "results"],
        "sections": [["a first .", "a second ."], ["a third ."]],
    }
    (tmp_path / "test.txt").write_text(json.dumps(value) + "\n")
    (record,) = read(tmp_path)[0]
    assert (record.id, record.summary) == ("1234.5", "we show it . it works .")
    assert texts(record) == [
        [("introduction", "a first .\n\na second ."), ("results", "a third .")]
    ]


@pytest.mark.parametrize("separator", [" ||||| ", "story_separator_special_tag"])
def test_multi_news_lines(tmp_path, separator):
    (tmp_path / "test.src").write_text(f"One. NEWLINE_CHAR Two.{separator}Three.\n\nSix.\n")
    (tmp_path / "test.tgt").write_text("– A sum.\nB.\nC.\n")
    records, problems = read(tmp_path)
    assert [record.id for record in records] == ["1", "3"]
    assert len(records[0].documents) == 2
    assert "line 2" in problems[0]


def test_only_line_ends_end_a_line_of_multi_news_and_other_bytes_than_utf_8_are_told(tmp_path):
    (tmp_path / "test.src").write_bytes("One\u2028still one.\nTwo.\n".encode() + b"Caf\xe9.\n")
    (tmp_path / "test.tgt").write_text("A.\nB.\x0bStill B.\nC.\n")
    records, problems = read(tmp_path)
    assert [record.summary for record in records] == ["A.", "B. Still B."]
    assert "line 3" in problems[0]
    assert "UTF-8" in problems[0]


def test_multi_news_of_unequal_lengths_is_refused(tmp_path):
    (tmp_path / "val.src").write_text("One.\nTwo.\n")
    (tmp_path / "val.tgt").write_text("A.\n")
    with pytest.raises(PagesumError, match=r"has 2 lines, .* has 1"):
        read(tmp_path, split="validation")


def test_govreports_two_kinds_of_files(tmp_path):
    for folder in ("split_ids", "crs", "gao"):
        (tmp_path / folder).mkdir()
    (tmp_path / "split_ids" / "crs_test.ids").write_text("R1\n")
    (tmp_path / "split_ids" / "gao_test.ids").write_text("G1\nG2\n")
    inner = {"section_title": "Deep", "paragraphs": ["Third."], "subsections": []}
    section = {"section_title": "Top", "paragraphs": ["First.", "Second."], "subsections": [inner]}
    (tmp_path / "crs" / "R1.json").write_text(
        json.dumps({"title": "T", "reports": section, "summary": ["S one.", "S two."]})
    )
    highlight = [{"section_title": "What GAO found", "paragraphs": ["Found."]}]
    (tmp_path / "gao" / "G1.json").write_text(
        json.dumps({"report": [section], "highlight": highlight})
    )
    records, problems = read(tmp_path)
    assert [(record.id, record.summary) for record in records] == [
        ("crs-R1", "S one. S two."),
        ("gao-G1", "Found."),
    ]
    assert texts(records[0]) == [[("Top", "First.\n\nSecond."), ("Deep", "Third.")]]
    assert records[0].documents[0].title == "T"
    assert "G2.json" in problems[0]


@pytest.mark.parametrize("name", ["test.jsonl.gz", "test.jsonl.xz"])
def test_a_broken_packing_is_told(tmp_path, name):
    (tmp_path / name).write_text("not packed at all")
    with pytest.raises(PagesumError, match="expected a compressed file") as error:
        read(tmp_path)
    assert error.value.hint == "compress it again"


def test_a_broken_line_is_numbered_and_left_out(tmp_path):
    good = json.dumps({"id": "a", "text": "Words.", "summary": "W."})
    (tmp_path / "test.jsonl").write_text(
        f"{good}\n{{\n[]\n" + json.dumps({"text": "More.", "summary": "M."}) + "\n"
    )
    records, problems = read(tmp_path)
    assert [record.id for record in records] == ["a", "4"]
    assert ["line 2" in problems[0], "line 3" in problems[1]] == [True, True]


def test_wrong_types_in_a_record_are_problems_not_crashes(tmp_path):
    lines = [
        {"article": 5, "abstract": ["x"]},
        {"article": [["a"]], "abstract": ["x"]},
        {"article_text": None, "abstract_text": "x"},
        {"report": [], "summary": "x"},
        {"report": "Words.", "summary": {"a": 1}},
        {"document": "", "summary": "x"},
        {"article": "Words.", "abstract": 7},
    ]
    (tmp_path / "test.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    records, problems = read(tmp_path)
    assert records == []
    assert len(problems) == len(lines)


def test_a_folder_of_something_else_says_what_is_expected(tmp_path):
    with pytest.raises(PagesumError, match=r"expected test/0\.json"):
        read(tmp_path)


@pytest.mark.parametrize("value", [
    {"article": ["It was 5 a.m. He left. Then", "She came."], "abstract": []},
    {"article_text": ["It was 5 a.m. He left. Then", "She came."], "abstract_text": []},
    {"text": ["It was 5 a.m. He left. Then", "She came."]},
    {"sections": [{"heading": "", "text": ["It was 5 a.m. He left. Then", "She came."]}]},
    {"documents": [["It was 5 a.m. He left. Then", "She came."]]},
])  # fmt: skip
def test_lists_of_sentences_are_never_split_again(value):
    (document,) = record_of(value).documents
    assert [one.text for one in all_sentences(document)] == [
        "It was 5 a.m. He left. Then",
        "She came.",
    ]


def test_text_that_is_not_a_list_is_split_into_sentences():
    (document,) = record_of({"article": "It was late. He left.", "abstract": "x"}).documents
    assert [one.text for one in all_sentences(document)] == ["It was late.", "He left."]


def test_a_file_of_one_record_and_a_list_of_records(tmp_path):
    one = {"id": "a", "text": "Words.", "summary": ["First.", "Second."]}
    for name, text in (
        ("pretty.json", json.dumps(one, indent=1)),
        ("list.json", json.dumps([one], indent=1)),
        ("lines.json", json.dumps(one) + "\n"),
        ("list.jsonl", "\ufeff" + json.dumps([one])),
    ):
        (tmp_path / name).write_text(text)
        (record,), problems = read(tmp_path / name)
        assert (record.id, record.summary, problems) == ("a", "First. Second.", [])
    (tmp_path / "broken.json").write_text('{\n"id": ')
    with pytest.raises(PagesumError, match="expected JSON"):
        read(tmp_path / "broken.json")


def test_memory_does_not_grow_with_the_number_of_records(tmp_path):
    path = tmp_path / "many.jsonl"
    record = json.dumps({"text": "Some words of a document. " * 2000, "summary": "S."})

    path.write_text(f"{record}\n" * 200)
    tracemalloc.start()
    assert sum(1 for _ in read_path(path)) == 200
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * len(record)


def test_a_line_beyond_the_limit_is_left_out_and_the_next_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("pagesum_cli.datasets.readers.LINE_LIMIT", 1000)
    lines = [{"id": "long", "text": "words " * 1000}, {"id": "short", "text": "Words."}]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    problems = []
    records = records_of(str(tmp_path / "a.jsonl"), "test", "sentences", "", problems.append)
    assert [record.id for record in records] == ["short"]
    assert "line 1: longer than" in problems[0]


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.json.gz"])
def test_documents_that_unpack_to_much_more_are_refused(tmp_path, name):
    (tmp_path / name).write_bytes(gzip.compress(b" " * (17 << 20)))
    with pytest.raises(PagesumError, match="unpacks to more than 16 MB"):
        read_file(str(tmp_path / name))


def test_a_summary_is_of_a_limited_number_of_records(tmp_path, monkeypatch):
    monkeypatch.setattr("pagesum_cli.datasets.readers.RECORDS_LIMIT", 3)
    (tmp_path / "a.jsonl").write_text('{"text": "Words."}\n' * 3)
    assert len(read_file(str(tmp_path / "a.jsonl"))) == 3
    (tmp_path / "a.jsonl").write_text('{"text": "Words."}\n' * 4)
    with pytest.raises(PagesumError, match="more than 3 records for one summary"):
        read_file(str(tmp_path / "a.jsonl"))
    assert len(read(tmp_path / "a.jsonl")[0]) == 4


def test_the_split_of_a_folder_of_several_files(tmp_path):
    assert data_set_split(tmp_path) is None
    (tmp_path / "test.jsonl").write_text("{}\n")
    assert data_set_split(tmp_path) is None  # an ordinary file of records
    (tmp_path / "val.source.src").write_text("One.\n")
    assert data_set_split(tmp_path) is None
    (tmp_path / "val.target.tgt").write_text("A.\n")
    assert data_set_split(tmp_path) == "validation"


RECORDS = b'{"id": "a", "text": "Wheat grew."}\n{"id": "b", "text": "Rain fell."}\n'


def test_records_are_recognized_without_a_file() -> None:
    for data in (RECORDS, b"\xef\xbb\xbf\n" + RECORDS):
        assert [document.name for document in read_file("-", stdin=BytesIO(data))] == ["a", "b"]
    listed = b'[{"id": "a", "text": "Wheat grew."}]'
    assert [document.text for document in read_data(listed, "a.json")] == ["Wheat grew."]
    assert read_file("-", stdin=BytesIO(b'{"a": 1}\n'))[0].text.startswith("{")  # no record
    assert len(read_file("-", stdin=BytesIO(b"{ a set } of words\nin two lines"))) == 1


def test_broken_records_without_a_file() -> None:
    with pytest.raises(PagesumError, match=r"a\.jsonl, line 1: expected a JSON object"):
        read_data(b"{", "a.jsonl")
    with pytest.raises(PagesumError, match="expected JSON"):
        read_data(b"[{]", "a.json")


def test_documents_of_one_name_in_several_records_are_told_apart(tmp_path: Path) -> None:
    documents = [
        {"name": "Richmond", "text": "Wheat grew."},
        {"name": "Boston", "text": "Rain fell."},
    ]
    one, other = (
        {"id": str(year), "documents": documents[:count]} for year, count in ((1971, 2), (1973, 1))
    )
    file = tmp_path / "a.jsonl"
    file.write_text(f"{json.dumps(one)}\n{json.dumps(other)}\n")
    assert [document.name for document in read_file(str(file))] == [
        "1971 Richmond",
        "Boston",
        "1973 Richmond",
    ]


def test_a_damaged_parquet_file_is_one_line(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    rows = [
        {"id": str(n), "text": f"Owls hunt in field {n}.", "summary": "Owls."} for n in range(40)
    ]
    path = tmp_path / "a.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, compression="gzip")
    data = path.read_bytes()
    damaged = {
        "footer": data[:-60] + bytes(52) + data[-8:],
        "pages": data[:60] + bytes(100) + data[160:],
        "start": b"PAR1" + data[-8:],
    }
    for content in damaged.values():
        path.write_bytes(content)
        with pytest.raises(PagesumError, match="expected Parquet, found") as caught:
            list(records_of(str(path), "test", "sentences", "", print, None))
        assert "\n" not in caught.value.message


def test_a_record_that_fails_in_any_way_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(value, *rest):  # type: ignore[no-untyped-def]
        if value["text"] == "bad":
            raise KeyError("nobody expected this")
        return record_of(value, *rest)

    monkeypatch.setattr(readers, "record_of", fails)
    problems: list[str] = []
    given = b'{"text": "bad"}\n{"text": "Owls hunt."}\n'
    found = list(records_of("a.jsonl", "test", "sentences", "", problems.append, given))
    assert len(found) == 1
    assert problems == [
        "a.jsonl, line 1: expected a record, found something else "
        "(KeyError: 'nobody expected this'), left out"
    ]


def test_a_line_that_is_not_utf8_is_named_plainly(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "1", "text": "Cats sleep."}\n{"text": "caf\xc3"}\n')
    records, (problem,) = read(path)
    assert len(records) == 1
    assert problem.endswith("line 2: expected a JSON object, left out (not UTF-8 at byte 14)")
