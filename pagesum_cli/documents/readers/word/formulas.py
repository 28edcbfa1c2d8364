"""Formulas of Word documents (Office Math, ``m:oMath``; fields ``EQ``) as one line of text.

The form is that of Unicode's note 28 (UnicodeMath), without its build-up signs: ``a/b``,
``(a + b)/c``, ``√(x + 1)``, ``∑ᵢ₌₁ⁿ xᵢ``.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from ....text.scripts import subscript, superscript
from ....text.tables import table

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SKIPPED = frozenset(table(__file__, "word.toml")["skipped"])
_ROOTS = {"": "√", "2": "√", "3": "∛", "4": "∜"}
_SIMPLE = re.compile(r"[-+−]?[\w.,°′'\u0300-\u036f⁰-₎]*")
_BRACKETED = re.compile(r"[(\[{][^()\[\]{}]*[)\]}]")
_APPLIED = re.compile("\u2061(?=\\w)")  # the invisible sign between a function and its argument
_INVISIBLE = re.compile("[\u2061-\u2064&]")  # others of its kind, and marks of alignment
_MAX_DEPTH = 60  # of parts in parts; deeper ones are not read

# Parts of fields, innermost first: \f(a;b), \r(3;x), \s\up8(2).
_PIECE = r"((?:[^()\\;,]|\([^()\\]*\))*)"
_FIELD = re.compile(rf"\\(f|r|s\\(?:up|do)\s*\d*)\s*\({_PIECE}(?:[;,]{_PIECE})?\)", re.IGNORECASE)


def formula(element: Any) -> str:
    """The text of a formula; empty if it has none that can be read."""
    text = _INVISIBLE.sub("", _APPLIED.sub(" ", _inside(element, 0)))
    text = " ".join(text.split())
    return text if any(map(str.isalnum, text)) or len(text) == 1 else ""


def field_formula(code: str) -> str:
    """The text of a field ``EQ``; empty if it cannot be read."""
    text = code.partition("EQ")[2].strip()
    for _ in range(_MAX_DEPTH):
        text, changes = _FIELD.subn(_field_part, text)
        if not changes:
            break
    return "" if "\\" in text else text


def _field_part(match: re.Match[str]) -> str:
    name, first, second = match[1].lower(), match[2].strip(), (match[3] or "").strip()
    if name == "f":
        return _fraction_of(first, second)
    if name == "r":
        return _root_of(first, second) if match[3] is not None else _root_of("", first)
    return superscript(first) if "up" in name else subscript(first)


def _inside(element: Any, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return ""
    return "".join(_piece(child, depth + 1) for child in element)


def _piece(element: Any, depth: int) -> str:
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "del"
    if name == "t":
        return element.text or ""
    if name in _SKIPPED or name.endswith("Pr"):
        return ""
    if name == "br":
        return " "
    form = _READERS.get(name)
    return form(element, depth) if form else _inside(element, depth)


def _part(element: Any, name: str, depth: int) -> str:
    found = element.find(M + name)
    return "" if found is None else _inside(found, depth).strip()


def _property(element: Any, name: str, default: str = "") -> str:
    """A property of a part, such as the sign of a sum; what has no value is on."""
    kind = element.tag.rpartition("}")[2]
    found = element.find(f"{M}{kind}Pr/{M}{name}")
    return default if found is None else found.get(f"{M}val", "1")


def _bracketed(text: str) -> str:
    """Text as an operand: in brackets if it has several parts."""
    is_one = _SIMPLE.fullmatch(text) or _BRACKETED.fullmatch(text)
    return text if is_one else f"({text})"


def _raised(text: str) -> str:
    return superscript("".join(text.split()))


def _lowered(text: str) -> str:
    return subscript("".join(text.split()))


def _fraction_of(above: str, below: str, sign: str = "/") -> str:
    return f"{_bracketed(above)}{sign}{_bracketed(below)}"


def _root_of(degree: str, text: str) -> str:
    sign = _ROOTS.get(degree) or f"{_raised(degree)}√"
    return sign + _bracketed(text)


def _fraction(element: Any, depth: int) -> str:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    is_bare = _property(element, "type") == "noBar"  # as in a binomial
    return _fraction_of(above, below, "¦" if is_bare else "/")


def _root(element: Any, depth: int) -> str:
    return _root_of(_part(element, "deg", depth), _part(element, "e", depth))


def _scripts(element: Any, depth: int) -> str:
    base = _part(element, "e", depth)
    lowered = _lowered(_part(element, "sub", depth))
    raised = _raised(_part(element, "sup", depth))
    has_parts = not _SIMPLE.fullmatch(base) and " " in base
    base = _bracketed(base) if has_parts else base
    is_before = element.tag == f"{M}sPre"
    return raised + lowered + base if is_before else base + lowered + raised


def _nary(element: Any, depth: int) -> str:
    sign = _property(element, "chr", "∫")
    lowered = _lowered(_part(element, "sub", depth))
    raised = _raised(_part(element, "sup", depth))
    return f"{sign}{lowered}{raised} {_part(element, 'e', depth)}"


def _delimited(element: Any, depth: int) -> str:
    begin, end = _property(element, "begChr", "("), _property(element, "endChr", ")")
    separator = _property(element, "sepChr", "|")
    parts = [_inside(one, depth).strip() for one in element.iterchildren(f"{M}e")]
    return begin + separator.join(parts) + end


def _function(element: Any, depth: int) -> str:
    name, argument = _part(element, "fName", depth), _part(element, "e", depth)
    gap = "" if argument.startswith("(") else " "
    return name + gap + argument


def _limit(element: Any, depth: int) -> str:
    base, limit = _part(element, "e", depth), _part(element, "lim", depth)
    return base + (_raised(limit) if element.tag == f"{M}limUpp" else _lowered(limit))


def _accented(element: Any, depth: int) -> str:
    sign = _property(element, "chr", "\u0302")
    return _with_sign(_part(element, "e", depth), sign)


def _bar(element: Any, depth: int) -> str:
    is_above = _property(element, "pos", "bot") == "top"
    return _with_sign(_part(element, "e", depth), "\u0305" if is_above else "\u0332")


def _with_sign(base: str, sign: str) -> str:
    """A letter with a sign above or below; of several letters, all of them."""
    if not unicodedata.combining(sign[:1] or " "):
        return base + sign
    return unicodedata.normalize("NFC", base + sign if len(base) < 2 else f"({base}){sign}")


def _matrix(element: Any, depth: int) -> str:
    rows = []
    for row in element.iterchildren(f"{M}mr"):
        cells = [_inside(one, depth).strip() for one in row.iterchildren(f"{M}e")]
        rows.append(", ".join(cells))
    return "; ".join(rows)


def _equations(element: Any, depth: int) -> str:
    return "; ".join(_inside(one, depth).strip() for one in element.iterchildren(f"{M}e"))


def _phantom(element: Any, depth: int) -> str:
    is_shown = _property(element, "show", "1") not in ("0", "off", "false")
    return _part(element, "e", depth) if is_shown else ""


def _lines(element: Any, depth: int) -> str:
    return " ".join(_inside(one, depth).strip() for one in element.iterchildren(f"{M}oMath"))


_READERS: dict[str, Callable[[Any, int], str]] = {
    "f": _fraction,
    "rad": _root,
    "sSup": _scripts,
    "sSub": _scripts,
    "sSubSup": _scripts,
    "sPre": _scripts,
    "nary": _nary,
    "d": _delimited,
    "func": _function,
    "limLow": _limit,
    "limUpp": _limit,
    "acc": _accented,
    "bar": _bar,
    "m": _matrix,
    "eqArr": _equations,
    "phant": _phantom,
    "oMathPara": _lines,
}
