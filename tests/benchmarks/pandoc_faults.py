"""What pandoc takes for something else than LaTeX and docutils do, for ``fidelity.py``: each fault
by its form, with the reason, and never by the name of a file.
"""

import re
import unicodedata
from pathlib import Path

SPACING = re.compile(
    r"(?s)\\(?:[mhv]space|label|tag|parbox|raisebox|resizebox|hyperlink|hypertarget)\*?\{[^{}]*\}"
    r"|\\(?:make|frame|par)box\s?\[[^\]]*\]|\\rule\{[^{}]*\}\{[^{}]*\}|\\kern\s?-?[\d.]+\w+"
    r"|\\begin\{(tikzpicture|picture)\}.*?(?:\\end\{\1\}|\Z)|\\(?:arrow|ar)\s?\[[^\]]*\]"
    r"|\\(?:onslide|only|uncover|visible|pause)\*?<[^>]*>|\\\\\[[^\]]*\]|(?<!\\)%[^\n]*"
)
"""Layout and comments in formulas, and the steps in which slides show them."""
SINGLE = re.compile(r"(\\[dtc]?frac\s?\d|\\binom\s?\d|[_^]\d)(?=\d)")
"""An argument of one figure, next to which another one begins."""
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
GREEK = {
    name: unicodedata.lookup(f"GREEK SMALL LETTER {name.decode()}")
    for name in b"alpha beta gamma delta epsilon mu pi omega".split()
}
NAMES = {
    rb"\\-": b"",  # where a word may be broken, which pandoc reads as a space
    # the plus signs of C++, which pandoc leaves out
    rb"\\(?:raisebox\s?\{[^{}]*\}|textls\s?\[[^\]]*\])": b"",
    rb"(?<=\\begin\{)flalign(?=\*?\})|(?<=\\end\{)flalign(?=\*?\})": b"align",  # not known
    rb"(\\def\\[A-Za-z@]+(?:#\d)*)\s+(?=\{)": rb"\1",  # a line's end, at which it stops reading
    # the steps in which slides show a part, and the columns of a table that it does not know
    rb"(\\(?:item|only|onslide|uncover|visible|alert|pause|begin\{\w+\})\s?(?:\[[^\]]*\])?)"
    rb"<[\d,+|.-]+>": rb"\1",
    rb"(\\begin\{(?:deluxetable|supertabular)\*?\})\{[^{}]*\}": rb"\1",
    rb"(?m)^\s*\\and(?![a-z])": b"",  # between authors, at which it stops reading
    # with their lengths, which it takes for text
    rb"\\begin\{(?:spacing|multicols\*?|adjustwidth\*?)\}(?:\s*\{[-\d.\s\w\\]{0,30}\}){1,2}": b"",
    rb"\\texttrademark(?:\{\}|\s+)?": "™".encode(),  # signs and letters that it leaves out
    rb"\\(?:q?quad|enspace|enskip|thickspace|medspace)(?![a-z])": b"~",
    rb"\\textregistered(?:\{\}|\s+)?": "®".encode(),
    **{rb"\\text%s(?:\{\}|(?![a-z]))" % name: sign.encode() for name, sign in GREEK.items()},
    rb"(?<=[{ ])\*(\d)([a-z])": rb"*{\1}{\2}",  # columns of a table
    rb"\\acro\{[^{}]*\}\[([^\[\]]*)\]": rb"\\item \1 ",  # in the list of acronyms
    # the short form of a caption, which it takes for text
    rb"(\\captionof\{\w+\})\s*\[[^\]]*\]": rb"\1",
    rb"\\end\{(?:spacing|multicols\*?|adjustwidth\*?)\}": b"",
}
"""Macros that pandoc reads in another way."""
SPACED = re.compile(rb"command\*?\s*\{?\\([A-Za-z]+)\}?\s*\{[^\n]*\\xspace")
"""Macros that end in a space, which pandoc leaves out before a word or a bracket."""
PREAMBLE = re.compile(rb"(?s)\A.*?(?=\\begin\s?\{document\})")
COMMENT = re.compile(rb"(?<!\\)%[^\n]*\n[ \t]*")
NOT_READ = re.compile(rb"(?m)^[ \t]*\\(?:alg(?:re)?new(?:text|command)|titleformat\*)(?![a-z]).*$")
"""What pandoc does not read in a preamble: the words of algorithms, looks of headings, comments in
options.
"""
LISTING = re.compile(
    rb"\\newminted\s?(?:\[(?P<name>[A-Za-z]+)\])?\s?\{(?P<language>[\w-]+)\}"
    rb"|\\(?:lstnewenvironment|(?:Define|Custom)VerbatimEnvironment|(?:re)?newtcblisting"
    rb"(?:\s*\[[^\]]*\])*)\s?\{(?P<environment>[A-Za-z]+)\}"
)
"""Environments of code that the author declares, which pandoc reads as text."""
RANGE = re.compile(
    rb"\\(?:SI|qty)range(?:\[[^\]]*\])?\{(?P<first>[^{}]*)\}\{(?P<last>[^{}]*)\}\{(?P<unit>[^{}]*)\}"
)
"""A range of siunitx, which prints *to* where pandoc puts a hyphen."""


def readable(source: bytes, packages: bytes = b"") -> bytes:
    """LaTeX without what pandoc takes for text, or reads in another way than LaTeX does; with the
    packages beside it.
    """
    source = PREAMBLE.sub(lambda found: NOT_READ.sub(b"", COMMENT.sub(b"", found[0])), source)
    for one in LISTING.finditer(source):
        name = one["name"] or one["environment"] or one["language"] + b"code"
        options = rb"(?:\s*\[[^\]\n]*\])?(?:\{[^{}\n]*\})*"
        source = re.sub(rb"\\begin\{%s\*?\}%s" % (name, options), rb"\\begin{verbatim}", source)
        source = re.sub(rb"\\end\{%s\*?\}" % name, rb"\\end{verbatim}", source)
    if names := b"|".join(SPACED.findall(source + packages)):
        used = re.compile(rb"\\(?P<name>%s)\s+(?=[\w(])" % names)
        source = used.sub(rb"\\\g<name>{} ", source)
    for form, instead in NAMES.items():
        source = re.sub(form, instead, source)
    text = COLUMN.sub(b"", FRAME.sub(rb"\g<frame> \g<subtitle>}", PICTURE.sub(b"", source)))
    return RANGE.sub(rb"\\SI{\g<first>}{\g<unit>} to \\SI{\g<last>}{\g<unit>}", text)


INPUT = re.compile(
    rb"(?m)(?P<before>^(?:[^%\n\\]|\\.)*?)\\(?:input|include|subfile|subfileinclude)"
    rb"(?:\s*\{(?P<braced>[^{}#\n]+)\}|[ \t]+(?P<bare>[\w./-]+))"
)
OTHER_PREAMBLE = re.compile(rb"(?s)\A.*?\\begin\s?\{document\}|\\end\s?\{document\}.*")
MAX_INCLUDED = 200  # files


def with_included(source: bytes, folder: Path, budget: list[int] | None = None) -> bytes:
    """LaTeX with the files that it includes in their places, in which pandoc would read as text
    what ``readable`` takes away.
    """
    budget = [MAX_INCLUDED] if budget is None else budget

    def included(found: re.Match[bytes]) -> bytes:
        name = (found["braced"] or found["bare"]).decode(errors="replace").strip().strip('"')
        path = next((one for one in (folder / f"{name}.tex", folder / name) if one.is_file()), None)
        if path is None or not budget[0]:
            return found[0]
        budget[0] -= 1
        text = as_utf_8(path.read_bytes())
        text = OTHER_PREAMBLE.sub(b"", text) if b"\\begin{document}" in text else text
        return found["before"] + with_included(text, folder, budget)

    return INPUT.sub(included, source)


def as_utf_8(source: bytes) -> bytes:
    """LaTeX in the encoding that pandoc expects."""
    try:
        return source.decode().encode()
    except UnicodeError:
        return source.decode("cp1252", errors="replace").encode()


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
