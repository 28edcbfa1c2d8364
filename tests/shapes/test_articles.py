"""The plain summary of a newspaper's article: its beginning, no captions, no names unexplained."""

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.articles import FirstMentions, is_article, text_of
from pagesum_cli.shapes.essentials import ARTICLE, Essentials, essential_kind
from pagesum_cli.shapes.points import Point

CAPTION = "In this photo dated Tuesday, the old bridge over the brook is seen from the mill."
LEDE = "HOLLOW (AP) — The old bridge over the brook fell on Tuesday, the miller said."
NEXT = "The bridge was closed to walkers in May after a cart had broken one of its stones."
NAMED = "Anna Berg, the owner of the mill, had asked the council to mend the bridge at once."
ALONE = "Berg told the council in May that a second cart would be the end of the bridge."
CREDIT = "Tom Marl in Hollow contributed to this report on the bridge and on the old mill."
FILL = "The council announced that it will build a new one, and the miller said so, too. " * 8
LINES = (CAPTION, LEDE, NEXT, NAMED, ALONE, FILL, CREDIT)


def _document(*lines: str) -> Document:
    return Document("a.txt", (Section("", tuple(map(Paragraph, lines))),))


def _pages(*lines: str) -> Pages:
    sentences = tuple(Sentence(text, (), "", 0, len(text)) for text in lines)
    return Pages("spatial", (Page("file", "a.txt", "", sentences, 100),))


def test_an_article_has_a_date_and_what_persons_say() -> None:
    assert essential_kind([_document(*LINES)]) is ARTICLE
    plain = LEDE.replace("HOLLOW (AP) — ", "")
    assert is_article(_document("Published: 3 May 2024", plain, FILL, FILL))
    assert not is_article(_document(plain, FILL, FILL))  # a story, an opinion, a law
    assert not is_article(_document(LEDE))
    assert not is_article(_document(NEXT, FILL.replace("said", "knew")))
    told = ("“It fell on Tuesday,” he said, “and I told you so.”",) * 20
    assert not is_article(_document("Published: 3 May 2024", *told))
    spoken = tuple(Paragraph(one, speaker="Anna Berg") for one in LINES)
    assert not is_article(Document("a.txt", (Section("", spoken),)))


def test_the_text_begins_with_the_dateline_and_has_no_captions_and_credits() -> None:
    lines = (*LINES[:2], "Read more", *LINES[2:])
    places = [place for _, place in text_of(_pages(*lines))]
    assert [lines[place] for place in places] == [LEDE, NEXT, NAMED, ALONE, FILL]


@pytest.mark.parametrize(
    ("lines", "first"),
    [
        (("By Anna Berg", NEXT, NAMED), NEXT),
        (("It was the last of them.", "This one is made of old stones and wood.", NEXT), NEXT),
        (("The old bridge over the brook in Hollow has been closed and...", NEXT), NEXT),
        ((NEXT, *["The bridge is the last one of its kind."] * 20, LEDE), NEXT),
    ],
)
def test_an_article_without_a_dateline_begins_with_the_first_whole_sentence(
    lines: tuple[str, ...], first: str
) -> None:
    assert lines[text_of(_pages(*lines))[0][1]] == first


def test_the_summary_has_the_beginning() -> None:
    pages = _pages(*LINES)
    scores = {(0, number): float(number) for number in range(len(LINES))}
    essentials = Essentials(_document(*LINES), GenerationOptions(), ARTICLE)
    assert essentials.fits(pages)
    chosen = [LINES[number] for _, number in essentials.choose(pages, scores)]
    assert chosen[0] == LEDE
    assert CAPTION not in chosen


def test_a_person_is_introduced_before_the_family_name_stands_alone() -> None:
    points = [Point((0, number), 0, text, 0.0) for number, text in enumerate(LINES)]
    known = FirstMentions(points, "The bridge of Hollow")
    named, alone = points[3:5]
    assert known.needed(alone, [points[1]]) == [named]
    assert known.needed(alone, [named]) == []
    assert known.needed(named, []) == []
    assert FirstMentions(points, "Berg was right").needed(alone, []) == []
