"""The LaTeX of one paragraph → its words, by pylatexenc; the author's own macros are expanded
before.
"""

import logging
import re
import unicodedata
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property
from typing import Any

from ....text.cleaning import one_line
from ....text.scripts import subscript, superscript
from ....text.tables import patterns, table
from .formulas import Formulas, arguments_of
from .quantities import quantity, reaction

NAMES = table(__file__, "macros.toml")  # what the names of macros and environments mean
MAX_DEPTH = 16  # macros within macros that are expanded
# characters that all expansions of a document may have: for each of its own, and in addition
MAX_GROWTH = 4, 100_000
FORMS = patterns(__file__, "patterns.toml")

_INTERNAL = re.compile(r"\\[A-Za-z]{0,40}@[A-Za-z@]{0,40}")  # whose argument is text
_ENDS_IN_NAME = re.compile(r"\\[A-Za-z]+\Z")
_SPACE_FACTOR = re.compile(r"\\@(?![A-Za-z])")  # of the space behind a full stop
Macro = tuple[tuple[str | None, ...], str]
"""For each argument its default, if it is optional, else None; and the body, with ``#1``, ``#2`` …
for them.
"""


def named(pairs: str) -> dict[str, str]:
    """The entries of a list of ``NAME:VALUE``, in which ``_`` stands for a space."""
    return {
        name: value.replace("_", " ")
        for name, value in (pair.split(":", 1) for pair in pairs.split())
    }


def expanded(text: str, kept: Container[str]) -> str:
    """The source without definitions, and what is defined replaced by what it stands for."""
    return _Expander(kept, MAX_GROWTH[0] * len(text) + MAX_GROWTH[1]).text(text)


class _Expander:
    """Expands with the definitions that it has passed."""

    def __init__(self, kept: Container[str], budget: int) -> None:
        self._macros: dict[str, Macro] = {}
        self._kept = kept
        self._budget = budget

    def text(self, text: str, depth: int = 0) -> str:
        ends = ends_of_groups(text)
        pieces: list[str] = []
        place = 0
        for match in FORMS["macro"].finditer(text):
            if match.start() < place:
                continue
            if definition := FORMS["definition"].match(text, match.start()):
                pieces.append(text[place : match.start()])
                place = self._define(definition, text, ends)
            elif macro := self._macros.get(match[1]):
                pieces.append(text[place : match.start()])
                arguments, place = _arguments(text, match.end(), macro[0], ends)
                source = _filled(macro[1], arguments)
                if depth >= MAX_DEPTH or len(source) > self._budget:
                    continue
                self._budget -= len(source)
                source = self.text(source, depth + 1) if "\\" in source else source
                before = pieces[-1] or "".join(pieces[-2:-1])
                pieces.append(_apart(before, source, text[place : place + 1]))
        return "".join([*pieces, text[place:]])

    def _define(self, found: re.Match[str], text: str, ends: dict[int, int]) -> int:
        if not (found["command"] or found["def"]):
            return found.end()
        name, parameters = (
            (found["command"] or found["def"])[1:],
            (found["parameters"] or "").replace(" ", ""),
        )
        count = int(found["count"] or 0) if found["command"] else parameters.count("#")
        defaults: tuple[str | None, ...] = (None,) * count
        if found["option"] and count:
            defaults = (found["option"][1:-1], *defaults[1:])
        (body,), end = _arguments(text, found.end(), (None,), ends)
        body = _SPACE_FACTOR.sub("", body)
        if parameters.isdigit():  # \def\01 is read at \01 alone
            name, parameters = name + parameters, ""
        is_plain = re.fullmatch(r"(?:#\d)*", parameters) and not FORMS["program"].search(body)
        if is_plain and name not in self._kept and body != "\\" + name:
            self._macros[name] = defaults, _INTERNAL.sub("", body)
        return end


def _apart(before: str, source: str, after: str) -> str:
    """What a macro stands for, where it makes no name beside it longer and takes no space."""
    if source[:1].isalpha() and _ENDS_IN_NAME.search(before[-40:]):
        source = f" {source}"
    return source + "{}" if after.isspace() and _ENDS_IN_NAME.search(source[-40:]) else source


def _filled(body: str, arguments: Sequence[str]) -> str:
    def argument(found: re.Match[str]) -> str:
        before, number = found[1] or "", int(found[2])
        text = arguments[number - 1] if number <= len(arguments) else ""
        return f"{before} {text}" if before and text[:1].isalpha() else before + text

    return re.sub(r"(\\[A-Za-z]{1,40})?#([1-9])", argument, body)


def _arguments(
    text: str, place: int, defaults: Sequence[str | None], ends: Mapping[int, int]
) -> tuple[list[str], int]:
    found: list[str] = []
    for default in defaults:
        start = next(
            (n for n in range(place, min(place + 10, len(text))) if not text[n].isspace()),
            len(text),
        )
        if default is not None:
            match = FORMS["option"].match(text, start)
            found.append(match[1] if match else default)
        elif start in ends:
            found.append(text[start + 1 : ends[start] - 1])
            place = ends[start]
            continue
        else:
            match = FORMS["token"].match(text, start)
            found.append(match[0] if match else "")
        place = match.end() if match else place
    return found, place


def ends_of_groups(text: str) -> dict[int, int]:
    """Where the braces that open at a place are closed: the place behind."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            ends[opened.pop()] = match.end()
    return ends


LONG = 20_000  # characters of a paragraph whose markup is removed without parsing, which is slow
LONG_FORMULA = 80  # characters of a displayed formula above which ``[formula]`` stands for it
# options without an end, and accents one in another, above which markup is removed without being
# parsed
MAX_OPEN = 4
_FAILURES = (RecursionError, ValueError, LookupError, TypeError, AttributeError)
"""What pylatexenc raises for markup that it cannot take apart."""

_LABELLED = frozenset(NAMES["references"]["labelled"].split())
_NO_KEY = re.compile(r"\\[A-Za-z]+|[\\{}$]")
_CLOSED_MATH = re.compile(r"\\.|(?P<formula>\$(?>(?:\\.|[^\\$])+))\$", re.DOTALL)
_MACRO_AT_END = re.compile(r"\\[A-Za-z]+\s*\Z")
_SINGLE = {"{": "{}", "}": ""}  # else a macro before it would take the letter behind it
_ACCENTS = re.compile(
    rf"(?:\\(?:[^A-Za-z{{}}\\]|[a-zA-Z]{{1,10}})\s?\{{[^{{}}]{{0,20}}){{{MAX_OPEN + 1}}}"
)

_CITED, _CITED_IN_TEXT, _REFERENCES = (
    set(NAMES["references"][one].split()) for one in ("cited", "cited_in_text", "label")
)
_TEXT = {name: arguments for arguments, names in NAMES["text"].items() for name in names.split()}
_DROPPED, _DROPPED_BY_PACKAGES, _REPLACED, _JOINED, _QUANTITIES = (
    {name: arguments for arguments, names in NAMES[kind].items() for name in names.split()}
    for kind in ("dropped", "dropped_by_packages", "replaced", "joined", "quantities")
)
_ACCENT_SIGNS: dict[str, str] = NAMES["accents"]  # combining signs


def _greek() -> dict[str, str]:
    """Greek letters by the names of macros of a text, and of upright ones of a formula."""
    letters: dict[str, str] = {}
    for name in NAMES["letters"]["greek"].split():
        small = unicodedata.lookup(f"GREEK SMALL LETTER {'lamda' if name == 'lambda' else name}")
        letters |= {f"text{name}": small, f"up{name}": small}
        capital = name.capitalize()
        letters |= {f"text{capital}": small.upper(), f"Up{name}": small.upper()}
    return letters


# of what is not parsed
_NAMED_SIGNS = {
    **{name: name for name in NAMES["letters"]["own_name"].split()},
    **named(NAMES["letters"]["signs"]),
    **named(NAMES["letters"]["signs_of_letters"]),
}
_LETTERS = {
    **dict.fromkeys(
        [" ", ",", ";", ":", "\\", "\n", "\t", *NAMES["letters"]["spaces"].split()], " "
    ),
    **dict.fromkeys(["-", "/", "@", "!", ">", *NAMES["letters"]["layout"].split()], ""),
    **{name: name for name in NAMES["letters"]["own_name"].split()},
    **named(NAMES["letters"]["signs"]),
    **_greek(),
}
NOT_REDEFINED = {"begin", "end", *_CITED, *_CITED_IN_TEXT, *_REFERENCES, *_DROPPED}
"""Names of macros that are read by what they usually mean, whatever the author makes of them."""


class Inline:
    """Renders paragraphs."""

    def __init__(self, options: Sequence[str] = ()) -> None:
        self.formulas: list[str] = []  # displayed ones that were left out
        self._options = options  # of all numbers and units

    def text(self, source: str) -> str:
        """The words of a paragraph."""
        source = FORMS["delimiter"].sub("", FORMS["length"].sub(" ", source))
        if not FORMS["marked"].search(source):
            return one_line(source)
        balanced = _balanced(source) if len(source) <= LONG else ""
        try:
            raw = self._of(self._nodes(balanced)) if balanced else words_of(source)
        except _FAILURES:
            return words_of(source)
        return one_line(FORMS["nothing_inside"].sub("", " ".join(raw.split())))

    @cached_property
    def _nodes(self) -> Callable[[str], Sequence[Any]]:
        from pylatexenc.latexwalker import LatexWalker, get_default_latex_context_db
        from pylatexenc.macrospec import std_macro

        # it warns of each macro without its arguments
        logging.getLogger("pylatexenc").setLevel(logging.CRITICAL)
        context = get_default_latex_context_db()
        known = {
            **dict.fromkeys(_CITED | _CITED_IN_TEXT, "*[[{"),
            **dict.fromkeys(_REFERENCES, "*{"),
            **_TEXT,
            **_DROPPED,
            **_DROPPED_BY_PACKAGES,
            **_REPLACED,
            **_JOINED,
            **_QUANTITIES,
        }
        macros = [std_macro(name, spec) for name, spec in known.items()]
        context.add_context_category("pagesum", macros=macros, prepend=True)
        return lambda source: LatexWalker(
            source, latex_context=context, tolerant_parsing=True
        ).get_latex_nodes()[0]

    @cached_property
    def _renderer(self) -> Any:
        from pylatexenc.latex2text import (
            LatexNodes2Text,
            MacroTextSpec,
            get_default_latex_context_db,
        )

        context = get_default_latex_context_db()
        # A text in place of a function would be a pattern with percent signs.
        own = [
            MacroTextSpec(name, simplify_repl=lambda *_, text=text: text)
            for name, text in _LETTERS.items()
        ]
        context.add_context_category("pagesum", macros=own, prepend=True)
        return LatexNodes2Text(latex_context=context, math_mode="text", keep_comments=False)

    @cached_property
    def _math(self) -> Formulas:
        return Formulas(self._of_math_node, self._of)

    def _of_math_node(self, node: Any) -> str:
        """What is not particular to formulas; of a macro that is not known, its name."""
        if type(node).__name__ != "LatexMacroNode":
            return str(self._renderer.node_to_text(node))
        is_known = self._is_known(node)
        return self._of_macro(node) if is_known else str(node.macroname)

    def _is_known(self, node: Any) -> bool:
        arguments = arguments_of(node)
        known = self._renderer.latex_context.get_macro_spec(node.macroname)
        return bool(arguments) or known is not None or node.macroname in _DROPPED

    def _of(self, nodes: Sequence[Any]) -> str:
        text = ""
        before = ""  # a macro whose arguments are not known, or one of these
        for place, node in enumerate(nodes):
            kind, last, before = type(node).__name__, before, ""
            if kind == "LatexCommentNode":
                continue
            if kind == "LatexCharsNode":
                chars = re.sub(r"\A\[[^\]]{0,200}\]", "", node.chars) if last else node.chars
                before = "" if chars.strip() else last
                text += chars.replace("`", "‘").replace("'", "’")
            elif kind == "LatexGroupNode":
                text += _between(text, last, nodes[place + 1 :]) + self._of(node.nodelist)
                before = "argument" if last else ""
            elif kind == "LatexMacroNode":
                before = "" if self._is_known(node) else "macro"
                if node.macroname in _CITED | _CITED_IN_TEXT:
                    text = self._with_citation(text, node)
                elif before:
                    text += _mark_of(node, text, nodes[place + 1 :])
                else:
                    text += self._of_macro(node)
            elif kind == "LatexMathNode" and node.displaytype == "inline":
                text += self._math.of(node.nodelist)
            elif kind in ("LatexMathNode", "LatexEnvironmentNode"):
                text += self._formula(node)
            else:
                text += " " if node.specials_chars == "~" else self._renderer.node_to_text(node)
        return text

    def _with_citation(self, text: str, node: Any) -> str:
        """The text and a citation: its keys in brackets where the sentence needs them, else
        nothing.
        """
        before = " ".join(text[-40:].split()) + " " * text[-1:].isspace()
        arguments = arguments_of(node)
        is_word = node.macroname in _CITED_IN_TEXT or FORMS["needs_citation"].search(
            before if before.strip() else ""
        )
        if not is_word or not arguments or node.macroname == "nocite":
            return text.rstrip()
        return f"{text}[{_of_key(arguments[-1].latex_verbatim())}]"

    def _of_macro(self, node: Any) -> str:
        name = node.macroname
        arguments = arguments_of(node)
        last = arguments[-1:]
        if name in _REFERENCES:
            return _of_labels(last[0].latex_verbatim() if last else "")
        if name in _DROPPED or name in _DROPPED_BY_PACKAGES:
            return ""
        if name in _SOURCES and last:
            sources = [one.latex_verbatim() for one in arguments]
            return _SOURCES[name](name, [*self._options, *sources])
        if name in _WRAPPED:
            return _WRAPPED[name](self._of(last))
        if name in _FORMULAS and last:
            return self._math.of([node])
        if name == "texorpdfstring":
            return self._of(arguments[:1])
        if name in _REPLACED:
            return self._of(arguments[-2:-1])
        if name in _JOINED:
            return "".join(self._of([one]) for one in arguments[-2:])
        if name in _TEXT or (
            arguments and self._renderer.latex_context.get_macro_spec(name) is None
        ):
            return self._of(last)
        return str(self._renderer.node_to_text(node)) + (
            node.macro_post_space if name in ("eg", "ie", "etal", "xspace") else ""
        )

    def _formula(self, node: Any) -> str:
        text = self._math.of(node.nodelist)
        if len(text) <= LONG_FORMULA:
            return f" {text} "
        self.formulas.append(text)
        return (
            " [formula]" + ("." if text.endswith(".") else "," if text.endswith(",") else "") + " "
        )


def _between(before: str, last: str, after: Sequence[Any]) -> str:
    """A space between the arguments of a macro that is not known, and before the first of several;
    a single one may be a part of a word.
    """
    is_next = bool(after) and type(after[0]).__name__ == "LatexGroupNode"
    is_apart = last == "argument" or (last and is_next and before[-1:].isalnum())
    return " " if is_apart else ""


def _mark_of(node: Any, before: str, after: Sequence[Any]) -> str:
    """What stands for a macro that is not known: nothing if it has an argument, or if it looks like
    one that changes the layout; else its name in brackets, as it stands for words.
    """
    following = after[0].latex_verbatim()[:80] if after else ""
    has_argument = following.lstrip()[:1] in ("{", "[")
    is_in_sentence = FORMS["within"].search(before[-80:]) or FORMS["goes_on"].match(following)
    space = node.macro_post_space
    return space if has_argument or not is_in_sentence else f"[{node.macroname}]{space}"


def _of_key(source: str) -> str:
    """A label or the key of a source, in which no sign has a meaning; macros are left out."""
    return one_line(_NO_KEY.sub(" ", source))


def _of_labels(source: str) -> str:
    """What stands for a reference: the labels, without what they are labels of."""
    return f"[{', '.join(map(_of_label, source.split(',')))}]"


def _of_label(source: str) -> str:
    """A label without its kind, which one letter before it may stand for."""
    *before, last = _of_key(source).split(":")
    names = [one for one in before if len(one) > 1 and one.lower() not in _LABELLED]
    return ":".join(names if names and last.lower() in _LABELLED else [*names, last])


def _of_quantity(name: str, arguments: Sequence[str]) -> str:
    options = "".join(one for one in arguments if one.startswith("["))
    given = [one for one in arguments if not one.startswith("[")]
    plain = [one.removeprefix("{").removesuffix("}") for one in given]
    return quantity(name, plain, is_quotient=bool(FORMS["quotient"].search(options)))


def _of_address(_: str, arguments: Sequence[str]) -> str:
    return arguments[-1].strip("{}").replace("\\", "")


def _of_reaction(_: str, arguments: Sequence[str]) -> str:
    return reaction(arguments[-1].removeprefix("{").removesuffix("}"))


_SOURCES: dict[str, Callable[[str, Sequence[str]], str]] = {
    **dict.fromkeys(_QUANTITIES, _of_quantity),
    **dict.fromkeys(("url", "path", "nolinkurl"), _of_address),
    **dict.fromkeys(("ce", "ch"), _of_reaction),
}
"""Macros whose arguments are no LaTeX."""

_WRAPPED: dict[str, Callable[[str], str]] = {
    **dict.fromkeys(("uppercase", "MakeUppercase", "MakeTextUppercase"), str.upper),
    **dict.fromkeys(("lowercase", "MakeLowercase", "MakeTextLowercase"), str.lower),
    "enquote": "“{}”".format,
    "textsuperscript": superscript,
    "textsubscript": subscript,
}
_FORMULAS = frozenset(
    [*NAMES["math"]["fractions"].split(), *NAMES["math"]["choices"].split(), "ensuremath"]
)


def formula(source: str) -> str:
    """A formula in LaTeX, without its dollars, as readable text."""
    return Inline().text(f"${source}$")


def words_of(source: str) -> str:
    """The words of LaTeX that is not parsed: without the names of macros and without special
    characters, but with those that are escaped, with accents and with dashes.
    """
    source = FORMS["script"].sub(_of_script, source)
    source = FORMS["accent"].sub(_accented, source)
    words = one_line(FORMS["markup"].sub(_of_markup, FORMS["closed"].sub("", source)))
    return words.replace("---", "—").replace("--", "–")


def _accented(found: re.Match[str]) -> str:
    letter = found["braced"] or found["letter"] or ""
    return unicodedata.normalize("NFC", letter + _ACCENT_SIGNS[found["accent"]])


def _of_markup(found: re.Match[str]) -> str:
    if kept := found["escaped"] or found["sign"]:
        return str(kept)
    return _NAMED_SIGNS.get(found["name"] or "", " ")


def _of_script(found: re.Match[str]) -> str:
    script = found["braced"] or found["one"]
    return superscript(script) if found["sign"] == "^" else subscript(script)


def _with_empty_argument(found: re.Match[str]) -> str:
    """A formula in whose end no macro takes the dollar for its argument."""
    formula = found["formula"]
    return f"{formula}{{}}$" if formula and _MACRO_AT_END.search(formula[-40:]) else found[0]


def _balanced(source: str) -> str:
    """The source without braces and dollars that have no partner in it; empty where it is better
    not parsed.

    pylatexenc takes exponential time for options without an end, and for accents one in another.
    """
    source = _CLOSED_MATH.sub(_with_empty_argument, source)
    single: set[int] = set()
    braces: list[int] = []
    dollars: list[int] = []
    brackets = 0
    for match in re.finditer(r"\\.|[][{}$]", source, re.DOTALL):
        if match[0] == "{":
            braces.append(match.start())
        elif match[0] == "}":
            single |= set() if braces else {match.start()}
            del braces[-1:]
        elif match[0] == "$":
            dollars.append(match.start())
        brackets = max(0, brackets + (match[0] == "[") - (match[0] == "]"))
        if brackets > MAX_OPEN:
            return ""
    single |= {*braces, *(dollars[-1:] if len(dollars) % 2 else [])}
    if single:
        signs = enumerate(source)
        source = "".join(_SINGLE.get(one, " ") if n in single else one for n, one in signs)
    return "" if _ACCENTS.search(source) else source
