"""Pages of newspapers with several articles."""

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.html import html_document

STORY = "The police of the valley found the boat in the reeds below the old mill. " * 6
OTHER = "The council of the hill has set a toll of two pounds for the new bridge. " * 6


def read(title: str, *articles: str) -> Document:
    page = f"<html><head><title>{title}</title></head><body>{''.join(articles)}</body></html>"
    return html_document(page, "a.html", "a.html")


def article(headline: str, text: str) -> str:
    return f'<div class="article"><center><b>{headline}</b></center>{text}</div>'


def test_the_article_that_the_title_names_is_read() -> None:
    bridge, boat = article("Toll for<br>the Bridge", OTHER), article("Boat<br>Found", STORY)
    document = read("Boat Found - The Valley Crier - today", bridge, boat)
    assert [one.heading for one in document.sections] == ["Boat Found"]
    assert OTHER.strip() not in document.text
    assert [one.reason for one in document.left_out] == ["around the main part"]


def test_all_articles_are_read_if_the_title_names_none() -> None:
    articles = article("Toll for the Bridge", OTHER), article("Boat Found", STORY)
    document = read("The Valley Crier", *articles)
    assert [one.heading for one in document.sections] == ["Toll for the Bridge", "Boat Found"]


def test_a_single_line_in_bold_is_no_headline() -> None:
    document = read("Boat Found", article("Boat Found", STORY), f"<p>{OTHER}</p>")
    assert STORY.strip() in document.text
    assert OTHER.strip() in document.text
