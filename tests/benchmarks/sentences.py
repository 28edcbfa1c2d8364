"""Precision, recall and F1 of sentence boundaries, and seconds per megabyte: ours, ours without pysbd, pysbd alone.

    python tests/benchmarks/sentences.py [--errors]

The boundaries are those of ``tests/text/boundaries.jsonl``. ``--errors`` prints the cases that ours gets wrong.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pysbd

from pagesum_cli.text.sentences import sentence_spans

CASES = Path(__file__).parents[1] / "text" / "boundaries.jsonl"
Splitter = Callable[[str], list[str]]


def places(sentences: list[str]) -> set[int]:
    """Characters other than spaces before each end: splitters differ in the spaces that they keep."""
    count, ends = 0, set()
    for sentence in sentences:
        count += len("".join(sentence.split()))
        ends.add(count)
    return ends


def ours(text: str, use_pysbd: bool | None = None) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, use_pysbd)]


def scores(counts: Counter[str]) -> str:
    found, expected = counts["tp"] + counts["fp"], counts["tp"] + counts["fn"]
    precision = f"{counts['tp'] / found:5.3f}" if found else "    –"
    recall = f"{counts['tp'] / expected:5.3f}" if expected else "    –"
    f1 = f"{2 * counts['tp'] / (found + expected):5.3f}" if found + expected else "    –"
    return f"{precision} {recall} {f1} ({counts['fp']:2}, {counts['fn']:2})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true")
    errors = parser.parse_args().errors
    segmenter = pysbd.Segmenter(language="en", clean=False)
    splitters: dict[str, Splitter] = {
        "ours": ours,
        "without pysbd": lambda text: ours(text, False),
        "pysbd alone": segmenter.segment,
    }
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    rows: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: {name: Counter() for name in splitters})
    seconds: Counter[str] = Counter()
    for case in cases:
        before, after = case["text"].split("‖")
        for name, split in splitters.items():
            started = time.perf_counter()
            answer = len("".join(before.split())) in places(split(before + after))
            seconds[name] += time.perf_counter() - started
            outcome = ("t" if answer == case["is_boundary"] else "f") + ("p" if answer else "n")
            for row in (case["kind"], case["split"], "all"):
                rows[row][name][outcome] += 1
            if errors and name == "ours" and outcome[0] == "f":
                print("missed" if case["is_boundary"] else "wrong", case["kind"], "|", case["text"], "\n")
    print(f"{'precision, recall, F1 (wrong, missed)':26}", *(f"{name:>26}" for name in splitters))
    order = [*sorted({case["kind"] for case in cases}), "tuned", "held-out", "all"]
    for row in order:
        total = sum(rows[row]["ours"].values())
        print(f"{row:20} {total:5}", *(f"{scores(counts):>26}" for counts in rows[row].values()))
    size = sum(len(case["text"].encode()) for case in cases) / 1e6
    print(f"{'seconds per MB':26}", *(f"{seconds[name] / size:26.2f}" for name in splitters))


if __name__ == "__main__":
    main()
