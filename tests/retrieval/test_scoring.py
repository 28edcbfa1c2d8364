"""Passages that answer a question come first."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.retrieval.find import find, relevance
from pagesum_cli.retrieval.passages import passages_of
from pagesum_cli.retrieval.questions import Question
from pagesum_cli.retrieval.store import Entry, Store

SENTENCES = [
    "The harvest was late.",
    "Prices of wheat rose in most towns.",
    "The council met twice.",
    "It lent seed to forty farms.",
    "The mills held their prices.",
    "Snow fell.",
    "Nobody knew why.",
    "They waited.",
    "The winter was long.",
]


def best(question: str, sentences: list[str]) -> str:
    shares, _ = relevance(question, [("", one) for one in sentences])
    return sentences[shares.index(max(shares))]


def test_words_of_the_question_in_any_form_count() -> None:
    shares, covered = relevance("price of wheat", [("", one) for one in SENTENCES])
    assert shares.index(1.0) == 1
    assert covered == 1
    assert shares[4] > shares[8]


def test_rare_words_count_more() -> None:
    filler = ["x y z"] * 3
    farms = ["The farm was sold.", *filler, "The farm was old.", *filler]
    assert best("mill farm", [*farms, "The mill was sold.", *filler]) == "The mill was sold."


def test_a_sentence_with_most_words_is_before_one_that_repeats_a_rare_one() -> None:
    sentences = [
        "Ergot, ergot and more ergot was seen on the northern edge of the wheat.",
        "Rust is the most common threat to the wheat of these towns, and ergot is seldom one.",
        *(f"The {name} of the wheat was late." for name in ("harvest", "sale", "price", "seed")),
        *(f"A common {name} is no threat." for name in ("owl", "fox", "crow")),
    ]
    assert best("Is ergot the most common threat to wheat?", sentences) == sentences[1]


def test_a_word_of_every_heading_is_still_rare() -> None:
    others = [f"The {name} was late." for name in ("harvest", "sale", "winter", "mill")]
    answer = "Wheat has common threats, of which rust is the worst."
    texts = [answer, *others, "Common owls hunt.", *others]
    shares, _ = relevance(
        "Which common threats has wheat?", [("Threats to wheat", t) for t in texts]
    )
    assert shares[0] > 0.8


def test_words_of_the_heading_count() -> None:
    sentences = [("Fees", "They are due in May."), ("", "Owls hunt."), ("", "x"), ("", "y")]
    shares, _ = relevance("fees", sentences)
    assert shares[0] == 1


def test_words_that_are_similar_in_meaning_count() -> None:
    sentences = ["A defendant may appeal.", "Owls hunt at night.", "Snow fell.", "They waited."]
    shares, covered = relevance("accused", [("", one) for one in sentences])
    assert shares[0] == 1
    assert covered == 0


@pytest.mark.parametrize("question", ["?", "zzyzx"])
def test_no_word_that_occurs(question: str) -> None:
    shares, covered = relevance(question, [("", one) for one in SENTENCES])
    assert not any(shares)
    assert covered == 0
    assert relevance(question, []) == ([], 0.0)


def test_a_question_of_which_one_word_occurs_is_covered_in_part() -> None:
    _, covered = relevance("wheat zzyzx qqq", [("", one) for one in SENTENCES])
    assert 0 < covered < 0.4


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("eugenol content", "The oil had eugenol (34.7 %) and thymol."),
        ("How much eugenol was there?", "The oil had eugenol (34.7 %) and thymol."),
        ("Why was eugenol left out?", "We left out eugenol because it burns."),
        ("Who found eugenol?", "It was Anna Berg who found eugenol in cloves."),
    ],
)
def test_what_a_question_asks_for_counts(question: str, answer: str) -> None:
    filler = ["They waited.", "Snow fell."]
    sentences = ["Eugenol is an oil of cloves.", *filler, "We thank the farms.", *filler, answer]
    assert best(question, [*sentences, *filler]) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What cost $1.2 million?", "The bridge was built for 1,200,000 dollars."),
        ("What happened on 2024-03-14?", "She wrote on March 14, 2024."),
        ("What happened on 14 March 2024?", "She wrote on March 14."),
        ("Who took 12?", "They took twelve of them."),
        ("Who took 100?", "They took a hundred of them."),
        ("Who took 40?", "They took forty-nine of them."),
        ("Who took 0.5?", "They took ½ of it."),
        ("What is at 5,900 feet?", "It grows up to 5900 ft."),
        ("Where is 0.5 used?", "A share of .5 is meant."),
    ],
)
def test_a_number_of_the_question_is_found_in_any_notation(question: str, answer: str) -> None:
    sentences = [
        "It took 2 of 14 days in 2024.",
        "They waited.",
        "Snow fell.",
        "Owls hunt.",
        answer,
    ]
    assert best(question, sentences) == answer


@pytest.mark.parametrize("digits", ["9" * 5000, "100 " * 2000, "0." + "9" * 5000])
def test_thousands_of_digits_in_a_row_are_no_error(digits: str) -> None:
    assert best("owls", ["Snow fell.", f"Owls {digits}."]) == f"Owls {digits}."


def test_every_passage_that_may_answer_is_counted() -> None:
    store = Store()
    store.add("", [('{"name": ""}', [Entry(f"Owl {number} hunts.", "") for number in range(2500)])])
    found = find("owl", store, [""], 0)
    assert found.number == 2500


def test_of_repeated_sentences_of_a_document_one_is_counted() -> None:
    store = Store()
    entries = [Entry("Owls hunt.", ""), Entry("Snow fell.", ""), Entry("owls hunt", "")]
    store.add("", [('{"name": ""}', entries), ('{"name": ""}', entries[:1])])
    assert find("owls", store, [""], 0).number == 3  # one is beside a match


def test_a_deadline_is_a_time_by_which_something_must_be_done() -> None:
    past = "On May 1, 2017, the council set the deadline for reports."
    duty = "Every agency must send its reports within 30 days of this order."
    filler = ["They waited.", "Snow fell.", "Owls hunt."]
    for question in ("By when must reports be sent?", "What is the deadline for reports?"):
        assert best(question, [past, *filler, duty, *filler]) == duty


def test_a_time_limit_above_sentences_belongs_to_them() -> None:
    lines = ["Within 30 days of this order:", "OMB will send a plan.", "It will say how."]
    section = Section("Plan", [Paragraph(one) for one in (*lines, "Other actions:", "Owls hunt.")])
    passages = {one.text: one.opening for one in passages_of(Document("a", (section,)))}
    assert passages == {lines[1]: f"{lines[0]} ", lines[2]: f"{lines[0]} ", "Owls hunt.": ""}
    (under,) = passages_of(Document("a", (Section("By June 1", [Paragraph("Send a plan.")]),)))
    assert under.opening == "By June 1: "


def test_an_announcement_belongs_to_what_it_announces() -> None:
    lines = ["The study has two limitations.", "Only ten farms took part.", "They are small."]
    section = Section("Discussion", [Paragraph(" ".join(lines))])
    passages = {one.text: one.opening for one in passages_of(Document("a", (section,)))}
    assert passages == {lines[1]: f"{lines[0]} ", lines[2]: ""}


def test_amounts_come_first_where_it_is_asked_what_was_spent() -> None:
    filler = ["They waited.", "Snow fell.", "Owls hunt."]
    bought = "It was agreed that the parish council buys a bin for £400.03 this summer."
    sentences = ["The parish council met the parish council.", *filler, bought, *filler]
    assert best("What did the parish council spend?", sentences) == bought


FILLER = ["They waited.", "Snow fell.", "Owls hunt at night.", "The mills were busy."]


@pytest.mark.parametrize(
    ("question", "distractors", "answer"),
    [
        (
            "How did the council vote on the bridge?",
            ["The bridge is old and the council will not vote on paint of the bridge today."],
            "Bridge: proposed by Lee, five were in favour and one abstained.",
        ),
        (
            "Can the company close my account without notice?",
            ["We notify you by a notice to the account.", "An account has a notice board."],
            "The company may close accounts at any time for any reason.",
        ),
        (
            "Which statistical test was used?",
            ["The difference was of statistical significance.", "A statistical error occurred."],
            "Groups were compared by the Mann-Whitney test.",
        ),
        (
            "What further research is needed?",
            ["Research needs money.", "Much research is about needed goods."],
            "Future studies should examine the roots.",
        ),
        (
            "What does the office recommend?",
            ["The office makes recommendations and audits.", "The office is open."],
            "We recommend that the office train its staff.",
        ),
        (
            "What does the office recommend?",
            ["The office funds the “highly recommended” mills that are near the office."],
            "In its report of that winter, the office recommended that all stones be counted.",
        ),
        (
            "What did Berg say about the sale?",
            ["The sale of the Berg house was a sale of oil.", "Berg had a sale."],
            "“The sale was illegal,” Berg told reporters.",
        ),
        (
            "How often is the tank cleaned?",
            ["The tank is cleaned with a tank brush.", "A tank is cleaned by hand."],
            "The tank is cleaned every month.",
        ),
        (
            "Who may call a special meeting?",
            ["Special meetings may be held in a special place.", "A special meeting may end."],
            "A special meeting is called by the chair or by any five members.",
        ),
        (
            "What happens if a member leaves?",
            ["Each May a member leaves for a summer by the sea."],
            "If a member leaves early, the deposit is kept by the club.",
        ),
        (
            "How old was the driver?",
            ["The driver was slow in 2019.", "The driver had 3 cars."],
            "The driver, Ada Lee, 44, was unhurt and said that the bridge had been icy.",
        ),
        (
            "What is a quiet hour?",
            ["A loud bell ends the quiet hour of the old house by the river each day."],
            "A quiet hour means the time between ten in the evening and six in the morning.",
        ),
        (
            "What is the penalty for closing a mill without a permit?",
            ["If a mill is closed without a permit, the mill is looked at by a permit officer."],
            "Closing a mill is an offense punishable by fine not to exceed $50.",
        ),
        (
            "Which limitations do the authors name?",
            ["The upper limit of age was a limit of 65 years.", "It may limit the risk."],
            "An additional limitation was that no review of images was done.",
        ),
        (
            "What are the limitations?",
            ["However, the use of the mill has been limited by frost.", "Few limits are known."],
            "Whether this can be extrapolated to other mills remains to be seen.",
        ),
        (
            "What must a miller not do?",
            ["A miller must do what a miller is asked to do.", "The miller must grind."],
            "The miller must not: Sell wet hay.",
        ),
        (
            "How many people died?",
            ["One of the dead died there.", "On April 20, 7 people felt it, and no people died."],
            "The flood killed at least 24 millers.",
        ),
        (
            "How many mules per group?",
            ["The 200 mg/kg group of mules was fed.", "Four mules were in a cage per mill."],
            "Nine groups, each group comprising six old mules, were formed.",
        ),
        (
            "How many people were injured?",
            ["Five people died.", "People hurt by the flood were few."],
            "Ten people died and 40 others were injured.",
        ),
        (
            "How much was lent to the mill?",
            ["LENT to the mill for seed."],
            "The council approved the motion of Ada Lee that $40 be lent to the mill in May.",
        ),
        (
            "What is the primary endpoint?",
            ["It is positive for the primary endpoint if the primary endpoint is high."],
            "The primary endpoint of this study is the rate of response after two years.",
        ),
        (
            "What is the oil content?",
            ["Oil content is a sign of health in most of the old seeds."],
            "Average oil content: 36 %.",
        ),
        (
            "What temperature was reached in the mill?",
            ["The mill gave 20% of its output in 3 years.", "It cost the mill $5."],
            "It was 40 °C in the mill.",
        ),
        ("How tall is the mill?", ["The mill is 5 years old."], "The mill rises 20 metres."),
        ("How fast is the mill?", ["The mill is 20 metres wide."], "The mill turns at 5 km/h."),
        (
            "How large is the sample of millers?",
            ["The sample cost $500.", "A sample is 9% of all millers."],
            "The sample has 122 millers.",
        ),
        (
            "How many dues-paying millers are there?",
            ["Millers are paying dues of $5."],
            "There are 40 dues-paying millers.",
        ),
        (
            "How does the weir affect the mill?",
            ["The weir and the mill may be seen by the public.", "The mill has a weir of oak."],
            "By holding water, the weir reduces the speed of the mill.",
        ),
        (
            "What is the relationship between the weir and the mill?",
            ["The weir and the mill are of oak."],
            "The flow at the weir is weakly correlated with the output of the mill.",
        ),
        (
            "What caused the flood at the mill?",
            ["The flood at the mill was seen by Lee."],
            "A burst weir led to the flood at the mill.",
        ),
        (
            "Who owns the mill?",
            ["The mill owns a wheel that Lee Page saw."],
            "The mill is known to all, and Ada Marx owns it.",
        ),
    ],
)
def test_a_sentence_of_the_kind_that_is_needed_is_first(
    question: str, distractors: list[str], answer: str
) -> None:
    sentences = [*FILLER, *distractors, *FILLER, answer, *FILLER]
    assert best(question, sentences) == answer


def test_a_vote_without_its_subject_counts_beside_it() -> None:
    vote = "Motion carried: Lee aye, Page aye, Marx no."
    motion = "Lee moved to buy the bridge."
    sentences = [*FILLER, "The bridge is old.", *FILLER, motion, vote, *FILLER, "The vote ended."]
    shares, _ = relevance("How did they vote on the bridge?", [("", one) for one in sentences])
    assert shares[sentences.index(vote)] > shares[sentences.index("The bridge is old.")]


def test_notice_in_a_question_of_permission_is_no_length_of_time() -> None:
    question = "Can they close my account without notice?"
    assert not Question.of(question).asks_for_numbers
    assert Question.of("What notice must be given?").asks_for_numbers


def test_an_activity_is_neither_what_it_is_named_after_nor_what_else_the_question_names() -> None:
    sentences = [
        *(f"The {name} was late." for name in ("harvest", "sale", "winter", "mill")),
        "Fish, and more fish, affect the rivers of the hills.",
        *("x y z",) * 4,
        "Fisheries have changed the rivers.",
        *("x y z",) * 4,
        "Snow affects the rivers of the hills.",
    ]
    shares, _ = relevance("How does fishing affect the rivers?", [("", one) for one in sentences])
    ranked = sorted(sentences, key=lambda one: -shares[sentences.index(one)])
    assert ranked[0] == "Fisheries have changed the rivers."
    assert shares[-1] < 0.7


def test_an_adjective_in_ing_is_no_activity() -> None:
    adjective = Question.of("What is the effect of invading owls?").concepts
    assert not any(one.activity for one in adjective)
    assert any(one.activity for one in Question.of("What is the effect of mowing?").concepts)


@pytest.mark.parametrize(
    "unsure",
    [
        "I suspect that no single event was the cause of the fire in the mill.",
        "The cause of the fire in the mill is still under investigation because it is hard to see.",
        "It is unknown why the fire in the mill began.",
    ],
)
def test_a_sentence_that_does_not_know_the_cause_is_after_one_that_does(unsure: str) -> None:
    answer = "A fire in the mill of the town began late on a Sunday because hay was wet."
    filler = ["x y z"] * 4
    assert best("What caused the fire in the mill?", [unsure, *filler, answer, *filler]) == answer


def test_a_cause_may_be_of_what_is_unknown() -> None:
    kinds = Question.of("What caused the illness?").kinds
    assert kinds[0].grade("The cause of the unknown illness was lead.", ()) == 1


def test_what_a_court_decided_is_the_outcome() -> None:
    sentences = [
        "The appeal court sat at noon.",
        "The mill had burned.",
        "The owner decided to lodge an appeal with the court.",
        "Wheat was dear.",
        "For these reasons the appeal is dismissed with costs.",
        "Snow fell.",
    ]
    assert best("What did the Court of Appeal decide?", sentences) == sentences[4]


def test_a_time_of_day_with_minutes_is_a_deadline() -> None:
    sentences = [
        "The town shall hold a hearing on an application within 30 days.",
        "Snow fell.",
        "The form has all formats and deadlines.",
        "Wheat was dear.",
        "Applications must be submitted by 11:59 PM on May 3, 2021.",
        "The mill was old.",
    ]
    assert best("What is the deadline for applications?", sentences) == sentences[4]
