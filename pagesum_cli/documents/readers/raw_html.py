"""Raw HTML in Markdown: which words between its tags a browser does not show."""

import re
from collections.abc import Container, Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from .html import parsed
from .invisible import Invisible

HIDDEN = "is_hidden"
"""What is noted of a token that is not shown."""
_AROUND = "around"  # what is noted of HTML: a tag with what the elements around it hand on
_PLACE = "data-place"
_OWN_PLACE = re.compile(_PLACE, re.IGNORECASE)  # what HTML of the text may not have
_IN_RAW_TEXT = re.compile(rf'{_PLACE}="(\d+)"')

_LIST = re.compile(r" {0,3}<([uod]l)\b", re.IGNORECASE)
_EDGE = re.compile(r"<(/?)([uod]l)\b", re.IGNORECASE)
_TAG_OF_LIST = re.compile(r"\s*</?(?:[uod]l|li|d[td])\b", re.IGNORECASE)


class Styles(NamedTuple):
    """The style sheets of a text."""

    text: str = ""
    are_too_large: bool = False  # to follow all of their rules


def note_hidden(tokens: Sequence[Any]) -> Styles:
    """Note in the tokens of a text what a browser does not show; returns its style sheets.

    The text is made a page with an element for each piece, which is asked whether it is shown.
    """
    pieces: list[Any] = []
    markup = "".join(_as_html(token, pieces) for token in _flat(tokens))
    root = parsed(markup)
    if root is None:
        return Styles()
    is_invisible = Invisible(root)
    _note_elements(root, pieces, is_invisible)
    for element in root.iter("script", "style"):
        for place in _IN_RAW_TEXT.findall(element.text or ""):
            pieces[int(place)].meta[HIDDEN] = True
    sheets = "\n".join(style.text_content() for style in root.iter("style"))
    return Styles(sheets, is_invisible.is_too_large)


def _note_elements(root: Any, pieces: Sequence[Any], is_invisible: Invisible) -> None:
    """Note which pieces are not shown, by their elements."""
    hidden = set[Any]()
    for element in root.iter():
        if element.getparent() in hidden or is_invisible(element):
            hidden.add(element)
        if place := element.get(_PLACE):
            _note(pieces[int(place)], element, is_invisible, hidden)


def _flat(tokens: Sequence[Any]) -> Iterator[Any]:
    """The tokens with those of paragraphs in their places."""
    for token in tokens:
        yield from token.children or [token]


def _as_html(token: Any, pieces: list[Any]) -> str:
    """A token as HTML; what has words is a numbered element, and so is the place before HTML."""
    markup = _OWN_PLACE.sub("data-own", token.content)
    if token.type == "html_inline":
        return markup
    if token.nesting:
        edge = "<" if token.nesting > 0 else "</"
        return "" if token.hidden else f"{edge}{token.tag}>"
    pieces.append(token)
    tag = f'<span {_PLACE}="{len(pieces) - 1}">'
    return f"{tag}</span>{markup}" if token.type == "html_block" else f"{tag}x</span>"


def _note(token: Any, element: Any, is_invisible: Invisible, hidden: Container[Any]) -> None:
    if token.type == "html_block":
        around = element.getparent()
        style = escape(is_invisible.look(around).as_style())
        token.meta[_AROUND] = "<div hidden>" if around in hidden else f'<div style="{style}">'
    elif element in hidden:
        token.meta[HIDDEN] = True


def block_of(token: Any) -> Any:
    """The root element of a token that is HTML, without its style sheets; None if it has none."""
    root = parsed(f"{token.meta.get(_AROUND, '')}{token.content}")
    for style in () if root is None else root.iter("style"):
        style.text = ""
    return root


def with_whole_lists(text: str) -> str:
    """The text without the empty lines between the tags of lists of HTML, which would end the HTML:
    an indented item after them would be code.
    """
    lines = text.split("\n")
    is_inside = _in_lists(lines)
    kept: list[str] = []
    for line, inside in zip(lines, is_inside, strict=True):
        if inside and _TAG_OF_LIST.match(line):
            empty = next(place for place, one in enumerate(reversed(kept)) if one.strip())
            if empty and kept[-empty - 1].rstrip().endswith(">"):
                del kept[-empty:]
        kept.append(line)
    return "\n".join(kept)


def _in_lists(lines: Sequence[str]) -> list[bool]:
    """Whether each line is in a list of HTML; no line where a list has no end."""
    depth = 0
    found: list[bool] = []
    for line in lines:
        found.append(depth > 0)
        if depth or _LIST.match(line):
            depth += sum(-1 if end else 1 for end, _ in _EDGE.findall(line))
    return [inside and not depth for inside in found]
