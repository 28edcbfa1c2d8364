"""How fast documents are summarized by one process and by Ray's workers, side by side; and how much
memory both take.

    python tests/benchmarks/scale.py [--documents 200] [--data papers.jsonl] \\
        [--workers 2] [--repeat 3]
    python tests/benchmarks/scale.py --documents 0 --memory 20000
    python tests/benchmarks/scale.py --documents 60 --kills 20
    python tests/benchmarks/scale.py --documents 60 --machines 2
    python tests/benchmarks/scale.py --documents 0 --scheduling 100000

Documents are those of ``--data``, or synthetic records, so that they can be as many as one likes.
All runs write shards of JSON Lines, which are compared without seconds. Processor time is that of
all processes of a command: on a machine where other programs run, it says more than the time that
passes. ``--memory`` looks through that many records and reads them, without a model. ``--kills``
kills as many runs on a cluster of two simulated machines: at a random moment, the command, which is
then given again, or a worker. ``--machines`` summarizes on clusters of 1 to so many simulated
machines, each with one worker. ``--scheduling`` maps that many items of the size of a paper through
the same pipeline, with nothing to do for each: what Ray itself costs.
"""

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path

WORDS = [
    "the",
    "model",
    "reads",
    "pages",
    "of",
    "a",
    "document",
    "and",
    "chooses",
    "some",
    "sentences",
    "for",
    "us",
]
OFTEN = (
    "import sys; from pagesum_cli.batch import shards; shards.COMMIT = 1.0; from "
    "pagesum_cli.__main__ import main; "
)
TICK = os.sysconf("SC_CLK_TCK")


def corpus(path: Path, count: int, data: Path | None = None) -> Path:
    """Records of a file, or of some 60 sentences."""
    random.seed(0)
    with open(path, "w", encoding="utf-8") as file:
        if data:
            with open(data, encoding="utf-8") as given:
                file.writelines(islice(given, count))
            return path
        for number in range(count):
            lines = (
                " ".join(random.choices(WORDS, k=14)).capitalize()
                for _ in range(random.randint(20, 100))
            )
            file.write(json.dumps({"id": f"d{number}", "text": ". ".join(lines) + "."}) + "\n")
    return path


def processes() -> dict[int, tuple[int, str, float]]:
    """The parent, the name and the processor seconds of each process under this one."""
    every: dict[int, tuple[int, str, float]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text(errors="replace").partition("(")[2].rpartition(")")
        except OSError:
            continue
        fields = rest.split()
        every[int(path.parent.name)] = (
            int(fields[1]),
            name,
            (int(fields[11]) + int(fields[12])) / TICK,
        )
    under: dict[int, tuple[int, str, float]] = {}
    while more := {
        pid: one
        for pid, one in every.items()
        if pid not in under and one[0] in {os.getpid(), *under}
    }:
        under |= more
    return under


def command(data: Path, folder: Path, *flags: str) -> list[str]:
    common = [
        "--each",
        "--output-dir",
        str(folder),
        "--format",
        "jsonl",
        "--no-history",
        "-q",
        *flags,
    ]
    return [sys.executable, "-c", f"{OFTEN} main()", "summarize", str(data), *common]


def seconds(data: Path, folder: Path, *flags: str) -> tuple[float, float]:
    """Time and processor time of a whole command."""
    began, used = time.perf_counter(), Counter[int]()
    # Ray gives each worker the threads of its cores, unless the environment says otherwise.
    others = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    process = subprocess.Popen(command(data, folder, *flags), env=others)
    while process.poll() is None:
        used.update({pid: one[2] - used[pid] for pid, one in processes().items()})
        time.sleep(0.2)
    assert process.returncode == 0
    return time.perf_counter() - began, sum(used.values())


def results(folder: Path) -> list[str]:
    """The lines of all shards without seconds."""
    lines = (
        json.loads(line) for path in folder.glob("part-*") for line in path.read_text().splitlines()
    )
    return sorted(json.dumps({**line, "seconds": 0}) for line in lines)


def speeds(folder: Path, documents: int, workers: int, given: Path | None) -> None:
    """Report the speed of one process with its best number of threads, and of Ray's workers, start
    excluded.
    """
    data, few = (
        corpus(folder / "data.jsonl", documents, given),
        corpus(folder / "few.jsonl", 2, given),
    )
    ray = ("--engine", "ray", "--workers", str(workers), "--in-order")
    for name, flags in (("one process", ()), (f"{workers} workers of Ray", ray)):
        start, whole = (
            seconds(few, folder / f"start {name}", *flags),
            seconds(data, folder / name, *flags),
        )
        passed, used = (
            (after - before) / (documents - 2) for before, after in zip(start, whole, strict=True)
        )
        print(
            f"{name}: {passed:.3f} s and {used:.3f} s of a processor for a "
            f"document; {start[0]:.1f} s to start"
        )
    same = results(folder / "one process") == results(folder / f"{workers} workers of Ray")
    print(f"the same results: {same}", flush=True)


def kills(folder: Path, documents: int, runs: int) -> None:
    """Report whether each document stands in the output once, whenever a run is killed."""
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    cluster.add_node(num_cpus=2)
    flags = ("--engine", "ray", "--workers", "2", "--ray-address", cluster.address)
    data = corpus(folder / "data.jsonl", documents)
    whole, _ = seconds(data, folder / "whole", *flags)
    moments = random.Random(time.time_ns())
    for number in range(runs):
        out = folder / f"killed {number}"
        process = subprocess.Popen(command(data, out, *flags))
        moment = moments.uniform(0, whole)
        time.sleep(moment)
        workers = [
            pid for pid, (_, name, _) in processes().items() if name.startswith("ray::MapWorker")
        ]
        victim = process.pid if number % 2 else moments.choice(workers or [process.pid])
        before = len(results(out)) if out.exists() else 0
        os.kill(victim, signal.SIGKILL)
        again = 0
        while process.wait() and again < 3:
            process, again = subprocess.Popen(command(data, out, *flags)), again + 1
        ids = Counter(json.loads(line)["settings"]["id"] for line in results(out))
        once = (
            len(ids) == documents
            and set(ids.values()) == {1}
            and results(out) == results(folder / "whole")
        )
        what = "the command" if victim == process.pid or again else "a worker"
        print(
            f"{what} killed after {moment:.1f} s, {before} written: each once: {once}", flush=True
        )
    cluster.shutdown()


def machines(folder: Path, documents: int, given: Path | None, most: int) -> None:
    """Report the speed of clusters of 1 to ``most`` simulated machines, each with a worker, start
    excluded.
    """
    from ray.cluster_utils import Cluster

    data, few = (
        corpus(folder / "data.jsonl", documents, given),
        corpus(folder / "few.jsonl", 2, given),
    )
    for count in range(1, most + 1):
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
        for _ in range(count - 1):
            cluster.add_node(num_cpus=2)
        flags = ("--engine", "ray", "--workers", str(count), "--ray-address", cluster.address)
        runs = [seconds(one, folder / f"{one.stem} {count}", *flags) for one in (few, data)]
        cluster.shutdown()
        passed, used = (
            (after - before) / (documents - 2) for before, after in zip(*runs, strict=True)
        )
        print(
            f"{count} machines: {passed:.3f} s and {used:.3f} s of a processor for a document",
            flush=True,
        )


def scheduling(items: int, size: int = 40_000) -> None:
    """Report what Ray costs for items whose ``size`` is that of a paper, in files of 1,000, with
    nothing to do.
    """
    from pagesum_cli.batch.cluster import ClusterOptions, Work, mapped

    work = Work(
        lambda: lambda texts: map(len, texts), lambda _: os.urandom(size), lambda item: item // 1000
    )
    for count in (items // 10, items):
        began, others, own = time.perf_counter(), 0.0, time.process_time()
        for done, _ in enumerate(mapped(range(count), work, ClusterOptions("ray")), 1):
            if done == count:
                others = sum(one[2] for one in processes().values())
        passed, own = time.perf_counter() - began, time.process_time() - own
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{count:,} items: {passed:.0f} s; processor: {own:.0f} s here, {others:.0f} s "
            f"elsewhere; {peak:.0f} MB"
        )


def memory(folder: Path, documents: int) -> None:
    """Report the memory of this process after tenths of the records."""
    from pagesum_cli.batch.jobs import jobs_of

    def used() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    data = corpus(folder / "many.jsonl", documents)
    print(
        f"{documents:,} records, {data.stat().st_size / 1e6:.0f} MB; memory before: {used():.0f} MB"
    )
    began = time.perf_counter()
    jobs = jobs_of([str(data)], None, lambda label, error: sys.exit(str(error)))
    print(
        f"looked through: {used():.0f} MB, "
        f"{documents / (time.perf_counter() - began):.0f} records/s"
    )
    for number, job in enumerate(jobs, 1):
        job.read()
        if number % (documents // 4) == 0:
            print(f"{number:,} read: {used():.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--memory", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--machines", type=int, default=0)
    parser.add_argument("--scheduling", type=int, default=0)
    given = parser.parse_args()
    # by default it is 15
    os.environ.update({"RAY_AUTH_MODE": "disabled", "RAY_worker_niceness": "0"})
    for _ in range(given.repeat):
        with tempfile.TemporaryDirectory() as folder:
            if given.memory:
                memory(Path(folder), given.memory)
            if given.scheduling:
                scheduling(given.scheduling)
            if given.machines:
                machines(Path(folder), given.documents, given.data, given.machines)
            elif given.kills:
                kills(Path(folder), given.documents, given.kills)
            elif given.documents:
                speeds(Path(folder), given.documents, given.workers, given.data)


if __name__ == "__main__":
    main()
