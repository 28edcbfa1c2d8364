"""How fast documents are summarized by one process and by Ray's workers, side by side; and how much memory both take.

    python tests/benchmarks/scale.py [--documents 200] [--memory 20000] [--workers 2]

Documents are synthetic records, so that they can be as many as one likes. Both write shards of JSON Lines, which are
compared without seconds. ``--memory`` looks through that many records, and reads them, without a model.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = ["the", "model", "reads", "pages", "of", "a", "document", "and", "chooses", "some", "sentences", "for", "us"]


def corpus(path: Path, count: int) -> Path:
    """Records of some 60 sentences."""
    random.seed(0)
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            lines = (" ".join(random.choices(WORDS, k=14)).capitalize() for _ in range(random.randint(20, 100)))
            file.write(json.dumps({"id": f"d{number}", "text": ". ".join(lines) + "."}) + "\n")
    return path


def seconds(data: Path, folder: Path, *flags: str) -> float:
    """Time of a whole command."""
    command = ["summarize", str(data), "--each", "--output-dir", str(folder), "--format", "jsonl", "--no-history", "-q"]
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "pagesum_cli", *command, *flags], check=True)
    return time.perf_counter() - began


def results(folder: Path) -> list[str]:
    """The lines of all shards without seconds."""
    lines = (json.loads(line) for path in folder.glob("part-*") for line in path.read_text().splitlines())
    return sorted(json.dumps({**line, "seconds": 0}) for line in lines)


def speeds(folder: Path, documents: int, workers: int) -> None:
    """Report the speed of one process with its best number of threads, and of Ray's workers, start included."""
    data, few = corpus(folder / "data.jsonl", documents), corpus(folder / "few.jsonl", 2)
    os.environ.setdefault("OMP_NUM_THREADS", str(workers))
    ray = ("--engine", "ray", "--workers", str(workers), "--in-order")
    for name, flags in (("one process", ()), (f"{workers} workers of Ray", ray)):
        start = seconds(few, folder / f"start {name}", *flags)
        whole = seconds(data, folder / name, *flags)
        rate = (documents - 2) / (whole - start)
        print(f"{name}: {whole:.1f} s, of which {start:.1f} s for a start; {rate:.2f} documents/s after it")
    same = results(folder / "one process") == results(folder / f"{workers} workers of Ray")
    print(f"the same results: {same}")


def memory(folder: Path, documents: int) -> None:
    """Report the memory of this process after tenths of the records."""
    from pagesum_cli.batch.jobs import jobs_of

    def used() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    data = corpus(folder / "many.jsonl", documents)
    print(f"{documents:,} records, {data.stat().st_size / 1e6:.0f} MB; memory before: {used():.0f} MB")
    began = time.perf_counter()
    jobs = jobs_of([str(data)], None, lambda label, error: sys.exit(str(error)))
    print(f"looked through: {used():.0f} MB, {documents / (time.perf_counter() - began):.0f} records/s")
    for number, job in enumerate(jobs, 1):
        job.read()
        if number % (documents // 4) == 0:
            print(f"{number:,} read: {used():.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--memory", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.memory:
            memory(Path(folder), given.memory)
        if given.documents:
            speeds(Path(folder), given.documents, given.workers)


if __name__ == "__main__":
    main()
