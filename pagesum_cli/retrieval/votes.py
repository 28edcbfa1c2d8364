"""The motion before a vote that does not name it: "Motion carried."."""

from ..documents.model import Sentence
from ..text.tables import patterns

REACH = 5  # sentences from a motion to its vote
LONGEST = 300  # characters of a motion that is shown before its vote
_FORMS = patterns(__file__, "votes.toml")


class Motions:
    """The motion that is open while the sentences of a section are read."""

    def __init__(self) -> None:
        self._motion = ""
        self._distance = 0
        self._end = -1

    def before(self, sentence: Sentence) -> str:
        """What is shown before the next sentence: the open motion, if it is a vote that does not
        say what it is on; otherwise empty.
        """
        text, motion = sentence.text, self._motion
        self._distance += 1
        is_near = bool(motion) and self._distance <= REACH
        is_next = 0 <= sentence.start - self._end <= 1
        if _FORMS["bare"].fullmatch(text):
            self._motion = ""
            return f"{motion}{' ' if is_next else ' … '}" if is_near else ""
        self._read(sentence)
        return ""

    def _read(self, sentence: Sentence) -> None:
        """Note a motion; a sentence with a result ends the one before it. A motion that names its
        seconder may have the word of a result before that: "to publish approved minutes".
        """
        if _FORMS["result"].search(sentence.text.rpartition("seconded")[2]):
            self._motion = ""
        elif _FORMS["motion"].search(sentence.text):
            is_short = len(sentence.text) <= LONGEST
            self._motion = sentence.text if is_short else ""
            self._distance, self._end = 0, sentence.end
