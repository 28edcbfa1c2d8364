"""Numbers and units (siunitx, mhchem) → text, as these packages print them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....text.scripts import subscript, superscript
from ....text.tables import table

_UNITS = table(__file__, "units.toml")
_PREFIXES: dict[str, str] = _UNITS["prefixes"]
_SYMBOLS: dict[str, str] = _UNITS["symbols"]
_POWERS_BEFORE: dict[str, str] = _UNITS["powers_before"]
_POWERS_AFTER: dict[str, str] = _UNITS["powers_after"]
_ARROWS: dict[str, str] = _UNITS["arrows"]
# that stand at their number without a space
_ATTACHED = ("%", "°", "′", "″")

_UNIT = re.compile(
    r"\\(?P<name>[A-Za-z]+)\s*(?:\{(?P<argument>[^{}]{0,20})\})?|(?P<letters>[^\W\d_]+|[%°])"
    r"|\^\s*\{?(?P<power>-?\d+)\}?"
)
_STYLED = re.compile(r"\\(?:text[a-z]{0,10}|mathrm|ensuremath)\s?\{([^{}]{0,40})\}")
_POWER = re.compile(r"\^\s*(?:\{([^{}]{1,20})\}|(-?\w))")
_EXPONENT = re.compile(r"\s{0,9}[eEdD]\s{0,9}([+-]?\d{1,9})\s{0,9}\Z")
_UNCERTAIN = re.compile(r"\s{0,9}(?:\+-|\\pm(?![A-Za-z]))\s{0,9}")
_TIMES = re.compile(r"(?<=\d)\s*(?:x|\\times(?![A-Za-z]))\s*(?=[\d.+-])")
_ATOM = re.compile(r"(?<=[A-Za-z)\]])(\d+)")
_CHARGE = re.compile(
    r"\^(?:\{([^{}]{1,20})\}|([0-9]*[+-]))|(?<=[A-Za-z0-9)\]])([+-])(?=\s|\Z|[)\]])"
)

LIST = ("numlist", "SIlist", "qtylist")
RANGE = ("numrange", "SIrange", "qtyrange")


def quantity(name: str, arguments: Sequence[str], *, is_quotient: bool = False) -> str:
    """The text of a macro of siunitx, by its name and its arguments without options; a unit is
    written as a quotient where these say so.
    """
    if name in ("si", "unit"):
        return unit(arguments[-1], is_quotient=is_quotient)
    if name == "ang":
        return _angle(arguments[0])
    given, written = list(arguments), ""
    if not name.startswith(("num", "tablenum")):
        written = unit(given.pop(), is_quotient=is_quotient)
    if name in RANGE:
        values = given[:2]
    elif name in LIST:
        values = given[0].split(";")
    else:
        values = [given[0]]
    texts = [_with_unit(number(one), written) for one in values]
    if name in LIST and len(texts) > 1:
        return f"{', '.join(texts[:-1])} and {texts[-1]}"
    return " to ".join(texts)


def _angle(source: str) -> str:
    parts = zip(source.split(";"), "°′″", strict=False)
    return "".join(part.strip() + sign for part, sign in parts if part.strip())


def _with_unit(value: str, written: str) -> str:
    if not value or not written:
        return value or written
    is_sum = "±" in value and "×" not in value
    value = f"({value})" if is_sum else value
    is_attached = written in _ATTACHED
    return value + written if is_attached else f"{value} {written}"


def number(source: str) -> str:
    """A number as it is printed: ``1.2e-3`` is 1.2 × 10⁻³."""
    source = source.replace("~", "").replace(r"\,", "").replace("$", "").strip("{} ")
    exponent = _EXPONENT.search(source)
    mantissa = source[: exponent.start()] if exponent else source
    text = _TIMES.sub(" × ", _UNCERTAIN.sub(" ± ", mantissa))
    text = _POWER.sub(lambda found: superscript(found[1] or found[2]), text)
    text = re.sub(r"[\\{}]", "", text).strip()
    if not exponent:
        return text
    power = "10" + superscript(exponent[1].removeprefix("+"))
    if " ± " in text:
        text = f"({text})"
    return f"{text} × {power}" if text else power


@dataclass
class _Unit:
    """A unit of a product or a quotient."""

    symbol: str
    power: str = ""
    is_below: bool = False

    def __str__(self) -> str:
        return self.symbol + superscript(self.power)


def unit(source: str, *, is_quotient: bool = False) -> str:
    r"""A unit as it is printed: ``\kilo\metre\per\second\squared`` is km s⁻², or km/s²."""
    source = _STYLED.sub(r" \1", source)
    if "\\" not in source.replace("\\,", " "):
        return _literal(source)
    units: list[_Unit] = []
    prefix = power = ""
    is_below = False
    for match in _UNIT.finditer(source):
        name = match["name"] or match["letters"] or ""
        if name == "per":
            is_below = True
        elif name in _PREFIXES:
            prefix += _PREFIXES[name]
        elif name in _POWERS_BEFORE:
            power = _power(match, _POWERS_BEFORE)
        elif units and (name in _POWERS_AFTER or match["power"]):
            units[-1].power = _power(match, _POWERS_AFTER)
        elif name:
            units.append(_Unit(prefix + _SYMBOLS.get(name, name), power, is_below))
            prefix, power, is_below = "", "", False
    return _quotient(units) if is_quotient else " ".join(map(_with_power, units))


def _with_power(one: _Unit) -> str:
    """A unit of a product, with a negative power where it divides."""
    sign = "-" if one.is_below else ""
    return one.symbol + superscript(sign + (one.power or "1") if sign else one.power)


def _power(found: re.Match[str], powers: Mapping[str, str]) -> str:
    return powers.get(found["name"] or "") or found["power"] or found["argument"] or ""


def _quotient(units: Sequence[_Unit]) -> str:
    above = " ".join(str(one) for one in units if not one.is_below)
    below = [one for one in units if one.is_below]
    if not below:
        return above
    if not above:
        return " ".join(map(_with_power, below))
    divisor = " ".join(map(str, below))
    return f"{above}/({divisor})" if len(below) > 1 else f"{above}/{divisor}"


def _literal(source: str) -> str:
    """A unit that is written in letters: ``kg.m^2/s``."""
    text = re.sub(r"[.~]|\\,", " ", source)
    text = _POWER.sub(lambda found: superscript(found[1] or found[2]), text)
    return re.sub(r"[\\{}$]", "", text).strip()


def reaction(source: str) -> str:
    """A chemical formula of mhchem: ``H2O``, ``SO4^2-``, ``A + B -> C``."""
    parts = source.replace("$", "").split(" ")
    texts = [_ARROWS.get(part) or _molecule(part) for part in parts]
    return " ".join(texts)


def _molecule(source: str) -> str:
    text = _CHARGE.sub(lambda found: superscript(found[1] or found[2] or found[3]), source)
    text = _ATOM.sub(lambda found: subscript(found[1]), text)
    return re.sub(r"_\{?(\w+)\}?", lambda found: subscript(found[1]), text).strip("{}")
