"""Headings and references of LaTeX, bookdown and Quarto in Markdown."""

import pytest
from tiny import assert_linear

from pagesum_cli.documents.readers.cross_references import without_references


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"Rye is tall (Figure \@ref(fig:rye)).", "Rye is tall."),
        (r"Rye is tall (see Figures \ref{fig:a} and \ref{fig:b}).", "Rye is tall."),
        (r"Rye is tall (Table \hyperlink{sup-pc}{S3}).", "Rye is tall (Table S3)."),
        (r"Rye is tall (Figure @ref(fig:rye); Section 2).", "Rye is tall (Section 2)."),
        (r"As \autoref{fig:rye} shows, it is tall.", "As the figure shows, it is tall."),
        (r"In \autoref{mills}, rye is tall (\autoref{farms}).", "In [mills], rye is tall."),
        (r"Rye is tall \autoref{fig:rye}. It is old.", "Rye is tall. It is old."),
        (r"It is tall, as in \autoref{fig:rye}.", "It is tall, as in the figure."),
        ("As @Fig:rye shows, it is tall (@Sec:rye).", "As the figure shows, it is tall."),
        ("In Figure @fig:rye, rye is tall.", "In the figure, rye is tall."),
        ("It is. Figure @fig:rye shows rye.", "It is. The figure shows rye."),
        ("Tables @tbl:rye, @tbl:oats and @tbl:wheat show it.", "The tables show it."),
        ("It is in Fig. @fig:a and @fig:b.", "It is in the figures."),
        ("In Figure @fig:a and @tbl:b it is.", "In the figure and the table it is."),
        (r"\addchap{Rye}", "\n# Rye\n"),
        ("As @fig-rye shows, it is tall (see @sec-rye).", "As the figure shows, it is tall."),
        (r"Table \@ref(tab:rye) has it.", "Table has it."),
        (r"It is \emph{tall} \citep{lee2010}.", "It is tall."),
        ("Write to a@ref.org (or to @lee).", "Write to a@ref.org (or to @lee)."),
        ("It costs 3 (see p. 4).", "It costs 3 (see p. 4)."),
        (r"$\mathcal{R}$ is \(x\).", r"$\mathcal{R}$ is \(x\)."),
    ],
)
def test_references_are_left_out_and_links_have_their_text(text: str, expected: str) -> None:
    assert without_references(text) == expected


@pytest.mark.parametrize(
    "part", [r"(see @ref(a) ", r"\ref{a", r"\hyperlink{a}{", "(Figure and ", "fig:a and @"]
)
def test_the_patterns_are_linear(part: str) -> None:
    assert_linear(lambda n: without_references("@" + part * n), 2000)
