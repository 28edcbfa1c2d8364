"""How faithfully documents are read: each format compared with a program that others wrote.

    python tests/benchmarks/fidelity.py FOLDER [--only FORMAT …] [--half first|second]
        [--cache FOLDER] [--show N]

FOLDER holds files of any kind, at any depth; pandoc must be installed. A row a format, with the
number of files that both read (``only``: those in which only one of the two reads words), and

* ``numbers`` tokens with a digit, with their signs, scripts and units, that the judge reads and
  pagesum neither reads nor reports as left out, per 10,000; those of formulas are compared figure
  by figure,
* ``lost`` words of paragraphs that are lost in the same sense, per 10,000,
* ``new`` words that pagesum reads and the judge does not, per 10,000,
* ``order`` the share of the 5-grams of the judge's paragraphs that pagesum's text has; what is
  left out for a reason (a table of contents) lowers it.

``--show`` prints N differences of each file that has any. ``--half`` takes one half of the files,
by a hash of their names: the second half is for the end.
"""

import argparse
import hashlib
import json
import math
import re
import subprocess
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import islice
from pathlib import Path
from typing import Any

from pandoc_faults import (
    SINGLE,
    SOURCE,
    SPACING,
    as_utf_8,
    readable,
    with_included,
    without_sphinx,
)

from pagesum_cli.documents.read import read_file
from pagesum_cli.errors import PagesumError
from pagesum_cli.text.scripts import subscript, superscript

GRAM = 5
SECONDS = 60  # for one file
DIFFERENCES = ("numbers", "lost", "new")
NOT_READ = {"Note", "Image"}  # notes are asides; of pictures the caption is read
SPACES = {"Space": " ", "SoftBreak": " ", "LineBreak": " ", "HorizontalRule": " "}
FRONT_MATTER = re.compile(rb"\A\s*(---|\+\+\+)\r?\n.*?\n(?:\1|\.\.\.)[ \t]*\r?\n", re.DOTALL)
NOT_SHOWN = re.compile(rb"(?is)<(noscript|template)\b.*?</\1\s*>")
"""What a browser with JavaScript does not show."""
FORMULA = "\ufffc"  # stands in words for a formula, which is compared by its figures
EDGES = "`\"'“”‘’„‚«»‹›()[]{}.,;:!?¡¿…*_|"
REFERENCE = re.compile(r"[^\W\d_]{4,}[,.;:)”’\"']{0,3}\^?\(?[⁰¹²³⁴⁵⁶⁷⁸⁹⁻\d,]+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
"""A word with the raised number of a reference, which pagesum leaves out and reports."""
SCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[₀₁₂₃₄₅₆₇₈₉]+")
MARK = re.compile(
    r"\b(?:page-?break|(?:footnote|note)-?ref|footnote-back|backlink|reference-type)\b", re.I
)
NOTES = re.compile(r"\b(?:doc-endnotes|footnotes|endnotes|ltx_note)\b", re.IGNORECASE)
"""Attributes of page numbers, of marks of notes and of references by label, and of the notes."""
DASH = re.compile(r"(?<=[^\W\d])--+(?=[^\W\d])|(?<![^\s`])-+(?=[^\W\d])|(?<=[^\W\d])-+(?!\S)")
"""A dash at the edge of a word or between two, with or without spaces; no sign of a number."""
PERCENT = re.compile(r"(?<=\d) %")  # with a space or without
THEOREM = re.compile(
    r"(?:[A-Z][a-z]+ )?(?:Proof|Theorem|Lemma|Corollary|Proposition|Definition|Remark|Example"
    r"|Assumption|Claim|Fact|Conjecture|Question|Problem|Exercise|Hypothesis|Condition|Axiom)"
    r"(?: [\d.]+)?[.:]?"
)
"""The first words of a block that pandoc adds, with a number of its own."""
NUMBERED = re.compile(r"\A[^\W\d_]+ \d+(?:\.\d+)*(?: \([^()]*\))?\.(?=\s\s)")
"""The same of an environment that the author has named."""
PROSE = re.compile(r"(?:\S+\s+){4}\S|.*[.!?…:;][\"”’»)]{0,2}\Z", re.DOTALL)
"""A paragraph of five words, or with the end of a sentence; less is a label, a link or a mark."""
CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
SAME = str.maketrans(
    {"‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "\u00a0": " ", "’": "'", "‘": "'"}
    | {"“": '"', "”": '"', "µ": "μ"}
    | dict.fromkeys("\u00ad\u200b\ufeff\u2060\u200e\u200f\ufe0e\ufe0f")
)


@dataclass
class Reading:
    """What a program reads of a file."""

    paragraphs: list[str] = field(default_factory=list)  # with headings
    other: list[str] = field(default_factory=list)  # tables, notes, and what is left out
    about: list[str] = field(default_factory=list)  # the title and the authors
    formulas: list[str] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)  # what stands for them; formulas as well


Judge = Callable[[Path, Path | None], Reading]


@dataclass(frozen=True)
class Row:
    """A format: its files, and the programs that judge.

    Of several judges, who read dialects of a format, the one counts that finds fewer differences:
    what only one of them reads is no fault.
    """

    name: str
    suffixes: tuple[str, ...]
    judges: tuple[Judge, ...]
    begins: bytes = b""  # what a file has that is a document, and no part of another one

    def is_whole(self, path: Path) -> bool:
        """Whether a file is a whole document; macros of a part are defined elsewhere."""
        return self.begins in path.read_bytes()


def _run(data: bytes, *command: str, folder: Path | None = None) -> bytes:
    done = subprocess.run(
        command, input=data, capture_output=True, timeout=SECONDS, check=True, cwd=folder
    )
    return done.stdout


def _as_utf_8(page: bytes) -> bytes:
    """A page in the encoding that pandoc expects, from the one that it declares."""
    declared = CHARSET.search(page[:4096])
    try:
        return page.decode(declared[1].decode() if declared else "utf-8").encode()
    except (UnicodeError, LookupError):
        return page


def _as_tree(kind: str, path: Path) -> bytes:
    """Pandoc's tree of a file. HTML in Markdown is read as such, and its front matter is none."""
    if kind == "html":
        page = FRONT_MATTER.sub(b"", NOT_SHOWN.sub(b"", path.read_bytes()))
        return _run(_as_utf_8(page), "pandoc", "--from", kind, "--to", "json")
    if kind == "rst":
        plain = path.read_bytes().replace(b"\r\n", b"\n").replace(b"\f", b"\n")
        return _run(without_sphinx(plain), "pandoc", "--from", kind, "--to", "json")
    if kind == "latex":
        packages = b"".join(one.read_bytes() for one in sorted(path.parent.glob("*.sty")))
        source = with_included(as_utf_8(path.read_bytes()), path.parent)
        source = readable(source, packages)
        return _run(source, "pandoc", "--from", kind, "--to", "json", folder=path.parent)
    if "mark" not in kind:
        return _run(b"", "pandoc", "--from", kind, "--to", "json", str(path))
    data = FRONT_MATTER.sub(b"", path.read_bytes())
    page = _run(data, "pandoc", "--from", kind, "--to", "html", "--mathml", "--wrap", "preserve")
    return _run(page, "pandoc", "--from", "html", "--to", "json")


def pandoc(kind: str) -> Judge:
    """Pandoc's reader of a format."""

    def judge(path: Path, cache: Path | None) -> Reading:
        name = hashlib.sha256(path.read_bytes()).hexdigest()[:32]
        kept = cache / f"{name}.{kind}.json" if cache else None
        if kept is None or not kept.exists():
            data = _as_tree(kind, path)
            if kept is not None:
                kept.write_bytes(data)
        else:
            data = kept.read_bytes()
        reading = Reading()
        tree = json.loads(data)
        for block in tree["blocks"]:
            _walk_block(block, reading, reading.paragraphs)
        for value in tree["meta"].values():
            _walk_meta(value, reading)
        if kind == "latex":
            unnumbered = (NUMBERED.sub("", one) for one in reading.paragraphs)
            reading.paragraphs = [SOURCE.sub(" ", one) for one in unnumbered]
        return reading

    return judge


def _walk_meta(value: Any, reading: Reading) -> None:
    """Add what the title, the authors and the like say, as no text."""
    kind, content = value["t"], value.get("c")
    if kind == "MetaInlines":
        reading.about.append(_inline(content, reading))
    elif kind == "MetaBlocks":
        for block in content:
            _walk_block(block, reading, reading.about)
    elif kind == "MetaList":
        for one in content:
            _walk_meta(one, reading)
    elif kind == "MetaString":
        reading.about.append(content)


def _walk_block(block: Any, reading: Reading, into: list[str]) -> None:
    """Add the paragraphs of a block of pandoc's tree."""
    kind, content = block["t"], block.get("c")
    if kind in ("Para", "Plain", "Header"):
        inlines = content[2] if kind == "Header" else content
        into.append(_inline(inlines, reading))
    elif kind == "LineBlock":
        into.extend(_inline(line, reading) for line in content)
    elif kind == "CodeBlock":
        reading.other.append(content[1])
    elif kind == "Div" and _is_added(content):
        return
    elif kind != "RawBlock":
        is_note = kind == "Div" and NOTES.search(json.dumps(content[0]))
        into = reading.other if kind == "Table" or is_note else into
        for inner in _blocks_in(content):
            _walk_block(inner, reading, into)


def _is_reference(inlines: Any) -> bool:
    """Whether a superscript is a link to a note, or the number of one in brackets."""
    return any(one["t"] == "Link" for one in inlines) or _inline(inlines, Reading())[:1] == "["


def _is_added(div: Any) -> bool:
    """Whether a division is the title that pandoc gives to a box."""
    return "title" in div[0][1] and len(div[1]) == 1


def _blocks_in(content: Any) -> Iterator[Any]:
    """The outermost blocks in what an element of the tree holds; terms of lists are such, too."""
    if isinstance(content, dict):
        if "t" in content:
            yield content
    elif isinstance(content, list):
        if content and _is_inline(content[0]):
            yield {"t": "Plain", "c": content}
            return
        for one in content:
            yield from _blocks_in(one)


INLINES = {"Str", "Emph", "Underline", "Strong", "Strikeout", "Superscript", "Subscript"}
INLINES |= {"SmallCaps", "Quoted", "Cite", "Code", "Space", "SoftBreak", "LineBreak", "Math"}
INLINES |= {"RawInline", "Link", "Image", "Note", "Span"}


def _is_inline(one: Any) -> bool:
    return isinstance(one, dict) and one.get("t") in INLINES


def _inline(inlines: Any, reading: Reading) -> str:
    return "".join(_words(one, reading) for one in inlines if isinstance(one, dict))


def _words(one: Any, reading: Reading) -> str:
    kind, content = one["t"], one.get("c")
    if kind == "Note":
        for block in content:
            _walk_block(block, reading, reading.other)
    if kind == "Math":
        reading.formulas.append(SINGLE.sub(r"\1 ", SPACING.sub(" ", content[1])))
        return FORMULA
    if kind == "Strikeout":
        reading.other.append(_inline(content, reading))
        return ""
    if kind == "Image":
        reading.pictures.append(_inline(content[1], Reading()))
    if kind in ("Emph", "Strong") and THEOREM.fullmatch(_inline(content, Reading())):
        return ""
    if kind in SPACES:
        return SPACES[kind]
    if kind in NOT_READ or kind == "RawInline":
        return ""
    if kind == "Superscript" and _is_reference(content):
        reading.other.append(_inline(content, reading))
        return ""
    if kind == "Span" and NOTES.search(json.dumps(content[0])):
        reading.other.append(_inline(content[1], reading))
        return ""
    if kind == "Span" and "math" in content[0][1]:
        reading.formulas.append(_inline(content[1], Reading()))  # that pandoc cannot convert
        return FORMULA
    if kind == "Span" and "acronym-label" in json.dumps(content[0]):
        return FORMULA  # the key of a term, and not the words that it stands for
    if kind in ("Span", "Link") and MARK.search(json.dumps(content[0])):
        return ""
    if kind == "Str":
        return content
    if kind == "Code":
        return content[1]
    inner = content if kind not in ("Span", "Link", "Quoted", "Cite") else content[1]
    text = _inline(inner, reading)
    if kind == "Quoted":
        return f"'{text}'" if content[0]["t"] == "SingleQuote" else f'"{text}"'
    scripts = {"Superscript": superscript, "Subscript": subscript}
    return scripts[kind](text) if kind in scripts else text


MARKDOWN = (pandoc("markdown-smart"), pandoc("commonmark_x-smart"))
ROWS = [
    Row("docx", (".docx", ".docm", ".dotx"), (pandoc("docx"),)),
    Row("epub", (".epub",), (pandoc("epub"),)),
    Row("odt", (".odt", ".ott"), (pandoc("odt"),)),
    Row("fb2", (".fb2",), (pandoc("fb2"),)),
    Row("html", (".html", ".htm", ".xhtml"), (pandoc("html"),)),
    Row("markdown", (".md", ".markdown"), MARKDOWN),
    Row("latex", (".tex", ".latex"), (pandoc("latex"),), rb"\documentclass"),
    Row("rst", (".rst",), (pandoc("rst"),)),
]


def judged(judges: Sequence[Judge], path: Path, cache: Path | None) -> list[Reading]:
    """What each judge reads of a file."""
    return [judge(path, cache) for judge in judges]


def ours(path: Path) -> list[Reading]:
    """What pagesum reads, and what it reports as left out."""
    reading = Reading()
    for document in read_file(str(path)):
        reading.other.append(document.title)
        for one in document.left_out:  # texts that are repeated are counted, and kept once
            times = math.ceil(one.words / max(1, len(one.text.split())))
            reading.other += [one.text] * max(1, times)
        for section in document.sections:
            reading.paragraphs.append(section.heading)
            for paragraph in section.paragraphs:
                reading.paragraphs.append(paragraph.text)
                reading.other += [paragraph.label, paragraph.speaker]
    return [reading]


def tokens(texts: Sequence[str]) -> list[str]:
    """The words of texts, without the punctuation around them, and one form of each sign."""
    text = unicodedata.normalize("NFC", "\n".join(texts).replace("ı\u0301", "í"))
    text = text.translate(SAME)
    apart = PERCENT.sub("%", DASH.sub(" ", text))
    stripped = (word.strip(EDGES) for word in apart.split())
    return [word for word in stripped if any(map(str.isalnum, word)) and FORMULA not in word]


def has_digit(word: str) -> bool:
    return any(unicodedata.category(sign) in ("Nd", "No") for sign in word)


def figures(texts: Sequence[str]) -> Counter[str]:
    """The figures of formulas, in which signs are written in many ways; scripts are apart."""
    apart = SCRIPT.sub(r" \g<0> ", " ".join(texts))
    plain = unicodedata.normalize("NFKC", apart)
    return Counter(re.findall(r"\d+(?:\.\d+)*", plain))


@dataclass
class Score:
    """What differs between two readings of a file, or of many."""

    numbers: Counter[str] = field(default_factory=Counter)
    lost: Counter[str] = field(default_factory=Counter)
    new: Counter[str] = field(default_factory=Counter)
    all_numbers: int = 0
    all_words: int = 0
    own_words: int = 0
    grams: int = 0
    kept: int = 0

    def add(self, other: "Score") -> None:
        """Add the differences of another file."""
        self.numbers += other.numbers
        self.lost += other.lost
        self.new += other.new
        for name in ("all_numbers", "all_words", "own_words", "grams", "kept"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def least(self, other: "Score") -> "Score":
        """What differs from both of two judges."""
        better = max(self, other, key=lambda one: one.kept / max(1, one.grams))
        found = {name: getattr(self, name) & getattr(other, name) for name in DIFFERENCES}
        return replace(better, **found)

    @property
    def figures(self) -> tuple[float, float, float, float]:
        """Numbers, lost and new words per 10,000; the share of 5-grams."""
        return (
            1e4 * self.numbers.total() / max(1, self.all_numbers),
            1e4 * self.lost.total() / max(1, self.all_words),
            1e4 * self.new.total() / max(1, self.own_words),
            self.kept / max(1, self.grams),
        )


def compared(judge: Reading, own: Reading) -> Score:
    """How our reading differs from the judge's."""
    theirs = tokens(judge.paragraphs)
    all_theirs = Counter(theirs) + Counter(tokens(judge.other + judge.about + judge.pictures))
    text = tokens(own.paragraphs)
    all_own = Counter(text) + Counter(tokens(own.other))
    missing = Counter(theirs) - all_own
    prose = Counter(tokens([one for one in judge.paragraphs if PROSE.match(one)]))
    in_formulas = figures(judge.formulas)
    of_text = figures([*judge.paragraphs, *judge.other])
    of_own = figures([*own.paragraphs, *own.other])
    score = Score()
    numbers = {word: n for word, n in missing.items() if has_digit(word)}
    score.numbers = Counter({w: n for w, n in numbers.items() if not REFERENCE.fullmatch(w)})
    score.numbers += in_formulas & ((in_formulas + of_text) - of_own)
    lost = {word: n for word, n in missing.items() if not has_digit(word)}
    score.lost = Counter(lost) & prose
    formula_words = Counter(re.findall(r"\w+", " ".join(judge.formulas)))
    extra = Counter(text) - all_theirs - formula_words
    score.new = Counter({word: n for word, n in extra.items() if word.isalpha() and len(word) > 1})
    score.all_numbers = sum(map(has_digit, theirs)) + in_formulas.total()
    score.all_words = len(theirs)
    score.own_words = len(text)
    grams = Counter(zip(*(theirs[n:] for n in range(GRAM)), strict=False))
    own_grams = Counter(zip(*(text[n:] for n in range(GRAM)), strict=False))
    score.grams, score.kept = grams.total(), (grams & own_grams).total()
    return score


def is_in_half(path: Path, half: str) -> bool:
    """Whether a file belongs to a half of all files."""
    is_first = hashlib.sha256(path.name.encode()).digest()[0] < 128
    return not half or (half == "first") == is_first


def show(path: Path, score: Score, count: int) -> None:
    """Print some differences of a file."""
    lists = {"numbers": score.numbers, "lost": score.lost, "new": score.new}
    if any(lists.values()):
        kept = f"{score.kept / score.grams:.2f}" if score.grams else "-"
        print(f"  {path.name} ({score.all_words} words, order {kept})")
    for name, words in lists.items():
        if words:
            some = " ".join(f"{word}×{n}" for word, n in islice(words.most_common(), count))
            print(f"    {name} {words.total()}: {some}")


def run(row: Row, paths: Sequence[Path], count: int, cache: Path | None) -> None:
    """Compare all files of a format and print its row."""
    total, read, only = Score(), 0, Counter[str]()
    for path in filter(row.is_whole, paths):
        readings: dict[str, list[Reading]] = {}
        judges = partial(judged, row.judges, cache=cache)
        for name, reader in (("judge", judges), ("pagesum", ours)):
            try:
                readings[name] = reader(path)
            except (PagesumError, subprocess.SubprocessError, ValueError) as error:
                reason = error
        if len(readings) == 1:
            name, (reading, *_) = next(iter(readings.items()))
            words = len(tokens(reading.paragraphs))
            only[name] += words > 0
            if count and words:
                print(f"  {path.name}: only {name} ({words} words): {str(reason)[-150:]}")
        if len(readings) == 2:
            read += 1
            own = readings["pagesum"][0]
            score = reduce(Score.least, (compared(one, own) for one in readings["judge"]))
            total.add(score)
            if count:
                show(path, score, count)
    numbers, lost, new, order = total.figures
    print(
        f"{row.name:9} {read:5} {only['judge']:4}/{only['pagesum']:<4} {total.all_words:9}"
        f"{numbers:9.1f} {lost:7.1f} {new:7.1f} {order:7.3f}"
    )


def main() -> None:
    """Compare the files of a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="*", default=[row.name for row in ROWS])
    parser.add_argument("--half", choices=("", "first", "second"), default="")
    parser.add_argument("--cache", type=Path, help="a folder that keeps what the judges read")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    files = sorted(path for path in options.folder.rglob("*") if path.is_file())
    print("format    files   only j/p     words  numbers    lost     new   order")
    for row in ROWS:
        paths = [
            path
            for path in files
            if path.suffix.lower() in row.suffixes and is_in_half(path, options.half)
        ]
        if row.name in options.only and paths:
            run(row, paths, options.show, options.cache)


if __name__ == "__main__":
    main()
