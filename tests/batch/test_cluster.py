"""``--engine ray``: the same results as one process, and one line for what is wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
import torch

from pagesum_cli.batch.cluster import ClusterOptions, Work, mapped
from pagesum_cli.errors import PagesumError
from pagesum_cli.version import __version__

ray = pytest.importorskip("ray")
ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])  # the workers cannot import it

DRIVER = Path(__file__).with_name("cluster_driver.py")
TEXTS = [
    "Rain fell for eleven days.",
    "The river rose by four metres.",
    "Nobody had expected the third flood.",
]
RUN = "import sys; from pagesum_cli.cli.app import run; sys.exit(run(sys.argv[1:]))"
# by default it is 15
OF_RAY = {"OMP_NUM_THREADS": "1", "RAY_AUTH_MODE": "disabled", "RAY_worker_niceness": "0"}
ENVIRONMENT = {**os.environ, **OF_RAY}


@pytest.fixture(scope="module")
def cluster():
    """A cluster of two machines, in processes of this one."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        for name, value in OF_RAY.items():
            patch.setenv(name, value)
        # a lost machine is noticed
        soon = {"health_check_period_ms": 1000, "health_check_failure_threshold": 5}
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 2, "_system_config": soon})
        made.add_node(num_cpus=2)
        yield made
        made.shutdown()


@pytest.fixture
def one_thread():
    """PyTorch computes in one thread, as in the workers: other sums differ in a last digit."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def corpus(path, count, **more):
    """A file of records that differ."""
    records = (
        {
            "id": f"d{number}",
            "text": " ".join(f"{one} It was day {number}." for one in TEXTS * 3),
            **more,
        }
        for number in range(count)
    )
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def alone(*arguments, **options):
    """A command line in a process of its own, as for Ray, which can be started once in each."""
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, **options)


def by_name(folder):
    """The results in each file, without seconds."""
    found = {}
    for path in sorted(folder.glob("[!.]*")):
        text = path.read_text()
        lines = (
            [text]
            if path.suffix == ".json"
            else text.splitlines()
            if path.suffix == ".jsonl"
            else []
        )
        rows = [{**json.loads(line), "seconds": 0} for line in lines]
        found[path.name] = sorted(rows, key=lambda row: row["settings"]["id"]) or text
    return found


@pytest.mark.slow
def test_the_results_are_those_of_one_process(
    cluster, pagesum, one_thread, tmp_path, letter, report, tiny_extractive
):
    corpus(tmp_path / "data.jsonl", 6)
    (tmp_path / "broken.pdf").write_text("no PDF")
    command = [
        "summarize",
        letter,
        report,
        tmp_path / "data.jsonl",
        tmp_path / "broken.pdf",
        "--each",
    ]
    command += ["--model", tiny_extractive, "--dtype", "float32", "--no-history"]
    for shape, flags in (
        ("jsonl", ["--in-order"]),
        ("json", ["--ray-address", cluster.address]),
    ):
        ray_flags = ["--engine", "ray", "--workers", "2", *flags]
        of = [*command, "--format", shape, "--output-dir"]
        by_ray = alone(*of, tmp_path / f"{shape}-ray", *ray_flags)
        in_process = pagesum(*of, tmp_path / f"{shape}-process")
        assert (by_ray.returncode, in_process.code) == (1, 1)
        for shown in (by_ray.stderr, in_process.err):
            errors = [line for line in shown.splitlines() if line.startswith("error")]
            assert errors[-1] == "error: 1 of 9 could not be summarized"
    assert len(by_name(tmp_path / "jsonl-process")["part-00000.jsonl"]) == 8
    for shape in ("jsonl", "json"):
        assert by_name(tmp_path / f"{shape}-ray") == by_name(tmp_path / f"{shape}-process")
    again = pagesum(*command, "--format", "jsonl", "--output-dir", tmp_path / "jsonl-ray")
    assert "8 of 9 already done" in again.err
    assert by_name(tmp_path / "jsonl-ray") == by_name(tmp_path / "jsonl-process")


def test_an_address_where_no_cluster_is_is_one_line(pagesum, tmp_path, letter, tiny_extractive):
    command = [
        "summarize",
        letter,
        "--each",
        "--output-dir",
        tmp_path / "out",
        "--model",
        tiny_extractive,
    ]
    result = pagesum(*command, "--engine", "ray", "--ray-address", "127.0.0.1:9")
    assert result.code == 1
    error, hint = result.err.splitlines()[-2:]
    assert error == "error: 127.0.0.1:9: no Ray cluster answers there (Connection refused)"
    assert hint.startswith("hint: check --ray-address")


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--engine", "ray"], "--engine without --output-dir"),
        (["--each", "--output-dir", "out", "--in-order"], "--in-order without --engine"),
        (
            ["--each", "--output-dir", "out", "--ray-address", "auto"],
            "--ray-address without --engine",
        ),
    ],
)
def test_flags_that_do_nothing_are_refused(pagesum, letter, flags, message):
    result = pagesum("summarize", letter, *flags)
    assert result.code == 2
    assert message in result.err


def test_ray_is_not_imported_without_its_engine(tmp_path, letter, tiny_extractive):
    code = (
        RUN.replace("sys.exit", "code =").replace("code =(", "code = (")
        + "; print(code, 'ray' in sys.modules)"
    )
    command = [
        "summarize",
        letter,
        "--each",
        "--output-dir",
        tmp_path / "out",
        "--model",
        tiny_extractive,
    ]
    command = [sys.executable, "-c", code, *map(str, command)]
    result = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert result.stdout == "0 False\n"


# What fails on a cluster of several machines: every other document stands in the output once.


@pytest.mark.stress
def test_a_killed_driver_goes_on_beside_workers_that_are_lost(cluster, tmp_path, tiny_extractive):
    names = [f"d-{number:02}" for number in range(18)]
    names[12:12] = ["kill", "kill-once"]
    records = (
        {"id": name, "text": " ".join(f"{one} It was day {name}." for one in TEXTS * 2)}
        for name in names
    )
    (tmp_path / "corpus.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    (tmp_path / "scratch").mkdir()
    command = [
        DRIVER,
        cluster.address,
        tmp_path / "corpus.jsonl",
        tiny_extractive,
        tmp_path / "out",
        tmp_path / "scratch",
    ]

    def start():
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(
            [sys.executable, *map(str, command)], **pipes, text=True, env=ENVIRONMENT
        )

    def ids():
        paths = sorted((tmp_path / "out").glob("part-*"))
        rows = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
        return [row["settings"]["id"].rpartition("#")[2] for row in rows]

    process = start()
    for line in process.stdout:
        if line.startswith("wrote") and list((tmp_path / "out").glob("part-*")):
            break
    process.kill()
    process.communicate()
    before = ids()
    assert before
    process = start()
    out, err = process.communicate()
    assert process.returncode == 0, err
    lines = out.splitlines()
    assert lines[0] == f"done before: {len(before)}"
    assert [line for line in lines if line.startswith("left out")] == [
        "left out: kill crashed its worker 3 times"
    ]
    assert sorted(ids()) == sorted(name for name in names if name != "kill")


def waiting(scratch):
    """What maps items in a worker, where some wait the first time until the test has removed their
    machine.
    """
    import ray

    def function(items):
        for item in items:
            if item == "wait" and not (scratch / "go").exists():
                (scratch / ray.get_runtime_context().get_node_id()).write_text("")
                while not (scratch / "go").exists():
                    time.sleep(0.05)
            yield item

    return function


@pytest.mark.stress
def test_a_machine_is_removed(cluster, tmp_path):
    added = cluster.add_node(num_cpus=2)
    items = [*range(10), *["wait"] * 8, *range(10)]
    options = ClusterOptions(engine="ray", ray_address=cluster.address, workers=3)
    found, removed = [], None
    for number, result in mapped(items, Work(partial(waiting, tmp_path)), options):
        while not removed:
            if markers := list(tmp_path.glob("*")):
                names = {marker.name for marker in markers}
                removed = next(
                    (node for node in cluster.worker_nodes if node.node_id in names), added
                )
                cluster.remove_node(removed, allow_graceful=False)
                (tmp_path / "go").write_text("")
            time.sleep(0.05)
        found.append((number, result))
    assert sorted(found) == list(enumerate(items))


def ending(scratch):
    """What maps items in a worker, of which some end it: ``once``, or each time."""

    def function(items):
        for item in items:
            if item == "kill" or (item == "once" and not (scratch / "once").exists()):
                (scratch / item).write_text("")
                os.kill(os.getpid(), signal.SIGKILL)
            yield item

    return function


@pytest.mark.stress
def test_results_are_in_order_after_workers_were_lost(cluster, tmp_path):
    items = [*range(5), "kill", *range(4), "once", *range(3)]
    options = ClusterOptions(engine="ray", ray_address=cluster.address, workers=2)
    found = list(mapped(items, Work(partial(ending, tmp_path), window=3, in_order=True), options))
    assert [number for number, _ in found] == list(range(len(items)))
    results = [getattr(result, "message", result) for _, result in found]
    assert results == [item if item != "kill" else "crashed its worker 3 times" for item in items]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "pagesum_cli.batch.cluster.__version__",
            f"the cluster has version {__version__} of pagesum, not 0.0.1",
        ),
        (
            "ray.__version__",
            f"Ray: Version mismatch: The cluster was started with: Ray: {ray.__version__} Python: ",
        ),
    ],
)
def test_another_version_on_the_cluster_is_one_line(cluster, monkeypatch, name, message):
    monkeypatch.setattr(name, "0.0.1")
    options = ClusterOptions(engine="ray", ray_address=cluster.address)
    with pytest.raises(PagesumError) as failure:
        next(mapped([1], Work(list), options))
    assert failure.value.message.startswith(message)
    assert "\n" not in failure.value.message


@pytest.mark.slow
def test_eval_gives_the_scores_of_one_process(
    cluster, pagesum, one_thread, tmp_path, tiny_checkpoint
):
    corpus(tmp_path / "data.jsonl", 5, summary="The river rose and nobody had expected it.")
    command = [
        "eval",
        "--data",
        tmp_path / "data.jsonl",
        "--model",
        tiny_checkpoint,
        "--format",
        "json",
    ]
    flags = ["--engine", "ray", "--ray-address", cluster.address, "--workers", "1"]
    by_ray = alone(*command, "--output", tmp_path / "ray", *flags)
    assert by_ray.returncode == 0, by_ray.stderr
    in_process = pagesum(*command, "--output", tmp_path / "process")
    assert in_process.code == 0, in_process.err
    assert json.loads(by_ray.stdout) == json.loads(in_process.out)
    rows = {}
    for name in ("ray", "process"):
        lines = (tmp_path / name / "results.jsonl").read_text().splitlines()
        rows[name] = [{**json.loads(line), "seconds": 0, "peak_memory": 0} for line in lines]
    assert rows["ray"] == rows["process"]
    assert len(rows["ray"]) == 5
