"""Makes the example book: ten years of reports of one Federal Reserve district as an EPUB 3.

    python docs/examples/make_book.py docs/examples/book.epub beige_book.jsonl.xz …

The records are JSON Lines, ``{"id": "beige-2007-03", "documents": [{"name": "Boston", "text": "…"},
…]}``: an issue of the Beige Book and its district reports. A year is a chapter, a report a section,
a topic a section of the report. In the records a report is one line: its topics are found by their
names, and long texts are parted between sentences. Equal records give equal files.
"""

import calendar
import json
import lzma
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

DISTRICT, FIRST_YEAR, LAST_YEAR = "Boston", 2007, 2016
TITLE = f"{DISTRICT}, {FIRST_YEAR}–{LAST_YEAR}: Ten Years of the Beige Book"
MONTHS = calendar.month_name
TOPICS = (
    "Retail and Tourism|Retail|Manufacturing and Related Services|Selected Business "
    "Services|Staffing Services|"
    "Software and Information Technology Services|Software and IT Services|Commercial Real Estate|"
    "Residential Real Estate"
)
TOPIC = re.compile(rf"(?<=[.?!”\")]) ({TOPICS}) (?=[A-Z])")
PARAGRAPH_WORDS = 120
SENTENCE_END = re.compile(r"(?<=[a-z0-9]{2}\.) (?=[A-Z])")

CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles>\
<rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">urn:pagesum:example:{identity}</dc:identifier>
<dc:title>{title}</dc:title>
<dc:creator>Federal Reserve Bank of {district}</dc:creator>
<dc:language>en</dc:language>
<dc:rights>A work of the US government, in the public domain.</dc:rights>
<meta property="dcterms:modified">{year}-12-31T00:00:00Z</meta>
</metadata>
<manifest>
<item id="nav" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="title" href="title.xhtml" media-type="application/xhtml+xml"/>
{items}
</manifest>
<spine><itemref idref="title"/><itemref idref="nav"/>{references}</spine>
</package>
"""
PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" xml:lang="en">
<head><title>{title}</title></head>
<body>
{body}
</body>
</html>
"""


def reports(records: Iterable[str]) -> dict[int, dict[int, str]]:
    """The district's reports by year and month."""
    found: dict[int, dict[int, str]] = {}
    for path in records:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for record in map(json.loads, file):
                _, year, month = record["id"].split("-")
                for one in record["documents"]:
                    if one["name"] == DISTRICT and FIRST_YEAR <= int(year) <= LAST_YEAR:
                        found.setdefault(int(year), {})[int(month)] = one["text"]
    return {year: dict(sorted(months.items())) for year, months in sorted(found.items())}


def paragraphs(text: str) -> Iterator[str]:
    """A text in paragraphs of some sentences."""
    sentences: list[str] = []
    for sentence in SENTENCE_END.split(text):
        sentences.append(sentence)
        if sum(len(one.split()) for one in sentences) >= PARAGRAPH_WORDS:
            yield " ".join(sentences)
            sentences = []
    if sentences:
        yield " ".join(sentences)


def chapter(year: int, months: dict[int, str]) -> str:
    """A year as XHTML."""
    parts = [f"<h1>{year}</h1>"]
    for month, text in months.items():
        opening, *rest = TOPIC.split(text)
        parts.append(f'<h2 id="m{month}">{MONTHS[month]} {year}</h2>')
        parts += [f"<p>{escape(one)}</p>" for one in paragraphs(opening)]
        for topic, body in zip(rest[::2], rest[1::2], strict=True):
            parts.append(f"<h3>{topic}</h3>")
            parts += [f"<p>{escape(one)}</p>" for one in paragraphs(body)]
    return PAGE.format(title=year, body="\n".join(parts))


def contents(years: dict[int, dict[int, str]]) -> str:
    """The contents page."""
    rows = []
    for year, months in years.items():
        links = "".join(
            f'<li><a href="{year}.xhtml#m{month}">{MONTHS[month]} {year}</a></li>'
            for month in months
        )
        rows.append(f'<li><a href="{year}.xhtml">{year}</a><ol>{links}</ol></li>')
    body = f'<nav epub:type="toc"><h1>Contents</h1><ol>{"".join(rows)}</ol></nav>'
    return PAGE.format(title="Contents", body=body)


def make(path: str | Path, records: Iterable[str]) -> None:
    """Write the book."""
    years = reports(records)
    title = (
        f'<section epub:type="titlepage"><h1>{TITLE}</h1><p>Reports of the Federal Reserve Bank '
        f"of {DISTRICT}.</p>"
        "<p>A work of the US government, in the public domain.</p></section>"
    )
    items = "\n".join(
        f'<item id="y{y}" href="{y}.xhtml" media-type="application/xhtml+xml"/>' for y in years
    )
    package = PACKAGE.format(
        identity=f"{DISTRICT.lower()}-{FIRST_YEAR}-{LAST_YEAR}",
        title=TITLE,
        district=DISTRICT,
        year=LAST_YEAR,
        items=items,
        references="".join(f'<itemref idref="y{year}"/>' for year in years),
    )
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": CONTAINER,
        "OPS/book.opf": package,
        "OPS/contents.xhtml": contents(years),
        "OPS/title.xhtml": PAGE.format(title=TITLE, body=title),
        **{f"OPS/{year}.xhtml": chapter(year, months) for year, months in years.items()},
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, content.encode(), compresslevel=9)


if __name__ == "__main__":
    make(sys.argv[1], sys.argv[2:])
