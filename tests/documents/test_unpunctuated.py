"""Speech without marks is cut into pieces where a clause begins."""

from pathlib import Path

from pagesum_cli.documents.model import Paragraph, Section
from pagesum_cli.documents.notes import notes_on
from pagesum_cli.documents.read import read_file
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.documents.unpunctuated import MOST, is_cut_inside, is_spoken_question, with_pieces

ASKED = "thank you for coming what are your ideas about the old mill and who should pay for it"
ANSWER = (
    "well i think the mill is the heart of the town and we have paid for the roof out of the fund "
    "for roads which was not right at all so i would ask the county to give us half of the money "
    "that it has put aside for old houses and we will find the other half by the sale of the barn "
    "on the hill but i do not want to see any new tax for people who live in the valley because "
    "they have paid twice for the bridge already and now we have the chance to give them something "
    "back that they can use every day of the year and that is why i will vote for the mill in june "
    "and i hope that all of you will come to the town hall and vote for it next question"
)


def pieces(*texts: str) -> list[str]:
    (section,) = with_pieces([Section("", tuple(map(Paragraph, texts)))])
    return [one.text for one in sentences_of(section)]


def test_a_long_answer_is_cut_where_clauses_begin() -> None:
    asked, *answer = pieces(ASKED, ANSWER)
    assert asked == ASKED
    assert " ".join(answer) == ANSWER
    assert len(answer) > 3
    assert all(len(one.split()) <= MOST for one in answer)
    assert [one.split()[0] for one in answer[1:4]] == ["so", "and", "but"]


def test_text_with_marks_stays_whole() -> None:
    marked = ANSWER.replace(" so ", ". So ").replace(" but ", ". But ").replace(" and ", ", and ")
    sections = [Section("", (Paragraph(marked),))]
    assert with_pieces(sections) == sections


def test_questions_of_an_interviewer() -> None:
    assert is_spoken_question(ASKED)
    assert is_spoken_question("next question council member as the town grows")
    assert is_spoken_question("when the mill was sold did you support the sale")
    assert not is_spoken_question("i think we know how the mill is run and you know what it costs")


def test_the_rest_of_a_clause() -> None:
    assert is_cut_inside("for our decisions and we will make them")
    assert is_cut_inside("and its people will vote for it")
    assert not is_cut_inside("and the people will vote for it")


def test_a_note_says_that_marks_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "talk.txt"
    path.write_text(f"{ASKED}\n\n{ANSWER}\n", encoding="utf-8")
    (note,) = notes_on(read_file(str(path)), "tiny", ["en"])
    assert note.startswith("talk.txt is without punctuation")
