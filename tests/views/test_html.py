"""Summaries as an HTML page."""

from html.parser import HTMLParser

from pagesum_cli.views.html import html_view


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)


def test_it_shows_title_summary_and_a_row_for_each_page(summary):
    page = Page(html_view(summary))
    text = " ".join("".join(page.text).split())
    assert summary.title in text
    assert all(sentence.text in text for sentence in summary.sentences)
    assert page.tags.count("tr") == len(summary.pages)


def test_it_needs_nothing_from_elsewhere_and_runs_nothing(summary):
    page = Page(html_view(summary))
    assert not {"script", "link", "img", "iframe"} & set(page.tags)
    assert not [value for name, value in page.attributes if name in ("src", "href")]


def test_text_from_documents_is_never_a_tag_or_an_attribute(a_summary):
    nasty = "\"><script>alert(1)</script><img src=x onerror=alert(1)> ' {title} &amp;"
    hostile = a_summary(labels=[nasty] * 2, sentences=[nasty], title=nasty, sources=[nasty])
    page = Page(html_view(hostile, cite=True))
    assert not {"script", "img"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert nasty in "".join(page.text)
