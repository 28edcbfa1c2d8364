"""Tables of Markdown whose cells are prose: the name of the row stands in front of each cell."""

from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.markdown import markdown_document
from pagesum_cli.documents.sentences import all_sentences

TEXT = "The only count of the foxes that was ever made in the forests of the north, by day alone."


def of_table(*rows: str) -> Document:
    table = "\n".join(["| Paper | What it says |", "|---|---|", *rows])
    return markdown_document(f"# Foxes\n\n{TEXT}\n\n{table}\n", "a.md", "a.md")


def test_a_cell_has_the_name_of_its_row_in_front() -> None:
    found = of_table(f"| Berg & Holm (2022) | {TEXT} |", f"| | {TEXT} |", f"| 3 | {TEXT} |")
    texts = [one.text for one in found.sections[0].paragraphs]
    assert texts == [TEXT, f"Berg & Holm (2022): {TEXT}", TEXT, TEXT]


def test_the_name_of_a_row_is_not_left_out_besides() -> None:
    found = of_table(f"| Berg & Holm (2022) | {TEXT} |")
    assert [one.text for one in found.left_out] == ["Paper What it says"]


def test_the_name_of_a_row_is_in_the_sentence_that_is_quoted() -> None:
    found = of_table(f"| Berg & Holm (2022) | {TEXT} |")
    quoted = [one.text for one in all_sentences(found) if one.is_quotable]
    assert quoted == [TEXT, f"Berg & Holm (2022): {TEXT}"]
