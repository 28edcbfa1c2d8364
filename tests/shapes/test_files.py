"""Files with and without a common subject."""

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.files import are_unrelated, options_of_files

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
