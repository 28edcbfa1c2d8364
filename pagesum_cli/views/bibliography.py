"""What a bibliography has of a document: its DOI, its year, and a key to cite it by."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from ..documents.model import Document

ABOUT_OTHERS = {"references", "caption", "hidden"}  # reasons for which other works are left out
MAX_WORDS = 6  # words of a person's name

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>|{}\\^`]+")
# what templates of publishers have in the place of a DOI
_PLACEHOLDER = re.compile(r"(?i)([xn])\1\1|1122445\.1122456|123_4")
_DOI_END = ".,;:)]}'’”"  # the punctuation of the sentence around a DOI
_YEAR = r"\b((?:19|20)\d\d)\b"
_STATED = tuple(
    map(
        re.compile,
        (
            # of an issue: (2020) 20:537; 2015;8(2):99; 2017, 18, 1081; Volume 2017, Article ID 7
            rf"\({_YEAR}\) ?\d{{1,4}} ?[:,(]",
            rf"{_YEAR}[;,] ?\d{{1,3}}(?: ?\(\d{{1,3}}\))? ?[:,] ?[a-z]?\d",
            rf"\bVolume {_YEAR}, Article\b|\bVolume \d{{1,3}}, (?:[A-Z][\w ]{{2,20}}, )?{_YEAR}",
            rf"(?i:\bcite this article)[^()\n]{{0,300}}\({_YEAR}\)",
            rf"\d\(\d{{1,3}}\): ?\d{{1,5}}[–-]\d{{1,5}} \({_YEAR}\)",
        ),
    )
)
_COPYRIGHT = re.compile(rf"(?i:©|\(c\)|\bcopyright\b)(?:[^\d\n]{{0,60}}){_YEAR}")
_PUBLISHED = re.compile(rf"(?i:published)(?: (?i:online|on))?:? ?(?:[\w,.]{{1,10}} ){{0,3}}{_YEAR}")
_DATE = re.compile(_YEAR)
_NO_PERSON = re.compile(
    r"(?i)\b(?:of|for|the|and|office|agency|department|committee|group|team|institute|university|"
    r"council|bank|ministry|association|consortium|inc|ltd)\b|[@\d]"
)
_SUFFIX = re.compile(r"(?i)(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d)\.?")


def doi_of(document: Document) -> str:
    """The DOI on the first page of a PDF; empty if there is none."""
    texts = [*_beside(document, {"references"}), *_on_first_page(document)]
    found = (one[0] for text in texts for one in _DOI.finditer(text))
    doi = next((one for one in found if not _PLACEHOLDER.search(one)), "").rstrip(_DOI_END)
    return f"{doi})" if doi.count("(") > doi.count(")") else doi


def year_of(document: Document) -> str:
    """The year that the first page of a PDF, or the metadata, states: that of its issue, else that
    of its copyright, else that in which it was published; empty if it states several.
    """
    texts = list(_beside(document, ABOUT_OTHERS))
    for forms in (_STATED, (_COPYRIGHT,), (_PUBLISHED,)):
        if years := set(_years(texts, forms)):
            return years.pop() if len(years) == 1 else ""
    dates = _DATE.findall(document.origin)
    return dates[-1] if dates else ""


def key_of(document: Document) -> str:
    """A key of the first author's last name and the year: ``mohanty2006``; empty if one of them is
    not known.
    """
    name = _last_name(document.authors[0]) if document.authors else ""
    year = year_of(document)
    return f"{name}{year}" if name and year else ""


def _last_name(author: str) -> str:
    """The last name of a person, in small letters without accents; empty for an organization."""
    last, comma, _ = author.partition(",")
    words = [one for one in last.split() if not _SUFFIX.fullmatch(one)]
    is_person = (comma or len(words) > 1) and len(words) <= MAX_WORDS
    if not is_person or _NO_PERSON.search(author):
        return ""
    name = unicodedata.normalize("NFKD", "".join(words) if comma else words[-1])
    return re.sub(r"[\W\d_]", "", name).lower()


def _years(texts: Iterable[str], forms: Iterable[re.Pattern[str]]) -> Iterator[str]:
    """The years that texts have in some forms."""
    texts = list(texts)
    for form in forms:
        for text in texts:
            for found in form.finditer(text):
                yield next(filter(None, found.groups()))


def _beside(document: Document, without: set[str]) -> Iterator[str]:
    """The texts on the first page that are left out, but for some reasons."""
    for one in document.left_out:
        if 1 in one.pdf_pages and one.reason not in without:
            yield one.text


def _on_first_page(document: Document) -> Iterator[str]:
    for section in document.sections:
        yield from (one.text for one in section.paragraphs if 1 in one.pdf_pages())
