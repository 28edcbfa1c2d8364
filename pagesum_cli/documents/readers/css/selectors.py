"""Selectors of CSS: which elements a rule is for."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice, pairwise
from typing import Any, Literal
from zlib import crc32

BITS = 512
MAX_COMPOUNDS = 12  # parts of a selector between spaces and combinators
MAX_AROUND = 64  # elements around or before one that are looked at
MAX_PLACE = 200  # elements with the same parent that are counted
MAX_LENGTH = 500  # characters of a selector
MAX_VALUE = 4000  # characters of an attribute that are looked at
MAX_BESIDE = 8  # elements whose neighbors are looked at
NESTED = 8  # comparisons that a selector within others counts for
MAX_NESTED = 3  # selectors within :not(), :is() and :where()

_PART = re.compile(
    r"(?P<join>\s*[>+~]\s*|\s+)|(?P<tag>\*|[^\W\d][\w-]*)|\.(?P<class>[\w-]+)|\#(?P<id>[\w-]+)"
    r"|\[\s*(?P<name>[\w-]+)\s*(?:(?P<how>[~|^$*]?=)\s*"
    r"(?P<value>\"[^\"]*\"|'[^']*'|[\w-]+)\s*[is]?\s*)?\]"
    r"|:(?P<kind>[a-z-]+)(?:\((?P<inside>[^()]*(?:\([^()]*\)[^()]*)*)\))?"
)
_COMMA = re.compile(r"(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\]|[^,(\[])+")
_INSIDE = re.compile(r"\(.*\)")
_JOIN = re.compile(r"\s*[>+~]\s*|\s+")
_OTHER = re.compile(r"[:\[]")  # what asks for more than tag, classes and id
_NTH = re.compile(r"(?P<step>[+-]?\d*)n\s*(?P<first>[+-]\s*\d+)?|(?P<only>\d+)")
_ESCAPED = re.compile(r"\\(?:(?P<code>[0-9a-fA-F]{1,6})\s?|(?P<sign>[!-~]))")
_LETTERS = {one: 0x20000 + one for one in range(0x21, 0x7F) if not chr(one).isalnum()}
_SIGNS = {letter: one for one, letter in _LETTERS.items()}
"""What escaped signs are while a selector is parsed: letters that no name has."""

Test = Callable[[Any], bool]
Join = Literal["", " ", ">", "+", "~"]
_ATTRIBUTES: dict[str, Callable[[str, str], bool]] = {
    "=": str.__eq__,
    "~=": lambda have, want: want in have.split(),
    "|=": lambda have, want: have == want or have.startswith(f"{want}-"),
    "^=": lambda have, want: bool(want) and have.startswith(want),
    "$=": lambda have, want: bool(want) and have.endswith(want),
    "*=": lambda have, want: bool(want) and want in have,
}


@dataclass(slots=True)
class Compound:
    """Conditions that one element meets."""

    tests: list[Test]
    join: Join = ""  # what stands between it and the compound before it
    key: str = "*"  # a condition by which its elements can be found: ``#id``, ``.class``, a tag

    def fits(self, element: Any) -> bool:
        """Whether an element meets the conditions."""
        return all(test(element) for test in self.tests)


@dataclass(slots=True)
class Selector:
    """Compounds, of which the last is for the element itself."""

    compounds: list[Compound]
    # how strong its rules are: number of ids, of classes and attributes, and of tags
    weight: tuple[int, int, int]
    places: int = 0  # number of conditions on other elements than those of the compounds
    nested: int = 0  # number of selectors within others
    is_plain: bool = False  # whether it asks only for tag, classes and id of one element

    @property
    def key(self) -> str:
        """A condition by which its elements can be found."""
        return self.compounds[-1].key

    @property
    def around(self) -> int:
        """The bits of what must be around an element, by ``bit_of``."""
        bits = 0
        for before, after in pairwise(self.compounds):
            if after.join in (" ", ">") and before.key != "*":
                bits |= bit_of(before.key)
        return bits

    @property
    def effort(self) -> int:
        """How much work it is to compare it with an element."""
        tests = sum(len(one.tests) for one in self.compounds)
        around = len(self.compounds) - 1 + self.places
        return tests + NESTED * self.nested + MAX_AROUND * around

    def matches(self, element: Any) -> bool:
        """Whether an element is one of those that it selects."""
        if not self.compounds[-1].fits(element):
            return False
        found = [element]  # those that fit the compounds so far
        for after, before in zip(self.compounds[:0:-1], self.compounds[-2::-1], strict=True):
            # all that is around any of them is around the first one
            some = found[:1] if after.join == " " else found[:MAX_BESIDE]
            near = (other for one in some for other in _joined(one, after.join))
            fitting = (other for other in near if before.fits(other))
            found = list(dict.fromkeys(islice(fitting, MAX_AROUND)))
        return bool(found)


def bit_of(key: str) -> int:
    """A bit for a key of elements, the same in each process; different keys may share one."""
    return 1 << crc32(key.encode(errors="replace")) % BITS


def keys_of(element: Any) -> list[str]:
    """The keys by which an element may be found."""
    keys = [element.tag, *(f".{one}" for one in classes_of(element))]
    return [*keys, f"#{element.get('id')}"] if element.get("id") else keys


def classes_of(element: Any) -> Collection[str]:
    """The classes of an element."""
    return _names_in(element.get("class") or "")


@lru_cache(maxsize=4096)
def _names_in(text: str) -> Collection[str]:
    return dict.fromkeys(text[:MAX_VALUE].split())


def _joined(element: Any, join: str) -> Iterator[Any]:
    """The elements that a combinator leads to."""
    if join in ("+", "~"):
        before = element.itersiblings(preceding=True)
        return islice(before, 1 if join == "+" else MAX_AROUND)
    return islice(element.iterancestors(), 1 if join == ">" else MAX_AROUND)


def selectors_in(text: str, nested: int = 0) -> Iterator[Selector]:
    """The selectors in a list; those that are not known select nothing."""
    for one in _COMMA.findall(_ESCAPED.sub(_character, text)):
        text = one.strip()
        selector = _selector(text, nested) if len(text) <= MAX_LENGTH else None
        if selector is not None:
            yield selector


def _character(match: re.Match[str]) -> str:
    code = int(match["code"], 16) if match["code"] else ord(match["sign"])
    is_known = 0x20 < code < 0x110000 and not 0xD800 <= code < 0xE000
    return chr(code).translate(_LETTERS) if is_known else "\ufffd"


def _selector(text: str, nested: int) -> Selector | None:
    compounds, weight = [Compound([])], (0, 0, 0)
    end = 0
    while match := _PART.match(text, end):
        end = match.end()
        if match["join"]:
            join: Any = match["join"].strip() or " "
            compounds.append(Compound([], join))
            continue
        try:
            test, key, added = _condition(match, nested)
        except ValueError:
            return None
        compounds[-1].tests.append(test)
        compounds[-1].key = max(compounds[-1].key, key, key=_rank)
        weight = (weight[0] + added[0], weight[1] + added[1], weight[2] + added[2])
    is_whole = end == len(text) and all(one.tests for one in compounds)
    if not is_whole or len(compounds) > MAX_COMPOUNDS:
        return None
    inside = "".join(_INSIDE.findall(text))
    places = text.count("-child") + text.count("-of-type") + len(_JOIN.findall(inside))
    is_plain = len(compounds) == 1 and not _OTHER.search(text)
    return Selector(compounds, weight, places, text.count("("), is_plain)


def _rank(key: str) -> int:
    """How few elements have a key."""
    return ("*", "", ".", "#").index(key[:1] if key[:1] in "*.#" else "")


_Condition = tuple[Test, str, tuple[int, int, int]]
"""A test, a key of the elements that pass it, and the weight that it adds to a selector."""


def _condition(match: re.Match[str], nested: int) -> _Condition:
    """What a part of a selector asks for; ValueError if it is not known."""
    if tag := match["tag"]:
        name = tag.lower().translate(_SIGNS)
        return (lambda one: name in ("*", one.tag)), name, (0, 0, int(name != "*"))
    if name := (match["class"] or "").translate(_SIGNS):
        return (lambda one: name in classes_of(one)), f".{name}", (0, 1, 0)
    if name := (match["id"] or "").translate(_SIGNS):
        return (lambda one: one.get("id") == name), f"#{name}", (1, 0, 0)
    if match["name"]:
        return _attribute(match), "*", (0, 1, 0)
    return _of_kind(match["kind"], match["inside"], nested)


def _attribute(match: re.Match[str]) -> Test:
    name, how = match["name"].lower(), match["how"]
    if not how:
        return lambda one: one.get(name) is not None
    value, is_so = match["value"].strip("\"'").translate(_SIGNS), _ATTRIBUTES[how]
    return lambda one: one.get(name) is not None and is_so(one.get(name)[:MAX_VALUE], value)


def _of_kind(kind: str, inside: str | None, nested: int) -> _Condition:
    """A pseudo-class, without those of what a reader does with an element, and of its parts."""
    if kind in ("not", "is", "where", "matches", "any") and inside and nested < MAX_NESTED:
        inner = list(selectors_in(inside, nested + 1))
        if not inner:
            raise ValueError(kind)
        weight = (0, 0, 0) if kind == "where" else max(one.weight for one in inner)
        return partial(_is_any, inner, kind == "not"), "*", weight
    if kind == "root":
        return (lambda one: one.getparent() is None), "*", (0, 1, 0)
    if kind in ("link", "any-link"):
        return (lambda one: one.tag == "a" and one.get("href") is not None), "*", (0, 1, 0)
    if kind == "empty":
        return (lambda one: len(one) == 0 and not one.text), "*", (0, 1, 0)
    return _by_place(kind, inside), "*", (0, 1, 0)


def _is_any(selectors: Iterable[Selector], is_not: bool, element: Any) -> bool:
    return any(one.matches(element) for one in selectors) != is_not


def _by_place(kind: str, inside: str | None) -> Test:
    """Where an element stands among those with the same parent: ``:first-child``."""
    is_of_type = kind.endswith("-of-type")
    name = kind.removesuffix("-of-type").removesuffix("-child")
    place = partial(_place, is_of_type=is_of_type)
    if name == kind or name not in ("first", "last", "only", "nth", "nth-last"):
        raise ValueError(kind)
    if name == "only":
        return lambda one: place(one, True) == place(one, False) == 1
    is_first = name in ("first", "nth")
    step, first = _steps(inside or "") if name.startswith("nth") else (0, 1)
    return lambda one: _is_nth(place(one, is_first), step, first)


def _place(element: Any, is_first: bool, *, is_of_type: bool) -> int:
    """The number of an element, from 1, counted from the first or the last."""
    tags = (element.tag,) if is_of_type else ()
    return 1 + sum(1 for _ in islice(element.itersiblings(*tags, preceding=is_first), MAX_PLACE))


def _steps(text: str) -> tuple[int, int]:
    """``2n+1`` as the step and the first."""
    text = {"even": "2n", "odd": "2n+1"}.get(text.strip(), text.strip())
    match = _NTH.fullmatch(text[:12])
    if match is None:
        raise ValueError(text)
    if match["only"]:
        return 0, int(match["only"])
    sign = match["step"] + ("1" if match["step"] in ("", "+", "-") else "")
    return int(sign), int((match["first"] or "0").replace(" ", ""))


def _is_nth(place: int, step: int, first: int) -> bool:
    if not step:
        return place == first
    return (place - first) % step == 0 and (place - first) // step >= 0
