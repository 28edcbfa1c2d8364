"""reStructuredText → Document, by docutils."""

import re
from collections.abc import Iterator
from typing import Any

from ...text.cleaning import clean, one_line
from ...text.scripts import subscript, superscript
from ...text.tables import table
from ..article.article import parts_of_article
from ..article.building import SectionBuilder, document, left_out
from ..input import Input
from ..lists import Lists, Numbering, counted
from ..model import Document
from .encodings import decode

_REASONS: dict[str, str] = table(__file__, "restructured.toml")["left_out"]
_SETTINGS: dict[str, Any] = table(__file__, "restructured.toml")["settings"]
_CODE: list[str] = table(__file__, "restructured.toml")["code"]
_NOT_SHOWN: list[str] = table(__file__, "restructured.toml")["not_shown"]
_VERSIONS: dict[str, str] = table(__file__, "restructured.toml")["versions"]
_HEADINGS = ("title", "subtitle", "rubric")
_PARAGRAPHS = ("paragraph", "term", "line", "attribution")
_BOXES = ("sidebar", "topic", "admonition")  # the text after them is not below their titles
_LISTS = ("bullet_list", "enumerated_list")
_COUNTERS = {"loweralpha": "a", "upperalpha": "A", "lowerroman": "i", "upperroman": "I"}
_NOTE_MARKS = ("footnote_reference", "citation_reference")
_NOTE_MARK = re.compile(r"\s{0,9}\0")
_PROBLEM = re.compile(
    r"(?s)(?::[\w:.+-]{1,40}:)?[`|*]{0,2}(?P<words>.{0,2000}?)\s{0,9}(?:<[^<>]{0,500}>)?[`|*]{0,2}_{0,2}"
)
_ROLE = re.compile(r":([A-Za-z][\w:.+-]{0,40}):`")
_OPTIONS = re.compile(r"(?:\A|\n)[ \t]*:[\w-]{1,40}:(?!`)")  # not the name of a role
_DIRECTIVE = re.compile(r"(?m)^[ \t]*\.\. ([A-Za-z][\w:.+-]{0,40})::")


def read(source: Input) -> list[Document]:
    """The one document of a file in reStructuredText: directives that are not known keep their
    text, roles their words.
    """
    text = clean(decode(source.data, source.path)).replace("\f", "\n")
    return [_Reader().document(_parsed(text), source)]


def _parsed(text: str) -> Any:
    from docutils.core import publish_doctree
    from docutils.parsers.rst import directives, roles
    from docutils.parsers.rst.languages import en

    for name in set(_ROLE.findall(text)) - {*roles._roles, *en.roles}:
        roles.register_local_role(name, _role)
    for name in set(_DIRECTIVE.findall(text)) - set(en.directives):
        directives.register_directive(name, _directive(name))
    return publish_doctree(text, settings_overrides=dict(_SETTINGS))


def _role(name: str, raw: str, text: str, *_: Any, **__: Any) -> tuple[list[Any], list[Any]]:
    """A role of Sphinx: its words without the target."""
    from docutils import nodes

    words = text.rpartition("<")[0].strip() or text
    return [nodes.inline(raw, words.lstrip("~!"))], []


def _directive(name: str) -> Any:
    """A directive of Sphinx, whose content is text, code, or nothing that is shown."""
    from docutils import nodes
    from docutils.parsers.rst import Directive
    from docutils.statemachine import StringList

    class Unknown(Directive):
        has_content = True
        optional_arguments = 1
        final_argument_whitespace = True

        def run(self) -> list[Any]:
            argument = _argument(name, " ".join(self.arguments).strip())
            if name in _NOT_SHOWN:
                return []
            if name in _CODE:
                return [_code("\n".join(self.content))]
            node = nodes.container()
            if " " in argument or "`" in argument:
                text = StringList(argument.split("\n"), "")
                self.state.nested_parse(text, self.content_offset, node)
            elif argument:  # a name, such as that of a class whose text is elsewhere
                node += _code(argument)
            self.state.nested_parse(self.content, self.content_offset, node)
            return [node]

    return Unknown


def _code(text: str) -> Any:
    from docutils import nodes

    return nodes.literal_block(text, text)


def _argument(name: str, argument: str) -> str:
    """What is shown of the argument of a directive, without options in the lines after it: ``2.5``
    is the version of ``versionadded``.
    """
    argument = _OPTIONS.split(argument)[0].strip()
    if name not in _VERSIONS or not argument:
        return argument
    version, *text = argument.split(maxsplit=1)
    return f"{_VERSIONS[name]} {version}" + (f": {text[0]}" if text else ".")


class _Reader:
    """Collects the paragraphs of a tree."""

    def __init__(self) -> None:
        self._builder = SectionBuilder()
        self._groups: dict[str, list[str]] = {}
        self._lists = Lists()

    def document(self, tree: Any, source: Input) -> Document:
        for message in [*tree.findall(_is_bare_message)]:
            message.parent.remove(message)
        self._children(tree, 1)
        if marks := [f"[{one.astext()}]" for one in tree.findall(_is_note_mark)]:
            self._groups["mark"] = marks
        dropped = [left_out(reason, texts) for reason, texts in self._groups.items()]
        title = one_line(tree.get("title", ""))
        title, sections = parts_of_article(self._builder.sections(), dropped, title)
        return document(source.name, sections, title=title, source=source.path, left_out=dropped)

    def _children(self, node: Any, level: int) -> None:
        for child in node.children:
            self._read(child, level)

    def _read(self, node: Any, level: int) -> None:
        name = node.tagname
        if reason := _reason(node):
            self._leave_out(reason, node)
        elif name in _HEADINGS and node.parent.tagname not in _BOXES:
            self._builder.heading(_words(node), level if name == "title" else level + 1)
        elif name == "section":
            self._children(node, level + 1)
        elif name == "option_group":
            options = ", ".join(one.astext() for one in node.children)
            self._builder.paragraph(options, self._lists.marks())
        elif name in (*_PARAGRAPHS, *_HEADINGS):
            self._builder.paragraph(_words(node), self._lists.marks())
        elif name in _LISTS:
            self._list(node, level)
        else:
            self._children(node, level)

    def _list(self, node: Any, level: int) -> None:
        self._lists.begin(_numbering(node), node.get("start", 1))
        for item in node.children:
            self._lists.item()
            self._read(item, level)
        self._lists.end()

    def _leave_out(self, reason: str, node: Any) -> None:
        """Note what is not read; of a message of docutils, the lines that it cannot read."""
        if node.tagname == "system_message":
            for child in node.children:
                if child.tagname == "literal_block":
                    self._leave_out("code", child)
        elif reason != "comment" and (text := one_line(node.astext())):
            self._groups.setdefault(reason, []).append(text)


def _numbering(node: Any) -> Numbering | None:
    """How a list labels its items; None for bullets."""
    if node.tagname != "enumerated_list":
        return None
    before, after = node.get("prefix", ""), node.get("suffix", ".")
    form = _COUNTERS.get(node.get("enumtype", ""), "1")
    return lambda number: f"{before}{counted(number, form)}{after}"


def _reason(node: Any) -> str | None:
    """Why a node is left out: of topics, the table of contents is."""
    is_read = node.tagname == "topic" and "contents" not in node["classes"]
    return None if is_read else _REASONS.get(node.tagname)


def _is_bare_message(node: Any) -> bool:
    """Whether a node is a message of docutils without lines of the document."""
    has_lines = any(one.tagname == "literal_block" for one in node.children)
    return node.tagname == "system_message" and not has_lines


def _is_note_mark(node: Any) -> bool:
    return node.tagname in _NOTE_MARKS


def _words(node: Any) -> str:
    return _NOTE_MARK.sub("", "".join(_parts(node)))


def _parts(node: Any) -> Iterator[str]:
    name = node.tagname
    if name == "#text":
        yield node.astext()
    elif name == "superscript":
        yield superscript(node.astext())
    elif name == "subscript":
        yield subscript(node.astext())
    elif name == "math":
        from .latex.inline import formula

        yield formula(node.astext())
    elif name in _NOTE_MARKS:
        yield "\0"
    elif name == "problematic":
        yield _words_of_problem(node.astext())
    elif name != "image":
        for child in node.children:
            yield from _parts(child)


def _words_of_problem(text: str) -> str:
    """The words of a piece that docutils cannot resolve, such as a link to another file; no marks
    of notes.
    """
    if text.startswith("[") and text.endswith("]_"):
        return "\0"
    found = _PROBLEM.fullmatch(text)
    return found["words"] if found else text
