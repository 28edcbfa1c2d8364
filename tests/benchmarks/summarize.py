"""Times ``pagesum summarize`` as a user sees it: whole processes, start-up included.

    python tests/benchmarks/summarize.py [--model mini] [--device auto] [--runs 5] [--busy 2]

First the paper (``docs/examples/paper.pdf``) in turn with ``python -c "import torch"``, which no
program that computes with PyTorch can undercut; then texts of 5, 10, 20 and 40 printed pages (500
words a page, the paper's own). Medians, with peak memory; run it on a quiet machine. Reading a PDF
overlaps with importing PyTorch. ``--busy N`` does the first beside N processes that compute without
end, and in turn with threads that spin while they wait.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

PAPER = Path(__file__).parents[2] / "docs" / "examples" / "paper.pdf"
WORDS_PER_PAGE = 500
PAGESUM = [sys.executable, "-m", "pagesum_cli"]
TORCH = [sys.executable, "-c", "import torch"]


class Run(NamedTuple):
    """One process."""

    seconds: float
    megabytes: float
    output: str


def run(command: list[str]) -> Run:
    """Run a command to its end."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed")
    return Run(time.perf_counter() - began, usage.ru_maxrss / 1024, output)


def beside(others: int, command: list[str], runs: int) -> None:
    """Print the seconds of a command beside processes that compute, with waiting threads that sleep
    or spin.
    """
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(others)]
    try:
        for policy in ["PASSIVE", "ACTIVE"] * runs:
            os.environ["OMP_WAIT_POLICY"] = policy
            print(f"{policy:8} {run(command).seconds:6.2f} s", flush=True)
    finally:
        for process in busy:
            process.kill()


def median(runs: list[Run]) -> float:
    """Median of the seconds."""
    return statistics.median(one.seconds for one in runs)


def row(name: str, runs: list[Run], torch: float) -> str:
    """A line of the table."""
    summaries = [json.loads(one.output) for one in runs]
    parts = ("read", "encode", "decode")
    seconds = {part: statistics.median(one["seconds"][part] for one in summaries) for part in parts}
    whole, peak = median(runs), max(one.megabytes for one in runs)
    # Other imports, loading weights, reading that does not overlap.
    rest = whole - torch - seconds["encode"] - seconds["decode"]
    figures = (torch, seconds["read"], seconds["encode"], seconds["decode"], rest, whole)
    return (
        f"| {name} | {len(summaries[0]['pages'])} "
        f"| {' | '.join(f'{one:.2f}' for one in figures)} | {peak:.0f} |"
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="mini")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--busy", type=int, help="Number of busy processes beside it.")
    arguments = parser.parse_args()
    common = [
        "--model",
        arguments.model,
        "--device",
        arguments.device,
        "--format",
        "json",
        "--no-history",
    ]
    paper = [*PAGESUM, "summarize", str(PAPER), "--locality", "discourse", *common]

    if arguments.busy is not None:
        beside(arguments.busy, paper, arguments.runs)
        return
    # the first one warms up
    pairs = [(run(paper), run(TORCH)) for _ in range(arguments.runs + 1)][1:]
    runs, imports = [one for one, _ in pairs], [other for _, other in pairs]
    torch = median(imports)
    ratio = statistics.median(one.seconds / other.seconds for one, other in pairs)
    print(f"import torch: {torch:.2f} s, {max(one.megabytes for one in imports):.0f} MB")
    print(
        f"pagesum summarize paper.pdf: {median(runs):.2f} s, {ratio:.2f} times as long (median "
        f"of pairs)\n"
    )
    print(
        "| document | parts | torch s | read s | encode s | generate s | "
        "rest s | whole s | peak MB |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    print(row("paper.pdf", runs, torch))
    pages = json.loads(run([*PAGESUM, "pages", str(PAPER), "--format", "json"]).output)
    words = " ".join(page["text"] for page in pages["pages"]).split()
    with tempfile.TemporaryDirectory() as folder:
        for count in (5, 10, 20, 40):
            path = Path(folder) / f"{count}.txt"
            path.write_text(
                " ".join(
                    (words * (1 + count * WORDS_PER_PAGE // len(words)))[: count * WORDS_PER_PAGE]
                )
            )
            command = [*PAGESUM, "summarize", str(path), *common]
            print(
                row(f"{count} pages of text", [run(command) for _ in range(arguments.runs)], torch),
                flush=True,
            )


if __name__ == "__main__":
    main()
