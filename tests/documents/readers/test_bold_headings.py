"""Paragraphs of Markdown that are headings by their looks."""

from pagesum_cli.documents.readers.bold_headings import is_beside
from pagesum_cli.documents.readers.markdown import markdown_document

MINUTES = """## Repairs of the old mill (I-4)
The council voted to repair the mill.

**Toll of the new bridge (I-5)**  
The council set a toll of two pounds. **MOTION CARRIED 5-2**

**Visitor Comments (F)**  
There were none.

**Adjournment (G)**  
The council rose at eight.

**Note (see below)**
The ford is closed.
"""


def test_bold_titles_with_the_reference_of_an_item_are_headings() -> None:
    sections = markdown_document(MINUTES, "a.md", "a.md").sections
    assert [(one.level, one.heading) for one in sections] == [
        (2, "Repairs of the old mill (I-4)"),
        (2, "Toll of the new bridge (I-5)"),
        (2, "Visitor Comments (F)"),
        (2, "Adjournment (G)"),
    ]
    assert "Note (see below)" in sections[-1].text


def test_items_of_one_agenda_are_beside_each_other() -> None:
    assert is_beside("Toll (G-1/G-6, G-9/G-15 and G-17)", "Mill (H)")
    assert not is_beside("Toll (2024)", "Mill (H)")
