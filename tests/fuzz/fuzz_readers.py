"""Fuzzes the readers of text, Markdown, HTML, LaTeX, EPUB, Word documents and PDF, and how what
they read is divided.

python tests/fuzz/fuzz_readers.py --seed 0 --count 1000
"""

import json
import random
import zipfile
import zlib
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path

from fuzzing import main, mutated, pumped

from pagesum_cli.batch.cutting import cut_for
from pagesum_cli.documents.guard import reading as guarded
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.read import read_file
from pagesum_cli.options import LOCALITIES, PagingOptions
from pagesum_cli.views.pages import pages_json, pages_view
from pagesum_cli.views.plain import unstyled

ROOT = Path(__file__).parents[2]
ENCODINGS = (
    "utf-8",
    "utf-8",
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "latin-1",
    "cp1252",
    "gb18030",
    "shift_jis",
    "utf-32",
)
CHARACTERS = (
    *"aA1 \t\n.,;:!?-–—_*`#>|<>[]()\"'“”’/\\$&%@=+~^",
    *(
        "\n\n",
        "\r\n",
        "\f",
        "\x00",
        "\x1b[31m",
        "\x1b]0;",
        "\u200b",
        "\u202e",
        "\ufeff",
        "\u2028",
        "é",
        "e\u0301",
    ),
    *(
        "漢字",
        "。",
        "ا",
        "ß",
        "İ",
        "😀",
        "\U000e0001",
        "\u0300" * 40,
        "١",
        "²",
        "½",
        "十一、",
        "\ud7ff",
        "\uffff",
    ),
)
WORDS = (
    *(
        "The ",
        "et al. ",
        "e.g. ",
        "U.S. ",
        "1,000 - ",
        "1. ",
        "1.1 Methods\n",
        "Abstract\n",
        "References\n",
        "[1] ",
    ),
    *(
        "INTRODUCTION\n\n",
        "Figure 1. ",
        "...",
        ". . ",
        "www.x.org ",
        "a@b.c ",
        "10.1000/x ",
        "Smith, J. ",
        "p. 3 ",
    ),
    *(
        "CHAPTER I.\n\n",
        "Chapter 2: The ",
        "BOOK THE FIRST\n\n",
        "CONTENTS\n\n",
        "II\n\n",
        "\n  I. The end     12\n",
    ),
    *("=====\n", "\n-----\n", "\n\n- ", "\n    ", "A.B.C. ", "6. 7 per cent ", "(a) ", "x" * 50),
)
MARKDOWN = (
    *(
        "# ",
        "## ",
        "###### ",
        "> ",
        "- ",
        "* ",
        "1. ",
        "```\n",
        "~~~",
        "|a",
        "|-",
        "|\n",
        "![",
        "](",
        "[a]: b\n",
        "[a]",
    ),
    *(
        "**",
        "__",
        "`",
        "$",
        "$$",
        "<",
        "<!--",
        "-->",
        "<a href='",
        "&amp;",
        "&#x110000;",
        "\\",
        "---\n",
        "    ",
        "\t",
    ),
    *("a", " ", "\n", "\n\n", "<div>", "</div>", "<http://a>", "*a _b "),
)
HTML = (
    *(
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<table>",
        "<tr>",
        "<td colspan=1000000>",
        "<h1>",
        "</h1>",
        "<h6>",
        "<b>",
        "<i>",
    ),
    *(
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?xml version='1.0'?>",
        "<!DOCTYPE html>",
        "<nav>",
    ),
    *(
        "<main>",
        "<article>",
        "<svg>",
        "<math>",
        "<template>",
        "<br>",
        "<li>",
        "<ol start=-1>",
        "<span class='nav toc'>",
    ),
    *(
        "&nbsp;",
        "&#0;",
        "&#xd800;",
        "&lt",
        "a ",
        "The end. ",
        '<meta charset="',
        "undefined",
        "utf-7",
        '">',
        "<a x='",
    ),
    *(
        "<title>",
        "</title>",
        "<head>",
        "<body>",
        "<select>",
        "<option>",
        "<frameset>",
        "<plaintext>",
        "<style>",
    ),
)
LATEX = (
    *(
        "\\section{",
        "\\chapter*{",
        "\\begin{",
        "\\end{",
        "document}",
        "abstract}",
        "figure}",
        "equation}",
        "verbatim}",
    ),
    *(
        "\\newcommand{\\x}",
        "\\newcommand\\y[2][a]{",
        "\\def\\x#1{",
        "\\let\\x\\y",
        "\\x",
        "\\y[b]{",
        "#1",
        "#2#2",
        "\\z",
    ),
    *(
        "\\newif\\ifa",
        "\\atrue",
        "\\ifa ",
        "\\ifx\\x\\y",
        "\\ifnum1<2 ",
        "\\iffalse",
        "\\else ",
        "\\fi",
        "\\iff",
    ),
    *(
        "\\verb|",
        "\\verb",
        "|",
        "\\string\\x",
        "\\MakeShortVerb{\\|}",
        "\\lstinline[a]!",
        "\\char`\\",
        "\\cmd{",
        "\\input x",
    ),
    *(
        "\\SI[",
        "\\SIrange{1}{2}{\\kilo\\metre\\per",
        "\\href{http://a}{",
        "\\footnote{",
        "\\caption{",
        "\\cite[p.~5]{a}",
    ),
    *(
        "\\newenvironment{e}[1]{",
        "e}{",
        "\\item[",
        "\\ref{a}",
        "\\label{a}",
        "\\title{",
        "\\author{",
        "\\input{",
        "\\csname",
    ),
    *(
        "{",
        "}",
        "[",
        "]",
        "$",
        "$$",
        "\\[",
        "\\]",
        "%",
        "% a\n",
        "&",
        "~",
        "\\\\",
        "\n\n",
        "a ",
        "The end. ",
        "\ufdd0",
        "\\'e",
    ),
)
OPERATORS = (
    *(
        b"BT ",
        b"ET ",
        b"q ",
        b"Q ",
        b"cm ",
        b"Tm ",
        b"Td ",
        b"TD ",
        b"T* ",
        b"Tc ",
        b"Tw ",
        b"Tz ",
        b"TL ",
        b"Ts ",
    ),
    *(
        b"Tf ",
        b"Tj ",
        b"TJ ",
        b"' ",
        b'" ',
        b"Do ",
        b"gs ",
        b"BI ",
        b"ID ",
        b"EI ",
        b"/F1 ",
        b"/F2 ",
        b"/X1 ",
        b"(a) ",
    ),
    *(
        b"(",
        b")",
        b"<41>",
        b"<",
        b"[",
        b"]",
        b"<<",
        b">>",
        b"1 ",
        b"0 ",
        b"-1 ",
        b"10 20 m\n",
        b"1e20 ",
        b"9" * 40,
    ),
    *(
        b"1 0 0 1 72 700 ",
        b"\\",
        b"%",
        b"\r",
        b"12 TL (The end.) ' ",
        b"/F1 10 Tf ",
        b"0 0 0 0 0 0 ",
    ),
)
OBJECTS = (
    *(
        b"obj",
        b"endobj",
        b"stream\n",
        b"endstream",
        b"<<",
        b">>",
        b"[",
        b"]",
        b"/Type",
        b"/Page",
        b"/Pages",
        b"/Kids",
    ),
    *(
        b"/Count",
        b"/Parent 1 0 R",
        b"1 0 R",
        b"2 0 R",
        b"3 0 R",
        b"4 0 R",
        b"99 0 R",
        b"null",
        b"true",
        b"/Length",
    ),
    *(
        b"/Filter /FlateDecode",
        b"/Filter /LZWDecode",
        b"/Filter /ASCII85Decode",
        b"/Filter /RunLengthDecode",
    ),
    *(
        b"/Contents",
        b"/Resources",
        b"/MediaBox [0 0 0 0]",
        b"/MediaBox [1e9 -1e9 1e20 1]",
        b"/Rotate 90",
        b"/XObject",
    ),
    *(
        b"/Font",
        b"/Encoding",
        b"/ToUnicode",
        b"/Widths",
        b"/FirstChar -5",
        b"/LastChar 99999999",
        b"/Differences",
    ),
    *(
        b"/Outlines",
        b"/First",
        b"/Next",
        b"xref\n",
        b"trailer",
        b"startxref\n",
        b"%%EOF",
        b"/Prev",
        b"/XRef",
        b"/ObjStm",
    ),
)


def use(path: Path, locality: str, read: Callable[[str], list[Document]] = read_file) -> None:
    """What ``pagesum pages`` does, in both of its formats."""
    documents = read(str(path))
    cuts = cut_for("mini", documents, PagingOptions(locality=locality))
    json.dumps(pages_json(documents, cuts), ensure_ascii=False).encode()
    unstyled(pages_view(documents, cuts))


def _use(
    random: random.Random,
    folder: Path,
    suffix: str,
    data: bytes,
    read: Callable[[str], list[Document]] = read_file,
) -> None:
    path = folder / f"input{suffix}"
    path.write_bytes(data[:1_000_000])
    use(path, random.choice(LOCALITIES), read)


def _size(random: random.Random) -> int:
    """Mostly small, sometimes up to a megabyte."""
    return int(10 ** random.uniform(1, 6 if random.random() < 0.04 else 4.3))


@cache
def _files(pattern: str) -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(ROOT.glob(pattern)))


def _text(parts: tuple[str, ...], suffix: str, seeds: str) -> Callable[[random.Random, Path], None]:
    def attack(random: random.Random, folder: Path) -> None:
        if random.random() < 0.5:
            data = pumped(random, parts, _size(random)).encode(random.choice(ENCODINGS), "replace")
        elif random.random() < 0.5:
            data = "".join(random.choices(parts, k=_size(random) // 4 + 1)).encode(
                random.choice(ENCODINGS), "replace"
            )
        else:
            data = random.choice(_files(seeds))
            data = mutated(random, data, _files(seeds), [part.encode() for part in parts])
        _use(random, folder, suffix, data)

    return attack


def _html_seed(random: random.Random, folder: Path) -> None:
    from markdown_it import MarkdownIt

    page = MarkdownIt().render(random.choice(_files("docs/*.md")).decode()).encode()
    page = (
        b'<html><head><meta charset="utf-8"><title>A</title></head><body>'
        + page
        + b"</body></html>"
    )
    _use(
        random,
        folder,
        random.choice((".html", "")),
        mutated(random, page, [page], [part.encode() for part in HTML]),
    )


def pdf(objects: list[bytes], *, version: bytes = b"1.7") -> bytes:
    """The PDF of these objects, the first of which is the catalog, with a right cross-reference
    table.
    """
    data, places = b"%PDF-" + version + b"\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"trailer\n<</Size %d /Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        len(data),
    )
    return data + b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + table + end


def stream(data: bytes, more: bytes = b"", packed: bool = False) -> bytes:
    """A stream object."""
    if packed:
        data, more = zlib.compress(data, 9), more + b"/Filter /FlateDecode"
    return b"<<%b /Length %d>>\nstream\n%b\nendstream" % (more, len(data), data)


def sheets(
    contents: list[bytes],
    *,
    font: bytes = b"/Encoding /WinAnsiEncoding",
    page: bytes = b"/MediaBox [0 0 612 792]",
    packed: bool = False,
    extra: tuple[bytes, ...] = (),
) -> bytes:
    """A PDF with a page for each content stream; forms are objects 4 and 5, what is extra comes
    from 6 on.
    """
    form = stream(
        b"BT /F1 9 Tf 72 50 Td (In a form.) Tj ET /X1 Do", b"/Type /XObject /Subtype /Form"
    )
    fixed = [
        b"<</Type /Font /Subtype /Type1 /BaseFont /Times-Roman %b>>" % font,
        form,
        form,
        *extra,
    ]
    first = 3 + len(fixed)
    kids = b" ".join(b"%d 0 R" % (first + 2 * place) for place in range(len(contents)))
    resources = b"/Resources <</Font <</F1 3 0 R /F2 3 0 R>> /XObject <</X1 4 0 R /X2 5 0 R>>>>"
    objects = [
        b"<</Type /Catalog /Pages 2 0 R>>",
        b"<</Type /Pages /Kids [%b] /Count %d>>" % (kids, len(contents)),
    ]
    objects += fixed
    for place, content in enumerate(contents):
        objects.append(
            b"<</Type /Page /Parent 2 0 R %b %b /Contents %d 0 R>>"
            % (page, resources, first + 2 * place + 1)
        )
        objects.append(stream(content, packed=packed))
    return pdf(objects)


def _lines(random: random.Random, count: int) -> bytes:
    """The operators of a page of lines at random places, in columns, sizes and fonts."""
    words = (
        "1",
        "2.1",
        "Methods",
        "The",
        "results",
        "Figure 3.",
        "Abstract",
        "References",
        "12",
        "are",
        "shown.",
        "-",
    )
    out = []
    for number in range(count):
        x, y = (
            random.choice((72, 300, 72.5, 0, -50, 1e4)),
            780 - 12 * (number % 65) + random.choice((0, 0, 0.4, -3)),
        )
        text = " ".join(random.choices(words, k=random.choice((1, 2, 8, 12))))
        out.append(
            f"/F{random.choice('12')} {random.choice((10, 10, 10, 14, 0.1, 700))} Tf 1 0 0 "
            f"1 {x} {y} Tm ({text}) Tj"
        )
    return ("BT " + "\n".join(out) + " ET").encode()


def _pdf_operators(random: random.Random, folder: Path) -> None:
    """Pages of random, repeated or changed operators."""
    contents = []
    for _ in range(random.choice((1, 1, 2, 5, 40))):
        content = _lines(random, random.choice((1, 10, 60, 300)))
        if random.random() < 0.5:
            unit = b"".join(random.choices(OPERATORS, k=random.choice((1, 2, 4, 8, 30))))
            content += unit * (_size(random) // len(unit) + 1)
        contents.append(
            mutated(random, content, [content], OPERATORS) if random.random() < 0.7 else content
        )
    _use(random, folder, ".pdf", sheets(contents, packed=random.random() < 0.3))


def _pdf_fonts(random: random.Random, folder: Path) -> None:
    """Fonts with changed encodings, widths and character maps."""
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange "
        b"<0000> <FFFF> "
        b"endcodespacerange 2 beginbfrange <0041> <005A> <0061> <0061> <0063> [<0041> <00420043> "
        b"<D800>] endbfrange "
        b"1 beginbfchar <0020> <0020> endbfchar endcmap end end"
    )
    fonts = (
        b"/Encoding <</Differences [1 /a /f_i 65 /B /C]>> /FirstChar 0 /LastChar 255 /Widths ["
        + b"500 " * 256
        + b"]",
        b"/Encoding /Identity-H /ToUnicode 6 0 R",
        b"/Encoding /Identity-H /ToUnicode 6 0 R "
        b"/DescendantFonts [<</Type /Font /Subtype /CIDFontType2 /W [0 [500 "
        b"600] 10 99 400] /DW 1000>>]",
        b"/ToUnicode 6 0 R /FontDescriptor <</Flags 262144 /FontWeight 700 /MissingWidth 300>>",
    )
    font = (
        mutated(random, random.choice(fonts), fonts, OBJECTS)
        if random.random() < 0.7
        else random.choice(fonts)
    )
    font = font.replace(b"Type1", random.choice((b"Type1", b"Type0", b"Type3", b"TrueType")))
    if random.random() < 0.8:
        cmap = mutated(
            random,
            cmap,
            [cmap],
            [b"<00000000> <FFFFFFFF> <0000>", b"<", b">", b"[", b"]", b"<0000> "],
        )
    contents = [_lines(random, 30), b"BT /F1 10 Tf 72 300 Td <0041004200430020> Tj (AB) Tj ET"]
    _use(random, folder, ".pdf", sheets(contents, font=font, extra=(stream(cmap),)))


def _pdf_objects(random: random.Random, folder: Path) -> None:
    """Small files with changed objects: page trees, boxes, filters, cross-reference tables."""
    data = sheets([_lines(random, 20), _lines(random, 5)], packed=random.random() < 0.5)
    _use(
        random,
        folder,
        ".pdf",
        mutated(random, data, [data, *_files("tests/data/pdfs/*.pdf")], OBJECTS),
    )


def _pdf_bomb(random: random.Random, folder: Path) -> None:
    """Streams that unpack to much more than the file has, on many pages, in arrays, forms and
    several filters.
    """
    unit = random.choice(
        (
            b" ",
            b"0",
            b"q ",
            b"(a) Tj ",
            b"1 2 3 4 5 6 c\n",
            b"BT /F1 9 Tf 1 1 Td (a) Tj ET ",
            b"(",
            b"[",
        )
    )
    size = int(10 ** random.uniform(5, 7.5))
    packed = zlib.compress(
        b"BT /F1 10 Tf 72 700 Td (The end.) Tj ET " + unit * (size // len(unit)), 9
    )
    filters = b"/Filter /FlateDecode"
    if random.random() < 0.5:
        packed, filters = zlib.compress(packed, 9), b"/Filter [/FlateDecode /FlateDecode]"
    bomb = b"<<%b /Length %d>>\nstream\n%b\nendstream" % (filters, len(packed), packed)
    pages = random.choice((1, 3, 300))
    page = (
        b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %b /Resources <</Font "
        b"<</F1 <</Type /Font "
    )
    page += b"/Subtype /Type1 /BaseFont /Times-Roman /ToUnicode %b>>>>>>>>"
    contents = b"[" + b"3 0 R " * random.choice((1, 2, 100, 10_000)) + b"]"
    kids = b" ".join(b"%d 0 R" % (4 + place) for place in range(pages))
    objects = [
        b"<</Type /Catalog /Pages 2 0 R>>",
        b"<</Type /Pages /Kids [%b] /Count %d>>" % (kids, pages),
        bomb,
    ]
    objects += [page % (contents, random.choice((b"3 0 R", b"null")))] * pages
    _use(random, folder, ".pdf", pdf(objects), guarded.read_file)  # whose limits it is about


@cache
def _unpacked(place: int) -> bytes:
    """The first pages of a sample with all streams unpacked, so that changes reach the
    operators.
    """
    from pypdf import PdfReader, PdfWriter

    writer = PdfWriter()
    samples = _files("tests/data/pdfs/*.pdf")
    for page in PdfReader(BytesIO(samples[place % len(samples)])).pages[:2]:
        writer.add_page(page)
    for page in writer.pages:
        contents = page.get_contents()
        if contents is not None:
            contents = (
                contents.decoded_self
                if getattr(contents, "decoded_self", None) is not None
                else contents
            )
            page.replace_contents(contents)
    out = BytesIO()
    writer.write(out)
    return out.getvalue()


def _pdf_samples(random: random.Random, folder: Path) -> None:
    """Real files, packed and unpacked, with changes."""
    samples = _files("tests/data/pdfs/*.pdf")
    seeds = (*samples, _unpacked(0), _unpacked(1))
    data = mutated(random, random.choice(seeds), seeds, (*OBJECTS, *OPERATORS))
    _use(random, folder, ".pdf", data)


def _epub(random: random.Random, folder: Path) -> None:
    """A book with changed files, or with a changed archive."""
    whole = _files("docs/examples/book.epub")[0]
    with zipfile.ZipFile(BytesIO(whole)) as book:
        parts = {name: book.read(name)[:20_000] for name in book.namelist()}
    changed = random.choice([name for name in parts if name != "mimetype"])
    words = [part.encode() for part in HTML] + [
        b"<navPoint>",
        b"<item ",
        b"<itemref idref='title'/>",
        b"href='",
        b"#m3",
    ]
    parts[changed] = mutated(random, parts[changed], [*parts.values()], words)
    out = BytesIO()
    with zipfile.ZipFile(
        out, "w", random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    ) as book:
        for name, data in parts.items():
            book.writestr(name, data)
    data = out.getvalue()
    _use(
        random,
        folder,
        ".epub",
        mutated(random, data, [data], [b"PK", b"\xff"]) if random.random() < 0.3 else data,
    )


@cache
def _word() -> dict[str, bytes]:
    """The parts of a Word document."""
    from docx import Document

    word = Document()
    word.add_paragraph("A title", style="Title")
    for heading in ("Methods", "Results", "References"):
        word.add_heading(heading, 1)
        word.add_paragraph(
            "The owls hunt at night in the old barns near the river, and they eat mice."
        )
        word.add_paragraph("Figure 1. Owls.", style="Caption").add_run(" bold").bold = True
        word.add_table(2, 2).cell(0, 0).text = "Year"
    word.add_comment(word.paragraphs[0].runs, "Is it so?")
    out = BytesIO()
    word.save(out)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


WORD = [
    *(
        "p",
        "r",
        "t",
        "tbl",
        "tr",
        "tc",
        "sdt",
        "sdtContent",
        "ins",
        "del",
        "hyperlink",
        "txbxContent",
        "drawing",
        "br",
    ),
    *(
        "instrText",
        "fldSimple",
        "sym",
        "pPr",
        "rPr",
        "outlineLvl",
        "basedOn",
        "style",
        "b",
        "sz",
        "vanish",
        "vertAlign",
    ),
]
VALUES = [
    "",
    "0",
    "-1",
    "99999999999",
    "x",
    "TOC",
    "begin",
    "end",
    "separate",
    "superscript",
    "Heading1",
    "Symbol",
    "f061",
]


def _docx(random: random.Random, folder: Path) -> None:
    """A Word document with elements that are moved, copied, renamed or given other values, or with
    changed bytes.
    """
    from lxml import etree

    parts = dict(_word())
    changed = random.choice(
        ["word/document.xml"] * 4 + [name for name in parts if name.endswith((".xml", ".rels"))]
    )
    if random.random() < 0.2:
        parts[changed] = mutated(
            random, parts[changed], [*parts.values()], [b"<w:p>", b"</w:p>", b"<!ENTITY x 'y'>"]
        )
    else:
        root = etree.fromstring(parts[changed])
        space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
        for _ in range(random.randrange(1, 40)):
            one, other = random.choices(list(root.iter(tag=etree.Element)), k=2)
            change = random.randrange(4)
            if change == 0:
                one.tag = space + random.choice(WORD)
            elif change == 1:
                name = random.choice(
                    ["val", "fldCharType", "styleId", "type", "char", "font", "default"]
                )
                one.set(space + name, random.choice(VALUES))
            elif change == 2:
                other.insert(
                    0, etree.fromstring(etree.tostring(one)[:100_000]) if len(one) < 20 else one[0]
                )
            elif one is not root and one not in other.iterancestors() and one is not other:
                other.append(one)
        parts[changed] = etree.tostring(root)
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    data = out.getvalue()
    _use(
        random,
        folder,
        ".docx",
        mutated(random, data, [data], [b"PK", b"\xff"]) if random.random() < 0.1 else data,
    )


TEXTS = {
    "epub": _epub,
    "docx": _docx,
    "text": _text((*CHARACTERS, *WORDS), ".txt", "docs/examples/beige_book/*.txt"),
    "markdown": _text((*MARKDOWN, *WORDS), ".md", "docs/*.md"),
    "html": _text((*HTML, *WORDS), ".html", "docs/*.md"),
    "html_pages": _html_seed,
    "latex": _text((*LATEX, *WORDS), ".tex", "docs/*.md"),
    "unnamed": _text((*CHARACTERS, *MARKDOWN, *HTML), "", "docs/*.md"),
}
PDFS = {
    "pdf_operators": _pdf_operators,
    "pdf_fonts": _pdf_fonts,
    "pdf_objects": _pdf_objects,
    "pdf_bomb": _pdf_bomb,
    "pdf_samples": _pdf_samples,
}
ATTACKS = {**TEXTS, **PDFS}

if __name__ == "__main__":
    main("the readers", ATTACKS)
