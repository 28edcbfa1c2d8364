"""Bytes of unknown encoding → text."""

import pytest
from tiny import assert_linear

from pagesum_cli.documents.readers.encodings import decode
from pagesum_cli.errors import PagesumError

TEXTS = {
    "English": "A naïve café in the town of Málaga is open for us all.",
    "French": "Le naïf café est ouvert à tous. Où êtes-vous allés pendant l'été ? Des élèves "
    "étudiaient. " * 4,
    "quotes": "The “quoted” words — it’s here; they were naïve. " * 4,
    "Polish": "Zażółć gęślą jaźń; święto Łodzi w środę przyniosło ulewę. " * 5,
    "Russian": "Урожай погиб в апреле, и цены на хлеб выросли во всех губерниях. " * 4,
    "Greek": "Η σοδειά απέτυχε τον Απρίλιο και οι τιμές αυξήθηκαν. " * 4,
    "Japanese": "収穫は失敗した。パンの値段は上がった。政府は新しい法律を発表しました。" * 4,
    "Chinese": "今年的收成很差，面包价格上涨。政府宣布了新的法律。" * 4,
}
WIDE = [
    "utf-8",
    "utf-8-sig",
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "utf-32-le",
    "utf-32-be",
]
NARROW = {
    "English": ["cp1252", "latin-1"],
    "French": ["cp1252", "latin-1"],
    "quotes": ["cp1252"],
    "Polish": ["cp1250"],
    "Russian": ["cp1251", "koi8-r"],
    "Greek": ["cp1253"],
    "Japanese": ["shift_jis", "euc_jp"],
    "Chinese": ["gb18030", "big5"],
}


@pytest.mark.parametrize(
    ("language", "encoding"), [(name, one) for name in TEXTS for one in (*WIDE, *NARROW[name])]
)
def test_encodings_are_detected(language: str, encoding: str) -> None:
    text = TEXTS[language]
    if not text.isascii() and encoding == "big5":
        text = "今天天氣很好，我們去公園散步。政府宣布了新的法律。" * 4
    assert decode(text.encode(encoding), "a.txt") == text


def test_a_text_cut_off_inside_a_character_is_utf_8() -> None:
    data = ("Wörter und Sätze, " * 20 + "漢").encode()
    for cut in (1, 2):
        assert decode(data[:-cut], "a.txt") == "Wörter und Sätze, " * 20


@pytest.mark.parametrize("declared", ["", "utf-8"])
@pytest.mark.parametrize(
    ("damaged", "expected"),
    [
        (b"G\xf6del", "Gödel"),
        (b"\xc4rger", "Ärger"),
        (b"It\x92s late \x96 here", "It’s late – here"),
        (b"a cut caf\xc3", "a cut caf\ufffd"),
        ("Łód".encode() + b"\xc5", "Łód\ufffd"),
        (b"5\xb0 and \xbc", "5\ufffd and \ufffd"),
        (b"of \xe2\x80 Denton", "of \ufffd Denton"),
    ],
)
def test_damaged_bytes_change_nothing_else(damaged: bytes, expected: str, declared: str) -> None:
    data = "The café of Zoë Müller, ".encode() + damaged + " and the café of Łódź.".encode()
    text = decode(data, "a.txt", declared)
    assert text == f"The café of Zoë Müller, {expected} and the café of Łódź."


def test_one_damaged_byte_does_not_change_a_declared_encoding() -> None:
    text = TEXTS["Japanese"]
    data = text.encode("shift_jis") + b"\xff" + text.encode("shift_jis")
    assert decode(data, "a.html", "shift_jis") in (f"{text}\ufffd{text}", f"{text}\uf8f3{text}")


@pytest.mark.parametrize(
    "declared", ["undefined", "no-such", "idna", "punycode", "rot13", "unicode_escape", "zlib", ""]
)
def test_a_declared_encoding_that_is_none_is_ignored(declared: str) -> None:
    assert decode("Łódź".encode(), "a.html", declared) == "Łódź"


def test_a_declared_encoding_is_used() -> None:
    assert decode("Łódź".encode("iso-8859-2"), "a.html", "iso-8859-2") == "Łódź"


@pytest.mark.parametrize(
    "data",
    [b"\x7fELF\x02\x01\x01\x00" * 40, bytes(range(256)) * 20, b"PK\x03\x04\x14\x00\x06\x00" * 99],
)
def test_binary_data_is_refused(data: bytes) -> None:
    with pytest.raises(PagesumError, match="binary"):
        decode(data, "a.txt")


def test_large_files_take_little_time() -> None:
    data = (TEXTS["French"] + "\n").encode("cp1252") * 100_000
    assert decode(data, "a.txt").startswith("Le naïf")
    assert_linear(lambda count: decode(data[: len(data) // 2 * count], "a.txt"), 1)
