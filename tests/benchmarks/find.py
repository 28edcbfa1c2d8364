"""Which of all answers ``find`` has among its first rows, beside BM25 alone.

    python tests/benchmarks/find.py FOLDER

``labels/questions.jsonl`` has questions to documents that nothing was fitted to, each with all the
sentences that answer it, found by reading; a third are in other words than the document's. Half of
the documents were held out. The splits of a second set, made for the kinds of answers, begin with
"second"; there, single questions were held out. Those of a third set, half of the documents of
which were held out, begin with "third". Of documents without a licence, the answers are given as
``digests``. The folder has the files that ``document`` names, from ``source``.
"""

import argparse
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.retrieval import scoring
from pagesum_cli.retrieval.find import add_documents
from pagesum_cli.retrieval.passages import Passage
from pagesum_cli.retrieval.questions import Concept, Question, content_words
from pagesum_cli.retrieval.store import Entry, Store, stems_of

LABELS = Path(__file__).parent / "labels" / "questions.jsonl"
LATER = ("second", "third")  # begin the splits of the later sets of documents
TOP = 20  # rows that are looked at


def plain(text: str) -> str:
    """Letters and digits, to compare sentences by."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def digest(text: str) -> str:
    """What stands for the text of an answer that is not public."""
    return hashlib.sha256(plain(text).encode()).hexdigest()[:16]


class Ours:
    """What ``find`` does."""

    def __init__(self, names: Sequence[str], folder: Path) -> None:
        self.store = Store()
        for name in names:
            add_documents(self.store, name, read_file(str(folder / name)))

    def question(self, text: str) -> Question:
        return Question.of(text)

    def found(self, text: str, names: Sequence[str]) -> list[tuple[str, str]]:
        """File and text of the first rows."""
        passages = self.store.ask(names)
        shares, _ = scoring.scores(self.question(text), self.store, len(passages))
        best = sorted(shares, key=lambda one: (-shares[one], one))[:TOP]
        places = (self.store.place(one) for one in best)
        return [(name, plain(Passage.from_data(data).text)) for name, _, _, data in places]


class BM25(Ours):
    """BM25 over the sentences alone."""

    def __init__(self, names: Sequence[str], folder: Path) -> None:
        super().__init__(names, folder)
        bare = Store()
        for name in names:
            rows = [self.store.place(one) for one in self.store.ask([name])]
            passages = [Passage.from_data(data) for *_, data in rows]
            entries = [Entry(one.text, "", one.entry.data) for one in passages]
            bare.add(name, [("{}", entries)])
        self.store = bare

    def question(self, text: str) -> Question:
        stems = dict.fromkeys(stems_of(content_words(text)))
        return Question(text, tuple(Concept(one, {one: 1.0}) for one in stems), kinds=())

    def found(self, text: str, names: Sequence[str]) -> list[tuple[str, str]]:
        weights = {"NEIGHBORS": {}, "QUESTION_WEIGHT": 1.0, "STUB_WEIGHT": 1.0}
        with patch.multiple(scoring, **weights):
            return super().found(text, names)


def digests_of(row: dict[str, Any]) -> set[str]:
    """All answers to a question, by their digests."""
    return set(row.get("digests", ())) | {digest(answer) for answer in row.get("answers", ())}


def recall(row: dict[str, Any], found: Sequence[tuple[str, str]]) -> float:
    """The share of all answers that were found."""
    answers = digests_of(row)
    own = {digest(text) for name, text in found if name == row["document"]}
    return len(answers & own) / len(answers)


def is_first_right(row: dict[str, Any], found: Sequence[tuple[str, str]]) -> bool:
    """Whether the first row answers."""
    return bool(found) and recall(row, found[:1]) > 0


def set_of(row: dict[str, Any]) -> str:
    """The set of a question: one of :data:`LATER`, or empty for the first."""
    first = str(row["split"]).split()[0]
    return first if first in LATER else ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    rows = [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines()]
    names = sorted({row["document"] for row in rows if (folder / row["document"]).is_file()})
    sets: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        sets[set_of(row)].add(row["document"])
    for finder in (BM25(names, folder), Ours(names, folder)):
        values: dict[tuple[str, str, str], list[tuple[float, bool]]] = defaultdict(list)
        for row in (row for row in rows if row["document"] in names):
            every = sorted(sets[set_of(row)] & set(names))
            for among, asked in (("its file", [row["document"]]), ("all files", every)):
                found = finder.found(row["question"], asked)
                value = recall(row, found), is_first_right(row, found)
                for wording in (row["wording"], "all"):
                    values[row["split"], among, wording].append(value)
        for (split, among, wording), some in sorted(values.items()):
            mean, first = (sum(each) / len(some) for each in zip(*some, strict=True))
            whole = sum(one == 1 for one, _ in some) / len(some)
            print(
                f"{type(finder).__name__:5} {split:15} {among:9} {wording:5} {len(some):3}  "
                f"recall {mean:.3f}  complete {whole:.3f}  first {first:.3f}"
            )


if __name__ == "__main__":
    main()
