"""How many quotes are exactly the text under their boxes, by poppler: ``python tests/benchmarks/marks.py FOLDER``.

A number of sentences of each PDF, evenly spread, are located as quotes are. Each box is read by ``pdftotext``, and the
letters and digits of all boxes of a quote are compared with its own. ``--turn 90`` and ``--crop 40`` first turn the
pages and cut that many points off their left and lower edges.
"""

import argparse
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
EDGE = 0.5  # points that are added to a box on all sides


def letters(text):
    return "".join(filter(str.isalnum, normalize("NFKC", text)))


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


def under(path, page, box):
    """The text in a box: pdftotext counts from the upper left of the media box as it is shown."""
    left, bottom, right, top = page.mediabox
    width, height = float(right - left), float(top - bottom)
    across, up = (float(max(one - other, 0)) for one, other in zip(page.cropbox[:2], (left, bottom), strict=True))
    x0, y0, x1, y1 = box.x0 + across - EDGE, box.y0 + up - EDGE, box.x1 + across + EDGE, box.y1 + up + EDGE
    shown = {
        0: (x0, height - y1, x1, height - y0),
        90: (y0, x0, y1, x1),
        180: (width - x1, y0, width - x0, y1),
        270: (height - y1, width - x1, height - y0, width - x0),
    }[page.rotation % 360]
    a, b, c, d = (round(value * UNIT) for value in shown)
    area = ["-x", a, "-y", b, "-W", c - a, "-H", d - b]
    pages = ["-f", box.pdf_page, "-l", box.pdf_page, "-r", 72 * UNIT]
    command = ["pdftotext", "-raw", *map(str, [*pages, *area]), str(path), "-"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def quotes_of(path, count):
    document = read_file(str(path))[0]
    found = [one for one in all_sentences(document) if not one.is_heading and len(letters(one.text)) > 20]
    chosen = found[:: max(1, len(found) // count)][:count]
    sources = [Source(0, 0, document.name, "", one.pdf_pages, one.start, one.end) for one in chosen]
    sentences = [
        SummarySentence(one.text, (PageShare(0, 1.0),), source) for one, source in zip(chosen, sources, strict=True)
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
    right = alike = total = 0
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
                texts = [under(path, pages[box.pdf_page - 1], box) for box in quote.source.boxes]
                is_right = letters("".join(texts)) == letters(quote.text)
                right += is_right
                alike += sorted(letters("".join(texts))) == sorted(letters(quote.text))
                total += 1
                if given.show and not is_right:
                    print(path.name, repr(quote.text), repr("".join(texts)), sep="\n  ", flush=True)
    print(f"{right} of {total} quotes ({100 * right / total:.1f} %) are the text under their boxes")
    print(f"{alike} ({100 * alike / total:.1f} %) but for the order in which poppler gives raised and lowered signs")


if __name__ == "__main__":
    main()
