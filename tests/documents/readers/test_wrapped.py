"""Lines of plain text that were wrapped at a margin."""

from pagesum_cli.documents.readers.text import lined_document
from pagesum_cli.documents.readers.wrapped import margin_of, runs_on
from pagesum_cli.documents.sentences import all_sentences

RULING = [
    "After an inquiry, on 9 May 1996 the learned Judge of the valley rejected",
    "the application on the ground that the miller had failed to satisfy the",
    "Court that there was a good reason for his absence. The conduct of the miller and his",
    "Attorney cannot be excused, and the case had been called before in the",
    "district court on several occasions in the year 1997 and before that.",
    "The miller filed a petition dated 30th July, in which he submitted that,",
    "The only bridge over the river had been closed for two days by the",
    "officers of the valley, so that nobody could come to the hearing.",
]
LONG = "Where the plaintiff makes default, the court shall dismiss the action. " * 4
WHOLE = {
    "After an inquiry, on 9 May 1996 the learned Judge of the valley rejected the application on "
    "the ground that the miller had failed to satisfy the Court that there was a good reason for "
    "his absence.",
    "The conduct of the miller and his Attorney cannot be excused, and the case had been called "
    "before in the district court on several occasions in the year 1997 and before that.",
    "The miller filed a petition dated 30th July, in which he submitted that, The only bridge over "
    "the river had been closed for two days by the officers of the valley, so that nobody could "
    "come to the hearing.",
}


def sentences(text: str) -> set[str]:
    return {one.text for one in all_sentences(lined_document(text, "text"))}


def test_a_capital_at_the_start_of_a_line_begins_no_sentence() -> None:
    few_long = [*RULING, *RULING, LONG, "Appeal dismissed."]
    assert sentences("\n".join(few_long)) >= WHOLE


def test_an_empty_line_after_each_line_ends_no_sentence() -> None:
    assert sentences("\n\n".join([*RULING, *RULING, LONG, "Appeal dismissed."])) >= WHOLE


def test_a_number_of_a_page_inside_of_a_sentence_is_left_out() -> None:
    begun = {"1": "Mills", "2": "Bridges", "3": "Fords"}
    lines: list[str] = []
    for number, what in begun.items():
        lines += [f"{what} in the valley were repaired in the years before that.", *RULING]
        lines += [f"{what} in the valley had been neglected in the years before by the", number]
    read = lined_document("\n\n".join([*lines, "officers of the court."]), "text")
    assert "Fords in the valley had been neglected in the years before by the officers of the" in (
        read.text
    )
    assert [(one.reason, one.text) for one in read.left_out] == [("running head", "1 2 3")]


def test_numbers_of_chapters_stay() -> None:
    chapters = [line for number in "1234" for line in (number, *RULING, *RULING)]
    assert lined_document("\n".join(chapters), "text").left_out == ()


def test_a_link_on_a_line_of_its_own_is_inside_of_its_sentence() -> None:
    lines = [LONG, "The City of", "Elmford, North Valley", "adopted a new rule.", LONG]
    assert "The City of Elmford, North Valley adopted a new rule." in sentences("\n".join(lines))


def test_lines_of_verse_and_of_lists_have_no_margin() -> None:
    assert margin_of(["Over the hill", "the wind went by", "and nobody knew"] * 5) == 0
    assert margin_of([LONG, LONG, "The mill was closed."]) == 0


def test_an_item_of_a_list_goes_on_with_no_line() -> None:
    assert runs_on(RULING[0], "Judge of the valley", 72)
    assert not runs_on(RULING[0], "(2) Judge of the valley", 72)
    assert not runs_on("THE COURT OF APPEAL OF THE OLD AND THE NEW VALLEY", "Judge Lee", 60)
