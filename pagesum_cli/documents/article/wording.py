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
    names = FORMS["numbered_words"].findall(text)
    letters = sum(len(name) if len(name) > 3 else sum(map(str.isalpha, name)) for name in names)
    return (
        letters > 1
        and letters >= (0.75 if "=" in text else 0.55) * len(text.replace(" ", ""))
        and ("=" not in text or max(map(len, FORMS["letters"].findall(text))) > 3)
        and len(words) <= 28
        and len(text) <= 200
        and not text.rstrip().endswith((",", ";", "-", "=", "×", "−"))
        and not CAPTION.match(text)
        and not LICENCE.search(text)
        and not FORMS["no_heading"].match(text)
        and not is_names(text)
        and (
            text[0].isupper()
            or text[0].isdigit()
            or words[0][1:2].isupper()
            or bool(FORMS["prefixed"].match(text) or ENUMERATOR.match(text))
        )
        and not FORMS["not_in_heading"].search(text)
        and words[-2:] != ["et", "al"]
        and not LEADER_DOTS.search(text)
    )


def is_prose(text: str) -> bool:
    """Whether a text is made of sentences, not of labels and numbers."""
    words = text.split()
    return (
        len(words) >= 12
        and sum(map(str.isalpha, text)) > 0.7 * len(text.replace(" ", ""))
        and sum(map(str.islower, words)) > 0.5 * len(words)
    )
