"""The plain summary of a by-law or a policy."""

from dataclasses import replace

import pytest

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.documents.units import with_units
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.essentials import Essentials, essential_kind
from pagesum_cli.shapes.points import points_of
from pagesum_cli.shapes.regulations import fitting, is_regulation

SCOPE = "This by-law shall apply to all mills on land of the town."
MORE = "In addition, this by-law shall apply to all mills beside the brook."
PERMIT = "Every owner of a mill must obtain a permit from the clerk before any stone is turned."
EXEMPT = "Windmills with fewer than three sails are exempt from this by-law."
FINE = "Turning a stone without a permit is an offense punishable by a fine of $300 per stone."
EACH = "Each stone is a separate offense."
HISTORY = (
    "Mills have stood here for long, and many visitors of the town come in summer, with their "
    "children and their dogs, to see how flour was made before anyone had bread from a shop."
)
TEXTS = {
    "Definitions": "“Permit” means what every owner shall have. A stone must weigh ten pounds.",
    "Applicability": f"{SCOPE} {MORE} {EXEMPT}",
    "Permits": f"{PERMIT} Within seven (7) days of the grinding, the owner shall file a report.",
    "Conduct": "No person shall grind wheat at night. The brook is cold, and willows stand there.",
    "Decisions": "The Mill Board may approve an application in part.",
    "Penalties": f"{FINE} {EACH}",
    "History": " ".join([HISTORY] * 14),
}


def _by_law(texts: dict[str, str], title: str = "Mill By-law") -> Document:
    sections = [
        Section(name, tuple(map(Paragraph, text.split("\n")))) for name, text in texts.items()
    ]
    return Document("mill.md", tuple(with_units(sections)), title)


def _pages(document: Document) -> Pages:
    page = Page("file", document.name, "", tuple(all_sentences(document)), 100)
    return Pages("discourse", (page,))


def _chosen(document: Document, sentences: int | None = None) -> list[str]:
    kind = essential_kind([document])
    assert kind
    pages = _pages(document)
    items = pages.pages[0].sentences
    options = GenerationOptions(sentences=sentences)
    shape = Essentials(document, options, kind)
    assert shape.fits(pages)
    scores = {(0, number): 0.0 for number, one in enumerate(items) if one.is_quotable}
    return [items[number].text for _, number in shape.choose(pages, scores)]


def test_a_by_law_says_who_must_do_what_until_when_and_what_it_costs() -> None:
    chosen = _chosen(_by_law(TEXTS))
    for text in (SCOPE, PERMIT, EXEMPT, FINE, TEXTS["Decisions"]):
        assert text in chosen
    assert any("seven (7) days" in one for one in chosen)
    assert any("at night" in one for one in chosen)
    assert not any("ten pounds" in one for one in chosen)


def test_a_clause_brings_the_sentences_that_extend_or_limit_it() -> None:
    chosen = _chosen(_by_law(TEXTS))
    assert chosen[chosen.index(SCOPE) + 1] == MORE
    assert chosen[chosen.index(FINE) + 1] == EACH


def test_a_clause_about_the_sentence_before_it_brings_that() -> None:
    first = "The first mill of any farm in a single year."
    limit = "This exception does not apply to tide mills of the town."
    chosen = _chosen(_by_law(TEXTS | {"Exemptions": f"{first} {limit}"}))
    assert chosen[chosen.index(limit) - 1] == first


def test_a_number_of_sentences_holds() -> None:
    assert len(_chosen(_by_law(TEXTS), sentences=2)) == 2


def test_a_short_list_of_what_must_be_done_is_quoted_whole() -> None:
    items = [
        "* Keep the stones dry.",
        "* Sweep the floor daily.",
        "* Lock the door, if there is one.",
    ]
    text = "\n".join(["Each mill that an owner operates must:", *items])
    chosen = _chosen(_by_law(TEXTS | {"Permits": text}, "Mill policy"))
    assert [one for one in chosen if one in " ".join(items)] == [one[2:] for one in items]


def test_what_explains_the_rules_below_questions_fills_no_slot() -> None:
    answer = "All owners must ask the miller before any loaf is eaten."
    pages = _pages(_by_law(TEXTS | {"Mill FAQ": "See below.", "Must I ask?": answer}))
    places = {(0, n): 0.0 for n, one in enumerate(pages.pages[0].sentences) if one.is_quotable}
    found = fitting(points_of(pages, places, {}, [""]), pages)
    assert found["requirement"]
    assert answer not in [one.text for points in found.values() for one in points]


@pytest.mark.parametrize(
    ("title", "first", "expected"),
    [
        ("Mill By-law", "", True),
        ("Access policy", "", True),
        ("", "BY-LAW NO. 64 BEING A BY-LAW TO RESTRICT MILLS.", True),
        ("The mills of the valley", "", False),
    ],
)
def test_a_by_law_is_known_by_its_title_or_its_first_words(
    title: str, first: str, expected: bool
) -> None:
    assert is_regulation(_by_law({"Town": first} | TEXTS, title)) is expected


def test_rules_without_a_title_are_known_by_how_many_bind_or_by_their_sections() -> None:
    rules = "Each miller shall keep the stones dry. No miller may not sweep the floor. " * 40
    talk = "The mill stands at the brook. The wheel turns in the wind of the valley. " * 30
    assert is_regulation(_by_law({"The millers": rules}, ""))
    assert not is_regulation(_by_law({"The millers": rules + talk * 4}, ""))
    assert not is_regulation(_by_law({"The millers": rules.replace("shall", "SHALL")}, ""))
    assert not is_regulation(_by_law({"Words": "must " + "mill " * 600 + "."}, ""))
    sections = {f"Sec. 3-{number}. Stones": f"{rules}{talk}{talk}" for number in range(1, 6)}
    assert is_regulation(_by_law(sections, ""))


def test_a_policy_that_says_to_whom_it_applies_obliges_in_plain_words() -> None:
    plain = "Millers should sweep the floor each day. They will then lock the door of the mill. "
    applies = "This access policy applies to all millers. "
    assert is_regulation(_by_law({"": applies + plain * 40}, "Mill access policy"))
    assert not is_regulation(_by_law({"": plain * 40}, "Mill access policy"))


def test_a_text_about_a_policy_that_obliges_nobody_is_none() -> None:
    assert not is_regulation(_by_law({"History": TEXTS["History"]}, "The policy of mills"))


def test_rules_about_the_subject_come_first_and_the_largest_penalty() -> None:
    rules = [
        "Every clerk must sign the orders of the board in ink.",
        "Every owner must weigh each stone of a mill of over 3 tons.",
        "The owner of a mill must remove dust no later than seven days after the harvest.",
        "The short title of this by-law shall be the “Stones By-law”.",
        "For the purposes of this by-law, each mill must be counted within two days.",
        "This document has been reproduced for convenience and shall be read with the others.",
    ]
    fines = [
        "A person who turns a stone at night is liable to a fine of $50.",
        "A person who sells wet flour is liable to a fine of $10,000.",
    ]
    repealed = "By-law 12 of the town on wind and water is hereby repealed."
    texts = {"General": " ".join(rules), "Penalties": " ".join(fines), "Repeal": repealed}
    pages = _pages(_by_law(texts, "Mills and Stones By-law"))
    pages = replace(pages, pages=(replace(pages.pages[0], title="Mills and Stones By-law"),))
    places = [(0, number) for number, _ in enumerate(pages.pages[0].sentences)]
    found = fitting(points_of(pages, dict.fromkeys(places, 0.0), {}, [""]), pages)
    assert [one.text for one in found["requirement"]] == [rules[1]]
    assert [one.text for one in found["deadline"]] == [rules[2]]
    assert [one.text for one in found["penalty"]] == fines[::-1]
    assert [one.text for one in found["repeal"]] == [repealed]


def test_what_it_is_an_offence_not_to_do_is_forbidden() -> None:
    text = "It shall constitute an offence for any person to keep more than three mills."
    pages = _pages(_by_law({"Mills": text}))
    places = [(0, number) for number, _ in enumerate(pages.pages[0].sentences)]
    found = fitting(points_of(pages, dict.fromkeys(places, 0.0), {}, [""]), pages)
    assert [one.text for one in found["prohibition"]] == [text]
    assert not found["penalty"]


def test_what_is_not_governed_is_an_exception_below_such_a_heading_only() -> None:
    text = "Nothing in this chapter shall affect any right of the town to the water of the brook."
    for heading, expected in (("§ 12-4. Exemptions.", [text]), ("§ 12-4. Water.", [])):
        pages = _pages(_by_law({heading: text}))
        places = [(0, number) for number, _ in enumerate(pages.pages[0].sentences)]
        found = fitting(points_of(pages, dict.fromkeys(places, 0.0), {}, [""]), pages)
        assert [one.text for one in found["exception"]] == expected


def test_a_deadline_is_quoted_without_the_other_items_of_a_long_list() -> None:
    asks = "A miller who is not content shall do the following:"
    long = " ".join(["speak with the clerk of the mill in the hall of the town"] * 8)
    items = [f"(a) {long}; and", "(b) file a complaint within ten days of the notice."]
    texts = TEXTS | {"Complaints": "\n".join([asks, *items])}
    chosen = _chosen(_by_law(texts))
    assert any("ten days" in one for one in chosen)
    assert not any("speak with the clerk" in one for one in chosen)


def _found(texts: dict[str, str]) -> dict[str, list[str]]:
    pages = _pages(_by_law(texts))
    places = [(0, number) for number, _ in enumerate(pages.pages[0].sentences)]
    found = fitting(points_of(pages, dict.fromkeys(places, 0.0), {}, [""]), pages)
    return {slot: [one.text for one in points] for slot, points in found.items()}


def test_a_date_of_effect_is_in_force_and_an_end_of_a_permit_a_deadline() -> None:
    effect = "The provisions of this article shall take effect on January 1, 2031."
    end = "A permit shall expire the following March 31st of when it is issued."
    found = _found({"Permits": end, "Effective date": effect})
    assert found["repeal"] == [effect]
    assert found["deadline"] == [end]


def test_a_sanction_and_a_list_of_data_are_no_deadlines() -> None:
    sanction = (
        "Should a mill receive three or more violations within a six month period, any stone of "
        "the mill shall be ineligible to be turned for a period of six months."
    )
    data = (
        "The request shall contain the following information: the name of a person who answers "
        "within two hours of being called."
    )
    found = _found({"Mills": f"{sanction} {data}"})
    assert not found["deadline"]


def test_a_clause_brings_the_kind_of_things_that_it_is_about() -> None:
    kind = "A miller may offer a shared mill all the year."
    clause = "Two stones in the mill must be reserved for, and turned by, the miller of 3 years."
    chosen = _chosen(_by_law(TEXTS | {"Permits": f"{kind} {clause}"}))
    assert chosen[chosen.index(clause) - 1] == kind


def test_a_rule_with_a_limit_comes_before_one_without() -> None:
    plain = "Every owner must mark the mill with a bright sign of the town."
    limit = "Every owner must hold the mill to at most ten guests of the town."
    assert _found({"Mills": f"{plain} {limit}"})["requirement"] == [limit, plain]
