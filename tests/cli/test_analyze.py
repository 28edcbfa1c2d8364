"""``pagesum analyze`` as it is typed."""

import json

import pytest


def test_spatial_locality_of_files(pagesum, report, letter, tmp_path):
    numbers = tmp_path / "a.csv"
    done = pagesum("analyze", "spatial-locality", report, letter, "--export", numbers)
    assert done.code == 0, done.err
    assert "TF-IDF" in done.err
    assert "all pairs" in done.out
    assert numbers.read_text().startswith(
        "distance,similarity,relative,normalized,pairs,documents\n1,"
    )


def test_files_of_a_folder_without_a_reader_are_named(pagesum, letter, tmp_path):
    (tmp_path / "letter.txt").write_bytes(letter.read_bytes())
    (tmp_path / "table.xlsx").write_bytes(b"PK")
    done = pagesum("analyze", "spatial-locality", tmp_path)
    assert (done.code, "no reader for table.xlsx" in done.err) == (0, True)


def test_spatial_locality_of_a_data_set(pagesum, tmp_path):
    (tmp_path / "test").mkdir()
    for number in range(3):
        value = {
            "article": ["Rain fell.", "Rain fell again.", "Prices rose."],
            "abstract": ["Rain."],
        }
        (tmp_path / "test" / f"{number}.json").write_text(json.dumps(value))
    done = pagesum("analyze", "spatial-locality", tmp_path, "--limit", "2")
    assert done.code == 0, done.err
    assert "2 documents, 6 sentences" in done.out


ARXIV = {
    "article_id": "a1",
    "article_text": [
        "Rain fell for eleven days in April .",
        "Owls hunt .",
        "Wheat cost a third more than before .",
    ],
    "abstract_text": ["<S> Rain fell for eleven days in April and wheat cost a third more . </S>"],
}


@pytest.mark.parametrize("verb", ["spatial-locality", "long-distance"])
@pytest.mark.parametrize("by_name", [True, False])
def test_the_released_arxiv_file_is_read_as_records(pagesum, tmp_path, verb, by_name):
    """``test.txt`` has JSON Lines: recognized by its content, and read as eval reads it."""
    lines = [json.dumps({**ARXIV, "article_id": str(number)}) for number in range(3)]
    (tmp_path / "test.txt").write_text("\n".join(lines))
    source = (
        ["--data", "arxiv", "--data-dir", tmp_path, "--limit", "2"]
        if by_name
        else [tmp_path / "test.txt"]
    )
    done = pagesum("analyze", verb, *source)
    assert done.code == 0, done.err
    documents = 2 if by_name else 3
    assert f"{documents} documents" in done.out
    assert f"{3 * documents} sentences" in done.out or verb == "long-distance"


def test_a_text_of_records_is_read_as_such_by_every_verb(pagesum, tmp_path):
    (tmp_path / "test.txt").write_text(json.dumps(ARXIV) + "\n")
    done = pagesum("pages", tmp_path / "test.txt")
    assert (done.code, "article_text" in done.out) == (0, False)
    assert "Rain fell for eleven" in pagesum("pages", tmp_path / "test.txt", "--format", "json").out


def test_an_encoder_that_is_not_there(pagesum, report):
    done = pagesum("analyze", "spatial-locality", report, "--embeddings", "no/such/folder")
    assert done.code == 1
    assert "no sentence encoder can be loaded" in done.err


def test_long_distance_needs_summaries(pagesum, report, tmp_path):
    done = pagesum("analyze", "long-distance", report)
    assert done.code == 1
    assert "report: no document has a summary" in done.err
    reference = tmp_path / "reference.txt"
    reference.write_text(
        "Rain fell for eleven days in April, and farms on the hills lost a tenth of their wheat; "
        "farms by the river."
    )
    done = pagesum("analyze", "long-distance", report, "--summary", reference)
    assert done.code == 0, done.err
    assert "1 (100.0%) fuse two source sentences" in done.out


RAIN = "Rain fell for eleven days in April."
PRICES = "Wheat cost a third more than the year before."
FUSED = "Rain fell for eleven days and wheat cost a third more."


@pytest.fixture
def fused(tmp_path):
    """Two data sets, of one and of two documents, each with a fusion sentence."""
    lines = [
        json.dumps(
            {
                "id": str(gap),
                "text": " ".join([RAIN, *["Owls hunt."] * gap, PRICES]),
                "summary": FUSED,
            }
        )
        for gap in (2, 3, 8)
    ]
    (tmp_path / "near.jsonl").write_text(lines[0])
    (tmp_path / "far.jsonl").write_text("\n".join(lines[1:]))
    return tmp_path / "near.jsonl", tmp_path / "far.jsonl"


def test_each_file_is_a_data_set_of_its_own(pagesum, fused, tmp_path):
    numbers = tmp_path / "numbers.json"
    done = pagesum("analyze", "long-distance", *fused, "--rouge", "rouge1", "--export", numbers)
    assert done.code == 0, done.err
    assert "ROUGE-1 recall" in done.out
    found = json.loads(numbers.read_text())
    assert [(one["name"], one["documents"], sum(one["counts"])) for one in found["data_sets"]] == [
        ("near", 1, 1),
        ("far", 2, 2),
    ]
    assert found["data_sets"][1]["pairs"][1]["second_text"] == PRICES


def test_what_a_systems_summaries_cover(pagesum, fused, tmp_path):
    results, table = tmp_path / "results.jsonl", tmp_path / "pairs.csv"
    lines = [
        {"id": "3", "prediction": "Prices rose. Rain fell for eleven days.", "reference": FUSED}
    ]
    results.write_text("\n".join(map(json.dumps, lines)))
    command = ("analyze", "long-distance", fused[1], "--results", results)
    done = pagesum(*command, "--export", table)
    assert done.code == 0, done.err
    assert "of 1 pair: both sources 0 (0.0%), the first only 1 (100.0%)" in done.out
    assert "1 pair of documents without output left out" in done.out
    assert [line.rpartition(",")[2] for line in table.read_text().splitlines()] == [
        "covered",
        "first",
        "",
    ]
    refused = pagesum(*command, fused[0])
    assert (refused.code, refused.out) == (2, "")
    assert "--results with 2 data sets" in refused.err


def test_exports_never_replace_what_is_read_and_other_files_only_with_force(
    pagesum, report, tmp_path
):
    numbers, records = tmp_path / "a.json", tmp_path / "records.json"
    records.write_text(json.dumps([{"text": "Rain fell. Prices rose.", "summary": "Rain fell."}]))
    command = ["analyze", "spatial-locality", records, "--export", numbers]
    numbers.write_text("my own words")
    refused = pagesum(*command)
    assert (refused.code, refused.out) == (1, "")
    assert f"{numbers} exists" in refused.err
    assert pagesum(*command, "--force").code == 0
    assert "similarities" in json.loads(numbers.read_text())
    before = records.read_bytes()
    for verb in (["spatial-locality", records], ["long-distance", report, "--summary", records]):
        refused = pagesum("analyze", *verb, "--export", records, "--force")
        assert refused.code == 2
        assert "is one of the documents" in refused.err
    assert records.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["spatial-locality", "{letter}", "--export", "{folder}/none/a.csv"], "there is no folder"),
        (
            ["spatial-locality", "{letter}", "nowhere.txt", "--embeddings", "{folder}"],
            "nowhere.txt: no such file",
        ),
        (["long-distance", "{letter}", "--summary", "nowhere.txt"], "nowhere.txt: no such file"),
        (
            ["long-distance", "{letter}", "--results", "nowhere.jsonl"],
            "nowhere.jsonl: cannot be read",
        ),
        (
            ["long-distance", "{records}"],
            """expected the summary in "summary", found 'text', 'highlights'""",
        ),
        (
            ["spatial-locality", "{folder}/body.jsonl"],
            """expected "sections", "documents" or "text", found 'body'""",
        ),
    ],
)
def test_what_is_missing_is_reported_before_anything_is_loaded(
    pagesum, letter, tmp_path, arguments, reason
):
    records = tmp_path / "records.jsonl"
    records.write_text('{"text": "Owls hunt. Mice hide.", "highlights": "Owls hunt."}\n' * 9)
    (tmp_path / "body.jsonl").write_text('{"body": "Owls hunt."}\n')
    done = pagesum(
        "analyze",
        *(one.format(letter=letter, folder=tmp_path, records=records) for one in arguments),
    )
    assert (done.code, done.out) == (1, "")
    assert reason in done.err
    assert "hint: " in done.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "Missing verb"),
        (["spatial"], "No such verb 'spatial'"),
        (["spatial-locality"], "nothing to analyze"),
        (["long-distance", "{report}", "--data", "sample"], "both FILES and --data"),
        (["spatial-locality", "{report}", "--export", "a.html"], "unknown extension .html"),
        (["spatial-locality", "{report}", "--limit", "0"], "'--limit'"),
        (["long-distance", "{report}", "--embeddings", "x"], "No such option: --embeddings"),
        (["spatial-locality", "{report}", "--pooling", "cls"], "--pooling without --embeddings"),
        (["spatial-locality", "{report}", "--summary", "x"], "No such option: --summary"),
        (["long-distance", "{report}", "--rouge", "rougeL"], "'--rouge'"),
        (
            ["long-distance", "{report}", "{letter}", "--summary", "{letter}"],
            "--summary with 2 documents",
        ),
    ],
)
def test_wrong_usage(pagesum, report, letter, arguments, reason):
    done = pagesum("analyze", *(one.format(report=report, letter=letter) for one in arguments))
    assert done.code == 2
    assert reason in done.err
    assert "hint: " in done.err
