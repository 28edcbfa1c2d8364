"""Formulas of web pages and books (MathML) as readable text: x² + 1/2."""

import logging
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...text.cleaning import clean, one_line
from ...text.scripts import subscript, superscript
from ...text.tables import table

_TABLE = table(__file__, "mathml.toml")
_SPACED, _SKIPPED = frozenset(_TABLE["spaced"]), frozenset(_TABLE["skipped"].split())
_TEX_SCRIPT = re.compile(r"([\^_])(?:\{([^{}\\]{1,60})\}|([\w*+−-]))")
_WIDTH = re.compile(r"\s{0,9}(\d{0,9}\.?\d{1,9})\s{0,9}em")
_END_SCRIPTS = re.compile(r"[⁰-₟¹²³ᵃ-ᶿⁱ]{1,60}\Z")
MIN_SPACE = 0.5  # width of a space between words, in the unit em
MAX_DEPTH = 60  # of the elements of a formula


def formula_text(math: Any) -> str:
    """A formula as it is displayed, else its description, or its source in LaTeX; empty if it
    cannot be read.
    """
    sources = [math.get("alttext") or "", *(one.text or "" for one in math.iter() if _is_tex(one))]
    displayed = one_line(_text(math, 0))
    readings = (displayed, *(tex_text(one) for one in sources if one.strip()))
    return next((text for text in readings if any(map(str.isalnum, text))), displayed)


def tex_text(source: str) -> str:
    """A formula that is written in LaTeX; empty if it cannot be read."""
    if set(source).isdisjoint("\\^_{}$"):
        return one_line(source)
    from pylatexenc.latex2text import LatexNodes2Text

    logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
    with_scripts = _TEX_SCRIPT.sub(_script_of_tex, source.strip().strip("$"))
    try:
        text = LatexNodes2Text(math_mode="text").latex_to_text(f"${with_scripts}$")
    except (ValueError, RecursionError):  # pylatexenc's own errors are ValueErrors
        return ""
    return one_line(text)


def _script_of_tex(match: re.Match[str]) -> str:
    convert = superscript if match[1] == "^" else subscript
    return "{}" + convert(match[2] or match[3])  # ends the name of a macro before it


def _is_tex(element: Any) -> bool:
    return _name(element) == "annotation" and "tex" in (element.get("encoding") or "").lower()


def _name(element: Any) -> str:
    tag = element.tag if isinstance(element.tag, str) else ""
    return tag.rpartition("}")[2].rpartition(":")[2]


def _text(element: Any, depth: int) -> str:
    name = _name(element)
    if name in _SKIPPED or depth > MAX_DEPTH:
        return ""
    if name in ("mi", "mn", "mo", "mtext", "ms"):
        return _token(element, name)
    if name == "semantics":
        return _text(element[0], depth + 1) if len(element) else ""
    parts = [_text(child, depth + 1) for child in element]
    form = _FORMS.get(name)
    if form is None or len(parts) < _PARTS.get(name, 0):
        return "".join([element.text or "", *parts])
    return form(parts, element)


def _space(parts: Sequence[str], element: Any) -> str:
    """A space that is as wide as one between words."""
    width = _WIDTH.match(element.get("width") or "")
    return " " if width and float(width[1]) >= MIN_SPACE else ""


def _token(element: Any, name: str) -> str:
    text = " ".join(clean("".join(element.itertext())).split())
    if name == "mtext":
        return f" {text} "
    if name == "mo":
        return _operator(element, "−" if text == "-" else text)
    is_word = name == "mi" and len(text) > 1 and text.isalpha()
    return f" {text} " if is_word else text


def _operator(element: Any, text: str) -> str:
    is_between = element.getprevious() is not None and element.getnext() is not None
    if text in (",", ";"):
        return f"{text} "
    return f" {text} " if is_between and text in _SPACED else text


def _term(text: str) -> str:
    """A part of a formula in brackets, unless it is a single term."""
    text = text.strip()
    has_sign = not set(text).isdisjoint(_SPACED | set(" /,"))
    return f"({text})" if has_sign and not _is_enclosed(text) else text


def _is_enclosed(text: str) -> bool:
    """Whether one pair of brackets, perhaps with scripts, holds a text: no product of two."""
    text = _END_SCRIPTS.sub("", text)
    if text[:1] == "|":
        return text.find("|", 1) == len(text) - 1
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0:
            return 0 < place == len(text) - 1
    return False


def _fraction(parts: Sequence[str], element: Any) -> str:
    over, under = map(_term, parts[:2])
    if element.get("linethickness") in ("0", "0pt", "0px"):
        return f"({over} choose {under})"
    return f"{over}/{under}"


def _accented(parts: Sequence[str], element: Any) -> str:
    base, mark = parts[0], parts[1].strip()
    accent = _TABLE["accents"].get(mark)
    if accent and len(base.strip()) == 1:
        return unicodedata.normalize("NFC", base.strip() + accent)
    return base if accent else _over([base, "", mark], element)


def _over(parts: Sequence[str], element: Any) -> str:
    base, below, above = (*parts, "")[:3]
    return f"{_based(base)}{_below(below)}{_above(above)}"


def _based(base: str) -> str:
    return _term(base) if base.strip() else ""


def _below(text: str) -> str:
    return subscript(_tight(text)) if text.strip() else ""


def _above(text: str) -> str:
    return superscript(_tight(text)) if text.strip() else ""


def _tight(text: str) -> str:
    """A script without the spaces around its signs."""
    return re.sub(r" ?([+−=<>≤≥]) ?", r"\1", text.strip())


def _with_scripts(parts: Sequence[str], element: Any) -> str:
    """A base with pairs of scripts behind it, and before it where they come after a mark."""
    names = [_name(child) for child in element]
    before = names.index("mprescripts") if "mprescripts" in names else len(parts)
    base, after, ahead = parts[0], parts[1:before], parts[before + 1 :]
    return "".join([*_pairs(ahead), _based(base), *_pairs(after)])


def _pairs(scripts: Sequence[str]) -> Iterator[str]:
    for number, script in enumerate(scripts):
        yield _above(script) if number % 2 else _below(script)


def _fenced(parts: Sequence[str], element: Any) -> str:
    inner = ", ".join(part.strip() for part in parts)
    return f"{element.get('open', '(')}{inner}{element.get('close', ')')}"


_FORMS: dict[str, Callable[[Sequence[str], Any], str]] = {
    "msup": lambda parts, _: f"{_based(parts[0])}{_above(parts[1])}",
    "msub": lambda parts, _: f"{_based(parts[0])}{_below(parts[1])}",
    "msubsup": _over,
    "munder": _over,
    "munderover": _over,
    "mover": _accented,
    "mfrac": _fraction,
    "msqrt": lambda parts, _: f"√{_term(''.join(parts))}",
    "mroot": lambda parts, _: f"{_above(parts[1])}√{_term(parts[0])}",
    "mfenced": _fenced,
    "mmultiscripts": _with_scripts,
    "mspace": _space,
    "mtr": lambda parts, _: ", ".join(part.strip() for part in parts if part.strip()),
    "mlabeledtr": lambda parts, _: ", ".join(part.strip() for part in parts if part.strip()),
    "mtable": lambda parts, _: "; ".join(part for part in parts if part.strip()),
}
"""How the parts of an element are written."""
_PARTS = {
    "mmultiscripts": 1,
    **dict.fromkeys(("msup", "msub", "munder", "mover", "mfrac", "mroot"), 2),
    **dict.fromkeys(("msubsup", "munderover"), 3),
}
"""How many parts an element has at least."""
