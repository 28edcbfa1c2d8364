"""The ballots of a meeting: each is one vote, with what was voted on."""

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.shapes.ballots import Ballots
from pagesum_cli.shapes.meeting import Meeting, outcomes_in


def section(heading: str, *texts: str, level: int = 2) -> Section:
    return Section(heading, tuple(map(Paragraph, texts)), level, "outline")


CONSENT = (
    section(
        "Consent agenda",
        "Director Berg made the motion to approve items A and B on the consent agenda.",
        "Director Dahl seconded the motion.",
        "The motion passed with 3 in favor (Berg, Dahl, Ek). Director Falk was absent.",
        "Chair Ek declared the motion PASSED unanimously.",
    ),
    section(
        "A. Stones",
        "It is recommended by the mill committee that the board buy two stones for $225. "
        "The stones will be paid from the fund for the mill.",
        level=3,
    ),
)
SALE = section(
    "Sale of the mill",
    "The finance committee recommends that the board sell the old mill for $7,000.",
    "Director Berg made the motion to approve the sale of the mill.",
    "Director Dahl seconded the motion.",
    "Director Ek asked how old the mill was.",
    "The motion passed with 2 in favor (Berg, Dahl) and 1 opposed (Ek). Director Falk was absent.",
    "Chair Ek declared the motion PASSED.",
)


def ballots(*sections: Section) -> Ballots:
    document = Document("board.md", sections, "Board meeting")
    sentences = all_sentences(document)
    return Ballots(sentences, outcomes_in(sentences), Meeting(document).topic)


def quoted(found: Ballots) -> list[list[str]]:
    return [[found.sentences[number].text for number in one] for one in found.items]


def recorded(found: Ballots) -> list[tuple[str, str]]:
    return [(one.kind, found.sentences[number].text) for number, one in found.outcomes.items()]


def test_a_vote_has_what_was_recommended_and_who_was_against() -> None:
    assert quoted(ballots(*CONSENT, SALE)) == [
        [
            "Director Berg made the motion to approve items A and B on the consent agenda.",
            "Director Dahl seconded the motion.",
            "The motion passed with 3 in favor (Berg, Dahl, Ek).",
        ],
        [
            "The finance committee recommends that the board sell the old mill for $7,000.",
            "The motion passed with 2 in favor (Berg, Dahl) and 1 opposed (Ek).",
        ],
    ]


def test_each_vote_counts_once_and_what_is_recommended_under_consent_is_decided() -> None:
    assert recorded(ballots(*CONSENT, SALE)) == [
        ("vote", "The motion passed with 3 in favor (Berg, Dahl, Ek)."),
        (
            "decision",
            "It is recommended by the mill committee that the board buy two stones for $225.",
        ),
        ("vote", "The motion passed with 2 in favor (Berg, Dahl) and 1 opposed (Ek)."),
    ]


def test_a_recommendation_on_another_matter_is_not_what_was_voted_on() -> None:
    other = section(
        "The bridge",
        "The finance committee recommends that the board mend the road for $90.",
        *(one.text for one in SALE.paragraphs[1:]),
    )
    assert quoted(ballots(SALE, other))[1][0].startswith("Director Berg made the motion")


def test_a_motion_without_a_result_is_no_ballot() -> None:
    bare = section("The bridge", "Director Berg made the motion to approve the bridge.")
    assert not ballots(bare, section("The mill", "The mill is old.")).items


def test_who_did_not_vote_with_the_others_is_part_of_the_vote() -> None:
    for dissent in ("Director Ek abstained.", "Dahl and Ek voted against, as it is too dear."):
        motion = "Director Berg moved to sell the mill."
        before = section("The mill", f"{motion} Director Dahl seconded. {dissent} Motion passed.")
        after = section("The mill", f"{motion} It passed 3-0. {dissent}")
        assert quoted(ballots(before)) == [
            [motion, "Director Dahl seconded.", dissent, "Motion passed."]
        ]
        assert quoted(ballots(after)) == [[motion, "It passed 3-0.", dissent]]


def test_a_motion_and_who_seconds_it_are_one_vote() -> None:
    moved = "Director Berg moved that the plan of the mill be read."
    found = ballots(section("The mill", f"{moved} The motion was seconded by Director Dahl."))
    assert [number for number in found.outcomes if number not in _parts(found)] == [2]


def _parts(found: Ballots) -> set[int]:
    return {n for n, one in enumerate(found.sentences) if one.start in found.beginnings}


def test_a_decision_has_the_wording_that_it_announces() -> None:
    announced = "The council agreed to add the following item to section II."
    wording = "“d. No boat is longer than the mill. No boat is red.”"
    (dock,) = quoted(ballots(section("Docks", announced, wording, "Dahl left.")))
    assert " ".join(dock) == f"{announced} {wording}"


def test_a_decision_without_the_wording_that_it_announces_is_left_out() -> None:
    announced = "The council agreed to add the following item to section II:"
    bare = "The council approved the sale of the mill on the following day."
    docks = section("Docks", announced, "Anna Berg said that boats are red.", bare)
    assert recorded(ballots(docks)) == [("decision", bare)]


def test_readings_before_the_vote_on_a_law_are_procedure() -> None:
    readings = [
        f"Councilor Berg moved that Ordinance #91-2017 be read for the {number} reading, title "
        "only. The motion was seconded by Councilor Dahl."
        for number in ("first", "second")
    ]
    vote = "Councilor Berg moved to adopt Ordinance 91-2017. Seconded by Councilor Dahl. Passed 5-0"
    found = ballots(section("Docks", *readings, vote))
    texts = [found.sentences[number].text for number in found.without_procedure]
    assert texts == ["Passed 5-0"]
    alone = ballots(section("Docks", *readings))
    assert len(alone.without_procedure) == 2 * len(readings)


def test_the_result_of_another_motion_is_not_that_of_a_motion() -> None:
    tabled = "Anna Berg makes a motion to table the plan of the mill."
    second, roll = "Carl Dahl seconds the motion.", "Voice vote Anna aye, Carl aye, Eva nay."
    other = "Motion is approved for Fay to take lessons."
    assert quoted(ballots(section("Mill", f"{tabled} {second} {roll}", other))) == [
        [tabled, second, roll]
    ]
    assert quoted(ballots(section("Mill", f"{tabled} {second}", other))) == []


def test_a_motion_with_its_result_ends_the_one_before() -> None:
    tabled = "Anna Berg makes a motion to table the plan of the mill."
    other = "Carl Dahl makes a motion to pay for bread, Anna Berg seconds, Anna aye, Carl aye."
    assert quoted(ballots(section("Mill", tabled, other, "Motion approved."))) == []


def test_a_vote_has_who_voted_how_and_its_result() -> None:
    moved = "Anna Berg makes a motion to sell the mill, Carl Dahl seconds it."
    roll, result = "Voice vote Anna Berg aye, Carl Dahl aye.", "Motion approved."
    found = ballots(section("Mill", f"{moved} {roll} {result}"))
    assert quoted(found) == [[moved, roll, result]]
    assert [kind for kind, _ in recorded(found)] == ["vote"]


def test_who_seconds_a_motion_may_say_more() -> None:
    moved = "Anna Berg makes a motion to buy the mill."
    second = "Carl Dahl seconds the motion to buy it and will paint it."
    roll = "Vote Anna aye, Carl aye."
    assert quoted(ballots(section("Mill", f"{moved} {second} {roll}"))) == [[moved, second, roll]]


def beside(*texts: str) -> list[list[str]]:
    return quoted(ballots(section("The mill", *texts)))


def test_a_motion_comes_with_how_much_it_costs() -> None:
    motion = "Anna Berg makes a motion to approve the cost to mend the wheel."
    result = "Carl Dahl seconds the motion. Motion carried."
    cost = "The cost is $925 to take it down and mend the wheel."
    quote = "Anna Berg has a quote from the smith to mend the wheel."
    whole = [quote, cost, motion, "Carl Dahl seconds the motion.", "Motion carried."]
    assert beside(f"{quote} {cost} {motion} {result}") == [whole]
    total = ["Carl Dahl asks for three lessons in milling.", "Total cost $75."]
    motion = "Anna Berg makes a motion to approve the lessons."
    assert beside(f"{' '.join(total)} {motion} {result}") == [[*total, motion, *whole[3:]]]
    alone = "Motion to buy the stones made by Anna Berg, seconded by Carl Dahl, carried."
    price = "The mason sells two stones for $400."
    assert beside(f"{price} {alone}") == [[price, alone]]


def test_a_sum_that_may_be_of_something_else_does_not_come_with_a_motion() -> None:
    motion = "Anna Berg makes a motion to buy the stones."
    result = "Carl Dahl seconds the motion. Motion carried."
    bare = [motion, "Carl Dahl seconds the motion.", "Motion carried."]
    others = (
        "The bridge was painted for $400.",
        "Stones cost from $250 to $400.",
        "The stones of the north cost $250, and those of the south $400.",
    )
    for other in others:
        assert beside(f"{other} {motion} {result}") == [bare]
    price = "The mason sells two stones for $400."
    assert beside(price, f"{motion} {result}") == [bare]
    dear = "Anna Berg makes a motion to buy the stones for $350."
    assert beside(f"{price} {dear} {result}") == [[dear, *bare[1:]]]


def test_a_motion_comes_with_its_conditions() -> None:
    motion = "Anna Berg makes a motion to open the mill in May."
    terms = "All visitors are required to wear hats."
    wish = "It could be warm."
    asked = "Carl Dahl said that he must go."
    result = "Carl Dahl seconds the motion. Motion carried."
    assert beside(f"{motion} {terms} {wish} {result}") == [
        [motion, terms, "Carl Dahl seconds the motion.", "Motion carried."]
    ]
    assert beside(f"{motion} {asked} {result}") == [[motion, "Motion carried."]]


def test_a_motion_its_count_and_its_result_are_one_vote() -> None:
    motion = "Cllr Berg proposed a second wheel, seconded by Cllr Dahl."
    for count, result in (
        ("4 Votes For, 2 Abstentions.", "Carried."),
        ("2 votes for, 3 against, 1 abstention.", "Refused"),
    ):
        assert beside(f"{motion} {count} {result}") == [[motion, count, result]]


def test_a_proposal_that_no_rule_knows_comes_with_who_seconds_it() -> None:
    whole = [
        "Cllr Berg proposed the following changes be made to the wheel - paint it blue.",
        "Seconded by Cllr Dahl.",
        "2 Votes for 2 Votes against, the Chairman had the deciding vote.",
        "Proposal rejected, the wheel remains as it is.",
    ]
    assert beside(" ".join(whole)) == [whole]


def test_the_result_of_another_motion_is_no_further_result() -> None:
    first = ["Anna Berg made a motion to sell the mill.", "Motion carried."]
    other = "Motion to paint the bridge rejected, 1 to 4."
    assert beside(" ".join([*first, other])) == [first]


def test_other_votes_in_a_row_are_runs_of_their_own() -> None:
    first = ["Anna Berg makes a motion to approve the resolution, Carl Dahl seconds.", "All aye."]
    second = ["Carl Dahl makes a motion to buy a wheel, Anna Berg seconds, all aye.", "Carried."]
    found = ballots(section("The mill", " ".join([*first, *second])))
    for run in [*found.items, *found.runs]:
        texts = [found.sentences[number].text for number in run]
        assert set(texts) <= set(first) or set(texts) <= set(second)


def consent_to(motion: str, result: str, *items: Section) -> Ballots:
    return ballots(section("Consent agenda", motion, result), *items)


def lease(label: str) -> Section:
    text = (
        "It is recommended by the mill committee that the board lease the barn. "
        "This lease is for calendar year 2019 and is for an amount not to exceed $4,500. "
        "The committee met in May."
    )
    return section(f"{label}. The barn", text, level=3)


def test_a_recommendation_has_its_amount_and_the_vote_that_decided_it() -> None:
    found = consent_to(
        "Director Berg made the motion to approve items C through E on the consent agenda.",
        "The motion passed with 3 in favor (Berg, Dahl, Ek) and 0 against.",
        lease("D"),
    )
    assert quoted(found)[1] == [
        "It is recommended by the mill committee that the board lease the barn.",
        "This lease is for calendar year 2019 and is for an amount not to exceed $4,500.",
    ]
    assert [str(one) for one in found.outcomes.values()] == ["vote", "decision: consent vote 3-0"]


def test_a_vote_on_other_items_or_one_that_failed_decides_no_recommendation() -> None:
    passed = "The motion passed with 3 in favor (Berg, Dahl, Ek) and 0 against."
    failed = "The motion failed with 1 in favor (Berg) and 2 against (Dahl, Ek)."
    motion = "Director Berg made the motion to approve items C through E on the consent agenda."
    for label, result in (("G", passed), ("D", failed)):
        found = consent_to(motion, result, lease(label))
        assert [one.kind for one in found.outcomes.values()] == ["vote"]


def test_a_motion_named_like_its_heading_is_quoted_as_what_is_recommended() -> None:
    item = section(
        "J. Vanpool Cost Share",
        "It is recommended that the board enter into an agreement with the owners of vans. "
        "This agreement shall be in an amount not to exceed $780.",
        "Director Berg made the motion to approve the Vanpool Cost Share.",
        "Director Dahl seconded the motion.",
        "The motion failed with 1 in favor (Berg) and 2 against (Dahl, Ek).",
    )
    assert quoted(ballots(item)) == [
        [
            "It is recommended that the board enter into an agreement with the owners of vans.",
            "This agreement shall be in an amount not to exceed $780.",
            "The motion failed with 1 in favor (Berg) and 2 against (Dahl, Ek).",
        ]
    ]


def test_a_motion_to_put_off_what_is_recommended_is_quoted_too() -> None:
    item = section(
        "The mill",
        "It is recommended that the board sell the mill for $7,000.",
        "Director Berg made the motion to postpone the sale of the mill.",
        "Director Dahl seconded the motion.",
        "The motion passed with 2 in favor (Berg, Dahl) and 1 against (Ek).",
    )
    assert (
        "Director Berg made the motion to postpone the sale of the mill."
        in (quoted(ballots(item))[0])
    )


QUOTED = section(
    "Payment of bills",
    "The treasurer had read the list.",
    "Proposed – Cllr Berg Seconded – Cllr Dahl",
    "‘That the bills of the mill are paid’",
    "For - 3 Abstention – 1",
)
AGREED = section(
    "Fence",
    "It was agreed that Mr Falk should be asked to mend the fence of the mill.",
    "Proposed – Cllr Ek Seconded – Cllr Dahl",
    "'That new posts are bought for the fence'",
    "All in favour",
)


def test_a_motion_in_quotation_marks_is_between_who_moves_it_and_how_the_vote_went() -> None:
    found = ballots(QUOTED, AGREED)
    runs = [[found.sentences[number].text for number in run] for run in found.runs]
    assert runs == [
        [one.text for one in QUOTED.paragraphs[1:]],
        [one.text for one in AGREED.paragraphs[1:]],
    ]
