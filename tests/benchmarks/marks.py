"""How many quotes are exactly the text under their boxes, by poppler: ``python
tests/benchmarks/marks.py FOLDER``.

A number of sentences of each PDF, evenly spread, are located as quotes are. Each box is read by
``pdftotext``, and the letters and digits of all boxes of a quote are compared with its own; where
they differ, those of the page as poppler draws it (``pdftocairo``), which is without text that is
clipped away. A character that poppler cannot name stands for up to three letters. ``--turn 90`` and
``--crop 40`` first turn the pages and cut that many points off their left and lower edges.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path
from unicodedata import normalize

from pypdf import PdfReader, PdfWriter
from pypdf.generic import RectangleObject

from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.errors import PagesumError
from pagesum_cli.summary.attribution import with_places
from pagesum_cli.summary.summary import PageShare, Source, SummarySentence

UNIT = 20  # pixels of pdftotext in a point
EDGE = 0.25  # points that are added to a box on all sides


def letters(text):
    return "".join(filter(str.isalnum, normalize("NFKC", text)))


def are_same(found, text):
    """Whether the text under boxes is a quote; of what poppler cannot name, only the length
    counts.
    """
    pieces = re.split("[\ue000-\uf8ff\ufffd\x01-\x08]", found)
    pattern = r"\w{0,3}".join(re.escape(letters(piece)) for piece in pieces)
    return re.fullmatch(pattern, letters(text)) is not None


def drawn(path, number, folder):
    """A copy of one page that has only what is seen of it."""
    copy = Path(folder) / f"{path.stem}-{number}.pdf"
    if not copy.exists():
        subprocess.run(
            ["pdftocairo", "-pdf", "-f", str(number), "-l", str(number), path, copy], check=True
        )
    return copy


def changed(path, folder, turn, crop):
    """A copy with turned and cropped pages."""
    writer = PdfWriter(clone_from=path)
    for page in writer.pages:
        page.rotation = page.rotation + turn
        left, bottom, right, top = map(float, page.cropbox)
        page.cropbox = RectangleObject((left + crop, bottom + crop, right, top))
    target = Path(folder) / path.name
    writer.write(target)
    return target


def under(path, number, page, box):
    """The text in a box of a page: pdftotext counts from the upper left of the media box as it is
    shown.
    """
    left, bottom, right, top = page.mediabox
    width, height = float(right - left), float(top - bottom)
    across, up = (
        float(max(one - other, 0))
        for one, other in zip(page.cropbox[:2], (left, bottom), strict=True)
    )
    x0, y0, x1, y1 = (
        box.x0 + across - EDGE,
        box.y0 + up - EDGE,
        box.x1 + across + EDGE,
        box.y1 + up + EDGE,
    )
    shown = {
        0: (x0, height - y1, x1, height - y0),
        90: (y0, x0, y1, x1),
        180: (width - x1, y0, width - x0, y1),
        270: (height - y1, width - x1, height - y0, width - x0),
    }[page.rotation % 360]
    a, b, c, d = (round(value * UNIT) for value in shown)
    area = ["-x", a, "-y", b, "-W", c - a, "-H", d - b]
    pages = ["-f", number, "-l", number, "-r", 72 * UNIT]
    command = ["pdftotext", "-raw", *map(str, [*pages, *area]), str(path), "-"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def quotes_of(path, count):
    document = read_file(str(path))[0]
    found = [
        one for one in all_sentences(document) if not one.is_heading and len(letters(one.text)) > 20
    ]
    chosen = found[:: max(1, len(found) // count)][:count]
    sources = [Source(0, 0, document.name, "", one.pdf_pages, one.start, one.end) for one in chosen]
    sentences = [
        SummarySentence(one.text, (PageShare(0, 1.0),), source)
        for one, source in zip(chosen, sources, strict=True)
    ]
    return with_places(sentences, [document])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--quotes", type=int, default=10, help="of each file")
    parser.add_argument("--turn", type=int, default=0)
    parser.add_argument("--crop", type=float, default=0.0)
    parser.add_argument("--show", action="store_true", help="those that differ")
    given = parser.parse_args()
    right = whole = alike = total = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(given.folder.glob("*.pdf")):
            if given.turn or given.crop:
                path = changed(path, folder, given.turn, given.crop)
            try:
                quotes = quotes_of(path, given.quotes)
            except PagesumError as error:
                print(error)
                continue
            pages = PdfReader(path).pages
            for quote in quotes:
                boxes = [(box.pdf_page, pages[box.pdf_page - 1], box) for box in quote.source.boxes]
                text = "".join(under(path, *box) for box in boxes)
                whole += are_same(text, quote.text)
                if not are_same(text, quote.text):
                    text = "".join(
                        under(drawn(path, number, folder), 1, page, box)
                        for number, page, box in boxes
                    )
                right += are_same(text, quote.text)
                alike += sorted(letters(text)) == sorted(letters(quote.text))
                total += 1
                if given.show and not are_same(text, quote.text):
                    print(path.name, repr(quote.text), repr(text), sep="\n  ", flush=True)
    print(
        f"{right} of {total} quotes ({100 * right / total:.1f} %) are the text that is seen "
        f"under their boxes"
    )
    print(
        f"{whole} ({100 * whole / total:.1f} %) are all of the text under them, also what is "
        f"clipped away"
    )
    print(
        f"{alike} ({100 * alike / total:.1f} %) but for the order in which poppler gives raised "
        f"and lowered signs"
    )


if __name__ == "__main__":
    main()
