"""SRT, WebVTT and Whisper's JSON: cues become sentences with times and speakers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagesum_cli.documents.books.chapters import chapters_of
from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.documents.model import Document, clock
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.errors import PagesumError

SRT = """1
00:00:01,000 --> 00:00:04,000
ANNA: The harvest was late
this year, and bread was dear.

2
00:00:04,500 --> 00:00:06,000
[applause]

3
00:00:06,500 --> 00:00:09,000
Prices rose in <i>most</i> towns, {\\an8}as

4
00:00:09,500 --> 00:00:12,000
in the year before.

5
01:12:04,000 --> 01:12:09,000
- BO: The council lent the farmers seed.
- ANNA: It was &amp; is enough.
"""
VTT = """WEBVTT - minutes

STYLE
::cue { color: red }

NOTE not said

intro
00:01.000 --> 00:04.000 align:start
<v Anna Lee>The harvest was <00:02.000><c>late</c>.</v>

00:04.000 --> 00:06.000
<v.loud Bo>Was it?</v> <v Anna Lee>It was.
"""
WHISPER = {
    "text": " The harvest was late. Was it?",
    "segments": [
        {"id": 0, "start": 0.0, "end": 2.5, "text": " The harvest", "speaker": "SPEAKER_00"},
        {"id": 1, "start": 2.5, "end": 4.0, "text": " was late.", "speaker": "SPEAKER_00"},
        {"id": 2, "start": 724.0, "end": 725.0, "text": " Was it?", "speaker": "SPEAKER_01"},
    ],
}


def read(text: str | bytes, name: str) -> Document:
    (document,) = read_data(text.encode() if isinstance(text, str) else text, name)
    return document


def said(document: Document) -> list[tuple[float | None, str, str]]:
    return [
        (one.time, one.speaker, one.text) for one in all_sentences(document) if not one.is_heading
    ]


def test_srt() -> None:
    document = read(SRT, "talk.srt")
    assert said(document) == [
        (1.0, "ANNA", "The harvest was late this year, and bread was dear."),
        (6.5, "ANNA", "Prices rose in most towns, as in the year before."),
        (4324.0, "BO", "The council lent the farmers seed."),
        (4324.0, "ANNA", "It was & is enough."),
    ]
    headings = [(section.heading, section.level) for section in document.sections]
    assert headings == [("00:01", 1), ("ANNA", 2), ("BO", 2), ("ANNA", 2)]
    assert [(one.reason, one.text) for one in document.left_out] == [("sound", "[applause]")]


@pytest.mark.parametrize(
    "change", [lambda text: text.replace("\n\n", "\n"), lambda text: text.replace("\n", "\r\n")]
)
def test_srt_of_other_programs(change: Callable[[str], str]) -> None:
    assert said(read(change(SRT), "talk.srt")) == said(read(SRT, "talk.srt"))


def test_webvtt() -> None:
    assert said(read(VTT, "talk.vtt")) == [
        (1.0, "Anna Lee", "The harvest was late."),
        (4.0, "Bo", "Was it?"),
        (4.0, "Anna Lee", "It was."),
    ]


@pytest.mark.parametrize("name", ["talk.json", "-"])
def test_json_of_whisper(name: str) -> None:
    assert said(read(json.dumps(WHISPER), name)) == [
        (0.0, "SPEAKER_00", "The harvest was late."),
        (724.0, "SPEAKER_01", "Was it?"),
    ]


def test_json_of_whisper_cpp() -> None:
    data = {"transcription": [{"offsets": {"from": 1500, "to": 2000}, "text": " It was late."}]}
    assert said(read(json.dumps(data), "talk.json")) == [(1.5, "", "It was late.")]


def test_marks_of_a_new_speaker_begin_a_paragraph_and_are_not_read() -> None:
    captions = (
        "WEBVTT\n\n00:01.000 --> 00:03.000\n>>> WELCOME TO THE MEETING.\n\n"
        "00:03.000 --> 00:06.000\nCOUNCIL MEMBER PAYNE.>> PRESENT. >> THE BUDGET IS NEXT.\n"
    )
    document = read_data(captions.encode(), "a.vtt")[0]
    texts = [one.text for part in document.sections for one in part.paragraphs]
    assert texts[0].startswith("WELCOME")
    assert texts[-2:] == ["PRESENT.", "THE BUDGET IS NEXT."]


def test_captions_in_capitals_are_read_in_sentence_case() -> None:
    text = (
        "WEBVTT\n\n00:00:23.289 --> 00:00:24.591\n>>> WELCOME TO THE MEETING OF THE COUNCIL FOR\n\n"
        "00:24.591 --> 00:25.925\nSEPTEMBER 25th.  MY NAME IS JASON BERG\n\n"
        "00:26.591 --> 00:27.925\nAND I'M THE CHAIR.\n\n00:28.591 --> 00:29.925\n>>\n\n"
        "00:30.591 --> 00:31.925\nTHANK YOU.\n"
    )
    document = read(text, "council.vtt")
    assert [one.text for section in document.sections for one in section.paragraphs] == [
        "Welcome to the meeting of the council for September 25th. My name is Jason Berg and I'm "
        "the chair.",
        "Thank you.",
    ]
    assert document.was_capitals
    assert not read(VTT, "x.vtt").was_capitals


def test_lines_that_roll_up_are_read_once() -> None:
    cues = [("the harvest",), ("the harvest", "was late"), ("was late",), ("was late", "this year")]
    text = "".join(
        f"00:{n:02}.000 --> 00:{n + 1:02}.000\n{chr(10).join(cue)}\n\n"
        for n, cue in enumerate(cues)
    )
    assert said(read(f"WEBVTT\n\n{text}", "talk.vtt")) == [
        (0.0, "", "the harvest was late this year")
    ]


def test_lines_that_grow_are_read_once() -> None:
    cues = ["the", "the harvest", "the harvest\nwas", "the harvest\nwas late"]
    text = "".join(f"00:{n:02}.000 --> 00:{n + 1:02}.000\n{cue}\n\n" for n, cue in enumerate(cues))
    (cue,) = said(read(f"WEBVTT\n\n{text}", "talk.vtt"))
    assert cue == (0.0, "", "the harvest was late")


def test_captions_with_times_of_words_are_read_once() -> None:
    text = """WEBVTT

00:00:00.000 --> 00:00:02.490 align:start position:0%
 
the<00:00:00.300><c> harvest</c>

00:00:02.490 --> 00:00:02.500 align:start position:0%
the harvest
 

00:00:02.500 --> 00:00:04.990 align:start position:0%
the harvest
was<00:00:02.800><c> late</c>
"""
    assert said(read(text, "talk.vtt")) == [(0.0, "", "the harvest was late")]


def test_a_caption_may_have_empty_lines() -> None:
    srt = SRT.replace("late\nthis year", "late\n\nthis\n \nyear")
    assert said(read(srt, "talk.srt")) == said(read(SRT, "talk.srt"))
    vtt = VTT.replace("<v Anna Lee>The", "\n<v Anna Lee>The").replace(
        "\n\n00:04", "\n\nNOTE not said\n\nsecond\n00:04"
    )
    assert said(read(vtt, "talk.vtt")) == said(read(VTT, "talk.vtt"))


@pytest.mark.parametrize("name", ["talk.txt", "-"])
def test_text_of_whisper(name: str) -> None:
    text = "[00:01.000 --> 00:02.500]  The harvest\n[00:02.500 --> 00:04.000]  was late.\n"
    assert said(read(text, name)) == [(1.0, "", "The harvest was late.")]
    assert said(read(text.replace("[00:", "[00:00:"), name))[0][0] == 1.0


@pytest.mark.parametrize(
    "data",
    [
        [{"text": "It was", "start": 1.5, "duration": 2.0}, {"text": "late.", "start": 3.5}],
        {"text": "", "chunks": [{"timestamp": [1.5, 2.0], "text": "It was late."}]},
        {"events": [{"tStartMs": 0}, {"tStartMs": 1500, "segs": [{"utf8": "It was late."}]}]},
    ],
)
@pytest.mark.parametrize("name", ["talk.json", "-"])
def test_json_of_other_programs(data: Any, name: str) -> None:
    assert said(read(json.dumps(data), name)) == [(1.5, "", "It was late.")]


@pytest.mark.parametrize("unit", ["", "s"])
@pytest.mark.parametrize("name", ["talk.txt", "-"])
def test_text_of_whisper_with_times_in_seconds(name: str, unit: str) -> None:
    text = (
        f"[0.00{unit} --> 1.52{unit}] The harvest was late.\n"
        f"[61.5{unit} --> 64.00{unit}]  Bread was dear.\n"
    )
    assert said(read(text, name)) == [
        (0.0, "", "The harvest was late."),
        (61.5, "", "Bread was dear."),
    ]


def test_what_is_said_twice_stays() -> None:
    words = ["No.", "No.", "It was late.", "Prices rose.", "Nobody paid.", "We did."]
    text = "".join(f"00:{n:02}.000 --> 00:{n:02}.900\n{word}\n\n" for n, word in enumerate(words))
    assert [text for *_, text in said(read(f"WEBVTT\n\n{text}", "talk.vtt"))] == words


def test_speech_without_full_stops_is_parted_after_some_words() -> None:
    text = "".join(
        f"00:{n:02}.000 --> 00:{n + 1:02}.000\nthe harvest was late in {n}\n\n" for n in range(10)
    )
    assert [time for time, *_ in said(read(f"WEBVTT\n\n{text}", "talk.vtt"))] == [0.0, 5.0]


def test_a_long_recording_has_parts_of_some_two_hundred_words() -> None:
    words = "the harvest was late this year. " * 2
    text = "".join(f"00:{n:02}:00.000 --> 00:{n:02}:50.000\nIn {n}, {words}\n\n" for n in range(50))
    document = read(f"WEBVTT\n\n{text}", "talk.vtt")
    assert chapters_of(document).found_by == "fallback"  # it is no book
    assert [section.heading for section in document.sections] == ["00:00", "18:00", "36:00"]


def test_a_word_with_a_colon_is_no_speaker() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\nRemember: it was late.\n"
    assert said(read(text, "talk.vtt")) == [(1.0, "", "Remember: it was late.")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "talk.srt"),
        ("The harvest was late.\n", "talk.srt"),
        ("WEBVTT\n", "talk.vtt"),
        ("1\n00:00:01,000 --> 00:00:02,000\n\n", "talk.srt"),
        ("1\n00:00:01,000 --> 00:00:02,000\n[applause]\n", "talk.srt"),
        (json.dumps(WHISPER)[:-20], "talk.json"),
        (json.dumps(WHISPER).replace('"start": 724.0', '"start": "late"'), "talk.json"),
        (json.dumps(WHISPER).replace('"start": 724.0', '"start": 1e300'), "talk.json"),
        (json.dumps(WHISPER).replace('"start": 724.0', '"start": NaN'), "talk.json"),
        (json.dumps({"segments": [{"start": 0, "text": {}}]}), "talk.json"),
        ("\0\x01\x02" * 100, "talk.vtt"),
    ],
)
def test_broken_files_are_one_line(text: str, name: str) -> None:
    with pytest.raises(PagesumError, match=r"^talk\.[a-z]+: expected") as caught:
        read(text, name)
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(("seconds", "text"), [(0, "00:00"), (724.9, "12:04"), (3724, "1:02:04")])
def test_clock(seconds: float, text: str) -> None:
    assert clock(seconds) == text


def test_each_of_several_recordings_has_a_summary(
    pagesum: Any, tiny_extractive: Path, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(WHISPER), encoding="utf-8")
    (tmp_path / "b.vtt").write_text(VTT, encoding="utf-8")
    result = pagesum(
        "summarize", tmp_path, "--each", "--model", tiny_extractive, "--no-history", "--cite"
    )
    assert result.code == 0, result.err
    assert [
        line for line in result.out.splitlines() if line.endswith(".json:")
    ] or "a.json" in result.out
    assert "SPEAKER_0" in result.out


def test_quotes_are_cited_by_time_and_speaker_and_check_knows_them(
    pagesum: Any, tiny_extractive: Path, tmp_path: Path
) -> None:
    path = tmp_path / "talk.srt"
    path.write_text(SRT, encoding="utf-8")
    common = (
        "summarize",
        path,
        "--model",
        tiny_extractive,
        "--no-history",
        "--sentences",
        "1",
        "--verbatim",
    )
    result = pagesum(*common, "--format", "json")
    (sentence,) = json.loads(result.out)["sentences"]
    source = sentence["source"]
    assert (source["time"], source["speaker"], source["section"]) in [
        (time, speaker, speaker) for time, speaker, _ in said(read(SRT, "talk.srt"))
    ]
    assert "of a recording" in result.err
    cited = f"{sentence['text']} [{clock(source['time'])}, {source['speaker']}]"
    assert cited in pagesum(*common, "--cite").out.replace(" ↩", "")
    (tmp_path / "summary.txt").write_text(cited, encoding="utf-8")
    assert pagesum("check", tmp_path / "summary.txt", path).code == 0
    (tmp_path / "summary.txt").write_text(
        cited.replace("ANNA]", "BO]").replace("0", "5"), encoding="utf-8"
    )
    assert "cited wrongly" in pagesum("check", tmp_path / "summary.txt", path).out
