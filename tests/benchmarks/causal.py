"""How well a language model predicts the authors' summaries when it reads pages apart, all at once,
or the beginning alone: nats a token, no training.

    python tests/benchmarks/causal.py MODEL DATA … [--documents 10] [--output FILE]

DATA are data sets of records; the first documents of each source are read, cut after
:data:`MOST_TOKENS`. Rows of FILE (JSON Lines) are kept, so the command resumes. Prints the mean of
each way to read, its difference to the whole document in one context with a bootstrap interval of
95 % over documents, and the share of sentences for which the page with the largest confidence is
the one that shares most words; and the one that has the sentence which supports it best, of those
that a sentence supports as ``check`` asks of a paraphrase.
"""

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pagesum_cli import PageSummarizer
from pagesum_cli.datasets.named import DataRequest, read_data
from pagesum_cli.datasets.record import Record
from pagesum_cli.locality import paginate
from pagesum_cli.models.causal.mixing import PageRule, filtered, smoothed
from pagesum_cli.models.layers.packing import PackedPages
from pagesum_cli.options import PagingOptions
from pagesum_cli.summary.check.checker import MIN_SUPPORT
from pagesum_cli.text.sentences import sentence_spans
from pagesum_cli.text.words import STOP_WORDS, Units, support, words_of

MOST_TOKENS, BEGINNING = 6000, 2048  # of a document, and of its beginning alone
SHORT = 2000  # tokens of a document whose pages are short
PAGE_TOKENS = {True: 330, False: 640}  # of its pages, and of those of others
SUMMARY_TOKENS = 128
SAMPLES = 2000
RULES = {
    "product (eq. 9), equal shares": PageRule("product"),
    "mean": PageRule("mean"),
    "switch": PageRule("switch", 0.1),
}
WHOLE, FIRST = "whole document", f"first {BEGINNING} tokens"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("model")
    arguments.add_argument("data", nargs="+")
    arguments.add_argument("--documents", type=int, default=10, help="of each source")
    arguments.add_argument("--output", type=Path, default=Path("causal.jsonl"))
    given = arguments.parse_args()
    done = [json.loads(line) for line in given.output.open()] if given.output.exists() else []
    summarizer = PageSummarizer.from_pretrained(given.model)
    with given.output.open("a", encoding="utf-8") as output:
        for source, record in chosen(given.data, given.documents):
            if record.id not in {row["id"] for row in done}:
                done.append({"id": record.id, "source": source, **read(summarizer, record)})
                output.write(json.dumps(done[-1]) + "\n")
                output.flush()
    report(done)


def chosen(names: list[str], count: int) -> Iterator[tuple[str, Record]]:
    """The first records of each source with a summary, in turn."""
    for name in names:
        found: Counter[str] = Counter()
        for record in read_data(DataRequest(name), print):
            source = Path(name).name.partition(".")[0]
            found[source] += 1
            if found[source] <= count:
                yield source, record


@torch.inference_mode()
def read(summarizer: PageSummarizer, record: Record) -> dict[str, Any]:
    """The nats a token of each way to read a document, and how its pages explain the sentences."""
    model, tokenizer = summarizer.model, summarizer.tokenizer
    text = "\n\n".join(record.texts)
    ids = tokenizer.encode(text)[:MOST_TOKENS]
    summary = tokenizer.encode(" ".join(record.summary.split()))[:SUMMARY_TOKENS]
    pages = pages_of(summarizer, record, PAGE_TOKENS[len(ids) < SHORT])
    logits = pages_logits(model, pages, summary)
    known = logits.gather(-1, torch.tensor(summary).expand(len(pages), -1)[..., None])[..., 0]
    rows: dict[str, Any] = {"tokens": len(summary), "pages": len(pages)}
    shares = torch.full((1, len(pages), len(summary)), 1 / len(pages))
    for name, rule in RULES.items():
        weights, posterior = filtered(rule, shares, known[None])
        if rule.has_posterior:
            likelihood = rule.mixed(weights, known[None, ..., None])[0, :, 0]
        else:
            mixed = logits.mean(0).log_softmax(-1)
            likelihood = mixed.gather(-1, torch.tensor(summary)[:, None])[:, 0]
        rows[name] = -float(likelihood.mean())
        confidences = smoothed(rule, shares, weights, posterior)[0]
        rows["agree"] = agreement(tokenizer, pages, summary, confidences)
    for name, kept in ((WHOLE, ids), (FIRST, ids[:BEGINNING])):
        alone = pages_logits(model, [kept], summary)[0]
        rows[name] = -float(alone.gather(-1, torch.tensor(summary)[:, None]).mean())
    return rows


def pages_of(summarizer: PageSummarizer, record: Record, size: int) -> list[list[int]]:
    """The token ids of the pages, up to :data:`MOST_TOKENS`."""
    paging = PagingOptions(locality="spatial", page_tokens=size)
    cut = paginate(record.documents, summarizer.paging(paging), summarizer.tokenizer)
    pages, room = [], MOST_TOKENS
    for page in summarizer.tokenizer.encode_pages(cut, size, spaced=False):
        pages.append(list(page.ids)[:room])
        room -= len(pages[-1])
        if room <= 0:
            break
    return [page for page in pages if page]


def pages_logits(model: Any, pages: list[list[int]], summary: list[int]) -> Tensor:
    """The log probabilities ``(P, T, V)`` of the summary's tokens after each page alone."""
    found = []
    inputs = torch.tensor([[0, *summary[:-1]]])
    for page in pages:
        packed = PackedPages.pack(torch.tensor([[page]]), None)
        ((_, (logits, _)),) = model._summary_rows(packed, model.reading(), inputs)
        found.append(model._log_probabilities(logits))
    return torch.stack(found)


def agreement(
    tokenizer: Any, pages: list[list[int]], summary: list[int], confidences: Tensor
) -> list[int]:
    """In how many sentences the largest confidence is that of the page that shares most words, and
    the number of sentences; the same of the page with the best sentence.
    """
    texts = [tokenizer.decode(page) for page in pages]
    words = [set(words_of(one)) - STOP_WORDS for one in texts]
    units = [[Units.of(one[slice(*span)]) for span in sentence_spans(one)] for one in texts]
    text = tokenizer.decode(summary)
    ends = [len(tokenizer.decode(summary[: place + 1])) for place in range(len(summary))]
    counts = [0, 0, 0, 0]
    for start, end in sentence_spans(text):
        own = set(words_of(text[start:end])) - STOP_WORDS
        tokens = [place for place, at in enumerate(ends) if start < at <= end]
        shared = [len(own & page) for page in words]
        if not tokens or len(pages) == 1:
            continue
        first = int(confidences[:, tokens].mean(-1).argmax())
        ours = Units.of(text[start:end])
        best = [max((support(ours, one) for one in page), default=0.0) for page in units]
        if max(shared):
            counts[0] += shared[first] == max(shared)
            counts[1] += 1
        if max(best) >= MIN_SUPPORT:
            counts[2] += best[first] == max(best)
            counts[3] += 1
    return counts


def report(rows: list[dict[str, Any]]) -> None:
    """Print the table."""
    sources = Counter(row["source"] for row in rows)
    print(len(rows), "documents:", dict(sources))
    draws = np.random.default_rng(0).integers(0, len(rows), (SAMPLES, len(rows)))
    for name in (*RULES, WHOLE, FIRST):
        values = np.array([row[name] for row in rows])
        gains = values - np.array([row[WHOLE] for row in rows])
        low, high = np.percentile(gains[draws].mean(1), [2.5, 97.5])
        print(f"{name:32} {values.mean():.3f}  {gains.mean():+.3f} [{low:+.3f}, {high:+.3f}]")
    words, count, best, supported = (sum(row["agree"][part] for row in rows) for part in range(4))
    print(f"largest confidence on the page that shares most words: {words} of {count} sentences")
    print(f"on the page with the sentence that supports it best: {best} of {supported}")
    by_source: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        by_source[row["source"]].append(row["switch"] - row[WHOLE])
    print({source: round(float(np.mean(gains)), 3) for source, gains in by_source.items()})


if __name__ == "__main__":
    main()
