"""The results file: whole lines, whatever happens."""

import json
from dataclasses import asdict

import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.evaluation.metrics.base import PagedSentence
from pagesum_cli.evaluation.results import (
    FILE,
    Result,
    append_result,
    begin_results,
    check_same_settings,
    finish_run,
    read_results,
    read_run,
    shard_path,
)

RESULT = Result(
    id="a",
    prediction="One – 漢字.",
    reference="Two.",
    scores={"rouge1": {"f": 33.333333333333336, "p": 0.1, "r": 1e-9}},
    scoring={"rouge": "rouge|v:1"},
    page_confidences=(0.25, 0.75),
    sentences=(PagedSentence("One – 漢字.", (0.25, 0.75), (0.0, 1.0), 1),),
    seconds=1.5,
    settings={"beams": 4, "model": "mini"},
)


def write(path, *identities):
    begin_results(path)
    for identity in identities:
        append_result(path, Result(identity, "p", "r", settings=RESULT.settings))


def test_what_is_written_is_read_to_the_last_digit(tmp_path):
    begin_results(tmp_path / "x" / FILE)
    append_result(tmp_path / "x" / FILE, RESULT)
    assert read_results(tmp_path / "x" / FILE, pytest.fail) == [RESULT]


def test_a_torn_last_line_is_cut_off_before_more_is_written(tmp_path):
    write(tmp_path / FILE, "a", "b")
    whole = (tmp_path / FILE).read_bytes()
    for cut in range(1, len(whole) // 2 - 1, 7):
        (tmp_path / FILE).write_bytes(whole[:-cut])
        problems = []
        assert [one.id for one in read_results(tmp_path / FILE, problems.append)][:1] == ["a"]
        write(tmp_path / FILE, "b")
        assert (tmp_path / FILE).read_bytes() == whole


def test_broken_and_second_lines_are_numbered_and_left_out(tmp_path):
    lines = [asdict(RESULT), asdict(RESULT), {"id": "b"}, [1]]
    (tmp_path / FILE).write_text(
        "".join(json.dumps(line) + "\n" for line in lines) + '{"id": "c", "pred'
    )
    problems = []
    assert read_results(tmp_path / FILE, problems.append) == [RESULT]
    assert [problem.split(":")[0].rsplit(" ", 1)[1] for problem in problems] == ["2", "3", "4", "5"]


def test_parts_of_several_processes_are_read_and_put_together(tmp_path):
    write(tmp_path / FILE, "a")
    write(shard_path(tmp_path, 0), "c")
    write(shard_path(tmp_path, 1), "b", "a")
    found = read_run(tmp_path, pytest.fail)
    assert sorted(found) == ["a", "b", "c"]
    finish_run(tmp_path, [found[one] for one in "abc"])
    assert [path.name for path in tmp_path.iterdir()] == [FILE]
    assert [one.id for one in read_results(tmp_path / FILE, pytest.fail)] == ["a", "b", "c"]


def test_results_of_other_settings_are_refused_and_the_difference_told(tmp_path):
    check_same_settings(tmp_path, [RESULT], {"beams": 4, "model": "mini"})
    with pytest.raises(
        PagesumError, match=r"beams was 4 and is now 2, dtype was None and is now 'float32'$"
    ):
        check_same_settings(tmp_path, [RESULT], {"beams": 2, "model": "mini", "dtype": "float32"})
