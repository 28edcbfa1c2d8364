"""Whether the sentences that a question or topic finds answer it, beside BM25 alone.

    python tests/benchmarks/focus.py --data papers_and_proposals.dev.jsonl.xz \\
        --files FOLDER [FOLDER …]

``labels/focus.jsonl.xz`` has questions, topics and topics in other words than the document's, each
with the sentences that answer it; a few that the document does not answer. Those whose document is
in the data or the folders are scored.
"""

import argparse
import json
import lzma
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from pagesum_cli.datasets.named import DataRequest, read_data
from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.retrieval import scoring
from pagesum_cli.retrieval.find import DOUBTFUL, relevance
from pagesum_cli.retrieval.questions import Concept, Question
from pagesum_cli.retrieval.store import Entry, Store

LABELS = Path(__file__).parent / "labels" / "focus.jsonl.xz"
MIN_LENGTH = 12
"""Characters of a sentence that is part of an answer."""

Texts = list[tuple[str, str]]
Finder = Callable[[str, Texts], tuple[list[float], float]]


def texts_of(documents: Iterable[Document]) -> Texts:
    """The heading and the text of each sentence."""
    return [
        (item.heading, " ".join(item.text.split()))
        for document in documents
        for section, start in document.read_sections
        for item in sentences_of(section, start)
        if not item.is_heading
    ]


def plain(text: str) -> str:
    """Letters and digits, to compare sentences by."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def ranks(scores: Sequence[float], answers: Sequence[str], texts: Texts) -> int:
    """The rank of the best answer, from 1."""
    known = [plain(answer) for answer in answers]
    order = sorted(range(len(texts)), key=lambda number: -scores[number])
    for rank, number in enumerate(order, start=1):
        own = plain(texts[number][1])
        if len(own) >= MIN_LENGTH and any(own in answer or answer in own for answer in known):
            return rank
    return len(order) + 1


def ours(question: str, texts: Texts) -> tuple[list[float], float]:
    """What a focus and ``find`` do."""
    return relevance(question, texts)


def bm25(question: str, texts: Texts) -> tuple[list[float], float]:
    """BM25 over the sentences alone."""
    store = Store()
    store.add("", [("", [Entry(text, "") for _, text in texts])])
    passages = store.ask([""])
    asked = Question.of(question)
    own = tuple(Concept(one.stem, {one.stem: 1.0}) for one in asked.concepts)
    neighbors, scoring.NEIGHBORS = scoring.NEIGHBORS, {}
    found, covered = scoring.scores(replace(asked, concepts=own, kinds=()), store, len(passages))
    scoring.NEIGHBORS = neighbors
    return [found.get(one, 0.0) for one in passages], covered


FINDERS: dict[str, Finder] = {"BM25": bm25, "focus": ours}
"""What is compared."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data")
    parser.add_argument(
        "--files", nargs="*", type=Path, default=[], help="folders of PDFs and other files"
    )
    arguments = parser.parse_args()
    with lzma.open(LABELS, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    documents: dict[str, Texts] = {}
    if arguments.data:
        for record in read_data(DataRequest(data=arguments.data), lambda problem: None):
            documents[record.id] = texts_of(record.documents)
    named = {row["document"] for row in rows}
    for path in (
        path for folder in arguments.files for path in folder.iterdir() if path.name in named
    ):
        documents[path.name] = texts_of(read_file(str(path)))
    for name, find in FINDERS.items():
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        doubted: dict[bool, list[bool]] = defaultdict(list)
        for row in rows:
            if texts := documents.get(row["document"]):
                scores, covered = find(row["question"], texts)
                doubted[bool(row["answers"])].append(covered < DOUBTFUL)
                if row["answers"]:
                    rank = ranks(scores, row["answers"], texts)
                    for kind in (row["type"], "all"):
                        found[row["split"], kind].append(rank)
        for (split, kind), places in sorted(found.items()):
            shares = [sum(rank <= top for rank in places) / len(places) for top in (1, 3, 5)]
            mean = sum(1 / rank for rank in places) / len(places)
            print(
                f"{name:6} {split:5} {kind:10} {len(places):3}  first {shares[0]:.2f}  "
                f"3 {shares[1]:.2f}  ",
                end="",
            )
            print(f"5 {shares[2]:.2f}  reciprocal rank {mean:.3f}")
        for answered, doubts in doubted.items():
            print(
                f"{name:6} {'answered' if answered else 'absent':10} {sum(doubts)} "
                f"of {len(doubts)} in doubt"
            )


if __name__ == "__main__":
    main()
