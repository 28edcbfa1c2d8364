"""What ``pagesum summarize`` takes, as a user sees it: whole processes, start-up included.

    python tests/benchmarks/summarize.py [--model mini] [--device auto] [--runs 3]

Prints the time of ``pagesum --help``, of a paper (``docs/examples/paper.pdf``), and of texts of 5, 10, 20 and 40
printed pages (500 words a page, the paper's own, with 64 tokens of summary so that all write the same), with peak
memory. Medians; run it on a quiet machine.
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

PAPER = Path(__file__).parents[2] / "docs" / "examples" / "paper.pdf"
WORDS_A_PAGE = 500


def run(arguments: list[str]) -> tuple[float, float, str]:
    """Seconds, peak memory in MB and standard output of ``pagesum`` with these arguments."""
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "pagesum_cli", *arguments], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"pagesum {' '.join(arguments)} failed")
    return time.perf_counter() - began, usage.ru_maxrss / 1024, output


def medians(arguments: list[str], runs: int) -> tuple[float, float, str]:
    found = [run(arguments) for _ in range(runs)]
    return statistics.median(f[0] for f in found), max(f[1] for f in found), found[-1][2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="mini")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    common = ["--model", arguments.model, "--device", arguments.device, "--format", "json"]

    seconds, _, _ = medians(["--help"], max(5, arguments.runs))
    print(f"pagesum --help: {seconds:.2f} s")
    print("\n| document | pages for the model | start-up s | read s | encode s | decode s | in all s | peak MB |")
    print("|---|---|---|---|---|---|---|---|")

    def row(name: str, command: list[str]) -> None:
        whole, peak, output = medians([*command, *common], arguments.runs)
        summary = json.loads(output)
        parts = [summary["seconds"][part] for part in ("read", "encode", "decode")]
        figures = " | ".join(f"{part:.1f}" for part in (whole - sum(parts), *parts, whole))
        print(f"| {name} | {len(summary['pages'])} | {figures} | {peak:.0f} |", flush=True)

    row("paper.pdf", ["summarize", str(PAPER), "--locality", "discourse"])
    pages = json.loads(run(["pages", str(PAPER), "--format", "json"])[2])
    words = " ".join(page["text"] for page in pages["pages"]).split()
    with tempfile.TemporaryDirectory() as folder:
        for count in (5, 10, 20, 40):
            path = Path(folder) / f"{count}.txt"
            path.write_text(" ".join((words * (1 + count * WORDS_A_PAGE // len(words)))[: count * WORDS_A_PAGE]))
            row(f"{count} pages", ["summarize", str(path), "--min-length", "64", "--max-length", "64"])


if __name__ == "__main__":
    main()
