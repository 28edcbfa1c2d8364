"""EPUB: the order of the spine, titles of the navigation, and what is no text; bad files are
refused in one line.
"""

import zipfile
from io import BytesIO

import pytest
from epub_writer import CONTAINER, epub, page, prose

from pagesum_cli.documents.guard.reading import read_data, read_file
from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers import epub as reader
from pagesum_cli.errors import PagesumError

TWO = {"a.xhtml": "<h1>One</h1><p>Rain fell.</p>", "b.xhtml": "<h1>Two</h1><p>Prices rose.</p>"}
NAV = [(1, "One", "a.xhtml"), (1, "Two", "b.xhtml")]


def read(data: bytes) -> Document:
    return reader.read(Input("book.epub", "book.epub", given=data))[0]


def outline(data: bytes) -> list[tuple[int, str, str]]:
    return [(one.level, one.heading, one.text) for one in read(data).sections]


def left_out(data: bytes) -> dict[str, int]:
    """Words by reason."""
    counts: dict[str, int] = {}
    for one in read(data).left_out:
        counts[one.reason] = counts.get(one.reason, 0) + one.words
    return counts


@pytest.mark.parametrize("form", ["nav", "ncx", "neither"])
def test_epub_2_and_3_and_one_without_navigation(form: str) -> None:
    data = epub(TWO, **({} if form == "neither" else {form: NAV}))
    assert outline(data) == [(1, "One", "Rain fell."), (1, "Two", "Prices rose.")]
    document = read(data)
    assert document.title == "The Book"
    assert {section.found_by for section in document.sections} == {"outline"}


PAGES = {
    "a.xhtml": '<h1>One</h1><p>Rain fell. <span id="p8" epub:type="pagebreak">8</span>It '
    "stopped.</p>"
    '<div id="p9" epub:type="pagebreak"/><p>Sun.</p>',
    "b.xhtml": '<h1>Two</h1><p>Prices rose.</p><p>Bread was<a id="p11"/> dear.</p>',
}
PLACES = [
    ("7", "a.xhtml"),
    ("8", "a.xhtml#p8"),
    ("9", "a.xhtml#p9"),
    ("11", "b.xhtml#p11"),
    ("xii", "b.xhtml#x"),
]


@pytest.mark.parametrize("form", ["nav", "ncx"])
def test_the_pages_of_the_printed_book(form: str) -> None:
    if form == "nav":
        links = "".join(f'<li><a href="{place}">{number}</a></li>' for number, place in PLACES)
        files = {
            "OEBPS/nav.xhtml": page(
                f'<nav epub:type="toc"/><nav epub:type="page-list"><ol>{links}</ol></nav>'
            )
        }
    else:
        target = '<pageTarget><navLabel><text>{}</text></navLabel><content src="{}"/></pageTarget>'
        targets = "".join(target.format(*one) for one in PLACES)
        files = {"OEBPS/toc.ncx": f"<ncx><pageList>{targets}</pageList></ncx>"}
    document = read(epub(PAGES, **{form: NAV}, files=files))
    paragraphs = [one for section in document.sections for one in section.paragraphs]
    assert [(one.text, one.page_starts) for one in paragraphs] == [
        ("Rain fell. It stopped.", ((0, 7), (11, 8))),
        ("Sun.", ((0, 9),)),
        ("Prices rose.", ((0, 9),)),
        ("Bread was dear.", ((0, 9), (10, 11))),
    ]
    assert document.labels_of([7, 11]) == ("7", "11")


def test_the_order_is_that_of_the_spine() -> None:
    assert [text for _, _, text in outline(epub(TWO, spine=["b.xhtml", "a.xhtml"]))] == [
        "Prices rose.",
        "Rain fell.",
    ]


def test_nested_navigation_and_headings_below_it() -> None:
    pages = {
        "part.xhtml": "<h1>PART ONE</h1>",
        "a.xhtml": "<h2>I. Morning</h2><p>Rain.</p><h3>Later</h3><p>Sun.</p>",
        "b.xhtml": "<h2>II. Evening</h2><p>Moon.</p>",
    }
    nav = [
        (1, "Part One", "part.xhtml"),
        (2, "I. Morning", "a.xhtml"),
        (2, "II. Evening", "b.xhtml"),
    ]
    assert outline(epub(pages, nav=nav)) == [
        (1, "Part One", ""),
        (2, "I. Morning", "Rain."),
        (3, "Later", "Sun."),
        (2, "II. Evening", "Moon."),
    ]


def test_a_part_without_a_page_of_its_own() -> None:
    nav = [(1, "Part One", ""), (2, "One", "a.xhtml"), (2, "Two", "b.xhtml")]
    assert [one[:2] for one in outline(epub(TWO, nav=nav))] == [
        (1, "Part One"),
        (2, "One"),
        (2, "Two"),
    ]


def test_several_chapters_in_one_file() -> None:
    body = """<h1>The Book</h1><p>A preface.</p><h2 id="c1">One</h2><p>Rain.</p>
    <div><p>Still <a id="c2"/></p>
    <h2>Two</h2><p>Sun.</p></div>"""
    nav = [(1, "One", "all.xhtml#c1"), (1, "Two", "all.xhtml#c2")]
    assert outline(epub({"all.xhtml": body}, nav=nav)) == [
        (1, "The Book", "A preface."),
        (1, "One", "Rain.\n\nStill"),
        (1, "Two", "Sun."),
    ]


def test_an_anchor_that_is_missing_leads_to_the_beginning_of_its_file() -> None:
    nav = [(1, "One", "a.xhtml#no"), (1, "Two", "b.xhtml#no")]
    assert outline(epub(TWO, nav=nav)) == [(1, "One", "Rain fell."), (1, "Two", "Prices rose.")]


@pytest.mark.parametrize(
    ("body", "entry", "title"),
    [
        (
            "<h2>CHAPTER I.</h2><h3>DOWN THE RABBIT-HOLE</h3>",
            "CHAPTER I. Down the Rabbit-Hole",
            None,
        ),
        ("<p>Chapter 1</p><h2>The Storm</h2>", "Chapter 1: The Storm", None),
        ("<h2>Chapter 3: The Storm</h2>", "The Storm", "Chapter 3: The Storm"),
        ("<h2>CHAPTER 3</h2><h3>The Storm</h3>", "The Storm", "CHAPTER 3: The Storm"),
        ("<h2>1</h2>", "1", None),
        ("", "Untitled morning", None),
    ],
)
def test_a_title_is_read_once_and_as_printed(body: str, entry: str, title: str | None) -> None:
    data = epub({**TWO, "c.xhtml": body + "<p>It was late.</p>"}, nav=[*NAV, (1, entry, "c.xhtml")])
    assert outline(data)[-1] == (1, title or entry, "It was late.")


def test_a_chapter_that_the_navigation_forgot() -> None:
    pages = {**TWO, "c.xhtml": "<h1>Three</h1><p>Moon.</p>"}
    assert outline(epub(pages, nav=NAV))[-1] == (1, "Three", "Moon.")


def test_percent_encoded_names_and_folders() -> None:
    pages = {
        "text/first%20part.xhtml": "<h1>One</h1><p>Rain fell.</p>",
        "b&ü.xhtml": "<h1>Two</h1><p>Prices rose.</p>",
    }
    data = epub(pages, nav=[(1, "One", "text/first%20part.xhtml"), (1, "Two", "b&%C3%BC.xhtml")])
    renamed = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(renamed, "w") as new:
        for info in old.infolist():
            new.writestr(info.filename.replace("%20", " "), old.read(info))
    assert [one[1:] for one in outline(renamed.getvalue())] == [
        ("One", "Rain fell."),
        ("Two", "Prices rose."),
    ]


def test_a_package_in_the_top_folder() -> None:
    assert len(outline(epub(TWO, nav=NAV, opf="book.opf", folder=""))) == 2


def test_contents_cover_notes_and_page_numbers_are_no_text() -> None:
    links = "".join(f'<li><a href="{name}">Chapter {name}</a> 12</li>' for _, _, name in NAV * 2)
    pages = {
        "cover.xhtml": '<section epub:type="cover"><p>A ship on the cover of it</p></section>',
        "contents.xhtml": f"<h2>Contents</h2><ul>{links}</ul>",
        "a.xhtml": """<h1>One</h1><p>Rain<a epub:type="noteref" href="#n">1</a>
        fell<sup><a href="#n">2</a></sup>.
        <span epub:type="pagebreak" id="p2">Page 2</span><span class="pagenum">[3]</span></p>
        <aside epub:type="footnote" id="n"><p>This is a note about the rain.</p></aside>""",
        "b.xhtml": "<h1>Two</h1><p>Prices rose.</p>",
    }
    data = epub(pages, nav=NAV, guide={})
    assert [one[2] for one in outline(data)] == ["Rain fell.", "Prices rose."]
    assert left_out(data) == {"cover": 7, "contents": 1 + 12 + 3, "notes": 7, "mark": 5}


def test_boxes_are_no_sections_and_classes_of_notes_and_front_matter_count() -> None:
    body = """<h1>One</h1><h3 class="author">Ada Lee</h3>
    <div class="legalnotice"><p>Free of charge.</p></div><p>Rain
    fell<a href="#f1" class="footnote"><sup class="footnote">[1]</sup></a>.</p>
    <div class="warning"><h3 class="title">Warning</h3><p>Stay in.</p></div>
    <p>Then it stopped.</p><div class="footnotes">
    <div id="f1" class="footnote"><p>[1] For a day.</p></div></div>"""
    data = epub({"a.xhtml": body, "b.xhtml": TWO["b.xhtml"]}, nav=NAV)
    text = "Rain fell.\n\nWarning\n\nStay in.\n\nThen it stopped."
    assert outline(data) == [(1, "One", text), (1, "Two", "Prices rose.")]
    assert left_out(data) == {"front matter": 5, "notes": 4, "contents": 3, "mark": 1}


def test_a_list_of_titles_without_links_is_the_contents_page() -> None:
    nav = [*NAV, (1, "Three", "c.xhtml")]
    pages = {
        "toc.xhtml": "<p>Contents</p><p>One</p><p>Two</p><p>Three</p>",
        **TWO,
        "c.xhtml": "<p>Moon.</p>",
    }
    data = epub(pages, nav=nav)
    assert [one[1] for one in outline(data)] == ["One", "Two", "Three"]
    assert set(left_out(data)) == {"contents"}


def test_pages_that_the_guide_names() -> None:
    pages = {
        "x.xhtml": "<p>The Book</p><p>by Somebody</p>",
        "y.xhtml": "<p>All rights reserved.</p>",
        **TWO,
    }
    data = epub(pages, ncx=NAV, guide={"x.xhtml": "title-page", "y.xhtml": "copyright-page"})
    assert [one[1] for one in outline(data)] == ["One", "Two"]
    assert left_out(data) == {"front matter": 7}


def test_a_licence_around_the_text() -> None:
    licence = (
        '<section class="pg-boilerplate" id="pg-footer"><h2>THE FULL LICENSE</h2><p>You '
        "may copy it.</p></section>"
    )
    data = epub({**TWO, "c.xhtml": licence}, nav=NAV)
    assert [one[1] for one in outline(data)] == ["One", "Two"]
    assert left_out(data)["licence"] == 7


def test_documents_in_frames_are_read_in_their_place() -> None:
    frames = '<html><frameset><frame src="f.xhtml"/><frame src="b.xhtml"/></frameset></html>'
    data = epub(
        {**TWO, "a.xhtml": frames, "f.xhtml": "<p>Snow fell.</p>"},
        spine=["a.xhtml", "b.xhtml"],
    )
    assert [one.text for one in read(data).sections] == ["Snow fell.", "Prices rose."]


@pytest.mark.parametrize("markup", ["<html><frameset><frame src=x></frameset></html>", "<svg/>"])
def test_documents_without_a_body(markup: str) -> None:
    data = epub({**TWO, "a.xhtml": markup})
    assert [one.text for one in read(data).sections] == ["Prices rose."]


@pytest.mark.parametrize("hidden", ["hidden", 'style="color: red; display: none"'])
def test_words_that_the_book_does_not_show(hidden: str) -> None:
    data = epub(
        {**TWO, "c.xhtml": f"<p>Rain fell <span {hidden}>very hard on this day</span>.</p>"}
    )
    assert read(data).hidden_words == 5
    assert "very" not in read(data).text


def test_words_that_a_style_sheet_in_the_chapter_hides() -> None:
    head = "<head><style>.key, span.answer { display: none }</style></head>"
    body = "<body><p>Rain fell <span class='answer'>very hard</span>.</p></body>"
    document = read(epub({**TWO, "c.xhtml": f"<html>{head}{body}</html>"}))
    assert document.hidden_words == 2
    assert "very" not in document.text


def test_missing_documents_are_reported() -> None:
    problems: list[str] = []
    data = epub(TWO, spine=["a.xhtml", "gone.xhtml", "b.xhtml"])
    document = reader.read(Input("book.epub", "book.epub", given=data, on_problem=problems.append))[
        0
    ]
    assert len(document.sections) == 2
    assert [one.reason for one in document.left_out] == ["missing file"]
    assert problems == ["book.epub: missing.xhtml is missing from the EPUB"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1", "cp1252"])
def test_encodings(encoding: str) -> None:
    declared = "utf-8" if encoding == "cp1252" else encoding  # a declaration that is wrong
    text = page(
        "<h1>Café</h1><p>Les œufs été à la crème.</p>".replace(
            "œ", "œ" if encoding != "iso-8859-1" else "e"
        )
    )
    data = text.replace('encoding="utf-8"', f'encoding="{declared}"').encode(encoding)
    (section,) = read(epub({"a.xhtml": data})).sections
    assert section.heading == "Café"
    assert section.text.endswith("été à la crème.")


def test_several_renditions_are_one_book() -> None:
    container = CONTAINER.format(path="OEBPS/content.opf")
    second = (
        '<rootfile full-path="other.opf" media-type="application/oebps-package+xml"/></rootfiles>'
    )
    data = epub(
        TWO,
        files={
            "META-INF/container.xml": container.replace("</rootfiles>", second),
            "other.opf": "<x/>",
        },
    )
    assert len(outline(data)) == 2


ENCRYPTION = """<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" xmlns:enc="http://www.w3.org/2001/04/xmlenc#">
<enc:EncryptedData><enc:EncryptionMethod Algorithm="{method}"/><enc:CipherData>
<enc:CipherReference URI="{path}"/></enc:CipherData></enc:EncryptedData></encryption>"""
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b '
    '"&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<package><metadata><title>&b;</title></metadata></package>"
)
FOREIGN = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM '
    '"file:///etc/passwd">]><package><title>&a;</title></package>'
)


@pytest.mark.parametrize(
    ("data", "message", "hint"),
    [
        (b"<html>saved page</html>", "expected an EPUB, found something else", "saved web page"),
        (b"PK\x03\x04 and nothing more", "damaged or cut off", "download it again"),
        (epub(TWO)[:-200], "damaged or cut off", "download it again"),
        (
            epub(TWO, files={"META-INF/container.xml": b""}),
            "without META-INF/container.xml",
            "check the file",
        ),
        (epub(TWO, files={"OEBPS/content.opf": b""}), "no package document", "download it again"),
        (
            epub(TWO, files={"OEBPS/content.opf": "<package/>"}),
            "found an EPUB without any",
            "contains text",
        ),
        (epub({"a.xhtml": '<img src="1.png"/>'}), "found an EPUB without any", "contains text"),
        (epub(TWO, files={"OEBPS/content.opf": BOMB}), "defines XML entities", "without them"),
        (epub(TWO, files={"OEBPS/content.opf": FOREIGN}), "defines XML entities", "without them"),
        (
            epub(
                TWO,
                files={
                    "META-INF/encryption.xml": ENCRYPTION.format(
                        method="aes256", path="OEBPS/b.xhtml"
                    )
                },
            ),
            "protected (DRM)",
            "without DRM",
        ),
        (
            epub({"a.xhtml": "<p>" + "rain " * 8_000_000 + "</p>"}),
            "unpacks to more than 16 MB",
            "where it is from",
        ),
    ],
)
def test_bad_files_are_refused_in_one_line(data: bytes, message: str, hint: str) -> None:
    with pytest.raises(PagesumError) as caught:
        read(data)
    assert caught.value.message.startswith("book.epub: ")
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert "\n" not in caught.value.message


def test_a_book_of_images_has_no_text() -> None:
    with pytest.raises(PagesumError, match="an EPUB without any") as caught:
        read(epub({"a.xhtml": '<img src="1.png"/>', "b.xhtml": "<svg><text>SHIP</text></svg>"}))
    assert "ocrmypdf" in (caught.value.hint or "")


@pytest.mark.parametrize(
    "method", ["http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"]
)
def test_obfuscated_fonts_are_no_protection(method: str) -> None:
    data = epub(
        TWO,
        files={"META-INF/encryption.xml": ENCRYPTION.format(method=method, path="OEBPS/font.otf")},
    )
    assert len(outline(data)) == 2


def test_a_statement_of_rights_is_no_protection() -> None:
    assert len(outline(epub(TWO, files={"META-INF/rights.xml": "<rights/>"}))) == 2


def test_references_out_of_the_archive_are_missing_files(tmp_path) -> None:
    (tmp_path / "secret.xhtml").write_text(page("<p>Secret.</p>"))
    data = epub(TWO)
    with zipfile.ZipFile(BytesIO(data)) as archive:
        opf = archive.read("OEBPS/content.opf").decode()
    for target in (
        "../../../secret.xhtml",
        str(tmp_path / "secret.xhtml"),
        "file:///etc/passwd",
        "http://a.org/b.html",
    ):
        document = read(
            epub(
                TWO, files={"OEBPS/content.opf": opf.replace('href="b.xhtml"', f'href="{target}"')}
            )
        )
        assert document.text == "One\n\nRain fell."
        assert [one.text for one in document.left_out if one.reason == "missing file"] == [target]


def test_one_file_many_times_in_the_spine_is_read_once() -> None:
    assert len(outline(epub(TWO, spine=["a.xhtml"] * 500 + ["b.xhtml"]))) == 2


def test_the_format_is_detected_from_the_content() -> None:
    data = epub(TWO, nav=NAV)
    assert [read_data(data, name)[0].title for name in ("book.epub", "book", "book.txt")] == [
        "The Book"
    ] * 3
    assert read_file("-", stdin=BytesIO(data))[0].title == "The Book"


def test_no_word_is_lost() -> None:
    texts = {f"{number}.xhtml": prose(300, number) for number in range(4)}
    pages = {
        name: f"<h1>Chapter {name[0]}</h1>" + "".join(f"<p>{one}</p>" for one in text)
        for name, text in texts.items()
    }
    document = read(epub(pages, ncx=[(1, f"Chapter {name[0]}", name) for name in pages]))
    expected = "\n\n".join(
        part for name, text in texts.items() for part in (f"Chapter {name[0]}", *text)
    )
    assert document.text == expected
