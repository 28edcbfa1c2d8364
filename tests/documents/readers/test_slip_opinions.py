"""Opinions of courts in plain text."""

from pagesum_cli.documents.readers.text import plain_document

PAGES = [
    """                Cite as: 581 U. S. ____ (2017)               2

                     Opinion of the Court

  CHIEF JUSTICE LEE delivered the opinion of the Court.
  The miller sued the owner of the brook in a court of the
county, which heard both of them.
                              II
  The owner had closed the brook in May, and the stones stood
still until August of the year.2 The miller asked for flour.
——————
  2 The owner says that the brook was dry, as the miller of the next

village knew.
""",
    """                Cite as: 581 U. S. ____ (2017)               3

                     Opinion of the Court

  The brook is common to both. No owner of land may close it to
those who live below, and no rule of the county says otherwise.
                    *    *    *
  For these reasons, the judgment of the court of the county
is reversed, and the cases are remanded
——————
  3 JUSTICE KAY, dissenting, renews a debate about brooks.
""",
    """                Cite as: 581 U. S. ____ (2017)
                4

                     Opinion of the Court

for further proceedings not inconsistent with this opinion.

                                       It is so ordered.
""",
    """                Cite as: 581 U. S. ____ (2017)               1

                      KAY, J., dissenting

                    MILLER v. BROOK

              ON WRIT TO THE COURT OF THE COUNTY

   JUSTICE KAY, with whom JUSTICE MAY joins, dissenting
in part.
   The brook belongs to the owner of the land, and I would
affirm.
""",
    """                Cite as: 581 U. S. ____ (2017)               2

                      KAY, J., dissenting

   I do not see a reason for another rule.
""",
]
READ = plain_document("\f".join(PAGES), "slip.txt")


def test_each_opinion_is_a_section_with_the_name_of_its_judge() -> None:
    assert [one.heading for one in READ.sections if one.heading] == [
        "CHIEF JUSTICE LEE delivered the opinion of the Court",
        "JUSTICE KAY, with whom JUSTICE MAY joins, dissenting in part",
    ]


def test_a_sentence_goes_on_after_notes_and_running_heads() -> None:
    whole = "the cases are remanded for further proceedings not inconsistent with this opinion."
    assert whole in READ.text
    assert "Opinion of the Court" not in READ.text
    assert "dissenting, renews" not in READ.text
    assert any(one.reason == "footnote" for one in READ.left_out)


def test_numbers_and_asterisks_between_paragraphs_are_not_in_them() -> None:
    texts = [one.text for section in READ.sections for one in section.paragraphs]
    assert any(text.startswith("For these reasons") for text in texts)
    assert any(text.startswith("The owner had closed") for text in texts)


def test_a_line_of_dashes_without_a_note_below_it_stays() -> None:
    pages = [
        f"Mills\n\nThe mill has {n} stones.\n———\nThe miller is old.\n" for n in ["one", "two"]
    ]
    assert "The miller is old." in plain_document("\f".join(pages), "mill.txt").text
