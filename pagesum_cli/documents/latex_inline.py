"""The LaTeX of one paragraph → its words, by pylatexenc."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from ..text.cleaning import one_line

LONG = 20_000
"""Characters of a paragraph above which its markup is removed without being parsed, which takes much time."""

LONG_FORMULA = 80
"""Characters of a displayed formula above which ``[formula]`` stands for it."""

MAX_EXPANSION = 200
"""Characters of a macro's definition, and of what it stands for, above which it is not expanded."""

MAX_DEFINITIONS = 1000
"""Macros of a document that are expanded."""

_FAILURES = (RecursionError, ValueError, LookupError, TypeError, AttributeError)
"""What pylatexenc raises for markup that it cannot take apart."""

_MARKED = re.compile(r"[\\${}~^_&#`']|--")
_LENGTH = re.compile(r"\\(?:[vh]skip|kern)\s{0,3}-?[\d.]{1,9}\s?(?:in|em|ex|pt|cm|mm|bp)(?![a-z])")
_CITED = re.compile(
    r"(?P<before>(?:\A|[.?!] |(?<!\w)(?:[Ii]n|of|by|[Ff]rom|to|with|[Ff]ollowing|per|than|like|as|and) ))?"
    r" ?\x01(?P<keys>[^\x01\x02]{0,300})\x02"
)
_NOTHING_INSIDE = re.compile(r" ?[(\[](?:see|e\.g\.|i\.e\.|cf\.|see also|[,; ]){0,9}[)\]]")

_CITES = (
    "cite citep citealp parencite autocite footcite footfullcite supercite citenum citeyear citeyearpar citealt citet "
    "Citet textcite Textcite newcite citeauthor Citeauthor citeauthor fullcite citenp shortcite citeA nocite cites"
)
_IN_TEXT = {"citet", "Citet", "textcite", "Textcite", "newcite", "citeauthor", "Citeauthor", "citealt", "citeA"}
_REFERENCES = "ref autoref cref Cref eqref vref pageref nameref subref Ref autopageref labelcref"
_KEPT = (
    "emph textrm textit textbf textmd textsc textsf textsl texttt textup textnormal text mbox hbox fbox uline "
    "underline hl st enquote MakeUppercase uppercase ensuremath textsubscript textsuperscript centerline textlf"
)
_DROPPED = {
    "{": "label vspace hspace pagestyle thispagestyle bibliographystyle index glossary graphicspath hypersetup tikzset "
    "usetikzlibrary pagenumbering selectlanguage stepcounter refstepcounter newcounter phantom hphantom vphantom "
    "addbibresource lstset fontsize markboth marginpar todo acks setcitestyle includepdf PACS pacs ccsdesc "
    "acmConference acmYear acmISBN acmDOI acmPrice setcopyright copyrightyear orcid",
    "*[[{": "includegraphics lstinputlisting inputminted includesvg",
    "{{": "setlength addtolength setcounter addtocounter numberwithin addcontentsline rule",
    "[{{": "definecolor",
    "[{": "footnote thanks documentclass usepackage RequirePackage",
    "*{[[{": "newcommand renewcommand providecommand",
    "*{[[{{": "newenvironment renewenvironment",
    "*{[{[": "newtheorem",
}
_SPACES = dict.fromkeys([" ", ",", ";", ":", "\\", "quad", "qquad", "newline", "linebreak", "space", "\n", "\t"], " ")
_LETTERS = {
    **_SPACES,
    **dict.fromkeys(["-", "/", "@", "!", "xspace", "maketitle", "centering", "noindent"], ""),
    **{"LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "ldots": "…", "dots": "…", "textellipsis": "…"},
    **{
        "slash": "/",
        "textasciitilde": "~",
        "textasciicircum": "^",
        "textbar": "|",
        "textless": "<",
        "textgreater": ">",
    },
    **{"eg": "e.g.", "ie": "i.e.", "etal": "et al.", "S": "§", "P": "¶", "dag": "†", "ddag": "‡", "copyright": "©"},
}


class Inline:
    """Renders paragraphs.

    Attributes:
        formulas: Displayed formulas that were left out.
    """

    def __init__(self, definitions: Mapping[str, str], numbers: Mapping[str, str]) -> None:
        """Keep what the document defines.

        Args:
            definitions: The source of its macros without arguments.
            numbers: What labels stand for.
        """
        self.formulas: list[str] = []
        self._numbers = numbers
        self._sources = definitions
        self._expanded: dict[str, str] = {}

    def text(self, source: str) -> str:
        """The words of a paragraph."""
        source = _LENGTH.sub(" ", source)
        if not _MARKED.search(source):
            return one_line(source)
        if len(source) > LONG:
            return words_of(source)
        try:
            raw = self._of(self._parsed(balanced(source)))
        except _FAILURES:
            return words_of(source)
        found = _CITED.sub(_cited, " ".join(raw.split()))
        return one_line(_NOTHING_INSIDE.sub("", found))

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
        table = {"*[[{": _CITES, "*{": _REFERENCES, "{": _KEPT, "[{{": "textcolor", "{{": "href texorpdfstring"}
        macros = [std_macro(name, spec) for spec, names in table.items() for name in names.split()]
        macros += [std_macro(name, spec) for spec, names in _DROPPED.items() for name in names.split()]
        of_walker.add_context_category("pagesum", macros=macros, prepend=True)
        own = [MacroTextSpec(name, simplify_repl=_constant(text)) for name, text in _LETTERS.items()]
        of_text.add_context_category("pagesum", macros=own, prepend=True)
        return of_walker, LatexNodes2Text(latex_context=of_text, math_mode="text", keep_comments=False)

    @cached_property
    def _renderer(self) -> Any:
        """Turns formulas into text, with the document's own macros, each of them expanded once."""
        from pylatexenc.latex2text import MacroTextSpec

        own: list[Any] = []
        renderer = self._contexts[1]
        for name, source in islice(self._sources.items(), MAX_DEFINITIONS):
            if len(source) <= MAX_EXPANSION:
                try:
                    text = self._of(self._parsed(balanced(source)), renderer)
                except _FAILURES:
                    continue
                if len(text) <= MAX_EXPANSION:
                    self._expanded[name] = text
                    own.append(MacroTextSpec(name, simplify_repl=_constant(text)))
        renderer.latex_context.add_context_category("document", macros=own, prepend=True)
        return renderer

    def _of(self, nodes: Sequence[Any], renderer: Any = None) -> str:
        renderer = renderer or self._renderer
        parts: list[str] = []
        unknown = False  # whether a macro stands before whose arguments are not known
        for node in nodes:
            kind, after_unknown, unknown = type(node).__name__, unknown, False
            if node is None or kind == "LatexCommentNode":
                continue
            if kind == "LatexCharsNode":
                chars = re.sub(r"\A\[[^\]]{0,200}\]", "", node.chars) if after_unknown else node.chars
                parts.append(chars.replace("`", "‘").replace("'", "’"))
            elif kind == "LatexGroupNode":
                parts.append(self._of(node.nodelist, renderer))
            elif kind == "LatexMacroNode":
                if node.macroname in self._expanded:
                    parts += [self._expanded[node.macroname], node.macro_post_space]
                else:
                    unknown = renderer.latex_context.get_macro_spec(node.macroname) is None
                    parts.append(self._of_macro(node, renderer))
            elif kind == "LatexMathNode" and node.displaytype == "inline":
                parts.append(renderer.node_to_text(node).strip())
            elif kind in ("LatexMathNode", "LatexEnvironmentNode"):
                parts.append(self._formula(node, renderer))
            else:
                parts.append(" " if node.specials_chars == "~" else renderer.node_to_text(node))
        return "".join(parts)

    def _of_macro(self, node: Any, renderer: Any) -> str:
        name = node.macroname
        arguments = [one for one in (node.nodeargd.argnlist if node.nodeargd else None) or () if one is not None]
        last = arguments[-1:]
        if name in _CITE_NAMES:
            keys = words_of(last[0].latex_verbatim()) if last else ""
            return "" if name == "nocite" else f"\x01{'!' if name in _IN_TEXT else ''}{keys}\x02"
        if name in _REFERENCE_NAMES:
            return self._reference(name, words_of(last[0].latex_verbatim()) if last else "")
        if name in _DROPPED_NAMES:
            return ""
        if name == "enquote":
            return f"“{self._of(last, renderer)}”"
        if name == "texorpdfstring":
            return self._of(arguments[:1], renderer)
        if name in ("url", "path", "nolinkurl"):
            return last[0].latex_verbatim().strip("{}").replace("\\", "") if last else ""
        if name in _KEPT_NAMES or (arguments and renderer.latex_context.get_macro_spec(name) is None):
            return self._of(last, renderer)
        return str(renderer.node_to_text(node)) + (node.macro_post_space if name in ("eg", "ie", "etal") else "")

    def _reference(self, name: str, key: str) -> str:
        number = self._numbers.get(key, "")
        return f"({number})" if number and name == "eqref" else number or f"[{key.rpartition(':')[2]}]"

    def _formula(self, node: Any, renderer: Any) -> str:
        text = one_line(renderer.node_to_text(node).replace("&", " "))
        if len(text) <= LONG_FORMULA:
            return f" {text} "
        self.formulas.append(text)
        return " [formula]" + ("." if text.endswith(".") else "," if text.endswith(",") else "") + " "


_CITE_NAMES, _REFERENCE_NAMES, _KEPT_NAMES = (set(names.split()) for names in (_CITES, _REFERENCES, _KEPT))
_KEPT_NAMES |= {"textcolor", "href"}
_DROPPED_NAMES = {name for names in _DROPPED.values() for name in names.split()}


def words_of(source: str) -> str:
    """The words of LaTeX that is not parsed: without the names of macros and without special characters."""
    return one_line(re.sub(r"\\(?:[A-Za-z]+\*?|.)|[{}$&~]", " ", source, flags=re.DOTALL))


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
