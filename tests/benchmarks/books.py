"""Summarizes open books of Debian's documentation packages as a user would: what the summary
covers, memory, time.

    python tests/benchmarks/books.py FOLDER [--model mini]

The packages are downloaded into the folder with ``apt-get download`` and unpacked there, unless
they are in it already. For each book: chapters with at least 3 % of its words, how many of these
have a line, and how many others name their sections; sentences that point at one that is missing,
by their first words (a rule, not a judgment); the peak memory of the largest process; wall-clock
time.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

BOOKS = {
    "developers-reference": "usr/share/developers-reference/developers-reference.epub",
    "debian-policy": "usr/share/doc/debian-policy/policy.epub",
    "maint-guide": "usr/share/doc/maint-guide/maint-guide.en.pdf",
    "debian-reference-en": "usr/share/debian-reference/debian-reference.en.pdf",
    "debian-faq": "usr/share/doc/debian/FAQ/debian-faq.en.txt",
    "gnucash-docs": "usr/share/doc/gnucash-docs/gnucash-guide-en.pdf",
    "installation-guide-amd64": "usr/share/doc/installation-guide-amd64/en/install.en.pdf",
    "r-doc-pdf": "usr/share/doc/r-doc-pdf/manual/R-intro.pdf",
    "bash-doc": "usr/share/doc/bash/bashref.html",
    "mutt": "usr/share/doc/mutt/manual.txt",
}
"""The file of each package, packed or not; a book that a release lacks is named and passed over."""

POINTS_BACK = re.compile(
    r"\W*(?:it|they|he|she|its|their|his|her|these|those|such|both|this|that|however|but|thus|"
    r"therefore|hence|moreover|also|furthermore|instead|then|finally|in addition|for example|"
    r"the (?:former|latter|above|same|others?|following))\b",
    re.IGNORECASE,
)
CHAPTER_SHARE = 0.03


def book_in(folder: Path, package: str) -> Path | None:
    """The file of a package, downloaded and unpacked if it is missing."""
    unpacked = folder / package
    if not unpacked.exists():
        subprocess.run(
            ["apt-get", "download", package], cwd=folder, check=False, capture_output=True
        )
        for archive in folder.glob(f"{package}_*.deb"):
            subprocess.run(["dpkg-deb", "-x", archive.name, package], cwd=folder, check=True)
    path = unpacked / BOOKS[package]
    packed = path.with_name(f"{path.name}.gz")
    if packed.exists():
        path = folder / f"{package}-{path.name}"
        path.write_bytes(gzip.decompress(packed.read_bytes()))
    return path if path.exists() else None


def points_back(summary: dict) -> int:
    """Number of sentences that begin with a reference, without the sentence before them."""
    texts = [sentence["text"] for sentence in summary["sentences"]]
    before = [sentence["source"]["before"] or "-" for sentence in summary["sentences"]]
    alone = (
        text
        for number, text in enumerate(texts)
        if not number or before[number] != texts[number - 1]
    )
    return sum(POINTS_BACK.match(text) is not None for text in alone)


def covered(summary: dict) -> tuple[int, int, int]:
    """Number of chapters with a line, of others that name sections, and of all, with at least 3 %
    of the words.
    """
    total = sum(page["tokens"] for page in summary["pages"])
    large = {page["page"] for page in summary["pages"] if page["tokens"] >= CHAPTER_SHARE * total}
    titled = [one for one in summary["paragraphs"] if one["title"]]
    firsts = [one["sentences"][0] for one in titled if one["sentences"]]
    lined = large & {summary["sentences"][first]["source"]["page"] for first in firsts}
    named = {one["title"] for one in titled}
    others = [
        page
        for page in summary["pages"]
        if page["page"] in large - lined and page["label"] in named
    ]
    return len(lined), len(others), len(large)


def row(path: Path, name: str, model: str) -> str:
    """Summarize a book; a line of the table."""
    command = [
        sys.executable,
        "-m",
        "pagesum_cli",
        "summarize",
        str(path),
        "--format",
        "json",
        "--model",
        model,
    ]
    began = time.perf_counter()
    with subprocess.Popen(
        [*command, "--recursive", "--no-history", "--quiet"], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        summary = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds, peak = time.perf_counter() - began, usage.ru_maxrss / 1024
    if not summary.get("paragraphs"):
        return f"| {name} | one chapter | | | | | |"
    lines, named, large = covered(summary)
    figures = (
        f"{lines} + {named} of {large} | {points_back(summary)} of {len(summary['sentences'])}"
    )
    words = len(summary["summary"].split())
    return (
        f"| {name} | {len(summary['chapters'])} | {figures} | {words} | {peak:.0f} "
        f"| {seconds:.0f} |"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="mini")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    print(
        "| book | chapters | large ones: line + sections | sentences that point back | words | "
        "peak MB | s |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    for package in BOOKS:
        path = book_in(arguments.folder, package)
        print(
            row(path, package, arguments.model) if path else f"| {package} | not found | | | | | |",
            flush=True,
        )


if __name__ == "__main__":
    main()
