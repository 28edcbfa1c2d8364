"""What a meeting decided, under the topics of its minutes."""

from collections.abc import Collection
from typing import Any

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.items import kinds_asked
from pagesum_cli.shapes.meeting import Meeting, outcomes_in, ruled_outcomes
from pagesum_cli.shapes.minutes import (
    UNDECIDED,
    UNDECIDED_TALK,
    Minutes,
    are_minutes,
    undecided,
)
from pagesum_cli.shapes.outcomes import is_only_date
from pagesum_cli.shapes.rules import decides, is_minutes, is_procedure, is_speech
from pagesum_cli.summary.summary import Source, Summary, SummarySentence

NOTE = "Anna Berg has two new stones for the mill that are older than the harvest."


def section(heading: str, *texts: str, level: int = 2) -> Section:
    return Section(heading, tuple(map(Paragraph, texts)), level, "outline")


TOPICS = (
    section("Council meeting, 3 May", level=1),
    section("Attendees", "Anna Berg", "Carl Dahl"),
    section(
        "The mill",
        "AB: We must not sell. The mill is worth more than all of the fields beside it.",
        NOTE,
    ),
    section("Conclusion", "The mill is kept", "AB: I thank you all.", level=3),
    section(
        "The bridge",
        "CD: The bridge can wait until the flood is over and the fields are dry again.",
    ),
    section("The bread", "AB: Bread is dear."),
    section("Conclusion", "RESOLUTION: the price of bread is lowered", level=3),
)
MINUTES = Document("council.md", TOPICS, "Council meeting, 3 May")


def told(
    document: Document,
    options: GenerationOptions | None = None,
    kinds: Collection[str] = (),
    **shape: Any,
) -> dict[str, list[str]]:
    """The sentences under each title."""
    summary = summary_of(
        Minutes(document, options or GenerationOptions(), kinds, **shape), document
    )
    return {
        one.title: [summary.sentences[number].text for number in one.sentences]
        for one in summary.paragraphs
    }


def summary_of(shape: Minutes, document: Document) -> Summary:
    """The summary of a document in a shape, without a model's scores."""
    sentences = all_sentences(document)
    page = Page("Council", document.name, "", tuple(sentences), 20, title=document.title)
    scores = {(0, number): 0.0 for number, one in enumerate(sentences) if not one.is_heading}
    chosen = [sentences[place] for _, place in shape.choose(Pages("discourse", (page,)), scores)]
    quotes = tuple(
        SummarySentence(one.text, (), Source(0, 0, "", "", (), one.start, one.end))
        for one in chosen
    )
    return shape.titled(Summary("mini", "discourse", "", "", quotes, (), (), {}, {}))


def test_a_topic_has_its_decision_or_a_note_and_is_named_without_one() -> None:
    assert told(MINUTES) == {
        "The mill": ["The mill is kept"],
        "The bread": ["RESOLUTION: the price of bread is lowered"],
        "Other topics: The bridge": [],
    }


def test_the_beginning_of_an_item_says_what_is_decided_about() -> None:
    item = "Side letters with the millers (Anna Berg). Action: Moved by Dahl and carried."
    others = "The mill is old. Action: Approved the repair of the mill."
    paragraphs = (Paragraph(item, label="2."), Paragraph(others))
    sections = (*TOPICS, Section("The letters", paragraphs, 2, "outline"))
    assert told(Document("council.md", sections, MINUTES.title))["The letters"] == [
        "Side letters with the millers (Anna Berg).",
        "Action: Moved by Dahl and carried.",
        "Action: Approved the repair of the mill.",
    ]


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("What was decided, and who has to do what?", {"decision", "action"}),
        ("How did they vote on the mill?", {"vote"}),
        ("Which deadlines are there?", {"date"}),
        ("the mill", set()),
    ],
)
def test_a_question_about_minutes_asks_for_kinds_of_outcomes(
    question: str, kinds: set[str]
) -> None:
    assert kinds_asked(question) == kinds


def test_only_outcomes_of_the_kinds_that_are_asked_for() -> None:
    assert told(MINUTES, kinds=["decision"]) == {
        "The mill": ["The mill is kept"],
        "The bread": ["RESOLUTION: the price of bread is lowered"],
        "Other topics: The bridge": [],
    }


def test_a_note_stands_for_a_topic_without_decision_but_nothing_that_was_said() -> None:
    sections = [one for one in TOPICS if one.heading != "Conclusion"]
    assert told(Document("council.md", tuple(sections), MINUTES.title)) == {
        "The mill": [NOTE],
        "Other topics: The bridge; The bread": [],
    }


def test_a_long_topic_without_decision_has_more_than_one_note() -> None:
    fields = ("barley", "wheat", "rye", "oats", "hops", "flax", "peas", "beans", "clover")
    notes = [
        f"Anna Berg has {one}, {one[:3]}el and {one[:3]}ow near {one[:3]}ton and {one[:3]}ford."
        for one in fields
    ]
    assert (
        len(
            told(Document("council.md", (section("The fields", *notes),), MINUTES.title))[
                "The fields"
            ]
        )
        == 2
    )


def test_where_there_is_only_talk_the_topics_are_named() -> None:
    sections = (section("The bread", "AB: Bread is dear.", "CD: The harvest was bad."),)
    assert told(Document("council.md", sections, MINUTES.title)) == {"": ["The bread"]}


def test_a_task_is_quoted_with_the_name_of_whose_it_is() -> None:
    task = "Anna Berg: Order two stones for the mill by 4 June"
    sections = (*TOPICS[:3], section("Action items", task, "None", level=3))
    assert told(Document("council.md", sections, MINUTES.title))["The mill"][-1] == task


def kinds(document: Document) -> list[str]:
    """What each sentence that records something records."""
    return [str(one) for one in outcomes_in(all_sentences(document)).values()]


def test_a_heading_says_the_kind_unless_a_label_or_a_vote_does() -> None:
    tasks = ("The mill: agreed price to be paid (Dahl)", "Calendar of the mill", "Vote: 5-0")
    decisions = ("The council will print the accounts.", "Anna Berg to write to all", "No bread")
    document = Document(
        "council.md",
        (*TOPICS[:3], section("Action items", *tasks), section("Decisions", *decisions)),
    )
    assert kinds(document) == [
        "action: Dahl",
        "action",
        "vote",
        "decision",
        "action: Anna Berg",
        "decision",
    ]


def test_nobody_takes_part_where_none_is_listed() -> None:
    people = section("Attendees", "Anna Berg", "None")
    assert Meeting(Document("council.md", (TOPICS[0], people))).participants == ("Anna Berg",)


def test_a_number_before_a_sentence_hides_nothing_and_a_heading_says_when_one_meets_again() -> None:
    item = Paragraph("b) It was resolved that bread be paid for.", label="b)", body=3)
    bread = Section("Bread", (item, Paragraph("c) No bread.", label="c)", body=3)))
    again = section("Date of next meeting", "2020-04-14 15:00 UTC")
    assert kinds(Document("council.md", (*TOPICS[:3], bread, again))) == ["decision", "date"]


def test_takeaways_and_follow_ups_are_outcomes_and_rules_and_attendance_are_none() -> None:
    document = Document(
        "notes.md",
        (
            section("Mill meeting, 3 May", level=1),
            section(
                "",
                "Mill Council Minutes of the meeting held on 3 May Present: Cllr Anna Berg "
                "(until approved by the council) Cllr Carl Dahl",
            ),
            section("The mill", "The policy of the council stated that members will be invited."),
            section("Key takeaways", "The mill needs a roof.", "Backport the stones (Anna)"),
            section("Follow-up items", "Send the plan to the owner"),
        ),
    )
    sentences = all_sentences(document)
    found = outcomes_in(sentences)
    assert [(sentences[number].text, one.kind) for number, one in found.items()] == [
        ("The mill needs a roof.", "decision"),
        ("Backport the stones (Anna)", "action"),
        ("Send the plan to the owner", "action"),
    ]


def test_tags_before_resolutions_and_names_after_instructions_count() -> None:
    bread = section(
        "The bread",
        "RES-TC-4 The council approved the price of bread.",
        "Send the accounts to the owners (Anna)",
        "Send the accounts to the owners (in May)",
        "The accounts of the mill (Anna)",
    )
    document = Document("council.md", (*TOPICS[:3], bread))
    assert kinds(document) == ["decision", "action: Anna"]


@pytest.mark.parametrize(
    "heading",
    ["Meeting attendees:", "Attending", "In attendance", "Those present", "Roll call (12)"],
)
def test_who_is_listed_under_a_heading_takes_part(heading: str) -> None:
    listed = section(heading, "Anna Berg", "Council: Carl Dahl, Eva Lind (chair)", "None absent!")
    assert Meeting(
        Document(
            "a.md",
            (section("May 3 Attendees", "Anna Berg, Carl Dahl", "Eva Lind, clerk and archivist"),),
        )
    ).participants == ("Anna Berg", "Carl Dahl", "Eva Lind, clerk and archivist")
    assert Meeting(Document("a.md", (listed,))).participants == (
        "Anna Berg",
        "Carl Dahl",
        "Eva Lind (chair)",
    )


@pytest.mark.parametrize(
    "line",
    [
        "Those present: Anna Berg, Carl Dahl and Eva Lind",
        "Present were: Anna Berg, Carl Dahl, and Eva Lind.",
        "Meeting attendees: Anna Berg; Carl Dahl; Eva Lind",
        "The council met in May with the following members present: Anna Berg, Carl Dahl & Eva "
        "Lind.",
    ],
)
def test_who_is_listed_in_a_line_takes_part(line: str) -> None:
    document = Document("a.md", (section("", line),))
    assert Meeting(document).participants == ("Anna Berg", "Carl Dahl", "Eva Lind")


@pytest.mark.parametrize(
    "opening",
    [
        "Mayor Berg called the meeting to order at 7:00 p.m.",
        "Regular Meeting of the Village Council - January 8, 1973.",
        "Minutes of the Annual Parish Council Meeting of the village of Millbridge that was held "
        "in the hall beside the mill on Tuesday 14th May, 2019",
        "Minutes #2013-27",
    ],
)
def test_minutes_are_known_by_their_opening(opening: str) -> None:
    vote = "Motion by Dahl, seconded by Lind, to sell the mill. Motion carried, 5 to 2."
    assert are_minutes([Document("a.txt", (section("", opening, vote),))])
    assert not are_minutes([Document("a.txt", (section("", "The mill is old.", vote),))])


def test_a_log_of_dates_with_decisions_is_minutes() -> None:
    decided = "The council discussed the sale of the mill and accepted it."
    days = (section("2024-05-03", decided), section("2024-05-10", NOTE))
    assert are_minutes([Document("a.md", days)])
    assert not are_minutes([Document("a.md", (section("2024-05-03", NOTE), days[1]))])


def test_minutes_without_decision_are_reported() -> None:
    empty = Summary("mini", "discourse", "", "", (), (), (), {}, {})
    for document, expected in (
        (MINUTES, ()),
        (Document("council.md", TOPICS[2:3], MINUTES.title), (f"council.md: {UNDECIDED}",)),
    ):
        sentences = all_sentences(document)
        page = Page("Council", document.name, "", tuple(sentences), 20, title=document.title)
        scores = {(0, number): 0.0 for number, one in enumerate(sentences) if not one.is_heading}
        shape = Minutes(document, GenerationOptions())
        shape.choose(Pages("discourse", (page,)), scores)
        assert shape.titled(empty).notes == expected


def test_a_number_of_words_is_for_quotes_alone() -> None:
    assert told(MINUTES, GenerationOptions(words=4)) == {"The mill": ["The mill is kept"]}
    assert len(told(MINUTES, GenerationOptions(sentences=1))) == 1


def test_a_number_of_words_is_reached_with_further_notes() -> None:
    notes = [
        NOTE,
        "Carl Dahl has a boat for the river that is longer than the wall of a house.",
        "Ruth Klein has three horses in a field that are stronger than the ox of a farmer.",
    ]
    document = Document(
        "council.md", (TOPICS[0], section("The mill", *notes)), "Council meeting, 3 May"
    )
    usual = sum(map(len, told(document).values()))
    given = sum(map(len, told(document, GenerationOptions(words=100)).values()))
    assert given > usual


LIST = Paragraph("The council was in favour of the following costs, seconded by Berg:")
ITEMS = ("Flour for the fair at £225.", "A band for the fair at £250.", "Banners at £80.")
LONG = Document(
    "council.md",
    (
        section("Council meeting, 3 May", level=1),
        section("Minutes", "The minutes of 4 April were approved as a correct record."),
        Section("The fair", (LIST, *(Paragraph(one, depth=1) for one in ITEMS)), 2, "outline"),
        section(
            "Stone mill",
            "Anna Berg will write to the owner of the stone mill.",
            "The sale of the mill was approved; six were in favour and two were against.",
        ),
        section("Stones", *(f"Carl Dahl will order {number} stones." for number in range(20, 40))),
    ),
)


def test_a_short_summary_has_what_matters_most_and_says_how_much_is_left_out() -> None:
    options = GenerationOptions(words=40)
    summary = summary_of(Minutes(LONG, options), LONG)
    texts = [one.text for one in summary.sentences]
    assert texts == [
        "The council was in favour of the following costs, seconded by Berg:",
        *ITEMS,
        "The sale of the mill was approved; six were in favour and two were against.",
    ]
    assert summary.notes[-1].startswith(
        "council.md: 22 of 24 outcomes are left out (1 decision, 21 actions)"
    )


def test_short_and_brief_summaries_of_minutes_have_a_length() -> None:
    many = told(LONG)
    assert sum(map(len, many.values())) == 27
    short = told(LONG, GenerationOptions(length="short"))
    assert 5 < sum(map(len, short.values())) < 20
    assert list(short)[:2] == ["Decided", "To do"]
    assert list(short)[2].startswith("13 of 24 outcomes are left out")
    brief = told(LONG, brief=True)
    assert list(brief)[:2] == ["Decided", "To do"]
    assert list(brief)[2].startswith("12 of 24 outcomes are left out")
    assert brief["Decided"][0] == LIST.text
    assert brief["Decided"][-1] == (
        "The sale of the mill was approved; six were in favour and two were against."
    )


def test_what_is_about_a_subject_comes_with_the_most_important_outcome_first() -> None:
    minutes = Minutes(LONG, GenerationOptions(), subject="the stone mill")
    assert minutes.has_subject
    assert told(LONG, subject="the stone mill") == {
        "": [
            "The sale of the mill was approved; six were in favour and two were against.",
            "Anna Berg will write to the owner of the stone mill.",
        ]
    }
    assert not Minutes(LONG, GenerationOptions(), subject="bridges").has_subject
    votes = told(LONG, kinds={"decision", "vote"}, subject="Who voted on the stone mill?")
    assert votes == {
        "": ["The sale of the mill was approved; six were in favour and two were against."]
    }


def test_minutes_are_one_document_with_topics() -> None:
    assert are_minutes([MINUTES])
    assert are_minutes([Document("a.md", TOPICS)])
    assert not are_minutes([MINUTES, MINUTES])
    assert not are_minutes([Document("a.md", TOPICS[:2], MINUTES.title)])
    assert not are_minutes([Document("a.md", TOPICS[1:], "The history of the mill")])


def test_a_report_of_a_study_is_no_minutes() -> None:
    people = section("Participants", "Anna Berg", "Carl Dahl")
    vote = "Motion by Dahl, seconded by Lind, to sell the mill. Motion carried, 5 to 2."
    discussed = section("Discussion", vote)
    title = "Mill council, 3 May 2024"
    assert are_minutes([Document("a.md", (people, discussed), title)])
    study = (section("Methods", NOTE), section("Results", NOTE))
    assert not are_minutes([Document("a.md", (people, *study, discussed), title)])
    assert not are_minutes(
        [Document("a.md", (section("Abstract", NOTE), *study[1:], people), title)]
    )


def test_a_transcript_without_decision_is_reported() -> None:
    def talk(last: str) -> Document:
        turns = (("ANNA", "Bread is dear."), ("BEN", last))
        texts = (Paragraph(text, times=((0, 1.0),), speaker=name) for name, text in turns)
        return Document("a.vtt", (Section("", tuple(texts)),))

    assert list(undecided([talk("So is corn.")])) == [f"a.vtt: {UNDECIDED_TALK}"]
    assert (
        list(undecided([talk("The motion carried with five votes in favor, one opposed.")])) == []
    )
    assert list(undecided([MINUTES])) == []


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Minutes of the council", True),
        ("Council meeting, 3 May", True),
        ("Steering Committee (SC) Meeting 2021-11-17", True),
        ("Agenda for the June 4th call of the community group", True),
        ("Meeting the 2030 targets of the mills", False),
        ("Five minutes of bread", False),
    ],
)
def test_the_title_of_minutes(title: str, expected: bool) -> None:
    assert is_minutes(title) == expected


def test_what_sections_and_sentences_of_minutes_tell() -> None:
    assert all(
        map(decides, ("Conclusion/Resolution", "Decisions", "Poll: the mill", "Action items"))
    )
    assert not any(map(decides, ("The mill", "Conclusions of the miller about the harvest")))
    assert all(
        map(is_procedure, ("Attendees", "Roll call", "Note taking", "Adoption of the agenda"))
    )
    assert all(
        map(is_procedure, ("Other Attendees", "PUBLIC COMMENT", "Report from closed session"))
    )
    assert not is_procedure("The mill")
    assert all(map(is_speech, ("We can wait.", "None recorded", "Who pays?")))
    assert is_speech("Mayor Berg noted that it's in the plan.")
    assert not is_speech(NOTE)


def test_what_lists_of_actions_open_boxes_initials_and_labels_of_topics_record() -> None:
    talk = (
        Paragraph("The mill is old.", speaker="Anna"),
        Paragraph("I’ll mend it.", speaker="Anna"),
    )
    sections = (
        section("Meeting, 4 June", level=1),
        section("Present", "Anna Berg", "Carl Dahl"),
        section("Summary of actions", "CD: ask the owner whether he sells the mill?", "not yet"),
        section("Actions from this meeting", "Two stones", "Who has the key?"),
        section("Actions from the last meeting", "Bread for all"),
        section("The mill", "[ ] paint the wheel", "[x] sell the boat", "CD to order bread."),
        section("The bread", "Payments: it was agreed to pay.", "Zed: it was agreed to wait."),
        Section("The bridge", talk, 2, "outline"),
    )
    sentences = all_sentences(Document("mill.md", sections, ""))
    found = {sentences[one].text: kind for one, kind in outcomes_in(sentences).items()}
    assert {text: one.kind for text, one in found.items()} == {
        "CD: ask the owner whether he sells the mill?": "action",
        "Two stones": "action",
        "[ ] paint the wheel": "action",
        "CD to order bread.": "action",
        "Payments: it was agreed to pay.": "decision",
        "I’ll mend it.": "action",
    }
    assert found["I’ll mend it."].who == "Anna"


def test_a_vote_has_the_proposal_before_it_if_it_does_not_say_its_matter() -> None:
    text = (
        "The quay is old. The Chair proposed to raise the berth fee to £45 a week. Two members "
        "found this dear. Four were in favour and one abstained."
    )
    sections = (*TOPICS, section("Berths", text))
    assert told(Document("council.md", sections, MINUTES.title))["Berths"] == [
        "The Chair proposed to raise the berth fee to £45 a week.",
        "Four were in favour and one abstained.",
    ]


def test_motions_in_a_row_are_of_different_importance() -> None:
    text = (
        "Motion by Berg, second by Dahl, to approve the minutes. Motion carried. Motion by Dahl, "
        "second by Berg, to pay $900 for stones. Motion carried by a unanimous vote."
    )
    document = Document("council.md", (*TOPICS, section("Stones", text)), MINUTES.title)
    assert told(document, GenerationOptions(sentences=2))["Stones"] == [
        "Motion by Dahl, second by Berg, to pay $900 for stones.",
        "Motion carried by a unanimous vote.",
    ]


def test_an_outcome_that_begins_with_a_pronoun_has_the_sentence_before() -> None:
    text = "Carl Dahl has seen the miller. He will speak to him again and report back in June."
    document = Document("council.md", (*TOPICS, section("Flour", text)), MINUTES.title)
    assert len(told(document)["Flour"]) == 2


def test_lines_of_who_voted_how_are_part_of_their_motion() -> None:
    lines = (
        "A motion was made by Dahl, seconded by Berg, that the mill be let for $900.",
        "Aye: Berg, Dahl",
        "Absent: None",
        "Motion carried; 2:0",
    )
    document = Document("council.md", (*TOPICS, section("The let", *lines)), MINUTES.title)
    assert told(document, GenerationOptions(sentences=4))["The let"] == list(lines)


@pytest.mark.parametrize(
    "text",
    [
        "Approved: 03/24/2026 :ab",
        "Minutes approved by the Board of Trustees: May 13, 2020",
        "DISCUSSION AND ACTION ITEMS: OLD BUSINESS 1.",
    ],
)
def test_signatures_and_headings_in_capitals_record_nothing(text: str) -> None:
    document = Document("council.md", (section("Closing", text),))
    assert not outcomes_in(all_sentences(document))


def test_an_action_that_was_taken_is_a_decision() -> None:
    document = Document("council.md", (section("Mill", "Action: Presentation received."),))
    assert [one.kind for one in outcomes_in(all_sentences(document)).values()] == ["decision"]


def test_items_of_an_agenda_for_action_are_no_tasks() -> None:
    texts = (
        "Resolution on the mill: the paint of the wheel (Anna Berg)",
        "Action: Moved by Berg, seconded by Dahl, and carried to paint the wheel.",
        "Action: Moved by Dahl, seconded by Berg, and carried to pay the painter.",
    )
    found = outcomes_in(all_sentences(Document("a.md", (section("Action items", *texts),))))
    assert [one.kind for one in found.values()] == ["decision", "decision"]
    tasks = Document("a.md", (section("Action items", "Paint the wheel (Anna Berg)"),))
    assert [one.kind for one in outcomes_in(all_sentences(tasks)).values()] == ["action"]


def test_a_pronoun_has_its_person_or_is_left_out() -> None:
    text = "Mayor Berg opened the mill. She will ask the miller for new stones by 4 June."
    other = "Mayor Berg asked Mr. Dahl. He had none. He will order four old stones in May."
    sections = (*TOPICS, section("Flour", text), section("Stones", other))
    parts = told(Document("council.md", sections, MINUTES.title))
    assert parts["Flour"] == ["[Mayor Berg] will ask the miller for new stones by 4 June."]
    assert not parts.get("Stones")


def test_a_short_summary_has_decisions_before_tasks_with_dates_and_few_others() -> None:
    tasks = [f"Carl Dahl will mend the {one} of the old mill at the river." for one in "abcdefgh"]
    text = f"Anna Berg will order two stones by 4 June. {' '.join(tasks)} The budget was approved."
    document = Document("council.md", (*TOPICS, section("Flour", text, NOTE)), MINUTES.title)
    parts = told(document, GenerationOptions(length="short"))
    assert "The budget was approved." in parts["Decided"]
    assert parts["To do"][0] == "Anna Berg will order two stones by 4 June."
    assert list(parts)[:2] == ["Decided", "To do"]
    assert list(parts)[2].startswith("2 of 12 outcomes are left out")


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("Mayor Berg moved to adjourn the meeting. The motion passed 5-0.", False),
        ("The meeting was adjourned at 9:11 p.m.", False),
        ("Berg proposed the meeting be closed to allow Dahl to speak. Agreed.", False),
        ("Berg proposed the meeting revert to private session. All agreed.", False),
        ("The meeting was adjourned to receive information. All agreed.", False),
        ("The meeting will be closed and opened to the public.", False),
        ("The mill meeting was reopened to discuss the lease. All agreed.", True),
        ("Mayor Berg moved to adjourn the hearing until 4 June. The motion passed 5-0.", True),
        ("Ms. Dahl believes the sale was approved by the county.", False),
        ("She implored the Council to mend the bridge and the fence.", False),
        ("Ms. Dahl said that in her view the city will be sending the bill to him.", False),
        ("Ms. Dahl said that Mr. Berg will send the bill to the owners by 4 June.", True),
        ("The list, to read, “The letter will be sent to Dahl in early May.”", False),
        ("Member Berg does not believe that new stones will be included.", False),
    ],
)
def test_the_end_of_a_meeting_and_opinions_are_no_outcomes(text: str, is_kept: bool) -> None:
    document = Document("council.md", (*TOPICS, section("Fence", text)), MINUTES.title)
    summary = summary_of(Minutes(document, GenerationOptions()), document)
    found = [one for one in summary.sentences if one.outcome and one.text in text]
    assert bool(found) == is_kept


def test_text_after_a_title_in_capitals_or_a_signature_is_no_decision() -> None:
    motion = section("Decisions", "The mill is kept", "OLD BUSINESS 1.", "The letters of Dahl")
    signed = section("Decisions", "Respectfully submitted,", "Anna Berg City Manager")
    sentences = all_sentences(Document("council.md", (motion, signed), "Minutes"))
    assert [sentences[number].text for number in outcomes_in(sentences)] == ["The mill is kept"]


@pytest.mark.parametrize(
    ("text", "is_bare"),
    [("December 21, 2020", True), ("21 June, 7 pm", True), ("Fair on 3 May", False)],
)
def test_a_date_alone_does_not_say_what_it_is_of(text: str, is_bare: bool) -> None:
    assert is_only_date(text) == is_bare


@pytest.mark.parametrize(
    "result",
    [
        "After discussion the motion was tabled until July.",
        "The motion died for lack of a second.",
        "Trustee Dahl withdrew the motion.",
    ],
)
def test_a_motion_has_its_outcome_even_if_it_was_not_voted_on(result: str) -> None:
    text = f"Trustee Dahl moved to buy a used stone. Trustee Lund seconded. {result}"
    parts = told(Document("a.md", (*TOPICS, section("Stone", text)), MINUTES.title), brief=True)
    expected = ["Trustee Dahl moved to buy a used stone.", "Trustee Lund seconded.", result]
    assert parts["Decided"][-3:] == expected or parts["Decided"][:3] == expected


def test_a_motion_without_a_result_is_not_under_decisions() -> None:
    text = "Trustee Dahl moved to buy a used stone. Trustee Lund seconded. The stone is old."
    parts = told(Document("a.md", (*TOPICS, section("Stone", text)), MINUTES.title), brief=True)
    assert parts["Motions without a result"][0] == "Trustee Dahl moved to buy a used stone."


@pytest.mark.parametrize(
    "text",
    [
        "These results back up work that was carried out in 2001.",
        "He would like the ramp to be opened from dawn to dusk.",
    ],
)
def test_what_was_done_before_or_is_wanted_is_no_outcome(text: str) -> None:
    document = Document("a.md", (section("Noise", text),), "Minutes")
    assert not ruled_outcomes(all_sentences(document))


def test_a_motion_said_aloud_has_its_result_and_procedure_is_left_out() -> None:
    turns = [
        ("Eva Lund", "I move to adopt the agenda as presented."),
        ("Anna Berg", "The motion has been made and seconded."),
        ("Carl Dahl", "Motion passed unanimously."),
        ("Eva Lund", "I move to appoint James Feather to the planning commission."),
        ("Anna Berg", "I’ll now turn it over to the clerk."),
        ("Carl Dahl", "Motion passes unanimously."),
        ("Anna Berg", "The council adopted a pilot in January of 2022."),
    ]
    spoken = tuple(
        Section(name, (Paragraph(text, speaker=name, times=((0, float(number)),)),), 2, "outline")
        for number, (name, text) in enumerate(turns)
    )
    document = Document("council.vtt", spoken, "Council meeting, 3 May")
    summary = summary_of(Minutes(document, GenerationOptions()), document)
    assert [one.text for one in summary.sentences] == [turns[3][1], turns[5][1]]


def test_the_members_who_were_present_take_part() -> None:
    opening = "Board members present were supervisors Anna Berg, and Carl Dahl. Eva Lind spoke."
    document = Document("a.md", (Section("Opening", (Paragraph(opening),)),))
    assert Meeting(document).participants == ("supervisors Anna Berg", "Carl Dahl")


def test_captions_without_speakers_are_speech() -> None:
    texts = (
        "As part of the report, the types of actions will be included in it.",
        "She’ll do the singing.",
        "The vast majority of these items are adopted by council and approved by the mayor.",
        "Next is the resolution to sell the old mill to Anna Berg.",
        "The motion carries.",
    )
    spoken = tuple(
        Section(f"0{number}:00", (Paragraph(text, times=((0, 60.0 * number),)),), 2, "outline")
        for number, text in enumerate(texts)
    )
    document = Document("council.vtt", spoken, "Council meeting, 3 May")
    summary = summary_of(Minutes(document, GenerationOptions()), document)
    assert set(texts[:3]).isdisjoint(one.text for one in summary.sentences)


VOTED = section(
    "The mill",
    "Director Berg made the motion to sell the mill for $7,000.",
    "The motion passed with 2 in favor (Berg, Dahl) and 1 against (Ek).",
)


def test_those_who_voted_are_participants_where_only_staff_is_listed() -> None:
    staff = section("Roll call", "Staff present: Anna Lind, Otto Falk, Ida Holm")
    names = ("Anna Lind", "Otto Falk", "Ida Holm")
    voters = ("Berg", "Dahl", "Ek")
    assert Meeting(Document("a.md", (staff, VOTED))).participants == (*voters, *names)
    board = section("Roll call", "Present: Anna Berg, Carl Dahl, Eva Ek")
    known = ("Anna Berg", "Carl Dahl", "Eva Ek")
    assert Meeting(Document("a.md", (board, VOTED))).participants == known


def test_a_sentence_below_a_list_of_names_is_no_participant() -> None:
    people = section(
        "Roll call",
        "Anna Berg, chair",
        "Carl Dahl, clerk",
        "There were no comments from visitors.",
        "Mr. Dahl led the group in a song.",
    )
    meeting = Meeting(Document("a.md", (people, VOTED)))
    assert meeting.participants == ("Anna Berg, chair", "Carl Dahl, clerk")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Directors Lind, Falk, and Chair Holm were absent.", ("Lind", "Falk", "Chair Holm")),
        ("Absent: Lind and Falk.", ("Lind", "Falk")),
        ("Absent: none", ()),
        ("The sluice was absent from the plan.", ()),
        ("Director Lind was late.", ()),
    ],
)
def test_minutes_say_who_was_absent(text: str, names: tuple[str, ...]) -> None:
    roll = section("Roll call", "Anna Berg called the roll.", text)
    assert Meeting(Document("a.md", (roll, VOTED))).absent == names
    late = section("The bridge", "The motion passed.", text)
    assert Meeting(Document("a.md", (VOTED, late))).absent == ()


def test_a_summary_of_minutes_names_who_was_absent() -> None:
    roll = section("Roll call", "Absent: Lind and Falk.")
    document = Document("a.md", (section("Council meeting, 3 May", level=1), roll, VOTED))
    assert "Absent: Lind, Falk" in told(document)
    assert "Absent: Lind, Falk" not in told(document, kinds=("action",))


def test_a_brief_summary_has_what_was_contested_before_what_changes_nothing() -> None:
    same = [
        section(f"Policy {one}", f"The board approved policy {one}, without any changes.")
        for one in "ABCDEFGH"
    ]
    budget = section(
        "Budget",
        "Director Berg made the motion to adopt the budget for 2019.",
        "The motion passed with 2 in favor (Berg, Dahl) and 1 against (Ek).",
    )
    document = Document("a.md", (TOPICS[0], *same, budget))
    decided = told(document, brief=True)["Decided"]
    assert "Director Berg made the motion to adopt the budget for 2019." in decided[0]


REPORT = (
    section("Summary of Mill Town council meeting", "*** MILL TOWN COUNCIL MEETING REPORT ***"),
    Section(
        "",
        (
            Paragraph("ROLL CALL: Present: Berg, Dahl and Ek. Absent: Falk."),
            Paragraph("Moved by Berg to dry the barn as follows:"),
            *(
                Paragraph(
                    f"Dry the {one} floor of the barn before the harvest.", label=label, depth=1
                )
                for one, label in (("first", "1."), ("second", "2."), ("third", "3."))
            ),
            Paragraph("Motion Carried 3-0."),
        ),
        2,
        "outline",
    ),
)


def test_a_report_on_a_meeting_has_the_motion_its_list_and_its_result() -> None:
    document = Document("report.pdf", REPORT)
    assert are_minutes([document])
    quoted = [one for texts in told(document).values() for one in texts]
    assert [one.split(" (")[0] for one in quoted][:5] == [
        "Moved by Berg to dry the barn as follows:",
        "Dry the first floor of the barn before the harvest.",
        "Dry the second floor of the barn before the harvest.",
        "Dry the third floor of the barn before the harvest.",
        "Motion Carried 3-0.",
    ]
    meeting = Meeting(document)
    assert meeting.participants[:3] == ("Berg", "Dahl", "Ek")
    assert meeting.absent == ("Falk",)


def test_a_motion_with_a_list_is_shortened_with_a_mark_where_it_is_too_long() -> None:
    document = Document("report.pdf", REPORT)
    summary = summary_of(Minutes(document, GenerationOptions(words=30)), document)
    texts = [f"{one.opening}{one.text}" for one in summary.sentences]
    assert texts[0] == "Moved by Berg to dry the barn as follows:"
    assert texts[-1] == "… Motion Carried 3-0."
    assert 2 < len(texts) < 5
