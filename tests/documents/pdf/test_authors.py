"""The authors of a PDF are those below its title."""

import pytest
from pdf_writer import Sheet, write

from pagesum_cli.documents.pdf.authors import names_of
from pagesum_cli.documents.pdf.reader import pdf_document

TEXT = "Foxes live in forests all over the world and eat what they find there at night."


def paper(*below):
    sheet = Sheet()
    sheet.text(72, 740, "The food of foxes in the north", 18, "F2")
    sheet.lines(72, 715, below)
    sheet.text(72, 600, "Abstract", 12, "F2")
    sheet.lines(72, 580, [TEXT] * 9)
    return pdf_document(write([sheet]), "a.pdf", "a.pdf")


def test_all_authors_are_named():
    found = paper(
        "Jane A. Doe1*, Max van der Berg2, Li Wei", "Chen and Ana Sousa1", "1 Oslo Forest"
    )
    assert found.authors == ("Jane A. Doe", "Max van der Berg", "Li Wei Chen", "Ana Sousa")


def test_a_list_that_is_not_understood_is_not_shown_in_part():
    assert paper("Jane Doe, Max Berg,", "x7 y8").authors == ()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Kévin Bikindou | Thomas Silou", "Kévin Bikindou; Thomas Silou"),
        ("Albert Hofman · Jaap Goudsmit", "Albert Hofman; Jaap Goudsmit"),
        ("S. S. Ghoke, MD, R. Sood1,2* and the Fox Group", ""),
        ("A. Re, MD, B. Sood, for the Fox Group (FG)", "A. Re; B. Sood"),
        ("LuisMartínez, Ana Lemes andSyed Ali", "Luis Martínez; Ana Lemes; Syed Ali"),
        ("Department of Food Science, Jane Doe", ""),
        ("Open Access, Jane Doe", ""),
        ("Oslo, Norway", ""),
        ("Foxes eat mice, birds and berries", ""),
        ("Jane Doe", ""),
    ],
)
def test_lists_of_names(text, names):
    assert "; ".join(names_of(text)) == names
