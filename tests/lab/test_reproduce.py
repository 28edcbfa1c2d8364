"""Recipes of the papers' tables: every command can be typed, and a table is made from miniature
files.
"""

import json
import re
import shlex
from pathlib import Path

import pytest
import tiny
import typer

from pagesum_cli.cli.app import app
from pagesum_cli.datasets.formats import units_of
from pagesum_cli.datasets.named import DATA_SETS
from pagesum_cli.datasets.readers import read_path
from pagesum_cli.errors import PagesumError
from pagesum_cli.lab.published import check_table
from pagesum_cli.lab.reproduce import (
    NEED,
    Places,
    Training,
    all_items,
    check_files,
    runnable,
    steps_of,
    with_prerequisites,
)
from pagesum_cli.lab.requirements import requirements_of
from pagesum_cli.options import UNCONSTRAINED
from pagesum_cli.training.settings import load_settings

GOVREPORT = Path(__file__).parents[2].parent / "shared" / "govreport"
COMMANDS = sorted({line for item in all_items().values() for line in item.commands})


def test_every_table_and_figure_of_the_papers_is_listed():
    names = list(all_items())
    assert names[:10] == [f"pagesum:{number}" for number in range(1, 11)]
    assert {f"pagesum:figure{number}" for number in range(1, 5)} <= set(names)
    assert {f"dpp-attention:{number}" for number in range(1, 9)} <= set(names)
    assert {f"top-down:{number}" for number in range(1, 8)} <= set(names)


@pytest.mark.parametrize("verb", sorted({line.split()[0] for line in COMMANDS}))
def test_every_command_has_flags_data_sets_presets_and_tables_that_exist(verb):
    command = typer.main.get_command(app).get_command(None, verb)
    for line in (line for line in COMMANDS if line.split()[0] == verb):
        words = shlex.split(NEED.sub(lambda need: need[2], line))[1:]
        assert "{" not in re.sub(r"\{(data|file|model|run|here):", "", line)
        if verb == "analyze":
            command, words = (
                typer.main.get_command(app).get_command(None, verb).get_command(None, words[0]),
                words[1:],
            )
        given = command.make_context(verb, words).params
        if verb == "train":
            load_settings(given["preset"])
        if given.get("data") and verb != "train":
            assert given["data"] in DATA_SETS, line
        if given.get("table"):
            check_table(given["table"], given["data"])


def test_greedy_decoding_has_none_of_a_checkpoints_rules():
    """The authors' greedy commands have no minimum, blocking, penalty or temperature."""
    command = typer.main.get_command(app).get_command(None, "eval")
    greedy = [line for line in COMMANDS if "--beams 1" in line]
    assert {line.split("--table ")[1].split()[0] for line in greedy} == {
        "dpp-attention:3",
        "dpp-attention:8",
    }
    rules = {"min_length", "no_repeat_ngram", "coverage_penalty", "attention_temperature"}
    for line in greedy:
        words = shlex.split(NEED.sub(lambda need: need[2], line))[1:]
        given = command.make_context("eval", words).params
        assert {name: given[name] for name in rules} == {
            name: getattr(UNCONSTRAINED, name) for name in rules
        }


def what_is_read(data_set, locality, part=""):
    """What lists of records hold, and which data set of a folder."""
    known = DATA_SETS.get(data_set)
    return (units_of(known.locality), known.part) if known else (units_of(locality), part)


def flag_of(line, name):
    words = line.split()
    return words[words.index(name) + 1] if name in words else None


def test_training_reads_a_data_set_as_its_evaluation_does():
    trained = {flag_of(line, "--output"): line for line in COMMANDS if line.startswith("train")}
    compared = set()
    for line in COMMANDS:
        model = flag_of(line, "--model")
        if not line.startswith("eval") or model not in trained:
            continue
        settings = load_settings(flag_of(trained[model], "--preset"))
        assert flag_of(trained[model], "--data") == flag_of(line, "--data-dir")
        of_training = what_is_read(settings.data_set, settings.locality)
        assert of_training == what_is_read(flag_of(line, "--data"), "auto"), line
        compared.add(flag_of(line, "--data"))
    assert compared >= {"multinews", "summscreen-fd", "summscreen-tms", "booksum-book", "arxiv"}


def test_ranked_paragraphs_are_cut_where_the_models_stop_reading():
    """Otherwise a ranking changes nothing that is counted."""
    counted = [line for line in COMMANDS if line.startswith("analyze") and "--rank" in line]
    assert counted
    assert all("--source-tokens 500" in line and "wikicatsum" in line for line in counted)


def test_figures_of_a_model_are_computed_in_float32():
    """``eval`` and ``analyze`` do by default; other verbs take what is fast on the machine."""
    others = [
        line
        for line in COMMANDS
        if line.split()[0] in ("inspect", "summarize") and "--model" in line
    ]
    assert others
    assert all("--dtype float32" in line for line in others)


def original_folder(folder, texts=tiny.TEXTS):
    """The original program's data of arXiv: sentences in ``base``, sections in ``section``."""
    for name, article in (
        ("base", list(texts)),
        ("section", ["intro " + texts[0], "end " + texts[1]]),
    ):
        for split in ("train", "val", "test"):
            (folder / name / split).mkdir(parents=True)
            for number in range(2):
                record = {"article": article, "abstract": [texts[2]]}
                (folder / name / split / f"{number}.json").write_text(json.dumps(record))
    return folder


@pytest.fixture
def files(tmp_path, tiny_checkpoint):
    original_folder(tmp_path / "data" / "arxiv")
    for name in ("arxiv.test.section.out", "arxiv.test.reference"):
        (tmp_path / "data" / name).write_text("The council met twice.\nPrices rose.\n")
    (tmp_path / "checkpoints").mkdir()
    for name in ("arxiv", "arxiv-discourse"):
        (tmp_path / "checkpoints" / name).symlink_to(tiny_checkpoint)
    return tmp_path


def test_what_is_missing_is_named_with_the_page_that_links_it(tmp_path):
    item = all_items()["pagesum:2"]
    given, model, compared = steps_of(item, Places(tmp_path, tmp_path, tmp_path / "runs"))
    assert (
        "arxiv.test.section.out: from the folder output of https://github.com/yixinL7/PageSum"
        in given.missing[0]
    )
    assert "the archive arXiv that https://github.com/yixinL7/PageSum links" in model.missing[0]
    assert (
        "its file model_section.bin is linked at https://github.com/yixinL7/PageSum"
        in model.missing[1]
    )
    assert model.missing[1].endswith("pagesum models add arxiv-discourse model_section.bin")
    assert "another table" in compared.missing[0]


def test_published_files_are_found_as_they_were_downloaded(files, tmp_path):
    places = Places(files / "data", tmp_path / "downloads", files / "runs")
    item = all_items()["pagesum:1"]

    def additions():
        return [step.words[2:] for step in steps_of(item, places) if step.words[0] == "models"]

    folder = tmp_path / "downloads"
    folder.mkdir()
    (folder / "model.bin").touch()  # three are called so
    (folder / "model_spatial.bin").touch()
    assert additions() == [("arxiv", str(folder / "model_spatial.bin"))]
    lacking = next(step.missing for step in steps_of(item, places) if "pubmed" in step.words)
    assert "may be that of pubmed or govreport or multinews" in " ".join(
        need for step in steps_of(item, places) for need in step.missing
    )
    assert lacking
    (folder / "PubMed").mkdir()
    (folder / "PubMed" / "model.bin").touch()
    (folder / "govreport.bin").touch()
    assert additions() == [
        ("arxiv", str(folder / "model_spatial.bin")),
        ("pubmed", str(folder / "PubMed" / "model.bin")),
        ("govreport", str(folder / "govreport.bin")),
    ]
    # What needs nothing else can be run then, by the name.
    evaluated = [step for step in steps_of(item, places) if str(step).count("--model arxiv ")]
    assert [step.missing for step in evaluated] == [()]


def test_a_figure_of_one_record_is_of_the_one_that_is_named(files):
    item = all_items()["pagesum:figure3"]
    for record in ("17", "1009.3123"):
        places = Places(files / "data", None, files / "runs", record)
        assert all(f"--id {record} " in str(step) for step in steps_of(item, places))


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("top-down:3", ("-fd-oracle-adapool", "-tms-oracle-adapool", "oracle-nearest")),
        ("top-down:4", ("chapter-adapool", "chapter-oracle-adapool", "oracle-nearest")),
        ("top-down:5", ("booksum-book", "oracle-nearest")),
        ("dpp-attention:2", ("bertscore=", "sms=", "fact-accuracy=")),
        ("dpp-attention:5", ("bertscore=", "sms=", "factcc=")),
        ("dpp-attention:6", ("pg-dpp=", "pg-covloss-dpp=", "ctf-dpp=", "--documents 50")),
        ("dpp-attention:7", ("multinews-ctf-covloss",)),
        ("dpp-attention:8", ("bertscore=", "sms=", "factcc=")),
        ("pagesum:8", ("--system allenai/led", "led={run:led}/systems/")),
        ("pagesum:9", ("--results",)),
    ],
)
def test_a_recipe_has_the_rows_of_its_table(name, kinds):
    evaluated = " ".join(
        line for line in all_items()[name].commands if not line.startswith("train")
    )
    assert [kind for kind in kinds if kind not in evaluated] == []


def test_training_has_to_be_asked_for_and_then_makes_what_follows(files):
    places = Places(files / "data", None, files / "runs")
    item = all_items()["pagesum:5"]
    assert all(step.missing for step in steps_of(item, places))
    steps = steps_of(item, places, Training(True))
    assert not any(step.missing for step in steps)
    assert "--num-pages tokens --document-tokens 4096 --page-tokens 128" in str(steps[0])


def test_settings_and_start_are_those_of_every_run_that_does_not_go_on_from_another(files):
    places = Places(files / "data", None, files / "runs")
    training = Training(True, "bart", ("epochs=1",))
    (*_, added) = steps_of(all_items()["dpp-attention:5"], places, training)[-5:-4]
    assert str(added).endswith("--set epochs=1")
    assert str(added).count("--init ") == 1
    for step in steps_of(all_items()["pagesum:5"], places, training):
        is_training = step.words[0] == "train"
        assert str(step).endswith("--init bart --set epochs=1") == is_training


def test_training_that_was_stopped_continues(tmp_path):
    words = ("train", "--preset", "arxiv", "--output", str(tmp_path / "run"), "--set", "epochs=1")
    assert runnable(words) == words
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "settings.toml").touch()
    assert runnable(words) == ("train", "--resume", "--output", str(tmp_path / "run"))


def test_what_an_item_needs_of_others_is_made_before_it():
    lines = with_prerequisites(all_items()["pagesum:6"]).commands
    own = all_items()["pagesum:6"].commands
    compared = next(place for place, line in enumerate(lines) if "size-1024}/test/results" in line)
    made = [place for place, line in enumerate(lines) if "--output {run:size-1024}" in line]
    assert len(made) == 2
    assert max(made) < compared
    assert [line for line in lines if line in own] == list(own)
    assert not [line for line in lines if "size-512" in line]


def test_what_is_needed_is_checked_before_time_is_spent(files, pagesum):
    places = Places(files / "data", None, files / "runs")
    item = all_items()["pagesum:2"]
    found = {
        (one.kind, Path(one.place).name): one for one in requirements_of(item, places, Training())
    }
    assert found["data", "arxiv"].is_there
    assert "2 test documents, expected 6,440" in found["data", "arxiv"].problems[0]
    lacking = found["model", "model_section.bin"]
    assert not lacking.is_there
    assert lacking.what.startswith("model_section.bin, linked at https://")
    assert found["result", "arxiv"].what == "made by pagesum reproduce pagesum:1"
    result = pagesum("reproduce", "pagesum:2", "--check", "--data", files / "data")
    assert result.code == 1
    assert "missing  model" in result.out
    assert "$ pagesum" not in result.out


def test_models_on_the_hub_and_packages_are_needed_too(tmp_path):
    item, places = all_items()["pagesum:5"], Places(None, None, tmp_path)
    kinds = {(one.kind, one.place) for one in requirements_of(item, places, Training(True))}
    assert ("hub", "facebook/bart-large-cnn") in kinds
    kinds = {(one.kind, one.place) for one in requirements_of(item, places, Training(True, "x"))}
    assert "hub" not in {kind for kind, _ in kinds}
    metrics = requirements_of(all_items()["dpp-attention:2"], places, Training())
    assert {"roberta-large", "torchmetrics", "POT"} <= {one.place for one in metrics}


def test_files_are_checked_against_what_was_published(files):
    places = Places(files / "data", files / "checkpoints", files / "runs")
    item = all_items()["pagesum:2"]
    problems = list(check_files(item, places))
    assert problems == [
        f"{files}/data/arxiv.test.section.out is not the file that the authors published",
        f"{files}/data/arxiv.test.reference is not the file that the authors published",
        f"{files}/data/arxiv: 2 test documents, expected 6,440",
    ]


def test_sentences_are_never_read_as_sections(files):
    folder = files / "data" / "arxiv"
    (record, _) = read_path(folder, units="sections")
    assert [section.text for section in record.documents[0].sections] == [
        "intro " + tiny.TEXTS[0],
        "end " + tiny.TEXTS[1],
    ]
    (folder / "section").rename(files / "elsewhere")
    for wrong in (folder, folder / "base"):
        with pytest.raises(PagesumError, match="base holds sentences, expected the folder section"):
            list(read_path(wrong, units="sections"))
    assert len(list(read_path(folder, units="sentences"))) == 2


def test_an_unknown_table_names_the_most_similar_one(pagesum):
    result = pagesum("reproduce", "pagesum:11")
    assert (result.code, "did you mean pagesum:1" in result.err) == (2, True)


@pytest.mark.slow
def test_a_table_is_made_beside_the_papers_rows(files, pagesum, capfd):
    flags = [
        "--data",
        files / "data",
        "--checkpoints",
        files / "checkpoints",
        "--output",
        files / "runs",
    ]
    result = pagesum("reproduce", "pagesum:2", *flags, "--limit", "1")
    assert result.code == 0
    assert "arxiv/results.jsonl" in result.out  # the results of another table
    assert "Table 2: PageSum-Discourse" in capfd.readouterr().out  # printed by the commands
    folder = files / "runs" / "pagesum-2"
    (line,) = (folder / "discourse" / "results.jsonl").read_text().splitlines()
    merged = json.loads((folder / "table.json").read_text())
    assert {row["system"] for row in merged["rows"]} >= {
        "PageSum-Discourse (8,192)",
        "arxiv-discourse",
    }
    assert json.loads(line)["settings"]["locality"] == "discourse"


@pytest.mark.slow
@pytest.mark.skipif(not GOVREPORT.is_dir(), reason="the authors' outputs are not on this disk")
@pytest.mark.parametrize(
    ("count", "scores"),
    [
        (50, "54.24 24.14 51.28"),
        pytest.param(973, "59.84 27.19 56.94", marks=pytest.mark.stress),
    ],
)
def test_the_authors_outputs_have_the_scores_of_the_paper(pagesum, capfd, tmp_path, count, scores):
    item, places = all_items()["pagesum:1"], Places(GOVREPORT, None, tmp_path)
    assert list(check_files(item, places)) == []
    for path in GOVREPORT.glob("govreport.test.*"):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / path.name).write_text("".join(lines[:count]), encoding="utf-8")
    flags = ["--data", tmp_path, "--output", tmp_path / "runs"]
    assert pagesum("reproduce", "pagesum:1", *flags).code == 0
    shown = " ".join(capfd.readouterr().out.split())
    assert scores in shown
    assert "59.91 27.20 57.07" in shown  # the paper's
