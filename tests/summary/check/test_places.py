"""The sentences of documents that claims are compared with."""

from pagesum_cli.documents.article.building import CELL
from pagesum_cli.documents.model import Document, LeftOut
from pagesum_cli.summary.check.places import places_of


def test_the_rows_of_a_table_are_compared_apart() -> None:
    rows = (f"Mill{CELL}Height", f"Harlow{CELL}12 m", f"Nether{CELL}9 m")
    table = LeftOut("table or figure", "Mill Height Harlow 12 m Nether 9 m", 8, (3,), rows)
    places = places_of([Document("a.pdf", (), left_out=(table,))])
    assert [one.sentence.text for one in places] == [
        "Mill | Height",
        "Harlow | 12 m",
        "Nether | 9 m",
    ]
