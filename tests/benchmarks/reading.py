"""How well PDFs are read: title, headings and their levels, paragraphs, abstract, words, back \
matter, time.

    python tests/benchmarks/reading.py [FOLDER] [--only NAME …] [--verbose NAME …]
    python tests/benchmarks/reading.py [FOLDER] --ablate [PASS …]

FOLDER (``../shared/pdfs`` by default) holds ``NAME.pdf`` and ``NAME.json`` with the true ``title``,
``abstract``, ``headings``, ``back_matter_headings`` and, for some, the publisher's ``paragraphs``.
The columns:

* ``top`` F1 of the top-level headings that are found at level 1, ``P`` their precision; ``any`` F1
  of all headings, at whatever level; only their recall where the truth lacks sub-headings. A
  heading is correct if its words, without number, match a true one, in order; labels of the
  abstract and back matter are ignored.
* ``title`` whether it is the true one.
* ``body`` the share of the 4-grams of the publisher's paragraphs that are read; ``lost`` the
  paragraphs of which less than half is; ``extra`` the share of the 4-grams read that neither the
  paragraphs nor the abstract nor the headings have (captions, tables, formulas and what two pieces
  run into each other make).
* ``abstract`` the share of its 4-grams that is read.
* ``back`` sections and paragraphs of back matter that are read.
* ``new`` words longer than three letters, per 10,000, that none of the three modes of ``pdftotext``
  (poppler) has.
* ``cut`` sentences, per 1,000, that begin in lower case or with a bare number, or end without a
  stop.

Averages are over the files whose truth does not come from the PDF itself (not ``jcon_*``,
``acl_*``).

``--ablate`` switches off one pass of the layout at a time, all of them or those that are named, and
prints by how much each average changes: on two thirds of the files, and, in the second row, on the
third that is held out by journal.
"""

import argparse
import hashlib
import html
import json
import re
import subprocess
import time
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.pdf.hyphens import LIGATURES
from pagesum_cli.documents.pdf.reader import PAGE_PASSES, pdf_document
from pagesum_cli.documents.pdf.sections import DOCUMENT_PASSES
from pagesum_cli.documents.sentences import all_sentences

NEUTRAL = re.compile(
    r"abstract|keywords?|.*acknowled?ge?ments?|funding.*|"
    r"(conflicts?|declarations?|statement).*interests?.*|.*competing.*interests?|.*contributions?|"
    r".*availability.*|ethic.*|.*supplementary.*|supporting.*|abbreviations.*|disclosures?|"
    r"additional.*|appendix.*|references|author.*|publisher.?s note|highlights|consent.*|"
    r"data archiving.*|orcid.*|declarations|contributors",
    re.IGNORECASE,
)
BACK_HEADING = re.compile(
    r".*acknowled?ge?ments?|funding( .*)?|(sources? of )?(financial )?support|"
    r"(conflicts?|declarations?|statement).*interests?.*|.*competing.*interests?|"
    r"(authors?\S* )?contribut(ions?|ors)( .*)?|supplementa(ry|l) .*|supporting information|"
    r"disclosures?|additional (information|files?)|references|bibliography|literature cited|"
    r"author (information|details|affiliations).*|"
    r"authors\S* (information|details|contributions?|affiliations)|publisher.?s note|declarations|"
    r"data (availability|sharing).*|availability of data.*|electronic supplementary .*|"
    r"(copyright|licen[cs]e|open access)\b.*|pre-?publication history|about the authors?|"
    r"provenance and peer review",
    re.IGNORECASE,
)
BACK_TEXT = re.compile(
    r"the authors? (?:declares?|reports?|ha(?:ve|s)) (?:that )?(?:there (?:is|"
    r"are) )?(?:they have )?no (?:known )?(?:conflict|compet|financial|potential)|"
    r"springer nature remains neutral|publisher.s note|"
    r"creative ?commons (?:attribution|public domain)|creativecommons\.org/licen|"
    r"this is an open[- ]access article|all rights reserved|"
    r"conceived and designed the (?:study|experiments?)|read and approved the final manuscript|"
    r"conceptualization, |we (?:would like to )?(?:gratefully )?(?:thank|acknowledge) |"
    r"the authors (?:would like to |wish to )?(?:gratefully )?(?:thank|acknowledge|are grateful)|"
    r"supplementary (?:material|information|data) is available|"
    r"this (?:work|research|study|project) (?:was|is|"
    r"has been) (?:\w+ )?(?:financially )?(?:supported|funded) (?:in part )?by|"
    r"full list of author information|the online version of this article|"
    r"received:? \d{1,2}(?:st|nd|rd|th)? (?:of )?[a-z]{3,9},? \d{4}|"
    r"correspondence(?: and requests)?(?: to|:)",
    re.IGNORECASE,
)
NOT_ABSTRACT = re.compile(
    r"key ?words?\W|how to cite|(?:the )?(?:online version|electronic supplementary|"
    r"supplementary information)",
    re.IGNORECASE,
)
"""Paragraphs that publishers' files have in the abstract, and careful people do not."""
WITHOUT_SUBHEADINGS = re.compile(r"jcon_.*|acl_.*|gsa_.*|epmc_PMC4391421")
"""Files whose truth lacks headings that are on their pages: unnumbered or deep ones, or all below
the top level.
"""
NOT_TEXT = re.compile(
    r"how to cite this|(?:all )?(?:the )?data ?sets? (?:generated|supporting|used)|"
    r"the author\(s\) declare|\w{2,5} conducted the experiments|"
    r"this study is the part of \S+ research work of the first author|"
    r"genomic data generated .{0,60} are available",
    re.IGNORECASE,
)
"""Back matter whose heading the truth does not have."""
MODES: tuple[tuple[str, ...], ...] = ((), ("-layout",), ("-raw",))


NEEDED = ("lines", "merged headings", "sections")  # passes without which there is no document
PASSES = [name for name, _ in (*PAGE_PASSES, *DOCUMENT_PASSES) if name not in NEEDED]
COLUMNS = ("top", "P", "any", "title", "body", "lost", "extra", "abstract", "back", "new", "cut")


def truth_of(path: Path) -> dict:
    return json.loads(path.with_suffix(".json").read_text())


def plain(text: str) -> str:
    text = re.sub(r"^\s*(?:(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*\.?|appendix [a-z][.:]?)\s+", "", text)
    return re.sub(r"[\W_]+", "", text).lower()


def named(text: str) -> str:
    """A heading without its number and the punctuation around it."""
    return re.sub(r"^(?:[\d.]+|[IVX]+\.|[A-Z]\.) ", "", text.strip()).strip(" .:|")


def same(one: str, other: str) -> bool:
    return bool(one and other) and (
        one == other or SequenceMatcher(None, one, other, autojunk=False).ratio() > 0.85
    )


def matches(detected: list[tuple[str, int]], true: list[tuple[str, int]]) -> list[tuple[int, int]]:
    """The longest common subsequence of two lists of headings: pairs of places."""
    rows = [[0] * (len(true) + 1) for _ in range(len(detected) + 1)]
    equal = [[same(one, other) for other, _ in true] for one, _ in detected]
    for i in range(len(detected) - 1, -1, -1):
        for j in range(len(true) - 1, -1, -1):
            rows[i][j] = (
                rows[i + 1][j + 1] + 1 if equal[i][j] else max(rows[i + 1][j], rows[i][j + 1])
            )
    pairs, i, j = [], 0, 0
    while i < len(detected) and j < len(true):
        if equal[i][j] and rows[i][j] == rows[i + 1][j + 1] + 1:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif rows[i + 1][j] >= rows[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def f1(pairs: int, detected: int, true: int) -> tuple[float, float]:
    """F1 and precision; without any true one, 1 where none is detected."""
    if not true:
        return float(not detected), float(not detected)
    precision = pairs / detected if detected else 0.0
    return 2 * pairs / (detected + true), precision


def abstract_sections(document: Document) -> set[int]:
    """The sections below the abstract, by identity: the labels of a structured one, which
    publishers list apart.
    """
    found: set[int] = set()
    inside = False
    for section in document.sections:
        if re.fullmatch(r"abstract|(executive )?summary", named(section.heading), re.IGNORECASE):
            inside = True
        elif inside and section.level > 1:
            found.add(id(section))
        else:
            inside = False
    return found


def headings(
    document: Document, truth: dict
) -> tuple[list[tuple[str, int]], list[tuple[str, int]]]:
    """The detected and the true headings with their levels, without those that are ignored."""
    true = [
        (plain(one["heading"]), one["level"])
        for one in truth["headings"]
        if not NEUTRAL.fullmatch(named(one["heading"]))
    ]
    in_abstract = abstract_sections(document)
    detected = [
        (plain(section.heading), section.level)
        for section in document.sections
        if section.heading
        and section.found_by != "fallback"
        and not NEUTRAL.fullmatch(named(section.heading))
        if id(section) not in in_abstract
    ]
    ignored = {plain(one) for one in truth.get("abstract_headings", [])} - {
        name for name, _ in true
    }
    ignored |= {plain(one["heading"]) for one in truth.get("back_matter_headings", [])} - {
        name for name, _ in true
    }
    return [one for one in detected if one[0] not in ignored], true


def tokens(text: str) -> list[str]:
    """The words of a text, without numbers: publishers' texts have those of citations, which are
    raised in a PDF.
    """
    return re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", text).lower())


def grams(text: str) -> list[tuple[str, ...]]:
    words = tokens(text)
    return list(zip(*(words[n:] for n in range(4)), strict=False))


def share(of: list[tuple[str, ...]], within: set[tuple[str, ...]]) -> float:
    return sum(one in within for one in of) / len(of) if of else float("nan")


@cache
def known_words(path: Path) -> set[str]:
    """The words that any mode of poppler has."""
    known: set[str] = set()
    for mode in MODES:
        found = subprocess.run(
            ["pdftotext", "-q", *mode, path, "-"], capture_output=True, check=True
        ).stdout
        other = unicodedata.normalize("NFKC", found.decode("utf-8", "replace")).lower()
        mended = re.sub(r"[-\xad\u2010\u2011]\s*\n\s*", "", other)
        for one in (other, mended, re.sub(r"(?<=\w)[-\xad\u2010]\s*\n\s*", "-", other)):
            known.update(re.findall(r"[^\W\d_]+", one))
        for letters in LIGATURES:  # poppler does not know those for private use
            known.update(re.findall(r"[^\W\d_]+", re.sub(r"[\ue000-\uf8ff]", letters, mended)))
    return known


def new_words(path: Path, text: str) -> list[str]:
    """The words of a text that no mode of poppler has."""
    known = known_words(path)
    words = re.findall(r"[^\W\d_]{4,}", unicodedata.normalize("NFKC", text).lower())
    return [word for word in words if word not in known]


def printed_sizes(path: Path) -> tuple[str, list[float]]:
    """The letters of a PDF as poppler orders them, and the size of each in points."""
    found = subprocess.run(
        ["pdftohtml", "-q", "-xml", "-i", "-stdout", path], capture_output=True, check=True
    ).stdout
    sizes: dict[str, float] = {}
    text: list[str] = []
    size_of: list[float] = []
    for number, size, font, line in re.findall(
        r'<fontspec id="(\d+)" size="([\d.-]+)"|<text [^>]*font="(\d+)"[^>]*>(.*?)</text>',
        found.decode("utf-8", "replace"),
    ):
        if number:
            sizes[number] = float(size)
        else:
            letters = re.sub(r"[\W_]+", "", html.unescape(re.sub(r"<[^>]*>", "", line))).lower()
            text.append(letters)
            size_of += [sizes.get(font, 0.0)] * len(letters)
    return "".join(text), size_of


@cache
def of_text(path: Path) -> list[str]:
    """The publisher's paragraphs without captions, notes of tables and figures, and back matter.

    A caption stands after its label in poppler's text, a note is short and in smaller type than the
    text, and back matter stands below its heading.
    """
    truth = truth_of(path)
    raw = subprocess.run(
        ["pdftotext", "-q", "-raw", path, "-"], capture_output=True, check=True
    ).stdout
    text = plain(raw.decode("utf-8", "replace"))
    label = r"(?:figs?|figures?|tables?|schemes?|files?|algorithm|box)[0-9ivx]{1,4}[a-z]?"
    ordered, sizes = printed_sizes(path)
    common = max(sizes, key=Counter(sizes).get, default=0.0)
    places = {text.rfind(plain(one["heading"])): False for one in truth["headings"]}
    places |= {
        text.rfind(plain(one["heading"])): True for one in truth.get("back_matter_headings", [])
    }

    def is_text(paragraph: str) -> bool:
        beginning = plain(paragraph)[:30]
        place, printed = text.find(beginning), ordered.find(beginning)
        if (
            re.search(label + re.escape(beginning), text)
            or BACK_TEXT.search(paragraph)
            or NOT_TEXT.match(paragraph)
        ):
            return False
        if printed >= 0 and sizes[printed] < 0.92 * common and len(paragraph.split()) < 120:
            return False
        above = max((one for one in places if 0 <= one < place), default=-1)
        return not places.get(above, False)

    return [one for one in truth.get("paragraphs") or [] if is_text(one)]


def back_matter(document: Document) -> list[str]:
    """What is read that is back matter."""
    found = []
    for section, _ in document.read_sections:
        if section.heading and BACK_HEADING.fullmatch(named(section.heading)):
            found.append(f"# {section.heading}")
        else:
            texts = (
                match[0] for one in section.paragraphs for match in BACK_TEXT.finditer(one.text)
            )
            found += [f"{section.heading}: {text}" for text in texts]
    return found


def cut_sentences(document: Document) -> tuple[list[str], int]:
    """Sentences that begin or end in the middle, and the number of all."""
    texts = [one.text for one in all_sentences(document) if not one.is_heading]
    cut = [
        text
        for text in texts
        if text[0].islower() or re.match(r"\d+ ?[a-z]?\s", text) or text[-1] not in ".?!:;”\"')]…"
    ]
    return cut, len(texts)


def score(
    path: Path, document: Document, truth: dict
) -> tuple[dict[str, float], dict[str, list[str]]]:
    detected, true = headings(document, truth)
    top, top_true = [one for one in detected if one[1] == 1], [one for one in true if one[1] == 1]
    top_f1, precision = f1(len(matches(top, top_true)), len(top), len(top_true))
    pairs = len(matches(detected, true))
    any_f1, _ = f1(
        pairs, len(true) if WITHOUT_SUBHEADINGS.fullmatch(path.stem) else len(detected), len(true)
    )
    read = [part for section, _ in document.read_sections for part in section.parts]
    everything = grams(" ".join(read))
    within = set(everything)
    texts = [one for one in of_text(path) if grams(one)]
    paragraphs = [grams(one) for one in texts]
    lost = [
        text[:100] for text, one in zip(texts, paragraphs, strict=True) if share(one, within) < 0.5
    ]
    publisher = {one for paragraph in paragraphs for one in paragraph} | set(
        grams(truth.get("abstract") or "")
    )
    publisher |= set(grams(" ".join(one["heading"] for one in truth["headings"])))
    abstract = "\n".join(
        one for one in (truth.get("abstract") or "").split("\n") if not NOT_ABSTRACT.match(one)
    )
    sections = [section for section, _ in document.read_sections]
    # others have ours: Abstract
    printed = [section.heading for section in sections if section.found_by != "fallback"]
    new = new_words(
        path,
        " ".join([*printed, *(one.text for section in sections for one in section.paragraphs)]),
    )
    back = back_matter(document)
    cut, count = cut_sentences(document)
    words = sum(len(part.split()) for part in read)
    none = float("nan")
    scores = {
        "top": top_f1,
        "P": precision,
        "any": any_f1,
        "title": float(
            SequenceMatcher(
                None, plain(document.title), plain(truth["title"]), autojunk=False
            ).ratio()
            > 0.95
        ),
        "body": share([one for paragraph in paragraphs for one in paragraph], within)
        if paragraphs
        else none,
        "lost": float(len(lost)) if paragraphs else none,
        "extra": 1 - share(everything, publisher) if paragraphs else none,
        "abstract": share(grams(abstract), within) if abstract else none,
        "back": float(len(back)),
        "new": 10_000 * len(new) / max(words, 1),
        "cut": 1000 * len(cut) / max(count, 1),
    }
    return scores, {"lost": lost, "new": new, "back": back, "cut": cut}


def is_independent(path: Path) -> bool:
    """Whether a file's truth does not come from the PDF itself."""
    return not path.name.startswith(("jcon_", "acl_"))


def read_and_score(
    path: Path, without: Collection[str] = ()
) -> tuple[Document, dict, dict[str, list[str]]]:
    document = pdf_document(path.read_bytes(), path.name, str(path), without=without)
    return (document, *score(path, document, truth_of(path)))


def averages(rows: Iterable[dict[str, float]]) -> dict[str, float]:
    """The averages of scores, each over the files that have it."""
    rows = list(rows)
    values = {
        column: [row[column] for row in rows if row[column] == row[column]] for column in COLUMNS
    }
    return {column: sum(one) / len(one) if one else float("nan") for column, one in values.items()}


def cells(scores: dict[str, float], form: str = "9.3f") -> str:
    return "".join(
        f"{scores[one]:{form}}" if scores[one] == scores[one] else f"{'-':>9}" for one in COLUMNS
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "folder", nargs="?", default=Path(__file__).parents[3] / "shared" / "pdfs", type=Path
    )
    parser.add_argument(
        "--only",
        nargs="*",
        default=[],
        help="names (parts of them) of the files to read; default all",
    )
    parser.add_argument(
        "--verbose", nargs="*", default=[], help="names (parts of them) of files to show in full"
    )
    passes = f"passes to switch off, one at a time; default {', '.join(PASSES)}"
    parser.add_argument("--ablate", nargs="*", metavar="PASS", help=passes)
    arguments = parser.parse_args()
    paths = [
        path
        for path in sorted(arguments.folder.glob("*.pdf"))
        if not arguments.only or any(name in path.stem for name in arguments.only)
    ]
    if arguments.ablate is not None:
        ablate(paths, arguments.ablate or PASSES)
        return
    header = "".join(f"{column:>9}" for column in COLUMNS)
    print(f"{'file':24}{header}{'pages':>7}{'s/page':>8}  found by", flush=True)
    table: dict[Path, dict[str, float]] = {}
    for path in paths:
        truth = truth_of(path)
        start = time.process_time()
        document = pdf_document(path.read_bytes(), path.name, str(path))
        seconds = (time.process_time() - start) / truth["pages"]
        table[path], details = score(path, document, truth)
        how = ",".join(
            sorted({section.found_by for section in document.sections if section.heading})
        )
        print(
            f"{path.stem:24}{cells(table[path])}{truth['pages']:7}{seconds:8.3f}  {how}", flush=True
        )
        if any(name in path.stem for name in arguments.verbose):
            show(document, truth, details)
    print(
        f"{'independent':24}"
        f"{cells(averages(row for path, row in table.items() if is_independent(path)))}"
    )
    print(f"{'all':24}{cells(averages(table.values()))}")
    files = list(table.values())
    print(
        f"{len(files)} files: {sum(row['title'] for row in files):.0f} titles, "
        f"{sum(row['back'] > 0 for row in files)} with back matter read, "
        f"{sum(row['abstract'] < 0.8 for row in files)} with less than 0.8 of the abstract"
    )


def is_held_out(path: Path) -> bool:
    """Whether a file is in the third that is held out: all of a journal are, or none."""
    source = str(truth_of(path).get("journal") or path.stem)
    return hashlib.sha256(source.encode()).digest()[0] % 3 == 0


def ablate(paths: Collection[Path], names: Collection[str]) -> None:
    """Print by how much the averages change without each pass; a second row is for the files that
    are held out.
    """
    print(f"{'without':34}" + "".join(f"{column:>9}" for column in COLUMNS), flush=True)
    before: dict[bool, dict[str, float]] = {}
    for name in ("", *names):
        rows = {path: read_and_score(path, {name})[1] for path in paths if is_independent(path)}
        for held_out in (False, True):
            now = averages(row for path, row in rows.items() if is_held_out(path) == held_out)
            label = f"{name or 'nothing'}{', held out' * held_out}"
            if not name:
                before[held_out] = now
                print(f"{label:34}{cells(now)}", flush=True)
            else:
                change = {column: now[column] - before[held_out][column] for column in COLUMNS}
                print(f"{label:34}{cells(change, '+9.4f')}", flush=True)


def show(document: Document, truth: dict, details: dict[str, list[str]]) -> None:
    """The sections found, the headings missed, what is left out, and the pieces behind the
    figures.
    """
    print("  title:", document.title)
    true = [(plain(one["heading"]), one["level"]) for one in truth["headings"]]
    detected = [(plain(one.heading), one.level) for one in document.sections]
    pairs = dict(matches(detected, true))
    for place, one in enumerate(document.sections):
        words = len(one.text.split())
        mark = (
            "?"
            if place not in pairs
            else "+"
            if detected[place][1] == true[pairs[place]][1]
            else "~"
        )
        print(
            f"  {mark} {one.level} {one.found_by:9} {one.heading[:90]!r} "
            f"{one.pdf_pages} {words} words"
        )
        for paragraph in one.paragraphs[:1]:
            print("        ", paragraph.text[:110])
        for paragraph in one.paragraphs[-1:]:
            print("         …", paragraph.text[-110:])
    for j, heading in enumerate(truth["headings"]):
        if j not in pairs.values():
            print(f"  - {heading['level']} {heading['heading']!r}")
    for group in document.left_out:
        print(
            f"  left out: {group.reason}, {group.words} words, "
            f"pages {group.pdf_pages}: {group.text[:100]}"
        )
    for kind, texts in details.items():
        for text in texts:
            print(f"  {kind}: {text[:160]}")


if __name__ == "__main__":
    main()
