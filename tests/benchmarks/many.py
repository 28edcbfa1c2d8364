"""How many documents a minute ``pagesum summarize --each`` summarizes, side by side with other
versions of the program.

    python tests/benchmarks/many.py INPUT … [--documents 60] [--rounds 2] \\
        [--python before=FOLDER/.venv/bin/python …]

INPUT is a folder of files, which are used again and again until there are enough, or a file of
records (JSON Lines, also .xz). Each round runs every version once, in turn. A line of the table has
the best round: seconds of the whole command, start included; seconds of processor time of all its
processes; documents a minute, without the time that one document alone takes; and the share of the
sentences quoted by the last of the other versions that are quoted, too.
"""

import argparse
import json
import lzma
import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    """One command."""

    seconds: float
    processor: float
    quotes: set[tuple[str, str]]  # name of the result, and sentence


def inputs(given: Path, count: int, folder: Path) -> Path:
    """So many documents of a folder or of a file of records."""
    target = folder / f"{given.name.partition('.')[0]}-{count}"
    if given.is_dir():
        target.mkdir()
        for number, path in enumerate(islice(cycle(sorted(given.glob("*.*"))), count)):
            (target / f"{number:04}-{path.name}").symlink_to(path.resolve())
        return target
    with lzma.open(given, "rt") if given.suffix == ".xz" else open(given, encoding="utf-8") as file:
        target.with_suffix(".jsonl").write_text("".join(islice(file, count)), encoding="utf-8")
    return target.with_suffix(".jsonl")


def run(python: str, data: Path) -> Run:
    """Summarize all documents, from a folder in which no other version can be imported."""
    with tempfile.TemporaryDirectory() as output:
        command = [
            python,
            "-m",
            "pagesum_cli",
            "summarize",
            str(data),
            "--each",
            "--output-dir",
            output,
        ]
        command += ["--model", "mini", "--format", "json", "--no-history", "--quiet"]
        began = time.perf_counter()
        with subprocess.Popen(command, cwd=output) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - began
        if process.returncode:
            sys.exit(f"{' '.join(command)} failed")
        quotes = {
            (path.name, sentence["text"])
            for path in Path(output).glob("*.json")
            for sentence in json.loads(path.read_text(encoding="utf-8"))["sentences"]
        }
    return Run(seconds, usage.ru_utime + usage.ru_stime, quotes)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("inputs", nargs="+", type=Path)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument(
        "--python",
        nargs="*",
        default=[],
        metavar="NAME=PYTHON",
        help="other versions, the oldest first",
    )
    given = parser.parse_args()
    versions = dict(one.split("=", 1) for one in given.python) | {"this": sys.executable}
    print("| documents | version | whole s | processor s | documents a minute | same quotes |")
    print("|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for path in given.inputs:
            one, many = (inputs(path, count, Path(folder)) for count in (1, given.documents))
            starts, runs = ({name: list[Run]() for name in versions} for _ in range(2))
            for _ in range(given.rounds):
                for name, python in versions.items():
                    starts[name].append(run(python, one))
                    runs[name].append(run(python, many))
            nearest = runs[[*versions][-2:][0]][0].quotes
            for name in versions:
                best, start = min(runs[name]), min(starts[name])
                rate = 60 * (given.documents - 1) / (best.seconds - start.seconds)
                same = len(nearest & best.quotes) / len(nearest)
                figures = f"{best.seconds:.1f} | {best.processor:.1f} | {rate:.0f} | {same:.1%}"
                print(f"| {given.documents} × {path.name} | {name} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
