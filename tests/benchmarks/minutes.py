"""Decisions, votes, tasks and dates that are found in minutes, beside labels made by reading.

    python tests/benchmarks/minutes.py FOLDER [--split NAME] [--rules] [--show] [--labels FILE]

``labels/minutes.jsonl`` has one document a line: ``document``, the file's name; ``split``; and
``outcomes``, pairs of a kind and a sentence. Of the kind ``open`` are sentences that a reader may
count or not: they count neither as found nor as missed. The rules were written with ``dev``; the
splits ``seen`` and ``fresh`` were held out until they were measured once (precision 0.98 and 0.95,
recall 0.63 and 0.42), and read for the next rules after that; so were ``fresh2`` (1.00 and 0.51),
``fresh3`` (1.00 and 0.67) and ``fresh4`` (0.82 and 0.53). With the regression of ``learned.py``,
``fresh5`` had 0.91 and 0.80 (0.94 and 0.75 with ``--rules``), and ``fresh6`` 0.94 and 0.68 (with
``--rules``, too). Those with a ``body`` are what the
regression learns from (``train_minutes.py``), ``learn`` among them. The folder has the files.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.shapes.meeting import outcomes_in, ruled_outcomes

LABELS = Path(__file__).parent / "labels" / "minutes.jsonl"


def plain(text: str) -> str:
    """Letters and digits, to compare sentences by."""
    return re.sub(r"\W+", " ", text.lower()).strip()


def found_in(path: Path, *, rules: bool) -> dict[str, str]:
    """The kind of each outcome in a file, by its sentence; of the rules alone, or with what is
    likely by its words.
    """
    document = read_file(str(path))[0]
    sentences = all_sentences(document)
    outcomes = ruled_outcomes(sentences) if rules else outcomes_in(sentences)
    return {plain(sentences[number].text): one.kind for number, one in outcomes.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="")
    parser.add_argument("--labels", type=Path, default=LABELS)
    parser.add_argument("--rules", action="store_true", help="Leave out what is likely.")
    parser.add_argument("--show", action="store_true", help="Print what is wrong or missed.")
    arguments = parser.parse_args()
    rows = [json.loads(line) for line in arguments.labels.read_text("utf-8").splitlines()]
    totals: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        path = arguments.folder / row["document"]
        if not path.is_file() or (arguments.split and row["split"] != arguments.split):
            continue
        labels = {plain(text): kind for kind, text in row["outcomes"]}
        found = found_in(path, rules=arguments.rules)
        for text, kind in found.items():
            label = labels.get(text, "wrong")
            if label != "open":
                name = "right" if label != "wrong" else "wrong"
                totals[row["split"], kind][name] += 1
                totals[row["split"], "all"][name] += 1
                totals[row["split"], "kinds"]["right" if label == kind else "wrong"] += 1
            if arguments.show and label == "wrong":
                print(f"wrong  {row['document']:14} {kind:9} {text[:150]}")
        for text, kind in labels.items():
            if kind != "open" and text not in found:
                totals[row["split"], kind]["missed"] += 1
                totals[row["split"], "all"]["missed"] += 1
                if arguments.show:
                    print(f"missed {row['document']:14} {kind:9} {text[:150]}")
    for (split, kind), counts in sorted(totals.items()):
        reported = counts["right"] + counts["wrong"]
        labelled = counts["right"] + counts["missed"]
        precision, recall = counts["right"] / max(reported, 1), counts["right"] / max(labelled, 1)
        figures = f"precision {precision:.3f} ({reported})"
        if kind != "kinds":
            figures += f"  recall {recall:.3f} ({labelled})"
        print(f"{split:9} {kind:9} {figures}")


if __name__ == "__main__":
    main()
