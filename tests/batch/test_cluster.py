"""``--engine ray``: the same results as one process, and one line for what is wrong."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ray = pytest.importorskip("ray")

TEXTS = ["Rain fell for eleven days.", "The river rose by four metres.", "Nobody had expected the third flood."]
RUN = "import sys; from pagesum_cli.cli.app import run; sys.exit(run(sys.argv[1:]))"
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "RAY_AUTH_MODE": "disabled"}


def corpus(path, count):
    """A file of records that differ."""
    records = (
        {"id": f"d{number}", "text": " ".join(f"{one} It was day {number}." for one in TEXTS * 3)}
        for number in range(count)
    )
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def pagesum(*arguments, **options):
    """A command line in a process of its own: Ray can be started once in a process."""
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, **options)


def by_name(folder):
    """The results in each file, without seconds."""
    found = {}
    for path in sorted(folder.glob("[!.]*")):
        text = path.read_text()
        lines = [text] if path.suffix == ".json" else text.splitlines() if path.suffix == ".jsonl" else []
        rows = [{**json.loads(line), "seconds": 0} for line in lines]
        found[path.name] = sorted(rows, key=lambda row: row["settings"]["id"]) or text
    return found


@pytest.mark.slow
def test_the_results_are_those_of_one_process(tmp_path, letter, report, tiny_extractive):
    corpus(tmp_path / "data.jsonl", 6)
    (tmp_path / "broken.pdf").write_text("no PDF")
    command = ["summarize", letter, report, tmp_path / "data.jsonl", tmp_path / "broken.pdf", "--each"]
    command += ["--model", tiny_extractive, "--dtype", "float32", "--no-history"]
    for shape, engine in (
        ("jsonl", ["--engine", "ray", "--in-order"]),
        ("jsonl", []),
        ("json", ["--engine", "ray"]),
        ("json", []),
    ):
        folder = tmp_path / f"{shape}-{'ray' if engine else 'process'}"
        result = pagesum(*command, "--format", shape, "--output-dir", folder, *engine)
        assert result.returncode == 1
        lines = result.stderr.splitlines()
        assert [line for line in lines if line.startswith("error")][-1] == "error: 1 of 9 could not be summarized"
    assert len(by_name(tmp_path / "jsonl-process")["part-00000.jsonl"]) == 8
    for shape in ("jsonl", "json"):
        assert by_name(tmp_path / f"{shape}-ray") == by_name(tmp_path / f"{shape}-process")
    again = pagesum(*command, "--format", "jsonl", "--output-dir", tmp_path / "jsonl-ray")
    assert "8 of 9 already done" in again.stderr
    assert by_name(tmp_path / "jsonl-ray") == by_name(tmp_path / "jsonl-process")


def test_an_address_where_no_cluster_is_is_one_line(tmp_path, letter, tiny_extractive):
    command = ["summarize", letter, "--each", "--output-dir", tmp_path / "out", "--model", tiny_extractive]
    result = pagesum(*command, "--engine", "ray", "--ray-address", "127.0.0.1:9")
    assert result.returncode == 1
    error, hint = result.stderr.splitlines()[-2:]
    assert error == "error: 127.0.0.1:9: no Ray cluster answers there (Connection refused)"
    assert hint.startswith("hint: check --ray-address")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--engine", "ray"], "--engine without --output-dir"),
        (["--each", "--output-dir", "out", "--in-order"], "--in-order without --engine"),
        (["--each", "--output-dir", "out", "--ray-address", "auto"], "--ray-address without --engine"),
    ],
)
def test_flags_that_do_nothing_are_refused(letter, flags, message):
    result = pagesum("summarize", letter, *flags)
    assert result.returncode == 2
    assert message in result.stderr


def test_ray_is_not_imported_without_its_engine(tmp_path, letter, tiny_extractive):
    code = RUN.replace("sys.exit", "code =").replace("code =(", "code = (") + "; print(code, 'ray' in sys.modules)"
    command = ["summarize", letter, "--each", "--output-dir", tmp_path / "out", "--model", tiny_extractive]
    command = [sys.executable, "-c", code, *map(str, command)]
    result = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert result.stdout == "0 False\n"


# What fails on a cluster of several machines: every other document stands in the output once.

DRIVER = Path(__file__).with_name("cluster_driver.py")


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two machines, in processes of this one."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        for name in ("OMP_NUM_THREADS", "RAY_AUTH_MODE"):
            patch.setenv(name, ENVIRONMENT[name])
        soon = {"health_check_period_ms": 1000, "health_check_failure_threshold": 5}  # a lost machine is noticed
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "_system_config": soon})
        made.add_node(num_cpus=2)
        yield made
        made.shutdown()


class Driver:
    """A run over records with these ids, in a process."""

    def __init__(self, cluster, folder, model, ids):
        self.folder, self.scratch = folder / "out", folder / "scratch"
        self.scratch.mkdir(exist_ok=True)
        records = ({"id": name, "text": " ".join(f"{one} It was day {name}." for one in TEXTS * 2)} for name in ids)
        (folder / "corpus.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
        self._command = [
            sys.executable,
            DRIVER,
            cluster.address,
            folder / "corpus.jsonl",
            model,
            self.folder,
            self.scratch,
        ]

    def start(self, *more):
        command = list(map(str, [*self._command, *more]))
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, **pipes, text=True, env=ENVIRONMENT)

    def run(self, *more):
        """The lines that a whole run prints."""
        process = self.start(*more)
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out.splitlines()

    def ids(self):
        rows = [json.loads(line) for path in self.folder.glob("part-*") for line in path.read_text().splitlines()]
        return sorted(row["settings"]["id"].rpartition("#")[2] for row in rows)


def plain(count):
    return [f"d-{number:02}" for number in range(count)]


@pytest.mark.stress
def test_a_lost_worker_and_a_document_that_ends_it_each_time(cluster, tmp_path, tiny_extractive):
    driver = Driver(cluster, tmp_path, tiny_extractive, [*plain(11), "kill-once", "kill"])
    lines = driver.run()
    assert [line for line in lines if line.startswith("left out")] == ["left out: kill ended its worker 3 times"]
    assert driver.ids() == [*plain(11), "kill-once"]


@pytest.mark.stress
def test_a_killed_driver_goes_on(cluster, tmp_path, tiny_extractive):
    driver = Driver(cluster, tmp_path, tiny_extractive, plain(30))
    process = driver.start()
    for line in process.stdout:
        if line.startswith("wrote") and list(driver.folder.glob("part-*")):
            break
    process.kill()
    process.communicate()
    before = driver.ids()
    assert before
    lines = driver.run()
    assert lines[0] == f"done before: {len(before)}"
    assert driver.ids() == plain(30)


@pytest.mark.stress
def test_a_full_disk_loses_nothing_that_was_written(cluster, tmp_path, tiny_extractive):
    driver = Driver(cluster, tmp_path, tiny_extractive, plain(12))
    process = driver.start(3000)
    _, err = process.communicate()
    assert process.returncode == 1
    assert "File too large" in err.splitlines()[-1]
    lines = driver.run()
    assert lines[0].startswith("done before: ")
    assert driver.ids() == plain(12)


@pytest.mark.stress
def test_a_machine_is_removed(cluster, tmp_path, tiny_extractive):
    added = cluster.add_node(num_cpus=2)
    driver = Driver(cluster, tmp_path, tiny_extractive, [*plain(12), *(f"wait-{number}" for number in range(8))])
    process = driver.start()
    while not (markers := list(driver.scratch.glob("wait-*"))):
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)
    names = {markers[0].name.partition("-")[2]}
    removed = next((node for node in cluster.worker_nodes if node.node_id in names), added)
    cluster.remove_node(removed, allow_graceful=False)
    (driver.scratch / "go").write_text("")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert "left out" not in out
    assert driver.ids() == [*plain(12), *(f"wait-{number}" for number in range(8))]
