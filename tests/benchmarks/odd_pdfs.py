"""Words of odd PDFs that are read, or reported as left out, compared with another reader \
(poppler's pdftotext).

    python tests/benchmarks/odd_pdfs.py FOLDER [--minimum WORDS] [--timeout SECONDS] \\
        [--memory MEGABYTES] [--missing N]

Every ``*.pdf`` below FOLDER is read in a process of its own. Its coverage is the share of poppler's
words (with repetitions, without case, hyphens and punctuation) that are read, plus the number of
words reported as left out, at most 1. The summary counts files in which poppler finds at least
``--minimum`` words.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import time
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
_PIECES = re.compile(r"(?<!\S)(?:\S{1,2}[ \n]){5,60}")
_PUNCTUATION = re.compile(r"[\W_]+")


def words(text: str) -> Counter[str]:
    """The words of a text; a character of Chinese or Japanese is one."""
    mended = re.sub(r"[-\u00ad\u2010]\s*\n\s*", "", unicodedata.normalize("NFKC", text))
    return Counter(
        filter(None, (_PUNCTUATION.sub("", word) for word in _WORD.findall(mended.casefold())))
    )


def joined(text: str, other: str) -> str:
    """A text in which words that fall apart into letters are spaced as in another text, where that
    has them.
    """
    places = [place for place, letter in enumerate(other) if not letter.isspace()]
    letters = "".join(other[place] for place in places)

    def join(match: re.Match[str]) -> str:
        pieces = "".join(match[0].split())
        place = letters.find(pieces)
        return (
            f"{other[places[place] : places[place + len(pieces) - 1] + 1]} "
            if place >= 0
            else match[0]
        )

    return _PIECES.sub(join, text)


def read(path: str) -> dict[str, Any]:
    """What pagesum makes of a file: its text and title, what is left out by reason, seconds,
    megabytes, the error.
    """
    from pagesum_cli.documents.read import read_file
    from pagesum_cli.errors import PagesumError

    start = time.perf_counter()
    result: dict[str, Any] = {"text": "", "title": "", "left_out": {}, "error": ""}
    try:
        for document in read_file(path):
            result["text"] += document.text + "\n"
            result["title"] = document.title
            for one in document.left_out:
                result["left_out"][one.reason] = result["left_out"].get(one.reason, 0) + one.words
    except PagesumError as error:
        result["error"] = error.message.removeprefix(f"{path}: ")
    result["seconds"] = time.perf_counter() - start
    result["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return result


def poppler(path: Path, timeout: float) -> str:
    """The text of another reader; in drawing order where most of its words have fallen apart into
    letters.
    """
    text = ""
    for mode in ([], ["-raw"]):
        command = ["pdftotext", "-q", *mode, str(path), "-"]
        try:
            output = subprocess.run(
                command, capture_output=True, timeout=timeout, check=False
            ).stdout
        except subprocess.TimeoutExpired:
            return text
        text = output.decode("utf-8", "replace")
        if 2 * sum(len(word) > 2 or word > "\u2e80" for word in text.split()) > len(text.split()):
            break
    return text


def measure(path: Path, timeout: float, memory: int) -> dict[str, Any]:
    """Run both readers on a file."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    other = poppler(path, timeout)
    command = [sys.executable, __file__, "--one", str(path)]
    try:
        child = subprocess.run(
            command, capture_output=True, timeout=timeout, preexec_fn=limited, check=False
        )
        trace = (child.stderr.decode("utf-8", "replace").strip().splitlines() or ["killed"])[-1]
        result = json.loads(child.stdout) if child.returncode == 0 else {"error": f"CRASH {trace}"}
    except subprocess.TimeoutExpired:
        result = {"error": f"HANG more than {timeout:.0f} s", "seconds": timeout}
    result = {"text": "", "title": "", "left_out": {}, "seconds": 0.0, "megabytes": 0.0} | result
    text = result["text"] + "\n" + result["title"]
    theirs, ours = words(joined(other, text)), words(text)
    total, left_out = theirs.total(), sum(result["left_out"].values())
    missing = theirs - ours
    result["theirs"], result["left"], result["read"] = total, left_out, ours.total()
    result["missing"], result["foreign"] = missing, ours - theirs
    result["coverage"] = (
        (total - missing.total() + min(left_out, missing.total())) / total if total else 1.0
    )
    return result


def main() -> None:
    """Print a row for each file, and the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument(
        "--minimum", type=int, default=200, help="words of poppler's of a file that counts"
    )
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds for a file")
    parser.add_argument(
        "--memory", type=int, default=4096, help="megabytes of address space for a file"
    )
    parser.add_argument(
        "--missing", type=int, default=0, help="words to show that only one of the readers has"
    )
    arguments = parser.parse_args()
    if arguments.one:
        json.dump(read(str(arguments.folder)), sys.stdout)
        return
    paths = (
        sorted(arguments.folder.rglob("*.pdf")) if arguments.folder.is_dir() else [arguments.folder]
    )
    print(
        f"{'file':44}{'poppler':>8}{'read':>8}{'left':>7}{'cover':>7}{'foreign':>8}"
        f"{'s':>7}{'MB':>6}  error"
    )
    rows = []
    for path in paths:
        row = measure(path, arguments.timeout, arguments.memory)
        rows.append(row)
        foreign = row["foreign"].total()
        print(
            f"{path.name[-43:]:44}{row['theirs']:8}{row['read']:8}{row['left']:7}{row['coverage']:7.3f}{foreign:8}"
            f"{row['seconds']:7.2f}{row['megabytes']:6.0f}  {row['error'][:70]}",
            flush=True,
        )
        if arguments.missing:
            reasons = ", ".join(f"{reason} {count}" for reason, count in row["left_out"].items())
            print(f"    left out: {reasons or 'nothing'}")
            for label in ("missing", "foreign"):
                print(
                    f"    {label}: "
                    f"{' '.join(word for word, _ in row[label].most_common(arguments.missing))}"
                )
    large = [row for row in rows if row["theirs"] >= arguments.minimum]
    refused = sum(bool(row["error"]) and row["theirs"] > 0 for row in rows)
    failed = sum(row["error"].startswith(("CRASH", "HANG")) for row in rows)
    print(
        f"\n{len(rows)} files: {sum(not row['error'] for row in rows)} read, {refused} refused "
        f"or failed though"
    )
    print(f"poppler finds words, of these {failed} crashes or hangs")
    if large:
        mean = sum(row["coverage"] for row in large) / len(large)
        lost = sum(row["coverage"] < 2 / 3 for row in large)
        total = sum(row["theirs"] for row in large)
        words_covered = sum(row["coverage"] * row["theirs"] for row in large) / total
        print(
            f"{len(large)} with {arguments.minimum} words or more: "
            f"coverage {mean:.3f} (mean of files),",
            end=" ",
        )
        slowest = max(row["seconds"] for row in rows)
        print(
            f"{words_covered:.3f} (of all words), {lost} lose over a third, slowest {slowest:.1f} s"
        )


if __name__ == "__main__":
    main()
