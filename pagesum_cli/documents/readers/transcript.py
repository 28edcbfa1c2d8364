"""Transcripts with times (SRT, WebVTT, Whisper's JSON) → Document."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import accumulate, pairwise
from typing import NamedTuple

from ...errors import PagesumError
from ...text.cleaning import clean, one_line
from ...text.tables import patterns
from ..article.building import SectionBuilder, document, left_out
from ..input import Input
from ..model import Document, Paragraph, clock
from .encodings import decode

BLOCK, PARAGRAPH = 200, 80
"""Words after which a new part of the recording, or a new paragraph of a speech, begins with the
next sentence.
"""

UNPUNCTUATED = 30  # words for each full stop from which on so many words stand for a sentence
# share of captions that begin with the last line of the one before, in files whose lines roll up
ROLLING = 1 / 3
LAST = 1_000_000.0  # seconds: no recording is longer

_FORMS = patterns(__file__, "transcript.toml")


class Cue(NamedTuple):
    """The second at which words begin, the words, and who says them; None for the speaker of the
    cue before.
    """

    start: float
    text: str
    speaker: str | None


def read(source: Input) -> list[Document]:
    """The one document of a transcript: a section for each speech, below one for each part of the
    recording.
    """
    text = clean(decode(source.data, source.path))
    cues = list(
        _of_json(text, source.path) if text.lstrip().startswith("{") else _of_captions(text)
    )
    if not cues or any(not 0 <= cue.start <= LAST for cue in cues):
        message = (
            f"{source.path}: expected a transcript, found no words with times (00:12 --> 00:15)"
        )
        raise PagesumError(message, "if it is a text, rename it to .txt")
    sounds = {cue.text for cue in cues if _FORMS["sound"].fullmatch(cue.text)}
    builder = SectionBuilder()
    words, speaker = BLOCK, ""
    for paragraph in _paragraphs([cue for cue in cues if cue.text not in sounds]):
        if words >= BLOCK:
            builder.heading(clock(paragraph.times[0][1]), 1)
            words, speaker = 0, ""
        if paragraph.speaker != speaker:
            builder.heading(paragraph.speaker, 2)
        builder.add([paragraph])
        words, speaker = words + len(paragraph.text.split()), paragraph.speaker
    dropped = (
        [left_out("sound", (cue.text for cue in cues if cue.text in sounds))] if sounds else []
    )
    return [document(source.name, builder.sections(), source=source.path, left_out=dropped)]


def _of_json(text: str, path: str) -> Iterator[Cue]:
    """The segments of Whisper's JSON, also that of whisper.cpp, whose times are milliseconds."""
    try:
        data = json.loads(text)
        for one in data["segments"] if "segments" in data else data["transcription"]:
            start = one["offsets"]["from"] / 1000 if "offsets" in one else float(one["start"])
            if words := one_line(one["text"]):
                yield Cue(start, words, one_line(one["speaker"]) if one.get("speaker") else None)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        message = (
            f"{path}: expected Whisper's JSON, found something else "
            f"({type(error).__name__}: {error})"
        )
        raise PagesumError(message, "it has segments, each with start and text") from error


def _of_captions(text: str) -> Iterator[Cue]:
    """The captions of SRT or WebVTT."""
    captions = list(_captions(text))
    pairs = list(pairwise([(0.0, [""]), *captions]))
    if sum(after[1][0] == before[1][-1] for before, after in pairs) > ROLLING * len(captions):
        captions = [(after[0], after[1][after[1][0] == before[1][-1] :]) for before, after in pairs]
    lines = [
        (start, *voice) for start, texts in captions for text in texts for voice in _voices(text)
    ]
    names = Counter(match[1] for *_, text in lines if (match := _FORMS["name"].match(text)))
    named: str | None = None  # alone on a line: who says the next one
    for start, voice, text in lines:
        speaker, named = voice or named, None
        if (match := _FORMS["name"].match(text)) and (match[1].isupper() or names[match[1]] > 1):
            named = one_line(match[1])
            if match.end() < len(text):
                yield Cue(start, one_line(text[match.end() :]), named)
                named = None
        elif change := _FORMS["change"].match(text):
            yield Cue(start, one_line(text[change.end() :]), speaker or "")
        else:
            yield Cue(start, one_line(text), speaker)


def _captions(text: str) -> Iterator[tuple[float, list[str]]]:
    """The second at which each caption begins, and its lines."""
    found = list(_FORMS["times"].finditer(text))
    for times, following in zip(found, [*found[1:], None], strict=False):
        body = text[times.end() : following.start() if following else len(text)].rstrip("\n")
        lines = [
            line.strip()
            for line in _FORMS["blank"].split(f"{body}\n", maxsplit=1)[0].split("\n")
            if line.strip()
        ]
        if (
            following
            and lines
            and not _FORMS["blank"].search(f"{body}\n")
            and lines[-1].isdecimal()
        ):
            lines.pop()  # the number of the next one, where no blank line stands before it
        if lines:
            hours, minutes, seconds = (
                float((part or "0").replace(",", ".")) for part in times.groups()
            )
            yield 3600 * hours + 60 * minutes + seconds, lines


def _voices(line: str) -> Iterator[tuple[str | None, str]]:
    """The voices of a line of WebVTT (``<v Anna>``), each with its text; None for no other one."""
    first, *rest = _FORMS["voice"].split(line)
    for voice, text in zip([None, *map(one_line, rest[::2])], [first, *rest[1::2]], strict=True):
        if plain := unescape(_FORMS["tag"].sub("", text)).strip():
            yield voice, plain


def _paragraphs(cues: Sequence[Cue]) -> Iterator[Paragraph]:
    """The cues joined, a paragraph for each speech, or for some sentences of a long one."""
    stops = sum(cue.text.count(mark) for cue in cues for mark in ".?!。")
    is_punctuated = stops * UNPUNCTUATED >= sum(len(cue.text.split()) for cue in cues)
    groups: list[tuple[str, list[Cue]]] = []
    words = 0
    for cue in cues:
        speaker, before = groups[-1] if groups else ("", [])
        is_long = words >= (PARAGRAPH if is_punctuated else UNPUNCTUATED)
        ends = is_long and (not is_punctuated or _FORMS["end"].search(before[-1].text) is not None)
        if not groups or ends or cue.speaker not in (None, speaker) or cue.speaker == "":
            groups.append((speaker if cue.speaker is None else cue.speaker, []))
            words = 0
        groups[-1][1].append(cue)
        words += len(cue.text.split())
    for speaker, group in groups:
        offsets = accumulate((len(cue.text) + 1 for cue in group[:-1]), initial=0)
        times = tuple((offset, cue.start) for offset, cue in zip(offsets, group, strict=True))
        yield Paragraph(
            " ".join(cue.text for cue in group), (), not is_punctuated, b"", times, speaker
        )
