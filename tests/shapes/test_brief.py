"""The brief summary of a paper or an opinion of a court."""

from dataclasses import replace

from shape_texts import CONTRACT_TEXTS, OPINION_TEXTS, TEXTS, WHEAT, document_of, pages_of

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.quoting.scores import Scores
from pagesum_cli.shapes.brief import Brief
from pagesum_cli.shapes.kinds import CONTRACT, OPINION, PAPER, kind_of


def test_the_kind_of_a_document_is_known_by_its_sections_and_words() -> None:
    assert kind_of([WHEAT]) is PAPER
    assert kind_of([WHEAT, WHEAT]) is None
    assert kind_of([document_of(OPINION_TEXTS)]) is OPINION


def test_a_report_with_an_introduction_and_a_conclusion_is_no_paper() -> None:
    texts = dict.fromkeys(("Introduction", "Bridges", "Conclusion"), "The bridge was built.")
    assert kind_of([document_of(texts)]) is None
    references = LeftOut("references", "Lee, A. Bridges. 2019.", 4)
    assert kind_of([document_of(texts, (references,))]) is PAPER


def test_an_opinion_has_a_case_a_question_a_holding_and_reasons() -> None:
    document = document_of(OPINION_TEXTS)
    pages = pages_of(document)
    brief = Brief(document, GenerationOptions(), OPINION)
    assert brief.fits(pages)
    places = brief.choose(pages, dict.fromkeys(((0, n) for n in range(8)), 0.0))
    texts = [pages.pages[0].sentences[place].text for _, place in places]
    beginnings = ["Mills, Inc., sued", "The question", "We hold", "We disagree", "We affirm"]
    assert list(map(str.startswith, texts, beginnings)) == [True] * len(beginnings)


def test_a_document_with_sentences_for_one_slot_does_not_fit() -> None:
    document = document_of({"Introduction": "The bridge is long.", "Methods": TEXTS["Methods"]})
    assert not Brief(document, GenerationOptions()).fits(pages_of(document))
    assert Brief(WHEAT, GenerationOptions()).fits(pages_of(WHEAT))


def test_a_brief_summary_has_a_sentence_for_each_role() -> None:
    sentences = tuple(
        Sentence(text, (), name, WHEAT.text.index(text), WHEAT.text.index(text) + len(text))
        for name, text in TEXTS.items()
    )
    pages = Pages("discourse", (Page("paper", "paper.pdf", "", sentences, 100),))
    scores = {(0, place): 0.0 for place in range(len(sentences))}
    assert Brief(WHEAT, GenerationOptions()).choose(pages, scores) == [
        (0, 0),
        (0, 1),
        (0, 2),
        (0, 3),
    ]
    assert Brief(WHEAT, GenerationOptions(sentences=1)).choose(pages, scores) == [(0, 2)]
    without_method = scores | {(0, 1): -30.0}
    assert Brief(WHEAT, GenerationOptions()).choose(pages, without_method) == [
        (0, 0),
        (0, 2),
        (0, 3),
    ]


def test_a_sentence_that_fits_no_slot_has_no_heading() -> None:
    text = "The harbour was built when ships were small and many."
    sections = tuple(Section(name, (Paragraph(text),)) for name in ("Introduction", "Results"))
    document = Document("harbour.pdf", sections)
    sentences = tuple(
        Sentence(text, (), section.heading, start, start + len(text))
        for section, start in zip(document.sections, document.starts, strict=True)
    )
    pages = Pages("discourse", (Page("harbour", "harbour.pdf", "", sentences, 100),))
    brief = Brief(document, GenerationOptions())
    assert brief.choose(pages, {(0, 0): 1.0, (0, 1): 0.0}) == [(0, 0)]
    assert [heading for heading, _ in brief._in_order()] == [""]


def test_a_sentence_about_the_other_group_follows_that_about_the_first() -> None:
    texts = {
        "Abstract": TEXTS["Introduction"],
        "Methods": "Farms in the north group were given new seeds in May. Farms in the other group "
        "were given the old seeds.",
        "Results": TEXTS["Results"],
    }
    document = document_of(texts)
    pages = pages_of(document)
    scores = dict.fromkeys(((0, n) for n in range(4)), 0.0)
    assert (0, 2) in Brief(document, GenerationOptions()).choose(pages, scores)
    assert (0, 2) not in Brief(document, GenerationOptions()).choose(
        pages, {**scores, (0, 1): -99.0}
    )


def test_what_takes_a_finding_back_follows_it_or_neither_is_chosen() -> None:
    found = "The yield of wheat rose by 12 % on the farms near the new mill."
    back = "However, since it rose before the mill, too, it is likely not an effect of the mill."
    texts = {
        "Abstract": TEXTS["Introduction"],
        "Methods": TEXTS["Methods"],
        "Results": f"{found} {back}",
    }
    document = document_of(texts)
    pages = pages_of(document)
    sentences = pages.pages[0].sentences
    scores = {(0, number): 0.0 for number, _ in enumerate(sentences)}

    def chosen(words: int | None) -> list[str]:
        places = Brief(document, GenerationOptions(words=words)).choose(pages, scores)
        return [sentences[number].text for _, number in places]

    everything = chosen(None)
    assert everything[everything.index(found) + 1] == back
    assert found not in chosen(len(" ".join(everything).split()) - 10)


def test_a_contract_has_its_payments_and_risks() -> None:
    sections = tuple(Section(name, (Paragraph(text),)) for name, text in CONTRACT_TEXTS.items())
    document = Document("mill.md", sections, "Mill Agreement")
    assert kind_of([document]) is CONTRACT
    pages = pages_of(document)
    scores = dict.fromkeys(((0, n) for n in range(11)), 0.0)
    places = Brief(document, GenerationOptions(), CONTRACT).choose(pages, scores)
    headings = [pages.pages[0].sentences[place].heading[0] for _, place in places]
    assert headings == list("13457")


def _chosen(texts: dict[str, str], **bonus: float) -> list[str]:
    """The sentences of a brief summary of sections; ``bonus`` adds to the scores of those that
    begin with a word.
    """
    document = document_of(texts)
    pages = pages_of(document)
    sentences = pages.pages[0].sentences
    scores = {
        (0, number): bonus.get(one.text.split()[0], 0.0) for number, one in enumerate(sentences)
    }
    places = Brief(document, GenerationOptions()).choose(pages, scores)
    return [sentences[number].text for _, number in places]


def test_what_an_abstract_says_before_its_aim_is_no_finding() -> None:
    known = "Warm springs led to significantly lower yields of barley in 40 % of all valleys"
    own = "Harvests of wheat rose by 12 % on the farms that were warmed by one degree"
    aim = "The aim of this study was to find how wheat grows in the valley"
    texts = {"Abstract": f"{known}. {aim}. {own}.", "Methods": TEXTS["Methods"]}
    chosen = _chosen(texts, Warm=9.0)
    assert f"{own}." in chosen
    assert f"{known}." not in chosen


def test_findings_with_numbers_come_before_better_ones_without() -> None:
    texts = {
        "Abstract": TEXTS["Introduction"],
        "Methods": TEXTS["Methods"],
        "Conclusion": "Wheat was found to be better for the mills. Oats were found to be worse for "
        "horses in stables. Rye showed no change of taste at any bakery. Barley showed a yield "
        "that was 12 % higher than before.",
    }
    chosen = _chosen(texts, Wheat=3.0, Oats=3.0, Rye=3.0)
    assert any(one.startswith("Barley") for one in chosen)
    assert sum(one.startswith(("Wheat was found", "Oats", "Rye")) for one in chosen) == 2


def _headings(texts: dict[str, str]) -> dict[str, list[str]]:
    """The sentences of a brief summary under their headings."""
    document = document_of(texts)
    pages = pages_of(document)
    sentences = pages.pages[0].sentences
    brief = Brief(document, GenerationOptions())
    brief.choose(pages, dict.fromkeys(((0, number) for number in range(len(sentences))), 0.0))
    return {
        heading: [sentences[one.place[1]].text for one in points]
        for heading, points in brief._in_order()
    }


RISE = "The harvest of wheat rose by 12 % on the farms that were warmed by one degree"
FALL = "The harvest of barley fell by 9 % on the farms of the cold valley"
END = "These results show that wheat grows better on warm farms"


def test_the_conclusion_of_an_abstract_has_a_heading_of_its_own() -> None:
    found = _headings({"Abstract": f"{TEXTS['Introduction']} {RISE}. {FALL}. {END}."} | TEXTS)
    assert found["Findings"] == [f"{RISE}.", f"{FALL}."]
    assert found["Conclusion"] == [f"{END}."]


def test_the_first_sentence_below_the_label_of_the_conclusion_is_the_conclusion() -> None:
    negative = "These trials showed that warm farms need less water but do not give more wheat"
    further = "More studies are necessary to know why the farms of the valley need less water"
    texts = {"Conclusion": f"{negative}. {further}."} | TEXTS
    del texts["Limitations"]
    document = document_of(texts)
    pages = pages_of(document)
    page = pages.pages[0]
    labelled = [replace(one, within="Abstract") for one in page.sentences[:2]]
    label = Sentence("Conclusion", heading="Conclusion", within="Abstract", is_heading=True)
    for first in ((), (label,)):
        sentences = (*first, *labelled, *page.sentences[2:])
        brief = Brief(document, GenerationOptions())
        brief.choose(
            replace(pages, pages=(replace(page, sentences=sentences),)),
            dict.fromkeys(((0, number) for number in range(len(first), len(sentences))), 0.0),
        )
        found = {heading: [one.text for one in points] for heading, points in brief._in_order()}
        assert found["Conclusion"] == [f"{negative}."]
        assert found["Left open"] == [f"{further}."]


def test_tests_of_statistics_are_the_last_method_outside_of_an_abstract() -> None:
    tests = "The harvests of all farms were weighed in May and analyzed by using a one-way ANOVA"
    done = "The seeds of every farm were counted by hand and weighed on the same scales"
    washed = "The grain of all farms was dried in an oven and ground in a small mill"
    texts = TEXTS | {"Methods": f"{tests}. {done}. {washed}."}
    assert _headings(texts)["Method"] == [f"{done}.", f"{washed}."]
    routine = "The leaves of all farms were incubated for 24 h on plates with agar of one kind"
    texts = TEXTS | {"Methods": f"{routine}. {done}."}
    assert _headings(texts)["Method"] == [f"{done}."]
    assert _headings(TEXTS | {"Methods": f"{tests}."})["Method"] == [f"{tests}."]


def test_what_is_left_to_others_is_no_limit() -> None:
    further = "Further studies of these farms are needed in colder valleys"
    texts = TEXTS | {"Discussion": f"{further}."}
    assert f"{further}." not in _headings(texts)["Limits"]
    del texts["Limitations"]
    found = _headings(texts)
    assert "Limits" not in found
    assert found["Left open"] == [f"{further}."]


def test_the_main_result_of_an_abstract_may_begin_in_contrast_to_what_was_known() -> None:
    result = "However, the new seeds led to a harvest that was 12 % higher in warm valleys"
    other = "However, this led to a harvest that was 12 % higher in warm valleys"
    for text, is_quoted in ((result, True), (other, False)):
        abstract = f"{TEXTS['Introduction']} Wheat is sown in May. {text}."
        found = _headings({"Abstract": abstract, "Methods": TEXTS["Methods"]})
        assert (f"{text}." in found.get("Findings", [])) is is_quoted


def test_a_limit_that_is_left_to_others_may_point_at_a_sentence_before_it() -> None:
    further = "However, further studies of these farms are needed in colder valleys"
    texts = TEXTS | {"Limitations": "", "Discussion": f"{further}."}
    texts.pop("Limitations")
    assert f"{further}." in _chosen(texts)


def test_an_item_of_a_list_of_limits_is_a_limit() -> None:
    item = "First, the sample size of these farms was small"
    texts = {name: text for name, text in TEXTS.items() if name != "Limitations"}
    assert f"{item}." in _chosen(texts | {"Discussion": f"{item}."})


def test_a_clause_brings_what_the_limit_is_that_it_names_and_to_what_it_does_not_apply() -> None:
    limit = "Each party’s entire liability under this Agreement will not exceed the General Cap."
    lifted = "Section 12.1 (General Cap) will not apply to fraud of the miller."
    cap = "“General Cap” means the fees that were paid in the 12 months before the claim."
    other = "“Mill” means the building in which the flour is ground by the miller."
    texts = {"Definitions": f"{other} {cap}", "Liability": f"{limit} {lifted}"}
    sections = tuple(Section(name, (Paragraph(text),)) for name, text in texts.items())
    document = Document("mill.md", sections, "Mill Agreement")
    pages = pages_of(document)
    items = pages.pages[0].sentences
    brief = Brief(document, GenerationOptions(), CONTRACT)
    chosen = brief.choose(pages, dict.fromkeys(((0, n) for n in range(len(items))), 0.0))
    assert {items[number].text for _, number in chosen} == {limit, lifted, cap}


def test_a_holding_says_more_than_the_disposition() -> None:
    text = (
        "Mills, Inc., sued the county for the brook. We affirm the trial court's decision. "
        "We affirm the decision of the trial court and tax the costs to the plaintiff"
    )
    brief = Brief(document_of({"I": text}), GenerationOptions(), OPINION)
    pages = pages_of(brief.document)
    brief.choose(pages, {(0, number): 0.0 for number in range(len(pages.pages[0].sentences))})
    assert [point.text for point in brief.points] == [
        "Mills, Inc., sued the county for the brook.",
        "We affirm the decision of the trial court and tax the costs to the plaintiff.",
    ]


def _learned(slot: str, chances: dict[int, float], count: int) -> Scores:
    """Scores of a page with some sentences, with what is learned of a slot of papers."""
    places = [(0, number) for number in range(count)]
    return Scores(
        dict.fromkeys(places, 0.0),
        {f"paper.{slot}": {place: chances.get(place[1], 0.0) for place in places}},
    )


def test_what_the_model_has_learned_fills_a_slot_that_no_word_names() -> None:
    document = document_of({"Mills": "Mills turn by wind.", "Ends": "Sails are of cloth."})
    brief = Brief(document, GenerationOptions())
    places = brief.choose(pages_of(document), _learned("finding", {1: 0.9}, 2))
    assert places[0] == (0, 1)


def test_too_few_learned_slots_are_followed_by_the_best_other_sentences() -> None:
    texts = {
        "Mills": "The mills of the north are turned by the wind.",
        "Sails": "Sails are sewn from a heavy cloth of linen.",
    }
    document = document_of(texts)
    brief = Brief(document, GenerationOptions())
    brief.choose(pages_of(document), _learned("finding", {}, 2))
    assert {one.text for one in brief.points} == set(texts.values())
