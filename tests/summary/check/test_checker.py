"""Verdicts on claims: what stands in a document, what was changed, and what only resembles it."""

import random
import time
from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Citation, Claim
from pagesum_cli.summary.check.report import hidden_text

SENTENCES = (
    "The network has 280M nodes and was trained for three days on 16 GPUs.",
    "The drug reduced pain in patients [12, 13] (Smith et al., 2010), "
    "but it did not change mortality.",
    "Prices rose in June because the harvest failed in the north.",
    "Rats ate the mice in the barn near Boston in 1990.",
    "Participants may improve their implementation of long-term “memory” when they sleep – at "
    "least 5 ﬁnd so.",
    "Smith and Jones found 2.5 million people who were more likely to buy.",
    "The council supported the mills by lending seed.",
    "About 10⁶ cells per mL were kept at 37 °C and 15 000 were counted.",
)


def document(*texts, name="a.pdf", left_out=()):
    paragraphs = tuple(Paragraph(text, ((0, number),)) for number, text in enumerate(texts, 1))
    return Document(
        name, (Section("1 Intro", paragraphs),), left_out=left_out, page_labels=("i", "ii", "1")
    )


@pytest.fixture(scope="module")
def checker():
    return Checker.of(
        [
            document(
                *SENTENCES, left_out=(LeftOut("caption", "Figure 1: Rye in the snow.", 6, (9,)),)
            )
        ]
    )


@pytest.mark.parametrize("sentence", SENTENCES)
def test_the_sentences_themselves_are_verbatim(checker, sentence):
    checked = checker.check(Claim(sentence))
    assert (checked.verdict, checked.score, checked.differences) == ("verbatim", 1, ())
    assert checked.sources[0].sentence.text == sentence


@pytest.mark.parametrize(
    "text",
    [
        "the network has 280M nodes and\nwas trained for three days on 16 GPUs",
        "Participants may improve their implemen-\ntation of long-\nterm “memory” when they sleep "
        "- at least 5 find so.",
        "participants may improve their implemen\ufffetation of long-term 'memory' when they "
        "sleep, at least 5 find so.",
        "About 10⁶ cells per mL were kept at 37 ◦C and 15 000 were counted.",
    ],
)
def test_copies_are_verbatim(checker, text):
    assert checker.check(Claim(text.replace(", at", " — at"))).verdict == "verbatim"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The network has 980M nodes and was trained for three days on 16 GPUs.", "number"),
        ("The network has 280K nodes and was trained for three days on 16 GPUs.", "unit"),
        ("The network has 280M nodes and was trained for three weeks on 16 GPUs.", "unit"),
        ("The drug reduced pain in patients, but it did change mortality.", "negation"),
        ("Prices fell in June because the harvest failed in the north.", "opposite"),
        ("Prices rose in July because the harvest failed in the north.", "date"),
        ("The mice ate the rats in the barn near Boston in 1990.", "order"),
        ("Rats ate the mice in the barn near London in 1990.", "name"),
        ("Rats ate the mice in the barn near Boston in 1991.", "date"),
        ("Smith and Jones found 2.5 people who were more likely to buy.", "unit"),
        ("Smith and Jones found 2.5 million people who were less likely to buy.", "comparison"),
        ("Jones found 2.5 million people who were more likely to buy.", "name"),
        ("Participants improve their implementation of "
            "long-term “memory” when they sleep.", "modality"),
        ("Not all prices rose in June because the harvest failed in the north.", "negation"),
    ],
)  # fmt: skip
def test_a_changed_fact_differs(checker, text, kind):
    checked = checker.check(Claim(text))
    assert checked.verdict == "differs"
    assert kind in {one.kind for one in checked.differences}
    assert not checked.is_supported
    assert checked.fails()
    for one in checked.differences:
        assert text[slice(*one.span)] == one.claim


def test_words_that_compare_alike_are_no_other_comparison():
    section = Section("", (Paragraph("Nitrogen had the highest absolute effect of all."),))
    checker = Checker.of([Document("a.txt", (section,))])
    for word, verdict in {"largest": "paraphrase", "lowest": "differs"}.items():
        claim = Claim(f"Nitrogen had the {word} absolute effect of all.")
        assert checker.check(claim).verdict == verdict


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("The drug reduced pain in patients, but it did not change mortality.", {"citation"}),
        ("Prices rose in June.", {"omission"}),
        ("Rats ate the mice near Boston in 1990.", {"omission"}),
        ("In 1990 rats ate the mice in the barn near Boston.", {"moved"}),
        ("The council supported the mills [the council] by lending seed.", {"insertion"}),
        ("The network has 280M nodes and was trained for 3 days on 16 GPUs.", {"form"}),
    ],
)
def test_omissions_and_insertions_are_shown(checker, text, kinds):
    checked = checker.check(Claim(text))
    assert (checked.verdict, {one.kind for one in checked.differences}) == ("edited", kinds)
    assert checked.is_supported


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        ("Noise associated with maintenance is permitted between 7 a.m. and 8 p.m. on weekdays.",
         "Aircraft noise is permitted between 7 a.m. and 8 p.m. on weekdays.", "paraphrase"),
        ("Noise associated with maintenance is permitted between 7 a.m. and 8 p.m. on weekdays.",
         "Maintenance noise is permitted between 7 a.m. and 8 p.m. on weekdays.", "edited"),
        ("Noise associated with maintenance is permitted between 7 a.m. and 8 p.m. on weekdays.",
         "Noise is permitted between 7 a.m. and 8 p.m. on weekdays.", "paraphrase"),
        ("Members who have paid the fee of the year may vote at the meeting in May.",
         "Members may vote at the meeting in May.", "paraphrase"),
        ("Members, who have paid the fee, may vote at the meeting in May.",
         "Members may vote at the meeting in May.", "edited"),
        ("The members may vote at the meeting in May.",
         "The retired members may vote at the meeting in May.", "paraphrase"),
        ("The council lent the farmers of the valley seed for the spring.",
         "The council secretly lent the farmers of the valley seed for the spring.", "paraphrase"),
        ("The council lent farmers of the valley seed for the spring.",
         "The council lent the farmers of the valley the seed for the spring.", "edited"),
        ("In the hot summer of last year, the mills were closed for a month.",
         "The mills were closed for a month.", "edited"),
        ("The rye that the council bought, and the oats, were lost on the way to town.",
         "The rye that the council bought were lost on the way to town.", "edited"),
    ],
)  # fmt: skip
def test_an_edited_quote_adds_no_words_and_has_the_same_subject(text, claim, verdict):
    checked = Checker.of([document(text)]).check(Claim(claim))
    assert checked.verdict == verdict, checked.differences


def test_an_insertion_in_brackets_that_the_document_does_not_support_is_checked_like_any_other(
    checker,
):
    assert (
        checker.check(Claim("The council [of 12 men] supported the mills by lending seed.")).verdict
        == "differs"
    )


def test_a_quotation_may_be_a_part_of_a_sentence_and_a_sentence_may_not(checker):
    assert (
        checker.check(Claim("the harvest failed in the north", is_part=True)).verdict == "verbatim"
    )
    assert checker.check(Claim("The harvest failed in the north.")).verdict == "edited"


def test_other_words_are_not_proven_and_nothing_is_not_found(checker):
    paraphrase = checker.check(
        Claim("Because the northern harvest failed, prices were up in June.")
    )
    assert paraphrase.verdict == "paraphrase"
    assert paraphrase.fails(strict=True)
    assert not paraphrase.fails()
    wrong = checker.check(
        Claim("Because the northern harvest failed, prices were up by 12 percent in June.")
    )
    assert (wrong.is_supported, wrong.score < paraphrase.score) == (False, True)
    for text in ("Astronauts landed on Mars.", "Урожай погиб на севере.", "收穫は失敗した。", "!"):
        checked = checker.check(Claim(text))
        assert (checked.verdict, checked.sources) == ("not found", ())


@pytest.mark.parametrize("lost", ["\ue103", "\ufffd"])
def test_a_lost_ligature(lost):
    text = "The scientists confirmed the first findings in an office."
    found = Checker.of([document(text)]).check(
        Claim(text.replace("con" + "fi", f"con{lost}").replace("ffi", lost))
    )
    assert (found.verdict, found.score) == ("verbatim", 1)


def test_a_claim_that_goes_over_several_sentences(checker):
    checked = checker.check(Claim(f"{SENTENCES[2]} {SENTENCES[3]}"))
    assert (checked.verdict, checked.sources[0].sentence.pdf_pages) == ("verbatim", (3, 4))


def test_text_that_a_file_does_not_show_proves_nothing():
    hidden = LeftOut("hidden", "The total award is one dollar.", 6)
    others = ("clipped text", "outside the page", "struck out")
    for piece in (hidden, *(replace(hidden, reason=reason) for reason in others)):
        checked = Checker.of([document(*SENTENCES, left_out=(piece,))]).check(
            Claim("The total award is one dollar.")
        )
        assert checked.verdict == "not found"


def test_text_that_was_left_out_is_searched(checker):
    checked = checker.check(Claim("Figure 1: Rye in the snow."))
    assert (
        checked.verdict,
        checked.sources[0].sentence.heading,
        checked.sources[0].sentence.start,
    ) == (
        "verbatim",
        "caption",
        -1,
    )


def test_quotations_are_checked_instead_of_the_sentence_around_them(checker):
    short = Claim("He says: “the council supported the mills by lending seed”.")
    assert [(one.verdict, one.claim.is_part) for one in checker.checked([short])] == [
        ("verbatim", True)
    ]
    long = Claim(
        "He says, in his long and much admired second letter to the queen, "
        "“supported the mills” only."
    )
    assert [one.verdict for one in checker.checked([long])] == ["not found", "verbatim"]


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        ("The report says: {}", ["verbatim"]),
        ("As the authors note, {}.", ["verbatim"]),
        ("In its own words: {}", ["verbatim"]),
        ("The report denies that {}.", ["differs", "verbatim"]),
        ("It is false that {}.", ["differs", "verbatim"]),
        ("{}, the king said.", ["paraphrase", "verbatim"]),
        ("According to the doctor, {}.", ["paraphrase", "verbatim"]),
        ("In 1999, {} was untrue.", ["differs", "verbatim"]),
    ],
)
def test_what_is_said_of_a_quotation_is_checked_unless_it_is_only_that_it_stands_there(
    checker, frame, expected
):
    claim = Claim(frame.format(f"“{SENTENCES[6]}”"))
    assert [one.verdict for one in checker.checked([claim])] == expected


def test_a_paraphrase_of_what_stands_elsewhere_is_not_found_where_it_is_cited(checker):
    text = "Because the northern harvest failed, prices were up in June."
    there, elsewhere = (Claim(text, citation=Citation("[p. n]", (page,))) for page in ("3", "2"))
    assert checker.check(there).verdict == "paraphrase"
    assert checker.check(elsewhere).verdict == "not found"


@pytest.mark.parametrize(
    ("citation", "expected"),
    [
        (Citation("[p. 3]", ("3",)), True),
        (Citation("[p. 1]", ("1",)), True),  # printed
        (Citation("[PDF 1]", ("1",), is_pdf=True), False),
        (Citation("[p. 2]", ("2",)), False),
        (Citation("[a.pdf]", file="a.pdf"), True),
        (Citation("[1 Intro]", section="1 Intro"), True),
        (Citation("[2 Data]", section="2 Data"), False),
    ],
)
def test_citations(checker, citation, expected):
    checked = checker.check(Claim(SENTENCES[2], citation=citation))
    assert (checked.verdict, checked.is_cited_right) == ("verbatim", expected)
    assert checked.fails() is not expected


def test_a_sentence_that_stands_twice_is_cited_right_at_both_places():
    twice = Checker.of(
        [document(SENTENCES[2], SENTENCES[3], SENTENCES[2]), document("Else.", name="b.pdf")]
    )
    for page in ("1", "3"):
        assert twice.check(Claim(SENTENCES[2], citation=Citation("", (page,), True))).is_cited_right


@pytest.mark.parametrize("words", ["the the", "a b", "[ (", '" “', "5 - ", "not 1 may", "x" * 500])
def test_hostile_texts_take_linear_time(words):
    chance = random.Random(1)
    text = f"{words} " * (100_000 // len(words))
    checker = Checker.of([document(text, *(f"{words} {chance.random()}" for _ in range(500)))])
    checker.check(Claim("a b"))  # imports what is imported late
    began = time.process_time()
    checker.check(Claim(text[:2000]))
    assert time.process_time() - began < 5  # a tenth of it is usual


def test_a_text_without_stops_is_compared_in_pieces():
    text = " ".join(f"word{number}" for number in range(10_000))
    found = Checker.of([document(text)]).check(
        Claim(" ".join(text.split()[4000:4020]), is_part=True)
    )
    source = found.sources[0].sentence
    assert (found.verdict, len(source.text)) == ("verbatim", 10_000)
    assert f"1 Intro\n\n{text}"[source.start : source.end] == source.text


def test_lines_of_plain_text_are_cited_right() -> None:
    section = Section("", (Paragraph("Wheat was late. The mills stood still."),))
    checker = Checker.of([Document("a.txt", (section,), line_starts=(0, 16))])
    for line, expected in (("2", True), ("1", False)):
        claim = Claim("The mills stood still.", citation=Citation("", (f"line {line}",)))
        assert checker.check(claim).is_cited_right is expected


def test_lines_of_source_in_several_files_are_cited_right() -> None:
    section = Section("", (Paragraph("Wheat was late. The mills stood still."),))
    lines = ((0, "a.tex", 1), (16, "b.tex", 9))
    checker = Checker.of([Document("a.tex", (section,), source_lines=lines)])
    for file, line, expected in (
        ("b.tex", "9", True),
        ("b.tex", "1", False),
        ("c.tex", "9", False),
    ):
        claim = Claim(
            "The mills stood still.", citation=Citation("", (f"line {line}",), False, file)
        )
        assert checker.check(claim).is_cited_right is expected


def test_what_must_stand_in_a_document(checker: Checker) -> None:
    text = "A failed harvest in the north of the country made prices rise in {}."
    assert checker.check(Claim(text.format(1990))).verdict == "paraphrase"
    assert checker.check(Claim(text.format(1991))).verdict == "differs"
    said = Claim("He wrote to her: “a failed harvest made prices rise then”.")
    assert [one.verdict for one in checker.checked([said]) if one.claim.is_quotation] == [
        "not found"
    ]


def test_numbers_of_sentences_are_cited_right() -> None:
    section = Section(
        "Mills",
        tuple(Paragraph(f"Wheat was late in the year {year}.") for year in range(1900, 1920)),
    )
    checker = Checker.of([Document("a.txt", (section,))])
    for number, expected in (("3", True), ("4", False), ("2", False)):
        claim = Claim(
            "Wheat was late in the year 1902.", citation=Citation("", (f"sentence {number}",))
        )
        assert checker.check(claim).is_cited_right is expected


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The board met in October 2015.", "verbatim"),
        ("The board met in Oct. 2015.", "edited"),
        ("The board met in Oct of 2015.", "edited"),
        ("The board met in Nov. 2015.", "differs"),
        ("The board met in Oct. 2016.", "differs"),
        ("It rained from Jan. to March.", "verbatim"),
        ("It rained from January to Mar.", "edited"),
        ("It rained from Feb. to March.", "differs"),
        ("Jan sold the mill in Sept. 1990.", "edited"),
        ("January sold the mill in September 1990.", "differs"),
    ],
)
def test_months_are_the_same_in_short_and_in_full(claim, verdict):
    texts = (
        "The board met in October 2015.",
        "It rained from Jan. to March.",
        "Jan sold the mill in September 1990.",
    )
    assert Checker.of([document(*texts)]).check(Claim(claim)).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The mill closes at 3 p.m. on Sundays.", "verbatim"),
        ("The mill closes at 3 pm on Sundays.", "edited"),
        ("The mill closes at 15:00 on Sundays.", "edited"),
        ("The mill closes at 3:00 PM on Sundays.", "edited"),
        ("The mill closes at 3 a.m. on Sundays.", "differs"),
        ("The mill closes at 15:30 on Sundays.", "differs"),
        ("It opens at 9:00.", "edited"),
        ("It opens at 21:00.", "differs"),
    ],
)
def test_times_of_day_are_the_same_with_12_and_24_hours(claim, verdict):
    texts = ("The mill closes at 3 p.m. on Sundays.", "It opens at 9 a.m.")
    assert Checker.of([document(*texts)]).check(Claim(claim)).verdict == verdict


def test_hidden_words_that_prove_nothing_are_counted() -> None:
    for count, words in ((1, "1 word in the file is"), (2, "2 words in the file are")):
        outside = LeftOut("outside the page", "owls", count)
        document = Document("a.pdf", (), left_out=(outside,))
        assert hidden_text([document]) == [f"a.pdf: {words} not shown on its pages: no proof"]


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        # the words in front of it say that it may not be so
        (
            "The key is to resolve whether the pact governs the water statutes of the state.",
            "The pact governs the water statutes of the state.",
        ),
        (
            "Lee, an owner, advised the clerk that he believed the shop was exempt from the tax.",
            "The shop was exempt from the tax.",
        ),
        # the subject of its verb is left out
        (
            "If, in the opinion of the officer, a danger exists on the land, the owner shall "
            "drain the area of the water.",
            "The officer shall drain the area of the water.",
        ),
        # the head of the subject is left out
        (
            "On Friday, John Smith, a clerk who works with the mill of Ely, sued the county.",
            "The mill of Ely sued the county.",
        ),
        ("A spokesman for the mayor denied it on Tuesday.", "The mayor denied it on Tuesday."),
        (
            "The brother of Jane Reed was fined $500 for littering in the park.",
            "Jane Reed was fined $500 for littering in the park.",
        ),
        (
            "Lawyers for Acme Mills admitted that the river had been polluted since 2012.",
            "Acme Mills admitted that the river had been polluted since 2012.",
        ),
        # words from other places of the sentence
        (
            "Not later than two years after the release of this plan, the board shall review the "
            "trial and may allow the trial program to expire.",
            "The trial program expires two years after the release.",
        ),
    ],
)
def test_a_part_that_says_something_else_is_no_edited_quote(sentence, claim):
    assert Checker.of([document(sentence)]).check(Claim(claim)).verdict in ("paraphrase", "differs")


def test_what_is_left_out_between_a_subject_and_its_verb_may_be_a_phrase():
    sentence = "The owner of the shop, a baker, shall drain the area of the water."
    checked = Checker.of([document(sentence)]).check(
        Claim("The owner of the shop shall drain the area of the water.")
    )
    assert checked.verdict == "edited"


@pytest.mark.parametrize(
    ("sentence", "claim", "is_wrong"),
    [
        (
            "The anode exhibits a high specific surface of ~1714.83 m² g⁻¹ and a big volume.",
            "The anode has a specific surface area of about 1715 m² g⁻¹.",
            False,
        ),
        (
            "Our models had high power (the coefficient R² was between 0.76 and 0.93).",
            "The models explained between 76% and 93% of the variance.",
            False,
        ),
        (
            "The period shall not be less than 72 hours after service of the notice.",
            "The period is at least 72 hours after service of the notice.",
            False,
        ),
        (
            "The period shall not be less than 72 hours after service of the notice.",
            "The period is at least 48 hours after service of the notice.",
            True,
        ),
        (
            "The board expects all offices to satisfy the requirements of the plan without "
            "exception.",
            "The offices must satisfy the requirements of the plan.",
            False,
        ),
    ],
)
def test_the_same_value_in_another_form(sentence, claim, is_wrong):
    result = Checker.of([document(sentence)]).check(Claim(claim))
    assert (result.verdict == "differs") is is_wrong
