"""Numbers on which several sources disagree."""

from itertools import combinations

import pytest

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section, Sentence
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.shapes.rivals import disagreements, toll_in

FERRY = "The river ferry sank near the old bridge on Sunday night."


def between(*documents: Document) -> dict[str, list[str]]:
    """The numbers of each disagreement between documents, by what they are about."""
    pages = [
        Page("", document.name, "", tuple(all_sentences(document)), 20) for document in documents
    ]
    return {
        one.about: [f"{each.number} {each.file}" for each in one.numbers]
        for one in disagreements(documents, Pages("document", tuple(pages)))
    }


def rivals(*texts: str) -> dict[str, list[str]]:
    """The numbers of each disagreement between texts, by what they are about."""
    documents = [
        Document(f"{name}.txt", (Section("", (Paragraph(FERRY), Paragraph(text))),))
        for name, text in zip("abc", texts, strict=False)
    ]
    return between(*documents)


@pytest.mark.parametrize(
    ("first", "second", "about"),
    [
        (
            "Twelve people were killed when the ferry hit a bridge.",
            "The ferry accident at the bridge left 14 dead.",
            "people killed",
        ),
        (
            "The number of people killed by the ferry rose to 14.",
            "The death toll of the ferry is 12, and 30 people were saved.",
            "killed",
        ),
        (
            "Rescuers said 40 passengers were rescued from the ferry.",
            "Boats rescued 38 passengers from the ferry.",
            "passengers rescued",
        ),
        (
            "The owner pays a compensation of $12,000 for the ferry.",
            "For the ferry, the owner pays a compensation of $15,000.",
            "compensation",
        ),
        ("The ferry carried sixty-one cars.", "The ferry carried 65 cars.", "cars"),
        ("The ferry carried two dozen cars.", "The ferry carried 30 cars.", "cars"),
        ("Half a million fish died in the ferry.", "The ferry killed 700,000 fish.", "fish killed"),
        (
            "Some 800 evacuees of the ferry slept at the school.",
            "The ferry company evacuated 1,200 residents to the school.",
            "evacuated",
        ),
        (
            "The ferry caught fire and crashed at 4:10 a.m. Tuesday.",
            "A crash was heard shortly after 5 a.m., police said.",
            "time",
        ),
        ("The ferry sank at 4:10 a.m.", "The ferry sank shortly after 5, police said.", "time"),
    ],
)
def test_numbers_for_the_same_are_compared(first: str, second: str, about: str) -> None:
    assert list(rivals(first, second)) == [about]


def test_each_source_is_named_with_its_number() -> None:
    killed = "{} people were killed when the ferry hit a bridge."
    assert rivals(killed.format("Twelve"), killed.format("14"), killed.format("12")) == {
        "people killed": ["twelve a.txt", "14 b.txt", "twelve c.txt"]
    }


@pytest.mark.parametrize(
    ("later", "is_updated"),
    [
        ("A man hurt on the ferry died on Sunday, taking the death toll to 14.", True),
        ("The death toll of the ferry rose to 14.", True),
        ("Fourteen people were killed by the ferry.", False),
    ],
)
def test_a_toll_that_rose_is_no_disagreement(later: str, is_updated: bool) -> None:
    texts = (later, "The ferry killed 12 people.")
    documents = [
        Document(f"{name}.txt", (Section("", (Paragraph(FERRY), Paragraph(text))),))
        for name, text in zip("ab", texts, strict=True)
    ]
    pages = [Page("", one.name, "", tuple(all_sentences(one)), 20) for one in documents]
    (found,) = disagreements(documents, Pages("document", tuple(pages)))
    assert found.is_updated is is_updated
    assert [one.file for one in found.numbers] == (
        ["b.txt", "a.txt"] if is_updated else ["a.txt", "b.txt"]
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The ferry killed 12 people.", "Twelve people were killed by the ferry."),
        ("The ferry carried about 100 cars.", "The ferry carried 98 cars."),
        ("The ferry killed 12 people.", "In 2019, a ferry killed 30 people."),
        ("The ferry killed 12 people.", "The ferry injured 14 people."),
        ("Three children were killed by the ferry.", "Twelve people were killed by the ferry."),
        ("The ferry carried two dozen cars.", "The ferry carried 25 cars."),
        ("The ferry killed 12 people.", "The ferry of the tsunami killed 230,000 people."),
        ("The ferry sank at 4:10 a.m.", "The ferry sank shortly after 4 a.m., police said."),
        ("The ferry sank at 4:10 a.m.", "The ferry sank at 3:10 GMT."),
        ("The ferry sank at 4:10 a.m. Monday.", "A boat sank at 7:15 a.m. on Sunday."),
        ("The ferry sank at 4:10 a.m.", "The hearing on the ferry began at 9 a.m."),
        ("The ferry has two ports.", "The ferry has 3.0 ports."),
        ("The ferry was 30 years old.", "The ferry sank 20 minutes after it left."),
        ("A tax on 12 mills was lowered by the state.", "The ferry passed 14 mills."),
        ("The ferry carried 12 cars and then 14 cars.", "The ferry carried 13 cars."),
        ("The ferry killed 12 people.", "In the 2006 accident of the ferry, one person died."),
        ("The ferry killed 12 people.", "A ferry killed 30 people [25]."),
        ("The ferry killed 12 people.", "Ferries killed 30 people (Lee et al., 2019)."),
        ("On 3 May 2024 the ferry killed 12 people.", "A ferry killed 14 people on 4 July 2019."),
    ],
)
def test_other_numbers_are_not(first: str, second: str) -> None:
    assert rivals(first, second) == {}


def test_one_source_does_not_disagree() -> None:
    assert rivals("The ferry killed 12 people. The ferry killed 14 people.") == {}


UNRELATED = {
    "ferry": "The ferry sank off Bohol on Tuesday. Twelve people were killed and 40 were injured.",
    "fire": "A fire in a garment factory in Dhaka killed 31 people. Of the injured, 12 were burnt.",
    "virus": "Adenovirus was found in swabs. In all, 254 people were infected; one died.",
    "lymphoma": "Patients with lymphoma received MATRix. Three people died of sepsis at 13 months.",
    "quake": "An earthquake shook Antakya. At least 900 people were killed, 2,000 injured.",
    "wheat": "Wheat was sown in four groups of plots. Two people were killed by a tractor.",
}


def test_documents_on_different_matters_do_not_disagree() -> None:
    documents = [
        Document(f"{name}.txt", (Section("", (Paragraph(text),)),))
        for name, text in UNRELATED.items()
    ]
    pairs = list(combinations(documents, 2))
    assert len(pairs) == 15
    assert [between(*pair) for pair in pairs if between(*pair)] == []


def test_papers_do_not_disagree_but_on_one_study() -> None:
    text = "Rats with ischaemia of the heart received tulsi. The rats were divided into {} groups."

    def paper(name: str, number: str, title: str) -> Document:
        references = (LeftOut("references", "1. Lee A. Tulsi.", 4),)
        sections = (Section("Methods", (Paragraph(text.format(number)),)),)
        return Document(name, sections, title, left_out=references)

    tulsi = paper("a", "four", "Tulsi protects the heart of rats from ischaemia")
    other = paper("b", "three", "Tulsi and the age of the heart: a study of inflammation in rats")
    again = paper("c", "five", "Tulsi protects the heart of rats from ischaemia: final results")
    assert between(tulsi, other) == {}
    assert between(tulsi, again) == {"groups": ["four a", "five c"]}


def test_the_toll_with_which_a_sentence_about_another_year_ends_is_none_of_the_event() -> None:
    assert (
        toll_in(Sentence("A quake killed five people and hurt many where 900 died in 2004.")) == 5
    )
    assert toll_in(Sentence("In 2004, a quake killed 900 people.")) == 0
    assert toll_in(Sentence("The quake left 24 dead and over 200 injured.")) == 24


def test_the_number_of_a_section_of_a_law_is_no_quantity() -> None:
    text = "The rule was passed under sections 11(1), 77, 127 and {} of the old Ferry Act."
    assert rivals(text.format(427), text.format(425)) == {}


def test_a_number_that_rises_from_day_to_day_is_an_update() -> None:
    texts = (
        "One person was killed when it sank.",
        "Seven people were killed when it sank.",
        "seven people were killed when it sank.",
    )
    killed = [f"On the ferry at the bridge, {one[0].lower()}{one[1:]}" for one in texts]
    documents = [
        Document(
            f"{day}.txt",
            (Section("", (Paragraph(FERRY), Paragraph(one))),),
            origin=f"{day} August 2024",
        )
        for day, one in zip((19, 24, 25), killed, strict=True)
    ]
    pages = [Page("", one.name, "", tuple(all_sentences(one)), 20) for one in documents]
    found = disagreements(documents, Pages("document", tuple(pages)))
    assert [one.is_updated for one in found] == [True]
    assert [one.number for one in found[0].numbers] == ["one", "seven", "seven"]
