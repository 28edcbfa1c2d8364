"""Which language a text is in, by script and by its most frequent words."""

from pathlib import Path

import pytest

from pagesum_cli.text.suitability import FREQUENT, NAMES, foreign_to, name_of, script_of

TEXTS = Path(__file__).parents[1] / "data" / "unsuitable"
ENGLISH = (
    "The town has decided to keep the old station, and to use it as a library. The works will "
    "take two years and cost "
    "two million, of which the region pays a half."
)


@pytest.mark.parametrize(
    ("file", "name"),
    [("german", "German"), ("french", "French"), ("spanish", "Spanish"), ("chinese", "Chinese"),
     ("russian", "Cyrillic script")],
)  # fmt: skip
def test_a_text_in_another_language_is_named_but_not_to_a_model_of_that_language(
    file: str, name: str
) -> None:
    text = (TEXTS / f"{file}.txt").read_text(encoding="utf-8")
    code = {
        "German": "de",
        "French": "fr",
        "Spanish": "es",
        "Chinese": "zh",
        "Cyrillic script": "ru",
    }[name]
    assert foreign_to(text, ["en"]) == name
    assert foreign_to(text, [code]) is None
    assert foreign_to(text, ["en", code]) is None
    assert foreign_to(ENGLISH, [code]) == "English"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Finnish", "Kaupunki päätti keväällä säilyttää vanhan aseman ja tehdä siitä kirjaston. "
            "Työt kestävät kaksi "
         "vuotta. Monet asukkaat olivat aluksi sitä vastaan, koska he pelkäsivät, että koulu "
         "saisi vähemmän rahaa."),
        ("Polish", "Rada miasta postanowiła wiosną zachować stary dworzec i urządzić w nim "
            "bibliotekę. Wielu "
         "mieszkańców było na początku przeciw, bo obawiali się, "
         "że szkoła dostanie mniej pieniędzy."),
        ("Portuguese", "A câmara decidiu na primavera conservar a velha estação e transformá-la "
            "numa biblioteca. "
         "As obras vão durar dois anos e custar dois milhões, dos quais a região pagará a metade. "
         "Muitos moradores eram no início contra o plano, porque temiam que a escola recebesse "
         "menos dinheiro."),
    ],
)  # fmt: skip
def test_languages_of_few_small_words_are_known_too(name: str, text: str) -> None:
    assert foreign_to(text, ["en"]) == name


def test_english_is_not_foreign_whatever_it_quotes() -> None:
    assert foreign_to(ENGLISH, ["en"]) is None
    names = (
        "The genus Drosophila, described by Fallén; Tōkyō and Göttingen; α and β; the river "
        "Лена; 東京 in Japan. "
    )
    assert foreign_to(names + ENGLISH, ["en"]) is None
    abstract = "Die Gemeinde hat im vergangenen Jahr beschlossen, den alten Bahnhof zu erhalten. "
    assert foreign_to(abstract + 2 * ENGLISH, ["en"]) is None


@pytest.mark.parametrize(
    "text", ["", "Bahnhof", "1 2 3 " * 200, "def f(x, i, e): return x[i] + e\n" * 20]
)
def test_what_is_too_short_or_no_prose_is_not_foreign(text: str) -> None:
    assert foreign_to(text, ["en"]) is None


def test_japanese_is_told_from_chinese_by_its_kana() -> None:
    text = "町議会は昨年の春に古い駅舎を残して図書館にすることを決めた。"
    text += "工事には二年かかり、費用の半分は県が払う。多くの住民が初めは反対した。"
    script = script_of(text)
    assert script
    assert script.name == "Japanese"
    assert foreign_to(text, ["ja"]) is None


def test_every_language_has_a_name_and_words_of_two_letters_that_count() -> None:
    assert FREQUENT.keys() == NAMES.keys()
    assert all(sum(len(word) > 1 for word in words) > 25 for words in FREQUENT.values())
    assert (name_of("en"), name_of("ja"), name_of("ko"), name_of("xx")) == (
        "English",
        "Japanese",
        "Korean",
        "xx",
    )
