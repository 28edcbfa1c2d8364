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
from pathlib import Path

from pagesum_cli import PageSummarizer
from pagesum_cli.datasets.named import DataRequest, read_data
from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.models.extractive import focus
from pagesum_cli.models.extractive.focus import COVERED, relevance_by_words

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


def finders(name: str) -> dict[str, Finder]:
    """What is compared."""
    summarizer = PageSummarizer.from_pretrained(name, device="cpu", dtype="float32")
    embed = summarizer.model.word_vectors(summarizer.tokenizer).words

    def ours(question: str, texts: Texts) -> tuple[list[float], float]:
        scores, covered = relevance_by_words(
            question, [f"{heading} {text}" for heading, text in texts], embed
        )
        return scores.tolist(), covered

    def bm25(question: str, texts: Texts) -> tuple[list[float], float]:
        usual = focus.NEIGHBORS, focus.ANSWER_WEIGHT
        focus.NEIGHBORS, focus.ANSWER_WEIGHT = (0.0, 0.0, 1.0, 0.0, 0.0), 0.0
        scores, covered = relevance_by_words(question, [text for _, text in texts])
        focus.NEIGHBORS, focus.ANSWER_WEIGHT = usual
        return scores.tolist(), covered

    return {"BM25": bm25, "focus": ours}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data")
    parser.add_argument(
        "--files", nargs="*", type=Path, default=[], help="folders of PDFs and other files"
    )
    parser.add_argument("--model", default="mini")
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
    for name, find in finders(arguments.model).items():
        found: dict[tuple[str, str], list[int]] = defaultdict(list)
        doubted: dict[bool, list[bool]] = defaultdict(list)
        for row in rows:
            if texts := documents.get(row["document"]):
                scores, covered = find(row["question"], texts)
                doubted[bool(row["answers"])].append(covered < COVERED)
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
