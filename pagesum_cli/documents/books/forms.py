"""The forms of a heading: how an entry of a contents list and a block of text are compared."""

from ...text.cleaning import one_line
from ...text.tables import patterns
from ..article.divisions import MAX_HEADING, Division, division_of, numbered, plain

FORMS = patterns(__file__, "books.toml")

# lines of a block that is a heading: a label, and a title on one or two lines
MAX_HEADING_LINES = 3


def lines_of(block: str) -> list[str]:
    """The lines of a block that are not empty, without the white space around them."""
    stripped = map(str.strip, block.split("\n"))
    return [line for line in stripped if line]


def ends_sentence(text: str) -> bool:
    """Whether a text ends like a sentence."""
    return FORMS["sentence_end"].search(text) is not None


def entry_of(line: str) -> str:
    """A line of a contents list without its page number, which stands after dots or two spaces."""
    line = line.strip().replace("\t", "  ")
    before = line.rstrip("0123456789ivxlc")
    title = before.rstrip(" .…·_")
    is_apart = bool(title) and len(before) - len(title) >= 2
    has_number = is_apart and (division_of(title) is not None or division_of(line) is None)
    return one_line(title if has_number else line)


def forms_of(entry: str) -> set[str]:
    """The ways in which an entry may stand as a heading: whole, its label alone, its title; a label
    with a title.
    """
    forms = {plain(entry)}
    division = division_of(entry) or numbered(entry)
    if division is not None and division.title:
        forms |= {_label(division), plain(division.title)}
    elif division is not None:
        forms.add(_label_with_title(division))
    return {form for form in forms if len(form) > 1}


def keys_of(block: str) -> set[str]:
    """The forms of which a contents list has one if the block is a heading that it lists."""
    lines = lines_of(block)
    is_short = 0 < len(lines) <= MAX_HEADING_LINES and sum(map(len, lines)) <= MAX_HEADING
    is_list = any(map(division_of, lines[1:]))
    if not is_short or is_list:
        return set()
    whole = one_line(" ".join(lines))
    keys = {plain(whole), plain(lines[0])}
    division = division_of(whole) or division_of(lines[0]) or numbered(whole)
    if division is not None:
        keys.add(_label_with_title(division))
    if division is not None and not division.title:
        keys.add(_label(division))
    return keys


def _label(division: Division) -> str:
    return f"{division.word or 'number'} {division.number}"


def _label_with_title(division: Division) -> str:
    return f"{_label(division)} …"
