"""The authors that metadata names."""

import pytest

from pagesum_cli.documents.article.authors import names_in, names_of_fields, printed_names
from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.documents.readers.markdown import markdown_document


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("Jane Doe", ("Jane Doe",)),
        ("Jane Doe ; John Q. Roe;Jane Doe", ("Jane Doe", "John Q. Roe")),
        ("Doe, Jane; Roe, John", ("Doe, Jane", "Roe, John")),
        ("Jane Doe, John Roe and Ann Poe", ("Jane Doe", "John Roe", "Ann Poe")),
        ("Jane Doe & John Roe", ("Jane Doe", "John Roe")),
        ("Doe, Jane", ("Doe, Jane",)),
        ("Doe, Jane and Roe, John", ("Doe, Jane", "Roe, John")),
        ("UNESCO", ("UNESCO",)),
        ("Department of Health and Human Services", ("Department of Health and Human Services",)),
        ("Jane Doe <jane@doe.org>", ("Jane Doe",)),
    ],
)
def test_names_in_one_text(text, names):
    assert names_in(text) == names


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ("title: A\n", ()),
        ("title: A\nauthor: Jane Doe\n", ("Jane Doe",)),
        ('author: "Jane Doe"\ntitle: A\n', ("Jane Doe",)),
        ("authors: [Jane Doe, 'John Roe']\n", ("Jane Doe", "John Roe")),
        ('authors = ["Jane Doe", "John Roe"]\n', ("Jane Doe", "John Roe")),
        ("author:\n  - Jane Doe\n  - John Roe\ndate: 2024\n", ("Jane Doe", "John Roe")),
        ("author:\n- name: Jane Doe\n  affiliation: Mill\n- name: John Roe\n", None),
        ("author:\n  name: Jane Doe\n  email: a@b\n", ("Jane Doe",)),
        ("coauthor: Jane Doe\n", ()),
    ],
)
def test_names_in_front_matter(fields, names):
    assert names_of_fields(fields) == (("Jane Doe", "John Roe") if names is None else names)


def test_the_reader_of_markdown_has_them():
    text = "---\ntitle: Mills\nauthor: Jane Doe\n---\n\nThe mill burned down in June.\n"
    made = markdown_document(text, "a.md", "a.md")
    assert (made.title, made.authors) == ("Mills", ("Jane Doe",))


def test_names_in_metadata_count_if_the_first_page_has_them():
    section = Section("", (Paragraph("By ÉMILE Zola", ((0, 1),)), Paragraph("Root", ((0, 2),))))
    left_out = (LeftOut("front matter", "J. Doe, Mill University", 4, (1,)),)
    document = Document("a.pdf", (section,), left_out=left_out)
    names = ("Émile Zola", "J. Doe", "Root", "Microsoft Office User", "jd", "By Z")
    assert printed_names(names, document) == ("Émile Zola", "J. Doe")
    assert printed_names(["Émile J"], document) == ("Émile J",)
    assert printed_names(["", "·"], document) == ()
