"""How good the first lines of chapters are, by the labels of readers.

    python tests/benchmarks/lines.py [--above 4]

``labels/lines.jsonl.xz`` has 176 chapters of 23 books and manuals: their sentences with heading and
the model's score, of which 825 were labelled by two readers who did not see each other's labels. A
label is (needs something absent: 0, 1; value as the line of its chapter: 0 useless, 1 trivial, 2
relevant, 3 what the chapter is about). A chapter whose best sentence is not labelled is counted
apart.
"""

import argparse
import json
import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pagesum_cli.documents.model import Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.shapes.points import points_of

LABELS = Path(__file__).parent / "labels" / "lines.jsonl.xz"
Labels = Sequence[tuple[int, int]]


def best_of(chapter: dict[str, Any]) -> tuple[float, Labels | None]:
    """The score and the labels of the best sentence of a chapter."""
    sentences = tuple(
        Sentence(text, heading=heading) for text, heading, _, _ in chapter["sentences"]
    )
    pages = Pages("discourse", (Page(chapter["chapter"], "chapter", "", sentences, 20),))
    scores = {(0, number): one[2] for number, one in enumerate(chapter["sentences"])}
    points = points_of(pages, scores, {"chapter": 0}, [chapter["chapter"]], chapter["subject"])
    best = max(points, key=lambda one: one.score)
    return best.score, chapter["sentences"][best.place[1]][3]


def means(labels: Sequence[Labels]) -> tuple[float, float]:
    """The mean value, and the share that needs something absent."""
    count = sum(map(len, labels)) or 1
    return sum(one[1] for pair in labels for one in pair) / count, sum(
        one[0] for pair in labels for one in pair
    ) / count


def main() -> None:
    """Print the means of all chapters, of those above a score, and of the best labelled
    sentences.
    """
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--above", type=float, default=4.0)
    above = parser.parse_args().above
    with lzma.open(LABELS, "rt", encoding="utf-8") as lines:
        chapters = [json.loads(line) for line in lines]
    best = [best_of(chapter) for chapter in chapters]
    chosen = [labels for _, labels in best if labels]
    clear = [labels for score, labels in best if labels and score > above]
    rest = [[one[3] for one in chapter["sentences"] if one[3]] for chapter in chapters]
    ideal = [max(labels, key=lambda pair: sum(one[1] - one[0] for one in pair)) for labels in rest]
    print("| first lines | chapters | value | needs something absent |\n|---|---:|---:|---:|")
    for name, labels in (
        ("all", chosen),
        (f"score above {above:g}", clear),
        ("best labelled", ideal),
    ):
        value, absent = means(labels)
        print(f"| {name} | {len(labels)} | {value:.2f} | {absent:.1%} |")
    print(f"\n{len(best) - len(chosen)} of {len(best)} chapters: the best sentence has no label")


if __name__ == "__main__":
    main()
