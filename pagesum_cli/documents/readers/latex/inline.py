"""The LaTeX of one paragraph → its words, by pylatexenc."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import zip_longest
from typing import Any

from ....text.cleaning import one_line
from .macros import unmasked
from .names import ARGUMENTS, CITES, DROPPED, IN_TEXT, LETTERS, PREFIXES, QUANTITIES, REFERENCES, UNITS

LONG = 20_000
"""Characters of a paragraph above which its markup is removed without being parsed, which takes much time."""

LONG_FORMULA = 80
"""Characters of a displayed formula above which ``[formula]`` stands for it."""

MAX_ACCENTS = 6
"""Accents one in another, above which markup is removed without being parsed."""

_ACCENT = re.compile(
    r"\\(?:[^A-Za-z{}\\]|[bcdHkrtuvG]|(?:wide)?(?:hat|bar|vec|tilde|check|breve|acute|grave|d{0,4}ot|mathring))\s?\{|\\.|[{}]",
    re.DOTALL,
)
_FAILURES = (RecursionError, ValueError, LookupError, TypeError, AttributeError)
"""What pylatexenc raises for markup that it cannot take apart."""

_MARKED = re.compile(r"[\\${}~^_&#`']|--")
_LENGTH = re.compile(
    r"\\(?:[vh]skip|kern|[A-Za-z]{0,30}(?:skip|width|height|depth|indent|sep|margin|stretch|penalty)\s{0,3}=)"
    r"\s{0,3}-?[\d.]{1,9}\s?(?:in|em|ex|pt|cm|mm|bp|\\[A-Za-z]{1,30}|)(?![a-z])"
)
_CITED = re.compile(
    r"(?P<before>(?:\A|[.?!] |(?<!\w)(?:[Ii]n|of|by|[Ff]rom|to|with|[Ff]ollowing|per|than|like|as|and) ))?"
    r" ?\x01(?P<keys>[^\x01\x02]{0,300})\x02"
)
_NOTHING_INSIDE = re.compile(r" ?[(\[](?:see|e\.g\.|i\.e\.|cf\.|see also|[,; ]){0,9}[)\]]")


class Inline:
    """Renders paragraphs.

    Attributes:
        formulas: Displayed formulas that were left out.
        unknown: Macros without arguments whose text is not known.
    """

    def __init__(self, numbers: Mapping[str, str]) -> None:
        """Keep what labels stand for."""
        self.formulas: list[str] = []
        self.unknown: dict[str, None] = {}
        self._numbers = numbers

    def text(self, source: str) -> str:
        """The words of a paragraph."""
        source = _LENGTH.sub(" ", source)
        if not _MARKED.search(source):
            return one_line(unmasked(source))
        if len(source) > LONG or _accents(source) > MAX_ACCENTS:
            return words_of(source)
        try:
            raw = self._of(self._parsed(balanced(source)))
        except _FAILURES:
            return words_of(source)
        found = _CITED.sub(_cited, " ".join(raw.split()))
        return one_line(unmasked(_NOTHING_INSIDE.sub("", found)))

    @property
    def _renderer(self) -> Any:
        return self._contexts[1]

    def _parsed(self, source: str) -> Sequence[Any]:
        from pylatexenc.latexwalker import LatexWalker

        walker = LatexWalker(source, latex_context=self._contexts[0], tolerant_parsing=True)
        nodes: Sequence[Any] = walker.get_latex_nodes()[0]
        return nodes

    @cached_property
    def _contexts(self) -> tuple[Any, Any]:
        """The macros' arguments, and what turns symbols and accents into text."""
        from pylatexenc.latex2text import LatexNodes2Text, MacroTextSpec, get_default_latex_context_db
        from pylatexenc.latexwalker import get_default_latex_context_db as arguments
        from pylatexenc.macrospec import std_macro

        logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)  # it warns of each macro without its arguments
        of_walker, of_text = arguments(), get_default_latex_context_db()
        macros = [std_macro(name, spec) for spec, names in ARGUMENTS.items() for name in names.split()]
        macros += [std_macro(name, spec) for spec, names in DROPPED.items() for name in names.split()]
        of_walker.add_context_category("pagesum", macros=macros, prepend=True)
        own = [MacroTextSpec(name, simplify_repl=_constant(text)) for name, text in LETTERS.items()]
        of_text.add_context_category("pagesum", macros=own, prepend=True)
        return of_walker, LatexNodes2Text(latex_context=of_text, math_mode="text", keep_comments=False)

    def _of(self, nodes: Sequence[Any]) -> str:
        parts: list[str] = []
        before = ""  # what stands before: a macro whose arguments are not known, or one of these
        for node, after in zip_longest(nodes, nodes[1:]):
            kind, last, before = type(node).__name__, before, ""
            if node is None or kind == "LatexCommentNode":
                continue
            if kind == "LatexCharsNode":
                chars = re.sub(r"\A\[[^\]]{0,200}\]", "", node.chars) if last else node.chars
                before = "" if chars.strip() else last
                parts.append(chars.replace("`", "‘").replace("'", "’"))
            elif kind == "LatexGroupNode":
                text = self._of(node.nodelist)
                before = "argument" if last else ""
                if not (last == "macro" and type(after).__name__ == kind and "://" in text):  # else it is a link
                    parts += [" "] * (last == "argument") + [text]
            elif kind == "LatexMacroNode":
                if self._is_unknown(node):
                    before = "macro"
                    with_group = type(after).__name__ == "LatexGroupNode" and after.nodelist
                    if not with_group and not str(getattr(after, "chars", "")).startswith("["):
                        self.unknown[f"\\{node.macroname}"] = None
                parts.append(self._of_macro(node))
            elif kind == "LatexMathNode" and node.displaytype == "inline":
                parts.append(self._renderer.node_to_text(node).strip())
            elif kind in ("LatexMathNode", "LatexEnvironmentNode"):
                parts.append(self._formula(node))
            else:
                parts.append(" " if node.specials_chars == "~" else self._renderer.node_to_text(node))
        return "".join(parts)

    def _is_unknown(self, node: Any) -> bool:
        """Whether neither the words nor the arguments of a macro are known."""
        known = node.nodeargd and node.nodeargd.argnlist
        return not known and self._renderer.latex_context.get_macro_spec(node.macroname) is None

    def _of_macro(self, node: Any) -> str:
        name = node.macroname
        arguments = [one for one in (node.nodeargd.argnlist if node.nodeargd else None) or () if one is not None]
        last = arguments[-1:]
        if name in _CITE_NAMES:
            keys = words_of(last[0].latex_verbatim()) if last else ""
            return "" if name == "nocite" else f"\x01{'!' if name in IN_TEXT else ''}{keys}\x02"
        if name in _REFERENCE_NAMES:
            return self._reference(name, words_of(last[0].latex_verbatim()) if last else "")
        if name in _DROPPED_NAMES:
            return ""
        if name == "enquote":
            return f"“{self._of(last)}”"
        if name in QUANTITIES.split():
            return _quantity(name, [one.latex_verbatim() for one in arguments])
        if name == "texorpdfstring":
            return self._of(arguments[:1])
        if name in ("url", "path", "nolinkurl"):
            return last[0].latex_verbatim().strip("{}").replace("\\", "") if last else ""
        if name in _KEPT_NAMES or (arguments and self._renderer.latex_context.get_macro_spec(name) is None):
            return self._of(last)
        return str(self._renderer.node_to_text(node)) + (node.macro_post_space if name in ("eg", "ie", "etal") else "")

    def _reference(self, name: str, key: str) -> str:
        number = self._numbers.get(key, "")
        return f"({number})" if number and name == "eqref" else number or f"[{key.rpartition(':')[2]}]"

    def _formula(self, node: Any) -> str:
        text = one_line(self._renderer.node_to_text(node).replace("&", " "))
        if len(text) <= LONG_FORMULA:
            return f" {text} "
        self.formulas.append(text)
        return " [formula]" + ("." if text.endswith(".") else "," if text.endswith(",") else "") + " "


_CITE_NAMES, _REFERENCE_NAMES = set(CITES.split()), set(REFERENCES.split())
_KEPT_NAMES = {name for names in ARGUMENTS.values() for name in names.split()}
_DROPPED_NAMES = {name for names in DROPPED.values() for name in names.split()}
NOT_REDEFINED = {"begin", "end", *_CITE_NAMES, *_REFERENCE_NAMES, *_DROPPED_NAMES}
"""Names of macros that are read by what they usually mean, whatever the author makes of them."""


def words_of(source: str) -> str:
    """The words of LaTeX that is not parsed: without the names of macros and without special characters."""
    return one_line(unmasked(re.sub(r"\\(?:[A-Za-z]+\*?|.)|[{}$&~]", " ", source, flags=re.DOTALL)))


def _quantity(name: str, arguments: Sequence[str]) -> str:
    """Numbers with their unit, by a macro of the package siunitx."""
    given = [one for one in arguments if not one.startswith("[")]
    if name in ("num", "ang"):
        return words_of(" ".join(given)) + ("°" if name == "ang" else "")
    return f"{' to '.join(map(words_of, given[:-1]))} {_unit(given[-1] if given else '')}".strip()


def _unit(source: str) -> str:
    """A unit of measurement."""
    text = re.sub(
        r"\\([A-Za-z]+)\s*", lambda found: PREFIXES.get(found[1]) or UNITS.get(found[1], found[1]) + " ", source
    )
    return re.sub(r"\s(?=[/²³])", "", one_line(re.sub(r"[{}$~]", "", text)))


def _accents(source: str) -> int:
    """How many accents stand one in another: pylatexenc takes time that doubles with each."""
    deepest = depth = 0
    opened: list[bool] = []
    for match in re.finditer(_ACCENT, source):
        if match[0] == "}":
            depth -= opened.pop() if opened else 0
        elif match[0].endswith("{"):
            opened.append(match[0] != "{")
            depth += opened[-1]
            deepest = max(deepest, depth)
    return deepest


def balanced(source: str) -> str:
    """The source without braces that have no partner in it, and without the last dollar of an odd number.

    Brackets without a partner, or inside of others, are put into braces: pylatexenc takes exponential time for nested
    options that do not end.
    """
    changes: dict[int, str] = {}
    braces: list[int] = []
    brackets: list[int] = []
    dollar = -1
    for match in re.finditer(r"\\.|[][{}$]", source, re.DOTALL):
        place = match.start()
        if match[0] == "{":
            braces.append(place)
        elif match[0] == "}" and braces:
            braces.pop()
        elif match[0] == "}":
            changes[place] = " "
        elif match[0] == "[":
            brackets.append(place)
        elif match[0] == "]" and brackets:
            start = brackets.pop()
            if brackets:
                changes[start], changes[place] = "{[}", "{]}"
        elif match[0] == "$":
            dollar = place if dollar < 0 else -1
    changes |= dict.fromkeys(braces, " ") | dict.fromkeys(brackets, "{[}") | ({dollar: " "} if dollar >= 0 else {})
    return "".join(changes.get(place, one) for place, one in enumerate(source)) if changes else source


def _cited(match: re.Match[str]) -> str:
    """A citation: its keys in brackets where the sentence needs them, else nothing."""
    before, keys = match["before"], match["keys"]
    if before is None and not keys.startswith("!"):
        return ""
    space = "" if before is not None or match.start() == 0 else " "
    return f"{before or ''}{space}[{keys.lstrip('!')}]"


def _constant(text: str) -> Callable[..., str]:
    """What pylatexenc takes for a replacement: a text of its own would be a pattern with percent signs."""
    return lambda *_: text
