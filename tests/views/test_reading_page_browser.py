"""The summary beside its text in a real browser, by mouse and keyboard."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from views.browser import CHROMIUM, DRIVER, Browser, browser

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.summary import PageShare, Source, Summary, SummaryPage, SummarySentence
from pagesum_cli.views.formats import written

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER), reason="no Chromium with its chromedriver on this machine"
    ),
]

HOSTILE = (
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
)
SECTIONS, SENTENCES = 12, 60
PHONE = (390, 844)


def a_document() -> Document:
    """Twelve sections of a page each, with hostile text and a word that does not fit on a phone."""
    sections = []
    for number in range(SECTIONS):
        text = " ".join(
            f"In section {number}, sentence {place} says something of wheat."
            for place in range(SENTENCES)
        )
        paragraphs = (Paragraph(text, ((0, number + 1),)), Paragraph(HOSTILE), Paragraph("W" * 200))
        sections.append(Section(f"{number} {HOSTILE}", paragraphs))
    return Document("harvest.pdf", tuple(sections), HOSTILE)


def a_summary(document: Document) -> Summary:
    """Six quotes from every other section."""
    shares = tuple(PageShare(page, 1 / SECTIONS) for page in range(SECTIONS))
    starts = (*document.starts, len(document.text))
    sentences = []
    for page in range(0, SECTIONS, 2):
        text = f"In section {page}, sentence 50 says something of wheat."
        start = document.text.index(text)
        source = Source(page, 50, document.name, "", (page + 1,), start, start + len(text))
        sentences.append(SummarySentence(text, shares, source))
    pages = tuple(
        SummaryPage(
            i,
            f"Section {i}",
            document.name,
            (i + 1,),
            9,
            False,
            1 / SECTIONS,
            starts[i],
            starts[i + 1],
        )
        for i in range(SECTIONS)
    )
    return Summary("mini", "discourse", HOSTILE, "", tuple(sentences), (), pages, {}, {})


def write(folder: Path, summary: Summary, document: Document) -> Path:
    path = folder / "summary.html"
    path.write_text(
        written(summary, "html", documents=[document], path=str(path)), encoding="utf-8"
    )
    return path


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.fixture
def page(tmp_path: Path) -> Path:
    return write(tmp_path, a_summary(a_document()), a_document())


def is_seen(selector: str) -> str:
    """Whether the middle of an element is in the window, once nothing scrolls any more."""
    return f"""
      const box = document.querySelector('{selector}').getBoundingClientRect();
      const middle = (box.top + box.bottom) / 2;
      const settled = window.last === middle;
      window.last = middle;
      return settled && middle > 0 && middle < innerHeight;
    """


CURRENT = """
  const sentence = document.querySelector('[aria-current]');
  const lit = [...document.querySelectorAll('.q.now')].map((one) => one.id).join(' ');
  if (!sentence) return null;
  const box = sentence.getBoundingClientRect();
  return [sentence.getAttribute('href'), lit,
    box.top >= 0 && box.bottom <= innerHeight ? 'seen' : 'hidden'];
"""


def test_a_click_shows_the_quote_and_a_click_there_leads_back(window, page):
    window.open(page)
    assert window.run(CURRENT) is None
    window.click("#s5 .s")
    assert window.until(is_seen("#q5"))
    assert window.run(CURRENT) == ["#q5", "q5", "seen"]
    assert window.run(
        "return getComputedStyle(document.querySelector('#q5')).backgroundColor"
    ) != window.run("return getComputedStyle(document.querySelector('#q4')).backgroundColor")
    window.click("#q1")
    assert window.run(CURRENT) == ["#q1", "q1", "seen"]
    assert window.run("return document.activeElement.getAttribute('href')") == "#q1"
    assert window.run("return document.title") == f"{HOSTILE} – summary"
    assert window.console() == []
    assert window.requests() == [page.as_uri()]


def test_the_buttons_go_from_quote_to_quote(window, page):
    window.open(page)
    assert window.run("return document.getElementById('previous').disabled")
    for number in range(1, 7):
        window.click("#next")
        assert window.until(is_seen(f"#q{number}"))
        assert window.run(CURRENT)[0] == f"#q{number}"
    assert window.run("return document.getElementById('next').disabled")
    window.click("#previous")
    assert window.run(CURRENT)[:2] == ["#q5", "q5"]
    assert window.run("return document.getElementById('at').textContent") == "5 of 6"
    assert (
        window.run("return document.getElementById('live').textContent")
        == "Sentence 5 of 6: p. 9, Section 8"
    )


def test_the_keyboard_is_enough(window, page):
    window.open(page)
    window.press("Tab", "Tab", "Tab", "Tab")  # past the link to the text and the button
    assert window.until("return document.activeElement.getAttribute('href') === '#q2'")
    assert window.until(is_seen("#q2"))
    window.press("ArrowDown", "ArrowDown")
    assert window.run(CURRENT) == ["#q4", "q4", "seen"]
    assert window.until(is_seen("#q4"))
    assert window.run("return document.activeElement.getAttribute('href')") == "#q4"
    window.press("End", "ArrowUp", "Enter")  # goes to the quote
    assert window.run("return document.activeElement.id") == "q5"
    assert window.run("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
    window.press("Enter")  # and back
    assert window.run("return document.activeElement.getAttribute('href')") == "#q5"
    window.press("Escape")
    assert window.run(CURRENT) is None
    assert window.console() == []


@pytest.mark.parametrize("size", [PHONE, (320, 640), (1000, 700), (1400, 900)])
def test_nothing_is_wider_than_the_window(window, page, size):
    window.open(page, size=size)
    assert window.run("return document.documentElement.scrollWidth") == size[0]
    assert window.run(
        "return document.getElementById('side').scrollWidth <= "
        "document.getElementById('side').clientWidth"
    )


def test_on_a_phone_the_controls_stay_and_lead_back(window, page):
    window.open(page, size=PHONE)
    window.click("#s3 .s")
    assert window.until(is_seen("#q3"))
    assert window.until(is_seen("#controls"))
    assert window.run(CURRENT) == ["#q3", "q3", "hidden"]
    window.click("#next")
    assert window.until(is_seen("#q4"))
    window.click("#back")
    assert window.until(is_seen("#s4"))
    assert window.run(CURRENT) == ["#q4", "q4", "seen"]


def test_an_address_can_name_a_sentence(window, page):
    window.open(page, "#q6")
    assert window.until(is_seen("#q6"))
    assert window.run(CURRENT) == ["#q6", "q6", "seen"]
    window.click("#s2 .s")
    assert window.run("return location.hash") == "#q2"


def test_without_scripts_the_links_are_enough(window, page):
    window.cdp("Emulation.setScriptExecutionDisabled", value=True)
    try:
        window.open(page)
        window.click("#s4 .s")
        assert window.until(is_seen("#q4"))
        assert window.run("return document.querySelector(':target').id") == "q4"
        lit, other = (
            window.run(
                f"return getComputedStyle(document.querySelector('#{name}')).backgroundColor"
            )
            for name in ("q4", "q5")
        )
        assert lit != other
        assert window.run("return document.getElementById('controls').hidden")
        assert "sentence 59 says" in window.run("return document.getElementById('text').innerText")
    finally:
        window.cdp("Emulation.setScriptExecutionDisabled", value=False)


def test_a_generated_sentence_marks_its_parts_with_their_confidence(window, tmp_path):
    document = a_document()
    summary = a_summary(document)
    shares = tuple(PageShare(page, share) for page, share in ((7, 0.6), (2, 0.3), (0, 0.1)))
    rest = tuple(PageShare(page, 0.0) for page in range(SECTIONS) if page not in (0, 2, 7))
    sentence = SummarySentence("Wheat is dear.", shares + rest, None, False, ())
    window.open(
        write(tmp_path, replace(summary, sentences=(*summary.sentences, sentence)), document)
    )
    window.click("#s7 .s")
    assert window.until(is_seen("#p7"))
    parts, tints = window.run(LIT)
    assert parts == ["0", "2", "7"]  # those with more than an even share
    assert len(set(tints)) == 3
    assert window.run("return document.getElementById('p7').textContent") == "60 %"
    window.click("#s1 .s")
    assert window.run(LIT) == [[], []]
    assert window.run("return document.getElementById('p7').textContent") == "8 %"


LIT = """
  const lit = [...document.querySelectorAll('h3.lit')];
  return [lit.map((one) => one.dataset.p), lit.map((one) => getComputedStyle(one).backgroundColor)];
"""


def test_dark_and_light_are_both_legible(window, page):
    for scheme in ("light", "dark"):
        window.cdp(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
        window.open(page, "#q1")
        contrasts = window.run(CONTRASTS)
        assert min(contrasts.values()) > 4.5, (scheme, contrasts)
    window.cdp("Emulation.setEmulatedMedia", features=[])


CONTRASTS = """
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (numbers(color)[3] !== 0) return color;
    }
  };
  const light = (color) => {
    const [r, g, b] = numbers(color).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (selector) => {
    const element = document.querySelector(selector);
    const [low, high] = [getComputedStyle(element).color, behind(element)].map(light)
      .sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const selectors = [".s", "li.now .s", "li.now cite", "li:not(.now) cite", "#text p", ".q",
    ".q.now", ".q.now sup", ".q:not(.now) sup", ".pg", ".part b", "footer", "h1", "h2", ".about"];
  return Object.fromEntries(selectors.map((selector) => [selector, contrast(selector)]));
"""


def test_print_is_the_summary_with_its_citations(window, page):
    window.open(page, "#q2")
    window.cdp("Emulation.setEmulatedMedia", media="print")
    shown = window.run("return document.body.innerText")
    window.cdp("Emulation.setEmulatedMedia", media="")
    assert "In section 10, sentence 50 says" in shown
    assert "p. 11, Section 10" in shown
    assert "sentence 49 says" not in shown
    assert "of 6" not in shown


def test_a_long_document_opens_fast(window, tmp_path):
    """100 000 words in 200 parts: parsed, laid out and painted."""
    text = " ".join(
        f"Sentence number {number} has exactly ten words in it, or so." for number in range(9000)
    )
    size = 540
    paragraphs = tuple(Paragraph(text[start : start + size]) for start in range(0, len(text), size))
    document = Document("long.txt", (Section("", paragraphs),))
    shares = tuple(PageShare(page, 1 / 200) for page in range(200))
    part = len(document.text) // 200
    pages = tuple(
        SummaryPage(
            i, f"sentences {i}", "long.txt", (), 9, False, 1 / 200, i * part, (i + 1) * part
        )
        for i in range(200)
    )
    source = Source(0, 0, "long.txt", "", (), len(document.text) - 90, len(document.text) - 40)
    summary = Summary(
        "mini", "spatial", "", "", (SummarySentence("One.", shares, source),), (), pages, {}, {}
    )
    path = write(tmp_path, summary, document)

    def seconds() -> float:
        window.open(path)
        return window.until(
            "const one = performance.getEntriesByType('navigation')[0]; "
            "return one.loadEventEnd / 1000"
        )

    assert min(seconds() for _ in range(3)) < 1.5
    window.click("#s1 .s")
    assert window.until(is_seen("#q1"))
