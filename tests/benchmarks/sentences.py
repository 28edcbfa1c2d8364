"""Ends of sentences: how many are found by ours, nupunkt and pysbd, and how fast.

    python tests/benchmarks/sentences.py [DIR] [--half 0|1] [--errors]

Without DIR the places of ``tests/text/boundaries.jsonl`` are scored, by kind. Of these corpora,
those that are in DIR are scored; nothing is downloaded:

- decisions of US courts: the four files of ``data_set`` in
  github.com/jsavelka/sbd_adjudicatory_dec (``bva.json``, ``cyber_crime.json``,
  ``intellectual_property.json``, ``scotus.json``); ``--half`` takes every second one;
- genres of English: ``en_gum-ud-test.conllu`` of github.com/UniversalDependencies/UD_English-GUM;
- web text: ``en_ewt-ud-test.conllu`` of github.com/UniversalDependencies/UD_English-EWT.

The sentences of a paragraph are joined by spaces; what is scored are the ends inside it. In the
treebanks a paragraph begins at ``# newpar`` or ``# newdoc``, in the decisions after an empty line,
and those of fewer than 40 characters are left out. A sentence is wholly right if both its ends were
found and none inside it. Speed is by the process's own time, the first time that a text is split.
"""

import argparse
import json
import re
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path

from pagesum_cli.text.sentences import split_sentences

CASES = Path(__file__).parents[1] / "text" / "boundaries.jsonl"
COURTS = ("bva", "cyber_crime", "intellectual_property", "scotus")
MIN_PARAGRAPH = 40  # characters of a paragraph of a decision

Splitter = Callable[[str], list[str]]
Paragraph = list[str]  # its sentences


@cache
def splitters() -> dict[str, Splitter]:
    """Ours, and those of the others that are installed."""
    found: dict[str, Splitter] = {"ours": split_sentences}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pysbd's own string escapes
        try:
            import nupunkt

            found["nupunkt"] = nupunkt.sent_tokenize
        except ImportError:
            pass
        try:
            import pysbd

            found["pysbd"] = pysbd.Segmenter(language="en", clean=False).segment
        except ImportError:
            pass
    return found


def treebank(path: Path) -> Iterator[tuple[str, Paragraph]]:
    """Paragraphs of a treebank with the genre: the second part of a name like GUM_bio_byron."""
    genre, paragraph = "", []
    for block in re.findall(r"^((?:# .*\n)+)", path.read_text(encoding="utf-8"), re.M):
        document = re.search(r"^# newdoc id = (.*)", block, re.M)
        if paragraph and (document or re.search("^# newpar", block, re.M)):
            yield genre, paragraph
            paragraph = []
        if document:
            genre = document[1].split("_")[1] if document[1].startswith("GUM") else ""
        paragraph.append(re.search(r"^# text = (.*)", block, re.M)[1])
    yield genre, paragraph


def decisions(folder: Path, half: int | None) -> Iterator[tuple[str, Paragraph]]:
    """Paragraphs of the decisions, with the name of the file."""
    number = 0
    for name in COURTS:
        for one in json.loads((folder / f"{name}.json").read_text(encoding="utf-8")).values():
            if half is None or number % 2 == half:
                yield from ((name, paragraph) for paragraph in paragraphs_of_decision(one))
            number += 1


def paragraphs_of_decision(decision: dict) -> Iterator[Paragraph]:
    text = decision["text"]
    spans = sorted((one["start"], one["end"]) for one in decision["annotations"])
    paragraphs: list[Paragraph] = [[]]
    for before, (start, end) in pairwise([(0, 0), *spans]):
        if "\n\n" in text[before[1] : start]:
            paragraphs.append([])
        paragraphs[-1].append(" ".join(text[start:end].split()))
    return (one for one in paragraphs if len(" ".join(one)) >= MIN_PARAGRAPH)


def ends(sentences: Iterable[str]) -> list[int]:
    """Characters other than spaces before each end: splitters differ in the spaces they keep."""
    return list(accumulate(count for one in sentences if (count := len("".join(one.split())))))


def count(paragraph: Paragraph, found: Iterable[str]) -> Counter[str]:
    expected, answer = ends(paragraph), ends(found)
    right = set(pairwise([0, *expected])) & set(pairwise([0, *answer]))
    inner, given = set(expected[:-1]), set(answer[:-1])
    counts = Counter(tp=len(inner & given), fp=len(given - inner), fn=len(inner - given))
    return counts + Counter(right=len(right), sentences=len(expected))


def scores(counts: Counter[str]) -> str:
    found, expected = counts["tp"] + counts["fp"], counts["tp"] + counts["fn"]
    values = (
        counts["tp"] / max(1, found),
        counts["tp"] / max(1, expected),
        2 * counts["tp"] / max(1, found + expected),
        counts["right"] / max(1, counts["sentences"]),
    )
    return " ".join(f"{value:.3f}" for value in values)


def score_corpus(name: str, paragraphs: list[tuple[str, Paragraph]], show_errors: bool) -> None:
    rows: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    size = sum(len(" ".join(paragraph)) for _, paragraph in paragraphs)
    total = sum(len(paragraph) for _, paragraph in paragraphs)
    print(f"\n{name}: {total} sentences; precision, recall, F1, wholly right")
    for splitter, split in splitters().items():
        answers = []
        started = time.process_time()
        for _, paragraph in paragraphs:
            answers.append(split(" ".join(paragraph)))
        seconds = time.process_time() - started
        for (group, paragraph), answer in zip(paragraphs, answers, strict=True):
            counts = count(paragraph, answer)
            rows[group][splitter] += counts
            rows["all"][splitter] += counts
            if show_errors and splitter == "ours" and counts["fp"] + counts["fn"]:
                print("expected", " ‖ ".join(paragraph), "\nfound   ", " ‖ ".join(answer), "\n")
        print(f"  {splitter:8} {size / seconds / 1e6:.2f} million characters a second")
    for group, row in sorted(rows.items()):
        texts = [f"{splitter} {scores(counts)}" for splitter, counts in row.items()]
        print(f"  {group or '–':22}", "  ".join(texts))


def score_cases(show_errors: bool) -> None:
    """The places labelled in papers: for each whether it is an end."""
    rows: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for case in map(json.loads, CASES.read_text(encoding="utf-8").splitlines()):
        before, after = case["text"].split("‖")
        place = len("".join(before.split()))
        for name, split in splitters().items():
            answer = place in ends(split(before + after))
            outcome = ("t" if answer == case["is_boundary"] else "f") + ("p" if answer else "n")
            for row in (case["kind"], case["split"], "all"):
                rows[row][name][outcome] += 1
            if show_errors and name == "ours" and outcome[0] == "f":
                kind = "missed" if case["is_boundary"] else "wrong"
                print(kind, case["kind"], "|", case["text"], "\n")
    print("places in papers: accuracy, precision, recall, F1")
    for row, columns in sorted(rows.items()):
        texts = []
        for name, counts in columns.items():
            accuracy = (counts["tp"] + counts["tn"]) / counts.total()
            texts.append(f"{name} {accuracy:.3f} {scores(counts)[:-6]}")
        print(f"  {row:22}", "  ".join(texts))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR")
    parser.add_argument("--half", type=int, choices=(0, 1), help="of the decisions")
    parser.add_argument("--errors", action="store_true", help="print what ours gets wrong")
    options = parser.parse_args()
    if options.folder is None:
        return score_cases(options.errors)
    if all((options.folder / f"{name}.json").exists() for name in COURTS):
        found = list(decisions(options.folder, options.half))
        score_corpus("US court decisions", found, options.errors)
    for name in ("en_gum-ud-test", "en_ewt-ud-test"):
        if (path := options.folder / f"{name}.conllu").exists():
            score_corpus(name, list(treebank(path)), options.errors)
    return None


if __name__ == "__main__":
    main()
