"""Fit the weights that decide what sentences of minutes record, and write them into the package.

    python tests/benchmarks/train_minutes.py LABELLED UNLABELLED --work FOLDER [--folds 6]

``LABELLED`` has the documents of ``labels/minutes.jsonl`` that have a ``body``, ``UNLABELLED`` any
number of other minutes, whose names begin with that of their body and a line (``esl_4.md``). In
these, what the rules find counts as recorded, with a small weight: so the regression learns which
words come along with what the rules know. Sentences that a reader may count or not are left out.
With ``--folds``, nothing is written: bodies are divided into so many parts, each part is examined
with weights that were fitted to the other parts, and precision and recall are printed, of the
rules alone and of both. What was read is kept in the folder. Needs scikit-learn; takes ten minutes
for 1,350 minutes, most of them for reading.
"""

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from minutes import LABELS, plain
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.shapes import learned
from pagesum_cli.shapes.meeting import ruled_outcomes, undecided_in

OF_RULE, OF_LABEL = 0.1, 1.0  # weight of an example
NOTES = 3  # unlabelled sentences without an outcome, for each one with one
MIN_COUNT = 3  # times that a feature must occur
STRENGTH = 15.0  # inverse of the L1 penalty
OPEN = "open"  # kind of sentences that a reader may count or not


@dataclass(frozen=True)
class Example:
    """A sentence of minutes with what stands around it."""

    body: str  # whose minutes they are
    text: str
    heading: str
    above: str
    before: str
    is_open: bool  # whether the regression decides about it
    rule: str  # the kind that the rules find
    kind: str  # the kind of the label; empty for a note

    def features(self) -> set[str]:
        return learned.features(self.text, self.heading, self.above, self.before)


def read(path: Path, body: str, labels: dict[str, str] | None) -> Iterator[Example]:
    """The sentences of a document; without labels, the rules' kinds count."""
    sentences = all_sentences(read_file(str(path))[0])
    found = ruled_outcomes(sentences)
    others = set(undecided_in(sentences, found))
    for number, sentence in enumerate(sentences):
        if not sentence.is_heading:
            rule = found[number].kind if number in found else ""
            kind = rule if labels is None else labels.get(plain(sentence.text), "")
            around = learned.around(sentences, number)
            yield Example(body, *around, number in others, rule, kind)


def examples(folder: Path, work: Path, rows: Sequence[dict[str, Any]] | None) -> list[Example]:
    """The sentences of the documents of a folder, read once."""
    kept = work / f"{folder.name}.jsonl"
    if not kept.exists():
        labelled = {row["document"]: row for row in rows or ()}
        found: list[Example] = []
        for path in sorted(folder.iterdir()):
            row = labelled.get(path.name)
            if rows is None:
                found += read(path, path.name.partition("_")[0], None)
            elif row and "body" in row:
                labels = {plain(text): kind for kind, text in row["outcomes"]}
                found += read(path, row["body"], labels)
        kept.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found), encoding="utf-8")
    return [Example(**json.loads(line)) for line in kept.read_text("utf-8").splitlines()]


def matrix(found: Sequence[set[str]], places: dict[str, int]) -> csr_array:
    """The features of examples, each over the root of how many there are."""
    columns, values, ends = list[int](), list[float](), [0]
    for one in found:
        own = sorted(places[name] for name in one if name in places)
        columns += own
        values += [len(one) ** -0.5] * len(own)
        ends.append(len(columns))
    places_of = (np.array(columns, np.int32), np.array(ends, np.int32))
    return csr_array((values, *places_of), shape=(len(found), len(places)))


def fitted(
    found: Sequence[set[str]], answers: Sequence[bool], weights: Sequence[float]
) -> dict[str, int]:
    """The weights of one decision by feature, in hundredths."""
    counts = Counter(name for one in found for name in one)
    names = sorted(name for name, count in counts.items() if count >= MIN_COUNT)
    places = {name: number for number, name in enumerate(names)}
    regression = LogisticRegression(C=STRENGTH, solver="liblinear", l1_ratio=1)
    regression.fit(matrix(found, places), answers, sample_weight=weights)
    rounded = np.rint(learned.SCALE * regression.coef_[0]).astype(int).tolist()
    own = {name: weight for name, weight in zip(names, rounded, strict=True) if weight}
    return {"": round(learned.SCALE * float(regression.intercept_[0])), **own}


def weights_of(labelled: Sequence[Example], unlabelled: Sequence[Example]) -> dict[str, Any]:
    """The weights of all decisions: whether a sentence records something, and what."""
    sure = [one for one in labelled if one.kind != OPEN]
    some = thinned(unlabelled)
    both = [*sure, *some]
    found = [one.features() for one in both]
    weights = [OF_LABEL] * len(sure) + [OF_RULE] * len(some)
    result = {learned.RECORDS: fitted(found, [bool(one.kind) for one in both], weights)}
    rows = [number for number, one in enumerate(both) if one.kind]
    for kind in learned.KINDS:
        answers = [both[number].kind == kind for number in rows]
        own = [weights[number] for number in rows]
        result[kind] = fitted([found[number] for number in rows], answers, own)
    return result


def thinned(examples: Sequence[Example]) -> list[Example]:
    """Each sentence of a body once, and of notes only some."""
    unique = list({(one.body, one.text): one for one in examples}.values())
    outcomes = [one for one in unique if one.kind]
    notes = [one for one in unique if not one.kind]
    random.Random(0).shuffle(notes)
    return [*outcomes, *notes[: NOTES * len(outcomes)]]


def compare(labelled: Sequence[Example], unlabelled: Sequence[Example], folds: int) -> None:
    """Print precision and recall of bodies that the weights have not met."""
    bodies = sorted({one.body for one in labelled})
    random.Random(1).shuffle(bodies)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for fold in range(folds):
        held = set(bodies[fold::folds])
        own = weights_of(
            *([one for one in some if one.body not in held] for some in (labelled, unlabelled))
        )
        for one in labelled:
            if one.body in held and one.kind != OPEN:
                is_likely = one.is_open and learned.is_whole(one.text)
                likely = learned.decided(one.features(), own) if is_likely else ""
                counts["rules"] += verdict(one.rule, one.kind)
                counts["both"] += verdict(one.rule or likely, one.kind)
    for name, found in counts.items():
        right = found["right"]
        precision, recall = right / (right + found["wrong"]), right / (right + found["missed"])
        kinds = found["kind"] / right
        print(f"{name:6} precision {precision:.3f}  recall {recall:.3f}  kinds {kinds:.3f}")


def verdict(found: str, label: str) -> Counter[str]:
    """What is counted of a sentence by the kind that was found and that of its label."""
    if not found:
        return Counter({"missed": bool(label)})
    return Counter({"right" if label else "wrong": 1, "kind": found == label})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labelled", type=Path)
    parser.add_argument("unlabelled", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--folds", type=int, default=0)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    rows = [json.loads(line) for line in LABELS.read_text("utf-8").splitlines()]
    labelled = examples(arguments.labelled, arguments.work, rows)
    unlabelled = examples(arguments.unlabelled, arguments.work, None)
    if arguments.folds:
        compare(labelled, unlabelled, arguments.folds)
        return
    result = weights_of(labelled, unlabelled)
    learned.WEIGHTS.parent.mkdir(exist_ok=True)
    learned.WEIGHTS.write_text(json.dumps(result, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print({name: len(own) for name, own in result.items()})


if __name__ == "__main__":
    main()
