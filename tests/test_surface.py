import time

import pytest
from tokenizers import normalizers, pre_tokenizers

from pagesum_cli.surface import Surface

SOURCE = [
    "The pH of the mRNA solution was 7.4 in Zürich.",
    "We used an iPhone (Apple Inc.) for E. coli, e.g. in vitro.",
    "Transformers were described by Vaswani et al. in 2017.",
    "In fact, the state-of-the-art model needs 1,024 tokens; that is 2.5% more.",
    "It is said that the so-called “attention” of Smith's model isn't “free”.",
    "The DNA/RNA ratio was 3:1 (see Fig. 2).",
    "Measurements of Vaswani were repeated.",
]


def tokens_of(text):
    """As a lower-case vocabulary that knows every word cuts it."""
    plain = normalizers.BertNormalizer(lowercase=True).normalize_str(text)
    return [token for token, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(plain)]


def restored(text, source=SOURCE, **more):
    pieces = Surface(source, **more).restore(tokens_of(text))
    assert len(pieces) == len(tokens_of(text))
    return "".join(pieces)


@pytest.mark.parametrize("sentence", SOURCE)
def test_a_sentence_of_the_source_comes_back_as_it_was(sentence):
    assert restored(sentence) == sentence


def test_what_is_copied_is_written_as_where_it_stood():
    source = [
        "See panel B of the figure (Fig. 8B). however it was.",
        "- Many items of a list",
        "The items:",
        "Panel b of the other figure is elsewhere.",
    ]
    assert restored("The items: - Many items of a list", source) == "The items: - Many items of a list"
    text = "panel b of the figure (fig. 8b). however it was. panel b of the other figure is elsewhere."
    assert restored(text, source) == (
        "Panel B of the figure (Fig. 8B). however it was. Panel b of the other figure is elsewhere."
    )


def test_an_item_of_a_list_is_a_sentence_without_its_bullet():
    source = [
        "- support of self-custody on every node.",
        "* Loader.load was called as loader.load(name, path).",
        "• loader.load is called by it.",
        "* bindToken is called by it too.",
        "-5 degrees are cold for the nodes.",
        "The nodes - all of them - are warm.",
    ]
    assert restored(" ".join(source), source) == (
        "Support of self-custody on every node. Loader.load was called as loader.load(name, path). "
        "• loader.load is called by it. * bindToken is called by it too. -5 degrees are cold for the nodes. "
        "The nodes - all of them - are warm."
    )


def test_a_summary_does_not_begin_with_what_joins_its_first_sentence_to_another():
    source = [
        "Therefore, the aim of it is a test.",
        "However, few tests of it exist.",
        "Thus, loader.load is called by it.",
    ]
    assert restored(" ".join(source), source) == (
        "The aim of it is a test. However, few tests of it exist. Thus, loader.load is called by it."
    )
    assert restored(source[2], source) == source[2]
    assert restored("However, nobody copied this.", source) == "However, nobody copied this."


def test_a_sentence_that_has_no_capital_in_the_document_gets_one():
    source = ["support of it on every node.", "loader.load is called by that one.", "pH is low in every node."]
    assert restored(" ".join(source), source) == (
        "Support of it on every node. loader.load is called by that one. pH is low in every node."
    )


def test_an_unknown_word_is_known_where_it_is_copied():
    source = ["Users of version 3.0 like 👀 very much."]
    tokens = ["[UNK]" if token == "👀" else token for token in tokens_of(source[0])]
    assert "".join(Surface(source).restore(tokens)) == source[0]
    assert "".join(Surface(source).restore(["users", "[UNK]", "like", "it"])) == "Users like it"
    assert "".join(Surface(source).restore(["[UNK]", "users", "like", "it"])) == "Users like it"


def test_an_unknown_word_comes_back_where_it_begins_what_is_copied():
    source = ["👀 eyes are on the very first page.", "Some like 👀 eyes that are on a page."]
    for text in (source[0], source[1], " ".join(source)):
        tokens = ["[UNK]" if token == "👀" else token for token in tokens_of(text)]
        assert "".join(Surface(source).restore(tokens)) == text


@pytest.mark.parametrize(
    "text",
    [
        "Apple solutions of mRNA were free.",
        "An iPhone was used in Zürich.",
        "pH was measured. We used 4.5 of it.",
        "By E. coli, more DNA was needed (2.5% more).",
        "Vaswani et al. measured the pH in vitro, e.g. in Zürich.",
        "However, the DNA is free; however, the RNA isn't.",
        "That is so. However, we needed more. In 2017, Smith's model was described.",
    ],
)
def test_what_the_source_shows_is_put_together_anew(text):
    assert restored(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "He didn't pay $3.50 (or 1,000) on Monday in June, I think.",
        'She said "no" and "not now" twice.',
        "A well-known and/or u.s. rule: stop! Really? Yes.",
        "Results: It works. Methods: We asked.",
    ],
)
def test_without_a_source_the_rules_of_typography_hold(text):
    assert restored(text, []).lower() == text.lower()


def test_sentences_begin_with_a_capital_unless_the_word_never_has_one():
    assert restored("it works. mRNA too. now what?", SOURCE) == "It works. mRNA too. Now what?"


def test_capitals_of_sentence_beginnings_and_headings_do_not_spread():
    source = ["Measurements were made.", "Those measured were few."]
    assert (
        restored("few measurements of methods", source, headings=["Methods and Data"]) == "Few measurements of methods"
    )


def test_a_form_that_only_headings_show_is_kept():
    assert restored("we use pagerank", [], headings=["How PageRank works"]) == "We use PageRank"


def test_the_plural_of_an_acronym_is_one_too():
    assert restored("both DNAs and mRNAs") == "Both DNAs and mRNAs"


def test_each_word_piece_has_its_part_of_the_word():
    surface = Surface(["We met in Zürich with the iPhone."])
    assert surface.restore(["in", "zu", "##rich", "iph", "##one", "."]) == ["In", " Zü", "rich", " iPh", "one", "."]


def test_a_form_of_another_length_loses_no_letter():
    surface = Surface(["An e\u0301clair of İstanbul was there."])
    pieces = surface.restore(["ec", "##lair", "is", "##tan", "##bul"])
    assert pieces == ["E\u0301c", "lair", " İs", "tan", "bul"]


def test_odd_tokens_do_no_harm():
    surface = Surface([])
    assert surface.restore([]) == []
    assert surface.restore(["##er", "##s"]) == ["##er", "s"]
    assert surface.restore(["##"]) == ["##"]
    assert len(surface.restore(['"', "'", '"', ".", ".", ")", "("])) == 7


def test_learning_takes_linear_time():
    def seconds(size):
        text = [f"Word{number % 997} of the Sentence, {number}." for number in range(size)]
        began = time.process_time()
        Surface(text).restore(tokens_of(" ".join(text[:500])))
        return time.process_time() - began

    assert seconds(40_000) < 8 * max(seconds(10_000), 0.05)
