"""Transcripts with times (SRT, WebVTT, Whisper's JSON) → Document."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import accumulate, pairwise

from ...errors import PagesumError
from ...text.cleaning import clean, one_line
from ..article.building import SectionBuilder, document, left_out
from ..input import Input
from ..model import Document, Paragraph, clock
from .encodings import decode

BLOCK, PARAGRAPH = 200, 80
"""Words after which a new part of the recording, or a new paragraph of a speech, begins with the next sentence."""

UNPUNCTUATED, PAUSE = 30, 1.5
"""Words for each full stop from which on pauses of so many seconds, and so many words, end sentences instead."""

REPEATED = 1 / 3  # share of captions that begin with the last line of the one before, in files whose lines roll up
LAST = 1_000_000.0  # seconds: no recording is longer

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2}(?:[.,]\d{1,3})?)"
_TIMES = re.compile(rf"[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}")
_VOICE = re.compile(r"<v(?:\.[^\s<>]{0,50})?[ \t]+([^<>]{1,100})>")
_TAG = re.compile(r"<[^<>]{0,200}>|\{\\[^{}]{0,100}\}")
_NAME = re.compile(r"(?:-|>>)?[ \t]*\[?([^\W\d_][\w .'’-]{0,40})\]?:[ \t]+(?=\S)")
_CHANGE = re.compile(r"(?:-|>>)[ \t]*(?=\S)")
_SOUND = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|[♪♫].*")
_END = re.compile(r"[.!?…。！？][\"'”’)]*$")


@dataclass(frozen=True)
class Cue:
    """Words of one speaker with the seconds from which to which they are heard.

    Attributes:
        speaker: None for the speaker of the cue before; empty for an unknown one.
    """

    start: float
    end: float
    text: str
    speaker: str | None = None


def read(source: Input) -> list[Document]:
    """The one document of a transcript: a section for each speech, below one for each part of the recording.

    Raises:
        PagesumError: It has no words with times.
    """
    text = clean(decode(source.data, source.path))
    cues = list(_of_json(text, source.path) if text.lstrip().startswith("{") else _of_captions(text))
    if not cues or any(not 0 <= cue.start <= LAST for cue in cues):
        message = f"{source.path}: expected a transcript, found no words with times (00:12 --> 00:15)"
        raise PagesumError(message, "if it is a text, rename it to .txt")
    sounds = [cue.text for cue in cues if _SOUND.fullmatch(cue.text)]
    builder = SectionBuilder()
    spoken, speaker = 0, None
    for paragraph in _paragraphs([cue for cue in cues if not _SOUND.fullmatch(cue.text)]):
        if speaker is None or spoken >= BLOCK:
            builder.heading(clock(paragraph.times[0][1]), 1)
            spoken, speaker = 0, ""
        if paragraph.speaker != speaker:
            builder.heading(paragraph.speaker, 2)
            speaker = paragraph.speaker
        builder.add([paragraph])
        spoken += len(paragraph.text.split())
    dropped = [left_out("sound", sounds)] if sounds else []
    return [document(source.name, builder.sections(), source=source.path, left_out=dropped)]


def _of_json(text: str, path: str) -> Iterator[Cue]:
    """The segments of Whisper's JSON, also that of whisper.cpp, whose times are milliseconds."""
    try:
        data = json.loads(text)
        for one in data["segments"] if "segments" in data else data["transcription"]:
            if "offsets" in one:
                start, end = one["offsets"]["from"] / 1000, one["offsets"]["to"] / 1000
            else:
                start, end = one["start"], one["end"]
            if words := one_line(one["text"]):
                speaker = one.get("speaker")
                yield Cue(float(start), float(end), words, one_line(speaker) if isinstance(speaker, str) else None)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        message = f"{path}: expected Whisper's JSON, found something else ({type(error).__name__}: {error})"
        raise PagesumError(message, "it has segments, each with start, end and text") from error


def _of_captions(text: str) -> Iterator[Cue]:
    """The captions of SRT or WebVTT."""
    captions = list(_captions(text))
    rolls = sum(after[2][:1] == before[2][-1:] for before, after in pairwise(captions))
    if rolls > REPEATED * len(captions):
        pairs = pairwise([(0.0, 0.0, [""]), *captions])
        captions = [(*after[:2], after[2][after[2][:1] == before[2][-1:] :]) for before, after in pairs]
    lines = [(start, end, *said) for start, end, texts in captions for text in texts for said in _voices(text)]
    names = Counter(match[1] for *_, text in lines if (match := _NAME.match(text)))
    for start, end, voice, text in lines:
        speaker = one_line(voice) if voice else None
        if (match := _NAME.match(text)) and _is_name(match[1], names):
            speaker, text = one_line(match[1]), text[match.end() :]
        elif change := _CHANGE.match(text):
            speaker, text = speaker or "", text[change.end() :]
        if words := one_line(text):
            yield Cue(start, end, words, speaker)


def _captions(text: str) -> Iterator[tuple[float, float, list[str]]]:
    """Start, end and lines of each caption."""
    caption: tuple[float, float, list[str]] | None = None
    for line in [*text.replace("\f", "\n").split("\n"), ""]:
        times = _TIMES.match(line)
        if caption and (times or not line.strip()):
            lines = caption[2][:-1] if times and caption[2][-1:] and caption[2][-1].isdecimal() else caption[2]
            if lines:
                yield (*caption[:2], lines)
                caption = None
        if times:
            hours, minutes, seconds, *end = (float((part or "0").replace(",", ".")) for part in times.groups())
            caption = (3600 * hours + 60 * minutes + seconds, 3600 * end[0] + 60 * end[1] + end[2], [])
        elif caption and line.strip():
            caption[2].append(line.strip())


def _voices(line: str) -> Iterator[tuple[str, str]]:
    """The voices of a line of WebVTT (``<v Anna>``), each with its text; empty for none."""
    first, *rest = _VOICE.split(line)
    for voice, text in zip(["", *rest[::2]], [first, *rest[1::2]], strict=True):
        if plain := unescape(_TAG.sub("", text)).strip():
            yield voice, plain


def _is_name(name: str, names: Counter[str]) -> bool:
    """Whether what stands before a colon is a speaker: in capitals, or capitalized and more than once."""
    return name.isupper() or (
        names[name] > 1 and len(name.split()) < 5 and all(not w[0].islower() for w in name.split())
    )


def _paragraphs(cues: Sequence[Cue]) -> Iterator[Paragraph]:
    """The cues joined, a paragraph for each speech, or for some sentences of a long one."""
    stops = sum(cue.text.count(mark) for cue in cues for mark in ".?!。")
    is_punctuated = stops * UNPUNCTUATED >= sum(len(cue.text.split()) for cue in cues)
    groups: list[tuple[str, list[Cue]]] = []
    words = 0
    for cue in cues:
        speaker, before = groups[-1] if groups else ("", [cue])
        if is_punctuated:
            ends = words >= PARAGRAPH and _END.search(before[-1].text) is not None
        else:
            ends = words >= UNPUNCTUATED or cue.start - before[-1].end >= PAUSE
        if not groups or ends or cue.speaker not in (None, speaker) or cue.speaker == "":
            groups.append((speaker if cue.speaker is None else cue.speaker, []))
            words = 0
        groups[-1][1].append(cue)
        words += len(cue.text.split())
    for speaker, group in groups:
        offsets = accumulate((len(cue.text) + 1 for cue in group[:-1]), initial=0)
        times = tuple((offset, cue.start) for offset, cue in zip(offsets, group, strict=True))
        text = " ".join(cue.text for cue in group)
        yield Paragraph(text, is_sentence=not is_punctuated, times=times, speaker=speaker)
