"""How well claims are checked: quotes as people paste them, quotes with one change, paraphrases \
with one changed fact.

    python tests/benchmarks/check.py [FOLDER] [--held-out] [--pdfjs FOLDER] [--verbose CLASS]
    python tests/benchmarks/check.py --paraphrases
    python tests/benchmarks/check.py --claims

FOLDER (``../shared/pdfs`` by default) holds ``NAME.pdf`` and ``NAME.json``. Sentences of the papers
are looked up by their first and last letters in the text of poppler (``pdftotext``), pdfium and
pdf.js (where ``--pdfjs`` names the folder of the package pdfjs-dist and node is there), and copied
from it with its line breaks, hyphens, ligatures and quotes: the verdict must be ``verbatim``, and
anything but ``verbatim`` and ``edited`` is a false alarm. With one change it must be ``differs``.
Words are changed by lists of this file. A third of the files is held out by journal.

``--paraphrases`` reads ``labels/paraphrases.jsonl``: a passage, a true paraphrase of it and one
with a changed fact. The score is ``Checked.score``, less 1 if the claim is not supported; word
overlap is that of ``text.words.support``.

``--claims`` reads ``labels/claims.jsonl.xz``, see ``train_claims.py``: claims in other words, each
checked against all passages of its document.
"""

import argparse
import json
import lzma
import random
import re
import subprocess
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
from reading import is_held_out

from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.summary.check.results import ANSWERS, VERDICTS
from pagesum_cli.text.words import Units, support

SAMPLES = 30
"""Sentences of a file."""
ANCHOR = 20
"""Letters at each end by which a sentence is looked up."""
PDFJS = """
import {{ getDocument }} from '{0}/legacy/build/pdf.mjs';
const pdf = await getDocument({{ url: process.argv[1], verbosity: 0 }}).promise;
const pages = [];
for (let n = 1; n <= pdf.numPages; n++) {{
  const content = await (await pdf.getPage(n)).getTextContent();
  pages.push(content.items.map(item => item.str + (item.hasEOL ? '\\n' : '')).join(''));
}}
console.log(JSON.stringify(pages));
"""
CLAIMS = Path(__file__).parent / "labels" / "claims.jsonl.xz"
STOP = set(
    "the a an of in to and or for with by on at from as is are was were be been this that these "  # noqa: SIM905
    "those it its also".split()
)
UNITS = [
    "mg g kg μg ng pg", "ml l μl dl", "mm cm m km nm μm",
    "hours days weeks months years minutes seconds", "h min s",
    "% mg/kg", "million billion thousand", "°C K", "mM μM nM M", "kDa Da", "MB GB TB KB",
    "kHz MHz Hz", "mV V",
]  # fmt: skip
OPPOSITES = """
    increased/decreased increase/decrease increases/decreases higher/lower high/low larger/smaller
    large/small more/less greater/smaller positive/negative before/after improved/worsened
    improve/worsen reduced/increased reduces/increases reduce/increase reduction/increase first/last
    early/late strong/weak stronger/weaker above/below inhibited/activated inhibition/activation
    present/absent presence/absence male/female males/females long/short longer/shorter many/few
    better/worse best/worst most/least significant/insignificant similar/different same/different
    directly/indirectly upper/lower left/right fast/slow faster/slower old/young older/younger
    new/old always/never success/failure accepted/rejected include/exclude included/excluded
    external/internal possible/impossible known/unknown effective/ineffective dependent/independent
    common/rare major/minor maximum/minimum all/some
""".split()  # noqa: SIM905
VERBS = re.compile(
    r"(?:increased?s?|reduced?s?|inhibit(?:s|ed)?|induced?s?|show(?:s|ed)?|caused?s?|improves?d?|"
    r"affects?|affected|contain(?:s|ed)?|uses?d?|provided?s?|requires?d?|includes?d?|"
    r"exceed(?:s|ed)?|produced?s?|supports?|allow(?:s|ed)?|than|compared (?:with|to)|followed by|"
    r"caused by|treated with|leads? to|led to|results? in|resulted in|versus)"
)
AUXILIARY = r"(?:is|are|was|were|can|could|did|does|do|will|would|may|might|should|must)"


def letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text, with their places."""
    found, places = [], []
    for place, character in enumerate(text):
        for one in unicodedata.normalize("NFKD", character).lower():
            if one.isalnum():
                found.append(one)
                places.append(place)
    return "".join(found), places


def texts_of(path: Path, pdfjs: str | None) -> dict[str, list[str]]:
    """The text of each page by program."""
    pdf = pypdfium2.PdfDocument(path)
    poppler = subprocess.run(
        ["pdftotext", path, "-"], capture_output=True, text=True, check=True
    ).stdout
    texts = {
        "poppler": poppler.split("\f"),
        "pdfium": [page.get_textpage().get_text_range() for page in pdf],
    }
    if pdfjs:
        script = [
            "node",
            "--input-type=module",
            "-e",
            PDFJS.format(Path(pdfjs).resolve()),
            str(path.resolve()),
        ]
        texts["pdf.js"] = json.loads(
            subprocess.run(script, capture_output=True, text=True, check=True).stdout
        )
    return texts


def pasted(sentence: Sentence, pages: list[str]) -> str | None:
    """A sentence as it is copied from a program; None where it is not found, or something else
    stands inside of it.
    """
    text = "\n".join(pages[page - 1] for page in sentence.pdf_pages if page <= len(pages))
    found, places = letters(text)
    own, _ = letters(sentence.text)
    start = found.find(own[:ANCHOR])
    while start >= 0:
        end = found.find(
            own[-ANCHOR:],
            start + len(own) - ANCHOR - len(own) // 10,
            start + len(own) + len(own) // 10,
        )
        if end >= 0:
            last = places[end + ANCHOR - 1] + 1
            marks = re.search(r"[^\w\s]*\s?[^\w\s]*$", sentence.text)[0].split()
            tail = re.match(r"\s?".join(map(re.escape, "".join(marks))), text[last:].lstrip())
            if re.search(r"\n\s*\n", text[places[start] : last]):
                return None
            return text[places[start] : last] + (
                text[last:][: len(text[last:]) - len(text[last:].lstrip())] + tail[0]
                if tail
                else ""
            )
        start = found.find(own[:ANCHOR], start + 1)
    return None


def retyped(text: str, chance: random.Random) -> str:
    """The same with other quotes, dashes and ligatures."""
    for one, other in (
        ("“", '"'),
        ("”", '"'),
        ("’", "'"),
        ("–", "-"),
        ("−", "-"),
        ("fi", "ﬁ"),
        ("fl", "ﬂ"),
        ("'", "’"),
    ):
        if chance.random() < 0.3:
            text = text.replace(one, other)
    return text[0].swapcase() + text[1:] if chance.random() < 0.2 and text[1:2].islower() else text


def changes(text: str, names: list[str], chance: random.Random) -> Iterator[tuple[str, str]]:
    """The text with one change of each class that it has room for."""
    bare = re.sub(
        r"\[[\d,;\s–-]+\]|\([^()]*(?:19|20)\d\d[^()]*\)", lambda match: "\0" * len(match[0]), text
    )

    def one_of(pattern: str) -> re.Match[str] | None:
        matches = list(re.finditer(pattern, bare))
        return chance.choice(matches) if matches else None

    def put(match: re.Match[str], new: str, group: int = 0) -> str:
        return text[: match.start(group)] + new + text[match.end(group) :]

    if match := one_of(r"(?<![\w.\[])\d+(?:\.\d+)?(?= ?[\w%]|\s)"):
        digit = chance.randrange(match.start(), match.end())
        if text[digit].isdigit():
            new = chance.choice([one for one in "123456789" if one != text[digit]])
            yield "number", text[:digit] + new + text[digit + 1 :]
    units = {unit: group.split() for group in UNITS for unit in group.split()}
    if match := one_of(
        rf"(?<=\d)[\s-]?({'|'.join(sorted(map(re.escape, units), key=len, reverse=True))})(?![\w/])"
    ):
        yield (
            "unit",
            put(match, chance.choice([one for one in units[match[1]] if one != match[1]]), 1),
        )
    match = one_of(r"(?<=[a-z,] )[A-Z][a-z]{2,}\w*(?=[ ,.])")
    if match and (others := [name for name in names if name != match[0]]):
        yield "name", put(match, chance.choice(others))
    if match := one_of(r"\bnot (?=[a-z])"):
        yield "negation", put(match, "")
    elif match := one_of(rf"(?<=[a-z] ){AUXILIARY}(?= [a-z])"):
        yield "negation", put(match, f"{match[0]} not")
    pairs = [pair.split("/") for pair in OPPOSITES]
    table = {**{b: a for a, b in pairs}, **dict(pairs)}
    if match := one_of(rf"\b(?:{'|'.join(table)})\b"):
        yield "antonym", put(match, table[match[0]])
    words = [
        one
        for one in re.finditer(r"(?<![-\ufffe])(?<!-\n)\b[^\W\d_][\w]*\b(?![-\ufffe]|\s*-)", text)
        if not one[0].endswith("ly")
    ]
    for verb in re.finditer(rf"(?<= ){VERBS.pattern}(?= )", bare):
        before, after = (
            [one for one in words if one.end() < verb.start()],
            [one for one in words if one.start() > verb.end()],
        )
        left = next((one for one in reversed(before[-3:]) if one[0].lower() not in STOP), None)
        right = next((one for one in after[:3] if one[0].lower() not in STOP), None)
        if left and right and left[0].lower() != right[0].lower():
            yield (
                "exchange",
                text[: left.start()]
                + right[0]
                + text[left.end() : right.start()]
                + left[0]
                + text[right.end() :],
            )
            break


def names_of(document: Document) -> list[str]:
    """Capitalized words within sentences."""
    counts = Counter(re.findall(r"(?<=[a-z] )[A-Z][a-z]{3,}", document.text))
    return sorted(counts)


def run(paths: list[Path], pdfjs: str | None, verbose: str) -> None:
    """Check the claims of all files and print the table."""
    rows: defaultdict[str, Counter[str]] = defaultdict(Counter)
    seconds, indexing, count, missing = 0.0, 0.0, 0, 0
    for path in paths:
        chance = random.Random(path.stem)
        (document,) = read_file(str(path))
        began = time.process_time()
        checker = Checker.of([document])
        checker.check(Claim("The first claim makes what is made once."))
        indexing += time.process_time() - began
        texts = texts_of(path, pdfjs)
        names = names_of(document)
        sentences = [
            one
            for one in all_sentences(document)
            if not one.is_heading and 6 <= len(one.text.split()) <= 60
        ]
        sentences = [
            one
            for one in sentences
            if one.text[-1] in ".?!"
            and one.text[0].isalnum()
            and len(letters(one.text)[0]) > 2 * ANCHOR
        ]
        for sentence in chance.sample(sentences, min(SAMPLES, len(sentences))):
            claims = []
            for program, pages in texts.items():
                if (text := pasted(sentence, pages)) is None:
                    missing += 1
                else:
                    claims.append((program, retyped(text, chance)))
            if claims:
                claims += changes(chance.choice(claims)[1], names, chance)
            for kind, text in claims:
                began = time.process_time()
                checked = checker.check(Claim(text))
                seconds += time.process_time() - began
                count += 1
                rows[kind][checked.verdict] += 1
                wanted = "verbatim" if kind in texts else "differs"
                if verbose in (kind, "all") and checked.verdict != wanted:
                    shown = [(one.kind, one.claim, one.document) for one in checked.differences]
                    print(
                        f"{path.stem} {kind} {checked.verdict} {checked.score} {shown}\n "
                        f" {text!r}\n  {sentence.text!r}"
                    )
    verdicts = ("verbatim", "edited", "differs", "paraphrase", "not found")
    print(f"{'':10}" + "".join(f"{name:>11}" for name in ("n", *verdicts, "right %", "alarms %")))
    for kind, found in rows.items():
        is_copy = kind in ("poppler", "pdfium", "pdf.js")
        right = found["verbatim" if is_copy else "differs"] / found.total()
        alarms = (
            f"{100 * (1 - (found['verbatim'] + found['edited']) / found.total()):.2f}"
            if is_copy
            else ""
        )
        cells = [found.total(), *(found[name] for name in verdicts), f"{100 * right:.2f}", alarms]
        print(f"{kind:10}" + "".join(f"{cell:>11}" for cell in cells))
    print(f"{len(paths)} files, {missing} sentences not found in a program's text")
    print(
        f"{1000 * seconds / count:.2f} ms of processor time a claim; "
        f"{1000 * indexing / len(paths):.0f} ms a file for the index"
    )


def paraphrases() -> None:
    """Recall of changed facts at 5 % false alarms, beside word overlap."""
    lines = (
        (Path(__file__).parent / "labels" / "paraphrases.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    rows = [json.loads(line) for line in lines]
    scores: dict[str, tuple[list[float], list[float]]] = {
        "check": ([], []),
        "word overlap": ([], []),
    }
    verdicts: dict[str, Counter[str]] = {"true": Counter(), "changed": Counter()}
    for row in rows:
        paragraph = Paragraph(row["passage"])
        checker = Checker.of([Document("a.txt", (Section("", (paragraph,)),))])
        for place, name in enumerate(("true", "changed")):
            checked = checker.check(Claim(row[name]))
            verdicts[name][checked.verdict + "+" * bool(checked.differences)] += 1
            scores["check"][place].append(checked.score - (not checked.is_supported))
            scores["word overlap"][place].append(
                support(Units.of(row[name]), Units.of(row["passage"]))
            )
    for name, (true, changed) in scores.items():
        threshold = sorted(true)[int(0.05 * len(true))]
        found = sum(score < threshold for score in changed) / len(changed)
        print(
            f"{name:14} {len(rows)} pairs, recall of changed facts at 5 % false "
            f"alarms: {100 * found:.1f} %"
        )
    for name, counts in verdicts.items():
        print(f"{name:8} {dict(counts)}")


def claims_in_other_words() -> None:
    """The share of claims with each answer that get each verdict."""
    documents = defaultdict(list)
    with lzma.open(CLAIMS, "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if "text" in row:
                documents[row["document"]].append(row)
    counts: Counter[tuple[str, str]] = Counter()
    for name, rows in documents.items():
        sections = tuple(Section(row["heading"], (Paragraph(row["text"]),)) for row in rows)
        checker = Checker.of([Document(name, sections, rows[0]["title"])])
        for row in rows:
            for answer in ANSWERS:
                counts.update((answer, checker.check(Claim(one)).verdict) for one in row[answer])
    for answer in ANSWERS:
        total = sum(counts[answer, verdict] for verdict in VERDICTS)
        shares = (f"{counts[answer, one] / total:.1%} {one}" for one in VERDICTS)
        print(f"{answer}, {total:,}: {', '.join(shares)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "folder", nargs="?", type=Path, default=Path(__file__).parents[3] / "shared" / "pdfs"
    )
    parser.add_argument("--held-out", action="store_true", help="check the third that is held out")
    parser.add_argument("--pdfjs", help="folder of the package pdfjs-dist")
    parser.add_argument("--verbose", default="", help="show the errors of a class, or all")
    parser.add_argument("--paraphrases", action="store_true")
    parser.add_argument("--claims", action="store_true")
    options = parser.parse_args()
    if options.paraphrases:
        paraphrases()
        return
    if options.claims:
        claims_in_other_words()
        return
    paths = sorted(
        path for path in options.folder.glob("*.pdf") if is_held_out(path) == options.held_out
    )
    if not paths:
        sys.exit(f"no such files in {options.folder}")
    run(paths, options.pdfjs, options.verbose)


if __name__ == "__main__":
    main()
