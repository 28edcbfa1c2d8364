from itertools import pairwise

import pytest
from tiny import assert_linear

from pagesum_cli.documents.document import Paragraph, Section
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.text.sentences import sentence_spans, split_sentences

ONE_SENTENCE = [
    "Smith et al. (2010) found it, cf. Fig. 2a and Eq. 5.",
    "We saw E. coli and S. aureus, i.e. bacteria, e.g. Bacillus spp. in water.",
    "The value was approx. 3.5 mg vs. 4.0 mg, resp. more.",
    "Dr. J. K. Rowling met Prof. Smith at No. 7.",
    "It was bought by the U.S. army.",
    "Output rose at a rate of 6. 7 per cent, and then by 3. 5 million tons or 2. 1%.",
    "This holds (see Fig. 3. and Table 1) for all of them.",
]


@pytest.mark.parametrize("text", ONE_SENTENCE)
def test_abbreviations_do_not_end_sentences(text):
    assert split_sentences(text) == [text]


def test_sentences_end():
    text = "It rained [1,2]. We left in 2010. Was it late? Yes! “Stop.” Then he used vitamin C. However, no."
    assert split_sentences(text) == [
        "It rained [1,2].",
        "We left in 2010.",
        "Was it late?",
        "Yes!",
        "“Stop.”",
        "Then he used vitamin C.",
        "However, no.",
    ]


def test_latin_marks_between_chinese_letters_end_sentences():
    text = "首先对影像进行几何校正!然后计算地表温度。为什么?!因为R!和3!4都不是。"
    assert split_sentences(text) == ["首先对影像进行几何校正!", "然后计算地表温度。", "为什么?!", "因为R!和3!4都不是。"]


@pytest.mark.parametrize(
    "text",
    [
        "..[" + "111 " * 3000 + "]",
        "table.[" + "12 34 56 78 90 " * 2000,
        ".[" + "1" * 3000 + " A",
        "a" * 200_000,
        ". " * 50_000,
        "(" * 50_000,
        "?!..." * 5000,
        "x. (" * 20_000,
        '"' * 5000 + ". A b",
        "Mr. " * 20_000,
        "1. " * 20_000,
        "A. " * 30_000,
        "好" + "!?" * 30_000,
        "",
        "   ",
    ],
)
def test_no_text_hangs(text):
    spans = sentence_spans(text)
    assert_linear(lambda count: sentence_spans(text[: len(text) // 4 * count]), 2)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())


def test_spans_map_back_to_the_text():
    text = "  One is\there.  Two … is, e.g., here!\n\nThree ?! Four 1. a 2. b "
    spans = sentence_spans(text)
    assert all(text[a:b] == text[a:b].strip() != "" for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


def test_time_grows_with_the_text():
    text = "The fox (Fig. 2) jumps, e.g. at 3.5 km. It was late in the U.S. and nobody came. "
    assert len(sentence_spans(text * 12_500)) == 25_000  # 1 MB
    assert_linear(lambda count: sentence_spans(text * count), 3000)


def test_sentences_know_their_pages_and_heading():
    paragraph = Paragraph("One is here. Two begins and ends there.", ((0, 3), (24, 4)))
    sentences = sentences_of(Section("Methods", (paragraph,)))
    assert [(one.text, one.pdf_pages, one.heading) for one in sentences] == [
        ("One is here.", (3,), "Methods"),
        ("Two begins and ends there.", (3, 4), "Methods"),
    ]
