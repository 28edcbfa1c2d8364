"""Which sentences make sense outside of their document."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Sentence
from pagesum_cli.locality.flow import Page
from pagesum_cli.quoting.context import Surroundings
from pagesum_cli.quoting.eligibility import Eligibility, completed, eligibility_of


@pytest.mark.parametrize(
    "text",
    ["Wheat rose (Fig. 1).", "Table 12 shows it.", "In this section, we ask.", "See Figure 4B."],
)
def test_references_away(text: str) -> None:
    assert Eligibility.of(text).refers_away


@pytest.mark.parametrize(
    "text", ["The figure is clear.", "Each section of the road.", "A table of oak.", "Table 4567."]
)
def test_no_references_away(text: str) -> None:
    assert not Eligibility.of(text).refers_away


@pytest.mark.parametrize(
    "text",
    [
        "It ends.",
        "Does it?",
        "He said: “No wheat.”",
        "收穫晚了。",
        "It fell by 5% (from 10 to 5).",
        "Either a) rye, or b) wheat won.",
        "mRNA levels of wheat rose.",
        "α-Pinene was in the oil of rye.",
        "3D printing helps farmers.",
        "16S rDNA was amplified.",
        "¹H and ¹³C-NMR spectra were recorded.",
        "E. coli grows in the mills.",
        "NASA and ESA measured the WHO's wheat.",
        "A. Smith asks two hundred farmers.",
        "“Wheat is dear,” said the miller.",
        "data in lower case are tokenized .",
    ],
)
def test_whole_sentences(text: str) -> None:
    assert Eligibility.of(text).is_whole


@pytest.mark.parametrize(
    "text",
    [
        "A heading",
        "and the wheat fell by a third.",
        "), which rose again in May.",
        "The harvest (see the report of the council was late.",
        "harvest was late) in most towns.",
        "As shown by Smith et al.",
        "12.3 45.6 ± 7.8 9.0 (10.1) 11.2 n.",
        "harvest was late in most of the towns.",
        "Balance Sheet A Balance Sheet is a summary of accounts.",
        "THE ENTIRE RISK AS TO THE QUALITY OF THE WHEAT IS WITH YOU.",
        "319 (71%) of the 450 farms were sown.",
        "0.2% chalk was used in most of the towns.",
        "30µl of broth was added to the wells.",
        "-Testing procedure The farms were divided into three groups.",
        "Citations.",
        "²Institute for Wheat, P.O. Box 27, Norwich.",
        "$ cd wheat-2.1 and the build begins.",
        "• wheat was late in most of the towns.",
        "► wheat was late in most of the towns.",
        "3) Farmers who do not own their fields.",
        "(ii) Farmers who do not own their fields.",
        "Will start in the mills of the town in May.",
        "*Taken from the list of the farmers of the town.",
        "G Farmer, S Miller, CA del Campo, S Baker, P Smith, R Weaver, KP Cook.",
        "2.5. Yields of wheat in the second year.",
        "IV. Yields of wheat in the second year.",
        "“Wheat is dear and will be in May.",
        'He called it "late wheat and left for the town.',
    ],
)
def test_fragments(text: str) -> None:
    assert not Eligibility.of(text).is_whole


@pytest.mark.parametrize(
    "text",
    [
        "Figure 2. Yield of wheat by farm.",
        "Table 3: Prices in the towns.",
        "(B) Yield in the second year.",
        "Table 1 shows the yields of all farms.",
        "Table [yields] reports the means of all farms.",
        "The yields of all farms are shown in Table 1.",
        "The yields of all farms are summarized in S1 Table.",
        "As shown in Fig. 3, prices rose.",
        "Figure 3c exhibits the yields of all farms.",
        "This section describes the farms.",
        "The paper is organized as follows.",
        "The remainder of this paper tells of prices.",
        "This work was supported by a grant from the National Science Foundation.",
        "The authors declare that they have no competing interests.",
        "We thank the farmers of the valley.",
        "A.B. conceived and designed the experiments.",
        "SummaryText informed consent was obtained from all farmers.",
        "The data are available from the corresponding author.",
        "By Jane Miller, Staff Writer.",
        "Reporting by Jane Miller in London.",
        "© 2020 The Authors.",
        "Displays the yields of all farms on the command line.",
        "Is sold in all towns of the valley.",
        "The manual stands under the GNU Free Documentation License.",
        "Added support for farms without a mill.",
        "How can I find the yields of one farm?",
        "This manual is free software; you can redistribute it.",
        "You should have received a copy of the licence with it.",
        "For more details on yields, see the file of the council.",
        "The checklist below was made for the farmers of the valley.",
    ],
)
def test_not_about_the_subject(text: str) -> None:
    assert not Eligibility.of(text).is_content


@pytest.mark.parametrize(
    "text",
    [
        "Yields fell by a third on the hills (Table 1; Additional file 2).",
        "By asking farmers, we learned what they sowed.",
        "The council supported the mills by lending seed.",
        "The table was laid for forty farmers.",
        "Figure skating is a sport of the winter.",
        "Data on yields are scarce in most of the towns.",
        "Displays of wheat were seen in all towns.",
        "May was dry in most of the towns.",
        "Under the terms of the treaty, the mills were sold.",
        "Returns on seed rose by a third in May.",
        "Can rye replace wheat in the valley?",
    ],
)
def test_about_the_subject(text: str) -> None:
    assert Eligibility.of(text).is_content


@pytest.mark.parametrize(
    "heading", ["Acknowledgements", "7. References", "Authors' contributions", "Funding"]
)
def test_sections_that_nobody_summarizes(heading: str) -> None:
    assert not Eligibility.of("The harvest was late.", Surroundings(heading=heading)).is_content
    assert Eligibility.of(
        "The harvest was late.", Surroundings(heading="Contentment of farmers")
    ).is_content


@pytest.mark.parametrize(
    "text",
    [
        "A previous study found that yields fell by 81.2%.",
        "Miller et al. asked two hundred farmers.",
        "Yields fell on the hills (Miller, 2010).",
        "Yields have been shown to fall on the hills [12, 13].",
    ],
)
def test_what_others_found(text: str) -> None:
    assert Eligibility.of(text).is_others


@pytest.mark.parametrize(
    "text",
    [
        "Our yields agree with previous studies.",
        "Yields fell by a third.",
        "This study was the first since 1990.",
    ],
)
def test_own_findings(text: str) -> None:
    assert not Eligibility.of(text).is_others


def test_a_sentence_whose_paragraph_goes_on_in_lower_case_is_not_whole() -> None:
    def is_whole(first: str, second: str, gap: int = 1) -> list[bool]:
        start = len(first) + gap
        sentences = (
            Sentence(first, start=0, end=len(first)),
            Sentence(second, start=start, end=start + len(second)),
        )
        return [one.is_whole for one in eligibility_of([Page("Wheat", "", "", sentences, 20)])[0]]

    assert is_whole("They were below capacity.", "demand would have to rise.") == [False, False]
    assert is_whole("They were below capacity.", "Demand would have to rise.") == [True, True]
    assert is_whole("They were below capacity.", "mRNA levels rose.") == [True, True]
    assert is_whole("They were below capacity.", "demand would have to rise.", gap=2) == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    "text", ["This is a proposal to merge the flags.", "This TEP introduces a shorter status."]
)
def test_a_proposal_that_says_what_it_proposes_stands_alone(text: str) -> None:
    assert Eligibility.of(text).needs_context == 0
    assert Eligibility.of(text.replace("This", "Then this")).needs_context > 0


def test_user_stories_are_not_content() -> None:
    assert not Eligibility.of(
        "As a cluster admin, I want to use rules that send alerts."
    ).is_content
    assert Eligibility.of(
        "As a result, administrators want to use rules that send alerts."
    ).is_content


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("A similar finding was observed for the other enzymes.", True),
        ("The second defect is shallower.", True),
        ("Both proposals start from one idea.", True),
        ("Farmers took the pair to the mill in May.", True),
        ("Bread is sold by the 34-year-old in the town.", True),
        ("Bread feeds the pair of oxen in the town.", False),
        ("Both the assay and the index revealed fewer pathogens.", False),
    ],
)
def test_what_is_similar_or_second_needs_the_first(text: str, points: bool) -> None:
    assert (Eligibility.of(text).needs_context > 0.5) is points


def test_a_sentence_of_an_abstract_may_begin_with_a_number() -> None:
    def is_whole(heading: str) -> bool:
        first = Sentence("The trial had two arms.", heading=heading, start=0, end=23)
        second = Sentence("97% of them took part.", heading=heading, start=24, end=46)
        return eligibility_of([Page("Wheat", "", "", (first, second), 20)])[0][1].is_whole

    assert is_whole("Abstract")
    assert not is_whole("Results")


def test_a_question_is_quoted_from_an_abstract_only() -> None:
    def is_content(heading: str) -> bool:
        question = Sentence("Should the order of the tokens be specified?", heading=heading)
        return eligibility_of([Page("Tokens", "", "", (question,), 20)])[0][0].is_content

    assert is_content("Abstract")
    assert not is_content("Introduction")


def test_a_name_in_lower_case_begins_a_sentence() -> None:
    def are_whole(count: int) -> set[bool]:
        sentences = tuple(
            Sentence(f"dot draws {number} graphs.", heading="Graphs") for number in range(count)
        )
        return {one.is_whole for one in eligibility_of([Page("dot", "", "", sentences, 20)])[0]}

    assert are_whole(4) == {True}
    assert are_whole(3) == {False}


def test_an_item_is_whole_with_its_lead_in() -> None:
    lead_in = Sentence("A person may not:", role="lead-in")
    item = Sentence("drive a bus on the lawn; or", label="(a)", front="(a)", lead_in=lead_in)
    nested = Sentence(
        "by day,",
        label="(1)",
        front="(1)",
        lead_in=Sentence("ring a bell:", role="lead-in", lead_in=lead_in),
    )
    assert completed(item) == "A person may not: drive a bus on the lawn."
    assert completed(nested) == "A person may not: ring a bell: by day."
    first, second = eligibility_of([Page("Lawns", "", "", (lead_in, item), 20)])[0]
    assert (first.is_quotable, second.is_quotable) == (False, True)
    assert second.is_whole
    stub = replace(item, text="[Repealed].")
    assert not eligibility_of([Page("Lawns", "", "", (lead_in, stub), 20)])[0][1].is_whole
    assert second.words == 10


def test_citations_belong_to_the_sentence_before_them() -> None:
    texts = {
        "The claim fails.": "",
        "See A v. B, 1 U.S. 2.": "citation",
        "Id., at 3.": "citation",
        "It ends here.": "",
    }
    sentences, start = [], 0
    for text, role in texts.items():
        sentences.append(
            Sentence(text, heading="Opinion", start=start, end=start + len(text), role=role)
        )
        start += len(text) + 1
    rules = eligibility_of([Page("Opinion", "", "", tuple(sentences), 20)])[0]
    assert [one.is_quotable for one in rules] == [True, False, False, True]
    assert [one.citation_words for one in rules][::3] == [10, 0]
    assert rules[3].follows


def examined(*texts: str, lead_in: str = "") -> list[Eligibility]:
    """The sentences of a page, in a paragraph each, or as items of a list."""
    before = Sentence(lead_in, (), "", 0, len(lead_in)) if lead_in else None
    place, sentences = 100, []
    for text in texts:
        sentences.append(Sentence(text, (), "", place, place + len(text), lead_in=before))
        place += len(text) + 2
    page = Page("1", "farm.txt", "", tuple(sentences), 100)
    return list(eligibility_of((page,))[0])


def test_a_name_in_the_third_sentence_before_is_seen_and_no_further() -> None:
    named, other = "The old mill of Rome burned.", "Rye was sown by hand in May."
    near = examined(named, other, other, "The mill was rebuilt.")[-1].needs_context
    far = examined(named, other, other, other, "The mill was rebuilt.")[-1].needs_context
    assert near < far


def test_an_item_of_few_words_is_not_whole() -> None:
    short, long = examined("sow rye.", "sow rye early.", lead_in="A farmer must:")
    assert (short.is_whole, long.is_whole) == (False, True)


def test_a_sentence_inside_of_a_quotation_continues_the_one_before_it() -> None:
    def continue_others(gap: int) -> list[bool]:
        texts = ["“Look at the mill.", "Wheat is dear,” he said.", "Rye is cheap."]
        sentences, place = [], 0
        for text in texts:
            sentences.append(Sentence(text, (), "", place, place + len(text)))
            place += len(text) + gap
        rules = eligibility_of([Page("1", "farm.txt", "", tuple(sentences), 100)])[0]
        return [one.continues for one in rules]

    assert continue_others(1) == [False, True, False]
    assert continue_others(2) == [False, False, False]


@pytest.mark.parametrize(
    "text",
    [
        "I pledge allegiance to the flag of the land and to those who live in it.",
        "Whereas the mill has ground corn for a hundred years in our town.",
        "And we prayed this in the name of the Lord Jesus.",
        "Motion carries and the ordinance is approved.",
        "Chair votes yes and there are four affirmative votes so the reappointment is approved.",
    ],
)
def test_ceremonies_and_bare_votes_of_a_recording_are_no_quotes(text: str) -> None:
    spoken = Sentence(text, start=0, end=len(text), time=2.0)
    for one, quotable in ((spoken, False), (replace(spoken, time=None), True)):
        page = Page("Council", "", "", (one,), 20)
        assert eligibility_of([page])[0][0].is_quotable is quotable


def test_questions_of_an_interview_without_marks_are_not_quoted() -> None:
    answer = "and i believe that the mill was sold by the council for far too little money in may"
    texts = ["what do you think about the sale of the old mill by the council", *[answer] * 10]
    sentences = tuple(Sentence(text) for text in texts)
    (examined,) = eligibility_of([Page("Mill", "", "", sentences, 20)])
    assert [one.is_quotable for one in examined] == [False, *[True] * 10]
    assert all(one.is_whole for one in examined[1:])
