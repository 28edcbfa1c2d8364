"""Summaries as notes for Obsidian."""

import json
from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.views.formats import format_of, written
from pagesum_cli.views.obsidian import doi_of, obsidian_view


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


def test_authors_are_a_list(summary):
    note = obsidian_view(summary, documents=[replace(paper("Text."), authors=("A B", "C D"))])
    assert '\nauthors: ["A B", "C D"]\n' in note
    assert "authors" not in obsidian_view(summary, documents=[paper("Text.")])


def test_md_is_markdown_without_front_matter():
    assert format_of("note.md") == "markdown"
