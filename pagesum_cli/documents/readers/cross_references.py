"""Headings and references of LaTeX, bookdown and Quarto in Markdown, which a program would have
numbered.
"""

import re

_KEY = r"[\w:.-]{1,80}"
_REFERENCE = (
    rf"\\{{0,2}}@ref\({_KEY}\)|"
    rf"\\{{1,2}}(?:auto|[cC]|eq|page|name|sub|v)?ref\*?\{{{_KEY}(?:, ?{_KEY}){{0,9}}\}}|"
    r"\[?@(?:fig|tbl|sec|eq|lst|thm|lem|def)-[\w-]{1,60}\]?|"
    r"@(?:[Ff]ig|[Tt]bl|[Ss]ec|[Ee]q|[Ll]st):[\w:-]{1,60}"
)
# what stands in brackets besides them: "(see Figures 1 and 2)", "(Fig. S1)"
_WORDS = r"(?:see|also|and|e\.g\.,?|cf\.?|in|the|[A-Z][a-z]{2,12}\.?|[A-Za-z]|[,;&–-])"
_ASIDE = re.compile(
    rf" ?\((?:{_WORDS} ?){{0,6}}(?:(?:{_REFERENCE})[ ~,;]{{0,2}}(?:{_WORDS} ?){{0,4}}){{1,6}}\)"
)
_TO = r"(?:\\{1,2}(?:auto|[cC])ref\{|(?<![\w\[])@)"
_NAME = r"[:-][\w.:-]{0,60}(?<=\w)\}?"
# with the word in front, and others of its kind: "Figure @fig:mill", "Figures @fig:a and @fig:b"
_NAMED = re.compile(
    r"(?:\b(?:Fig(?:ure)?|Tab(?:le)?|Sec(?:tion)?|Eq(?:uation)?|Listing|Chapter|Appendix)"
    r"s?\.?[ ~])?"
    rf"{_TO}(?P<kind>(?i:fig|tab|tbl|sec|eq|lst|ch|chap|app)){_NAME}"
    rf"(?P<others>(?:(?:,| and|, and) {_TO}(?P=kind){_NAME}){{0,9}})"
)
_BEGINS = re.compile(r"(?:^|[.!?][ \n]|\n\n)$")  # before the first word of a sentence
# at the end of a clause, after a word that goes without one
_BEHIND = re.compile(
    r"(?<!\b[Ii]n)(?<!\bof)(?<!\bto)(?<!\bby)(?<!\bon)(?<!\band)(?<!\bsee)(?<!\bthan)(?<!\bwith)"
    r"(?<!\bfrom)(?<=[\w`)])[ ~]\\{1,2}(?:auto|[cC])ref\{(?:fig|ta?bl?)[:-][\w.:-]{0,60}\}"
    r"(?=[.;,)])"
)
# without a word in front, it is the name of what it refers to
_OTHER = re.compile(
    rf"\\{{1,2}}(?:(?:auto|[cC])ref|[tT]extcite|fullcite|[cC]itet|[cC]iteauthor)\*?\{{(?P<key>{_KEY})\}}"
)
_ANY = re.compile(rf"[ ~]?(?:{_REFERENCE})")
_LINK = re.compile(
    r"\\{1,2}(?:hyperlink\{[^{}\n]{0,80}\}|hyperref\[[^\[\]\n]{0,80}\]|hypertarget\{[^{}\n]{0,80}\}|emph|"
    r"text(?:it|bf|rm|sc|tt))\{(?P<text>[^{}\n]{0,300})\}"
)
_LABEL = re.compile(
    rf" ?\\label\{{{_KEY}\}}| ?\(\\#{_KEY}\)|"
    r" ?\\(?:paren|auto|foot)?cite[pa]?\*?\{[\w:,. -]{1,200}\}"
)
_HEADING = re.compile(
    r"(?m)^\\(?P<name>addchap|chapter|addsec|section|subsection)\*?"
    r"\{(?P<text>[^{}\n]{1,200})\}[ \t]*$"
)
_MARKS = {"addchap": "#", "chapter": "#", "addsec": "##", "section": "##", "subsection": "###"}
# the first of several things in brackets: "(Figure 1; Section S2)"
_FIRST = re.compile(rf"\((?:[A-Z][a-z]{{2,12}}\.? )?(?:{_REFERENCE})[\w, ]{{0,20}}?(?:;| and) ")
_KINDS = {
    "fig": "the figure",
    "tab": "the table",
    "tbl": "the table",
    "sec": "the section",
    "eq": "the equation",
    "lst": "the listing",
    "ch": "the chapter",
    "chap": "the chapter",
    "app": "the appendix",
}


def without_references(text: str) -> str:
    """The text with headings of Markdown, without references and labels: those in brackets are left
    out with these, and a link has its text. What stands for a name is shown by its key: "In
    [mills], rye is tall".
    """
    if "\\" not in text and "@" not in text:
        return text
    text = _HEADING.sub(lambda found: f"\n{_MARKS[found['name']]} {found['text']}\n", text)
    text = _BEHIND.sub("", text)
    text = _LABEL.sub("", _LINK.sub(r"\g<text>", text))
    text = _FIRST.sub("(", _ASIDE.sub("", text))
    text = _NAMED.sub(_name, text)
    return _ANY.sub("", _OTHER.sub(r"[\g<key>]", text))


def _name(found: re.Match[str]) -> str:
    """What a reference refers to, in words; with others, in the plural."""
    name = _KINDS[found["kind"].lower()]
    plural = {"the appendix": "the appendices"}.get(name, name + "s")
    name = plural if found["others"] else name
    before = found.string[max(found.start() - 2, 0) : found.start()]
    return name[:1].upper() + name[1:] if _BEGINS.search(before) else name
