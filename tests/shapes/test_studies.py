"""Several papers side by side."""

from collections.abc import Sequence

import pytest

from pagesum_cli.batch.studying import StudyWorker
from pagesum_cli.batch.talk import Silent
from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions, ModelOptions, PagingOptions
from pagesum_cli.shapes.brief import Brief
from pagesum_cli.shapes.files import options_of_files
from pagesum_cli.shapes.studies import COMPARED, Study, are_papers, label_of, subject_of

TEXTS = (
    "This study aimed to assess the effect of Ocimum sanctum extract (OSE) on pain in rats.",
    "Wistar rats were divided into four groups and fed saline or OSE (75 mg/kg) for 30 days.",
    "Curcuma longa significantly reduced the pain score of the rats by 40 % (p < 0.01).",
    "The body weight of the rats increased by 12 % in all groups during the study.",
    "OSE significantly reduced the oxidative stress of the tissue by 20 % (p < 0.05).",
    "OSE did not significantly change the pain score of the rats at any dose (p = 0.4).",
)


HEADINGS = ("Introduction", "Methods", "Results", "Results", "Results", "Results")


AIM = "This study aimed to assess the effect of thyme oil on bacteria and on human cells."
FOUND = "The oil significantly reduced the growth of the cells by 40 % (p < 0.01)."
NEGATIVE = "These results show that the oil reduces the growth of cells but does not kill bacteria."
ROUTINES = (
    "The plates inoculated with bacterial strains were incubated for 24 h at 37 °C.",
    "The cells were treated with 80 µl of an acid (24 : 1) to dissolve the blue crystals.",
    "The strains were exposed to light for 24 h in a closed room.",
)


def _paper(title: str = "", authors: tuple[str, ...] = ()) -> Document:
    names = dict.fromkeys(HEADINGS)
    sections = tuple(
        Section(
            name,
            tuple(
                Paragraph(text) for text, own in zip(TEXTS, HEADINGS, strict=True) if own == name
            ),
        )
        for name in names
    )
    return Document("a.pdf", sections, title=title, authors=authors)


def _chosen(
    subject: str, texts: Sequence[str] = TEXTS, headings: Sequence[str] = HEADINGS
) -> list[str]:
    whole = " ".join(texts)
    sentences = tuple(
        Sentence(one, (), heading, whole.index(one), whole.index(one) + len(one))
        for one, heading in zip(texts, headings, strict=True)
    )
    pages = Pages("discourse", (Page("paper", "a.pdf", "", sentences, 100),))
    scores = {(0, number): 0.0 for number in range(len(sentences))}
    study = Study(_paper(), GenerationOptions(words=70), subject)
    return [texts[number] for _, number in study.choose(pages, scores)]


def test_what_was_done_and_found_about_the_subject_and_what_was_not_found() -> None:
    chosen = _chosen("Ocimum sanctum")
    assert chosen[0] == TEXTS[1]
    assert chosen[1] == TEXTS[4]
    assert chosen[-1] == TEXTS[5]


@pytest.mark.parametrize("routine", ROUTINES)
def test_the_routine_of_a_laboratory_is_not_what_was_studied(routine: str) -> None:
    headings = ("Abstract", "Methods", "Results")
    assert _chosen("thyme", (AIM, routine, FOUND), headings) == [AIM, FOUND]


def test_a_negative_conclusion_is_what_was_not_found() -> None:
    headings = ("Abstract", "Abstract", "Abstract", "Results")
    texts = (AIM, FOUND, NEGATIVE, TEXTS[3])
    assert _chosen("thyme", texts, headings) == [AIM, FOUND, TEXTS[3], NEGATIVE]


def test_without_a_subject_the_first_findings_with_a_number() -> None:
    assert _chosen("")[1] == TEXTS[2]


@pytest.mark.parametrize(
    ("titles", "subject"),
    [
        (["Holy basil (Ocimum sanctum) in mice", "Ocimum sanctum and pain"], "Ocimum sanctum"),
        (["A trial of zinc in children", "Zinc and growth", "Effects of zinc on rice"], "zinc"),
        (["A randomized trial of tea in rats", "A randomized trial of salt in rats"], ""),
        (["Genome-wide mapping of yield", "Genome-wide analysis of height"], ""),
        (["Pain in rats", "Growth of rice"], ""),
    ],
)
def test_the_common_subject_of_titles(titles: list[str], subject: str) -> None:
    assert subject_of([_paper(title) for title in titles]) == subject


@pytest.mark.parametrize(
    ("authors", "label"),
    [
        (("Anna Berg",), "Dams (Berg)"),
        (("Anna Berg", "T. van der Wells"), "Dams (Berg and Wells)"),
        (("Anna Berg", "Tom Wells", "Ida Holm"), "Dams (Berg et al.)"),
        (("anna@example.org",), "Dams"),
        ((), "Dams"),
    ],
)
def test_a_paper_is_called_by_its_title_and_authors(authors: tuple[str, ...], label: str) -> None:
    assert label_of(_paper("Dams", authors)) == label


def test_all_files_are_papers() -> None:
    letter = Document("b.txt", (Section("", (Paragraph("Dear Anna, it rains."),)),))
    assert are_papers([_paper(), _paper()])
    assert not are_papers([_paper(), letter])
    assert not are_papers([_paper()])


def test_brief_summaries_of_papers_have_the_same_headings() -> None:
    papers = [_paper(), _paper()]
    (options, _) = options_of_files(papers, GenerationOptions(), brief=True)
    assert options.words == 180
    worker = StudyWorker(
        ModelOptions(), PagingOptions(), options, Silent(), history=False, brief=True
    )
    shape = worker._shape(papers[:1], None)
    assert isinstance(shape, Brief)
    assert shape.kind is COMPARED
    assert [*COMPARED.titles.values()] == ["Question", "Method", "Findings", "Conclusion", "Limits"]
    worker.brief = False
    assert isinstance(worker._shape(papers[:1], None), Study)
