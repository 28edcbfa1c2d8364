"""How headings, captions and sentences are worded."""

from ...text.tables import patterns

FORMS = patterns(__file__, "wording.toml")
CAPTION = FORMS["caption"]
LICENCE = FORMS["licence"]
LEADER_DOTS = FORMS["leader_dots"]
ENUMERATOR = FORMS["enumerator"]


def ends_sentence(text: str) -> bool:
    """Whether a line ends with a stop, perhaps in quotes or brackets."""
    return text.rstrip("'\")]”’").endswith((".", "!", "?", ":", ";"))


def is_names(text: str) -> bool:
    """Whether a text is a list of people's names, three or more, or two with an initial."""
    names = [name.split() for name in FORMS["between_names"].split(text)]
    least, part = 2 if FORMS["initial"].search(text) else 3, FORMS["name_part"]
    return len(names) >= least and all(
        1 < len(name) < 6 and all(map(part.match, name)) for name in names
    )


def may_be_heading(text: str) -> bool:
    """Whether a text is worded like a heading."""
    words = text.split()
    is_short = len(words) <= 28 and len(text) <= 200
    is_open = text.rstrip().endswith((",", ";", "-", "=", "×", "−")) or words[-2:] == ["et", "al"]
    is_named = is_short and not is_open and _is_named(text) and _begins_like_heading(text)
    return is_named and not _is_no_heading(text)


def _is_named(text: str) -> bool:
    """Whether a text is mostly words: it has letters enough, those of a formula more."""
    names = FORMS["numbered_words"].findall(text)
    letters = sum(len(name) if len(name) > 3 else sum(map(str.isalpha, name)) for name in names)
    is_formula = "=" in text
    share = 0.75 if is_formula else 0.55
    if letters <= 1 or letters < share * len(text.replace(" ", "")):
        return False
    return not is_formula or max(map(len, FORMS["letters"].findall(text))) > 3


def _begins_like_heading(text: str) -> bool:
    """Whether a text begins with a capital, a number or the mark of an item."""
    is_capital = text[0].isupper() or text[0].isdigit() or text.split()[0][1:2].isupper()
    return is_capital or bool(FORMS["prefixed"].match(text) or ENUMERATOR.match(text))


def _is_no_heading(text: str) -> bool:
    """Whether a text is a caption, a list of names, or has what no heading has."""
    is_other = CAPTION.match(text) or LICENCE.search(text) or FORMS["no_heading"].match(text)
    has_other = FORMS["not_in_heading"].search(text) or LEADER_DOTS.search(text)
    return bool(is_other or has_other) or is_names(text)


def is_prose(text: str) -> bool:
    """Whether a text is made of sentences, not of labels and numbers."""
    words = text.split()
    return (
        len(words) >= 12
        and sum(map(str.isalpha, text)) > 0.7 * len(text.replace(" ", ""))
        and sum(map(str.islower, words)) > 0.5 * len(words)
    )
