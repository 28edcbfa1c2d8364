"""The summary of a press release: news, time, amounts, one quotation, whom to ask."""

import pytest
from shape_texts import document_of, pages_of

from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.brief import Brief
from pagesum_cli.shapes.essentials import Essentials
from pagesum_cli.shapes.kinds import RELEASE, kind_of
from pagesum_cli.shapes.points import Point
from pagesum_cli.shapes.releases import fitting, is_quotation, is_release, unnamed

NEWS = "The Mill Museum has bought the old bridge over the brook for £6,000."
TIME = "The bridge will open to walkers on Saturday, 3 May, at 10 a.m."
FEE = "There will be a small charge of £2 for each walk over the bridge."
QUOTATION = "“We have waited ten years for this bridge,” said the miller, Anna Berg."
UNNAMED = "“It was a very long winter for all of us here at the mill.”"
PAST = "The museum was founded in 1985 and has since cost more than £90,000."
CONTACT = "For more information about the walks, please call Anna Berg on 01366 500628."
HEAD = "Press Release"
BODY = (UNNAMED, PAST, NEWS, TIME, FEE, QUOTATION, CONTACT)


def _release() -> Document:
    return document_of({HEAD: " ".join(BODY)})


def _chosen(document: Document) -> set[str]:
    pages = pages_of(document)
    sentences = pages.pages[0].sentences
    scores = {(0, number): -float(number) for number in range(len(sentences))}
    brief = Brief(document, GenerationOptions(), RELEASE)
    return {sentences[number].text for _, number in brief.choose(pages, scores)}


def test_a_release_has_news_time_fee_a_speaker_and_a_contact() -> None:
    assert kind_of([_release()]) is RELEASE
    whole = " ".join(_chosen(_release()))
    for text in (NEWS, TIME, FEE, QUOTATION, CONTACT):
        assert text[-20:-1] in whole


def test_what_was_before_is_no_news() -> None:
    assert PAST not in _chosen(_release())
    assert UNNAMED not in _chosen(_release())


def test_a_name_in_quotation_marks_is_no_quotation() -> None:
    assert is_quotation(QUOTATION)
    assert is_quotation("John wants to help: “I would like to give all of it away.”")
    assert not is_quotation("The goal is a “sustainable and livable community” on the brook.")


def test_praise_is_no_quotation_where_there_is_another_one() -> None:
    praise = "“I commend the work of the mill and of its owners,” said the mayor, Carl Dorn."
    sentences = tuple(Sentence(text, (), "", 0, len(text)) for text in (NEWS, praise, QUOTATION))
    pages = Pages("spatial", (Page("file", "a.txt", "", sentences, 100),))
    points = [Point((0, number), 0, one.text, 0.0) for number, one in enumerate(sentences)]
    assert [one.text for one in fitting(points, pages)["quotation"]] == [QUOTATION]
    assert fitting(points[:2], pages)["quotation"]


def test_a_release_calls_itself_one_in_its_first_lines() -> None:
    assert is_release(Document("a", (Section("", (Paragraph("For immediate release"),)),)))
    late = (Paragraph("A mill."),) * 12 + (Paragraph("A press release came."),)
    assert not is_release(Document("a", (Section("", late),)))
    assert not is_release(Document("a", (Section("Press Release", (Paragraph("a " * 2100),)),)))
    for words in (
        "The agency must prepare code for release to the public within 90 days of this policy.",
        "Shares of the mill fell after a press release in which it had warned of less profit.",
        "Media release policy",
    ):
        assert not is_release(Document("a", (Section("", (Paragraph(words),)),))), words


def test_a_short_release_is_not_filled_up() -> None:
    document = _release()
    pages = pages_of(document)
    scores = {(0, number): 1.0 for number in range(len(pages.pages[0].sentences))}
    places = Essentials(document, GenerationOptions(), RELEASE).choose(pages, scores)
    assert len(places) == len(_chosen(document))


HEAD_LINES = ("Skip to content", "Search", "Mill Museum", "5 min read", *("Home", "Press") * 4)
LEDE = "HOLLOW – The owner of a mill was sentenced on Tuesday to two years for stealing £6,000."
OWNER = "Tom Marl, 34, of Hollow Lane, had pleaded guilty to one count of theft from the museum."
FINE = "He was also ordered to pay the museum £6,000 and to leave the mill by the next spring."
HEARING = "A hearing on the cost of the bridge will be held in the court on May 16 at 9 a.m."
FOOT = "A mother of two won a prize of £90,000 for a bridge that she built on Sunday, May 5."


def _page() -> Document:
    """A press release of a court, as copied from its web page."""
    names = ("Anna Berg", "Chief of Staff", "Office: 714-555-8408")
    text = (LEDE, OWNER, FINE, HEARING)
    lines = (*HEAD_LINES, "For Immediate Release", *names, *text, "###", "Latest Posts", FOOT)
    return Document("a.txt", (Section("", tuple(map(Paragraph, lines))),))


def _shown(shape: type[Brief]) -> list[str]:
    document = _page()
    lines = tuple(one.text for one in document.sections[0].paragraphs)
    sentences = tuple(Sentence(text, (), "", 0, len(text)) for text in lines)
    pages = Pages("spatial", (Page("file", "a.txt", "", sentences, 100),))
    scores = {(0, number): 1.0 for number in range(len(sentences))}
    places = shape(document, GenerationOptions(), RELEASE).choose(pages, scores)
    return [sentences[number].text for _, number in places]


def test_a_release_below_the_links_of_a_web_page_is_one() -> None:
    assert kind_of([_page()]) is RELEASE
    paragraphs = ("A bridge was sold.", "It is old.", "The end came.", "-end-", "Anna 714-555-8408")
    assert is_release(Document("a", (Section("", tuple(map(Paragraph, paragraphs))),)))
    assert not is_release(Document("a", (Section("", tuple(map(Paragraph, paragraphs[:4]))),)))


def test_a_release_has_the_accused_what_comes_next_and_the_names_of_its_head() -> None:
    chosen = _shown(Brief)
    assert chosen[:2] == [LEDE, OWNER]
    assert {FINE, HEARING} <= set(chosen)
    assert chosen[-3:] == ["Anna Berg", "Chief of Staff", "Office: 714-555-8408"]
    assert FOOT not in chosen


def test_the_plain_summary_of_a_release_has_its_text_only() -> None:
    chosen = _shown(Essentials)
    assert chosen[0] == LEDE
    assert FOOT not in chosen


MILLER = "Anna Berg, 43, pleaded guilty to selling the bridge " + "over the brook " * 22 + "again."
KNOWN = "Anna Berg, 43, is known in the whole valley for the bridge of her mill."
OTHER = "Carl Moor, 37, of Hollow, is charged with 49 counts of selling bridges over the brook."
GUILTY = "Carl Moor, 37, of Hollow, pleaded guilty on May 3 to 49 counts of selling bridges."
VICTIM = "The bridge belonged to Carl Moor, 37, of Hollow, who has lived at the mill for years."
JAILED = "Berg was sentenced to nine months in jail for the bridge, and will pay for the mill."
FRIEND = "Lord Marl was glad that the thief of the old bridge over the brook was convicted."
CONVICTED = "HOLLOW – A miller was convicted on Tuesday of selling a bridge that she did not own."
CHARGED = "HOLLOW – Two millers were charged on Tuesday with selling a bridge that is not theirs."
NAMED = "HOLLOW – Anna Berg, 43, was convicted on Tuesday of selling a bridge not her own."


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((CONVICTED, MILLER, OTHER), [MILLER]),
        ((CONVICTED, OTHER, MILLER), [MILLER]),
        ((CONVICTED, VICTIM, FRIEND, OTHER), []),
        ((CONVICTED, KNOWN, JAILED), [KNOWN, JAILED]),
        ((CONVICTED, JAILED), []),
        ((CONVICTED, "Seven Co-defendants", GUILTY), []),
        ((CHARGED, VICTIM.replace("Carl", "Tom"), OTHER), [OTHER]),
        ((NAMED, GUILTY), []),
        ((NEWS, GUILTY), []),
    ],
)
def test_who_is_the_person_to_whom_the_news_happened(
    lines: tuple[str, ...], expected: list[str]
) -> None:
    sentences = tuple(Sentence(text, (), "", 0, len(text)) for text in lines)
    pages = Pages("spatial", (Page("file", "a.txt", "", sentences, 100),))
    points = [Point((0, number), 0, text, 0.0) for number, text in enumerate(lines)]
    assert [one.text for one in fitting(points, pages)["person"]] == expected


@pytest.mark.parametrize(
    ("first", "is_one"),
    [
        ("The Mill Museum announced today that it has bought the old bridge over the brook.", True),
        ("Berg County District Attorney Ann Lee today announced that a miller was charged.", True),
        ("Man Charged With Theft of Flour | Berg County District Attorney's Office", True),
        ("The Mill Museum announced on Monday that it has bought the old bridge.", False),
        ("Attorney General Ann Lee was seen on the bridge with a bag of flour on Monday.", False),
    ],
)
def test_what_an_office_announces_today_is_a_release(first: str, is_one: bool) -> None:
    rest = "The bridge was built of oak in 1850 and has been closed since the flood of last winter."
    assert is_release(document_of({"": f"{first} {rest}"})) == is_one


def test_of_several_persons_a_sentence_names_the_one_that_it_is_about() -> None:
    held = "The defendant is being held without bail until the hearing in March."
    one = "Anna Berg, 28, of Millbrook, was charged with the theft of flour on Monday."
    other = "Her brother Tom Ray, 17, was charged with the same theft on Tuesday."
    assert unnamed(pages_of(document_of({"": f"{one} {held}"}))) == set()
    assert unnamed(pages_of(document_of({"": f"{one} {other} {held}"}))) == {(0, 2)}


ARREST = (
    "On Oct. 1 at 2 p.m., a boy of 17 from Millbrook gave himself up and was charged with arson."
)
DROPPED = "Detectives have asked the county to drop the charges filed on Sept. 25 against Tom Ray."
WITNESS = "They have found that a witness intentionally misidentified Ray as the man who lit it."
CALL = "On Sept. 24 at 3:10 p.m., officers responded to a fire at the old mill on Brook Lane."


def _slots_of(*lines: str) -> dict[str, list[str]]:
    sentences = tuple(Sentence(text, (), "", 0, len(text)) for text in lines)
    pages = Pages("spatial", (Page("file", "a.txt", "", sentences, 100),))
    points = [Point((0, number), 0, text, 0.0) for number, text in enumerate(lines)]
    return {name: [one.text for one in found] for name, found in fitting(points, pages).items()}


def test_the_time_is_that_of_the_event_and_who_is_cleared_is_there() -> None:
    found = _slots_of(ARREST, DROPPED, WITNESS, CALL)
    assert found["news"][:1] == [ARREST]
    assert found["cleared"] == [DROPPED, WITNESS]
    assert found["event"] == [CALL]
    assert DROPPED not in found["time"]


@pytest.mark.parametrize(
    "text",
    [
        "The judge refused to dismiss the charges against Tom Ray on Monday in the county court.",
        "Two other charges were dismissed in exchange for the plea of Tom Ray to the first one.",
        "The mill will drop its monthly service charges for all of its customers in the spring.",
    ],
)
def test_who_is_still_accused_or_made_a_bargain_is_not_cleared(text: str) -> None:
    assert not _slots_of(ARREST, text)["cleared"]
