"""The rows of tables in LaTeX."""

import pytest
from tiny import assert_linear

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.readers.latex import reader
from pagesum_cli.documents.readers.latex.tabulars import rows_in

TABLE = r"""
\begin{tabular}{|l|r@{}r|}
\hline
Cell type & \multicolumn{1}{l|}{\# cells} &
\multicolumn{1}{l|}{\begin{tabular}[c]{@{}l@{}}\% of molecules \\ of the allele\end{tabular}} \\
\hline
ERY & 3,728 & 41.9 \\[2pt]
T-CELL & 10,942 & \textbf{44.8} \\ \bottomrule
\end{tabular}
"""
ROWS = (
    "Cell type | # cells | % of molecules of the allele",
    "ERY | 3,728 | 41.9",
    "T-CELL | 10,942 | 44.8",
)


def read(text: str) -> Document:
    return reader.read(Input("a.tex", "a.tex", given=text.encode()))[0]


def rows(document: Document) -> tuple[str, ...]:
    return tuple(row for one in document.left_out for row in one.rows)


@pytest.mark.parametrize(
    "source",
    [
        TABLE,
        rf"\begin{{table}}[h]\centering {TABLE}\caption{{The cells.}}\label{{tab:c}}\end{{table}}",
        rf"\begin{{table*}}\resizebox{{\textwidth}}{{!}}{{{TABLE}}}\end{{table*}}",
        TABLE.replace("{tabular}{|", r"{tabularx}{\linewidth}{|").replace(
            "bottomrule\n\\end{tabular}", "bottomrule\n\\end{tabularx}"
        ),
    ],
)
def test_a_table_is_left_out_by_rows_and_cells(source: str) -> None:
    document = read(f"Foxes live here.\n\n{source}\n\nThey sleep there.")
    assert rows(document) == ROWS
    assert "44.8" not in document.text
    captions = [one.text for one in document.left_out if one.reason == "caption"]
    assert captions == ["The cells."] * ("caption" in source)


def test_a_label_over_several_rows_is_in_each_of_them() -> None:
    source = (
        r"\begin{tabular}{lr}\multirow{2}{*}{Oil} & 40 \\ & 80 \\ \midrule & 7 \\ \end{tabular}"
    )
    assert rows_in(source, str.strip)[0] == ["{Oil} | 40", "{Oil} | 80", "7"]


def test_a_picture_leaves_no_code() -> None:
    source = r"\begin{figure}[t]\includegraphics[width=3cm]{fox.png}\caption{A fox.}\end{figure}"
    assert rows(read(f"Foxes live here.\n\n{source}\n\nThey sleep.")) == ()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"cells, which~\cite{Paulson2018} identified as", "which [Paulson2018] identified"),
        (r"it is said that \cite{Fox} saw them", "that [Fox] saw"),
        (r"cells that were seen~\cite{Fox} here", "were seen here"),
    ],
)
def test_a_source_that_is_the_subject_is_named(source: str, text: str) -> None:
    assert text in read(f"There were {source} in the forest.").text


def test_open_tables_and_braces_take_linear_time() -> None:
    parts = (r"\begin{tabular}{l", r"\multicolumn{2}{l", "{", r"\multirow{", "& ")

    def cut(count: int) -> None:
        for part in parts:
            rows_in(part * count + TABLE, str.strip)

    assert_linear(cut, 20_000)
