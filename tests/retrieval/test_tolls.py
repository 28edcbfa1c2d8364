"""The toll of each of several reports, that of the latest first."""

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.retrieval.find import add_documents, find
from pagesum_cli.retrieval.store import Store

FILLER = ("Rain fell.", "The mills were busy.", "Owls hunt at night.")
FIRST = (
    "Tuesday, 2 July 2013",
    "A flood hit the mills of Lee, killing at least three people.",
    "Four other people died in hospitals of the district, people said.",
    "Last year, a flood of the river killed 90 people.",
    *FILLER,
)
SECOND = ("WEDNESDAY 03 JULY 2013", "Flood of Lee: 24 dead and over 200 injured.", *FILLER)
UNDATED = ("In 2004 a flood near Marx killed 500 people.", "Five people died in Lee.", *FILLER)


def answers_to(question: str, *reports: tuple[str, ...]) -> list[str]:
    store = Store()
    for number, report in enumerate(reports):
        section = Section("", tuple(map(Paragraph, report)))
        add_documents(store, str(number), [Document(str(number), (section,))])
    found = find(question, store, list(map(str, range(len(reports)))), None)
    return [one.passage.text for one in found.answers]


def test_the_latest_report_is_first_and_the_event_of_another_year_last() -> None:
    found = answers_to("How many people died?", FIRST, SECOND, UNDATED)
    assert found[:3] == [SECOND[1], FIRST[1], UNDATED[1]]
    assert found.index(FIRST[3]) > found.index(FIRST[2])


def test_a_toll_of_those_on_board_is_whole() -> None:
    third = ("4 July 2013", "The ferry sank, killing seven of the 22 people on board.", *FILLER)
    assert answers_to("How many people died?", FIRST, SECOND, third)[0] == third[1]


def test_the_day_in_the_name_of_a_file_is_its_date() -> None:
    store = Store()
    for name, text in (("news 2013-07-05.md", UNDATED[1]), ("note 2013-99-99.md", "Ten died.")):
        section = Section("", tuple(map(Paragraph, (text, *FILLER))))
        add_documents(store, name, [Document(name, (section,), source=name)])
    add_documents(store, "", [Document("", (Section("", tuple(map(Paragraph, SECOND))),))])
    names = ["news 2013-07-05.md", "note 2013-99-99.md", ""]
    found = find("How many people died?", store, names, None).answers
    assert [one.passage.text for one in found[:3]] == [UNDATED[1], SECOND[1], "Ten died."]


def test_the_injured_are_no_dead() -> None:
    found = answers_to("How many people were injured?", FIRST, SECOND, UNDATED)
    assert found[0] == SECOND[1]


def test_an_event_of_another_year_that_is_named_stays_first() -> None:
    reports = FIRST, SECOND, ("3 July 2013", *UNDATED)
    assert answers_to("How many people died near Marx?", *reports)[0] == UNDATED[0]


def test_nothing_is_found_without_an_error() -> None:
    assert answers_to("How many died in Zzyzx?", ("Owls hunt.",)) == []
