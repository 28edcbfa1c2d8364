"""What a browser does not show of a web page, or of a chapter of a book, is no text."""

import time

import pytest
from epub_writer import epub, page

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.notes import unread
from pagesum_cli.documents.readers import epub as book_reader
from pagesum_cli.documents.readers.css.selectors import Selector
from pagesum_cli.documents.readers.html import html_document

PROSE = (
    "The council met in the spring and spoke about the harvest of the year, and the farmers of "
    "the town were lent seed until the autumn by all of its members."
)
SECRET = "Zebras hunt at night near the mill."


def read(markup: str, sheet: str = "", head: str = "") -> Document:
    text = (
        f"<html><head>{head}<style>{sheet}</style></head><body><h1>Report</h1><p>{PROSE}</p>"
        f"{markup}<p>{PROSE}</p></body></html>"
    )
    return html_document(text, "a.html", "a.html")


def is_proof(document: Document) -> bool:
    """Whether the words are text, or left out for another reason."""
    others = [one for one in document.left_out if one.reason != "hidden"]
    return "Zebras" in document.text or any("Zebras" in one.text for one in others)


@pytest.mark.parametrize(
    ("selector", "markup"),
    [
        ("div.x p", "<div class=x><p>{}</p></div>"),
        ("#a > p", "<div id=a><p>{}</p></div>"),
        ("section article .q", "<section><article><p class=q>{}</p></article></section>"),
        ("p#i.a.b", "<p id=i class='b a'>{}</p>"),
        ("P.z", "<p class=z>{}</p>"),
        ("h6, .q , .z", "<p class=z>{}</p>"),
        ("*.z", "<p class=z>{}</p>"),
        ("[data-x='1']", "<p data-x=1>{}</p>"),
        ("p[data-x]", "<p data-x>{}</p>"),
        ("[class^=hid]", "<p class=hidx>{}</p>"),
        ("[title~='b']", "<p title='a b'>{}</p>"),
        ("h1 ~ p.z", "<p class=z>{}</p>"),
        ("h1 + p + p", "<p>{}</p>"),
        ("p:nth-of-type(2)", "<p>{}</p>"),
        ("div > :first-child:last-child", "<div><p>{}</p></div>"),
        ("p.k:not(.v)", "<p class=k>{}</p>"),
        (":is(.y, .z)", "<p class=z>{}</p>"),
        (r".\7a z", "<p class=zz>{}</p>"),
        (r".md\:z", "<p class='md:z'>{}</p>"),
        (r"p.w-1\/2.\3a z", "<p class='w-1/2 :z'>{}</p>"),
        ("/* a { */ .z", "<p class=z>{}</p>"),
        ("@media screen and (min-width: 600px) { .z", "<p class=z>{}</p>"),
        ("@supports (display: grid) { @layer a { .z", "<p class=z>{}</p>"),
        ("@import 'x.css'; .z", "<p class=z>{}</p>"),
        (".k { color: red; & .z", "<div class=k><p class=z>{}</p></div>"),
    ],
)
def test_rules_are_for_the_elements_that_they_select(selector: str, markup: str) -> None:
    assert not is_proof(read(markup.format(SECRET), f"{selector} {{ display: none }}"))


@pytest.mark.parametrize(
    "style",
    [
        "DISPLAY : NONE ;",
        "display:/**/none !important",
        "visibility:collapse",
        "opacity:.01",
        "font-size:.01em",
        "font:1px/1 Arial",
        "color:#fdfdfd",
        "color:rgb(254 254 254)",
        "color:hsl(0, 0%, 99%)",
        "color:snow",
        "color:rgba(0,0,0,.02)",
        "color:navy;background-color:#000080",
        "color:#fff;background:linear-gradient(#fff, #fefefe)",
        "-webkit-text-fill-color:transparent",
        "position:relative;top:-9999px",
        "position:absolute;left:calc(-100vw - 99px)",
        "position:absolute;inset:-9999px auto auto auto",
        "margin:0 0 0 -9999px",
        "text-indent:-9999px",
        "text-indent:100%;overflow:hidden",
        "transform:translate3d(-9999px, 0, 0)",
        "transform:rotateY(90deg)",
        "scale:0",
        "position:absolute;clip:rect(1px,1px,1px,1px)",
        "clip-path:inset(0 100% 0 0)",
        "clip-path:polygon(0 0, 0 0, 0 0)",
        "width:1px;height:1px;overflow:hidden",
        "max-height:0;overflow-y:hidden",
        "filter:opacity(0%)",
        "zoom:0",
        "opacity:0;transition:opacity 1s",
    ],
)
@pytest.mark.parametrize("is_rule", [False, True])
def test_values_that_hide(style: str, is_rule: bool) -> None:
    own = "" if is_rule else f" style='{style}'"
    sheet = f".x p {{ {style} }}" if is_rule else ""
    document = read(f"<div class=x><p{own}>{SECRET}</p></div>", sheet)
    assert not is_proof(document)
    assert document.hidden_words == 7


@pytest.mark.parametrize(
    "markup",
    [
        "<p><font color='#FEFEFE'>{}</font></p>",
        "<table bgcolor=#333333><tr><td><p><font color=#333>{}</font></p></td></tr></table>",
        "<div style='background:#222'><p style='color:rgb(34,34,34)'>{}</p></div>",
        "<div style='color:#eee;background:#333'><p style='background:#eee'>{}</p></div>",
        "<div style='font-size:0'>{}<span style='font-size:16px'>Yes.</span></div>",
        "<div style='visibility:hidden'>{}<b style='visibility:visible'>Yes.</b></div>",
        "<div style='opacity:0'><div style='opacity:1'>{}</div></div>",
        "<div style='--h:none'><p style='display:var(--h)'>{}</p></div>",
        "<table><tr><td style='display:none'>{}</td><td>12</td></tr></table>",
        "<figure><figcaption hidden>{}</figcaption></figure>",
        "<dialog>{}</dialog>",
        "<datalist><option>{}</datalist>",
        "<template>{}</template>",
    ],
)
def test_elements_that_hide(markup: str) -> None:
    sheet = "[style^='--h'] { --h: none }" if "--h" in markup else ""
    assert not is_proof(read(markup.format(SECRET), sheet))


@pytest.mark.parametrize(
    ("sheet", "markup"),
    [
        ("", "<details><summary>More</summary><p>{}</p></details>"),
        ("@media print { .z { display: none } }", "<p class=z>{}</p>"),
        ("@media (max-width: 600px) { .z { display: none } }", "<p class=z>{}</p>"),
        (".z:hover, .z::before, .js .z { display: none }", "<p class=z>{}</p>"),
        (".x p, #a > p, .a.b { display: none }", "<div id=a><div><p class=a>{}</p></div></div>"),
        (".z { display: none } p.z { display: block }", "<p class=z>{}</p>"),
        (".z { display: none }", "<p class=z style='display: block'>{}</p>"),
        ("p.k:not(.v) { display: none }", "<p class='k v'>{}</p>"),
        (
            ".z { opacity: 0; animation: in 1s } @keyframes in { to { opacity: 1 } }",
            "<p class=z>{}</p>",
        ),
        (".z { opacity: 0; transition: all 1s }", "<script></script><p class=z>{}</p>"),
        (".d { background: url(a.png); color: #fff }", "<div class=d><p>{}</p></div>"),
        (".d { background: #222; color: #fff }", "<div class=d><p>{}</p></div>"),
        ("body { background: #111; color: #eee }", "<p>{}</p>"),
        (".d { font-size: 0 } .d p { font-size: 16px }", "<div class=d><p>{}</p></div>"),
        (".d { visibility: hidden } .d p { visibility: visible }", "<div class=d><p>{}</p></div>"),
        ("", "<p style='text-indent:-20px;margin-left:-20px'>{}</p>"),
        ("", "<p style='color:#bbb;opacity:.5;font-size:1rem'>{}</p>"),
        ("", "<p style='position:absolute;left:50%;transform:translate(-50%, -50%)'>{}</p>"),
    ],
)
def test_what_is_shown_is_read(sheet: str, markup: str) -> None:
    assert "Zebras" in read(markup.format(SECRET), sheet).text


def test_the_colors_of_a_sheet_that_is_elsewhere_are_not_known() -> None:
    link = "<link rel=stylesheet href=a.css>"
    white = f"<p style='color:white'>{SECRET}</p>"
    assert "Zebras" in read(f"<div class=hero>{white}</div>", head=link).text
    assert "Zebras" not in read(white, head=link).text


@pytest.mark.parametrize(
    ("markup", "sheet"),
    [
        ("<p class=z>{}</p>", ".z { display: none }"),
        ("<div class=x><p>{}</p></div>", "div.x > p { font-size: 0 }"),
        ("<aside epub:type='footnote'><p class=z>{}</p></aside>", ".z { visibility: hidden }"),
    ],
)
def test_books_have_their_sheets_in_files(markup: str, sheet: str) -> None:
    head = "<link rel='stylesheet' href='../a.css'/>"
    text = page(f"<h1>One</h1><p>{PROSE}</p>{markup.format(SECRET)}", head)
    book = epub({"a/b.xhtml": text}, files={"OEBPS/a.css": sheet})
    document = book_reader.read(Input("a.epub", "a.epub", given=book))[0]
    assert not is_proof(document)
    assert document.hidden_words == 7


HOSTILE = {
    "around": ("".join(f".a .b{n} .c {{ color: red }}" for n in range(800)), "<p class='a b c'>"),
    "siblings": ("".join(f"p ~ p ~ .x{n} ~ p {{ color: red }}" for n in range(800)), "<p>"),
    "places": ("".join(f"p:nth-child({n}n):empty {{ color: red }}" for n in range(800)), "<p>"),
    "nested": (".a { &.b { &.c { color: red } } }" * 500, "<p class='a b c'>"),
    "deep": ("".join(f".q div div div .c{n % 9} {{ color: red }}" for n in range(800)),
             "<div class='c1 c2 q'>"),
    "long": ((":not(.x)" + ".c" * 200 + "{ color: red }") * 40, "<p class=c>"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_style_sheets_take_little_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagesum_cli.documents.readers.css.sheets.MAX_TESTS", 30_000)
    sheet, tag = HOSTILE[name]
    began = time.process_time()
    document = read(f"{tag}Words." * 500, sheet)
    assert time.process_time() - began < 1
    assert document.text.count("Words.") == 500


def test_a_sheet_is_followed_once_for_elements_that_are_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared, whole = 0, Selector.matches

    def matches(selector: Selector, element: object) -> bool:
        nonlocal compared
        compared += 1
        return whole(selector, element)

    monkeypatch.setattr(Selector, "matches", matches)
    # ".side0" to ".side49" share no bit with what is around the paragraph
    rules = "".join(f".c{n} {{ color: red }} .side{n} p {{ opacity: 0 }}" for n in range(50))
    read("<div><p class='c1 c2'>Words.</p></div>" * 300, rules)
    assert compared < 10


def test_sheets_that_are_too_large_to_follow_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pagesum_cli.documents.readers.css.sheets.MAX_TESTS", -100_000)
    document = read(f"<p class=z>{SECRET}</p>", ".z { display: none } .y .z { color: red }")
    assert "style sheets are too large" in next(unread([document]))
