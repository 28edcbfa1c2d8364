"""Pairs of texts with one difference, of characters from all categories of Unicode: how many are
*verbatim* though the table of typographic variants does not have them.

    python tests/benchmarks/pairs.py [--count 100000] [--seed 0]

A difference is a character that stands for another one, that is added, or a space that is added, in
a word, between words, or in or beside a number.
"""

import argparse
import random
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim
from pagesum_cli.text.cleaning import one_line

TEXT = "The old council {} met in the hall to hear what the farmers said"
HOSTS = ("farm{}", "{}farm", "fa{}rm", "farm {} hill", "20{}", "{}20", "2{}0", "20 {} 30", "x{}y",
         "{}", "now{}here", "of 5 {}g", "of 5 m{}", "in 10{} cells", "H{}O")  # fmt: skip

QUOTES = ("QUOTATION MARK", "APOSTROPHE", "CORNER BRACKET")
ACCENTS = ("GRAVE ACCENT", "ACUTE ACCENT")
DESIGNS = ("compat", "font", "wide", "narrow", "small", "vertical", "initial", "medial", "final",
           "isolated", "noBreak")  # fmt: skip
SAME = {"MASCULINE ORDINAL INDICATOR": "°", "RING ABOVE": "°", "WHITE BULLET": "°",
        "RING OPERATOR": "°", "TILDE OPERATOR": "~", "ASTERISK OPERATOR": "*", "MINUS SIGN": "-",
        "FRACTION SLASH": "/", "DIVISION SLASH": "/"}  # fmt: skip
"""Signs that fonts of PDFs have for another one."""


@cache
def characters() -> dict[str, list[str]]:
    """All characters by category, without surrogates, private and unassigned ones."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for code in range(sys.maxunicode + 1):
        kind = unicodedata.category(chr(code))
        if kind not in ("Cs", "Co", "Cn"):
            found[kind].append(chr(code))
    return found


def relatives(character: str) -> list[str]:
    """Characters that normalization makes of one: those that are taken for it most easily."""
    forms = (unicodedata.normalize(form, character) for form in ("NFD", "NFKC", "NFKD"))
    return [one for form in forms for one in (form, form.lower(), form[:1]) if one]


def pairs(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """Pairs of texts that differ, each as a paragraph holds it."""
    chance = random.Random(seed)
    kinds = characters()
    while count:
        one = chance.choice(kinds[chance.choice([*kinds])])
        other = chance.choice(kinds[chance.choice([*kinds])])
        other = chance.choice((other, chance.choice(relatives(one)), "", " ", f"{one} {one}"))
        host = TEXT.format(chance.choice(HOSTS))
        left, right = (one_line(host.format(mark)) for mark in (one, other))
        if folded(left) != folded(right):
            count -= 1
            yield (left, right) if chance.random() < 0.5 else (right, left)


def folded(text: str) -> str:
    """A text as all its variants have it, by names and categories of Unicode and not by the table
    of the program; single and double quotation marks are the same, and spaces beside anything but
    letters and numbers say nothing.
    """
    text = unicodedata.normalize("NFC", text)
    plain = "".join(
        "'" if is_quote(text[place - 1 : place], one, text[place + 1 :][:1]) else plain_form(one)
        for place, one in enumerate(text)
    )
    plain = plain.replace("''", "'").replace("…", "...")
    kept = [
        one
        for place, one in enumerate(plain)
        if not one.isspace() or (plain[place - 1].isalnum() and plain[place + 1 :][:1].isalnum())
    ]
    return "".join(kept)


def is_quote(before: str, character: str, after: str) -> bool:
    """Whether an accent that stands by itself is an apostrophe or opens a quotation."""
    name = unicodedata.name(character, "")
    is_opening = name == ACCENTS[0] and not before.isalnum() and after.isalnum()
    return name in ACCENTS and ((before.isalpha() and after.isalpha()) or is_opening)


@cache
def plain_form(character: str) -> str:
    """What a character is another design of."""
    name, kind = unicodedata.name(character, ""), unicodedata.category(character)
    if any(one in name for one in QUOTES) and kind[0] in "PS":
        return "'"
    if name in SAME:
        return SAME[name]
    if kind == "Pd" and "WAVE" not in name and "DOUBLE" not in name:
        return "-"
    form = unicodedata.decomposition(character).partition(" ")[0].strip("<>")
    plain = unicodedata.normalize("NFKC", character)
    is_radical = "RADICAL" in name and plain != character
    is_design = form in DESIGNS and kind[0] in "LMPZ"
    return plain if is_radical or is_design else character


def verdict(claim: str, text: str) -> str:
    """What a claim is of a document with one paragraph."""
    document = Document("a.txt", (Section("", (Paragraph(text),)),))
    return Checker.of([document]).check(Claim(claim)).verdict


def main() -> None:
    """Print the pairs that are verbatim, and how many there are of each verdict."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    verdicts: Counter[str] = Counter()
    began = time.process_time()
    for claim, text in pairs(asked.seed, asked.count):
        found = verdict(claim, text)
        verdicts[found] += 1
        if found == "verbatim":
            print(f"{claim!a}\n  {text!a}", flush=True)
    print(f"{verdicts.total()} pairs: {dict(verdicts)}; {time.process_time() - began:.0f} s")
    sys.exit(verdicts["verbatim"] > 0)


if __name__ == "__main__":
    main()
