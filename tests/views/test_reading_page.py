"""The summary beside its text, as HTML that a parser reads."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.summary.page_confidences import steps_of
from pagesum_cli.summary.summary import (
    PageShare,
    Source,
    SourceSentence,
    Summary,
    SummaryPage,
    SummarySentence,
)
from pagesum_cli.views.formats import written
from pagesum_cli.views.reading_page.marks import file_link
from pagesum_cli.views.reading_page.page import reading_page

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
VOID = {"meta", "path", "rect"}
NASTY = (
    "</style></script><script>alert(1)</script><img src=x onerror=alert(1)> \" ' &amp; &#60; "
    "$title {x} \u202eabc"
)
SEEN = NASTY.replace("\u202e", "")  # what changes the direction of writing is left out


class Page(HTMLParser):
    """What a browser would find: elements with their whole text, and with the text without
    marks.
    """

    def __init__(self, text):
        super().__init__()
        self.source, self.elements, self.open, self.links = text, [], [], {}
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        element = {
            "tag": tag,
            "text": "",
            "plain": "",
            "inside": [one["tag"] for one in self.open],
            **dict(attrs),
        }
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        if tag not in VOID:
            assert self.open.pop()["tag"] == tag

    def handle_data(self, data):
        is_mark = any(
            one["tag"] == "sup" or one.get("class") in ("part", "pg") for one in self.open
        )
        for element in self.open:
            element["text"] += data
            element["plain"] += "" if is_mark else data

    def all(self, tag=None, **attributes):
        return [
            one
            for one in self.elements
            if tag in (None, one["tag"])
            and all(value in (one.get(name) or "").split() for name, value in attributes.items())
        ]

    def one(self, tag=None, **attributes):
        (element,) = self.all(tag, **attributes)
        return element


def text_of(element):
    return element["plain"]


def texts_of(page):
    """Headings and paragraphs of the text."""
    blocks = [
        one
        for one in page.elements
        if re.fullmatch(r"h[3-6]|p", one["tag"]) and "article" in one["inside"]
    ]
    return [one["plain"] for one in blocks if one.get("class") != "note"]


HEADINGS = ("Abstract", "1 Results", "1.1 Prices")
TEXTS = (
    "Wheat was dear. Bread was dearer.",
    "Farms by the river lost half of it. Others lost less. The mills stood still.",
    "Prices rose until May. Then they fell.",
)
PLACES = {
    text: sum(len(one) + 2 for one in (*HEADINGS[:i], *TEXTS[:i])) for i, text in enumerate(TEXTS)
}


def a_document(name="harvest.pdf", source="", title="Wheat"):
    return Document(
        name,
        (
            Section(HEADINGS[0], (Paragraph(TEXTS[0], ((0, 1),)),)),
            Section(HEADINGS[1], (Paragraph(TEXTS[1], ((0, 1), (36, 2))),)),
            Section(HEADINGS[2], (Paragraph(TEXTS[2], ((0, 2),)),), level=4),
        ),
        title,
        source,
        (LeftOut("references", "Smith", 12), LeftOut("table", "1 2", 1)),
    )


def span(document, quote):
    start = document.text.index(quote)
    return start, start + len(quote)


def summary_of(document, *quotes):
    """Quotes from a document of two parts, the second beginning within the second section."""
    second = span(document, "Others lost")[0]
    spans = ((span(document, TEXTS[0])[0], second - 1), (second, len(document.text)))
    shares = (PageShare(0, 0.7), PageShare(1, 0.3))
    return Summary(
        model="mini",
        locality="discourse",
        title=document.title,
        text=" ".join(quotes),
        sentences=tuple(
            SummarySentence(
                quote,
                shares,
                Source(
                    int(span(document, quote)[0] >= second),
                    0,
                    document.name,
                    "S",
                    (1,),
                    *span(document, quote),
                ),
            )
            for quote in quotes
        ),
        tokens=(),
        pages=tuple(
            SummaryPage(
                i, f"Part {i}", document.name, (1, 2), 50, False, shares[i].confidence, *spans[i]
            )
            for i in range(2)
        ),
        settings={},
        seconds={},
    )


def page_of(summary, *documents, path=None):
    return Page(written(summary, "html", documents=documents, path=path))


def test_the_summary_and_the_whole_text_are_there_in_order():
    document = a_document()
    page = page_of(summary_of(document, "Bread was dearer.", "Then they fell."), document)
    assert [one["text"] for one in page.all(**{"class": "s"})] == [
        "Bread was dearer.",
        "Then they fell.",
    ]
    assert texts_of(page) == [text for pair in zip(HEADINGS, TEXTS, strict=True) for text in pair]
    assert page.all("title")[0]["text"] == "Wheat – summary"


def test_a_place_is_cited_once_for_neighbors_from_it():
    document = a_document()
    summary = summary_of(document, "Bread was dearer.", "Then they fell.", "Bread was dearer.")
    elsewhere = replace(
        summary.sentences[2], source=replace(summary.sentences[2].source, pdf_pages=(2,))
    )
    summary = replace(summary, sentences=(*summary.sentences[:2], elsewhere))
    assert [one["text"] for one in page_of(summary, document).all("cite")] == ["p. 1, S", "p. 2, S"]


def test_a_sentence_leads_to_its_quote_and_the_quote_back():
    document = a_document()
    page = page_of(summary_of(document, "Bread was dearer.", "Then they fell."), document)
    for number, text in enumerate(("Bread was dearer.", "Then they fell."), start=1):
        sentence = page.one("a", href=f"#q{number}")
        quote = page.one("a", id=f"q{number}")
        assert (sentence["text"], text_of(quote)) == (text, text)
        assert quote["href"] == f"#s{number}"
        assert page.one("li", id=f"s{number}")


def test_every_link_inside_the_page_has_its_target():
    document = a_document()
    page = page_of(
        summary_of(document, "Bread was dearer.", "Bread was dearer.", "Prices rose until May."),
        document,
    )
    ids = [one["id"] for one in page.elements if "id" in one]
    assert len(ids) == len(set(ids))
    assert {one["href"][1:] for one in page.all("a") if one["href"].startswith("#")} <= set(ids)


def test_two_sentences_can_share_a_quote():
    document = a_document()
    page = page_of(summary_of(document, "Bread was dearer.", "Bread was dearer."), document)
    quote = page.one(**{"class": "q"})
    assert quote["data-s"] == "1 2"
    assert quote["id"] == "q1"
    assert "a" in page.one("i", id="q2")["inside"]


def test_a_quote_goes_on_over_the_end_of_a_page_and_of_a_part():
    document = a_document()
    quote = "Farms by the river lost half of it. Others lost less."
    page = page_of(summary_of(document, quote), document)
    pieces = page.all("a", **{"class": "q"})
    assert "".join(map(text_of, pieces)) == quote
    assert [one.get("tabindex") for one in pieces[1:]] == ["-1"] * len(pieces[1:])
    assert not [one for one in page.all("a") if "a" in one["inside"]]


def test_the_text_is_divided_by_parts_that_show_their_share():
    document = a_document()
    page = page_of(summary_of(document, "Then they fell."), document)
    first, second = page.all(**{"class": "part"})
    assert [first["id"], second["id"]] == ["p0", "p1"]
    assert first["aria-label"] == "Part 1, Part 0: 70 % of the summary"
    assert "p" not in first["inside"]  # above the heading of the first sentence
    assert "p" in second["inside"]
    assert [one["text"] for one in page.all(**{"data-p": "1"}) if one["tag"] == "h6"] == []
    assert [one["text"].strip() for one in page.all("span", **{"data-p": "1"})] == [
        "Others lost less. The mills stood still."
    ]


def test_citations_can_be_left_out():
    document = a_document()
    summary = summary_of(document, "Then they fell.")
    assert len(page_of(summary, document).all("cite")) == 1
    assert not Page(written(summary, "html", cite=False, documents=[document])).all("cite")


def test_pdf_pages_are_shown_where_they_begin():
    document = a_document()
    page = page_of(summary_of(document, "Then they fell."), document)
    assert [one["text"] for one in page.all(**{"class": "pg"})] == ["p. 1", "p. 2"]
    assert (
        page.source.index(">p. 2<")
        < page.source.index("Others lost")
        < page.source.index("Prices rose")
    )


def test_links_lead_to_the_page_in_the_file(tmp_path):
    folder = tmp_path / "100% ä #1?"
    folder.mkdir()
    file = folder / "har vest:1.pdf"
    file.write_bytes(b"%PDF")
    document = a_document(source=str(file))
    page = page_of(
        summary_of(document, "Then they fell."),
        document,
        path=str(tmp_path / "out" / "summary.html"),
    )
    cite = next(one for one in page.all("a") if "cite" in one["inside"])
    address, _, fragment = cite["href"].partition("#")
    assert unquote(address) == "../100% ä #1?/har vest:1.pdf"
    assert not re.search(r"[^\w./%~-]|:", address)
    assert fragment == "page=1"
    assert [one["href"].partition("#")[2] for one in page.all("a", **{"class": "pg"})] == [
        "page=1",
        "page=2",
    ]


@pytest.mark.parametrize("source", ["", "-", "missing.pdf", "data.jsonl"])
def test_what_is_not_in_a_file_of_its_own_has_no_link(tmp_path, monkeypatch, source):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.jsonl").write_text("{}")
    document = a_document(source=source)
    assert file_link(document, None) == ""
    page = page_of(summary_of(document, "Then they fell."), document)
    assert all(one["href"].startswith("#") for one in page.all("a"))
    assert page.one("cite")["text"] == "p. 1, S"


def test_each_document_has_its_heading_and_its_own_quotes(tmp_path):
    """Two files of the same name, in different folders."""
    first, second = a_document(title="One"), a_document(title="")
    one, two = summary_of(first, "Then they fell."), summary_of(second, "Bread was dearer.")
    moved = tuple(replace(page, page=page.page + 2) for page in two.pages)
    shares = tuple(PageShare(page, 0.25) for page in range(4))
    source = replace(two.sentences[0].source, page=2)
    sentences = tuple(
        replace(s, pages=shares)
        for s in (one.sentences[0], replace(two.sentences[0], source=source))
    )
    page = page_of(
        replace(one, title="", pages=(*one.pages, *moved), sentences=sentences), first, second
    )
    assert page.one("h1")["text"] == "Summary of 2 documents"
    assert [h2["text"] for h2 in page.all("h2")] == ["Summary", "One", "harvest.pdf"]
    articles = page.all("article")
    assert [article["text"].count("Wheat was dear.") for article in articles] == [1, 1]
    assert (
        page.source.index('id="q1"')
        < page.source.rindex("<article>")
        < page.source.index('id="q2"')
    )


def generated(document):
    """One sentence that a sentence of the document supports, one that nothing supports."""
    base = summary_of(document, "Bread was dearer.", "Then they fell.")
    evidence = (SourceSentence("Then they fell.", 1, (2,), 0.5),)
    shares = (PageShare(1, 0.7), PageShare(0, 0.3))
    return replace(
        base,
        sentences=(
            SummarySentence("The prices fell.", shares, None, True, evidence),
            SummarySentence("The king died.", shares, None, False, ()),
        ),
    )


def test_a_generated_sentence_leads_to_what_supports_it_or_to_its_strongest_part():
    document = a_document()
    page = page_of(generated(document), document)
    assert text_of(page.one("a", id="q1")) == "Then they fell."
    assert "span" in page.one("i", id="q2")["inside"]
    assert (
        page.source.index('id="p1"')
        < page.source.index('id="q2"')
        < page.source.index("Others lost")
    )
    assert [one["data-w"] for one in page.all("a", **{"class": "s"})] == ["1:70", "1:70"]
    assert [one["text"] for one in page.all(**{"class": "flag"})] == [
        "No sentence of the document supports this."
    ]


def test_words_that_the_model_did_not_read_are_in_gray():
    document = a_document()
    summary = summary_of(document, "Bread was dearer.")
    page = page_of(replace(summary, pages=summary.pages[:1]), document)
    assert [one["text"] for one in page.all(**{"class": "unread"})] == [
        "Others lost less. The mills stood still.",
        TEXTS[2],
    ]
    assert "did not read 14 words" in page.one("article")["text"]


def test_what_was_left_out_of_the_text_is_named():
    document = a_document()
    page = page_of(summary_of(document, "Then they fell."), document)
    assert (
        page.one("p", **{"class": "note"})["text"]
        == "Left out of this text: references (12 words), table (1 word)."
    )


def test_without_the_documents_there_is_a_table_of_the_parts(quoted):
    page = page_of(quoted)
    assert len(page.all("tr")) == len(quoted.pages)
    assert [one["tag"] for one in page.all(**{"class": "s"})] == ["span"] * 3


def test_headings_leave_out_no_level_and_there_are_landmarks():
    document = a_document()
    page = page_of(summary_of(document, "Then they fell."), document)
    levels = [int(one["tag"][1]) for one in page.elements if re.fullmatch(r"h[1-6]", one["tag"])]
    assert levels == [1, 2, 2, 3, 3, 4]
    assert page.one("html")["lang"] == "en"
    assert page.one("main")
    assert [
        one["aria-labelledby" if one["id"] == "side" else "aria-label"]
        for one in page.all("section")
    ] == [
        "title",
        "Text",
    ]


def policy_of(page):
    return page.one("meta", **{"http-equiv": "Content-Security-Policy"})["content"]


def test_the_policy_lets_only_the_pages_own_style_and_script_in():
    document = a_document()
    page = page_of(summary_of(document, "Then they fell."), document)
    policy = policy_of(page)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(page.one(tag)["text"].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    names = {
        name
        for one in page.elements
        for name in one
        if name not in ("tag", "text", "plain", "inside")
    }
    assert not [
        name for name in names if name.startswith("on") or name in ("style", "src", "srcset")
    ]
    assert not re.search(r"https?:|@import|url\(", page.source)


def test_hostile_text_is_text():
    document = Document(
        NASTY,
        (Section(NASTY, (Paragraph(NASTY), Paragraph(f"A {NASTY} b."))),),
        NASTY,
        "",
        (LeftOut(NASTY, NASTY, 1),),
    )
    start, end = span(document, f"A {NASTY} b.")
    source = Source(0, 0, NASTY, NASTY, (), start, end)
    summary = Summary(
        model=NASTY,
        locality=NASTY,
        title=NASTY,
        text=NASTY,
        sentences=(SummarySentence(f"A {NASTY} b.", (PageShare(0, 1.0),), source),),
        tokens=(),
        pages=(SummaryPage(0, NASTY, NASTY, (), 9, False, 1.0, 0, end),),
        settings={},
        seconds={},
    )
    page = page_of(summary, document)
    assert len(page.all("script")) == len(page.all("style")) == 1
    assert not page.all("img")
    assert "\u202e" not in page.source
    assert page.one("h1")["text"] == page.one("h3")["text"] == SEEN
    assert text_of(page.one("a", id="q1")) == page.one("a", href="#q1")["text"] == f"A {SEEN} b."


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_marked_the_text_stays_as_it_is(seed):
    """Parts, pages and quotes that begin and end anywhere, over each other too."""
    random = Random(seed)
    sections = tuple(
        Section(
            random.choice(["", "Heading & <b>"]),
            tuple(
                Paragraph(
                    text,
                    tuple(
                        zip(
                            (0, *sorted(random.sample(range(1, 30), 2))),
                            random.sample(range(9), 3),
                            strict=True,
                        )
                    ),
                )
                for text in (
                    f"Paragraph {number} holds <i>fewer</i> than ninety characters &amp; ends."
                    for number in range(3)
                )
            ),
            random.randint(1, 4),
        )
        for _ in range(3)
    )
    document = Document("a.txt", sections)
    cuts = sorted(random.sample(range(len(document.text)), 8))
    shares = tuple(PageShare(page, 0.25) for page in range(4))
    pages = tuple(
        SummaryPage(i, "x", "a.txt", (), 9, False, 0.25, *cuts[2 * i : 2 * i + 2]) for i in range(4)
    )
    spans = [sorted(random.sample(range(len(document.text)), 2)) for _ in range(5)]
    sentences = tuple(
        SummarySentence("x", shares, Source(0, 0, "a.txt", "", (), *span)) for span in spans
    )
    page = page_of(Summary("m", "spatial", "", "", sentences, (), pages, {}, {}), document)
    assert texts_of(page) == [part for section in sections for part in section.parts]
    ids = [one["id"] for one in page.elements if "id" in one]
    assert len(ids) == len(set(ids))
    assert not [one for one in page.all("a") if "a" in one["inside"]]
    assert {one["href"][1:] for one in page.all("a")} <= set(ids)


def test_the_file_is_not_much_larger_than_the_text():
    paragraphs = tuple(
        Paragraph(f"Sentence {number} says what it says, and no more than that. " * 4)
        for number in range(2000)
    )
    document = Document("long.txt", (Section("", paragraphs),))
    size = len(document.text) // 200
    shares = tuple(PageShare(page, 1 / 200) for page in range(200))
    pages = tuple(
        SummaryPage(
            i, f"sentences {i}", "long.txt", (), 9, False, 1 / 200, i * size, (i + 1) * size
        )
        for i in range(200)
    )
    sentence = SummarySentence("x", shares, Source(0, 0, "long.txt", "", (), 0, 50))
    summary = Summary("mini", "spatial", "", "x", (sentence,), (), pages, {}, {})
    assert len(written(summary, "html", documents=[document])) < 1.25 * len(document.text)


def test_the_command_writes_a_page_with_the_text(pagesum, report, tiny_extractive, tmp_path):
    output = tmp_path / "out" / "summary.html"
    output.parent.mkdir()
    assert pagesum("summarize", report, "--model", tiny_extractive, "-o", output).code == 0
    page = Page(output.read_text(encoding="utf-8"))
    assert page.one("h1")["text"] == "The late harvest"
    assert page.all("a", href="../report.md")
    for number in range(1, len(page.all("li")) + 1):
        quote, sentence = (
            page.one("a", **{name: f"{mark}q{number}"})
            for name, mark in (("id", ""), ("href", "#"))
        )
        assert text_of(quote).lower() == sentence["text"].lower()
    assert [one["text"] for one in page.all("h3")] == ["Introduction", "Methods", "Results"]


def test_each_file_gets_its_own_page(pagesum, report, letter, tiny_extractive, tmp_path):
    arguments = (
        "--each",
        "--format",
        "html",
        "--output-dir",
        tmp_path / "out",
        "--model",
        tiny_extractive,
    )
    assert pagesum("summarize", report, letter, *arguments).code == 0
    for path in (report, letter):
        page = Page((tmp_path / "out" / f"{path.stem}.html").read_text(encoding="utf-8"))
        assert page.all("a", href=f"../{path.name}")
        assert len(page.all("article")) == 1
        assert page.all("a", id="q1")


def test_the_example_in_the_documentation_has_the_present_style_and_script():
    """If not, run docs/images/make_reading_page.py."""
    example = Page((EXAMPLES / "summary.html").read_text(encoding="utf-8"))
    document = a_document()
    page = page_of(summary_of(document, "Then they fell."), document)
    for tag in ("style", "script"):
        assert example.one(tag)["text"] == page.one(tag)["text"]
    files = {one["href"].partition("#")[0] for one in example.all("a")} - {""}
    assert files == {"paper.pdf"}


def test_the_heat_map_has_a_cell_for_each_row_and_step_with_its_confidence(summary):
    page = reading_page(summary)
    cells = re.findall(
        r'<rect [^>]*fill="#[0-9a-f]{6}"><title>(\d+) % ([^<]*) · ([^<]*)</title>', page
    )
    steps = steps_of(summary, "word")
    assert len(cells) == len(steps) * len(summary.pages)
    assert int(cells[0][0]) == round(100 * steps[0].confidences[0])


def test_in_the_heat_map_parts_without_a_share_have_one_row_together(a_summary):
    page = reading_page(a_summary(labels=[f"Section {number}" for number in range(400)]))
    labels = re.findall(r"<text [^>]*>([^<]*) \d+ %</text>", page)
    assert 3 <= len(labels) <= 60
    assert re.fullmatch(r"\d+ further parts", labels[-1])


def test_text_in_the_heat_map_is_escaped(a_summary):
    hostile = "</svg><script>x</script>"
    page = reading_page(a_summary(labels=[hostile, "b"], sentences=[hostile], title=hostile))
    assert page.count("<script") == 1
