"""HTML: headings and text are kept, page furniture is left out."""

import pytest

from pagesum_cli.documents.document import words
from pagesum_cli.documents.html import html_document, text_of

ARTICLE = """<html><head><title>Owls - My site</title><style>p {}</style></head><body>
<nav><ul><li>Home <li>About us and all of the others</ul></nav><div class="cookie-banner">Do you accept all of these
cookies?</div><div id="footer">Contact us about this page any time</div>
<h1>Owls</h1><p>They <b>hunt</b> at&nbsp;night.<script>x()</script></p>
<h2>Food<span class="mw-editsection">[edit]</span></h2><ul><li>mice<li>birds</ul>
<h2><div>Very old</div> habits</h2><table><tr><td>Year<td>Owls</tr><tr><td>1900<td>12</tr></table>
<div class="references"><ol><li>Smith 1900, a book about owls.</ol></div></body></html>"""


def test_an_article() -> None:
    document = html_document(ARTICLE, "a.html", "a.html")
    assert document.title == "Owls"
    sections = [(one.level, one.heading, [part.text for part in one.paragraphs]) for one in document.sections]
    assert sections == [
        (1, "", ["They hunt at night."]),
        (1, "Food", ["mice", "birds"]),
        (1, "Very old habits", ["Year Owls", "1900 12"]),
    ]


def test_what_is_left_out_is_reported() -> None:
    left_out = html_document(ARTICLE, "a.html", "a.html").left_out
    assert [one.reason for one in left_out] == ["navigation"] * 4
    assert [one.words for one in left_out] == [8, 7, 7, 6]
    assert left_out[1].text.startswith("Do you accept")


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Note</h1><p>One.</p><h2>Two</h2><p>Three.</p>",  # short
        "<div class=WordSection1><h1>Doc</h1><p class=MsoNormal><span lang=EN>Words.<o:p></o:p></span></p></div>",
        "<body bgcolor=white><h2>About</h2>Line<br><br>Another line<hr><h2>More</h2><center>Words</center>",
        "<div role=main><section><h1>Module</h1><dl><dt>foo(bar)<dd><p>Does it.</dl></section></div>",
        "<nav><h1>All of it</h1><p>is furniture</p></nav>",
    ],
)
def test_no_word_and_no_heading_is_lost(page: str) -> None:
    document = html_document(page, "a.html", "a.html")
    everything = [*document.title.split(), *words(document)]
    expected = text_of(page.replace("h1", "p").replace("h2", "p").replace("nav", "p"))
    assert sorted(everything) == sorted(expected.split())
    assert document.title or document.has_headings


def test_deep_nesting() -> None:
    document = html_document("<div>" * 2_000 + "Words" + "</div>" * 2_000, "a.html", "a.html")
    assert document.text == "Words"
