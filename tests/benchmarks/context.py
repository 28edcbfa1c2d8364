"""How well sentences that need context are found, beside a rule; and the weights of the cues.

    python tests/benchmarks/context.py [--write]

The sentences of ``labels/context.jsonl.xz`` were labelled twice by readers who did not see each
other's labels: does the sentence, quoted alone under the title of its document, point at something
that is not there? Documents are either fitted on or held out. ``--write`` puts the weights into the
package.
"""

import argparse
import json
import lzma
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from pagesum_cli.models.extractive import context
from pagesum_cli.quoting.context import Surroundings, context_cues

LABELS = Path(__file__).parent / "labels" / "context.jsonl.xz"
WEIGHTS = Path(context.__file__).with_name("context.toml")
MIN_SENTENCES = 5
"""Sentences that have a cue, below which it gets no weight."""
DECAY = 1.0
"""Weight of the squares of the weights."""
SAMPLES = 1000

RULE = re.compile(
    r"(?:however|but|thus|therefore|hence|moreover|furthermore|also|in addition|in contrast|"
    r"instead|nevertheless|consequently|similarly|then|finally|for (?:example|instance)|indeed|"
    r"yet|so|still|it|they|he|she|its|their|his|her|these|those|such|both|this|that|"
    r"the (?:former|latter|above|same|others?|following))\b",
    re.IGNORECASE,
)


def read() -> list[dict[str, Any]]:
    """The labelled sentences, with the share of readers who found that they need context."""
    with lzma.open(LABELS, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        around = Surroundings(row["before"], row["first"], row["title"], row["heading"])
        row["cues"] = context_cues(row["sentence"], around)
        row["share"] = sum(label.startswith("1") for label in row["labels"]) / len(row["labels"])
    return rows


def fit(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """The weights of a logistic regression."""
    counts = Counter(cue for row in rows for cue, value in row["cues"].items() if value)
    names = [cue for cue, count in counts.items() if count >= MIN_SENTENCES]
    values = torch.tensor(
        [[float(row["cues"].get(name, 0)) for name in names] for row in rows], dtype=torch.double
    )
    shares = torch.tensor([row["share"] for row in rows], dtype=torch.double)
    decay = torch.tensor([DECAY * (name != "bias") for name in names], dtype=torch.double)
    weights = torch.zeros(len(names), dtype=torch.double, requires_grad=True)
    search = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        search.zero_grad()
        errors = F.binary_cross_entropy_with_logits(values @ weights, shares, reduction="sum")
        total = errors + (decay * weights**2).sum() / 2
        total.backward()
        return total

    search.step(loss)
    return {name: round(weight, 3) for name, weight in zip(names, weights.tolist(), strict=True)}


def logit(row: dict[str, Any], weights: dict[str, float]) -> float:
    """The score of a sentence."""
    return sum(value * weights.get(cue, 0.0) for cue, value in row["cues"].items())


def figures(found: Sequence[bool], true: Sequence[bool]) -> str:
    """Precision, recall, and the share of those not found that need context, with 95 %
    intervals.
    """
    pairs = list(zip(found, true, strict=True))
    draws = [random.Random(seed).choices(pairs, k=len(pairs)) for seed in range(SAMPLES)]
    parts = []
    for name, measure in (("precision", _precision), ("recall", _recall), ("left in", _left)):
        values = sorted(map(measure, draws))
        low, high = values[round(0.025 * SAMPLES)], values[round(0.975 * SAMPLES) - 1]
        parts.append(f"{name} {measure(pairs):.3f} ({low:.3f}–{high:.3f})")
    return "  ".join(parts)


def _precision(pairs: Sequence[tuple[bool, bool]]) -> float:
    return sum(found and true for found, true in pairs) / max(1, sum(found for found, _ in pairs))


def _recall(pairs: Sequence[tuple[bool, bool]]) -> float:
    return sum(found and true for found, true in pairs) / max(1, sum(true for _, true in pairs))


def _left(pairs: Sequence[tuple[bool, bool]]) -> float:
    return sum(true and not found for found, true in pairs) / max(
        1, sum(not found for found, _ in pairs)
    )


def agreement(rows: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """The share of sentences with two equal labels, and Cohen's kappa."""
    first, second = zip(
        *[
            [label.startswith("1") for label in row["labels"]]
            for row in rows
            if len(row["labels"]) == 2
        ],
        strict=True,
    )
    equal = sum(a == b for a, b in zip(first, second, strict=True)) / len(first)
    share, other = sum(first) / len(first), sum(second) / len(second)
    random_agreement = share * other + (1 - share) * (1 - other)
    return equal, (equal - random_agreement) / (1 - random_agreement)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="put the weights into the package")
    arguments = parser.parse_args()
    rows = read()
    fitted = [row for row in rows if row["split"] == "train"]
    held_out = [row for row in rows if row["split"] != "train"]
    equal, kappa = agreement(rows)
    needed = sum(row["share"] >= 0.5 for row in rows)
    print(f"{len(rows)} sentences, {needed} need context; equal {equal:.3f}, kappa {kappa:.3f}")
    weights = fit(fitted)
    true = [row["share"] >= 0.5 for row in held_out]
    scores = [logit(row, weights) for row in held_out]
    print(f"held out ({len(held_out)})")
    for limit in (-2.0, -1.5, -1.0, -0.5, 0.0):
        found = [score >= limit for score in scores]
        print(f"  logit ≥ {limit:4}  {figures(found, true)}  found {sum(found) / len(found):.2f}")
    found = [RULE.match(row["sentence"]) is not None for row in held_out]
    print(f"  rule           {figures(found, true)}  found {sum(found) / len(found):.2f}")
    if arguments.write:
        text = WEIGHTS.read_text(encoding="utf-8").partition("[weights]\n")[0]
        lines = [f'"{name}" = {weight}' for name, weight in sorted(fit(rows).items())]
        WEIGHTS.write_text(f"{text}[weights]\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
