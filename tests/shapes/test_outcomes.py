"""What the sentences of minutes record: each rule has its example and not its counter-example."""

from time import perf_counter

import pytest

from pagesum_cli.shapes.outcomes import Rule, outcome, outcome_of, rules
from pagesum_cli.shapes.owners import owner_beside
from pagesum_cli.summary.summary import Outcome

NAMES = frozenset(["Anna", "Berg", "Dahl"])


def test_a_vote_after_a_long_table_counts() -> None:
    table = "Payee Net Total " + "Stones of the mill 66.18 0.00 66.18 " * 12
    vote = "Anna Berg proposed payments for approval, seconded by Dahl, six were in favour."
    assert outcome_of(f"{table}{vote}") == Outcome("vote")
    assert (
        outcome_of(f"{table}Anna Berg owns them all, with the stones that lie by the mill.") is None
    )


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_each_rule_fits_its_example_and_no_rule_its_counter_example(rule: Rule) -> None:
    found = outcome_of(rule.example, names=NAMES)
    assert rule.match(rule.example, is_speech=False)
    assert found is not None
    assert found.kind == rule.kind
    assert outcome_of(rule.counter, names=NAMES) is None


@pytest.mark.parametrize(
    ("text", "kind", "who", "due"),
    [
        ("ACTION 58.3 Anna Berg to order stones by 4 June", "action", "Anna Berg", "by 4 June"),
        ("Anna and Carl Dahl will ask him next week.", "action", "Anna and Carl Dahl", "next week"),
        ("The mill is old, Dahl will look at it", "action", "Dahl", ""),
        ("Dahl will look at the mill (minute 84/20) by 3/12.", "action", "Dahl", "by 3/12"),
        ("The secretary will write to all today.", "action", "The secretary", "today"),
        (
            "City Clerk/ Recorder Anna Berg will order it",
            "action",
            "City Clerk/ Recorder Anna Berg",
            "",
        ),
        ("The board denied a permit for a lot where a mill would be.", "decision", "", ""),
        ("RESOLVED, that the mill is kept", "decision", "", ""),
        ("IT WAS AGREED that the mill is kept", "decision", "", ""),
        ("The board unanimously authorized the sale.", "decision", "", ""),
        ("Vote: 5-0", "vote", "", ""),
        ("Action #1: Anna Berg to order stones", "action", "Anna Berg", ""),
        ("Roll Call, Ayes: Berg, Dahl.", "vote", "", ""),
        ("Berg Moved, Dahl Seconded, that the mill be sold.", "vote", "", ""),
        ("Ayes: Berg, Dahl. Nays: none.", "vote", "", ""),
        ("The motion carried with five votes in favor and one vote opposed.", "vote", "", ""),
        ("Moved by Berg, seconded by Dahl", "vote", "", ""),
        ("Mrs Berg motioned that the council sell the mill.", "vote", "", ""),
        ("Mr Dahl second the motion.", "vote", "", ""),
        ("5 votes, that is, unanimous.", "vote", "", ""),
        ("The Board endorses the sale of the mill.", "decision", "", ""),
        ("The Board did not approve the sale of the mill.", "decision", "", ""),
        ("Close The next regularly scheduled council meeting is set for 4 June.", "date", "", ""),
        ("Action-TC-12 Order two stones for the mill", "action", "", ""),
        ("Next meeting: Tuesday, 9 March", "date", "", ""),
        ("Action DH: look at the stones by 4 June", "action", "DH", "by 4 June"),
        ("Motion to name Berg as mayor made by Dahl, 2nd by Lee", "vote", "", ""),
        ("Voting yes, Berg and Dahl.", "vote", "", ""),
        ("Berg asked for a loan, and it was resolved that it be declined.", "decision", "", ""),
        ("Election of the mayor Anna Berg elected by acclamation.", "decision", "", ""),
        ("All accept.", "decision", "", ""),
        ("The accounts were presented and accepted for payment.", "decision", "", ""),
        ("It was moved and seconded that the mill be kept.", "vote", "", ""),
        ("The mill is old; members to look at it.", "action", "members", ""),
        ("Additionally Dahl will order stones.", "action", "Dahl", ""),
        ("Dahl has an action to order stones.", "action", "Dahl", ""),
        ("The mill is shut, and with this in mind the rules will be revised.", "action", "", ""),
        ("The board picked Sunday, 15 September.", "decision", "", ""),
        ("We approve the following expenses:", "decision", "", ""),
        ("The bread fair postponed until May.", "decision", "", ""),
        ("The minutes of 3 May were signed as a true record.", "decision", "", ""),
        ("There were no objections.", "decision", "", ""),
        ("Councillors received and approved the accounts.", "decision", "", ""),
        ("All in agreement.", "vote", "", ""),
        ("Anna Berg: YES", "vote", "", ""),
        ("Vote on awarding the founders three loaves.", "vote", "", ""),
        ("Proposed by Mr Dahl and seconded by Mrs Berg that it be sold.", "vote", "", ""),
        (
            "The chairman asked the clerk to investigate by 4 June.",
            "action",
            "the clerk",
            "by 4 June",
        ),
        ("We will raise this in the next meeting.", "action", "", "in the next meeting"),
        ("She will provide two stones.", "action", "", ""),
        ("A report will be sent to the owners.", "action", "", ""),
        ("Stones to be listed at the next meeting.", "action", "", "at the next meeting"),
        ("Anna Berg takes over the accounts.", "action", "Anna Berg", ""),
        ("(with Anna, not Carl) ACTION Anna, scan it", "action", "", ""),
        ("A bread fair meeting is set for 4 June", "date", "", ""),
    ],
)
def test_what_is_recorded_by_whom_and_until_when(text: str, kind: str, who: str, due: str) -> None:
    found = outcome_of(text)
    assert found is not None
    assert (found.kind, found.who, found.due) == (kind, who, due)


@pytest.mark.parametrize(
    "text",
    [
        "Reasons to build bridges",
        "Working to learn more about bread",
        "The mill will be old by then.",
        "Will the mill be sold?",
        "Should we decide?",
        "Decision: is this the right mill?",
        "If the board approved it, the mill would close.",
        "The council discussed the mill.",
        "Dahl: Agreed.",
        "BREAD will contain salt",
        "Plan to move to seven ovens, if the rules pass:",
        "The mill is ready to be opened.",
        "If the mill is old, a letter will be sent.",
        "The clerk carried out a 50% survey of the bridge.",
        "Berg: yes",
        "Barn to dwelling.",
        "We will have results by Friday.",
    ],
)
def test_plans_questions_and_talk_record_nothing(text: str) -> None:
    assert outcome_of(text) is None


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("He will order two stones.", ""),
        ("TODO: order two stones", ""),
        ("ACTION: order two stones (Dahl)", "Dahl"),
        ("ACTION: order two stones (again)", ""),
        ("ACTION: order two stones, owner: @berg, by 4 June", "@berg"),
        ("The mill is for the council and director, Dahl will look at it", "Dahl"),
        ("Council Member Amero will order two stones.", "Council Member Amero"),
        ("Everyone to read the accounts", "Everyone"),
        ("The Board will look at the mill.", "The Board"),
    ],
)
def test_an_owner_is_a_name_a_role_or_a_body(text: str, who: str) -> None:
    found = outcome_of(text, names=NAMES)
    assert found is not None
    assert (found.kind, found.who) == ("action", who)


@pytest.mark.parametrize(
    "text", ["Difficult to mend the mill", "Consent to agenda", "Aim to sell the mill"]
)
def test_a_word_with_a_capital_is_no_name(text: str) -> None:
    assert outcome_of(text) is None


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Anna Berg: mend the mill", "Anna Berg"),
        ("Anna Berg & Carl Dahl: mend the mill", "Anna Berg & Carl Dahl"),
        ("(AB) mends the mill", "AB"),
        ("Mend the mill – Dahl", "Dahl"),
        ("Difficult: mend the mill", ""),
        ("Mend the mill (see the plan)", ""),
    ],
)
def test_the_owner_beside_a_task(text: str, who: str) -> None:
    assert owner_beside(text, NAMES | {"AB"}) == who


def test_of_what_is_said_only_labels_and_results_are_recorded() -> None:
    assert outcome_of("Anna Berg will order two stones.", is_speech=True) is None
    assert outcome_of("Resolution: two stones are ordered.", is_speech=True) is not None


@pytest.mark.parametrize("text", ["Anna, " * 400, "the " * 400, "A-" * 600, "vote 5 " * 200])
def test_time_grows_with_the_length(text: str) -> None:
    began = perf_counter()
    outcome_of(text)
    assert perf_counter() - began < 2  # milliseconds; quadratic patterns take minutes


@pytest.mark.parametrize(
    "text",
    [
        "The chair asked everyone to stand and join him in the Pledge of Allegiance.",
        "The chair reminded the audience to approach the lectern.",
        "The manager stated that the mill continued to look for millers.",
        "Members may ask that items leave the unanimous consent agenda.",
        "Member Berg stated he would share a summary of the events on the horizon.",
    ],
)
def test_how_one_meets_and_what_goes_on_is_no_outcome(text: str) -> None:
    assert outcome_of(text) is None


@pytest.mark.parametrize(
    "text",
    ["That comes out of this committee, five to zero.", "So that passes, 5 to zero."],
)
def test_the_result_of_a_vote_that_is_said_aloud(text: str) -> None:
    found = outcome_of(text, is_speech=True)
    assert found is not None
    assert found.kind == "vote"


@pytest.mark.parametrize("text", ["The bus passes five to seven times.", "The mill was continued."])
def test_numbers_that_are_no_result(text: str) -> None:
    assert outcome_of(text) is None


def test_an_item_is_continued_to_another_meeting() -> None:
    found = outcome_of("The sale continued to the next meeting.")
    assert found is not None
    assert found.kind == "decision"


def test_a_bare_month_is_no_date_of_a_task() -> None:
    assert outcome_of("Jan will order two stones for Anna Berg.") == Outcome("action", "Jan")
    assert outcome_of("Jan will order two stones in May.") == Outcome("action", "Jan", "in May")


@pytest.mark.parametrize(
    "text",
    [
        "Anna Berg reports there is nothing to be fixed at the mill.",
        "Anna Berg requested the addition of May 2020 to the accounts of the mill.",
    ],
)
def test_reports_and_changes_of_minutes_are_no_tasks(text: str) -> None:
    assert outcome_of(text) is None


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("Item 8, Minutes dated 12 June: the clerk will write", ""),
        ("Item 8 Minutes 12 June: the clerk will write by 4 July", "by 4 July"),
        ("The clerk will answer the letter of 12 June", ""),
        ("Send the minutes by 4 July", "by 4 July"),
        ("Send the report on 4 July", "on 4 July"),
    ],
)
def test_the_date_of_another_document_is_no_deadline(text: str, due: str) -> None:
    assert outcome("action", text).due == due


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("The Chairman asked the Clerk to investigate by 4 July.", "the Clerk"),
        ("The Clerk to investigate by 4 July.", "The Clerk"),
    ],
)
def test_a_task_is_of_the_one_who_gets_it(text: str, who: str) -> None:
    found = outcome_of(text)
    assert found is not None
    assert found.who == who
