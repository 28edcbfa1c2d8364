"""The headings and paragraphs of a tree of HTML elements, with what the markup says about them."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Literal

from ...text.cleaning import one_line
from ...text.scripts import subscript, superscript
from ..article.building import left_out
from ..lists import Lists, Numbering, counted, integer
from ..marked import NO_MARKS, Marks
from ..model import HIDDEN, LeftOut
from ..notes import FORMULA, FORMULA_MARK
from .elements import HEADINGS, SETS, WEB_PAGE, has_class
from .mathml import formula_text, tex_text

_COUNTED = (HIDDEN, "table", "code", "caption", "front matter", "footnote", "notes", "struck out")
_SCRIPTS = {"sup": superscript, "sub": subscript}
_RAISED = re.compile(r"vertical-align\s*:\s*(sup|sub)(?:er)?\b", re.IGNORECASE)
_CLASSES = {"superscript": "sup", "subscript": "sub", "sup": "sup", "sub": "sub"}
"""Classes of words that are printed above or below the line."""
_KINDS = {"pre": "pre", "address": "lines", "blockquote": "quotation"}
"""What elements make of the text in them."""
# words of other pieces left out that are reported by themselves; less is only a link, a button or a
# mark, and all of these are one piece
MIN_LEFT_OUT = 5
EMBEDDED = "in pictures and media"  # reason why their words are left out
MAX_SCRIPTS = 4  # superscripts and subscripts in one another
MAX_TERMS = 3  # terms that have one definition
MIN_QUESTION = 3  # spaces in a term that ends like a sentence, and is one
MAX_NAME, MAX_PIECES = 60, 5  # characters of the name of a speaker, and parts of them
_DECK = re.compile(
    r"(?:^|[\s_-])(?:deck?|standfirst|strapline|tagline|sub-?(?:title|head(?:line)?))(?:$|[\s_-])",
    re.I,
)
"""Classes of the lines below the headline of an article, which sum it up."""
_LIST_STYLE = re.compile(r"list-style(?:-type)?:([a-z-]{1,30})")
_LINE_END = re.compile("\n")
_SHOWN_MEDIA = re.compile(r"(?:image|audio|video|text)/|application/(?:pdf|xhtml|mathml)", re.I)
"""Media types that programs for reading show themselves."""


@dataclass(slots=True)
class Block:
    """A heading or a paragraph."""

    text: str  # its words, with line ends
    level: int = 0  # 1 to 6 for ``<h1>`` to ``<h6>``; 0 for a paragraph
    links: int = 0  # number of links in it that lead to a place in the same work
    linked: int = 0  # number of letters of these links
    anchor: str = ""  # the ``id`` of an element that begins here; then there is no text
    # offsets in the text where pages begin, with the ``id`` of the elements
    pages: tuple[tuple[int, str], ...] = ()
    is_picture: bool = False  # whether it is the description of a picture
    marks: Marks = NO_MARKS  # what else the markup says about a paragraph


def blocks_of(
    root: Any,
    reason: Callable[[Any], str] | None = None,
    dropped: list[LeftOut] | None = None,
    *,
    is_inner: Callable[[str], bool] = lambda target: target.startswith("#"),
    anchors: Container[str] = frozenset(),
    pages: Container[str] = frozenset(),
    is_hidden: Callable[[Any], bool] = lambda element: False,
) -> Iterator[Block]:
    """The headings and paragraphs of a tree; what is hidden within what is left out is apart."""
    walk = _Walk(root, reason or (lambda _: ""), dropped, is_inner, anchors, pages)
    walk.is_hidden = is_hidden
    return walk.blocks()


def words_in(
    element: Any,
    is_hidden: Callable[[Any], bool] = lambda element: False,
    dropped: list[LeftOut] | None = None,
) -> str:
    """All words of an element, without those that are hidden."""
    shown = blocks_of(element, lambda one: HIDDEN if is_hidden(one) else "", dropped)
    return " ".join(block.text for block in shown)


class _Walk:
    """Walks a tree and collects its blocks, without recursion: HTML may be nested to any depth."""

    def __init__(
        self,
        root: Any,
        reason: Callable[[Any], str],
        dropped: list[LeftOut] | None,
        is_inner: Callable[[str], bool],
        anchors: Container[str],
        pages: Container[str],
    ) -> None:
        self._root, self._reason, self._dropped = root, reason, dropped
        self._is_inner, self._anchors, self._pages = is_inner, anchors, pages
        self.is_hidden: Callable[[Any], bool] = lambda _: False
        self._done: list[Block] = []
        self._heading: Any = None  # the element that the words belong to
        self._begun: list[tuple[int, str]] = []
        self._line: Any = None  # the element that is a line of verse
        self._lists = Lists()
        self._open: Counter[str] = Counter()  # elements that are open, by what ``_kinds_of`` says
        self._quotations: list[str] = []  # the marks that end those that are open
        self._small: defaultdict[str, list[str]] = defaultdict(list)  # small pieces left out
        self._clear()

    def _clear(self) -> None:
        self._words: list[str] = []
        self._length = 0
        self._links, self._linked = 0, 0
        self._breaks: list[int] = []
        self._head = 0  # the end of its bold beginning
        self._is_plain = False  # whether words that are not bold have come
        self._terms = 0  # number of terms at its beginning that are defined by what comes
        self._term = 0  # the end of the last one
        self._has_more = False  # whether words have come after it
        # elements that are superscripts or subscripts, with the number of pieces before them
        self._scripts: list[tuple[Any, int]] = []

    def blocks(self) -> Iterator[Block]:
        stack = [(self._root, False)]
        while stack:
            element, is_end = stack.pop()
            if is_end:
                self._end(element)
            elif self._is_read(element):
                self._begin(element)
                stack.append((element, True))
                stack.extend((child, False) for child in reversed(element))
                continue
            if element is not self._root and element.tail:
                self._add(element.tail)
            yield from self._done
            self._done.clear()
        self._flush()
        yield from self._done
        if self._dropped is not None:
            self._dropped += [left_out(*small) for small in self._small.items()]

    def _is_read(self, element: Any) -> bool:
        """Whether an element is text; notes where its place is, and what is left out."""
        tag = _tag(element)
        if tag:
            self._place(element.get("id") or element.get("name") or "")
        if self._is_formula(element, tag) or self._is_embedded(element, tag):
            return False
        why = self._reason(element) if tag else ""
        if why and self._dropped is not None:
            is_hidden = (lambda _: False) if why == HIDDEN else self.is_hidden
            self._leave_out(why, words_in(element, is_hidden, self._dropped), self._dropped)
        return not why

    def _is_formula(self, element: Any, tag: str) -> bool:
        """Whether an element is a formula, which is added."""
        if tag == "math" or tag.endswith(":math"):
            if len(element) or element.get("alttext"):
                self._add_formula(formula_text(element))
            return True
        is_picture = tag == "img" and has_class(element, "formula_classes")
        if is_picture and not _repeats_formula(element):
            self._add_formula(tex_text(element.get("alt") or ""))
        return is_picture or _is_drawing_of_formula(element)

    def _add_formula(self, text: str) -> None:
        """Add a formula, or a mark where it cannot be read."""
        if not text and self._dropped is not None:
            self._dropped.append(LeftOut(FORMULA, FORMULA_MARK, 0))
        self._add(text or FORMULA_MARK)

    def _is_embedded(self, element: Any, tag: str) -> bool:
        """Whether an element is no text; the words of a drawing, and those that are read where a
        medium cannot be shown, are reported.
        """
        if tag not in SETS["no_text"] or _shows_its_text(element):
            return False
        if tag in SETS["embedded"] and self._dropped is not None:
            texts = element.iter("text") if tag == "svg" else [element]
            self._leave_out(EMBEDDED, one_line(" ".join(map(_text_of, texts))), self._dropped)
        return True

    def _leave_out(self, reason: str, text: str, dropped: list[LeftOut]) -> None:
        if text and (reason in _COUNTED or len(text.split()) >= MIN_LEFT_OUT):
            dropped.append(left_out(reason, [text]))
        elif any(map(str.isalnum, text)):
            self._small[reason].append(text)

    def _place(self, place: str) -> None:
        if place and place in self._pages:
            self._begun.append((self._length, place))
        if place and place in self._anchors:
            if self._heading is None:
                self._flush()
            self._done.append(Block("", anchor=place))

    def _begin(self, element: Any) -> None:
        tag = _tag(element)
        if self._heading is None and (tag in SETS["blocks"] or tag in HEADINGS):
            self._begin_block(element, tag)
        else:
            self._begin_inline(element, tag)
        for kind in _kinds_of(element, tag):
            self._open[kind] += 1
        self._add(element.text or "")

    def _begin_inline(self, element: Any, tag: str) -> None:
        if tag == "br":
            self._break(element)
        elif tag == "a" and self._is_inner(element.get("href") or ""):
            self._links += 1
            self._linked += sum(map(str.isalpha, element.text_content()))
        elif _script_of(element, tag) and len(self._scripts) < MAX_SCRIPTS:
            self._scripts.append((element, len(self._words)))
        elif tag == "q":
            self._begin_quotation()
        elif tag == "img":
            self._add(_initial(element))

    def _begin_quotation(self) -> None:
        """Add the mark at the beginning of a quotation, unless it is in the text."""
        outer, inner = WEB_PAGE["quotation_marks"]
        marks = inner if len(self._quotations) % 2 else outer
        is_marked = "".join(self._words[-1:]).endswith(tuple(outer + inner))
        self._add("" if is_marked else marks[0])
        self._quotations.append("" if is_marked else marks[1])

    def _end_script(self, element: Any) -> None:
        """Make a superscript or a subscript of the words in an element."""
        if not self._scripts or self._scripts[-1][0] is not element:
            return  # a paragraph has ended in it
        _, start = self._scripts.pop()
        text = "".join(self._words[start:])
        script = _SCRIPTS[_script_of(element, element.tag)](text)
        self._words[start:] = [script]
        self._length += len(script) - len(text)

    def _begin_block(self, element: Any, tag: str) -> None:
        if self._is_line(element):
            self._line = element
            self._end_line()
            return
        is_defining = tag in SETS["defining"] and 0 < self._terms < MAX_TERMS
        if not is_defining or self._has_more:
            self._flush()
        if tag in HEADINGS and not _is_text(element):
            self._heading = element
        elif tag in SETS["lists"]:
            self._lists.begin(*_numbering(element))
        elif tag == "li":
            value = element.get("value")
            self._lists.item(integer(value, 0) if value else None)

    def _break(self, element: Any) -> None:
        """End a line; a paragraph, where a speaker's name in bold comes next."""
        self._end_line()
        following = element.getnext()
        is_next = following is not None and not (element.tail or "").strip() and _is_bold(following)
        if is_next and self._heading is None and _is_name(following):
            self._flush()

    def _end_line(self) -> None:
        if self._length:
            self._add("\n")
            self._breaks.append(self._length)

    def _add(self, text: str) -> None:
        if self._open["pre"]:
            self._breaks += (self._length + match.end() for match in _LINE_END.finditer(text))
        self._words.append(text)
        self._length += len(text)
        if text.strip():
            self._is_plain = self._is_plain or not self._open["bold"]
            self._has_more = True

    def _end(self, element: Any) -> None:
        tag = _tag(element)
        if element is self._heading:
            self._flush(int(tag[1]))
            self._heading = None
        elif tag in SETS["blocks"] and self._heading is None:
            self._end_block(element, tag)
        else:
            self._end_inline(element, tag)
        for kind in _kinds_of(element, tag):
            self._open[kind] -= 1
            if kind == "bold" and not (self._open["bold"] or self._is_plain):
                self._head = self._length

    def _end_inline(self, element: Any, tag: str) -> None:
        if tag in SETS["blocks"] or tag in ("td", "th"):
            self._add(" ")
        elif tag == "q":
            self._add(self._quotations.pop())
        else:
            self._end_script(element)

    def _end_block(self, element: Any, tag: str) -> None:
        if self._line is element:
            self._line = None
            self._end_line()
        elif tag == "dt":
            self._end_term()
        elif self._has_more or not self._terms or tag != "div":
            self._flush()
        if tag in SETS["lists"]:
            self._lists.end()
        elif tag == "li":
            self._lists.end_item()

    def _end_term(self) -> None:
        """End a term, with which its definition begins; a question has a paragraph of its own."""
        text = one_line("".join(self._words))
        if not text or (text.endswith((".", "?", "!")) and text.count(" ") >= MIN_QUESTION):
            self._flush()
            return
        self._add("\n")
        self._terms += 1
        self._term, self._head = self._length, 0
        self._has_more = self._is_plain = False

    def _is_line(self, element: Any) -> bool:
        """Whether a block is a line of verse, or of an address."""
        if not self._keeps_lines():
            return False
        is_plain = element.tag == "p" and not element.get("class") and element.find("br") is None
        if not (is_plain or has_class(element, "line_classes")):
            return False
        return not any(_tag(child) in SETS["blocks"] for child in element)

    def _keeps_lines(self) -> bool:
        return bool(self._open["verse"] or self._open["lines"])

    def _flush(self, level: int = 0) -> None:
        """End a heading or a paragraph."""
        text = "".join(self._words)
        if level or text.strip():
            marks = NO_MARKS if level else self._marks()
            pages = tuple(self._begun)
            self._done.append(Block(text, level, self._links, self._linked, "", pages, marks=marks))
            self._begun.clear()
        else:
            self._begun[:] = [(0, place) for _, place in self._begun]
        self._clear()

    def _marks(self) -> Marks:
        block: Literal["", "quotation", "verse"] = ""
        if self._open["verse"]:
            block = "verse"
        elif self._open["quotation"]:
            block = "quotation"
        return replace(
            self._lists.marks(),
            block=block,
            term=self._term if self._has_more else 0,
            head=self._head,
            breaks=tuple(self._breaks),
            keeps_lines=self._keeps_lines(),
        )


def _initial(picture: Any) -> str:
    """The letter that a picture shows at the beginning of a word."""
    letter = (picture.get("alt") or "").strip()
    is_initial = len(letter) == 1 and letter.isupper() and (picture.tail or "")[:1].islower()
    return letter if is_initial else ""


def _script_of(element: Any, tag: str) -> str:
    """``sup`` or ``sub``, if an element is printed above or below the line; else nothing."""
    if tag in _SCRIPTS:
        return tag
    if tag != "span":
        return ""
    names = (element.get("class") or "").lower().split()
    raised = _RAISED.search(element.get("style") or "")
    return (raised[1].lower() if raised else "") or next(filter(None, map(_CLASSES.get, names)), "")


def _text_of(element: Any) -> str:
    return " ".join(element.itertext())


def _shows_its_text(element: Any) -> bool:
    """Whether the text in an element is shown, as what it embeds is of a kind that no program for
    reading shows.
    """
    kind = element.get("type") or ""
    return element.tag == "object" and bool(kind) and not _SHOWN_MEDIA.match(kind)


def _repeats_formula(picture: Any) -> bool:
    """Whether a picture shows the formula directly before it."""
    before = picture.getprevious()
    if before is None or (before.tail or "").strip():
        return False
    return before.find(".//math") is not None


def _is_drawing_of_formula(element: Any) -> bool:
    """Whether an element draws, as KaTeX and MathJax do, the formula that stands beside it."""
    if element.get("aria-hidden") != "true":
        return False
    beside = (element.getprevious(), element.getnext())
    return any(one is not None and one.find(".//math") is not None for one in beside)


def _tag(element: Any) -> str:
    return element.tag if isinstance(element.tag, str) else ""


def _kinds_of(element: Any, tag: str) -> list[str]:
    """What an element makes of the text in it; ``lines`` are those of an address."""
    if tag not in SETS["blocks"]:
        return ["bold"] if _is_bold(element) else []
    kinds = [_KINDS[tag]] if tag in _KINDS else []
    return kinds + [kind for kind in ("verse", "lines") if has_class(element, f"{kind}_classes")]


def _is_bold(element: Any) -> bool:
    if element.tag in ("b", "strong"):
        return True
    return "bold" in (element.get("style") or "") or has_class(element, "bold_classes")


def _is_name(element: Any) -> bool:
    """Whether a colon ends an element in bold, or follows it."""
    pieces = list(islice(element.itertext(), MAX_PIECES + 1))
    text, after = "".join(pieces).rstrip(), (element.tail or "").lstrip()
    is_short = len(pieces) <= MAX_PIECES and len(text) <= MAX_NAME
    return is_short and (text.endswith(":") or after.startswith(":"))


def _numbering(element: Any) -> tuple[Numbering | None, int, int]:
    """The labels of the items of a list, the first number, and the step to the next."""
    style = (element.get("style") or "").replace(" ", "").lower()
    counter = _LIST_STYLE.search(style)
    if element.tag != "ol" or (counter and counter[1] == "none"):
        return None, 1, 1
    form = (element.get("type") or "1").strip()
    if counter:
        form = WEB_PAGE["counters"].get(counter[1], form)
    first, step = 1, 1
    if element.get("reversed") is not None:
        first, step = sum(child.tag == "li" for child in element), -1
    start = integer(element.get("start") or "", first)
    return lambda number: f"{counted(number, form)}.", start, step


def _is_text(heading: Any) -> bool:
    """Whether an element has the tag of a heading, and no text of its own below it."""
    return _is_of_box(heading) or _DECK.search(heading.get("class") or "") is not None


def _is_of_box(heading: Any) -> bool:
    """Whether a heading is that of a box, such as a note or a warning: the text after the box is
    not below it.
    """
    box = heading.getparent()
    if (
        box is None
        or heading.tag == "h1"
        or heading.getprevious() is not None
        or (box.text or "").strip()
    ):
        return False
    names = {
        *(box.get("class") or "").lower().split(),
        *(box.get("epub:type") or "").split(),
        box.get("role"),
    }
    return not SETS["boxes"].isdisjoint(names) and sum(child.tag in HEADINGS for child in box) == 1
