"""What pandoc takes for something else than LaTeX and docutils do, for ``fidelity.py``: each fault
by its form, with the reason, and never by the name of a file.
"""

import re

SPACING = re.compile(
    r"(?s)\\(?:[mhv]space|label|tag|parbox|raisebox|resizebox|hyperlink|hypertarget)\*?\{[^{}]*\}"
    r"|\\rule\{[^{}]*\}\{[^{}]*\}|\\kern\s?-?[\d.]+\w+"
    r"|\\begin\{(tikzpicture|picture)\}.*?(?:\\end\{\1\}|\Z)|\\(?:arrow|ar)\s?\[[^\]]*\]"
    r"|\\(?:onslide|only|uncover|visible|pause)\*?<[^>]*>|\\\\\[[^\]]*\]|(?<!\\)%[^\n]*"
)
"""Layout and comments in formulas, and the steps in which slides show them."""
SOURCE = re.compile(
    r"\S*[\\&|{}^_$]\S*|(?<!\S)=?-?[\d.]+(?:em|ex)\b|(?<!\S)[*@]\S*\d\S*"
    r"|(?<!\S)(?:(?:[lcrLCX]*[pmb][\d.]+(?:in|cm|mm|em|pt)?)+|[\d.]+(?=[LCR]{2}))[lcrLCX]*(?!\S)"
)
"""A piece of LaTeX that pandoc could not read and left as it is, such as the columns of a table."""
PICTURE = re.compile(
    rb"(?s)\\begin\{(tikzpicture|picture|pspicture\*?|wrapfigure|Karnaugh)\}.*?\\end\{\1\}"
    rb"|\\setbeamertemplate\{[^{}]*\}\[[^\[\]]*\]|\\tikzstyle\s?\{[^{}]*\}\s*\+?=\s*\[[^\[\]]*\]"
)
COLUMN = re.compile(rb"(?<=\\begin\{column\})\s*(?:\[[^\]]*\]\s*)?\{[^{}]*\}")
"""The width of a column of a slide, which pandoc reads as text."""
FRAME = re.compile(
    rb"(?P<frame>\\begin\{frame\}(?:<[^>]*>)?(?:\[[^\]]*\])*\{[^{}]*)\}\s*\{(?P<subtitle>[^{}]+)\}"
)
"""A title and a subtitle, which pandoc joins without a space."""
NAMES = {
    rb"\\-": b"",  # where a word may be broken, which pandoc reads as a space
    # the plus signs of C++, which pandoc leaves out
    rb"\\(?:raisebox\s?\{[^{}]*\}|textls\s?\[[^\]]*\])": b"",
    rb"(?<=\\begin\{)flalign(?=\*?\})|(?<=\\end\{)flalign(?=\*?\})": b"align",  # not known
}
"""Macros that pandoc reads in another way."""
SPACED = re.compile(rb"command\*?\s*\{?\\([A-Za-z]+)\}?\s*\{[^\n]*\\xspace")
"""Macros that end in a space, which pandoc leaves out before a word or a bracket."""
RANGE = re.compile(
    rb"\\(?:SI|qty)range(?:\[[^\]]*\])?\{(?P<first>[^{}]*)\}\{(?P<last>[^{}]*)\}\{(?P<unit>[^{}]*)\}"
)
"""A range of siunitx, which prints *to* where pandoc puts a hyphen."""


def readable(source: bytes) -> bytes:
    """LaTeX without what pandoc takes for text, or reads in another way than LaTeX does."""
    if names := b"|".join(SPACED.findall(source)):
        used = re.compile(rb"\\(?P<name>%s)\s+(?=[\w(])" % names)
        source = used.sub(rb"\\\g<name>{} ", source)
    for form, instead in NAMES.items():
        source = re.sub(form, instead, source)
    text = COLUMN.sub(b"", FRAME.sub(rb"\g<frame> \g<subtitle>}", PICTURE.sub(b"", source)))
    return RANGE.sub(rb"\\SI{\g<first>}{\g<unit>} to \\SI{\g<last>}{\g<unit>}", text)


ROLE = re.compile(
    rb"(?<!`):(?P<name>(?!(?:sup|sub|math|superscript|subscript):)[A-Za-z][\w:.+-]*):"
    rb"`(?!`)[!~]?(?P<words>[^`<]*?)(?:\s*<[^`>]*>)?`"
)
OWN_ROLE = re.compile(rb"\.\. role:: ([\w-]+)")
ADDRESS = re.compile(rb"<(https?://[^<>`\s]+)\s+(?=[^<>`\s]+>`)")
"""An address that goes on in the next line."""
NO_TEXT = re.compile(
    rb"(?m)^([ \t]*)(?:__ \S+.*\n|\.\.(?: (?:toctree|index|autosummary|include|literalinclude|plot"
    rb"|ipython|currentmodule|module|program|highlight|default-domain)::.*\n| _.*\n"
    rb"| (?![\w:.+-]+::|\[|\|).*\n|[ \t]*\n(?=\1[ \t]+\S)))(?:\1[ \t]+\S.*\n|[ \t]*\n)*"
)
"""Roles and directives of Sphinx that pandoc does not know; comments, and targets of links."""
IN_WORD = re.compile(
    rb"(?P<literal>(?<![\w`])``(?=\S)[^`]+``)"
    rb"|(?<=[^\W_])(?P<mark>[|*](?=\w)|_(?=[^\w\s`.,;:!?\])}>'\"/-]))"
)
"""Signs inside words that pandoc takes for markup."""
DOCTEST = re.compile(rb"(?m)^[ \t]*>>> .*\n(?:[ \t]*\S.*\n)*")
"""Lines of an interpreter, which pandoc reads as a paragraph."""


def without_sphinx(source: bytes) -> bytes:
    """reStructuredText without what only docutils and Sphinx read."""
    own = set(OWN_ROLE.findall(source))
    text = DOCTEST.sub(b"\n", NO_TEXT.sub(b"\n", source))
    text = ROLE.sub(lambda found: found[0] if found["name"] in own else _words_of(found), text)
    return IN_WORD.sub(_escaped, ADDRESS.sub(rb"<\1", text))


def _words_of(found: re.Match[bytes]) -> bytes:
    """The words of a role, with those that it adds."""
    is_number = found["name"] in (b"pep", b"rfc") and found["words"].isdigit()
    return found["name"].upper() + b" " + found["words"] if is_number else found["words"]


def _escaped(found: re.Match[bytes]) -> bytes:
    return found["literal"] or b"\\" + found["mark"]
