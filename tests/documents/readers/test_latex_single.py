"""LaTeX source: single constructs of papers and theses that were read wrongly."""

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.latex import inline, reader


def read(text: str) -> Document:
    """The document of LaTeX source."""
    (document,) = reader.read(Input("a.tex", "a.tex", given=text.encode()))
    return document


def test_a_macro_of_a_formula_as_an_environment_ends_no_paragraph() -> None:
    source = (
        r"It uses $\begin{mathcal}O\end{mathcal}(n)$ calls, and $R\begin{mathrm}I\end{mathrm}$ "
        r"of $a$ must be real."
    )
    assert read(source).text == "It uses 𝒪(n) calls, and RI of a must be real."


def test_a_to_do_is_left_out_and_reported() -> None:
    source = (
        r"\newcommand{\todo}[1]{\textbf{[TODO: #1]}}\begin{document}"
        "It is here.\n\n\\todo{Add 3 names.}\n\n\\todo[inline]{Thank them.}\\end{document}"
    )
    document = read(source)
    assert document.text == "It is here."
    (comment,) = document.left_out
    assert (comment.reason, comment.text, comment.words) == (
        "comment",
        "Add 3 names. Thank them.",
        5,
    )


def test_dots_of_any_kind() -> None:
    assert read(r"Take $x_1,\hdots,x_n$ and $a\dotsb b$.").text == "Take x₁,…,xₙ and a⋯ b."


def test_a_comma_in_braces_is_part_of_a_number_where_nothing_is_parsed() -> None:
    assert (
        inline.words_of(r"graded 295 and $2{,}731$ in \emph{all}") == "graded 295 and 2,731 in all"
    )


def test_what_is_raised_or_lowered_is_text_without_the_length() -> None:
    assert read(r"The {\cal A\lower.5ex\hbox{M}} set.").text == "The AM set."
    assert read(r"Take $\int\displaylimits_0^1 f$.").text == "Take ∫₀¹ f."


def test_a_sign_behind_braces_belongs_to_the_word_in_them_where_nothing_is_parsed() -> None:
    assert (
        inline.words_of(r"Journal \textbf{2}(5), \emph{Nature}, {}.") == "Journal 2(5), Nature, ."
    )


def test_a_macro_whose_argument_goes_on_in_the_next_paragraph_takes_no_letter() -> None:
    source = "It is bad.\\note{Serious people know it.\n\nThey say \\textbf{so.\n\nAnd more}.}"
    assert read(source).text == "It is bad.Serious people know it.\n\nThey say so.\n\nAnd more."
