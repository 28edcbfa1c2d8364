"""How many sentences of a focused summary are of the section whose heading is the focus, which the model does not read.

    python tests/benchmarks/focus.py --data papers_and_proposals.dev.jsonl.xz --limit 60

Only headings with two or more words that carry meaning, of sections with 80 words or more, that few documents share.
"""

import argparse
import random
from collections import Counter
from dataclasses import replace

from pagesum_cli import PageSummarizer
from pagesum_cli.datasets.named import DataRequest, read_data
from pagesum_cli.documents.model import Document
from pagesum_cli.models.extractive.focus import topic_words

SENTENCES = 5
MIN_WORDS = 80


def blank(document: Document) -> tuple[Document, list[tuple[int, int]]]:
    """The document without headings and title, and where each section's text is in it."""
    bare = replace(document, title="", sections=tuple(replace(one, heading="") for one in document.sections))
    return bare, list(zip(bare.starts, [*bare.starts[1:], len(bare.text)], strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--limit", type=int, default=60, help="number of documents")
    parser.add_argument("--model", default="mini")
    arguments = parser.parse_args()
    records = read_data(DataRequest(data=arguments.data), lambda problem: None)
    documents = [record.documents[0] for record in records if len(record.documents) == 1]
    common = Counter(section.heading.lower() for document in documents for section in document.sections)
    random.Random(0).shuffle(documents)
    summarizer = PageSummarizer.from_pretrained(arguments.model, device="cpu")
    found: dict[str, list[float]] = {"focus": [], "no focus": [], "share of the text": []}
    for document in documents[: arguments.limit]:
        topics = [
            number
            for number, section in enumerate(document.sections)
            if common[section.heading.lower()] < 3
            and len(set(topic_words(section.heading))) > 1
            and len(section.text.split()) >= MIN_WORDS
        ]
        if len(document.sections) < 4 or not topics:
            continue
        bare, places = blank(document)
        topic = random.Random(document.name).choice(topics)
        start, end = places[topic]
        for name, focus in (("focus", document.sections[topic].heading), ("no focus", None)):
            summary = summarizer.summarize(bare, focus=focus, sentences=SENTENCES)
            inside = [start <= one.source.start < end for one in summary.sentences if one.source]
            found[name].append(sum(inside) / len(inside))
        found["share of the text"].append((end - start) / len(bare.text))
    for name, shares in found.items():
        print(f"{name:18} {100 * sum(shares) / len(shares):5.1f} %   ({len(shares)} documents)")


if __name__ == "__main__":
    main()
