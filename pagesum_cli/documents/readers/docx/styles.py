"""What the styles of a Word document say about its paragraphs."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The namespace of the markup."""

_HEADING = re.compile(r"heading ([1-9])\b")
_NO_OUTLINE = 9  # the outline level of body text


@dataclass(frozen=True)
class Style:
    """How paragraphs look.

    Attributes:
        name: In lower case; the built-in ones have English names in any language.
        level: Of a heading, from 1; 0 for text.
        bold: Whether the text is bold.
        size: In half points; 0 if not given.
    """

    name: str = ""
    level: int = 0
    bold: bool = False
    size: int = 0

    def with_properties(self, element: Any) -> "Style":
        """The style changed by the properties (``w:pPr``, ``w:rPr``) of an element."""
        level, bold, size = self.level, self.bold, self.size
        properties = element.find(f"{W}pPr")
        outline = _value(properties, "outlineLvl")
        if outline.isdecimal():
            level = int(outline) + 1 if int(outline) < _NO_OUTLINE else 0
        runs = element.find(f"{W}rPr")
        if runs is not None:
            bold = is_on(runs, "b", default=bold)
            points = _value(runs, "sz")
            size = int(points) if points.isdecimal() and len(points) < 5 else size
        return replace(self, level=level, bold=bold, size=size)


def is_on(properties: Any, name: str, *, default: bool = False) -> bool:
    """Whether a switch such as ``w:b`` is on."""
    found = properties.find(W + name)
    return default if found is None else found.get(f"{W}val") not in ("0", "false", "off")


def _value(properties: Any, name: str) -> str:
    found = properties.find(W + name) if properties is not None else None
    return "" if found is None else found.get(f"{W}val") or ""


def styles_of(root: Any) -> tuple[Mapping[str, Style], Style]:
    """The paragraph styles by their ids, with what they inherit, and the default one.

    Args:
        root: The ``w:styles`` element, as python-docx parses it.
    """
    elements = {one.styleId: one for one in root.style_lst if one.styleId}
    defaults = root.find(f"{W}docDefaults/{W}rPrDefault")
    base = Style() if defaults is None else Style().with_properties(defaults)
    styles: dict[str, Style] = {}
    for name in elements:
        chain: dict[str, None] = {}
        one: str = name
        while one in elements and one not in styles and one not in chain:  # some are based on each other in a circle
            chain[one] = None
            one = elements[one].basedOn_val or ""
        style = styles.get(one, base)
        for key in reversed(chain):
            called = (elements[key].name_val or key).lower()
            heading = _HEADING.match(called)
            level = int(heading[1]) if heading else style.level
            style = replace(style, name=called, level=level).with_properties(elements[key])
            if called in ("title", "subtitle", "toc heading"):
                style = replace(style, level=0)
            styles[key] = style
    default = next((key for key, one in elements.items() if is_default(one)), "")
    return styles, styles.get(default, base)


def is_default(style: Any) -> bool:
    """Whether paragraphs without a style have this one."""
    return style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on")
