"""HTML: headings and text are kept, page furniture is left out."""

import pytest
from tiny import assert_linear

from pagesum_cli.documents.model import words
from pagesum_cli.documents.readers.html import html_document, text_of

ARTICLE = """<html><head><title>Owls - My site</title><style>p {}</style></head><body>
<nav><ul><li>Home <li>About us and all of the others</ul></nav>
<div class="cookie-banner">Do you accept all of these
cookies?</div><div id="footer">Contact us about this page any time</div>
<h1>Owls</h1><p>They <b>hunt</b> at&nbsp;night.<script>x()</script></p>
<h2>Food<span class="mw-editsection">[edit]</span></h2><ul><li>mice<li>birds</ul>
<h2><div>Very old</div> habits</h2><table><tr><td>Year<td>Owls</tr><tr><td>1900<td>12</tr></table>
<div class="references"><ol><li>Smith 1900, a book about owls.</ol></div></body></html>"""


def test_an_article() -> None:
    document = html_document(ARTICLE, "a.html", "a.html")
    assert document.title == "Owls"
    sections = [
        (one.level, one.heading, [part.text for part in one.paragraphs])
        for one in document.sections
    ]
    assert sections == [
        (1, "", ["They hunt at night."]),
        (1, "Food", ["mice", "birds"]),
        (1, "Very old habits", []),
    ]


def test_what_is_left_out_is_reported() -> None:
    left_out = html_document(ARTICLE, "a.html", "a.html").left_out
    reasons = [(one.reason, one.words) for one in left_out]
    assert reasons == [
        ("navigation", 8),
        ("navigation", 7),
        ("navigation", 7),
        ("table", 4),
        ("references", 6),
        ("mark", 1),
    ]
    assert left_out[1].text.startswith("Do you accept")


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Note</h1><p>One.</p><h2>Two</h2><p>Three.</p>",  # short
        "<div class=WordSection1><h1>Doc</h1><p class=MsoNormal><span "
        "lang=EN>Words.<o:p></o:p></span></p></div>",
        "<body bgcolor=white><h2>About</h2>Line<br><br>Another "
        "line<hr><h2>More</h2><center>Words</center>",
        "<div role=main><section><h1>Module</h1><dl><dt>foo(bar)<dd><p>Does "
        "it.</dl></section></div>",
        "<nav><h1>All of it</h1><p>is furniture</p></nav>",
    ],
)
def test_no_word_and_no_heading_is_lost(page: str) -> None:
    document = html_document(page, "a.html", "a.html")
    everything = [*document.title.split(), *words(document)]
    expected = text_of(page.replace("h1", "p").replace("h2", "p").replace("nav", "p"))
    assert sorted(everything) == sorted(expected.split())
    assert document.title or document.has_headings


def test_the_licence_around_a_book() -> None:
    start = (
        "<pre>The Project Gutenberg EBook of Owls\n\n*** START OF THIS PROJECT GUTENBERG "
        "EBOOK OWLS ***\n</pre>"
    )
    note = "<div class=transnote><p>Errors of the printer were corrected.</p></div>"
    end = "<pre>*** END OF THIS PROJECT GUTENBERG EBOOK OWLS ***\n\nYou may copy it.</pre>"
    book = html_document(f"<h1>Owls</h1>{start}{note}<p>They hunt at night.</p>{end}", "a", "a")
    assert book.text == "Owls\n\nThey hunt at night."
    assert [one.reason for one in book.left_out] == ["licence"] * 3


PROSE = (
    "The council decided on Monday that the old harbour will be rebuilt, after ten years of "
    "talks with owners."
)


def read(inner: str) -> tuple[str, list[tuple[str, list[str]]], list[tuple[str, int]]]:
    """Title, sections, and what is left out of a page."""
    document = html_document(
        f"<html><head><title>Page | Site</title></head><body>{inner}</body></html>", "a", "a"
    )
    sections = [(one.heading, [part.text for part in one.paragraphs]) for one in document.sections]
    return document.title, sections, [(one.reason, one.words) for one in document.left_out]


@pytest.mark.parametrize(
    ("head", "origin"),
    [
        ('<meta property="og:site_name" content="The [Herald]">', "The Herald"),
        ('<meta property="article:published_time" content="2024-01-03T10:00Z">', "3 January 2024"),
        (
            '<meta property="og:site_name" content="News"><meta name="date" content="2024-1-3">',
            "News",
        ),
        ('<meta name="citation_publication_date" content="2024/01/03">', "3 January 2024"),
        ("", ""),
    ],
)
def test_outlet_and_date_of_a_page(head: str, origin: str) -> None:
    page = (
        f"<html><head>{head}</head><body><p>The river rose by four meters on "
        f"Tuesday.</p></body></html>"
    )
    assert html_document(page, "a.html", "a.html").origin == origin


def test_a_news_page() -> None:
    page = f"""<div id="onetrust-consent"><p>We value your privacy, so accept.</p></div>
    <main><article><p class="kicker">Local news</p><h1>Harbour</h1><p class="byline">By Ada Lee</p>
    <figure><img><figcaption>The harbour. Photo: Bo Chan</figcaption></figure><p>{PROSE}</p>
    <div class="ad-container">Advertisement</div><h2>Boats</h2><p>{PROSE}</p></article></main>
    <section id="comments"><h2>Comments</h2><p>I do not believe it.</p></section>"""
    title, sections, left_out = read(page)
    assert title == "Harbour"
    assert sections == [("", [PROSE]), ("Boats", [PROSE])]
    assert left_out == [
        ("around the main part", 12),
        ("front matter", 3),
        ("caption", 5),
        ("navigation", 1),
        ("front matter", 2),
    ]


def test_words_of_pictures_and_media_are_reported() -> None:
    page = "<p>Owls.</p><svg><title>Icon</title><text>5 owls</text></svg><video>No video</video>"
    assert read(page)[1:] == ([("", ["Owls."])], [("in pictures and media", 4)])


def test_marks_are_dropped_and_exponents_are_not() -> None:
    marks = (
        '<sup class="reference"><a href="#n1">[1]</a></sup> of 5 km<sup>2</sup><a '
        'class="headerlink">¶</a>'
    )
    assert read(f"<h1>Owls</h1><p>{PROSE}</p><h2>Food{marks}</h2><p>Mice{marks}.</p>")[1][1] == (
        "Food of 5 km²",
        ["Mice of 5 km²."],
    )


def test_links_are_text_whatever_their_class() -> None:
    text = (
        "They are in <a class='reference internal' href='#x'>Section 2</a> and <span "
        "class='author'>Ada</span>'s book."
    )
    assert read(
        f"<p>{text}</p><p><a class='reference external' href='x'>The policy of owls</a></p>"
    )[1] == [("", ["They are in Section 2 and Ada's book.", "The policy of owls"])]


@pytest.mark.parametrize(
    "heading", ["Social consequences", "Author contributions to owls", "References in old books"]
)
def test_ids_that_repeat_a_heading_say_nothing(heading: str) -> None:
    place = heading.lower().replace(" ", "-")
    page = (
        f"<p>{PROSE}</p><section id={place}><h2>1. {heading}</h2><p>Owls "
        f"hunt.</p></section><p>{PROSE}</p>"
    )
    assert (f"1. {heading}", ["Owls hunt.", PROSE]) in read(page)[1]
    assert (heading, ["Owls hunt."]) in read(
        f"<p>{PROSE}</p><h2 id={place}>{heading}</h2><p>Owls hunt.</p>"
    )[1]


@pytest.mark.parametrize(
    "note",
    [
        "<aside class='footnote brackets' id=id4 role=note>[1] Smith says so.</aside>",
        "<section class=footnotes role=doc-endnotes><hr><ol><li id=fn1><p>Also Smith says "
        "so.</ol></section>",
        "<ol><li id='fn:1'>Also Smith says so.</ol>",
        "<div id=ftn1><p>[1] Smith says so.</p></div>",
    ],
)
def test_footnotes_are_left_out(note: str) -> None:
    mark = "<a class='footnote-reference brackets' href=#id4 role=doc-noteref>[<span>1</span>]</a>"
    _, sections, left_out = read(f"<p>{PROSE}{mark}</p><p>{PROSE}</p>{note}")
    assert sections == [("", [PROSE, PROSE])]
    assert left_out == [("footnote", 4), ("mark", 1)]


def test_the_heading_of_a_box_begins_no_section() -> None:
    box = "<div class='admonition tip'><h3>Tip</h3><p>Owls like mice.</p></div>"
    page = (
        f"<h1>Owls</h1><h2>Food</h2><p>{PROSE}</p>{box}<p>{PROSE}</p><h2>Sleep</h2><p>{PROSE}</p>"
    )
    assert read(page)[1] == [("Food", [PROSE, "Tip", "Owls like mice.", PROSE]), ("Sleep", [PROSE])]


def test_links_of_headings_to_themselves_are_no_words() -> None:
    assert read(f"<h2>Food¶</h2><p>{PROSE}</p>")[1] == [("Food", [PROSE])]


def test_what_is_hidden_is_called_so() -> None:
    hidden = (
        "<p style='display: none'>Nobody ever sees any of this.</p><aside>More stories that "
        "you may like.</aside>"
    )
    assert read(f"<p>{PROSE}</p><p>{PROSE}</p>{hidden}")[2] == [("hidden", 6), ("aside", 6)]


def test_encodings_are_read_as_browsers_read_them() -> None:
    page = "<meta charset=iso-8859-1><p>Brücke – “so”.</p>".encode("cp1252")
    assert html_document(page, "a", "a").text == "Brücke – “so”."


def test_tables_are_left_out_unless_they_are_layout() -> None:
    data = "<table><tr><th>Year<th>Owls<tr><td>1900<td>12</table>"
    layout = (
        f"<table><tr><td><a "
        f"href=x>Home</a><td><h1>Harbour</h1><p>{PROSE}</p>{data}<h2>More</h2>{PROSE}</table>"
    )
    title, sections, left_out = read(layout)
    assert (title, sections) == ("Harbour", [("", [PROSE]), ("More", [PROSE])])
    assert left_out == [("table", 4), ("front matter", 1)]


def test_code_is_left_out_and_plain_text_is_not() -> None:
    title, sections, left_out = read(
        f"<p>{PROSE}</p><pre>import owls\nowls.count(3)</pre><pre>{PROSE}\n{PROSE}</pre>"
    )
    assert sections == [("", [PROSE, f"{PROSE} {PROSE}"])]
    assert left_out == [("code", 3)]
    assert title == "Page"


def test_a_paper() -> None:
    page = f"""<article><h1>Owls</h1><ul><li>Ada Lee</ul><h2>Abstract</h2><p>{PROSE}</p>
    <h2>Methods</h2><p>{PROSE}</p>
    <h2>References</h2><ol><li>Smith (1900). Owls.</ol></article>"""
    title, sections, left_out = read(page)
    assert (title, sections) == ("Owls", [("Abstract", [PROSE]), ("Methods", [PROSE])])
    assert left_out == [("front matter", 2), ("references", 4)]


def test_a_class_of_the_whole_page_is_no_reason() -> None:
    assert read(f'<div class="has-sidebar nav-fixed"><form><p>{PROSE}</p></form></div>')[1] == [
        ("", [PROSE])
    ]


def test_the_title_without_the_name_of_the_site() -> None:
    document = html_document(
        f"<html><head><title>Owls | Site</title><meta property='og:title' "
        f"content='Owls'></head><p>{PROSE}</html>",
        "a",
        "a",
    )
    assert document.title == "Owls"


@pytest.mark.parametrize(
    "nested",
    ["<table><tr><td>", "<div class=nav>", "<div class=byline>", "<figure>", "<sup><a>", "<pre>"],
)
def test_deep_nesting_takes_linear_time(nested: str) -> None:
    assert_linear(
        lambda count: html_document(nested * 150 * count + PROSE * 100 * count, "a", "a"), 1
    )


def test_deep_nesting() -> None:
    document = html_document("<div>" * 2_000 + "Words" + "</div>" * 2_000, "a.html", "a.html")
    assert document.text == "Words"


@pytest.mark.parametrize(
    ("head", "heading", "title"),
    [
        ("<title>Harvest is late | The Westport Herald</title>", "", "Harvest is late"),
        (
            "<title>Harvest is late - The Herald</title>",
            "<h1>Harvest is late</h1><h1>More</h1>",
            "Harvest is late",
        ),
        ("<title>Owls – a history of the night</title>", "", "Owls – a history of the night"),
        (
            '<meta property="og:title" content="Late — Herald"><meta property="og:site_name" '
            'content="Herald">',
            "",
            "Late",
        ),
    ],
)
def test_the_name_of_the_site_is_no_part_of_the_title(head: str, heading: str, title: str) -> None:
    page = (
        f"<html><head>{head}</head><body>{heading}<p>{PROSE}</p>"
        f"<h2>A</h2><p>{PROSE}</p><h2>B</h2></body></html>"
    )
    assert html_document(page, "a", "a").title == title


def test_a_deck_is_text_below_the_headline() -> None:
    page = (
        f'<article><h1>Owls</h1><h2 class="article-deck">They hunt at '
        f"night.</h2><p>{PROSE}</p></article>"
    )
    assert read(page)[1] == [("Owls", ["They hunt at night.", PROSE])] or read(page)[0] == "Owls"
    assert "They hunt at night." not in [heading for heading, _ in read(page)[1]]


def text_of_paragraph(markup: str) -> str:
    return read(f"<h1>Owls</h1><p>{PROSE}</p><p>{markup}</p>")[1][0][1][-1]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("10<sup>6</sup> m<sup>2</sup>, CO<sub>2</sub>, 10<sup>-4</sup>.", "10⁶ m², CO₂, 10⁻⁴."),
        ("In 2020<sup><a href='#n'>1</a></sup> it hunts.", "In 2020 it hunts."),
        ("In 2020<a href='#n'><sup>1</sup></a> it hunts.", "In 2020 it hunts."),
        ("In 10<sup><a href='/w'>6</a></sup> it hunts.", "In 10⁶ it hunts."),
        ("It said <q>we <q>hunt</q></q> today.", "It said “we ‘hunt’” today."),
        ("So “<q>yes</q>” it is.", "So “yes” it is."),
        ("Of <math><mn>28.4</mn></math> mice.", "Of 28.4 mice."),
        ("Of <math alttext='x^{2n} \\leq \\alpha_{i}'></math> mice.", "Of x²ⁿ ≤αᵢ mice."),
        (
            "Of <math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msub><mi>x</mi>"
            "<mi>i</mi></msub></mfrac></math> mice.",
            "Of (a + b)/xᵢ mice.",
        ),
        ("Of <math><mi></mi></math> mice.", "Of [formula] mice."),
        ("Of <math><mi>x</mi><mspace width='1em'/><mi>y</mi></math>.", "Of x y."),
        (
            "Of <math><mmultiscripts><mi>C</mi><mn>2</mn><none/><mprescripts/><none/><mn>14</mn>"
            "</mmultiscripts></math>.",
            "Of ¹⁴C₂.",
        ),
        ("<img alt='T'>he owls hunt.", "The owls hunt."),
        ("5 m<span style='vertical-align: super'>3</span>.", "5 m³."),
        ("CO<span class='Subscript'>2</span> <span class='sup'>14</span>C.", "CO₂ ¹⁴C."),
        ("Of <object type='application/x-quiz'>ten owls</object>.", "Of ten owls."),
        ("Of <img class=tex alt='x^2'> mice.", "Of x² mice."),
        (
            "Of <span><i><math><mn>5</mn></math></i><b aria-hidden=true>5</b></span> mice.",
            "Of 5 mice.",
        ),
        (
            "Of <span><nobr aria-hidden=true>5</nobr><i><math><mn>5</mn></math></i></span> mice.",
            "Of 5 mice.",
        ),
    ],
)
def test_signs_that_only_the_markup_has(markup: str, text: str) -> None:
    assert text_of_paragraph(markup) == text


@pytest.mark.parametrize(
    "how",
    [
        "hidden",
        "style='DISPLAY: NONE'",
        "style='visibility:hidden'",
        "style='font-size:0'",
        "style='color:#fff'",
        "style='color:#123;background:#123'",
        "style='position:absolute;left:-9999px'",
        "style='color:rgba(0, 0, 0, 0)'",
        "style='color:#0000'",
        "style='height:0;overflow:hidden'",
        "style='transform:scale(0)'",
        "style='clip-path:inset(50% 50% 50% 50%)'",
        "style='clip-path:circle(0)'",
        "style='filter:opacity(0)'",
        "class=zz",
    ],
)
def test_what_a_page_does_not_show_is_left_out(how: str) -> None:
    page = f"<style>.zz{{display:none}}</style><p>{PROSE}</p><p {how}>Zebras hunt at night.</p>"
    document = html_document(page, "a.html", "a.html")
    assert "Zebras" not in document.text
    assert document.hidden_words == 4


@pytest.mark.parametrize(
    "how",
    [
        "aria-hidden=true",
        "style='color:#fff;background:#000'",
        "style='color:rgba(0,0,0,1)'",
        "style='color:rgb(20,20,0)'",
        "style='height:0'",
        "style='color:#000'",
    ],
)
def test_what_a_page_shows_is_read(how: str) -> None:
    document = html_document(
        f"<p>{PROSE}</p><p {how}>Zebras hunt at night.</p>", "a.html", "a.html"
    )
    assert "Zebras" in document.text


@pytest.mark.parametrize(
    "classes", ["widget Blog", "no-share post", "field--type-entity-reference", "sidebar-off"]
)
def test_the_article_is_where_the_prose_is(classes: str) -> None:
    more = "".join(f"<p><a href=/{n}>{PROSE}</a></p>" for n in range(9))
    page = f"<div class='{classes}'><p>{PROSE}</p><p>Zebras. {PROSE}</p></div><div>{more}</div>"
    document = html_document(page, "a.html", "a.html")
    assert "Zebras" in document.text


def test_a_product_below_a_fraction_has_brackets() -> None:
    factor = "<mo>(</mo><mn>1</mn><mo>−</mo><mi>q</mi><mo>)</mo>"
    formula = f"<math><mfrac><mi>q</mi><mrow>{factor}{factor}</mrow></mfrac></math>"
    _, sections, _ = read(f"<p>{PROSE}</p><p>We find {formula} here.</p>")
    assert sections[0][1][1] == "We find q/((1 − q)(1 − q)) here."


def test_marks_of_notes_are_no_text() -> None:
    note = "extent,<a href=notes.xhtml#n34 epub:type=noteref>34</a> a state"
    pages = "MS-DOS,<sup class=reference>: 242–243, 246 </sup> despite"
    _, sections, left_out = read(f"<p>{PROSE}</p><p>To some {note} of {pages} all.</p>")
    assert sections[0][1][1] == "To some extent, a state of MS-DOS, despite all."
    assert ("mark", 4) in left_out


@pytest.mark.parametrize("name", ["pagenum", "page-number", "pageno", "pagebreak"])
def test_printed_page_numbers_are_no_text(name: str) -> None:
    body = f'<p>The fox must <span class="{name}">164</span> pay the owl.</p>'
    _, sections, _ = read(body)
    assert sections == [("", ["The fox must pay the owl."])]
