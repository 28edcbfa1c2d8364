"""Text of LaTeX that a page does not show: white, transparent, or too small to be read."""

import re
from collections.abc import Callable, Iterator

from .inline import ends_of_groups

_ONES = r"\s?1(?:\.0*)?\s?(?:,\s?1(?:\.0*)?\s?){2}"
_WHITE = rf"(?:\[(?:rgb|gray|RGB|HTML|cmyk)\]\s?\{{(?:{_ONES}|1(?:\.0*)?|255,\s?255,\s?255"
_WHITE += r"|[fF]{6}|0,\s?0,\s?0,\s?0)\}|\{\s?(?:white|white!100)\s?\})"
_DEFINED = re.compile(
    rf"\\(?:definecolor|colorlet)\s?\{{(?P<name>[\w-]{{1,40}})\}}\s?"
    rf"(?:\{{(?:rgb|RGB|HTML)\}}\s?\{{(?:{_ONES}|255,\s?255,\s?255|[fF]{{6}})\}}"
    r"|\{gray\}\s?\{1(?:\.0*)?\}|\{white\})"
)
_SMALL = r"\\fontsize\s?\{\s?(?:0?\.\d+|[01](?:\.\d*)?)\s?(?:pt|mm|bp)?\s?\}\s?\{[^{}]{0,20}\}"
_DECLARED = rf"\\color\s?{_WHITE}|{_SMALL}|\\transparent\s?\{{\s?0?\.?0*\s?\}}"
_APPLIED = rf"\\textcolor\s?{_WHITE}\s?|\\texttransparent\s?\{{\s?0?\.?0*\s?\}}\s?"
_SCOPES = re.compile(
    r"(?P<opens>\\begin(?![A-Za-z])\s?\{[^{}]{0,50}\}|\{)"
    r"|(?P<closes>\\end(?![A-Za-z])\s?\{[^{}]{0,50}\}|\})"
    r"|(?P<change>\\(?:color|normalcolor|fontsize|normalsize)(?![A-Za-z]))|\\.",
    re.DOTALL,
)
_OPTION_END = re.compile(r"[^\[\]]{0,1000}")
# where white text can be seen
_DARK = re.compile(
    r"\\pagecolor|\\documentclass\s?(?:\[[^\]]{0,200}\])?\s?\{(?:beamer|\w{0,20}poster)\}"
)
_DARK_BOX = re.compile(
    r"\\f?colorbox|\\(?:cell|row|column)color|tcolorbox|mdframed|fill\s?=|\\node"
)
NEAR = 300  # characters before white text in which its background may be set


def without_hidden(text: str, leave_out: Callable[[str], None]) -> str:
    """The source without text that is not shown, which is handed to ``leave_out``."""
    if not re.search(r"white|color|\\fontsize|transparent", text):
        return text
    ends = ends_of_groups(text)
    spans = sorted(one for one in _spans(text, ends) if _is_hidden(text, one[0]))
    kept, place = list[str](), 0
    for start, end in spans:
        if start >= place:
            kept.append(text[place:start])
            leave_out(text[start:end])
            place = end
    return "".join([*kept, text[place:]])


def _is_hidden(text: str, place: int) -> bool:
    """Whether nothing dark is known behind a place."""
    return not (_DARK.search(text) or _DARK_BOX.search(text, max(0, place - NEAR), place))


def _spans(text: str, ends: dict[int, int]) -> Iterator[tuple[int, int]]:
    """The places of arguments, and of what follows a declaration in its group, in the text and not
    in the preamble.
    """
    start = max(0, text.find("\\begin{document}"))
    names = "|".join(re.escape(one["name"]) for one in _DEFINED.finditer(text))
    own = rf"\s?\{{(?:{names})\}}" if names else r"(?!)"
    applied = re.compile(rf"{_APPLIED}|\\textcolor{own}\s?")
    for match in applied.finditer(text, start):
        end = ends.get(match.end())
        if end:
            yield match.end() + 1, end - 1
    declared = re.compile(rf"{_DECLARED}|\\color{own}")
    last = 0
    for match in declared.finditer(text, start):
        if match.start() >= last:  # else it is in a group that is hidden already
            option = _OPTION_END.match(text, match.end()) if _in_option(text, match) else None
            last = option.end() if option else _end_of_scope(text, match.end())
            yield match.end(), last


def _in_option(text: str, found: re.Match[str]) -> bool:
    """Whether a declaration is the value of a key among the options of something else."""
    before = text[max(0, found.start() - NEAR) : found.start()]
    return before.rfind("[") > before.rfind("]") and before.rstrip().endswith(("=", "{"))


def _end_of_scope(text: str, place: int) -> int:
    """Where the group or the environment ends that holds a place, or another declaration is."""
    depth = 0
    for match in _SCOPES.finditer(text, place):
        if match["closes"]:
            depth -= 1
        elif match["opens"]:
            depth += 1
        if depth < 0 or (match["change"] and depth == 0):
            return match.start()
    return len(text)
