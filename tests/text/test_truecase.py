"""Lower-case word pieces become text."""

import pytest

from pagesum_cli.text.truecase import Truecaser

SOURCE = [
    "The World Bank in Zürich (Switzerland) lent 3.5 million to the harvest.",
    "Its harvest isn't large, said the World Bank's mid-term report.",
    "However, the report was late.",
]


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ("the world bank lent 3 . 5 million .", "The World Bank lent 3.5 million."),
        ("zurich ( switzerland ) isn ' t late .", "Zürich (Switzerland) isn't late."),
        (
            "its har ##vest was large . however , the mid - term report",
            "Its harvest was large. However, the mid-term report",
        ),
        ("unknown [UNK] words , apart - from : these", "Unknown words, apart-from: these"),
        ("", ""),
    ],
)
def test_words_and_spaces_are_those_of_the_documents(pieces: str, text: str) -> None:
    restored = Truecaser(SOURCE).restore(pieces.split())
    assert "".join(restored) == text
    assert len(restored) == len(pieces.split())


def test_pieces_of_a_word_share_its_letters() -> None:
    assert Truecaser(["In WiFi."]).restore(["the", "wi", "##fi"]) == ["The", " Wi", "Fi"]
