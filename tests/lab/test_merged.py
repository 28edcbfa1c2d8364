"""The results of an item's commands as one table."""

import json
from pathlib import Path
from typing import Any

from pagesum_cli.lab.merged import MEAN, OURS, PUBLISHED, MergedTable, merged
from pagesum_cli.lab.reproduce import Item, Places, Step, all_items, steps_of
from pagesum_cli.views.reproduce import merged_files


def evaluation(folder: Path, data: str, **scores: float) -> None:
    """What ``eval --output`` leaves in a folder."""
    folder.mkdir(parents=True)
    metrics = {name: {"f": value, "low": 0.0, "high": 100.0} for name, value in scores.items()}
    value: dict[str, Any] = {"data": data, "model": "m", "n": 3, "metrics": metrics}
    value |= {"systems": {}, "baselines": {"oracle": metrics}, "uses_reference": ["oracle"]}
    value |= {"missing": {"org/led": "cannot be fetched"}}
    (folder / "evaluation.json").write_text(json.dumps(value))


def of_domains(tmp_path: Path, *domains: str) -> MergedTable:
    """The table of DPP's Table 2, of which one model was evaluated on some domains."""
    item = all_items()["dpp-attention:2"]
    lines = [line for line in item.commands if "-pg}/" in line and line.startswith("eval")]
    small = Item(item.name, item.title, item.note, tuple(lines), item.means)
    places = Places(tmp_path, None, tmp_path / "runs")
    for number, domain in enumerate(domains):
        folder = places.item_folder(item.name) / f"{domain}-pg"
        evaluation(folder / "test", f"wikicatsum-{domain}", rouge1=30.0 + number)
        evaluation(folder / "sms", f"wikicatsum-{domain}", sms=7.0 + number)
    steps = [Step(step.words, (), step.line) for step in steps_of(small, places)]
    return merged(small, steps, dict.fromkeys(steps, 0))


def test_rows_of_the_paper_ours_and_means_are_in_one_table(tmp_path: Path) -> None:
    table = of_domains(tmp_path, "film", "company", "animal")
    assert {row.data for row in table.rows} == {"wikicatsum"}
    published = [row for row in table.rows if row.kind == PUBLISHED]
    assert ("PG", 27.21) in [(row.system, row.scores["rouge1"]) for row in published]
    ours = [row for row in table.rows if row.kind == OURS]
    # ROUGE and SMS are of two commands
    assert ours[0].scores == {"rouge1": 30.0, "sms": 7.0}
    (bound,) = (row for row in ours if row.system == "oracle")
    assert bound.marks == ("oracle",)
    (mean,) = (row for row in table.rows if row.kind == MEAN)
    assert (mean.system, mean.scores) == ("pg, mean of 3", {"rouge1": 31.0, "sms": 8.0})
    assert ("org/led", "cannot be fetched") in [(one.what, one.why) for one in table.missing]


def test_a_mean_without_all_of_its_rows_is_missing(tmp_path: Path) -> None:
    table = of_domains(tmp_path, "film", "company")
    assert not [row for row in table.rows if row.kind == MEAN]
    assert ("the mean of pg", "no row of animal") in [(one.what, one.why) for one in table.missing]


def test_what_was_not_run_or_failed_is_listed_with_the_reason(tmp_path: Path) -> None:
    places = Places(tmp_path, None, tmp_path / "runs")
    item = all_items()["pagesum:2"]
    steps = steps_of(item, places)
    table = merged(item, steps, {})
    assert [row.kind for row in table.rows] == [PUBLISHED] * 2  # those are there anyway
    assert any("made by training" in one.why for one in table.missing)
    ready = [Step(step.words, (), step.line) for step in steps]
    failed = merged(item, ready, {ready[0]: 1})
    assert [one.why for one in failed.missing] == ["the command failed (exit code 1)"]


def test_the_table_is_written_as_text_markdown_and_json(tmp_path: Path) -> None:
    files = merged_files(of_domains(tmp_path, "film", "company"))
    assert set(files) == {"table.txt", "table.md", "table.json"}
    for name in ("table.txt", "table.md"):
        assert "missing: the mean of pg: no row of animal" in files[name]
        assert "27.21" in files[name]
    assert files["table.md"].startswith("## dpp-attention:2")
    value = json.loads(files["table.json"])
    assert (value["schema"], value["is_miniature"]) == (1, False)
    small = merged(all_items()["pagesum:2"], [], {}, is_miniature=True)
    assert "(miniature)" in merged_files(small)["table.txt"]
