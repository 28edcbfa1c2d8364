"""The nodes of a formula, as pylatexenc parses it → text that reads as the formula is printed."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ....text.scripts import MAX_WORDS, subscript, superscript
from ....text.tables import table

_MATH: dict[str, Any] = table(__file__, "macros.toml")["math"]
_OPERATORS = frozenset(_MATH["operators"].split())
_STYLES, _IN_TEXT, _ABOVE_OR_BELOW = (
    frozenset(_MATH[name].split()) for name in ("styles", "in_text", "above_or_below")
)
_FRACTIONS, _CHOICES = (frozenset(_MATH[name].split()) for name in ("fractions", "choices"))
_BRACKETS: dict[str, tuple[str, str]] = _MATH["brackets"]

_CHARACTERS = re.compile(r"[\^_]|\s+|'+|[^\s\^_']")
_PRIMES = ("", "′", "″", "‴")
_WORDS = re.compile(r"[^\W\d_]{2,} +[^\W\d_]{2,}")
_SIMPLE = re.compile(r"[\d.,]+|[^\W\d_]+|[^\W\d_][′⁰-₟¹²³ᵃ-ᶿⁱ]*")
_FRACTION_END = re.compile(r"\w/\w+\Z")
_THIN_SPACE = "\N{THIN SPACE}"  # after the name of a function
_AFTER_NAME = re.compile(rf"{_THIN_SPACE}(?=[^\w√])")
_OF_NUMBER = re.compile(r"(\A|[=<>≤≥≈([{] ?)([±∓])\s")  # signs of a number, not between two
_SUM = re.compile(r"[^\w.,′⁰-₟¹²³ᵃ-ᶿⁱ]")

Atom = tuple[bool, str]
"""Whether it is the sign of a script (``^`` or ``_``), and the text."""


class Formulas:
    """Renders formulas; what is no mathematics is rendered by others."""

    def __init__(self, plain: Callable[[Any], str], words: Callable[[Sequence[Any]], str]) -> None:
        self._plain = plain  # a node that means the same in a text
        self._words = words  # of a text inside of a formula

    def of(self, nodes: Sequence[Any], line_end: str = " ") -> str:
        """The text of a formula."""
        text = sign = last = ""
        for is_sign, atom in self._atoms(nodes, line_end):
            if is_sign and not sign:
                sign = atom
            elif sign and not atom.isspace():
                text, sign, last = text.rstrip() + _script(sign, atom), "", ""
            elif not sign:
                text, last = _joined(text, atom, last), atom
        text = _AFTER_NAME.sub("", text + sign)
        return _OF_NUMBER.sub(r"\1\2", " ".join(text.split()))

    def _atoms(self, nodes: Sequence[Any], line_end: str) -> Iterator[Atom]:
        before = ""
        for node in nodes:
            kind, last = type(node).__name__, before
            before = kind
            if kind == last == "LatexGroupNode":
                yield False, " "  # arguments of a macro that is not known
            if kind == "LatexCharsNode":
                yield from _characters(node.chars)
            elif kind in ("LatexGroupNode", "LatexMathNode"):
                yield False, self.of(node.nodelist)
            elif kind == "LatexSpecialsNode":
                yield False, " " if node.specials_chars in "&~" else self._plain(node)
            elif kind == "LatexEnvironmentNode":
                yield False, self._environment(node)
            elif kind == "LatexMacroNode":
                yield from self._of_macro(node, line_end)

    def _of_macro(self, node: Any, line_end: str) -> Iterator[Atom]:
        yield False, line_end if node.macroname == "\\" else self._macro(node)
        if node.macro_post_space:
            yield False, " "

    def _environment(self, node: Any) -> str:
        opening, closing = _BRACKETS.get(node.environmentname, ("", ""))
        return opening + self.of(node.nodelist, "; " if opening else " ") + closing

    def _macro(self, node: Any) -> str:
        name = node.macroname
        arguments = arguments_of(node)
        if not arguments:
            return _symbol(self._plain(node))
        last = arguments[-1:]
        if name in _IN_TEXT:
            return self._words(last)
        if name in _STYLES:
            return self.of(last)
        if name in _FRACTIONS:
            return _fraction(self.of(arguments[-2:-1]), self.of(last))
        if name in _CHOICES:
            return f"({self.of(arguments[:1])} choose {self.of(last)})"
        if name in _ABOVE_OR_BELOW:
            sign = "_" if name == "underset" else "^"
            return f" {self.of(last)}{_script(sign, self.of(arguments[:1]))} "
        if name == "sqrt":
            return self._root(arguments)
        return _spaced(self._plain(node))

    def _root(self, arguments: Sequence[Any]) -> str:
        index = self.of(arguments[:-1]).strip("[]")
        radicand = self.of(arguments[-1:])
        radicand = radicand if _SIMPLE.fullmatch(radicand) else f"({radicand})"
        return f"{superscript(index) if index else ''}√{radicand}"


def arguments_of(node: Any) -> list[Any]:
    """The arguments that a macro has in the source."""
    arguments = (node.nodeargd.argnlist if node.nodeargd else None) or ()
    return [one for one in arguments if one is not None]


def _characters(text: str) -> Iterator[Atom]:
    for part in _CHARACTERS.findall(text):
        if part[0] == "'":
            part = _PRIMES[len(part)] if len(part) < len(_PRIMES) else "′" * len(part)
        yield part in "^_", _spaced(part)


def _symbol(text: str) -> str:
    """What a macro without arguments stands for: the name of a function, or a sign."""
    is_function = len(text) > 1 and text.isalpha()
    return f" {text}{_THIN_SPACE}" if is_function else _spaced(text)


def _spaced(text: str) -> str:
    """A relation or an operation with space around it."""
    return f" {text} " if text in _OPERATORS else text


def _joined(text: str, atom: str, last: str) -> str:
    """A formula that goes on; a fraction is kept apart from the factors beside it."""
    if "/" in atom and len(atom) > 1 and text[-1:].isalnum():
        return f"{text} {atom}"  # 2 1/2
    if atom[:1].isalnum() and _FRACTION_END.search(last):  # and not one in single characters
        return f"{text} {atom}"  # 1/2 x
    return text + atom


def _fraction(above: str, below: str) -> str:
    above = f"({above})" if _SUM.search(above) else above
    below = below if _SIMPLE.fullmatch(below) else f"({below})"
    return f"{above}/{below}"


def _script(sign: str, text: str) -> str:
    text = text.strip()
    if not _WORDS.search(text):
        text = text.replace(" ", "")
    if sign == "^":
        text = text.replace("∘", "°").replace("'", "′")
    if len(text.split()) > MAX_WORDS:
        return f"{sign}({text})"
    return superscript(text) if sign == "^" else subscript(text)
