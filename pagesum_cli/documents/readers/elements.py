"""What the elements of a web page are, by their names and classes: the table ``web_page.toml``."""

from typing import Any

from ...text.tables import table

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

WEB_PAGE = table(__file__, "web_page.toml")
SETS = {name: frozenset(words.split()) for name, words in WEB_PAGE["sets"].items()}
"""Names of elements, roles and classes by what they are."""


def has_class(element: Any, names: str) -> bool:
    """Whether an element has one of the classes of a set."""
    classes = element.get("class") or ""
    return bool(classes) and not SETS[names].isdisjoint(classes.lower().split())
