"""Which elements of a web page a browser does not show: by attributes, and by simple CSS."""

import re
from itertools import islice
from typing import Any

from ...text.tables import patterns
from .elements import SETS

_FORMS = patterns(__file__, "invisible.toml")
"""For each property of CSS, the values with which nothing is seen of an element."""
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_AT_RULE = re.compile(r"@[^{};]{0,500}(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})")
_RULE = re.compile(r"(?<![^{}])([^{}]{1,2000})\{([^{}]*)\}")
_SELECTOR = re.compile(r"(?:[a-z][a-z0-9]*)?(?:[.#][\w-]+)?")
_COLOR = re.compile(r"#[0-9a-f]{3,8}|(?:rgb|hsl)a?\([^()]*\)|[a-z]{3,30}")
_OFF = re.compile(r"-(\d+)(?:\.\d+)?(px|r?em|v[wh]|%)?")
_WHITE = frozenset(["#fff", "#ffffff", "white", "rgb(255,255,255)", "rgba(255,255,255,1)"])
_CLEAR = re.compile(
    r"(?:rgb|hsl)a\([^()]*,0(?:\.0*)?%?\)|(?:rgb|hsl)a?\([^()]*/0(?:\.0*)?%?\)"
    r"|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
)
_NOTHING = re.compile(r"0(?:\.0+)?(?:[a-z]+|%)?")
_CUT = re.compile(r"(?:hidden|clip)(?: (?:hidden|clip))?")

MAX_STYLE = 200_000  # characters of the style sheets in a page that are read
MAX_AROUND = 40  # elements around one whose background is looked for
FAR = {"px": 500, "": 500, "em": 50, "rem": 50, "vw": 100, "vh": 100, "%": 100}
"""How far beyond an edge of the page an element stands that is not on it."""
_Declarations = dict[str, str]


class Invisible:
    """Tells whether an element is one that a browser does not show.

    Known are the attributes ``hidden`` and ``style``, and the rules of ``<style>`` whose selector
    is an element with one class or id, or one of the three. What ``aria-hidden`` hides is hidden
    from programs only.
    """

    def __init__(self, root: Any) -> None:
        sheets = "\n".join(style.text_content() for style in root.iter("style"))
        self._rules = _rules_of(sheets[:MAX_STYLE])
        links = [(link.get("rel") or "").lower() for link in root.iter("link")]
        self._has_other_sheets = any("stylesheet" in link for link in links)

    def __call__(self, element: Any) -> bool:
        """Whether a browser does not show an element."""
        if element.tag in ("html", "body"):  # until a program in the page shows it
            return False
        if element.get("hidden") is not None:
            return not _is_formula(element)
        declared = self._declared(element)
        return bool(declared) and self._is_unseen(element, declared) and not _is_formula(element)

    def _declared(self, element: Any) -> _Declarations:
        """The declarations for an element, the stronger ones last."""
        style = element.get("style") or ""
        if not self._rules:
            return _declarations(style)
        classes = [f".{name}" for name in (element.get("class") or "").split()]
        names = ["", *classes, *([f"#{element.get('id')}"] if element.get("id") else [])]
        declared: _Declarations = {}
        for name in names:
            declared |= self._rules.get(name, {}) | self._rules.get(f"{element.tag}{name}", {})
        return declared | _declarations(style)

    def _is_unseen(self, element: Any, declared: _Declarations) -> bool:
        is_moving = any(name.endswith(_MOVING) for name in declared)
        is_shown_later = is_moving or not SETS["shown_by_scripts"].isdisjoint(element.keys())
        for name, value in declared.items():
            if name in _FORMS and _FORMS[name].fullmatch(value):
                return not (is_shown_later and name in ("opacity", "visibility"))
        if _is_off_page(declared) or (_is_cut(declared) and not is_shown_later):
            return True
        return self._has_color_of_page(element, declared)

    def _has_color_of_page(self, element: Any, declared: _Declarations) -> bool:
        color = _color_in(declared.get("color", ""))
        if color == "transparent":
            clips = [value for name, value in declared.items() if name.endswith("background-clip")]
            return "text" not in clips
        background = _background(declared)
        if not color or background:
            return bool(color) and color == background
        if color != "white" or self._has_other_sheets:  # whose backgrounds are not known
            return False
        near = islice(element.iterancestors(), MAX_AROUND)
        around = (self._background_of(one) for one in near)
        return next(filter(None, around), "white") == "white"

    def _background_of(self, element: Any) -> str:
        attribute = (element.get("bgcolor") or element.get("background") or "").lower()
        return _background(self._declared(element)) or _color_in(attribute) or attribute


_MOVING = ("transform", "transition", "animation", "animation-name")


_SIDES = ("height", "width")


def _is_formula(element: Any) -> bool:
    """Whether an element holds a formula, whose picture is shown instead."""
    return element.find(".//math") is not None


def _is_off_page(declared: _Declarations) -> bool:
    if declared.get("position") not in ("absolute", "fixed"):
        return False
    places = (_OFF.fullmatch(declared.get(side, "")) for side in ("left", "top", "right"))
    return any(place and int(place[1][:6]) >= FAR[place[2] or ""] for place in places)


def _is_cut(declared: _Declarations) -> bool:
    """Whether nothing is left of an element: it has no height or width and shows nothing beyond."""
    sizes = [declared.get(f"{limit}{side}", "") for limit in ("", "max-") for side in _SIDES]
    return _CUT.fullmatch(declared.get("overflow", "")) is not None and any(
        map(_NOTHING.fullmatch, sizes)
    )


def _background(declared: _Declarations) -> str:
    """The color of a background; what else is declared for a picture."""
    value = declared.get("background-color") or declared.get("background") or ""
    color = _color_in(value)
    return "" if color in ("transparent", "none", "inherit", "initial") else color or value


def _color_in(value: str) -> str:
    match = _COLOR.match(value)
    color = match[0].replace(" ", "") if match else ""
    if _CLEAR.fullmatch(color):
        return "transparent"
    return "white" if color in _WHITE else color


def _declarations(style: str) -> _Declarations:
    pairs = (one.partition(":") for one in style.lower().split(";"))
    return {
        name.strip(): value.replace("!important", "").strip() for name, mark, value in pairs if mark
    }


def _rules_of(sheet: str) -> dict[str, _Declarations]:
    """The declarations of the rules that may hide something, by their selectors."""
    rules: dict[str, _Declarations] = {}
    for selectors, body in _RULE.findall(_AT_RULE.sub(" ", _COMMENT.sub(" ", sheet))):
        declared = _declarations(body)
        if not declared:
            continue
        for selector in selectors.split(","):
            name = selector.strip()
            if name and _SELECTOR.fullmatch(name):
                rules[name] = rules.get(name, {}) | declared
    return rules
