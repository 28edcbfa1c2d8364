"""Summaries as notes for Obsidian."""

import json
from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.views.bibliography import doi_of, key_of, year_of
from pagesum_cli.views.formats import format_of, written
from pagesum_cli.views.obsidian import obsidian_view


def paper(first: str, left_out: str = "", reason: str = "running head") -> Document:
    section = Section("A", (Paragraph(first, ((0, 1),)), Paragraph("10.1/2 later", ((0, 2),))))
    others = (LeftOut(reason, left_out, 1, (1,)),) if left_out else ()
    return Document("paper.pdf", (section,), left_out=others)


def test_front_matter_then_a_block_for_each_sentence(summary):
    head, _, body = written(summary, "obsidian").removeprefix("---\n").partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert json.loads(fields["title"]) == summary.title
    assert json.loads(fields["tags"]) == ["pagesum"]
    blocks = [line for line in body.splitlines() if line.startswith("- ")]
    assert [line.rpartition(" ")[2] for line in blocks] == [
        f"^s{number}" for number in range(1, len(summary.sentences) + 1)
    ]
    assert all("[[" in line for line in blocks)


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("paper.pdf", "[[paper.pdf#page=3|"),
        ("a#b|c].pdf", "](<a%23b%7Cc%5D.pdf#page=3>)"),
        ("folder/my paper.pdf", "[[my paper.pdf#page=3|"),
    ],
)
def test_a_sentence_links_to_its_page(summary, name, link):
    pages = [replace(page, source=name, pdf_pages=(3, 4)) for page in summary.pages]
    sentences = [replace(one, source=None, supported=None) for one in summary.sentences]
    note = obsidian_view(replace(summary, pages=tuple(pages), sentences=tuple(sentences)))
    assert note.count(link) == len(sentences)


@pytest.mark.parametrize(
    ("path", "count"), [("notes/Paper.md", 0), ("notes/other.md", 1), (None, 1)]
)
def test_a_note_does_not_link_to_itself(summary, path, count):
    pages = [replace(page, source="paper.md", pdf_pages=()) for page in summary.pages]
    sentences = [replace(one, source=None, supported=None) for one in summary.sentences]
    own = replace(summary, pages=tuple(pages), sentences=tuple(sentences))
    note = obsidian_view(own, path=path)
    assert note.count("[[paper.md") == count * len(sentences)


def test_text_is_neither_a_tag_nor_a_comment(a_summary):
    note = obsidian_view(a_summary(title="5 % C# #1 A #tag ==mark== %%gone%% \\#x ^s1"))
    heading = next(line for line in note.splitlines() if line.startswith("# "))
    assert heading == r"# 5 % C# \#1 A \#tag \=\=mark\=\= \%\%gone\%\% \\\#x \^s1"


@pytest.mark.parametrize(
    ("document", "doi"),
    [
        (paper("See https://doi.org/10.1234/ab.c-1(2)."), "10.1234/ab.c-1(2)"),
        (paper("Text.", "doi:10.5555/xyz,"), "10.5555/xyz"),
        (paper("Text.", "Other. doi:10.5555/xyz", "references"), ""),
        (paper("Version 10.4 of 2024"), ""),
        (paper("https://doi.org/10.1145/nnnnnnn.nnnnnnn"), ""),
        (paper("doi:10.21105/joss.0XXXX", "10.5555/xyz"), "10.5555/xyz"),
    ],
)
def test_the_doi_is_that_of_the_first_page(summary, document, doi):
    assert doi_of(document) == doi
    note = obsidian_view(summary, documents=[document])
    assert (f'citekey: "doi:{doi}"' in note) is bool(doi)


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Lee et al. BMC Surgery (2020) 20:537", "2020"),
        ("J Clin Exp Dent. 2016;8(3):e230-5. Received 3 May 2015", "2016"),
        ("Int. J. Mol. Sci. 2017, 18, 1081", "2017"),
        ("Hindawi Volume 2014, Article ID 239508, 5 pages", "2014"),
        ("Bioinformation 13(3): 67-72 (2017)", "2017"),
        ("How to cite this article: Lee N, Kumar R (2017) Garlic. Received 3 May 2016", "2017"),
        ("© The Author(s). 2018 Open Access. Published online: 3 January 2019", "2018"),
        ("Received: 10 May 2016; Accepted: 3 June 2016; Published: 6 June 2017", "2017"),
        ("Received: 10 May 2016; Accepted: 3 June 2016", ""),
        ("Surgery (2020) 20:537. Surgery (2019) 20:537", ""),
        ("Chem. Sci., 2020, 11, 37. Published on 29 November 2019.", "2020"),
    ],
)
def test_the_year_is_that_of_the_issue_or_the_copyright(text, year):
    assert year_of(paper("In 1999, 12 of them died.", text)) == year
    assert year_of(paper("In 1999, 12 of them died.", text, "references")) == ""


@pytest.mark.parametrize(
    ("author", "key"),
    [
        ("Ipseeta Mohanty", "mohanty2006"),
        ("Joyce Kelly da Silva", "silva2006"),
        ("Călin Gruițá", "gruita2006"),
        ("van Dyke, Mary", "vandyke2006"),
        ("Henry Caamal-Herrera Jr.", "caamalherrera2006"),
        ("U.S. Government Accountability Office", ""),
        ("bagshark", ""),
    ],
)
def test_the_key_has_the_first_author_and_the_year(summary, author, key):
    document = replace(paper("Text.", "Wine (2006) 6:3 doi:10.5555/xyz"), authors=(author, "C D"))
    assert key_of(document) == key
    note = obsidian_view(summary, documents=[document])
    assert f'citekey: "{key or "doi:10.5555/xyz"}"' in note
    assert '\nyear: "2006"\n' in note


def test_authors_are_a_list(summary):
    note = obsidian_view(summary, documents=[replace(paper("Text."), authors=("A B", "C D"))])
    assert '\nauthors: ["A B", "C D"]\n' in note
    assert "authors" not in obsidian_view(summary, documents=[paper("Text.")])


def test_the_title_of_several_files_is_their_number(summary):
    last = len(summary.pages)
    others = [replace(summary.pages[0], page=last + n, source=f"{n}.txt") for n in range(2)]
    note = obsidian_view(replace(summary, title="", pages=(*summary.pages, *others)))
    assert '\ntitle: "Summary of 3 documents"\n' in note


def test_md_is_markdown_without_front_matter():
    assert format_of("note.md") == "markdown"
