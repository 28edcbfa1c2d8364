"""The language of a text: by its script, and in Latin script by its most frequent words."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

MIN_LETTERS = 60
"""Letters below which a language is not guessed."""

CLEAR_SHARE = 0.06
"""Share of a language's frequent words, from which a text may be in it (Finnish prose: 0.07, English: 0.2 to 0.45)."""

CLEARLY_MORE = 2
"""How many times an expected language's share that of the text's language must be."""


class Script(NamedTuple):
    """A script other than Latin.

    Attributes:
        name: In a sentence.
        languages: Codes (ISO 639-1) of the languages that are written in it.
        letters: One letter, as a class of a regular expression.
        spaced: Whether words are separated by spaces.
    """

    name: str
    languages: frozenset[str]
    letters: re.Pattern[str]
    spaced: bool = True


def _script(name: str, languages: str, letters: str, *, spaced: bool = True) -> Script:
    return Script(name, frozenset(languages.split()), re.compile(f"[{letters}]"), spaced)


SCRIPTS = (
    _script("Japanese", "ja", "ぁ-ヿ", spaced=False),  # beside Han, kana are a part of the letters: see script_of
    _script("Chinese", "zh ja", "㐀-䶿一-鿿", spaced=False),
    _script("Korean", "ko", "가-힣"),
    _script("Cyrillic script", "be bg kk ky mk mn ru sr tg uk", "Ѐ-ӿ"),
    _script("Greek", "el", "Ͱ-Ͽἀ-῿"),
    _script("Arabic script", "ar fa ps ur", "؀-ۿݐ-ݿ"),
    _script("Hebrew", "he yi", "֐-׿"),
    _script("Devanagari script", "hi mr ne sa", "ऀ-ॿ"),
    _script("Bengali script", "as bn", "ঀ-৿"),
    _script("Tamil", "ta", "஀-௿"),
    _script("Telugu", "te", "ఀ-౿"),
    _script("Thai", "th", "฀-๿", spaced=False),
    _script("Armenian", "hy", "԰-֏"),
    _script("Georgian", "ka", "Ⴀ-ჿ"),
)
_ASCII = re.compile(r"[\x00-\x7f]+")
_LATIN = re.compile(r"[A-Za-zÀ-ɏḀ-ỿ]")
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)?")  # single letters are names of variables too

NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "sv": "Swedish", "da": "Danish", "no": "Norwegian", "fi": "Finnish", "pl": "Polish", "cs": "Czech",
    "hu": "Hungarian", "ro": "Romanian", "tr": "Turkish", "id": "Indonesian", "vi": "Vietnamese", "ca": "Catalan",
}  # fmt: skip

FREQUENT = {
    code: frozenset(words.split())
    for code, words in {
        "en": "the of and to in a is that for it as was with be by on not he this are or his from at which but have an "
        "had they you were their one all we can has there been if more when will would who so no our its these",
        "de": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus "
        "er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor",
        "fr": "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec ou "
        "son aux cette ont mais comme on été leur ses nous elle être fait même tout",
        "es": "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha este sí "
        "porque esta entre cuando muy sin sobre también fue era son han hay",
        "it": "di e il la che in a per un del della è non una le i con si da dei al alla sono come nel più anche delle "
        "ha ma gli o dal nella lo su questo essere tra stato loro",
        "pt": "de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou "
        "quando muito nos já está também pelo pela até isso são foi entre",
        "nl": "de van het een en in is dat op te zijn met voor niet die aan er ook als om door maar bij uit nog naar "
        "dan wordt over heeft worden hij kan of deze geen werd tot onder wel",
        "sv": "och i att det som en på är av för med den till inte om ett har de men var jag han sig från så vi kan "
        "eller också när hon där efter man skulle under mot sin dessa blev mycket",
        "da": "og i at det er en til af på som med for den de ikke der var et har han om men fra vi sig kan eller også "
        "efter blev være skal ved ud op havde hans hun nu meget deres",
        "no": "og i det er på som en til av at for med har de den ikke om et men var jeg seg han fra vi kan eller også "
        "etter ble være skal ved ut opp hadde hun nå mye deres",
        "fi": "ja on ei se että oli hän ovat joka kun mutta myös tai niin kuin jos sen ole ollut olla jotka hänen tämä "
        "sekä mukaan vain kanssa voi jonka jo nyt sitä ne",
        "pl": "w i na z się do nie że to jest o jak po od za przez co a dla są być który tym oraz ale był jako ich "
        "przy jego które tego pod lub także może było ma",
        "cs": "a v se na je že s z do o to i ve k pro za by jsou jako po ale od které který byl jeho při nebo také "
        "bylo však podle není tak může mezi až kde",
        "hu": "a az és hogy nem is egy ez volt de meg csak már van el mint azt vagy ha minden ki még kell lehet ezt "
        "lesz ami aki között után szerint",
        "ro": "de și în la a o un cu care că nu pe din este mai se pentru sunt ce prin au fost sau după fi dar lui ei "
        "ca între al ale această acest",
        "tr": "ve bir bu da de için ile olarak çok en daha olan gibi kadar ne o ya ki sonra var ise değil mi her ama "
        "olduğu tarafından göre ancak yok veya",
        "id": "yang dan di dengan untuk dari pada ini itu dalam tidak adalah akan ke oleh juga atau karena bisa "
        "sebagai ada telah mereka kami lebih dapat tersebut saat",
        "vi": "và của là các có được cho trong không một với những người để này đã khi đến từ về như ra nhiều năm vào "
        "cũng nhưng trên phải bị lại sẽ",
        "ca": "de la i el que a en els les un per amb una no es del dels al més com però seva seu ha són són aquest "
        "també entre sobre fins va ser",
    }.items()
}
"""About the forty most frequent words of each language in Latin script."""


def foreign_to(text: str, languages: Sequence[str]) -> str | None:
    """The language or script of a text, if it clearly is none of the given languages.

    Args:
        text: Any text; a few thousand words are enough.
        languages: Codes (ISO 639-1) of the expected languages.

    Returns:
        Its name; None if the text is in one of them, or if that is not clear.
    """
    script = script_of(text)
    if script:
        return None if script.languages & set(languages) else script.name
    shares = frequent_shares(text)
    if not shares:
        return None
    best = max(shares, key=lambda code: shares[code])
    own = max((shares.get(code, 0.0) for code in languages), default=0.0)
    if any(code not in FREQUENT for code in languages) and best not in languages and shares[best] < 2 * CLEAR_SHARE:
        return None  # it may be in the language of which no words are known
    return NAMES[best] if shares[best] >= max(CLEAR_SHARE, CLEARLY_MORE * own) else None


def script_of(text: str) -> Script | None:
    """The script in which most of a text is; None for Latin script, and for too few letters."""
    others = _ASCII.sub("", text)
    if len(others) < MIN_LETTERS:
        return None
    counts = [len(script.letters.findall(others)) for script in SCRIPTS]
    kana, han = counts[:2]
    if kana > 0.1 * han:  # Japanese is written in both
        counts[:2] = [kana + han, 0]
    most = max(counts)
    if most < MIN_LETTERS or most <= sum(counts) - most + len(_LATIN.findall(text)):
        return None
    return SCRIPTS[counts.index(most)]


@lru_cache(maxsize=32)
def frequent_shares(text: str) -> Mapping[str, float]:
    """The share of a text's words that are among the frequent ones of each language; empty for too few letters."""
    counts = Counter(word.lower() for word in _WORD.findall(text))
    if sum(len(word) * count for word, count in counts.items()) < MIN_LETTERS:
        return {}
    total = counts.total()
    return {code: sum(counts[word] for word in frequent) / total for code, frequent in FREQUENT.items()}


def name_of(code: str) -> str:
    """The name of a language, or its code if the name is not known."""
    return NAMES.get(
        code, next((one.name for one in SCRIPTS if code in one.languages and len(one.languages) == 1), code)
    )
