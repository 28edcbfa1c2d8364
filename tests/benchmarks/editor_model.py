"""Words that editors' labels accept and reject, where an editor's model chooses the sentences.

    python tests/benchmarks/editor_model.py LABELS (--replay | --editor URL#NAME) [--every 2]

``LABELS`` is as in ``editors.py``. ``--replay`` answers with the labels themselves and needs no
model: what is lost is lost in pages, last round and rules of quoting.
"""

import argparse
import json
import lzma
import os
import sys
import tempfile
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
    parser.add_argument("--every", type=int, default=1, help="Read each N-th document.")
    arguments = parser.parse_args()
    with lzma.open(arguments.labels, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:: arguments.every]
    summarizer = PageSummarizer.from_pretrained("mini", light=True)
    os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
    total: Counter[str] = Counter()
    for row in rows:
        read = document_of(row)
        quoted = {" ".join(row["sentences"][n][1].split()) for n in row["quoted"]}
        with serving(labels(quoted)) if arguments.replay else nullcontext() as server:
            name = server.name if server else arguments.editor
            summary = summarizer.summarize(read, words=row["budget"], editor=name)
        quotes = [(one.text, one.source.start) for one in summary.sentences if one.source]
        total += counted(row, quotes, read.paragraph_starts)
        print(len(quotes), *summary.notes, file=sys.stderr)
    words = sum(total.values())
    for label in ("accepted", "rejected"):
        print(f"{label} {total[label] / words:.3f} of {words:,} words")


if __name__ == "__main__":
    main()
