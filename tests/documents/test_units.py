"""Units of paragraphs: labels, lists, citations, speakers, headings, quotations (``units.jsonl``).

A case is the paragraphs of a section and the sentences that they have; ``is_negative`` where
something looks like such a unit and is none. Cases of ``split`` "held-out" are from other documents
than those of "tuned", by which the rules were made. ``units_sources.json`` has title and licence of
each source.
"""

import json
from pathlib import Path

import pytest
from tiny import assert_linear

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.documents.sentences import given_sentences, sentences_of
from pagesum_cli.documents.units import with_units

FOLDER = Path(__file__).parent
CASES = [
    json.loads(line) for line in (FOLDER / "units.jsonl").read_text(encoding="utf-8").splitlines()
]


def units_of(paragraphs: list[str]) -> list[dict[str, str]]:
    (section,) = with_units([Section("", tuple(map(Paragraph, paragraphs)))])
    units = []
    for one in sentences_of(section):
        lead_in = one.lead_in.text if one.lead_in else ""
        label = "" if one.role == "label" else one.label
        stated = {
            "front": one.front,
            "label": label,
            "speaker": one.speaker,
            "role": one.role,
            "lead_in": lead_in,
        }
        units.append({"text": one.text} | {name: value for name, value in stated.items() if value})
    return units


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{case['source']}")
def test_units(case: dict) -> None:
    assert units_of(case["paragraphs"]) == case["units"]


def test_there_are_enough_cases_and_a_third_of_them_are_negative() -> None:
    negatives = sum(case["is_negative"] for case in CASES)
    assert len(CASES) >= 200
    assert 3 * negatives >= len(CASES)


def test_the_sources_are_named_with_their_licences() -> None:
    sources = json.loads((FOLDER / "units_sources.json").read_text(encoding="utf-8"))
    assert {case["source"] for case in CASES} == set(sources)
    assert all(one["title"] and one["licence"] for one in sources.values())


def test_sentences_stand_where_their_offsets_say() -> None:
    for case in CASES:
        document = Document(
            "a", tuple(with_units([Section("", tuple(map(Paragraph, case["paragraphs"])))]))
        )
        for one in sentences_of(document.sections[0]):
            assert document.text[one.start : one.end] == one.text


def test_what_a_reader_knows_stays() -> None:
    known = (
        Paragraph("(a) The Mayor shall:", label="1.", depth=2),
        Paragraph("MR. BATES: It is so.", speaker="Bates"),
        Paragraph("(a) x = 1", block="code"),
        Paragraph("(b) It rained.", is_sentence=True),
    )
    (section,) = with_units([Section("", known)])
    assert section.paragraphs == known


def test_sentences_of_a_data_set_stay_exact() -> None:
    turns = [
        "MS. LEE: Was it so?",
        "MR. BATES: It was.",
        "(a) Was it?",
        "MS. LEE: Thank you.",
        "Yes",
    ]
    (document,) = record_of({"text": turns}).documents
    assert [text for text, _ in given_sentences(document)] == turns
    assert [one.text for one in sentences_of(document.sections[0])] == turns


def test_a_transcript_of_a_data_set_has_speakers() -> None:
    turns = ["Anna : It rains . It pours .", "Tom : It does .", "Anna : Still ?", "Tom : Still ."]
    (document,) = record_of({"Transcript": [turn.replace(" :", ":") for turn in turns]}).documents
    sentences = sentences_of(document.sections[0])
    assert [one.speaker for one in sentences] == ["Anna", "Anna", "Tom", "Anna", "Tom"]
    assert sentences[0].text == "It rains ."


def test_a_heading_without_text_is_no_obstacle_in_a_conversation() -> None:
    turns = [Paragraph(f"{name}: They eat mice.") for name in ("Anna Lee", "Tom Ray") * 3]
    sections = with_units([Section("Owls", ()), Section("Food", tuple(turns))])
    assert [one.speaker for one in sentences_of(sections[1])] == ["Anna Lee", "Tom Ray"] * 3


def test_lines_of_plain_text_are_turns() -> None:
    text = (
        "MR. BATES: It was short.\nI rang.\nMS. LEE: Whom?\nMR. BATES: The helpline,\nof course.\n"
    )
    sentences = sentences_of(plain_document(text, "a").sections[0])
    assert [(one.speaker, one.text) for one in sentences] == [
        ("MR. BATES", "It was short."),
        ("MR. BATES", "I rang."),
        ("MS. LEE", "Whom?"),
        ("MR. BATES", "The helpline, of course."),
    ]


MANY = {
    "labels": lambda n: [f"({number}) It holds." for number in range(n)],
    "labels alone": lambda n: ["(a)"] * n,
    "lists": lambda n: [f"({'ab1'[number % 3]}) It holds:" for number in range(n)],
    "resumed": lambda n: [text for one in range(n // 2) for text in (f"({one}) It.", "Text.")],
    "inside": lambda n: ["".join(f"({number}) It holds. " for number in range(n))],
    "brackets": lambda n: ["(" * n + ")" * n, *["(((["] * n],
    "initials": lambda n: ["12 " + "A. " * n + "1 §", *["12 " + "A B. " * 200] * (n // 100)],
    "capitals": lambda n: ["A" * n, "A." * n, "A" + "-b" * n, "A " + "& B" * n],
    "quotations": lambda n: ["“A. B” " * n, '"A." ' * n, "“" * n],
    "names": lambda n: [f"N{chr(97 + number % 26)}x: It is so." for number in range(n)],
    "items": lambda n: ["The list is:", *["Item one"] * n],
    "citations": lambda n: ["It holds. " + "Id., at 5. " * n],
    "spaces": lambda n: ["A:" + " " * n + "x", "Q. " * n, "." * n + "”" * n],
}


@pytest.mark.parametrize("name", MANY)
def test_units_take_linear_time(name: str) -> None:
    assert_linear(lambda size: units_of(MANY[name](size)), 2000)


def test_the_letter_of_an_item_in_running_text_stands_before_the_item() -> None:
    text = "The following mills are exempt: a. Windmills are. b. Tide mills on the brook are."
    texts = [one["text"] for one in units_of([text])]
    assert texts == [
        "The following mills are exempt: a. Windmills are.",
        "b. Tide mills on the brook are.",
    ]


def test_labels_of_telephone_numbers_are_no_speakers() -> None:
    lines = ["Office: 714-555-8408", "Cell: 714-555-2718", "Farrah Berg", "Office: 714-555-8405"]
    (section,) = with_units([Section("", tuple(map(Paragraph, [*lines, "Cell: f.berg@x.org"])))])
    assert not any(one.speaker for one in section.paragraphs)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "Notwithstanding Section 3.1. of this by-law, a cat is exempt. It needs no licence.",
            [
                "Notwithstanding Section 3.1. of this by-law, a cat is exempt.",
                "It needs no licence.",
            ],
        ),
        ("It is settled in Section 3.1. The cat is exempt.", 2),
        ("We comply with the EU-U.S. Data Privacy Framework today.", 1),
        ("Lee spoke with her Asst. Chief Olsen at the mill.", 1),
        ("The chair is their voice, a.k.a. the Coordinator of the mill.", 1),
        (
            "The permit was issued in error; or b. The applicant has left the town.",
            ["The permit was issued in error; or", "b. The applicant has left the town."],
        ),
    ],
)
def test_a_sentence_goes_on_after_a_reference_and_before_no_letter(
    text: str, sentences: list[str] | int
) -> None:
    made = [one["text"] for one in units_of([text])]
    assert (made if isinstance(sentences, list) else len(made)) == sentences


def test_the_letter_of_an_item_alone_is_no_sentence() -> None:
    text = "Run the tool daily, or ii. Apply a workaround by importing a file (https://a.org/x/y)."
    assert all(len(one["text"].split()) > 1 for one in units_of([text]))


def test_a_note_on_an_amendment_of_two_sentences_is_no_sentence() -> None:
    note = "(Ord. 2024-38. Passed 8-12-24.)"
    text = "Each owner shall register the mill with the town."
    assert [(one["text"], one.get("role")) for one in units_of([f"{text} {note}"])] == [
        (text, None),
        (note, "label"),
    ]
