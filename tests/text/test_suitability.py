"""What a text looks like that is no article or report; and that articles and reports do not look
so.
"""

import time
from pathlib import Path

import pytest

from pagesum_cli.datasets.named import sample_path
from pagesum_cli.documents.read import read_file
from pagesum_cli.text.suitability import DATA, DIALOGUE, LIST, NUMBERS, TEMPLATE, unsuitable

ROOT = Path(__file__).parents[2]
TEXTS = ROOT / "tests" / "data" / "unsuitable"
KINDS = {
    "minutes.txt": DIALOGUE, "hearing.txt": DIALOGUE,
    "prices.txt": NUMBERS, "program.txt": DATA, "server.log": DATA, "words.txt": LIST,
}  # fmt: skip
PROSE = [*ROOT.glob("docs/examples/beige_book/*.txt"), sample_path()]
PDFS = [*ROOT.glob("docs/examples/*.pdf"), *ROOT.glob("tests/data/pdfs/*.pdf")]


def looks_like(path: Path) -> set[str | None]:
    return {unsuitable(document.text) for document in read_file(str(path))}


@pytest.mark.parametrize(("name", "kind"), KINDS.items())
def test_what_is_no_article_is_recognized(name: str, kind: str) -> None:
    assert looks_like(TEXTS / name) == {kind}


@pytest.mark.parametrize("path", [*PROSE, *PDFS], ids=lambda path: path.name)
def test_papers_proposals_and_reports_are_suitable(path: Path) -> None:
    assert looks_like(path) == {None}


def test_the_sessions_of_parliament_are_dialogue() -> None:
    speeches = [
        "Mr. SMITH. I thank the gentleman for yielding. My amendment would lend seed to the "
        "towns along the river, and "
        "I ask you to support it, as the farmers of my county have asked me to do.",
        "The CHAIRMAN. The gentleman has five minutes. Does any other member wish to speak to "
        "the amendment?",
        "Mrs. JONES. I have read it twice, and I cannot find a word about who pays. "
        "Would you tell us?",
    ]
    assert unsuitable("\n".join(speeches * 4)) == DIALOGUE


@pytest.mark.parametrize(
    "text",
    [
        "Dear [NAME],\nThank you for your letter of [insert date]. We at [COMPANY NAME] are glad. "
        "Please call [Your Name].\nKind regards",
        "Lorem ipsum dolor sit amet, consectetur adipiscing elit. Ut enim ad minim veniam, quis "
        "nostrud exercitation ullamco. Duis aute irure dolor in reprehenderit in voluptate.",
        "Project plan\nThe project begins on TBD. It is led by TBD.\nThe budget is ____ euros.",
        "Name: ____\nDate of birth: ____\nThis agreement is between {{client}} and {{company}}.",
    ],
)
def test_an_unfilled_template_is_recognized(text: str) -> None:
    assert unsuitable(text) == TEMPLATE


@pytest.mark.parametrize(
    "text",
    [
        "He called [the mayor]. She laughed [sic]. They met [REDACTED] in May [Smith 2010].",
        "The lease ends in May [1]. The rent is $5 [2]. The date is TBD. It was signed [3].",
    ],
)
def test_brackets_make_no_template(text: str) -> None:
    assert unsuitable(text) is None


def test_labels_that_repeat_in_a_report_are_no_speakers() -> None:
    proposal = [
        "Risk: The controller may remove images that are still used by a build in another "
        "project of the cluster.",
        "Mitigation: You can exclude a project by a label, and the pruner asks the server before "
        "it removes anything.",
        "Storage: I think that a disk of two terabytes is enough, but your mileage may vary with "
        "the number of blobs.",
    ]
    assert unsuitable("\n".join(proposal[:2] * 6)) is None
    records = [
        f"{name}: it was {name.lower()} of the year"
        for name in ("Capital", "Area", "Coast", "River")
    ]
    assert unsuitable("\n".join(records * 10)) is None


def test_the_names_of_other_releases_are_no_speakers() -> None:
    story = "“I sold my mill,” she said. He agreed that you see me, and thanked your town."
    links = "MEDIA ADVISORY: A man sold it. FOR IMMEDIATE RELEASE: A woman bought it."
    assert unsuitable("\n".join([story, links] * 8)) is None


def test_a_quoted_interview_does_not_make_an_article_a_dialogue() -> None:
    article = (ROOT / "docs" / "examples" / "beige_book" / "boston.txt").read_text(encoding="utf-8")
    assert unsuitable(f"{article}\n\n{(TEXTS / 'hearing.txt').read_text(encoding='utf-8')}") is None


def test_a_table_or_a_program_within_an_article_is_no_reason() -> None:
    article = (ROOT / "docs" / "examples" / "beige_book" / "boston.txt").read_text(encoding="utf-8")
    for name in ("prices.txt", "program.txt"):
        assert (
            unsuitable(f"{article}\n\n{(TEXTS / name).read_text(encoding='utf-8')[:1200]}") is None
        )


def test_prose_in_another_script_is_prose() -> None:
    hindi = (
        "नगर परिषद ने पिछले वसंत में पुराने स्टेशन को बचाने और उसे पुस्तकालय बनाने का निर्णय "
        "लिया। काम दो साल चलेगा। "
    )
    russian = (TEXTS / "russian.txt").read_text(encoding="utf-8")
    assert unsuitable(4 * hindi) is None
    assert unsuitable(2 * russian) is None


@pytest.mark.parametrize("text", ["", "1 2 3", "Anna: yes.\nTom: no.", "x = 1"])
def test_a_few_words_are_not_judged(text: str) -> None:
    assert unsuitable(text) is None


def test_only_a_sample_of_a_long_text_is_read() -> None:
    minutes = (TEXTS / "minutes.txt").read_text(encoding="utf-8")
    assert unsuitable(minutes * 100) == DIALOGUE


@pytest.mark.parametrize(
    "piece", ["1" + "." * 200, "A.", "A: ", "Ab Ab Ab ", '."', "00:00 ", "\n", "(", "AB AB:", "é'"]
)
def test_time_grows_with_the_length_of_any_text(piece: str) -> None:
    began = time.perf_counter()
    unsuitable(piece * (30_000 // len(piece)))
    assert time.perf_counter() - began < 2
