import gzip
import io
import lzma
import os

import pytest
from tiny import assert_linear

from pagesum_cli.datasets.readers import read_path
from pagesum_cli.documents.read import find_files, read_file
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.errors import PagesumError


@pytest.fixture
def put(tmp_path):
    def write(name: str, data: str | bytes) -> str:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return str(path)

    return write


def outline(path: str) -> list[tuple[int, str, list[str]]]:
    (document,) = read_file(path)
    return [
        (one.level, one.heading, [paragraph.text for paragraph in one.paragraphs])
        for one in document.sections
    ]


def test_lines_of_plain_text_are_those_of_the_file(put):
    path = put(
        "a.txt",
        "\n\nFIRST\n\nOne line\r\ngoes  on. "
        "Two\n\nSECOND\n\n- An item\n- Another one.\n\nThe end.\n",
    )
    (document,) = read_file(path)
    assert [
        document.lines_of(start := document.text.index(part), start + len(part))
        for part in (
            "FIRST",
            "One line goes on.",
            "Two",
            "SECOND",
            "- An item",
            "- Another one.",
            "The end.",
        )
    ] == [(3, 3), (5, 6), (6, 6), (8, 8), (10, 10), (11, 11), (13, 13)]
    for text in ("Only one line. It has two sentences.", "# A heading"):
        (document,) = read_file(put("b.txt", text))
        assert document.lines_of(0, 4) is None


def test_plain_text_paragraphs(put):
    path = put("a.txt", "One line\ngoes on.\n\nTwo.\n- an item\n- another\n")
    assert outline(path) == [(1, "", ["One line goes on.", "Two.", "- an item", "- another"])]


def test_a_line_is_a_paragraph_where_lines_are_too_long_to_be_wrapped(put):
    long = "Nobody wraps a line like this one, " * 6 + "which is very long."
    path = put(
        "a.txt",
        f"A heading in the text\n{long}\nShort.\n{long[:-1]} and\ngoes on.\n\nA wrapped\nline.\n",
    )
    expected = [
        "A heading in the text",
        long,
        "Short.",
        f"{long[:-1]} and goes on.",
        "A wrapped line.",
    ]
    assert outline(path) == [(1, "", expected)]


def test_plain_text_headings_need_evidence(put):
    numbered = "1 Introduction\n\nText.\n\n2 Methods\n\nText.\n\n2.1 Data\n\nMore.\n"
    assert [one[:2] for one in outline(put("a.txt", numbered))] == [
        (1, "1 Introduction"),
        (1, "2 Methods"),
        (2, "2.1 Data"),
    ]
    assert [one[1] for one in outline(put("b.txt", "SUMMARY\n\nText.\n\nRESULTS\n\nMore.\n"))] == [
        "SUMMARY",
        "RESULTS",
    ]
    stars = put(
        "stars.txt", "Owls\n****\n\nText.\n\nNight\n-----\n\nMore.\n\nMice\n****\n\nMore.\n"
    )
    assert [one[:2] for one in outline(stars)] == [(1, "Owls"), (2, "Night"), (1, "Mice")]
    assert [
        one[1]
        for one in outline(put("c.rst", "First\n=====\n\nText.\n\nSecond\n======\n\nMore.\n"))
    ] == [
        "First",
        "Second",
    ]
    minutes = "".join(
        f"{n}. Item {n}\nThe council met and lent seed to {n} farms of the town.\n\n"
        for n in (1, 2, 3)
    )
    assert [one[1] for one in outline(put("m.txt", minutes))] == [
        "1. Item 1",
        "2. Item 2",
        "3. Item 3",
    ]
    wrapped = minutes.replace("Item", "Item of a list that is wrapped after many words, as others")
    assert [one[1] for one in outline(put("w.txt", wrapped))] == [""]
    assert [
        one[1]
        for one in outline(put("d.txt", "1 Apples\n\n2 Pears\n\n3 Plums\n\nWe bought these.\n"))
    ] == [""]
    assert [
        one[1] for one in outline(put("e.txt", "HELLO WORLD\n\nOnly one line in capitals.\n"))
    ] == [""]
    shouted = (
        '“KEEP BACK! KEEP BACK!”\n\nThey ran.\n\n"FOLLOW THIS," I SAID\n\nThey '
        "did.\n\n“WHAT NEWS”\n\nNone.\n"
    )
    assert [one[1] for one in outline(put("f.txt", shouted))] == [""]


def test_markdown(put):
    path = put(
        "a.md",
        "---\ntag: x\n---\n# Title\n\nSee [this](http://x.y) ![a fox](f.png) and `code`.\n\n"
        "## First\n\n* item **bold**\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nSecond\n------\n\n```\n# no heading\n```\n",
    )
    (document,) = read_file(path)
    assert document.title == "Title"
    assert outline(path) == [
        (1, "", ["See this a fox and code."]),
        (1, "First", ["item bold"]),
        (1, "Second", []),
    ]


def test_chinese_numbers_of_headings(put):
    names = [
        f"{number}、引言"
        for number in ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一"]
    ]
    read = outline(
        put("a.txt", "标题\n" + "".join(f"{name}\n我们提出一种方法。\n" for name in names))
    )
    assert read == [(1, "", ["标题"]), *((1, name, ["我们提出一种方法。"]) for name in names)]
    arabic = outline(put("b.txt", "1 引言\n\n我们。\n\n2 方法\n\n我们。\n\n2.1 数据\n\n我们。\n"))
    assert [one[:2] for one in arabic] == [(1, "1 引言"), (1, "2 方法"), (2, "2.1 数据")]
    text = "三、要说明的是，这只是一个段落。\n五、也是。"
    assert [one[1] for one in outline(put("c.txt", text))] == [""]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"C:\new\temp\folder", r"C:\new\temp\folder"),
        (r"2 \* 3 = 6", "2 * 3 = 6"),
        ("R&D &amp; sales", "R&D & sales"),
        ("&copy; 2024 &lt;b&gt; tag", "© 2024 <b> tag"),
        (r"see ![salt &amp; *pepper*](a.png)", "see salt & pepper"),
        (r"$$\int_0^1 x\,dx = \tfrac12$$", "∫₀¹ x dx = 1/2"),
        (r"so $a*b*c\,d$ and $e\_1$", "so a*b*c d and e_1"),
        (r"from $5 \* 2 to $10", "from $5 * 2 to $10"),
        (r"`$a\,b` \$5", r"$a\,b $5"),
    ],
)
def test_markdown_escapes_and_entities(put, written, read):
    assert outline(put("a.md", written)) == [(1, "", [read])]


def test_html(put):
    page = """<html><head><title>Page</title><style>p{}</style></head><body>
    <nav>Home</nav><div class="cookie-banner">Yes?</div>
    <h1>Foxes</h1><p>They <b>run</b> &amp; jump.<script>x()</script></p>
    <h2>Food</h2><ul><li>mice<li>birds</ul>
    <footer>Contact</footer></body></html>"""
    path = put("a.html", page)
    assert read_file(path)[0].title == "Foxes"
    assert outline(path) == [(1, "", ["They run & jump."]), (1, "Food", ["mice", "birds"])]


def test_html_encoding_is_declared(put):
    path = put(
        "a.html",
        '<html><head><meta charset="iso-8859-2"></head><p>Łódź</p></html>'.encode("iso-8859-2"),
    )
    assert outline(path) == [(1, "", ["Łódź"])]


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"],
)
def test_encodings(put, encoding):
    text = "A naïve café in the town of Málaga is open for us all."
    assert outline(put("a.txt", text.encode(encoding))) == [(1, "", [text])]


def test_control_characters_are_removed_and_markup_is_text(put):
    path = put(
        "a.txt",
        "\x1b[31mred\x1b[0m \x1b]0;title\x07[bold]x[/bold]\x00 a\x08b\u202e "
        "soft\u00ad\nhyphen\r\nend",
    )
    assert outline(path) == [(1, "", ["red [bold]x[/bold] ab softhyphen end"])]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.txt", b"", "empty file"),
        ("a.txt", b" \n\t\n", "found none"),
        ("a.md", b"\n\n", "found none"),
        ("a.html", b"<html><script>1</script></html>", "found none"),
        ("a.txt", b"\x7fELF\x02\x01\x01\x00" * 40, "binary"),
        ("a.jsonl", b"", "found none"),
        ("a.jsonl", b"not json\n", "expected a JSON object"),
        ("a.jsonl.gz", b"not packed", "damaged one"),
        ("a.json", b"{", "expected JSON"),
    ],
)
def test_files_without_text(put, name, data, message):
    with pytest.raises(PagesumError, match=message) as caught:
        read_file(put(name, data))
    assert "\n" not in caught.value.message


def test_missing_file():
    with pytest.raises(PagesumError, match="no such file"):
        read_file("nowhere.txt")
    with pytest.raises(PagesumError, match="no such file"):
        find_files(["nowhere.txt"])
    with pytest.raises(PagesumError, match="no file matches"):
        find_files(["nowhere*.txt"])


def test_folders_and_patterns(put, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("in/b.txt", "in/a.pdf", "in/.hidden.txt", "in/~$a.docx", "in/c.png"):
        put(name, "x")
    assert find_files(["in", "in/*.txt", "-"]) == [
        os.path.join("in", "a.pdf"),
        os.path.join("in", "b.txt"),
        "-",
    ]
    (tmp_path / "empty").mkdir()
    with pytest.raises(PagesumError, match="readable files") as caught:
        find_files(["empty"])
    assert ".pdf" in caught.value.hint


@pytest.mark.parametrize(
    ("data", "heading"),
    [
        (b"Just words.", ""),
        (b"# Top\n\nWords.", "Top"),
        (b"<!doctype html><h2>Top</h2><p>Words.", "Top"),
    ],
)
def test_the_format_of_standard_input_is_detected(data, heading):
    (document,) = read_file("-", stdin=io.BytesIO(data))
    assert document.name == "stdin"
    assert document.sections[-1].heading == heading


def test_standard_input_may_be_empty():
    with pytest.raises(PagesumError, match="standard input"):
        read_file("-", stdin=io.BytesIO(b" "))


RECORDS = (
    '{"id": "r1", "sections": [{"heading": "H", "text": "One."}], '
    '"summary": "S.", "licence": "CC0"}\n'
    "broken\n"
    '{"id": "r2", "documents": [{"name": "x", "text": "Two."}, {"name": "y", "text": "Three."}]}\n'
    '{"text": "Four."}\n[]\n{"id": "r5", "text": ""}\n'
)


@pytest.mark.parametrize(
    ("name", "pack"),
    [("a.jsonl", bytes), ("a.jsonl.gz", gzip.compress), ("a.jsonl.xz", lzma.compress)],
)
def test_records(put, name, pack):
    problems: list[str] = []
    path = put(name, pack(RECORDS.encode()))
    one, two, three = read_path(path, on_problem=problems.append)
    assert (one.id, one.summary, one.extra) == ("r1", "S.", {"licence": "CC0"})
    assert one.documents[0].sections[0].heading == "H"
    assert [document.name for document in two.documents] == ["x", "y"]
    assert (three.id, three.summary) == ("4", "")
    assert [problem.split(":")[0].rsplit(" ", 1)[1] for problem in problems] == ["2", "5", "6"]
    assert len(read_file(path)) == 4


@pytest.mark.stress
@pytest.mark.parametrize(
    "text", ["The fox (Fig. 2) jumps at 3.5 km. It rains.\n", "The fox jumps.\n\n", "ab " * 20]
)
def test_many_megabytes(put, text):
    def read(megabytes):
        (document,) = read_file(put("a.txt", text * (megabytes * 1_000_000 // len(text))))
        assert sum(len(sentences_of(section)) for section in document.sections) >= 1

    assert_linear(read, 1, slack=0.5)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "`" * 100_000, "*a " * 50_000, "> " * 20_000, "- " * 20_000, "<" * 100_000],
)
@pytest.mark.parametrize("name", ["a.md", "a.html", "a.txt"])
def test_hostile_markup_takes_little_time(put, name, text):
    assert_linear(lambda count: read_file(put(name, text[: len(text) // 2 * count] + " word")), 1)
