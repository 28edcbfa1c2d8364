"""Documents as token ids with the sentences of their own that say best what their authors' summaries say."""

import itertools
import json
import lzma
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

MAX_EXTRACT = 12
_SENTENCE_END = re.compile(r'(?<=[.!?])(?<!\b[A-Z]\.)(?<!al\.)(?<!Fig\.)(?<!e\.g\.)(?<!i\.e\.)(?<!vs\.)\s+(?=[A-Z"“(])')
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Extract:
    """One document.

    Attributes:
        id, source: as in the records.
        sentences: token ids of each sentence, in order, without special tokens.
        sections: the section number of each sentence.
        headings: token ids of each section's heading.
        chosen: numbers of the sentences that cover the author's summary best, best first.
        summary: token ids of the author's summary.
    """

    id: str
    source: str
    sentences: list[np.ndarray]
    sections: np.ndarray
    headings: list[np.ndarray]
    chosen: list[int]
    summary: np.ndarray


def read_extracts(path: Path, tokenizer: Tokenizer, without: frozenset[str] = frozenset()) -> Iterator[Extract]:
    """Every record of ``path`` (JSON Lines, xz) that has sections and a summary, but those of sources ``without``."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["source"] not in without and record.get("sections") and record["summary"].strip():
                yield _extract(record, tokenizer)


def _extract(record: dict[str, Any], tokenizer: Tokenizer) -> Extract:
    texts: list[str] = []
    sections: list[int] = []
    for number, section in enumerate(record["sections"]):
        for paragraph in section["text"].split("\n"):
            found = [piece.strip() for piece in _SENTENCE_END.split(paragraph)]
            found = [piece for piece in found if piece]
            texts += found
            sections += [number] * len(found)

    def ids(batch: list[str]) -> list[np.ndarray]:
        return [np.array(e.ids, dtype=np.uint16) for e in tokenizer.encode_batch(batch, add_special_tokens=False)]

    return Extract(
        id=record["id"],
        source=record["source"],
        sentences=ids(texts),
        sections=np.array(sections),
        headings=ids([section["heading"] or "" for section in record["sections"]]),
        chosen=choose(texts, record["summary"]),
        summary=ids([" ".join(record["summary"].split())])[0],
    )


def choose(sentences: list[str], summary: str) -> list[int]:
    """The sentences that together have the highest ROUGE-1 + ROUGE-2 (F, of sets) with the summary, greedily.

    Sentences of fewer than 6 words are left out: they say nothing alone.
    """
    known: dict[Any, int] = {}
    wanted = _grams(summary)
    for gram in wanted:
        known.setdefault(gram, len(known))
    is_bigram = np.array([isinstance(gram, tuple) for gram in known], dtype=bool)
    hits = np.zeros((len(sentences), len(known)), dtype=bool)
    sizes = np.zeros((len(sentences), 2))
    for number, sentence in enumerate(sentences):
        words = _WORD.findall(sentence)
        if len(words) < 6:
            sizes[number] = np.inf
            continue
        grams = _grams(sentence)
        hits[number, [known[gram] for gram in grams if gram in known]] = True
        bigrams = sum(isinstance(gram, tuple) for gram in grams)
        sizes[number] = len(grams) - bigrams, bigrams
    whole = np.array([(~is_bigram).sum(), is_bigram.sum()])
    chosen: list[int] = []
    covered = np.zeros(len(known), dtype=bool)
    size, best = np.zeros(2), 0.0
    while len(chosen) < MAX_EXTRACT:
        union = hits | covered
        found = np.stack([(union & ~is_bigram).sum(1), (union & is_bigram).sum(1)], axis=1)
        scores = (2 * found / (sizes + size + whole)).sum(1)
        scores[chosen] = 0
        top = int(scores.argmax()) if len(scores) else 0
        if not len(scores) or scores[top] <= best:
            break
        best = scores[top]
        chosen.append(top)
        covered |= hits[top]
        size = size + sizes[top]
    return chosen


def _grams(text: str) -> set[Any]:
    words = [word.lower() for word in _WORD.findall(text)]
    return {*words, *itertools.pairwise(words)}
