"""Whom "he" and "she" stand for at the beginning of a sentence of minutes."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.shapes.pronouns import person_of, with_person
from pagesum_cli.summary.repairs import applied
from pagesum_cli.summary.summary import Source, SummarySentence


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Ms. A. Dahl saw the mill. She did see stones. She is for a fence.", "Ms. A. Dahl"),
        ("Mayor Berg opened the hearing. She explained the deed.", "Mayor Berg"),
        ("Carl Dahl has seen the mill. He will speak about the stones.", "Carl Dahl"),
        ("Mayor Berg asked Mr. Dahl about the mill. He had no answer.", ""),
        ("Ms. Dahl saw the mill. He is in favor of a fence.", ""),
        ("Ms. Dahl saw the mill. The fence is twenty feet from it. She will mend the fence.", ""),
        ("Ms. Dahl spoke to a resident. She wants a fence.", ""),
        ("Mr. Dahl’s truck was on the ramp. He wants a fence.", ""),
        ("The ramp is loud. She wants a fence.", ""),
        ("Ms. Dahl and Ms. Berg were there. They want a fence.", ""),
        ("Ms. Dahl was there.\n\nShe wants a fence.", ""),
    ],
)
def test_a_pronoun_stands_for_the_one_person_of_its_paragraph(text: str, person: str) -> None:
    parts = tuple(map(Paragraph, text.split("\n\n")))
    sentences = all_sentences(Document("a.md", (Section("Fence", parts, 2, "outline"),), "Minutes"))
    assert person_of(sentences, len(sentences) - 1) == person


def test_the_person_is_in_brackets_and_the_quote_is_known() -> None:
    text = "She asked the DHO [Dora Horn] to mend it."
    slice_ = "She asked the DHO to mend it."
    source = Source(0, 0, "a.md", "", (), 0, len(slice_), inserted=((17, " [Dora Horn]"),))
    shown = with_person(SummarySentence(text, (), source), "Ms. Dahl")
    assert shown.text == "[Ms. Dahl] asked the DHO [Dora Horn] to mend it."
    assert shown.source
    assert applied(slice_, shown.source.omitted, shown.source.inserted) == shown.text
