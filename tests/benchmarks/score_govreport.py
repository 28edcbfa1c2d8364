"""Speed of ROUGE-1, -2 and -Lsum compared with one process of the rouge-score library, and \
whether they are equal.

    python tests/benchmarks/score_govreport.py PREDICTIONS REFERENCES [--processes 2] \\
        [--limit N] [--published]

The files hold one summary per line. Both start from the text: sentences are split by the same
splitter. CPU seconds are the sum over all processes; on a busy machine they mean more than the
clock. Exits with an error if a score differs by more than 1e-9. With ``--published``, the files are
the 973 pairs that the paper's authors published, and their scores by the paper's protocol are
compared with the paper's.
"""

import argparse
import os
import time
from pathlib import Path

from rouge_score import rouge_scorer

from pagesum_cli.datasets.named import read_texts
from pagesum_cli.evaluation.metrics.base import Pair, scored_sentences
from pagesum_cli.evaluation.metrics.registry import DEFAULT_METRICS
from pagesum_cli.evaluation.metrics.rouge import Rouge
from pagesum_cli.evaluation.scoring import score_pairs
from pagesum_cli.lab.published import published_rows


def cpu_seconds() -> float:
    """CPU time of this process and its finished children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("predictions", type=Path)
    parser.add_argument("references", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--published", action="store_true")
    arguments = parser.parse_args()
    texts = read_texts(arguments.predictions, arguments.references)[: arguments.limit]
    pairs = [Pair(str(number), *pair) for number, pair in enumerate(texts)]

    began, cpu = time.perf_counter(), cpu_seconds()
    ours = score_pairs(pairs, [Rouge()], arguments.processes)
    our_seconds, our_cpu = time.perf_counter() - began, cpu_seconds() - cpu

    began, cpu = time.perf_counter(), cpu_seconds()
    split = [
        "\n".join(scored_sentences(text))
        for pair in pairs
        for text in (pair.reference, pair.prediction)
    ]
    split_seconds = time.perf_counter() - began
    library = rouge_scorer.RougeScorer(list(DEFAULT_METRICS), use_stemmer=True)
    theirs = [library.score(*two) for two in zip(split[::2], split[1::2], strict=True)]
    seconds, their_cpu = time.perf_counter() - began, cpu_seconds() - cpu

    difference = max(
        abs(ours[place][kind][key] / 100 - value)
        for place, scores in enumerate(theirs)
        for kind, score in scores.items()
        for key, value in zip(("p", "r", "f"), score, strict=True)
    )
    print(f"{len(pairs)} pairs; largest difference of a score (0–1): {difference:.1e}")
    print(
        f"rouge-score, 1 process:     {seconds:7.1f} s, {their_cpu:7.1f} CPU "
        f"s; {split_seconds:.1f} s of it split"
    )
    print(
        f"pagesum, {arguments.processes} processes:       {our_seconds:7.1f} s, "
        f"{our_cpu:7.1f} CPU s"
    )
    print(
        f"times as fast: {seconds / our_seconds:.1f} by the clock, {their_cpu / our_cpu:.1f} in "
        f"CPU seconds"
    )
    if difference > 1e-9:
        raise SystemExit("the scores are not equal")
    if arguments.published:
        check_published(pairs, arguments.processes)


def check_published(pairs: list[Pair], processes: int) -> None:
    """Exit with an error if a mean differs from the paper's by more than 0.25 points."""
    scores = score_pairs(pairs, [Rouge(tokenize="ptb")], processes)
    (row,) = (
        one
        for one in published_rows("govreport", "1")
        if one.max_input == 20480 and "star" not in one.marks
    )
    for name, published in row.scores.items():
        mean = sum(one[name]["f"] for one in scores) / len(scores)
        print(f"{name}: {mean:.2f}, published {published:.2f}")
        if abs(mean - published) > 0.25:
            raise SystemExit("not the published scores")


if __name__ == "__main__":
    main()
