"""Mutates one file of each format, and what else is read, and counts what ends unexpectedly.

python tests/benchmarks/fuzz.py --count 300 --seed 0 [--only epub parquet …]

Files are read in this process, with the rule of the guard for what readers raise: `done`, `refused`
(a line for people), `damaged` (a line, because a reader or its library raised something else) and
`unexpected` (anything else, or a message of several lines).
"""

import argparse
import json
import random
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tests" / "fuzz"))
sys.path.append(str(ROOT / "tests" / "documents"))
sys.path.append(str(ROOT / "tests"))

import odt_files  # noqa: E402
from fuzzing import mutated  # noqa: E402
from pdf_writer import LINES, Sheet, write  # noqa: E402

from pagesum_cli.datasets.readers import records_of  # noqa: E402
from pagesum_cli.documents.guard.damage import naming_damage  # noqa: E402
from pagesum_cli.documents.pdf.marking import clipped, mark  # noqa: E402
from pagesum_cli.documents.read import read_file  # noqa: E402
from pagesum_cli.errors import PagesumError  # noqa: E402

PROSE = " ".join(LINES)
HTML = f"<html><head><title>Foxes</title></head><body><h1>Foxes</h1><p>{PROSE}</p></body></html>"
TEXTS = {
    "txt": f"Foxes\n\n{PROSE}\n\n{PROSE}\n",
    "md": f"# Foxes\n\n{PROSE}\n\n- one\n- two\n\n> {PROSE}\n",
    "html": HTML,
    "tex": f"\\documentclass{{article}}\\begin{{document}}\\section{{A}}{PROSE}\\end{{document}}",
    "eml": f"From: a@b.c\nTo: d@e.f\nSubject: Foxes\nMIME-Version: 1.0\n\n{PROSE}\n",
    "srt": f"1\n00:00:01,000 --> 00:00:09,000\nANNA: {PROSE}\n",
    "vtt": f"WEBVTT\n\n00:01.000 --> 00:09.000\n{PROSE}\n",
    "fb2": f"<FictionBook><body><section><title><p>Foxes</p></title><p>{PROSE}</p></section></body>"
    "</FictionBook>",
    "jsonl": json.dumps({"id": "1", "text": PROSE, "summary": "Foxes."}) + "\n",
}

Attack = Callable[[random.Random, Path], None]


@cache
def epub() -> bytes:
    """A book of one chapter."""
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>"
    )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Foxes</dc:title></metadata>'
        '<manifest><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c"/></spine></package>'
    )
    chapter = HTML.replace("<html>", '<html xmlns="http://www.w3.org/1999/xhtml">')
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "a.opf": package,
        "c.xhtml": chapter,
    }
    return _zipped({name: text.encode() for name, text in parts.items()})


@cache
def docx() -> bytes:
    """A Word document with a heading and a list."""
    from docx import Document

    document, content = Document(), BytesIO()
    document.add_heading("Foxes", 1)
    document.add_paragraph(PROSE)
    document.add_paragraph("One thing.", style="List Bullet")
    document.save(content)
    return content.getvalue()


@cache
def odt() -> bytes:
    """An OpenDocument text with a heading, a list, a table and a formula."""
    paragraph = f"<text:p text:style-name='P'>{PROSE}</text:p>"
    rows = f"<table:table-row><table:table-cell>{paragraph}</table:table-cell></table:table-row>"
    frame = "<draw:frame><draw:object xlink:href='./Object 1'/></draw:frame>"
    text = (
        f"<text:h text:outline-level='1'>Foxes</text:h>{paragraph}<text:list text:style-name='L'>"
        f"<text:list-item>{paragraph}</text:list-item></text:list><text:p>{frame}</text:p>"
        f"<table:table>{rows}</table:table>"
    )
    level = "<text:list-level-style-number text:level='1' style:num-format='1'/>"
    styles = odt_files.style("P", "fo:font-size='12pt' fo:color='#000000'", "paragraph")
    styles += f"<text:list-style style:name='L'>{level}</text:list-style>"
    math = "<math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi></math>"
    return odt_files.saved(text, styles, files={"Object 1/content.xml": math})


@cache
def pdf() -> bytes:
    """A page with a heading and two paragraphs."""
    sheet = Sheet()
    sheet.text(72, 720, "Foxes", 16, "F2")
    sheet.lines(72, 690, LINES * 2)
    return write([sheet])


@cache
def parquet() -> bytes:
    """A table of records."""
    from pyarrow import BufferOutputStream, Table
    from pyarrow.parquet import write_table

    rows = [{"id": str(n), "text": f"{PROSE} {n}", "summary": "Foxes."} for n in range(20)]
    stream = BufferOutputStream()
    write_table(Table.from_pylist(rows), stream, compression="gzip")
    content: bytes = stream.getvalue().to_pybytes()
    return content


def _zipped(parts: dict[str, bytes]) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return content.getvalue()


def _changed(random: random.Random, data: bytes) -> bytes:
    """A mutated file; of an archive, half of the time a mutated part."""
    if not data.startswith(b"PK") or random.random() < 0.5:
        return mutated(random, data)
    with zipfile.ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = random.choice(sorted(parts))
    parts[name] = mutated(random, parts[name])
    return _zipped(parts)


def _reading(suffix: str, make: Callable[[], bytes]) -> Attack:
    def attack(random: random.Random, folder: Path) -> None:
        path = folder / f"a.{suffix}"
        path.write_bytes(_changed(random, make()))
        with naming_damage(str(path)):
            read_file(str(path))

    return attack


def _records(random: random.Random, folder: Path) -> None:
    path = folder / "a.parquet"
    path.write_bytes(mutated(random, parquet()))
    with naming_damage(str(path)):
        list(records_of(str(path), "test", "sentences", "", lambda line: None, None))


def _marks(random: random.Random, folder: Path) -> None:
    path, box = folder / "a.pdf", (72.0, 688.0, 200.0, 700.0)
    path.write_bytes(mutated(random, pdf()))
    with naming_damage(str(path)):
        list(clipped(str(path), [(1, box, "Foxes live")]))
        list(mark(str(path), str(folder / "b.pdf"), [("1. Foxes live", [(1, *box)])]))


def _cache(random: random.Random, folder: Path) -> None:
    import numpy as np

    from pagesum_cli.training.data import checked_array, write_array

    path, array = folder / "a.npy", np.arange(200, dtype=np.float16)
    write_array(path, array)
    before = path.read_bytes()
    path.write_bytes(mutated(random, before))
    found = checked_array(path)
    if found is not None and path.read_bytes() != before:
        raise AssertionError("a damaged array is taken for an intact one")


def _mcp(random: random.Random, folder: Path) -> None:
    from pagesum_cli.options import ModelOptions
    from pagesum_cli.server.folders import Folders
    from pagesum_cli.server.tools import Tools

    (folder / "a.txt").write_text(TEXTS["txt"])
    folders = Folders([str(folder)])
    tools = Tools(folders, ModelOptions(), lambda: None)
    signs = ["", "?", "\x07", "\u200b", "fox", "¿", "the", "\ufffd", "1", "[a, p. 1]", "\n", "😀"]
    text = "".join(random.choices(signs, k=random.randrange(4)))
    calls = (
        lambda: tools.find(text),
        lambda: tools.check(text),
        lambda: tools.read(text or "a.txt", section=random.choice((None, -1, 0, 7))),
        lambda: tools.map(text),
    )
    json.dumps(random.choice(calls)(), ensure_ascii=False).encode()


ATTACKS: dict[str, Attack] = {
    **{kind: _reading(kind, text.encode) for kind, text in TEXTS.items()},
    "epub": _reading("epub", epub),
    "docx": _reading("docx", docx),
    "odt": _reading("odt", odt),
    "fodt": _reading("fodt", lambda: odt_files.flat(odt())),
    "fb2.zip": _reading("fb2.zip", lambda: _zipped({"a.fb2": TEXTS["fb2"].encode()})),
    "pdf": _reading("pdf", pdf),
    "parquet": _records,
    "marks": _marks,
    "cache": _cache,
    "mcp": _mcp,
}


def outcomes(kind: str, seed: int, numbers: Sequence[int]) -> Iterator[tuple[int, str, str]]:
    """The number of each input, what became of it, and what was said."""
    for number in numbers:
        with tempfile.TemporaryDirectory() as folder, redirect_stderr(StringIO()):
            try:
                ATTACKS[kind](random.Random(f"{seed} {kind} {number}"), Path(folder))
                result, said = "done", ""
            except PagesumError as error:
                result, said = "refused", error.message
                if "found a damaged one (" in said:
                    result = "damaged"
                if "\n" in said or "unexpected" in said:
                    result = "unexpected"
            except Exception as error:
                result, said = "unexpected", f"{type(error).__name__}: {error}"
        yield number, result, said


def main() -> None:
    """Print a line for each unexpected error, and a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--only", nargs="*", choices=sorted(ATTACKS), default=sorted(ATTACKS))
    parser.add_argument("--show", default="unexpected", help="which results are printed")
    asked = parser.parse_args()
    total = 0
    for kind in asked.only:
        counts: Counter[str] = Counter()
        for number, result, said in outcomes(kind, asked.seed, range(asked.count)):
            counts[result] += 1
            if result == asked.show:
                print(f"{kind} {number}: {said}", flush=True)
        total += counts["unexpected"]
        shown = ", ".join(
            f"{counts[one]} {one}" for one in ("done", "refused", "damaged", "unexpected")
        )
        print(f"{kind:8} {shown}", flush=True)
    sys.exit(total > 0)


if __name__ == "__main__":
    main()
