"""How well the roles of sentences of papers are recognized, beside headings alone and a bag of
words; and the weights.

    python tests/benchmarks/roles.py [--write]

The sentences of ``labels/roles.jsonl.xz`` were labelled by a reader; a third of the journals are
held out. ``--write`` puts the weights of the cues into the package.
"""

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F

from pagesum_cli.documents.article.names import core_name
from pagesum_cli.models.extractive import roles
from pagesum_cli.quoting.roles import ROLES, role_cues
from pagesum_cli.text.words import words_of

LABELS = Path(__file__).parent / "labels" / "roles.jsonl.xz"
WEIGHTS = Path(roles.__file__).with_name("roles.toml")
MIN_SENTENCES = 3
DECAY = 1.0

Row = dict[str, Any]


def part(row: Row) -> str:
    """The part of the paper."""
    return "abstract" if row["in_abstract"] else core_name(row["heading"])


def cues(row: Row) -> list[str]:
    """What the package looks at."""
    return role_cues(row["sentence"], part(row), row["position"])


def place(row: Row) -> list[str]:
    """The heading and the place alone."""
    return [cue for cue in cues(row) if cue == "bias" or cue.startswith(("part", "quarter"))]


def bag(row: Row) -> list[str]:
    """The different words."""
    return ["bias", *set(words_of(row["sentence"]))]


def fit(rows: Sequence[Row], features: Callable[[Row], list[str]]) -> dict[str, dict[str, float]]:
    """The weights of a softmax regression, by role."""
    counts = Counter(name for row in rows for name in features(row))
    names = [name for name, count in counts.items() if count >= MIN_SENTENCES]
    values = torch.tensor(
        [[float(name in found) for name in names] for found in map(features, rows)]
    )
    labels = torch.tensor([ROLES.index(row["role"]) for row in rows])
    weights = torch.zeros(len(names), len(ROLES), requires_grad=True)
    search = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        search.zero_grad()
        total = (
            F.cross_entropy(values @ weights, labels, reduction="sum")
            + DECAY * weights.square().sum() / 2
        )
        total.backward()
        return total

    search.step(loss)
    columns = weights.detach().T.tolist()
    return {
        role: dict(zip(names, column, strict=True))
        for role, column in zip(ROLES, columns, strict=True)
    }


def figures(
    rows: Sequence[Row], weights: dict[str, dict[str, float]], features: Callable[[Row], list[str]]
) -> str:
    """Macro F1 over all roles but ``other``, accuracy, and F1 by role."""
    true = [row["role"] for row in rows]
    found = [
        max(ROLES, key=lambda role: sum(weights[role].get(name, 0.0) for name in names))
        for names in map(features, rows)
    ]
    scores = {}
    for role in ROLES[:-1]:
        hits = sum(a == b == role for a, b in zip(true, found, strict=True))
        scores[role] = 2 * hits / max(1, true.count(role) + found.count(role))
    accuracy = sum(a == b for a, b in zip(true, found, strict=True)) / len(true)
    by_role = "  ".join(f"{role} {score:.2f}" for role, score in scores.items())
    return f"macro F1 {sum(scores.values()) / len(scores):.3f}  accuracy {accuracy:.3f}  {by_role}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="put the weights into the package")
    arguments = parser.parse_args()
    with lzma.open(LABELS, "rt", encoding="utf-8") as lines:
        rows: list[Row] = [json.loads(line) for line in lines]
    fitted = [row for row in rows if row["split"] == "train"]
    held_out = [row for row in rows if row["split"] != "train"]
    for name, features in (("headings", place), ("bag of words", bag), ("cues", cues)):
        print(f"{name:12} {figures(held_out, fit(fitted, features), features)}")
    if arguments.write:
        text = WEIGHTS.read_text(encoding="utf-8").partition("[weights")[0]
        weights = fit(rows, cues)
        lines = [
            f'"{name}" = {[round(weights[role][name], 2) for role in ROLES]}'
            for name in sorted(weights[ROLES[0]])
        ]
        text += f"[weights]  # {', '.join(ROLES)}\n" + "\n".join(lines) + "\n"
        WEIGHTS.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
