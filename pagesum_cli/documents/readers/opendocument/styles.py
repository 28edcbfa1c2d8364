"""Styles of OpenDocument texts, as those of Word."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ....text.tables import table
from ...lists import integer
from ..word.styles import MIN_WIDTH, Script, Style
from .markup import full, name_of, value_of

_NAMES = table(__file__, "opendocument.toml")["styles"]
_ESCAPED = re.compile(r"_([0-9a-f]{2})_")
_SIZE = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,9})?)(pt|%|in|cm|mm)")
_HALF_POINTS = {"pt": 2.0, "in": 144.0, "cm": 56.7, "mm": 5.67}
_RAISED = re.compile(r"(super|sub|-?[0-9]{1,3}(?:\.[0-9]{1,9})?%)(?:\s|\Z)")
MAX_PARENTS = 20  # styles that one is based on, one upon the other
MAX_OPACITY = 5  # percent of transparent text
BOLD = 600  # the weight from which on letters are bold


class Styles:
    """The styles of a document.

    Args:
        roots: The elements with styles (``office:automatic-styles``, ``office:styles``), the ones
            that go before others first.
    """

    def __init__(self, roots: list[Any]) -> None:
        self._elements: dict[tuple[str, str], Any] = {}
        self._made: dict[str, Style] = {}
        self._lists: dict[str, Any] = {}
        self._base = Style()
        for root in roots:
            for one in root.iterchildren(full("style:style"), full("style:default-style")):
                key = value_of(one, "style:family"), value_of(one, "style:name")
                self._elements.setdefault(key, one)
            for one in root.iterchildren(full("text:list-style")):
                self._lists.setdefault(value_of(one, "style:name"), one)
        for element in self._chain("paragraph", ""):
            self._base = _with(self._base, element)

    def _chain(self, family: str, name: str) -> list[Any]:
        """A style and those that it is based on, which come first."""
        found: list[Any] = []
        while (one := self._elements.get((family, name))) is not None and len(found) < MAX_PARENTS:
            found.append(one)
            if not name:
                break
            name = value_of(one, "style:parent-style-name")
            if not name:
                break
        return found[::-1]

    def list_of(self, name: str) -> Any:
        """The element with the levels of a list; None if there is none."""
        return self._lists.get(name)

    def list_of_paragraph(self, name: str) -> str:
        """The name of the list style of a paragraph style; empty if it has none."""
        names = (value_of(one, "style:list-style-name") for one in self._chain("paragraph", name))
        return next(filter(None, reversed([*names])), "")

    def paragraph(self, name: str, background: str) -> Style:
        """A style of paragraphs, on a background."""
        if name not in self._made:
            chain = self._chain("paragraph", name)
            style = replace(self._base, key=name, name=_named(chain) or _shown(name))
            for one in chain:
                style = _with(style, one)
            self._made[name] = style
        style = self._made[name]
        is_plain = style.background == self._base.background
        return replace(style, background=background) if is_plain else style

    def run(self, name: str, style: Style) -> Style:
        """The style of a paragraph, changed by a style of its words."""
        for one in self._chain("text", name):
            style = _with(style, one)
        return style

    def background(self, family: str, name: str, default: str) -> str:
        """The color behind cells, tables or sections; empty if it is not known."""
        for one in self._chain(family, name):
            for properties in one:
                default = _background(properties, default)
        return default

    def is_hidden(self, family: str, name: str) -> bool:
        """Whether sections, or drawn shapes, of a style are not shown."""
        properties = (inner for one in self._chain(family, name) for inner in one)
        return any(value_of(one, "text:display", "draw:display") == "none" for one in properties)


def _shown(name: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), name).lower()


def _names(chain: list[Any]) -> Iterator[str]:
    """The names of styles, that of the innermost first; those of automatic ones mean nothing."""
    for one in reversed(chain):
        if name_of(one.getparent()) == "office:styles":
            yield (
                value_of(one, "style:display-name") or _shown(value_of(one, "style:name"))
            ).lower()


def _named(chain: list[Any]) -> str:
    """What Word calls a style, or the closest that it is based on, else its own name."""
    names = [*_names(chain)]
    for name in names:
        for form, called in _NAMES.items():
            if re.fullmatch(form, name):
                return called
    return names[0] if names else ""


def _with(style: Style, element: Any) -> Style:
    """A style changed by an element with properties."""
    level = element.get(full("style:default-outline-level"))
    if level is not None:
        style = replace(style, level=integer(level, 0))
    for properties in element:
        if name_of(properties) == "style:text-properties":
            style = _with_text(style, properties)
        elif name_of(properties) == "style:paragraph-properties":
            style = replace(style, background=_background(properties, style.background))
    return style


def _with_text(style: Style, properties: Any) -> Style:
    size = _size(value_of(properties, "fo:font-size"), style.size)
    display = value_of(properties, "text:display")
    color = value_of(properties, "fo:color").removeprefix("#").upper() or style.color
    if value_of(properties, "style:use-window-font-color") == "true":
        color = ""
    return replace(
        style,
        bold=_is_bold(value_of(properties, "fo:font-weight"), style.bold),
        size=size,
        script=_script(value_of(properties, "style:text-position"), style.script),
        font=value_of(properties, "style:font-name", "fo:font-family") or style.font,
        color=color,
        background=_background(properties, style.background),
        is_vanished=display == "none" if display in ("none", "true") else style.is_vanished,
        is_unreadable=style.is_unreadable or _is_unreadable(properties),
        is_struck=_is_struck(properties, style.is_struck),
    )


def _size(written: str, inherited: int) -> int:
    """A size in half points; a share is that of the inherited one."""
    found = _SIZE.fullmatch(written)
    if found is None:
        return inherited
    number = float(found[1])
    if found[2] == "%":
        return round(inherited * number / 100)
    return round(number * _HALF_POINTS[found[2]])


def _is_bold(weight: str, inherited: bool) -> bool:
    if not weight:
        return inherited
    return weight == "bold" or integer(weight, 0) >= BOLD


def _script(position: str, inherited: Script) -> Script:
    """Whether letters are raised or lowered: ``super 58%``, ``-33% 58%``."""
    found = _RAISED.match(position)
    if found is None:
        return inherited
    if found[1] in ("super", "sub"):
        return "superscript" if found[1] == "super" else "subscript"
    height = float(found[1].rstrip("%"))
    if not height:
        return ""
    return "superscript" if height > 0 else "subscript"


def _is_struck(properties: Any, inherited: bool) -> bool:
    line = value_of(properties, "style:text-line-through-style", "style:text-line-through-type")
    return line != "none" if line else inherited


def _is_unreadable(properties: Any) -> bool:
    """Whether letters are too thin to be seen, or without any color of their own: LibreOffice calls
    the color that it chooses itself transparent.
    """
    width = integer(value_of(properties, "style:text-scale").rstrip("%"), 100)
    opacity = integer(value_of(properties, "loext:opacity").rstrip("%"), 100)
    is_own = value_of(properties, "style:use-window-font-color") != "true"
    return width < MIN_WIDTH or (is_own and opacity <= MAX_OPACITY)


def _background(properties: Any, inherited: str) -> str:
    """The color that properties put behind something; empty if it is not known."""
    color = value_of(properties, "fo:background-color")
    if not color or color == "transparent":
        return inherited
    return color.removeprefix("#").upper()
