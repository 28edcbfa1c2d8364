"""Units of documents whose sentences are given, by kind: fragments, labels, citations, items, \
speakers.

    python tests/benchmarks/units.py editors.jsonl.xz [--kind KIND] [--half 0|1] \\
        [--show fragments|labels|...]

FILE has one document a line: ``kind`` and ``sentences``, pairs of a heading and a text. Each text
is read as a paragraph, those in a row with one heading as a section. A fragment is a sentence that
is quoted alone though it begins with a small letter or a mark, has no mark at its end, or fewer
than three words.
"""

import argparse
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from pagesum_cli.documents.model import Paragraph, Section, Sentence
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.documents.units import with_units

SPOKEN = ("interview", "meeting", "minutes")
_BEGINS = re.compile(r"""["'“”‘’«(\[]*[^\W_a-zà-ÿ]|["'“”‘’«(\[]*[§$€£#@]""")
_ENDS = re.compile(r"""[.!?…。！？]["'“”‘’»)\]*]*$""")
_TURN = re.compile(r"([A-Z][\w.’'-]*(?: [A-Z0-9][\w.’'-]*){0,3}):(?= |$)")
_TITLE = re.compile(r"#\d+$")
_NO_NAMES = {"Q", "A", "Status", "Note", "Actions", "Action", "Decision", "Timestamp", "All"}
MIN_WORDS = 3


def is_fragment(sentence: Sentence) -> bool:
    """Whether a sentence that can be quoted alone is none."""
    if sentence.role or sentence.lead_in:
        return False
    is_whole = _BEGINS.match(sentence.text) and _ENDS.search(sentence.text)
    return not is_whole or len(sentence.text.split()) < MIN_WORDS


def read_sections(document: dict[str, Any]) -> list[Section]:
    """The sections of a document, with units from their text."""
    groups = groupby(document["sentences"], key=lambda pair: pair[0])
    texts = (
        (heading, [Paragraph(text) for _, text in pairs if text.strip()])
        for heading, pairs in groups
    )
    return with_units([Section(heading, tuple(paragraphs)) for heading, paragraphs in texts])


def lacks_speaker(sections: list[Section]) -> Iterator[Sentence]:
    """Sentences after a name before a colon that stands there more than once, without their
    speaker.
    """
    counts: Counter[str] = Counter()
    for section in sections:
        counts.update(match[1] for one in section.paragraphs if (match := _TURN.match(one.text)))
    for section in sections:
        is_turn = False
        for sentence in sentences_of(section):
            match = _TURN.match(sentence.printed)
            if match:
                is_turn = counts[match[1]] > 1 and match[1].split()[0].title() not in _NO_NAMES
            elif _TITLE.search(sentence.text):
                is_turn = False
            if is_turn and not sentence.speaker and not sentence.role:
                yield sentence


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file")
    parser.add_argument("--kind")
    parser.add_argument(
        "--half", type=int, choices=(0, 1), help="every other document of each kind"
    )
    parser.add_argument(
        "--show", choices=("fragments", "labels", "citations", "items", "speakers", "missing")
    )
    options = parser.parse_args()
    opener = lzma.open if options.file.endswith(".xz") else open
    with opener(options.file, "rt", encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    seen: Counter[str] = Counter()
    for document in documents:
        kind = document["kind"]
        seen[kind] += 1
        if options.kind not in (None, kind) or options.half not in (None, (seen[kind] - 1) % 2):
            continue
        sections = read_sections(document)
        groups = _groups(sections) if kind in SPOKEN else _groups(sections) | {"missing": []}
        for name, sentences in groups.items():
            counts[kind][name] += len(sentences)
            if name == options.show:
                for one in sentences:
                    print(f"  {kind} | {one.front} | {one.speaker} | {one.text[:160]}")
    print(
        f"{'kind':20}{'sentences':>10}{'fragments':>10}{'labels':>8}{'citations':>10}{'items':>7}{'spoken':>8}{'missing':>8}"
    )
    for kind, one in sorted(counts.items()):
        share = one["fragments"] / max(one["sentences"], 1)
        print(
            f"{kind:20}{one['sentences']:10}{share:10.1%}{one['labels']:8}{one['citations']:10}{one['items']:7}"
            f"{one['speakers']:8}{one['missing']:8}"
        )


def _groups(sections: list[Section]) -> dict[str, list[Sentence]]:
    sentences = [sentence for section in sections for sentence in sentences_of(section)]
    return {
        "sentences": sentences,
        "fragments": [one for one in sentences if is_fragment(one)],
        "labels": [one for one in sentences if one.label or one.front or one.role == "label"],
        "citations": [one for one in sentences if one.role == "citation"],
        "items": [one for one in sentences if one.lead_in],
        "speakers": [one for one in sentences if one.speaker],
        "missing": list(lacks_speaker(sections)),
    }


if __name__ == "__main__":
    main()
