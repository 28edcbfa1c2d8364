"""Styles of Word documents (``word/styles.xml``), and what properties change of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ....text.tables import patterns, table
from ...lists import integer
from ..css.colors import colors_in
from .numbering import NumberOf, W, is_on, value_of

_NAMES, _FORMS = table(__file__, "word.toml"), patterns(__file__, "word.toml")
_HIGHLIGHTS: dict[str, str] = _NAMES["highlights"]
_NO_OUTLINE = 9  # the outline level of body text
MAX_HIDDEN_SIZE = 4  # largest font size that is unreadable, in half points
MIN_WIDTH = 5  # smallest readable width of letters, in percent of their normal width
USUAL_SIZE = 22  # half points
FAR = 10_000  # twentieths of a point beyond the edge of the page
MIN_LINE = 40  # twentieths of a point of a line in which nothing is seen
MIN_RAISED = 3  # half points by which smaller text is raised or lowered like a script
WHITE = "FFFFFF"
_W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"

Script = Literal["", "superscript", "subscript"]


@dataclass(frozen=True)
class Style:
    """How paragraphs and the runs in them look."""

    name: str = ""  # in lower case; the built-in ones have English names in any language
    level: int = 0  # of a heading, from 1; 0 for text
    bold: bool = False  # whether the text is bold
    size: int = 0  # in half points; 0 if not given
    key: str = ""  # the id of the style
    number: NumberOf | None = None  # of a list
    script: Script = ""
    font: str = ""
    color: str = ""  # in hexadecimal; empty if a program chooses it
    background: str = WHITE  # of the text; empty if that is not known
    is_vanished: bool = False  # whether the text is marked as hidden
    is_unreadable: bool = False  # whether the letters are unreadable or off the page
    is_struck: bool = False  # whether a line is drawn through the text
    runs: tuple[Any, ...] = ()  # the properties of its runs, those of what it is based on first

    @property
    def is_hidden(self) -> bool:
        """Whether nobody sees the text: it is not shown, tiny, or as white as its background."""
        is_tiny = 0 < self.size <= MAX_HIDDEN_SIZE
        is_gone = self.is_vanished or self.is_unreadable or is_tiny
        return is_gone or _looks_same(self.color, self.background)

    def with_properties(self, element: Any) -> "Style":
        """The style changed by the properties (``w:pPr``, ``w:rPr``) of an element."""
        properties = element.find(f"{W}pPr")
        outline = value_of(properties, "outlineLvl")
        level = self.level
        if outline.isdecimal():
            level = int(outline) + 1 if int(outline) < _NO_OUTLINE else 0
        style = replace(self, level=level, number=self._number(properties))
        if properties is not None:
            style = style._with_background(properties)
            style = replace(style, is_unreadable=self.is_unreadable or _is_off_page(properties))
        return style.with_runs(element.find(f"{W}rPr"))

    def with_runs(self, properties: Any) -> "Style":
        """The style changed by the properties of runs (``w:rPr``)."""
        if properties is None:
            return self
        points = value_of(properties, "sz")
        size = int(points) if points.isdecimal() and len(points) < 5 else self.size
        fonts = properties.find(f"{W}rFonts")
        font = fonts.get(f"{W}ascii") if fonts is not None else None
        color = _color_of(properties)
        changed = replace(
            self,
            bold=is_on(properties, "b", default=self.bold),
            size=size,
            script=self._script(properties, size),
            font=font or self.font,
            color="" if color == "AUTO" else color or self.color,
            is_vanished=is_on(properties, "vanish", default=self.is_vanished),
            is_unreadable=self.is_unreadable or _is_squeezed(properties, size),
            is_struck=_is_struck(properties, self.is_struck),
        )
        return changed._with_background(properties)

    def with_style(self, other: "Style") -> "Style":
        """The style changed by a style of characters."""
        style = self
        for properties in other.runs:
            style = style.with_runs(properties)
        return style

    def _script(self, properties: Any, size: int) -> Script:
        """The script that properties give: by its name, or smaller letters above or below."""
        align = value_of(properties, "vertAlign")
        if align in ("superscript", "subscript"):
            return "superscript" if align == "superscript" else "subscript"
        raised = integer(value_of(properties, "position"), 0)
        if abs(raised) >= MIN_RAISED and 0 < size < self.size:
            return "superscript" if raised > 0 else "subscript"
        return "" if align else self.script

    def _with_background(self, properties: Any) -> "Style":
        """The style with the color that properties put behind the text."""
        light = value_of(properties, "highlight")
        background = background_of(properties, self.background)
        if light and light != "none":
            background = _HIGHLIGHTS.get(light, "")
        return replace(self, background=background)

    def _number(self, properties: Any) -> NumberOf | None:
        """The numbering and the level that properties give; a level of -1 is that of the style."""
        own = properties.find(f"{W}numPr") if properties is not None else None
        if own is None:
            return self.number
        inherited, level = self.number or ("", -1)
        number = value_of(own, "numId") or inherited
        return (number, integer(value_of(own, "ilvl"), level)) if number not in ("", "0") else None


def _is_struck(properties: Any, default: bool) -> bool:
    is_single = is_on(properties, "strike", default=default)
    return is_single or is_on(properties, "dstrike")


def background_of(properties: Any, default: str) -> str:
    """The color that properties put behind text, paragraphs or cells; empty if it is not known."""
    shade = properties.find(f"{W}shd") if properties is not None else None
    if shade is None:
        return default
    if shade.get(f"{W}val") not in (None, "clear", "nil"):
        return ""
    fill = (shade.get(f"{W}fill") or "").upper()
    return WHITE if fill == "AUTO" else fill


def _color_of(properties: Any) -> str:
    """The color that properties give: empty for none, ``AUTO`` where a program chooses it."""
    fill = properties.find(f"{_W14}textFill/{_W14}solidFill/{_W14}srgbClr")
    if fill is not None:
        return (fill.get(f"{_W14}val") or "").upper()
    color = properties.find(f"{W}color")
    theme = "" if color is None else color.get(f"{W}themeColor") or ""
    value = value_of(properties, "color").upper()
    return _NAMES["themes"].get(theme, value) if value in ("", "AUTO") else value


def _is_squeezed(properties: Any, size: int) -> bool:
    """Whether letters are drawn over one another, too thin to be seen, or without any color."""
    width = integer(value_of(properties, "w").rstrip("%"), 100)
    apart = integer(value_of(properties, "spacing"), 0)
    fill = properties.find(f"{_W14}textFill")
    is_clear = fill is not None and (
        fill.find(f"{_W14}noFill") is not None
        or any(integer(one.get(f"{_W14}val") or "", 0) >= 95_000 for one in fill.iter(_ALPHA))
    )
    return width < MIN_WIDTH or -apart >= 10 * (size or USUAL_SIZE) or is_clear


_ALPHA = f"{_W14}alpha"


def _is_off_page(properties: Any) -> bool:
    """Whether a paragraph stands beyond the edge of the page, or in a line without height."""
    for name, sides in (("ind", ("left", "start")), ("framePr", ("x", "y"))):
        found = properties.find(W + name)
        places = [found.get(W + side) or "" for side in sides] if found is not None else []
        if any(integer(place, 0) <= -FAR for place in places):
            return True
    spacing = properties.find(f"{W}spacing")
    is_exact = spacing is not None and spacing.get(f"{W}lineRule") == "exact"
    return is_exact and integer(spacing.get(f"{W}line") or "", MIN_LINE) < MIN_LINE


def _looks_same(color: str, background: str) -> bool:
    """Whether a color cannot be told from its background."""
    mine, behind = (next(colors_in(f"#{one.lower()}"), None) for one in (color, background))
    return mine is not None and behind is not None and mine.is_like(behind)


def styles_of(root: Any) -> tuple[Mapping[str, Style], Style]:
    """The styles by their ids, with what they inherit, and the default one of paragraphs.

    Styles without an id, which nothing refers to, are not read; those without a name have their
    id as one.
    """
    elements = {one.get(f"{W}styleId"): one for one in root.iterchildren(f"{W}style")}
    elements.pop(None, None)
    defaults = root.find(f"{W}docDefaults/{W}rPrDefault")
    base = Style() if defaults is None else Style().with_properties(defaults)
    styles: dict[str, Style] = {}
    for name in elements:
        for key in reversed([*_chain(name, elements, styles)]):
            inherited = styles.get(value_of(elements[key], "basedOn"), base)
            styles[key] = _styled(inherited, key, elements[key])
    keys = (key for key, one in elements.items() if _is_default(one))
    return styles, styles.get(next(keys, ""), base)


def _chain(name: str, elements: Mapping[str, Any], done: Mapping[str, Style]) -> Iterator[str]:
    """A style and those it is based on, as far as they are not done; some are based on each other
    in a circle.
    """
    seen: set[str] = set()
    while name in elements and name not in done and name not in seen:
        seen.add(name)
        yield name
        name = value_of(elements[name], "basedOn")


def _styled(inherited: Style, key: str, element: Any) -> Style:
    called = (value_of(element, "name") or key).lower()
    heading = _FORMS["heading"].match(called)
    level = int(heading[1]) if heading else inherited.level
    style = replace(inherited, name=called, level=level, key=key).with_properties(element)
    runs = element.find(f"{W}rPr")
    if runs is not None:
        style = replace(style, runs=(*inherited.runs, runs))
    return replace(style, level=0) if called in ("title", "subtitle", "toc heading") else style


def _is_default(element: Any) -> bool:
    is_default = element.get(f"{W}default") in ("1", "true", "on")
    return is_default and element.get(f"{W}type") == "paragraph"
