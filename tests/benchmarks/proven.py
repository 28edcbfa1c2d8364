"""What a language model's sentences are worth by ``pagesum check``, for several ways to summarize.

    python tests/benchmarks/proven.py MODEL DATA … [--documents 2] [--words 400 550]
        [--ways NAME …] [--output FILE]

Of each data set, the first documents are read that have at least the first number of words; each
is cut after the paragraph that exceeds the second one, and summarized in the ways of :data:`WAYS`.
Rows of FILE (JSON Lines) are kept, so the command resumes. Prints for each way: the share of
sentences by verdict, the number of sentences that are the model's own, ROUGE of the first
:data:`SUMMARY_WORDS` words with the authors' summaries, where there are any, the sentences in which
a check of the text finds a fault, seconds of the processor, and in how many sentences the largest
page confidence is that of the page that shares most words.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pagesum_cli import PageSummarizer
from pagesum_cli.datasets.named import DataRequest, read_data
from pagesum_cli.datasets.record import Record
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.errors import PagesumError
from pagesum_cli.evaluation.metrics.rouge import rouge
from pagesum_cli.locality import Cut, cut
from pagesum_cli.options import PagingOptions
from pagesum_cli.proving import Prover, proven
from pagesum_cli.rewriting import ModelWriter, rewritten
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim, claims_in, parts_of_text
from pagesum_cli.summary.summary import Summary, SummarySentence
from pagesum_cli.text.sentences import sentence_spans
from pagesum_cli.text.words import STOP_WORDS, words_of

PAGE_TOKENS, SUMMARY_TOKENS = 330, 100
SUMMARY_WORDS = 50
TYPES = ("rouge1", "rouge2", "rougeLsum")
PAGING = PagingOptions(locality="spatial", page_tokens=PAGE_TOKENS)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("model")
    arguments.add_argument("data", nargs="+")
    arguments.add_argument("--documents", type=int, default=2, help="of each data set")
    arguments.add_argument("--words", nargs=2, type=int, default=(400, 550), help="see above")
    arguments.add_argument("--ways", nargs="+", default=list(WAYS), choices=list(WAYS))
    arguments.add_argument("--output", type=Path, default=Path("proven.jsonl"))
    given = arguments.parse_args()
    done = [json.loads(line) for line in given.output.open()] if given.output.exists() else []
    known = {(row["id"], row["way"]) for row in done}
    systems = Systems(given.model)
    with given.output.open("a", encoding="utf-8") as output:
        for record, document in chosen(given.data, given.documents, given.words):
            for way in given.ways:
                if (record.id, way) not in known:
                    done.append(
                        {"id": record.id, "way": way, **row(systems, way, record, document)}
                    )
                    output.write(json.dumps(done[-1]) + "\n")
                    output.flush()
    for way in given.ways:
        report(way, [one for one in done if one["way"] == way])


def chosen(
    names: list[str], count: int, words: tuple[int, int]
) -> Iterator[tuple[Record, Document]]:
    """The first long documents of each data set, cut after a paragraph."""
    least, enough = words
    for name in names:
        found = 0
        for record in read_data(DataRequest(name), print):
            kept: list[str] = []
            for paragraph in "\n\n".join(record.texts).split("\n\n"):
                if sum(len(one.split()) for one in kept) <= enough:
                    kept.append(paragraph)
            text = "\n\n".join(kept)
            if len(text.split()) >= least:
                found += 1
                yield record, plain_document(text, "document")
            if found == count:
                break


class Systems:
    """The models, and what they write about a document."""

    def __init__(self, model: str) -> None:
        self.model = PageSummarizer.from_pretrained(model, device="cpu", dtype="bfloat16")
        self.selector = PageSummarizer.from_pretrained("mini")
        self.writer = ModelWriter(model, "cpu", "bfloat16")

    def cut(self, document: Document, paging: PagingOptions = PAGING) -> Cut:
        return cut([document], self.model.paging(paging), self.model.tokenizer)

    def written(self, document: Document, paging: PagingOptions = PAGING) -> Summary:
        """A summary as the model generates it, without an incomplete last sentence."""
        self.model.proves = False
        return self.model.summarize(document, paging=paging, max_length=SUMMARY_TOKENS, trim=True)

    def by_sentence(self, document: Document) -> Summary:
        """A proven summary, written sentence by sentence."""
        self.model.proves = True
        return self.model.summarize(document, paging=PAGING, max_length=SUMMARY_TOKENS)

    def afterwards(self, document: Document) -> Summary:
        """A summary that was proven when it was finished."""
        read = self.cut(document)
        return proven(self.written(document), read.pages, read.documents)

    def whole(self, document: Document) -> Summary:
        """A summary by the model with the whole document in one context."""
        return self.written(document, PagingOptions(locality="spatial", page_tokens=1800))

    def map_reduce(self, document: Document) -> Summary:
        """A summary of the pages' summaries."""
        texts = [
            self.written(plain_document(page.text, "page")).text
            for page in self.cut(document).pages.pages
        ]
        return self.whole(plain_document("\n\n".join(texts), "document"))

    def quotes(self, document: Document) -> Summary:
        """Quotes of the extractive model."""
        return self.selector.summarize(document, paging=PAGING, words=SUMMARY_WORDS)

    def rewritten(self, document: Document, *, proves: bool = True) -> Summary:
        """The same quotes, rewritten by the model."""
        read = cut([document], self.selector.paging(PAGING), self.selector.tokenizer)
        quotes = self.quotes(document)
        try:
            return rewritten(quotes, self.writer, read.pages, read.documents, proves=proves)
        except PagesumError:  # then `summarize` shows the quotes
            return quotes


Way = Callable[[Systems, Document], Summary]

WAYS: dict[str, Way] = {
    "pages, as generated": Systems.written,
    "pages, proven afterwards": Systems.afterwards,
    "pages, proven by sentence": Systems.by_sentence,
    "one context": Systems.whole,
    "map-reduce": Systems.map_reduce,
    "quotes (mini)": Systems.quotes,
    "quotes, rewritten": lambda systems, document: systems.rewritten(document, proves=False),
    "quotes, rewritten, proven": Systems.rewritten,
}


def row(systems: Systems, way: str, record: Record, document: Document) -> dict[str, Any]:
    """What a summary is worth."""
    began = time.process_time()
    summary = WAYS[way](systems, document)
    seconds = time.process_time() - began
    read = systems.cut(document)
    prover = Prover(read.pages, [document])
    judgments = [prover.judged(sentence) for sentence in summary.sentences]
    is_own = [not (one.replaced or one.source) for one in summary.sentences]
    kept = [one.holds and own for one, own in zip(judgments, is_own, strict=True)]
    texts = [" ".join(summary.text.split()[:SUMMARY_WORDS]), " ".join(record.summary.split())]
    by_sentence = [[text[slice(*span)] for span in sentence_spans(text)] for text in texts]
    scores = rouge(*by_sentence, TYPES) if record.summary else {}
    return {
        "text": summary.text,
        "written": [sentence_row(one) for one in summary.sentences],
        "unproven": summary.unproven,
        "verdicts": [one.verdict for one in judgments],
        "own": sum(kept),
        "sentences": len(kept) + len(summary.unproven),
        "faults": faults(summary, document),
        "agree": agreement(summary, [one.text for one in read.pages.pages]),
        "rouge": {kind: 100 * score.fmeasure for kind, score in scores.items()},
        "seconds": seconds,
    }


def sentence_row(sentence: SummarySentence) -> dict[str, str]:
    """A sentence as it is read beside its document."""
    return {"text": sentence.shown, "verdict": sentence.verdict, "replaced": sentence.replaced}


def faults(summary: Summary, document: Document) -> int:
    """Claims of the summary, as data and as text, that a check does not find in the document."""
    parts = parts_of_text(plain_document(summary.text, "summary"), [document])
    claims = [*claims_in(summary), *(one for one in parts if isinstance(one, Claim))]
    found = Checker.of([document]).checked(claims)
    return sum(not one.is_supported or one.fails() for one in found)


def agreement(summary: Summary, pages: Sequence[str]) -> tuple[int, int]:
    """In how many sentences the page with the largest confidence is the one that shares most words
    with it, without stop words, and how many share words with a page; 0 for other pages.
    """
    is_of_pages = 1 < len(pages) == len(summary.pages)
    words = [set(words_of(one)) - STOP_WORDS for one in pages]
    hits = count = 0
    for sentence in summary.sentences if is_of_pages else ():
        own = set(words_of(sentence.text)) - STOP_WORDS
        shared = [len(own & one) for one in words]
        if sentence.pages and any(shared):
            count += 1
            hits += shared[sentence.pages[0].page] == max(shared)
    return hits, count


def report(way: str, rows: list[dict[str, Any]]) -> None:
    """Print a row of the table."""
    verdicts = Counter(verdict for one in rows for verdict in one["verdicts"])
    totals = {name: sum(one[name] for one in rows) for name in ("own", "sentences", "faults")}
    scored = [one["rouge"] for one in rows if one["rouge"]]
    rouge = [sum(one[kind] for one in scored) / max(len(scored), 1) for kind in TYPES]
    seconds = sum(one["seconds"] for one in rows) / max(len(rows), 1)
    print(f"{way:28} {len(rows)} documents, {dict(verdicts)}")
    print(f"{'':28} own and supported {totals['own']} of {totals['sentences']}", end=", ")
    print(
        f"faults {totals['faults']}, ROUGE {rouge[0]:.1f} {rouge[1]:.1f} {rouge[2]:.1f}", end=", "
    )
    print(f"{seconds:.0f} s", end=", ")
    hits, count = (sum(one["agree"][part] for one in rows) for part in range(2))
    print(f"largest confidence on the page that shares most words {hits} of {count}")


if __name__ == "__main__":
    main()
