"""Topics of minutes whose titles are numbered lines."""

from pathlib import Path

from pagesum_cli.documents.read import read_file
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.shapes.meeting import Meeting

NUMBERED = """Members of the public 6

1. Fire evacuation

Members were shown the doors of the hall.

2. To agree a list of the repairs that the miller and his men are to do before the June fair

It was agreed that the wheel is mended first.

3. Payment of bills for the mill

Cllr Berg has an interest in this.

4. To hear what members of the public wish to bring before the council at its next meeting

• The clerk will write to the miller about the noise of the wheel at night.
• The path by the mill is full of mud.

5. Site of the new barn

The barn will stand north of the mill.
"""


def test_numbered_lines_are_topics_and_a_count_of_people_is_none(tmp_path: Path) -> None:
    path = tmp_path / "minutes.txt"
    path.write_text(f"MINUTES of the meeting of 4 May\n\n{NUMBERED}", encoding="utf-8")
    (document,) = read_file(str(path))
    titles = [one.title for one in Meeting(document).topics if not one.is_procedure]
    assert titles[1:] == [
        "To agree a list of the repairs that the miller and his men are to do before the June fair",
        "Payment of bills for the mill",
        "To hear what members of the public wish to bring before the council at its next meeting",
        "Site of the new barn",
    ]
    assert not any(
        one.lead_in and "public 6" in one.lead_in.text for one in all_sentences(document)
    )


def test_a_quorum_is_nobody_who_takes_part(tmp_path: Path) -> None:
    path = tmp_path / "minutes.md"
    path.write_text("# Minutes\n\n## Present\n\nA quorum was present.\n", encoding="utf-8")
    (document,) = read_file(str(path))
    assert Meeting(document).participants == ()
