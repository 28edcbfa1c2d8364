"""Transcripts with times (SRT, WebVTT, Whisper's text and JSON) → Document."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import accumulate, chain, pairwise
from typing import Any, NamedTuple

from ...errors import PagesumError
from ...text.capitals import SentenceCase, in_capitals
from ...text.cleaning import clean, one_line
from ...text.tables import patterns, table
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

_SEGMENTS = table(__file__, "transcript.toml")["json_of_transcripts"]["segments"]
_FORMS = patterns(__file__, "transcript.toml")
_NOT_AS_EXPECTED = (ValueError, KeyError, TypeError, AttributeError, IndexError)


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
    cues = list(_of_json(text, source.path) if _FORMS["json"].match(text) else _of_captions(text))
    if not cues or any(not 0 <= cue.start <= LAST for cue in cues):
        message = (
            f"{source.path}: expected a transcript, found no words with times (00:12 --> 00:15)"
        )
        raise PagesumError(message, "if it is plain text, rename it to .txt")
    sounds = {cue.text for cue in cues if _FORMS["sound"].fullmatch(cue.text)}
    builder = SectionBuilder()
    words, speaker = BLOCK, ""
    paragraphs = list(_paragraphs([cue for cue in cues if cue.text not in sounds]))
    was_capitals = in_capitals(*(one.text for one in paragraphs))
    for paragraph in _in_sentence_case(paragraphs) if was_capitals else paragraphs:
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
    read = document(source.name, builder.sections(), source=source.path, left_out=dropped)
    return [replace(read, was_capitals=was_capitals)]


def _in_sentence_case(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    in_sentence_case = SentenceCase([one.text for one in paragraphs])
    return [replace(one, text=in_sentence_case(one.text)) for one in paragraphs]


def _of_json(text: str, path: str) -> Iterator[Cue]:
    """The segments of Whisper's JSON, also that of whisper.cpp, whose times are milliseconds, of
    Transformers and of programs that download captions.
    """
    try:
        data = json.loads(text)
        if isinstance(data, dict):
            data = data[next(key for key in _SEGMENTS if key in data)]
        for one in data:
            speaker = one_line(one["speaker"]) if one.get("speaker") else None
            if words := one_line(_words_of(one)):
                yield Cue(_start_of(one), words, speaker)
    except (*_NOT_AS_EXPECTED, RecursionError, StopIteration) as error:
        message = (
            f"{path}: expected Whisper's JSON, found something else "
            f"({type(error).__name__}: {error})"
        )
        raise PagesumError(message, "it has segments, each with start and text") from error


def _words_of(segment: dict[str, Any]) -> str:
    if "segs" in segment:
        return "".join(one["utf8"] for one in segment["segs"])
    return "" if "tStartMs" in segment else unescape(segment["text"])


def _start_of(segment: dict[str, Any]) -> float:
    """The second at which a segment begins."""
    if "offsets" in segment:
        return float(segment["offsets"]["from"]) / 1000
    if "tStartMs" in segment:
        return float(segment["tStartMs"]) / 1000
    return float(segment["timestamp"][0] if "timestamp" in segment else segment["start"])


def _of_captions(text: str) -> Iterator[Cue]:
    """The captions of SRT or WebVTT, and the lines of Whisper's text."""
    captions = list(_captions(text))
    new = [_new_lines(*pair) for pair in pairwise([[], *(lines for _, lines in captions)])]
    rolling = sum(after != lines for after, (_, lines) in zip(new, captions, strict=True))
    if rolling > ROLLING * len(captions):
        captions = [(start, lines) for (start, _), lines in zip(captions, new, strict=True)]
    lines = [
        (start, voice, turn)
        for start, texts in captions
        for text in texts
        for voice, words in _voices(text)
        for turn in _FORMS["turn"].split(words)
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
        elif (change := _FORMS["change"].match(text)) and change.end() == len(text):
            named = speaker or ""
        elif change:
            yield Cue(start, one_line(text[change.end() :]), speaker or "")
        else:
            yield Cue(start, one_line(text), speaker)


def _new_lines(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """The lines of a caption without those with which it repeats the end of the one before; the
    last of these may have grown.
    """
    old = [_plain(line) for line in before]
    lines = [_plain(line) for line in after]
    for count in range(min(len(old), len(lines)), 0, -1):
        *repeated, grown = old[-count:]
        if lines[: count - 1] == repeated and f"{lines[count - 1]} ".startswith(f"{grown} "):
            rest = lines[count - 1][len(grown) :].strip()
            return [*filter(None, [rest]), *after[count:]]
    return list(after)


def _captions(text: str) -> Iterator[tuple[float, list[str]]]:
    """The second at which each caption begins, and its lines."""
    is_webvtt = text.lstrip().startswith("WEBVTT")
    found = list(_FORMS["times"].finditer(text))
    for times, following in zip(found, [*found[1:], None], strict=False):
        body = text[times.end() : following.start() if following else len(text)]
        lines = _lines_of(body, is_webvtt=is_webvtt, is_last=following is None)
        if lines:
            hours, minutes, seconds, seconds_alone = (
                float((part or "0").replace(",", ".")) for part in times.groups()
            )
            yield 3600 * hours + 60 * minutes + seconds + seconds_alone, lines


def _lines_of(body: str, *, is_webvtt: bool, is_last: bool) -> list[str]:
    """The lines of a caption, which may have empty ones between them, without what belongs to the
    next one: its number or name, and comments.
    """
    blocks = [block.split("\n") for block in _FORMS["blank"].split(body.removesuffix("\n"))]
    last = blocks[-1]
    is_number = last[-1].strip().isdecimal()
    is_name = is_webvtt and len(blocks) > 1 and len(last) == 1
    if not is_last and (is_number or is_name):
        last.pop()
    first, *others = blocks
    lines = chain(first, *(_without_comments(others) if is_webvtt else others))
    return [line.strip() for line in lines if _plain(line)]


def _without_comments(blocks: Sequence[list[str]]) -> list[list[str]]:
    return [block for block in blocks if not _FORMS["comment"].match("\n".join(block))]


def _plain(line: str) -> str:
    """The words of a line without its tags."""
    return one_line(unescape(_FORMS["tag"].sub("", line)))


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
