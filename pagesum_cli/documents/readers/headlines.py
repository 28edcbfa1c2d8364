"""Pages of newspapers: headlines without the tag of one, and the article among several that the
title of the page names.
"""

from typing import Any

from ...text.cleaning import one_line
from ..article.divisions import plain

MIN_HEADLINES = 2  # lines in bold in the middle that are headlines
MIN_WORDS, MAX_WORDS = 2, 14  # of one
MIN_ARTICLE = 60  # words of an article that the title names
MAX_ARTICLES = 200  # elements that may be articles
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NAMES = frozenset(("article", "story", "post", "entry", "news-item"))  # classes of articles


def mark_headlines(root: Any) -> None:
    """Make headings of the lines in bold in the middle of a page that has no headings."""
    if next(root.iter(*_HEADINGS), None) is not None:
        return
    found = [one for one in root.iter("center") if _is_headline(one)]
    for headline in found if len(found) >= MIN_HEADLINES else ():
        headline.tag = "h2"


def _is_headline(element: Any) -> bool:
    """Whether an element in the middle has nothing but a few words in bold, and no sentence."""
    bold = element[0] if len(element) == 1 else None
    if bold is None or bold.tag not in ("b", "strong"):
        return False
    beside = f"{element.text or ''}{bold.tail or ''}".strip()
    text = one_line(" ".join(bold.itertext()))
    return not beside and MIN_WORDS <= len(text.split()) <= MAX_WORDS and text[-1] not in ".:;,"


def named_article(root: Any, title: str) -> Any:
    """The article whose headline the title of a page begins with, if it has several that are
    beside one another; else None.
    """
    articles = [one for one in root.iter("article", "div", "section") if _is_article(one)]
    if len(articles) > MAX_ARTICLES:
        return None
    single = list(filter(_is_outermost, articles))
    named = [one for one in single if _is_named(one, title)]
    is_long = len(named) == 1 and len(named[0].text_content().split()) >= MIN_ARTICLE
    return named[0] if is_long and sum(map(_has_headline, single)) > 1 else None


def _is_article(element: Any) -> bool:
    classes = (element.get("class") or "").lower().split()
    return element.tag == "article" or not _NAMES.isdisjoint(classes)


def _is_outermost(article: Any) -> bool:
    return not any(map(_is_article, article.iterancestors()))


def _has_headline(article: Any) -> bool:
    return next(article.iter(*_HEADINGS), None) is not None


def _is_named(article: Any, title: str) -> bool:
    """Whether the first heading of an article is the beginning of a title."""
    headline = next(article.iter(*_HEADINGS), None)
    words = [] if headline is None else " ".join(headline.itertext()).split()
    own = plain(" ".join(words))
    return len(words) >= MIN_WORDS and plain(title).startswith(own)
