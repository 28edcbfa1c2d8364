"""Times ``pagesum summarize --recursive`` as a user sees it: whole processes, start-up included.

    python tests/benchmarks/book.py [--model mini] [--device auto] [--words 20000 100000 200000]

First the example book (``docs/examples/book.epub``, 112,000 words), then texts of so many words in
chapters of 5,000, made of its paragraphs: as often as needed, so the longest one repeats them. Time
is wall-clock and of the processor, which other processes do not change; peak memory is the
process's own.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

from pagesum_cli.documents.read import read_file

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "book.epub"
CHAPTER_WORDS = 5000


def write_book(path: Path, paragraphs: list[str], count: int) -> None:
    """Write a book of about so many words, with a heading for each chapter."""
    left, lines, chapter = CHAPTER_WORDS, ["# A book", "## Chapter 1"], 1
    for text in cycle(paragraphs):
        words = len(text.split())
        lines.append(text)
        left, count = left - words, count - words
        if count <= 0:
            break
        if left <= 0:
            chapter, left = chapter + 1, CHAPTER_WORDS
            lines.append(f"## Chapter {chapter}")
    path.write_text("\n\n".join(lines) + "\n", encoding="utf-8")


def row(path: Path, model: str, device: str) -> str:
    """Summarize a book; a line of the table."""
    words = sum(len(document.text.split()) for document in read_file(str(path)))
    command = [
        sys.executable,
        "-m",
        "pagesum_cli",
        "summarize",
        str(path),
        "--recursive",
        "--format",
        "json",
    ]
    command += ["--model", model, "--device", device, "--no-history", "--quiet"]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        summary = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    whole, own = time.perf_counter() - began, usage.ru_utime + usage.ru_stime
    figures = f"{whole:.0f} | {own:.0f} | {usage.ru_maxrss / 1024:.0f}"
    return (
        f"| {path.name} | {words:,} | {len(summary['chapters'])} | {figures} "
        f"| {len(summary['summary'].split())} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="mini")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--words", type=int, nargs="*", default=[20_000, 100_000, 200_000])
    arguments = parser.parse_args()
    print("| book | words | chapters | s | s of processor | peak MB | words of the summary |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    print(row(EXAMPLE, arguments.model, arguments.device), flush=True)
    document = read_file(str(EXAMPLE))[0]
    paragraphs = [one.text for section in document.sections for one in section.paragraphs]
    with tempfile.TemporaryDirectory() as folder:
        for count in arguments.words:
            path = Path(folder) / f"{count}.md"
            write_book(path, paragraphs, count)
            print(row(path, arguments.model, arguments.device), flush=True)


if __name__ == "__main__":
    main()
