"""Accuracy of titles, abstracts and headings of PDFs.

    python tests/benchmarks/pdf_sections.py [FOLDER] [--verbose NAME …]

FOLDER (``../shared/pdfs`` by default) holds ``NAME.pdf`` and ``NAME.json`` with the true ``title``, ``abstract`` and
``headings``. A detected heading is correct if its words, without number, match a true one, in order; back matter
(acknowledgements, funding …) is ignored. Averages are over files whose truth does not come from the PDF itself.
"""

import argparse
import json
import re
import time
from difflib import SequenceMatcher
from pathlib import Path

from pagesum_cli.documents.document import Document
from pagesum_cli.documents.read import read_file

NEUTRAL = re.compile(
    r"abstract|keywords?|.*acknowled?ge?ments?|funding.*|(conflicts?|declarations?|statement).*interests?.*|.*competing.*interests?|"
    r".*contributions?|.*availability.*|ethic.*|.*supplementary.*|supporting.*|abbreviations.*|disclosures?|additional.*|"
    r"appendix.*|references|author.*|publisher.?s note|highlights|consent.*|data archiving.*|orcid.*",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    text = re.sub(r"^\s*(?:(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*\.?|appendix [a-z][.:]?)\s+", "", text)
    return re.sub(r"[\W_]+", "", text).lower()


def same(one: str, other: str) -> bool:
    return bool(one and other) and (one == other or SequenceMatcher(None, one, other, autojunk=False).ratio() > 0.85)


def matches(detected: list[tuple[str, int]], true: list[tuple[str, int]]) -> list[tuple[int, int]]:
    """The longest common subsequence of two lists of headings: pairs of places."""
    rows = [[0] * (len(true) + 1) for _ in range(len(detected) + 1)]
    equal = [[same(one, other) for other, _ in true] for one, _ in detected]
    for i in range(len(detected) - 1, -1, -1):
        for j in range(len(true) - 1, -1, -1):
            rows[i][j] = rows[i + 1][j + 1] + 1 if equal[i][j] else max(rows[i + 1][j], rows[i][j + 1])
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


def score(document: Document, truth: dict) -> dict[str, float]:
    true = [
        (plain(one["heading"]), one["level"])
        for one in truth["headings"]
        if not NEUTRAL.fullmatch(one["heading"].strip(" .:"))
    ]
    detected = [
        (plain(section.heading), section.level)
        for section in document.sections
        if section.heading
        and section.found_by != "fallback"
        and not NEUTRAL.fullmatch(re.sub(r"^[\d.]+ ", "", section.heading).strip(" .:"))
    ]
    abstract_headings = [plain(one) for one in truth.get("abstract_headings", [])]
    detected = [one for one in detected if one[0] not in abstract_headings or one[0] in [name for name, _ in true]]
    pairs = matches(detected, true)
    precision = len(pairs) / len(detected) if detected else 0.0
    recall = len(pairs) / len(true) if true else 1.0
    abstract = next((one.text for one in document.sections if plain(one.heading) in ("abstract", "summary")), "")
    abstract_truth = truth.get("abstract") or ""
    return {
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if pairs else 0.0,
        "level": sum(detected[i][1] == true[j][1] for i, j in pairs) / len(pairs) if pairs else 0.0,
        "title": SequenceMatcher(None, plain(document.title), plain(truth["title"]), autojunk=False).ratio(),
        "abstract": words_f1(abstract, abstract_truth) if abstract_truth else float("nan"),
        "references": float(any(plain(one.heading) in ("references", "bibliography") for one in document.sections)),
    }


def words_f1(one: str, other: str) -> float:
    """Agreement of two texts, word by word in order."""
    a, b = re.findall(r"\w+", one.lower()), re.findall(r"\w+", other.lower())
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", default=Path(__file__).parents[3] / "shared" / "pdfs", type=Path)
    parser.add_argument("--verbose", nargs="*", default=[], help="names (parts of them) of files to show in full")
    arguments = parser.parse_args()
    columns = ("precision", "recall", "f1", "level", "title", "abstract", "references")
    print(
        f"{'file':24}{'':8}"
        + "".join(f"{column[:9]:>10}" for column in columns)
        + f"{'pages':>7}{'s/page':>8}  recognized by"
    )
    table = []
    for path in sorted(arguments.folder.glob("*.pdf")):
        truth = json.loads(path.with_suffix(".json").read_text())
        start = time.process_time()
        document = read_file(str(path))[0]
        seconds = (time.process_time() - start) / truth["pages"]
        scores = score(document, truth)
        independent = not path.name.startswith(("jcon_", "acl_"))
        table.append((independent, scores))
        how = ",".join(sorted({section.found_by for section in document.sections if section.heading}))
        row = "".join(f"{scores[column]:10.2f}" for column in columns)
        print(f"{path.stem:24}{'' if independent else '(pdf)':8}{row}{truth['pages']:7}{seconds:8.3f}  {how}")
        if any(name in path.stem for name in arguments.verbose):
            show(document, truth)
    for label, rows in (("independent", [row for ok, row in table if ok]), ("all", [row for _, row in table])):
        values = [[row[column] for row in rows if row[column] == row[column]] for column in columns]
        print(f"{label:32}" + "".join(f"{sum(one) / len(one):10.3f}" for one in values))


def show(document: Document, truth: dict) -> None:
    print("  title:", document.title)
    true = [(plain(one["heading"]), one["level"]) for one in truth["headings"]]
    detected = [(plain(one.heading), one.level) for one in document.sections]
    pairs = matches(detected, true)
    hit = {i for i, _ in pairs}
    got = {j for _, j in pairs}
    for place, one in enumerate(document.sections):
        words = len(one.text.split())
        mark = "+" if place in hit else "?"
        print(f"  {mark} {one.level} {one.found_by:9} {one.heading[:90]!r} {one.pdf_pages} {words} words")
        for paragraph in one.paragraphs[:1]:
            print("        ", paragraph.text[:110])
        for paragraph in one.paragraphs[-1:]:
            print("         …", paragraph.text[-110:])
    for j, one in enumerate(truth["headings"]):
        if j not in got:
            print(f"  - {one['level']} {one['heading']!r}")


if __name__ == "__main__":
    main()
