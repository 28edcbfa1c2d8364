"""FictionBooks: what is read, and what is left out."""

import io
import zipfile

import pytest

from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers import fictionbook
from pagesum_cli.errors import PagesumError

PROSE = "The owls hunt at night in the old barns near the river, and they eat mice."
INFO = (
    "<author><first-name>Ada</first-name><last-name>Lovelace</last-name></author>"
    "<author><nickname>owl</nickname></author><book-title>On Owls</book-title>"
    "<annotation><p>A book about birds.</p></annotation>"
)
TITLE_PAGE = "<title><p>Ada Lovelace</p><p>On Owls</p></title>"


def book(*bodies: str, info: str = INFO, after: str = "") -> str:
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0" '
        'xmlns:l="http://www.w3.org/1999/xlink">'
        f"<description><title-info>{info}</title-info></description>{''.join(bodies)}{after}"
        "</FictionBook>"
    )


def read(text: str | bytes, name: str = "a.fb2", problems: list[str] | None = None) -> Document:
    data = text.encode() if isinstance(text, str) else text
    note = [] if problems is None else problems
    return fictionbook.read(Input(name, name, given=data, on_problem=note.append))[0]


def body(inner: str) -> str:
    return f"<body>{TITLE_PAGE}<section>{inner}</section></body>"


def p(text: str) -> str:
    return f"<p>{text}</p>"


def outline(document: Document) -> list[tuple[int, str, list[str]]]:
    return [
        (one.level, one.heading, [part.text for part in one.paragraphs])
        for one in document.sections
    ]


def test_sections_have_their_titles_and_levels() -> None:
    chapters = "".join(
        f"<section><title>{p(f'Chapter {n}')}{p('The Barn')}</title>{p(PROSE)}</section>"
        for n in (1, 2)
    )
    document = read(book(body(f"<title>{p('Part One')}</title>{chapters}")))
    assert (document.title, document.authors) == ("On Owls", ("Ada Lovelace", "owl"))
    assert outline(document) == [
        (1, "Part One", []),
        (2, "Chapter 1: The Barn", [PROSE]),
        (2, "Chapter 2: The Barn", [PROSE]),
    ]


def test_front_matter_is_left_out() -> None:
    document = read(book(body(p(PROSE))))
    assert [(one.reason, one.text) for one in document.left_out] == [
        ("front matter", "A book about birds."),
        ("front matter", "Ada Lovelace On Owls"),
    ]


def test_a_section_without_title_ends_the_one_before() -> None:
    first = f"<section><title>{p('Owls')}</title>{p(PROSE)}</section>"
    document = read(book(f"<body>{first}<section>{p(PROSE)}</section></body>"))
    assert outline(document) == [(1, "Owls", [PROSE]), (1, "", [PROSE])]


def test_subtitles_are_headings_and_asterisks_are_none() -> None:
    text = f"<title>{p('Owls')}</title>{p(PROSE)}<subtitle>* * *</subtitle>{p(PROSE)}"
    document = read(book(body(f"{text}<subtitle>At night</subtitle>{p(PROSE)}")))
    assert outline(document) == [(1, "Owls", [PROSE, PROSE]), (2, "At night", [PROSE])]


def test_epigraphs_citations_and_poems() -> None:
    lines = "The owl and the cat|went to the sea|in a boat of green|and paper boats"
    verse = "".join(f"<v>{line}</v>" for line in lines.split("|"))
    text = (
        f"<epigraph>{p('Owls are wise.')}<text-author>Pliny</text-author></epigraph>{p(PROSE)}"
        f"<cite>{p(PROSE)}</cite><poem><stanza>{verse}</stanza></poem>"
    )
    paragraphs = read(book(body(text))).sections[0].paragraphs
    assert [(one.text, one.block) for one in paragraphs[:4]] == [
        ("Owls are wise.", "quotation"),
        ("Pliny", "quotation"),
        (PROSE, ""),
        (PROSE, "quotation"),
    ]
    assert paragraphs[4].block == "verse"
    assert len(paragraphs[4].line_ends) == 3


def test_notes_and_their_marks_tables_and_struck_out_words_are_left_out() -> None:
    mark = '<a l:href="#n1" type="note">[1]</a>'
    table = "<table><tr><td>12</td><td>owls</td></tr></table>"
    text = p(f"Owls{mark} hunt<strikethrough> mice</strikethrough> at 10<sup>6</sup>.") + table
    notes = f'<body name="notes"><section id="n1">{p("See Pliny.")}</section></body>'
    document = read(book(body(text), notes))
    assert outline(document) == [(1, "", ["Owls hunt at 10⁶."])]
    left = {one.reason: one.text for one in document.left_out}
    del left["front matter"]
    assert left == {
        "mark": "[1]",
        "table": "12 owls",
        "struck out": "mice",
        "footnote": "See Pliny.",
    }


def test_embedded_files_are_not_read() -> None:
    binary = f'<binary id="a.png" content-type="image/png">{"QUJD" * 4_000_000}</binary>'
    assert outline(read(book(body(p(PROSE)), after=binary))) == [(1, "", [PROSE])]


def test_the_encoding_is_declared() -> None:
    russian = "Совы охотятся ночью в старых амбарах у реки."
    text = book(body(p(russian))).replace("utf-8", "windows-1251", 1)
    assert outline(read(text.encode("cp1251"))) == [(1, "", [russian])]


def packed(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, book(body(p(PROSE))))
    return content.getvalue()


@pytest.mark.parametrize(
    "data", [packed("owls.fb2"), book(body(p(PROSE))).encode()], ids=["zip", "xml"]
)
def test_its_content_says_what_it_is_without_a_name(data: bytes) -> None:
    assert outline(read_data(data, "stdin")[0]) == [(1, "", [PROSE])]
    assert outline(read_data(data, "a.fb2.zip")[0]) == [(1, "", [PROSE])]


def test_what_is_cut_off_is_read_and_reported() -> None:
    problems: list[str] = []
    text = book(body(p(PROSE) + p("Owls")))
    document = read(text[: text.index("Owls</p></section>")], problems=problems)
    assert outline(document) == [(1, "", [PROSE])]
    assert len(problems) == 1
    assert problems[0].startswith("a.fb2: the markup is damaged, and text may be lost (")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (packed("a.fb2", "b.fb2"), "found an archive with 2 of them"),
        (packed("a.txt"), "found an archive with 0 of them"),
        (packed("a.fb2")[:100], "damaged or cut off"),
        (b"<html><p>Owls.</p></html>", "expected a FictionBook, found something else"),
        (b"Owls.", "expected a FictionBook, found something else"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><FictionBook/>', "defines XML entities"),
        (book("<body/>").encode(), "expected text, found none"),
    ],
    ids=["two", "none", "cut", "html", "text", "entities", "empty"],
)
def test_what_cannot_be_read_gets_one_line(data: bytes, found: str) -> None:
    with pytest.raises(PagesumError) as error:
        read(data)
    assert found in error.value.message
    assert "\n" not in error.value.message
