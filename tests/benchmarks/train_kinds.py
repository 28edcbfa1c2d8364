"""Fit the weights that tell the kinds of documents apart, and write them into the package.

    python tests/benchmarks/train_kinds.py FOLDER LABELS [--folds 5]

``FOLDER`` has a folder for each kind (``contract``, ``opinion``, ``other`` ...) with documents
whose names begin with their source and two underscores (``owner-name__file.pdf``). ``LABELS`` is
``labels/editors.jsonl.xz``; its news, stories, essays and so on are documents of no kind, too. With
``--folds``, nothing is written: sources are divided into so many parts, each part is examined with
weights that were fitted to the other parts, and it is printed how many documents rules recognize,
how many the regression does where rules do not, and how many of these rightly. Needs scikit-learn.
"""

import argparse
import json
import lzma
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from pagesum_cli.documents.guard.sources import read_documents
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.errors import PagesumError
from pagesum_cli.shapes.kinds import by_rules
from pagesum_cli.shapes.likely_kinds import (
    BIAS,
    LIKELY,
    OTHER,
    SCALE,
    WEIGHTS,
    features,
    probabilities,
)

MIN_DOCUMENTS, MIN_SOURCES = 6, 4  # that a feature must occur in
OTHERS = {
    *("news", "story", "essay", "minutes", "interview", "manual", "meeting", "textbook chapter"),
    *("reference", "postmortem", "lesson", "patent", "technical book", "case study", "standard"),
}
MAX_SHARE = 0.5  # of all documents; words that more have are in every text
SMALLEST = 1  # tenths, up to which a weight is left out
FEATURES = 1500  # the number of features
STRENGTH = 10.0  # inverse of the L2 penalty


@dataclass(frozen=True)
class Example:
    """A document of a known kind."""

    kind: str
    source: str
    features: dict[str, float]
    rule: str  # what the rules call it; empty if they do not recognize it


def examples(folder: Path) -> list[Example]:
    """The documents of a folder that can be read."""
    found = []
    for path in sorted(folder.glob("*/*__*")):
        try:
            (document,) = read_documents(str(path), None, None, None)
        except (PagesumError, ValueError) as error:
            print(f"{path}: {error}")
            continue
        kind = by_rules(document)
        name = (kind.learned or kind.name) if kind else ""
        found.append(Example(path.parent.name, path.name.split("__")[0], features(document), name))
    return found


def others(path: Path) -> list[Example]:
    """The labelled documents of other kinds."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    found = []
    for row in rows:
        if row["kind"] in OTHERS:
            sections = [
                Section(heading, (Paragraph(" ".join(text for _, text in group)),))
                for heading, group in groupby(row["sentences"], key=itemgetter(0))
            ]
            document = Document(row["id"], tuple(sections), row["title"])
            source = str(row["source"]).split(" ")[0]
            found.append(Example(OTHER, source, features(document), ""))
    return found


def common(some: Sequence[Example]) -> list[str]:
    """The features that occur in enough documents and sources, and not in most."""
    counts, sources = Counter[str](), defaultdict[str, set[str]](set)
    for one in some:
        counts.update(one.features.keys())
        for name in one.features:
            sources[name].add(one.source)
    return sorted(
        name
        for name, number in counts.items()
        if MIN_DOCUMENTS <= number <= MAX_SHARE * len(some) and len(sources[name]) >= MIN_SOURCES
    )


def matrix(some: Sequence[Example], names: Sequence[str]) -> csr_array:
    """The features of documents, ``(N, F)``, each row of length 1."""
    column = {name: number for number, name in enumerate(names)}
    values, columns, starts = [], [], [0]
    for one in some:
        own = {column[name]: value for name, value in one.features.items() if name in column}
        length = np.sqrt(sum(value**2 for value in own.values())) or 1.0
        columns += own.keys()
        values += [value / length for value in own.values()]
        starts.append(len(columns))
    return csr_array((values, columns, starts), shape=(len(some), len(names)))


def fitted(some: Sequence[Example]) -> dict[str, dict[str, int]]:
    """The weights of the features that decide most."""
    names, kinds = common(some), [one.kind for one in some]
    inputs = matrix(some, names)
    first = _regression(inputs, kinds)
    deviations = np.sqrt(np.asarray(inputs.multiply(inputs).mean(0)).ravel())
    order = np.argsort(-np.abs(first.coef_).max(0) * deviations)
    names = sorted(names[number] for number in order[:FEATURES])
    last = _regression(matrix(some, names), kinds)
    rows = zip([BIAS, *names], [last.intercept_, *last.coef_.T], strict=True)
    return {
        name: {
            kind: round(float(SCALE * value))
            for kind, value in zip(last.classes_, row, strict=True)
            if name == BIAS or abs(round(float(SCALE * value))) > SMALLEST
        }
        for name, row in rows
    }


def _regression(inputs: csr_array, kinds: Sequence[str]) -> LogisticRegression:
    return LogisticRegression(C=STRENGTH, max_iter=300, class_weight="balanced").fit(inputs, kinds)


def examine(some: Sequence[Example], folds: int) -> None:
    """Print what rules and regression recognize, of documents that were not learned from."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    sources = [one.source for one in some]
    for learned, left_out in GroupKFold(folds).split(some, groups=sources):
        own = fitted([some[number] for number in learned])
        for one in (some[number] for number in left_out):
            chances = probabilities(one.features, own)
            kind = max(chances, key=chances.__getitem__)
            likely = kind if kind != OTHER and chances[kind] >= LIKELY else ""
            row = counts[one.kind]
            row["documents"] += 1
            row["rule, right"] += one.rule == one.kind
            row["rule, wrong"] += one.rule not in ("", one.kind)
            row["words, right"] += likely == one.kind
            row["words, wrong"] += likely not in ("", one.kind)
            row["words alone, right"] += not one.rule and likely == one.kind
            row["words alone, wrong"] += not one.rule and likely not in ("", one.kind)
            row["words for rule's paper, right"] += one.rule == "paper" != likely == one.kind
            row["words for rule's paper, wrong"] += one.rule == "paper" and likely not in (
                *("", "paper", one.kind),
            )
    for kind, row in sorted(counts.items()):
        print(kind, dict(row))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("labels", type=Path)
    parser.add_argument("--folds", type=int)
    arguments = parser.parse_args()
    some = [*examples(arguments.folder), *others(arguments.labels)]
    if arguments.folds:
        examine(some, arguments.folds)
        return
    text = json.dumps(fitted(some), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    WEIGHTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
