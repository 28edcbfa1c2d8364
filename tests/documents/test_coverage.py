"""How much of some documents was read."""

from pagesum_cli.documents.coverage import Coverage, LeftOutText, coverage_of, joined
from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section


def section(heading: str, text: str, page: int = 0) -> Section:
    starts = ((0, page),) if page else ()
    return Section(heading, (Paragraph(text, page_starts=starts),), found_by="style")


PAPER = Document(
    "paper.pdf",
    (section("Methods", "We sowed rye.", 1), section("Thanks", "We thank all.", 2)),
    left_out=(LeftOut("references", "[1] …", 40, (3, 4)), LeftOut("caption", "Fig. 1", 2, (1,))),
    skipped=frozenset([1]),
    page_labels=("i", "ii", "iii", "iv", "v"),
)


def test_words_and_pages_that_are_not_read_are_counted_by_their_reason() -> None:
    found = coverage_of([PAPER], unread_words=1)
    assert found.pdf_pages == (1, 5)
    assert found.words == (3, 50)
    assert found.left_out == (
        LeftOutText("references", 40, (3, 4)),
        LeftOutText("skipped section", 4),
        LeftOutText("caption", 2, (1,)),
        LeftOutText("beyond the last part", 1),
    )


def test_text_that_is_in_no_chapter_is_left_out_too() -> None:
    book = Document("book.txt", (section("One", "It rained."), section("Index", "Rye, 7.")))
    found = coverage_of([book], left_out=[LeftOut("index", "Index Rye, 7.", 3)])
    assert found == Coverage((0, 0), (3, 6), (LeftOutText("index", 3),))


def test_several_documents_are_counted_together() -> None:
    one = coverage_of([PAPER])
    assert joined([one, one]) == coverage_of([PAPER, PAPER])


def test_much_text_left_out_by_its_layout_alone_is_doubtful() -> None:
    def doubtful(reason: str, words: int) -> list[str]:
        report = Document(
            "report.pdf",
            (section("Findings", "rye " * 1000),),
            left_out=(LeftOut(reason, "", words),),
        )
        return [one.what for one in coverage_of([report]).doubtful]

    assert doubtful("back matter", 500) == ["back matter"]
    assert doubtful("back matter", 200) == []
    assert doubtful("references", 2000) == []
    assert doubtful("table", 2000) == []
