"""What programs that make web sites of Markdown add to it: tags and expressions of Liquid, marks of
Kramdown, headings without a space after their signs.
"""

from ...text.tables import patterns

_FORMS = patterns(__file__, "markdown.toml")
MIN_TIGHT = 2  # headings of lower levels without a space, from which on "#Word" is one, too


def without_site_marks(text: str) -> str:
    """Markdown without what such a program replaces or takes out; links keep their text."""
    for name in ("kramdown", "liquid_tag", "lone_mark"):
        text = _FORMS[name].sub("", text)
    text = _FORMS["liquid_target"].sub("]()", text)
    text = _FORMS["liquid_expression"].sub("", text)
    return _with_spaces(text)


def _with_spaces(text: str) -> str:
    """A text in which a space comes after the signs of headings; "#word" may be a tag."""
    text, count = _FORMS["tight_heading"].subn(r"\g<0> ", text)
    return _FORMS["tight_title"].sub("# ", text) if count >= MIN_TIGHT else text
