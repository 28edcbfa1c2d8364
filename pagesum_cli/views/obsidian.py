"""Summary → a note for Obsidian: Markdown with front matter, links to pages, and blocks to refer
to.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from urllib.parse import quote

from ..documents.model import Document
from ..summary.summary import Summary, SummarySentence
from .bibliography import doi_of, key_of, year_of
from .citation import lines_after, opening_of, paragraphs_of, place_of
from .markdown import escaped
from .plain import one_line

TAGS = ("pagesum",)

# What Obsidian reads as a tag, a comment, a highlight or the name of a block
# where it is not escaped yet
_MARKS = re.compile(r"(\\.)|((?<!\w)#(?=[^\s#])|%(?=%)|(?<=%)%|=(?==)|(?<==)=|\^(?=[\w-]+$))")
_NO_LINK = re.compile(r"[\[\]|#^\\]")  # characters that the name of a linked file cannot have


def obsidian_view(
    summary: Summary, *, documents: Sequence[Document] = (), path: str | None = None
) -> str:
    """Front matter, the title, and each sentence as a block (``^s1``) with a link to its page.

    A file whose name the note at the ``path`` has is not linked: the note would link to itself.
    """
    own = PurePath(path or "").name.lower()
    parts = ["\n".join(["---", *_front_matter(summary, documents), "---"])]
    parts += [f"# {_shown(summary.title)}"] if one_line(summary.title) else []
    number = 0
    for title, _, sentences in paragraphs_of(summary, cite=False):
        parts += [f"## {_shown(title)}"] if title else []
        lines = []
        for sentence, text, _ in sentences:
            number += 1
            words = _shown(opening_of(sentence) + text)
            lines.append(f"- {words} {_link(summary, sentence, own)} ^s{number}")
        parts.append("\n".join(lines))
    parts += [f"*{_shown(line)}*" for line in lines_after(summary)]
    return "\n\n".join(filter(None, parts))


def _front_matter(summary: Summary, documents: Sequence[Document]) -> Iterator[str]:
    """The properties of the note, as YAML."""
    sources = list(dict.fromkeys(page.source for page in summary.pages))
    fields: dict[str, str | list[str]] = {
        "title": one_line(summary.title) or _name_of(sources),
        "source": [one_line(name) for name in sources],
    }
    if len(documents) == 1:
        fields |= _of_document(documents[0])
    fields |= {"model": one_line(summary.model), "tags": list(TAGS)}
    for name, value in fields.items():
        yield f"{name}: {json.dumps(value, ensure_ascii=False)}"  # JSON is YAML


def _name_of(sources: Sequence[str]) -> str:
    """The name of a single file, or how many files there are."""
    return one_line(sources[0]) if len(sources) == 1 else f"Summary of {len(sources)} documents"


def _of_document(document: Document) -> dict[str, str | list[str]]:
    """What is known of a document itself; its DOI is the key to cite it by where there is no
    other.
    """
    doi = doi_of(document)
    found: dict[str, str | list[str]] = {
        "authors": list(document.authors),
        "year": year_of(document),
        "doi": doi,
        "citekey": key_of(document) or (f"doi:{doi}" if doi else ""),
        "published": one_line(document.origin),
    }
    return {name: value for name, value in found.items() if value}


def _link(summary: Summary, sentence: SummarySentence, own: str) -> str:
    """``[[paper.pdf#page=3|p. 3, Results]]``, or a Markdown link where the name of the file has
    characters of such a link; only the place in a file that is named as the note ``own``.
    """
    place = place_of(summary, sentence)
    page = summary.pages[sentence.source.page if sentence.source else sentence.pages[0].page]
    file = PurePath(one_line(page.source)).name
    anchor = f"#page={place.pdf_pages[0]}" if place.pdf_pages else ""
    if file.lower() == own:
        return f"({_shown(place.text or file)})"
    if _NO_LINK.search(file):
        return f"[{_shown(place.text or file, also='[]')}](<{quote(file)}{anchor}>)"
    shown = _NO_LINK.sub(" ", place.text).strip()
    return f"[[{file}{anchor}|{shown}]]" if shown else f"[[{file}{anchor}]]"


def _shown(text: str, also: str = "") -> str:
    """The text on one line, as Obsidian shows it character by character; see ``escaped``."""
    return _MARKS.sub(lambda found: found[1] or f"\\{found[2]}", escaped(text, also))
