"""Files with and without a common subject."""

from dataclasses import replace

from shape_texts import OPINION_TEXTS, document_of

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.files import (
    SHARED_BESIDES,
    WORDS_OF_KIND,
    are_of_kinds,
    are_unrelated,
    options_of_files,
)
from pagesum_cli.shapes.minutes import name_of
from pagesum_cli.shapes.names import main_names
from pagesum_cli.shapes.subjects import cosine_of

SUBJECTS = [
    "The orchestra rehearsed a symphony; "
    "the conductor praised violins and oboes before the concert.",
    "Enzymes digest proteins; the stomach secretes hydrochloric acid and pepsin for digestion.",
    "The parliament debated tariffs; ministers amended the customs bill after the ballot.",
    "Glaciers carve valleys; moraines and fjords remain where the ice retreated.",
]


def documents(texts: list[str]) -> list[Document]:
    return [
        Document(f"{n}.txt", (Section("", (Paragraph(text),)),)) for n, text in enumerate(texts)
    ]


def test_files_about_different_things_are_unrelated() -> None:
    assert are_unrelated(documents(SUBJECTS))
    assert not are_unrelated(documents(SUBJECTS[:3]))  # few files have one summary


def test_files_about_the_same_are_related() -> None:
    assert not are_unrelated(
        documents([f"{SUBJECTS[0]} Review number {n} of the symphony." for n in range(5)])
    )


def test_a_length_is_shared_out() -> None:
    several = documents([SUBJECTS[0], SUBJECTS[1] * 9, SUBJECTS[2]])
    words = [one.words or 0 for one in options_of_files(several, GenerationOptions(words=200))]
    assert abs(sum(words) - 200) <= 2
    assert words[1] > 2 * words[0]
    assert all(one.words for one in options_of_files(several, GenerationOptions(length="short")))


def test_opinions_have_the_sentences_of_their_kind_each() -> None:
    opinion = document_of(OPINION_TEXTS)
    (other,) = documents(SUBJECTS[:1])
    assert are_of_kinds([opinion, opinion])
    assert are_of_kinds([opinion, other, opinion])  # most are
    assert not are_of_kinds([opinion])
    assert not are_of_kinds([opinion, other])


def test_two_files_of_a_kind_are_enough_for_headings() -> None:
    opinion = document_of(OPINION_TEXTS)
    several = [opinion, opinion, *documents(SUBJECTS)]
    assert not are_of_kinds(several)
    assert are_of_kinds(several, brief=True)
    assert not are_of_kinds(several[1:], brief=True)
    words = [one.words for one in options_of_files(several, GenerationOptions(), brief=True)]
    assert words == [None] * 2 + [WORDS_OF_KIND["medium"]] * 4


def test_a_file_of_a_kind_has_more_words_and_all_slots_of_a_brief_summary() -> None:
    both = [document_of(OPINION_TEXTS)] * 2
    options = GenerationOptions()
    assert [one.words for one in options_of_files(both, options)] == [WORDS_OF_KIND["medium"]] * 2
    assert [one.words for one in options_of_files(both, options, brief=True)] == [None] * 2
    given = GenerationOptions(words=200)
    assert all(one.words for one in options_of_files(both, given, brief=True))


FLOOD = [
    "At least three people have died after the Harlow reservoir overflowed early on Saturday and "
    "sent water through Stanbridge. The operator, Marl Water, blamed the rain of the night.",
    "Residents of Stanbridge said that the alarm of Marl Water came too late. The road below the "
    "Harlow reservoir is closed, and two people are missing.",
    "An engineer warned in 2023 that a gate of the Harlow reservoir could jam. The company, Marl "
    "Water, said that it had been repaired in March.",
    "Shares in Marl Water fell by a fifth on Monday. Analysts estimate that claims from the flood "
    "at Harlow reservoir could reach a sum that no insurer covers.",
]
TOWN = [
    "The library in Marlton will close on Mondays from January, Marlshire council said.",
    "Marlton Rovers won three to one in the Marlshire league, before two thousand spectators.",
    "A bakery has opened in Marlton, whose owner sells forty kinds of bread across Marlshire.",
    "A driver was fined by magistrates in Marlton after a chase, the police of Marlshire said.",
]


def test_short_articles_that_share_their_main_names_are_related() -> None:
    assert cosine_of(FLOOD, main_names(documents(FLOOD))) > SHARED_BESIDES
    assert main_names(documents(FLOOD))
    assert not main_names(documents([FLOOD[0], *SUBJECTS]))
    assert not are_unrelated(documents(FLOOD))


def test_a_place_alone_is_no_common_subject() -> None:
    assert are_unrelated(documents(TOWN))


def test_outlets_and_printed_notes_are_no_common_names() -> None:
    said = [
        "In Harlow, Marl sells it.",
        "It is Marl at Harlow.",
        "Is it Marl, or Harlow?",
        "Go to Harlow for Marl!",
    ]
    texts = [f"{own} {text}" for own, text in zip(said, SUBJECTS, strict=True)]
    assert main_names(documents(texts))
    noted = [f"Printed in Harlow by Marl and Sons. {text}" for text in SUBJECTS]
    assert not main_names(documents(noted))
    by_one = [replace(one, origin="Marl Herald, Harlow") for one in documents(texts)]
    assert not main_names(by_one)


def test_answers_share_the_subject_of_the_message() -> None:
    several = documents(SUBJECTS)
    titles = [
        "Keys of the hall",
        "Re: Keys of the hall",
        "RE: AW: Keys of the hall",
        "Re: keys of the hall",
    ]
    thread = [replace(one, title=title) for one, title in zip(several, titles, strict=True)]
    assert not are_unrelated(thread)
    assert are_unrelated([replace(one, title="Keys of the hall") for one in several])


def test_a_paragraph_is_titled_with_outlet_and_day() -> None:
    one = Document("a.html", (), title="Dam spills over", origin="Herald, 3 May 2024")
    assert name_of(one) == "Dam spills over, Herald, 3 May 2024"
    assert name_of(replace(one, title="Council, 3 May 2024")) == "Council, 3 May 2024, Herald"
