"""Words that editors' labels accept and reject, where an editor's model chooses the sentences.

    python tests/benchmarks/editor_model.py LABELS (--replay | --editor URL#NAME)
        [--first 0] [--every 2] [--model mini] [--length predicted]

``LABELS`` is as in ``editors.py``. ``--replay`` answers with the labels themselves and needs no
model: what is lost is lost in pages, last round and rules of quoting. *Kept* are the words that the
labels quote and the summary quotes, too.
"""

import argparse
import json
import lzma
import os
import sys
import tempfile
from bisect import bisect_right
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

from editors import counted, document_of

sys.path.insert(0, str(Path(__file__).parents[1]))
from editing.server import labels, serving

from pagesum_cli import PageSummarizer


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument("--editor")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--first", type=int, default=0, help="The first document that is read.")
    parser.add_argument("--every", type=int, default=1, help="Read each N-th document.")
    parser.add_argument("--model", default="mini", help="The model that falls back.")
    parser.add_argument(
        "--length", choices=("budget", "predicted"), default="budget", help="Whose length."
    )
    arguments = parser.parse_args()
    with lzma.open(arguments.labels, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][arguments.first :: arguments.every]
    summarizer = PageSummarizer.from_pretrained(arguments.model, light=True)
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    total: Counter[str] = Counter()
    kept: Counter[bool] = Counter()
    for row in rows:
        read = document_of(row)
        quoted = {" ".join(row["sentences"][n][1].split()) for n in row["quoted"]}
        with serving(labels(quoted)) if arguments.replay else nullcontext() as server:
            name = server.name if server else arguments.editor
            words = row["budget"] if arguments.length == "budget" else None
            summary = summarizer.summarize(read, words=words, editor=name)
        quotes = [(one.text, one.source.start) for one in summary.sentences if one.source]
        found = counted(row, quotes, read.paragraph_starts)
        numbers = {bisect_right(read.paragraph_starts, start) - 1 for _, start in quotes}
        own = Counter({True: 0})
        for number in row["quoted"]:
            own[number in numbers] += len(row["sentences"][number][1].split())
        total += found
        kept += own
        print(row["kind"], dict(found), f"kept {own[True]} of {own.total()}", file=sys.stderr)
    for label in ("accepted", "rejected"):
        print(f"{label} {total[label] / total.total():.3f} of {total.total():,} words")
    print(f"kept {kept[True] / kept.total():.3f} of {kept.total():,} words")


if __name__ == "__main__":
    main()
