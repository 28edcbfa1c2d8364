"""Which elements of a web page a browser does not show: by attributes, by tags and by CSS."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ...text.tables import patterns
from .css.colors import BLACK, WHITE, Color, colors_in
from .css.sheets import Declared, Sheet
from .css.values import WINDOW, pixels, sides
from .elements import SETS

_FORMS = patterns(__file__, "invisible.toml")
"""For each property of CSS, the values with which nothing is seen of an element."""
_MOVED = re.compile(r"translate(?:3d|[xy])?\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_INSIDE = re.compile(r"(?P<form>inset|polygon|rect|xywh)\(([^()]*)\)")
_MOVING = ("transform", "transition", "animation", "animation-name")

FAR = 500.0  # pixels beyond the left and the top of the page, where nobody sees anything
FAR_RIGHT = 5000.0  # pixels to the right or below
MIN_SIZE = 2.0  # largest font size that is unreadable, in pixels
MIN_ALPHA = 0.05  # opacity below which nothing is seen
MIN_BOX = 1.0  # pixels of the height or width of a box in which nothing is seen
MAX_PLACES = 40  # numbers of a shape that are looked at


@dataclass(frozen=True)
class Look:
    """How the words of an element look; what is around an element hands it on."""

    is_visible: bool = True
    size: float = 16.0  # pixels of the letters
    color: Color | None = BLACK  # None if it is not known
    background: tuple[Color, ...] | None = (WHITE,)  # the colors behind; None if not known

    @cached_property
    def is_seen(self) -> bool:
        """Whether the words are seen."""
        if not self.is_visible or self.size <= MIN_SIZE:
            return False
        color, behind = self.color, self.background
        if color is None or color.alpha < MIN_ALPHA:
            return color is None
        return not behind or not all(color.is_like(one) for one in behind)

    def as_style(self) -> str:
        """The look as declarations of CSS."""
        color = "unknown" if self.color is None else self.color.as_text()
        behind = "url()" if self.background is None else (self.background or (WHITE,))[0].as_text()
        visibility = "visible" if self.is_visible else "hidden"
        return f"color:{color};background:{behind};font-size:{self.size}px;visibility:{visibility}"


class _Made(NamedTuple):
    """What was made of a look and of what is declared, which is kept, as keys have its id."""

    look: Look
    is_gone: bool  # whether an element is hidden as a whole
    declared: Declared


class Invisible:
    """Tells whether an element is one that a browser does not show.

    Known are the attributes ``hidden`` and ``style``, those of old pages, and the rules of
    ``<style>``. What ``aria-hidden`` hides is hidden from programs only. Where words of an element
    are hidden, and an element in it is shown, these words are put into elements of their own.

    Args:
        root: The page, which is changed so.
        sheets: Style sheets that stand elsewhere.
    """

    def __init__(self, root: Any, sheets: str = "") -> None:
        own = (style.text_content() for style in root.iter("style"))
        self._sheet = _sheet_of("\n".join([sheets, *own]))
        links = ((link.get("rel") or "").lower() for link in root.iter("link"))
        self._has_other_sheets = not sheets and any("stylesheet" in link for link in links)
        self._has_scripts = next(root.iter("script"), None) is not None
        self._hidden: set[Any] = set()
        self._looks: dict[Any, Look] = {}
        self._made: dict[tuple[int | bool, ...], _Made] = {}
        if self._sheet or _has_styles(root):
            self._look_at(root)

    def __call__(self, element: Any) -> bool:
        """Whether a browser does not show an element."""
        if element.tag in ("html", "body"):  # until a program in the page shows it
            return False
        is_hidden = (
            element in self._hidden or element.get("hidden") is not None or _is_closed(element)
        )
        return is_hidden and not _is_formula(element)

    def look(self, element: Any) -> Look:
        """How the words of an element look."""
        return self._looks.get(element, Look())

    @property
    def is_too_large(self) -> bool:
        """Whether the style sheets were too large to follow all of their rules."""
        return self._sheet.is_too_large

    def _look_at(self, root: Any) -> None:
        """Find the elements that are not shown, and part the words of those that are in part."""
        elements = [one for one in root.iter() if isinstance(one.tag, str)]
        self._sheet.expect(len(elements))
        for element in elements:
            self._looks[element] = self._look_of(element)
        shown = self._around_seen(elements)
        for element in reversed(elements):
            if self._looks[element].is_seen:
                continue
            if element in shown:
                _hide_words(element)
            else:
                self._hidden.add(element)

    def _around_seen(self, elements: Sequence[Any]) -> set[Any]:
        """The elements around those of whose words something is seen."""
        around = set[Any]()
        for element in reversed(elements):
            is_seen = self._looks[element].is_seen and any(map(str.strip, _words_of(element)))
            if element not in self._hidden and (is_seen or element in around):
                around.add(element.getparent())
        return around

    def _look_of(self, element: Any) -> Look:
        """How the words of an element look; notes whether it is hidden as a whole."""
        around = self._looks.get(element.getparent(), _DEFAULT)
        declared = self._sheet.declared(element, element.get("style") or "")
        if attributes := _attributes(element):
            declared = attributes | declared
        is_styled = self._has_other_sheets and bool(element.get("class") or element.get("id"))
        if not declared and not is_styled:
            return around
        is_named = self._has_scripts and not SETS["shown_by_scripts"].isdisjoint(element.keys())
        made = self._made_of(around, declared, is_styled, is_named)
        if element.tag in ("html", "body"):  # until a program in the page shows it
            return replace(made.look, is_visible=True, size=max(made.look.size, 2 * MIN_SIZE))
        if made.is_gone:
            self._hidden.add(element)
        return made.look

    def _made_of(self, around: Look, declared: Declared, is_styled: bool, is_named: bool) -> _Made:
        """What is made of a look and what is declared, once."""
        key = id(around), id(declared), is_styled, is_named
        made = self._made.get(key)
        if made is None:
            behind = replace(around, background=None) if is_styled else around
            made = self._made[key] = self._make(behind, declared, is_named)
        return made

    def _make(self, around: Look, declared: Declared, is_named: bool) -> _Made:
        look = _changed(around, declared)
        is_later = is_named or self._is_shown_later(declared)
        is_gone = _is_gone(declared, look.size, is_later)
        look = replace(look, is_visible=True) if is_later else look
        return _Made(look, is_gone, declared)

    def _is_shown_later(self, declared: Declared) -> bool:
        """Whether a program or an animation may show an element."""
        if any(name.startswith("animation") for name in declared):
            return True
        return self._has_scripts and any(name.endswith(_MOVING) for name in declared)


_DEFAULT = Look()


def _is_gone(declared: Declared, font: float, is_later: bool) -> bool:
    """Whether nothing is seen of an element, whatever is in it.

    Args:
        declared: What is declared of it.
        font: The size of its letters.
        is_later: Whether a program or an animation may show it.
    """
    for name, value in declared.items():
        if name == "visibility" or (is_later and name == "opacity"):
            continue
        if name in _FORMS and _FORMS[name].fullmatch(value):
            return True
    if _is_off_page(declared, font) or _is_clipped(declared, font):
        return True
    return not is_later and _is_cut(declared, font)


@lru_cache(maxsize=2)
def _sheet_of(text: str) -> Sheet:
    """A style sheet, which the chapters of a book share."""
    return Sheet(text)


def _has_styles(root: Any) -> bool:
    path = "//*[@style or @color or @bgcolor or @text or @background]"
    return bool(root.xpath(f"boolean({path})"))


def _words_of(element: Any) -> Iterator[str]:
    """The text that stands directly in an element."""
    yield element.text or ""
    for child in element:
        yield child.tail or ""


def _hide_words(element: Any) -> None:
    """Put the words of an element into elements of their own that are hidden."""
    text, children = element.text, list(element)
    element.text = None
    for child in reversed(children):
        if (child.tail or "").strip():
            tail, child.tail = child.tail, None
            child.addnext(_hidden_words(element, tail))
    if (text or "").strip():
        element.insert(0, _hidden_words(element, text))


def _hidden_words(element: Any, text: str) -> Any:
    one = element.makeelement("span", {"hidden": ""})
    one.text = text
    return one


def _is_formula(element: Any) -> bool:
    """Whether an element holds a formula, whose picture is shown instead."""
    return element.find(".//math") is not None


def _is_closed(element: Any) -> bool:
    """Whether a browser shows an element only when it is asked to, or has no need of it."""
    tag = element.tag
    if tag == "dialog":
        return element.get("open") is None
    if tag == "rp":  # brackets for browsers that cannot put small letters above others
        return any(map(str.isalnum, element.text_content()))
    return tag in SETS["never_shown"]


def _attributes(element: Any) -> Declared:
    """What the attributes of old pages say of colors."""
    declared: Declared = {}
    if behind := element.get("bgcolor"):
        declared["background-color"] = behind.lower()
    if element.get("background"):
        declared["background-image"] = "url()"
    color = element.get("text" if element.tag == "body" else "color")
    if color and element.tag in ("body", "font", "basefont"):
        declared["color"] = color.lower()
    return declared


def _changed(look: Look, declared: Declared) -> Look:
    """A look with what is declared."""
    if visibility := declared.get("visibility"):
        look = replace(look, is_visible=not _FORMS["visibility"].fullmatch(visibility))
    if value := declared.get("font-size"):
        size = pixels(value, look.size)
        look = replace(look, size=16.0 if size is None else size)
    if value := declared.get("color"):
        clips = [what for name, what in declared.items() if name.endswith("background-clip")]
        color = None if "text" in clips else next(colors_in(value), None)
        look = look if value in ("inherit", "currentcolor") else replace(look, color=color)
    return _with_background(look, declared)


def _with_background(look: Look, declared: Declared) -> Look:
    color = declared.get("background-color", "")
    values = [value for name, value in declared.items() if name.startswith("background") and value]
    picture = " ".join([declared.get("background-image", ""), declared.get("background", "")])
    if "url(" in picture or "image" in picture:
        return replace(look, background=None)
    solid = _solid(color) or _solid(" ".join(values))
    if not solid:
        return look
    behind = (look.background or (WHITE,))[0]
    return replace(look, background=tuple(one.over(behind) for one in solid))


def _solid(value: str) -> list[Color]:
    """The colors in a value, without those that are as clear as glass."""
    return [one for one in colors_in(value) if one.alpha > 0]


def _is_off_page(declared: Declared, font: float) -> bool:
    """Whether an element stands beyond the edges of the page."""
    lengths = {name: pixels(value, font, WINDOW) or 0.0 for name, value in declared.items()}
    is_placed = declared.get("position") in ("absolute", "fixed", "relative", "sticky")
    if is_placed and _is_placed_away(lengths):
        return True
    if min(lengths.get("margin-left", 0.0), lengths.get("margin-top", 0.0)) <= -FAR:
        return True
    indent = lengths.get("text-indent", 0.0)
    is_far = indent >= WINDOW and "overflow" in declared
    return indent <= -FAR / 5 or is_far or _is_moved_away(declared, font)


def _is_placed_away(lengths: Mapping[str, float]) -> bool:
    """Whether the distances from the edges lead beyond the page."""
    if min(lengths.get(side, 0.0) for side in ("left", "top", "right")) <= -FAR:
        return True
    return lengths.get("left", 0.0) >= FAR_RIGHT or lengths.get("bottom", 0.0) <= -FAR_RIGHT


def _is_moved_away(declared: Declared, font: float) -> bool:
    """Whether an element is moved beyond the edges of the page."""
    moves = [match[1] for match in _MOVED.finditer(declared.get("transform", ""))]
    moves.append(declared.get("translate", "").replace(" ", ","))
    lengths = (pixels(one.strip(), font, 100.0) for move in moves for one in move.split(","))
    return any(abs(length or 0.0) >= FAR for length in lengths)


def _is_clipped(declared: Declared, font: float) -> bool:
    """Whether an element is cut to a shape without any area."""
    places = declared.get("position") in ("absolute", "fixed")
    shapes = [declared.get("clip-path", ""), declared.get("clip", "") if places else ""]
    for match in filter(None, map(_INSIDE.match, shapes)):
        values = match[2].replace(",", " ").partition(" round")[0].split()[:MAX_PLACES]
        lengths = [pixels(value, font, 100.0) for value in values]
        known = [length for length in lengths if length is not None]
        if len(known) == len(lengths) and _is_empty(match["form"], values, known):
            return True
    return False


def _is_empty(form: str, values: list[str], lengths: list[float]) -> bool:
    """Whether a shape has no area."""
    if form == "polygon":
        return len({*zip(lengths[::2], lengths[1::2], strict=False)}) < 3
    if form == "inset":
        top, right, bottom, left = map(_percent, sides(" ".join(values)))
        return top + bottom >= 99 or left + right >= 99
    if form == "xywh" and len(lengths) >= 4:
        return min(lengths[2:4]) <= MIN_BOX
    if len(lengths) < 4:
        return False
    top, right, bottom, left = lengths[:4]
    return right - left <= MIN_BOX or bottom - top <= MIN_BOX


def _percent(value: str) -> float:
    return (pixels(value, whole=100.0) or 0.0) if value.endswith("%") else 0.0


def _is_cut(declared: Declared, font: float) -> bool:
    """Whether nothing is left of an element: it has no height or width and shows nothing beyond."""
    parts = {*declared.get("overflow", "").split()}
    sizes: Iterable[str] = (
        declared.get(f"{limit}{side}", "") for limit in ("", "max-") for side in ("height", "width")
    )
    lengths = (pixels(size, font, WINDOW) for size in sizes if size)
    return not parts.isdisjoint(("hidden", "clip")) and any(
        length is not None and length <= MIN_BOX for length in lengths
    )
