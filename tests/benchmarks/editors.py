"""Share of the words of a summary that editors' labels accept and reject, by kind of document.

    python tests/benchmarks/editors.py LABELS [--kinds statute,contract] [--every 2] [--model NAME]

``LABELS`` is a file of JSON Lines (also .xz) with a labelled document a line: ``kind``, ``title``,
``budget`` in words, ``sentences`` as pairs of heading and text, and the numbers of those that are
``quoted``, ``alternates`` (accepted, too) and ``rejected``. Each text is read as a paragraph; a
quote counts for the text that it stands in. ``--every N`` leaves out all but each N-th document.
``pagesum eval --labels LABELS`` compares models on the documents as the file has them. With
``--shaped``, the sentences are chosen as by the command ``summarize --words``: those of contracts,
opinions, minutes and so on by their shape.
"""

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pagesum_cli import PageSummarizer
from pagesum_cli.batch.talk import Silent
from pagesum_cli.batch.worker import Worker
from pagesum_cli.datasets.record import EditorLabels
from pagesum_cli.documents.article.building import document
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.evaluation.labelled import by_kind
from pagesum_cli.evaluation.metrics.labels import shares_by_label, words_by_label
from pagesum_cli.options import GenerationOptions, ModelOptions, PagingOptions
from pagesum_cli.summary.summary import Summary


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The labelled documents of a file."""
    opened = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def document_of(row: dict[str, Any]) -> Document:
    """The labelled document, a paragraph for each of its sentences."""
    sections = [
        Section(
            heading,
            tuple(Paragraph(text) for _, text in group),
            found_by="outline" if heading else "fallback",
        )
        for heading, group in groupby(row["sentences"], lambda one: one[0])
    ]
    return document("document", sections, title=row["title"])


def counted(
    row: dict[str, Any], quotes: Sequence[tuple[str, int]], starts: Sequence[int]
) -> Counter[str]:
    """Words of quotes (text and offset) by label: accepted, rejected, other."""
    rejected = tuple(map(int, row["rejected"]))
    labels = EditorLabels(tuple(row["quoted"]), tuple(row["alternates"]), rejected)
    return words_by_label(labels, starts, quotes)


def summary_of(
    summarizer: PageSummarizer, read: Document, words: int, *, is_shaped: bool
) -> Summary:
    """The summary of a document in a number of words."""
    if not is_shaped:
        return summarizer.summarize(read, words=words)
    options = GenerationOptions(words=words)
    worker = Worker(ModelOptions(), PagingOptions(), options, Silent(), history=False)
    worker.__dict__["summarizer"] = summarizer
    return worker.summarize([read], 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument(
        "--kinds", default="", help="Kinds of documents, with commas between; all by default."
    )
    parser.add_argument("--every", type=int, default=1, help="Read each N-th document.")
    parser.add_argument("--model", default="mini", help="The model that selects.")
    parser.add_argument("--shaped", action="store_true", help="Choose as the command does.")
    arguments = parser.parse_args()
    rows = rows_of(arguments.labels)
    kinds = set(filter(None, arguments.kinds.split(",")))
    rows = [row for row in rows if not kinds or row["kind"] in kinds][:: arguments.every]
    summarizer = PageSummarizer.from_pretrained(arguments.model)
    scored = []
    for row in rows:
        read = document_of(row)
        words = row["budget"]
        summary = summary_of(summarizer, read, words, is_shaped=arguments.shaped)
        quotes = [(one.text, one.source.start) for one in summary.sentences if one.source]
        scored.append((row["kind"], shares_by_label(counted(row, quotes, read.paragraph_starts))))
    for kind, one in by_kind(scored).items():
        accepted, rejected = one.accepted / 100, one.rejected / 100
        print(f"{kind:20} {one.n:4} accepted {accepted:.3f}, rejected {rejected:.3f}")


if __name__ == "__main__":
    main()
