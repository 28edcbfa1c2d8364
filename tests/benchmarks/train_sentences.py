"""Fit the weights that decide where sentences end, and write them into the package.

    python tests/benchmarks/train_sentences.py DIR

DIR holds treebanks in CoNLL-U (``*.conllu``) and plain text with a paragraph a line (``*.txt``);
which ones, and under which licences, is in ``pagesum_cli/assets/sentences/README.md``. In plain
text a place counts where nupunkt and pysbd agree about it. The places that were labelled by hand
(``labels/ends.jsonl``, and the "tuned" split of ``tests/text/boundaries.jsonl``) are added, and
sentences of a grammar of abbreviations and legal citations (``labels/grammar.toml``). The weights
are those of a logistic regression with an L1 penalty. Needs SciPy, nupunkt and pysbd; takes some
minutes.
"""

import argparse
import json
import random
import re
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import nupunkt
from scipy.optimize import minimize
from scipy.sparse import csr_array

from pagesum_cli.text.sentences import WEIGHTS, features, places

LABELS = Path(__file__).parent / "labels"
BOUNDARIES = Path(__file__).parents[1] / "text" / "boundaries.jsonl"
PENALTY = 6e-6  # L1, per example
MIN_COUNT = 3  # times that a feature must occur
OF_TEXT, OF_GRAMMAR, OF_LABEL = 0.5, 0.25, 3.0  # weights of an example; of one from a treebank, 1
_SLOW = re.compile(r"\d[\d,\s-]{10,}|(?:[.!?…] ?){6,}")  # what takes pysbd forever
PARAGRAPHS = 3000  # that are made by the grammar
KINDS = ("sentence", "sentence", "prose", "plain")  # of sentences of the grammar
SCALE = 100  # weights are written in hundredths

Verdict = Callable[[int], bool | None]  # whether a sentence begins at an offset; None if unknown
Example = tuple[list[str], bool, float]  # features, whether a sentence ends there, weight


def paragraphs(conllu: str) -> Iterator[list[str]]:
    """The sentences of a treebank, by paragraph; by four where it has no paragraphs."""
    blocks = re.findall(r"^((?:# .*\n)+)", conllu, re.M)
    sentences = [re.search(r"^# text = (.*)", block, re.M)[1] for block in blocks]
    new = re.compile("^# new(?:par|doc)", re.M)
    starts = [place for place, block in enumerate(blocks) if new.search(block)]
    if len(starts) < 2:
        starts = list(range(0, len(sentences), 4))
    for start, end in pairwise([*starts, len(sentences)]):
        yield sentences[start:end]


def joined(sentences: list[str]) -> tuple[str, set[int]]:
    """Sentences as one paragraph, and where each begins after the one before it."""
    text, starts = "", set()
    for sentence in sentences:
        text += f" {sentence}" if text else sentence
        starts.add(len(text) - len(sentence))
    return text, starts


def examples(text: str, verdict: Verdict, weight: float) -> Iterator[Example]:
    """The places of a paragraph about which there is a verdict."""
    start = 0
    for match in places(text):
        ends = verdict(match.end())
        if ends is not None and match["certain"] is None:
            yield features(text, start, match), ends, weight
        if ends:
            start = match.end()


def of_sentences(sentences: list[str], weight: float) -> Iterator[Example]:
    text, starts = joined(sentences)
    yield from examples(text, lambda place: place in starts, weight)


def starts_of(text: str, sentences: list[str]) -> set[int]:
    """Where a splitter's sentences begin."""
    starts, place = set(), 0
    for sentence in sentences:
        found = text.find(sentence.strip(), place)
        if found >= 0:
            starts.add(found)
            place = found + len(sentence.strip())
    return starts


def of_plain_text(lines: list[str]) -> Iterator[Example]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pysbd's own string escapes
        import pysbd
    segmenter = pysbd.Segmenter(language="en", clean=False)
    for line in lines:
        if _SLOW.search(line):
            continue
        one = starts_of(line, nupunkt.sent_tokenize(line))
        other = starts_of(line, segmenter.segment(line))
        yield from examples(line, agreement(one, other), OF_TEXT)


def agreement(one: set[int], other: set[int]) -> Verdict:
    def verdict(place: int) -> bool | None:
        return place in one if (place in one) == (place in other) else None

    return verdict


def of_labels(path: Path) -> Iterator[Example]:
    for line in path.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case.get("split") != "held-out":
            before, after = case["text"].split("‖")
            place = len(before) + len(after) - len(after.lstrip())
            yield from examples(before + after, {place: case["is_boundary"]}.get, OF_LABEL)


class Grammar:
    """Sentences with abbreviations and legal citations, at random."""

    def __init__(self, path: Path) -> None:
        rules = tomllib.loads(path.read_text(encoding="utf-8"))
        self._choices = {name: re.split(r"[\n|]", text.strip("\n")) for name, text in rules.items()}
        self._random = random.Random(1)

    def paragraph(self) -> list[str]:
        sentences = [self._one("note")] if self._random.random() < 0.3 else []
        for _ in range(self._random.randint(2, 7)):
            if sentences and self._random.random() < 0.04:
                sentences.append(f"*{self._number('page')}")
            sentences.append(self._one(self._random.choice(KINDS)))
        return sentences

    def _one(self, name: str) -> str:
        if name in ("page", "title", "year"):
            return str(self._number(name))
        chosen = self._random.choice(self._choices[name])
        text = re.sub(r"\{(\w+)\}", lambda match: self._one(match[1]), chosen)
        return re.sub(" +(?=[,) ])", "", text).replace("..", ".") if name in KINDS else text

    def _number(self, name: str) -> int:
        ranges = {"page": (2, 1999), "title": (1, 99), "year": (1850, 2016)}
        return self._random.randint(*ranges[name])


def all_examples(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("*.conllu")):
        for sentences in paragraphs(path.read_text(encoding="utf-8")):
            yield from of_sentences(sentences, 1)
    for path in sorted(folder.glob("*.txt")):
        yield from of_plain_text(path.read_text(encoding="utf-8").splitlines())
    for path in (BOUNDARIES, LABELS / "ends.jsonl"):
        yield from of_labels(path)
    grammar = Grammar(LABELS / "grammar.toml")
    for _ in range(PARAGRAPHS):
        yield from of_sentences(grammar.paragraph(), OF_GRAMMAR)


def fit(data: list[Example]) -> dict[str, float]:
    """Weights of a logistic regression with an L1 penalty, by L-BFGS-B on their two signs."""
    counts = Counter(feature for row, _, _ in data for feature in row)
    frequent = sorted(name for name in counts if counts[name] >= MIN_COUNT)
    numbers = {name: place for place, name in enumerate(frequent)}
    columns = [[numbers[name] for name in row if name in numbers] for row, _, _ in data]
    ends = np.cumsum([0, *map(len, columns)])
    flat = np.concatenate([np.array(row, dtype=np.int32) for row in columns])
    known = csr_array((np.ones(len(flat)), flat, ends), shape=(len(data), len(numbers)))
    turned = known.T.tocsr()
    signs = np.array([1.0 if is_end else -1.0 for _, is_end, _ in data])
    shares = np.array([weight for _, _, weight in data])
    shares /= shares.sum()

    def loss(halves: np.ndarray) -> tuple[float, np.ndarray]:
        positive, negative = np.split(halves, 2)
        margins = signs * (known @ (positive - negative))
        slope = turned @ (-shares * signs / (1 + np.exp(np.clip(margins, -50, 50))))
        value = shares @ np.logaddexp(0, -margins) + PENALTY * halves.sum()
        return float(value), np.concatenate([slope + PENALTY, PENALTY - slope])

    found = minimize(
        loss,
        np.zeros(2 * len(numbers)),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * (2 * len(numbers)),
        options={"maxiter": 200},
    )
    positive, negative = np.split(found.x, 2)
    return dict(zip(numbers, positive - negative, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, metavar="DIR")
    data = list(all_examples(parser.parse_args().folder))
    weights = {name: round(SCALE * weight) for name, weight in fit(data).items()}
    kept = {name: weight for name, weight in weights.items() if weight}
    text = json.dumps(kept, ensure_ascii=False, indent=0, separators=(",", ":"))
    WEIGHTS.write_text(text + "\n", encoding="utf-8")
    print(f"{len(data)} places, {len(weights)} features, {len(kept)} weights")


if __name__ == "__main__":
    main()
