"""What programs that make web sites of Markdown add to it is not read."""

import pytest

from pagesum_cli.documents.readers.markdown import markdown_document
from pagesum_cli.documents.readers.site_marks import without_site_marks

TEXT = "Foxes live in forests all over the world and eat what they find there."


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Use the [new form]({{ site.baseurl }}/files/form 2.xlsx).", "Use the new form."),
        ("Use the [new form]({{ '/form.xlsx' | relative_url }}).", "Use the new form."),
        ("The law of {{ page.date | date: '%Y' }} holds.", "The law of holds."),
        ("{% include note.html text='x' %}It holds.", "It holds."),
        ("{pull}", ""),
        (
            "* Will be replaced with the table of contents. (This has .no_toc.)\n{:toc}",
            "",
        ),
        ("Dear {{name}}, we write to you.", "Dear {{name}}, we write to you."),
        ("Write `{{ page.title }}` there.", "Write {{ page.title }} there."),
    ],
)
def test_marks_of_sites_are_left_out(line: str, expected: str) -> None:
    found = markdown_document(f"# Foxes\n\n{TEXT}\n\n{line}\n", "a.md", "a.md")
    texts = [one.text for section in found.sections for one in section.paragraphs]
    assert texts == [TEXT, expected][: 1 + bool(expected)]


def test_a_heading_needs_no_space_after_its_signs() -> None:
    text = f"#Foxes\n\n{TEXT}\n\n##01 Dens\n\n{TEXT}\n\n###Food\n\n{TEXT}\n"
    found = markdown_document(text, "a.md", "a.md")
    assert found.title == "Foxes"
    assert [one.heading for one in found.sections] == ["", "01 Dens", "Food"]


def test_a_tag_is_no_heading() -> None:
    assert without_site_marks(f"#fox\n\n## Dens\n\n{TEXT}") == f"#fox\n\n## Dens\n\n{TEXT}"
