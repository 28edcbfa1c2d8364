"""The files and lines of LaTeX source in which a text is."""

from pathlib import Path

import pytest

from pagesum_cli.documents.guard.reading import read_file
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.latex.places import places_of
from pagesum_cli.documents.sentences import all_sentences

BIRDS = ["owl", "crow", "finch", "heron", "robin", "swift"]
DEEDS = ["hunts", "sleeps", "sings", "nests"]
TIMES = ["in spring", "in summer", "in autumn", "in winter"]
STATEMENTS = [
    f"The {bird} {deed} {time} near the mill." for bird in BIRDS for deed in DEEDS for time in TIMES
]
"""Sentences in which many words are the same."""


def source_of(statements: list[str], begin: str = "") -> str:
    """Source with a sentence in each line but every tenth, which is a comment or empty."""
    lines = [begin] if begin else []
    for number, statement in enumerate(statements):
        if number % 10 == 9:
            lines.append("% This is a comment." if number % 20 == 9 else "")
        lines.append(statement.replace("mill", r"\emph{mill}~\cite{a,b}"))
    return "\n".join(lines) + "\n"


def located(document: Document) -> dict[str, tuple[str, tuple[int, int] | None]]:
    return {
        one.text: (document.file_of(one.start), document.lines_of(one.start, one.end))
        for one in all_sentences(document)
        if not one.is_heading
    }


def expected(file: str, source: str, statements: list[str]) -> dict[str, object]:
    plain = source.replace(r"\emph{mill}~\cite{a,b}", "mill").split("\n")
    lines = {one: plain.index(one) + 1 for one in statements}
    return {one: (file, (line, line)) for one, line in lines.items()}


def test_each_sentence_has_its_file_and_its_line(tmp_path: Path) -> None:
    one, two = STATEMENTS[::2], STATEMENTS[1::2]
    parts = [source_of(one[:24]), source_of(one[24:])]
    begin = "\\documentclass{article}\n\\begin{document}\n"
    main = f"{begin}{parts[0]}\n\\input{{parts/two}}\n{parts[1]}\\end{{document}}\n"
    included = source_of(two, "\\section{Birds}") + "\n" * 80 + "Owls are birds as well.\n"
    (tmp_path / "parts").mkdir()
    (tmp_path / "main.tex").write_text(main)
    (tmp_path / "parts" / "two.tex").write_text(included)
    assert main.count("\n") + included.count("\n") > 160
    (document,) = read_file(str(tmp_path / "main.tex"))
    found = located(document)
    last = "Owls are birds as well."
    assert found == (
        expected("main.tex", main, one) | expected("parts/two.tex", included, [*two, last])
    )


def test_of_a_single_file_only_the_lines_are_known(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text("\\section{Owls}\n\nThe owls hunt\nat night.\n")
    (document,) = read_file(str(tmp_path / "a.tex"))
    assert located(document) == {"The owls hunt at night.": ("", (3, 4))}


def test_expanded_macros_have_the_line_of_the_words_around_them() -> None:
    begin = "\\newcommand{\\x}{Owlbot}\n\\begin{document}\n"
    source = f"{begin}\\x{{}} finds owls\nin the barns of the north.\n"
    text = "Owlbot finds owls in the barns of the north."
    assert places_of(text, {"a.tex": source}) == ((0, "a.tex", 3), (18, "a.tex", 4))


def test_what_is_not_in_the_source_has_no_line() -> None:
    places = places_of(
        "Made by a program.\n\nOwls hunt at night.", {"a.tex": "Owls hunt at night."}
    )
    assert places == ((0, "", 0), (20, "a.tex", 1))
    document = Document("a.tex", (), source_lines=places)
    assert document.lines_of(0, 10) is None


def test_a_word_repeated_for_ever_takes_no_time() -> None:
    text = "owl " * 50_000
    assert places_of(text, {"a.tex": text.replace(" ", "\n")})[-1][1] == "a.tex"


@pytest.mark.parametrize(
    ("begin", "end"), [("\\begin{abstract}", "\\end{abstract}"), ("\\abstract{", "}")]
)
def test_an_abstract_before_the_document_has_its_own_lines(
    tmp_path: Path, begin: str, end: str
) -> None:
    abstract = [
        "We counted the owls that hunt at night near forty mills in the north.",
        "The number of owls near the mills was twice that in the woods.",
    ]
    preamble = ["\\documentclass{article}", "\\title{The owls of the north}", begin, *abstract, end]
    body = ["\\begin{document}", "\\section{Owls}", *STATEMENTS, "\\end{document}"]
    (tmp_path / "a.tex").write_text("\n".join([*preamble, *body]))
    (document,) = read_file(str(tmp_path / "a.tex"))
    found = located(document)
    assert [found[one] for one in abstract] == [("", (4, 4)), ("", (5, 5))]
    assert found[STATEMENTS[0]] == ("", (9, 9))
