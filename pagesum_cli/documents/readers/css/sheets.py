"""Style sheets: the rules that a browser with a wide window follows, and what they declare."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any, NamedTuple

from .selectors import Selector, bit_of, keys_of, selectors_in
from .values import RELEVANT, WINDOW, expanded, pixels

MAX_SHEET = 400_000  # characters of the style sheets of a page that are read
MAX_RULES = 20_000  # rules that are followed
MAX_TESTS = 300_000  # comparisons of elements with rules
TESTS = 20  # further ones for each element
MAX_SELECTORS = 500  # characters of the selectors of a rule within others

_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_TOKEN = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|\([^(){}\"']*\)|[{};]|[^{};\"'(]+|.", re.DOTALL
)
_NESTING = ("@supports", "@layer", "@container", "@scope", "@document", "@-moz-document")
"""Rules around others, which apply."""
_WIDTH = re.compile(
    r"(?P<end>min|max)-width\s*:\s*(?P<value>[^)]+)|width\s*(?P<sign>[<>])=?\s*(?P<than>[^)]+)"
)
_OTHER = re.compile(r"print|speech|handheld|projection|:\s*(?:dark|reduce|portrait|none|coarse)\b")
"""Media that are not a screen as most readers have it."""
_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)")

_ALWAYS = ("--", "animation", "background")

Declared = dict[str, str]


@dataclass(slots=True, eq=False)
class Rule:
    """What a selector's elements look like."""

    selector: Selector
    declared: Declared
    important: Declared
    order: int
    around: int = 0  # the bits of what must be around its elements
    effort: int = 0  # how much work it is to compare it with an element

    def __post_init__(self) -> None:
        self.around, self.effort = self.selector.around, self.selector.effort

    @property
    def strength(self) -> tuple[tuple[int, int, int], int]:
        """Of two rules, the greater one holds."""
        return self.selector.weight, self.order


class _Candidates(NamedTuple):
    """The rules that may be for elements with the same tag, classes and id, and alike around."""

    sure: tuple[Rule, ...]  # those for all of them, the strongest last
    maybe: tuple[Rule, ...]  # those that each element is compared with


class Sheet:
    """The rules of style sheets, found by the elements that they are for."""

    def __init__(self, text: str) -> None:
        self._rules: defaultdict[str, list[Rule]] = defaultdict(list)
        self._variables: Declared = {}
        self._around: dict[Any, int] = {}  # what is around elements and they are, as bits
        self._bits: dict[tuple[str, str, str], int] = {}  # what elements are, by tag, classes, id
        self._candidates: dict[tuple[tuple[str, str, str], int], _Candidates] = {}
        self._declared: dict[tuple[tuple[Rule, ...], str], Declared] = {}
        self._left = MAX_TESTS
        count = self._read(text)
        # whether not all rules were followed
        self.is_too_large = len(text) > MAX_SHEET or count > MAX_RULES

    def _read(self, text: str) -> int:
        """Add the rules of style sheets; returns their number."""
        count = 0
        for selectors, body in blocks_in(_COMMENT.sub(" ", text[:MAX_SHEET])):
            declared, important = declarations(body)
            both = declared | important
            names = [name for name in both if name in RELEVANT or name.startswith(_ALWAYS)]
            self._variables |= {name: both[name] for name in names if name.startswith("--")}
            for selector in selectors_in(selectors) if names else ():
                count += 1
                if count <= MAX_RULES:
                    rule = Rule(selector, declared, important, count)
                    self._rules[selector.key].append(rule)
        return count

    def expect(self, elements: int) -> None:
        """Be ready to look at a page with this number of elements, each after what is around it."""
        self._around.clear()
        self._left += TESTS * elements

    def __bool__(self) -> bool:
        return bool(self._rules)

    def declared(self, element: Any, style: str) -> Declared:
        """What holds for an element with this attribute ``style``: the values by properties; the
        same object where the same rules and styles are its own.
        """
        key = self._rules_for(element), style
        found = self._declared.get(key)
        if found is None:
            found = self._declared[key] = self._together(*key)
        return found

    def _together(self, rules: Sequence[Rule], style: str) -> Declared:
        own, strong = declarations(style) if style else ({}, {})
        found: Declared = {}
        for rule in rules:
            found |= rule.declared
        found |= own
        for rule in rules:
            found |= rule.important
        found |= strong
        return {name: self._resolved(value) for name, value in found.items()}

    def _rules_for(self, element: Any) -> tuple[Rule, ...]:
        """The rules for an element, the strongest last."""
        look = element.tag, element.get("class") or "", element.get("id") or ""
        around = self._around.get(element.getparent(), 0)
        if look not in self._bits:
            self._bits[look] = reduce(or_, map(bit_of, keys_of(element)))
        self._around[element] = around | self._bits[look]
        candidates = self._candidates.get((look, around))
        if candidates is None:
            candidates = self._candidates[look, around] = self._found(element, around)
        matching = list(self._matching(candidates.maybe, element))
        if not matching:
            return candidates.sure
        return tuple(sorted([*candidates.sure, *matching], key=lambda one: one.strength))

    def _found(self, element: Any, around: int) -> _Candidates:
        sure: list[Rule] = []
        maybe: list[Rule] = []
        keys = ("*", *dict.fromkeys(keys_of(element)))
        for rule in chain.from_iterable(self._rules.get(key, ()) for key in keys):
            if not self._may_compare(1):
                break
            if rule.around & ~around:
                continue
            if not rule.selector.is_plain:
                maybe.append(rule)
            else:
                sure += self._matching([rule], element)
        return _Candidates(tuple(sorted(sure, key=lambda one: one.strength)), tuple(maybe))

    def _matching(self, rules: Iterable[Rule], element: Any) -> Iterator[Rule]:
        for rule in rules:
            if not self._may_compare(rule.effort):
                return
            if rule.selector.matches(element):
                yield rule

    def _may_compare(self, effort: int) -> bool:
        self._left -= effort
        self.is_too_large = self.is_too_large or self._left < 0
        return self._left >= 0

    def _resolved(self, value: str) -> str:
        """A value with those of the variables in it."""
        for _ in range(3):
            if "var(" not in value:
                break
            value = _VARIABLE.sub(lambda one: self._variables.get(one[1], one[2] or ""), value)
        return value.strip()


def blocks_in(sheet: str) -> Iterator[tuple[str, str]]:
    """The selectors and the declarations of the rules that apply, also those within others."""
    # Of each open block: whether it applies, its selectors, and its declarations so far.
    around: list[tuple[bool, str, list[str]]] = [(True, "", [])]
    words: list[str] = []
    for token in _TOKEN.findall(sheet):
        if token not in ("{", "}", ";"):
            words.append(token)
            continue
        text = "".join(words).strip()
        words.clear()
        applies, selectors, body = around[-1]
        if token == "{":
            around.append((applies and _applies(text), _within(selectors, text), []))
            continue
        body.append(text)
        if token == "}" and len(around) > 1:
            around.pop()
            if applies and selectors:
                yield selectors, ";".join(body)


def _within(outer: str, text: str) -> str:
    """The selectors of a rule within another one."""
    if text.startswith("@") or len(outer) + len(text) > MAX_SELECTORS:
        return outer
    if not outer:
        return text
    around = f":is({outer})"
    inner = (one.strip() for one in text.split(","))
    return ",".join(one.replace("&", around) if "&" in one else f"{around} {one}" for one in inner)


def _applies(text: str) -> bool:
    """Whether what stands in a block is for a wide window."""
    if not text.startswith("@"):
        return True
    name = text.lower().partition(" ")[0].partition("(")[0]
    if name == "@media":
        queries = text.lower().removeprefix(name).split(",")
        return any(map(_is_wide, queries))
    return name in _NESTING


def _is_wide(query: str) -> bool:
    """Whether a media query holds for a wide window."""
    query = query.strip()
    if query.startswith("not "):
        return not _is_wide(query.removeprefix("not "))
    widths = [_holds(match) for match in _WIDTH.finditer(query)]
    return all(widths) and not _OTHER.search(query)


def _holds(match: re.Match[str]) -> bool:
    width = pixels((match["value"] or match["than"]).strip())
    if width is None:
        return True
    is_least = match["end"] == "min" or match["sign"] == ">"
    return width <= WINDOW if is_least else width >= WINDOW


def declarations(body: str) -> tuple[Declared, Declared]:
    """What declarations say, those that are important apart; later ones hold."""
    declared: Declared = {}
    important: Declared = {}
    pieces: list[list[str]] = [[]]
    for token in _TOKEN.findall(_COMMENT.sub(" ", body)):
        if token == ";":
            pieces.append([])
        else:
            pieces[-1].append(token)
    for piece in map("".join, pieces):
        name, mark, value = piece.lower().partition(":")
        value, strong, _ = value.partition("!")
        if mark:
            into = important if strong else declared
            into |= expanded(name.strip(), " ".join(value.split()))
    return declared, important
