"""LaTeX source: what of it is text, and how single constructs read."""

import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from pagesum_cli.documents.guard.reading import read_data, read_file
from pagesum_cli.documents.input import Input
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.notes import unread
from pagesum_cli.documents.readers.latex import inline, reader
from pagesum_cli.errors import PagesumError

PAPER = r"""
\documentclass[11pt]{article}
\usepackage[utf8]{inputenc} % 50\% of it
\newcommand{\ours}{\textsc{PageSum}\xspace}
\newcommand{\R}{\mathbb{R}}
\newcommand{\pair}[2]{(#1, #2)}
\title[Owls]{Night \emph{Owls}\\ and Their ``Songs''\thanks{Supported by nobody.}}
\author{Ada M\"uller \and B. C. D\\ \texttt{ada@x.org}}
\begin{document}
\maketitle
\begin{abstract}
We study owls~\citep[see][p.~5]{smith20,jones21}. They hunt---mostly---in 1990--1995. % comment

Na\"ive models fail.
\end{abstract}

\section[Short]{Introduction}
\label{sec:intro}
Owls\footnote{Birds of \emph{prey}. They fly.} eat mice (see Section~\ref{sec:data} and
Figure~\ref{fig:owl}).
\ours is what \citet{smith20} proposed.
As shown in \cite{jones21}, $\alpha \leq 2$ holds~\cite{a,b}.

We minimise
\begin{equation}
L = x + y, \label{eq:loss}
\end{equation}
where $x \in \R$ is a mouse.

\begin{itemize}
\item First item about owls.
\item[(b)] Second item.
\end{itemize}

\begin{figure}[t]
\includegraphics[width=\linewidth]{owl.pdf}
\caption{An owl \emph{at night}.}\label{fig:owl}
\end{figure}

\section{Data and \texorpdfstring{$k$}{k}-Means}\label{sec:data}
\subsection*{Sources}
We count mice.
\begin{table}\caption{Mice.}\begin{tabular}{ll} a & b \\ \end{tabular}\end{table}
\begin{theorem}[Main] Every owl eats. \end{theorem}
\begin{lstlisting}
int x = 5; % no comment
\section{No}
\end{lstlisting}
Code is \verb|a%b_c| here. \iffalse Hidden \section{Hidden} text. \fi Visible.
\input{more} \include{chapters/two}
\section*{Acknowledgments}
We thank nobody for the support of this work.
\bibliographystyle{plain}
\begin{thebibliography}{9}\bibitem{x} X. Y. \end{thebibliography}
\appendix
\section{Proofs}\label{app:p} The proof is in Appendix~\ref{app:p}.
\end{document}
Trailing junk.
"""


def read(text: str) -> Document:
    return reader.read(Input("a.tex", "a.tex", given=text.encode()))[0]


def test_a_paper() -> None:
    document = read(PAPER)
    assert document.title == "Night Owls and Their “Songs”"
    assert [
        (one.level, one.heading, [part.text for part in one.paragraphs])
        for one in document.sections
    ] == [
        (1, "Abstract", ["We study owls. They hunt—mostly—in 1990–1995.", "Naïve models fail."]),
        (
            1,
            "Introduction",
            [
                "Owls eat mice (see Section [data] and Figure [owl]). PageSum is what [smith20] "
                "proposed. As shown in "
                "[jones21], α ≤ 2 holds.",
                "We minimise L = x + y, where x ∈ ℝ is a mouse.",
                "First item about owls.",
                "(b) Second item.",
            ],
        ),
        (1, "Data and k-Means", []),
        (2, "Sources", ["We count mice.", "Main. Every owl eats.", "Code is a%b_c here. Visible."]),
        (1, "Proofs", ["The proof is in Appendix [p]."]),
    ]


def test_what_is_left_out_is_counted() -> None:
    document = read(PAPER)
    dropped = {one.reason: one for one in document.left_out}
    assert set(dropped) == {
        *(
            "code",
            "footnote",
            "caption",
            "table or figure",
            "included file",
            "references",
            "back matter",
        ),
    }
    assert dropped["footnote"].text == "Birds of prey. They fly."
    assert dropped["caption"].text == "An owl at night. Mice."
    assert dropped["included file"].words == 2
    (note,) = unread([document])
    assert note.startswith(
        "a.tex: 2 included files were not read; join them, for example: latexpand a.tex"
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"It costs \$5, 50\% of A\&B, \#1, f\_x.", "It costs $5, 50% of A&B, #1, f_x."),
        (
            r"Erd\H{o}s, Stra\ss e, \'el\`eve, \c{c}a, \o re, \v Cech.",
            "Erdős, Straße, élève, ça, øre, Čech.",
        ),
        ("``Double'' and `single', don't.", "“Double” and ‘single’, don’t."),
        (r"{\bf Old} {\small words} \textbf{Bold {\em words}}.", "Old words Bold words."),
        (r"\textcolor{red}{Red}, \unknown{text}, \unknown[option]{more}.", "Red, text, more."),
        (
            r"See \url{http://a.org/x%20y} or \href{http://b.org}{the site}.",
            "See http://a.org/x%20y or the site.",
        ),
        (
            r"Owls (\citealp{a}; \citealp{b}) hunt (see \cite{c}) a lot \cite{d}.",
            "Owls hunt a lot.",
        ),
        (r"By Equation~\eqref{eq:no} it holds.", "By Equation [no] it holds."),
        (r"\[ " + "x + " * 40 + r"y, \] is long.", "[formula], is long."),
        (r"\begin{minipage}[t]{0.5\textwidth}In a box.\end{minipage}\vskip 0.1in", "In a box."),
        (r"We \label{a}\index{owl}\vspace{1em}see\nocite{x} it.", "We see it."),
        (r"\def\ax{\bx\bx}\def\bx{\ax\ax}Loops \ax end.", "Loops end."),
        (r"Unclosed {brace and \emph{more and $x", "Unclosed brace and more and x"),
        ("One\\\\two~three\\,four \\ldots", "One two three four …"),
        ("A line % comment\n   goes on.", "A line goes on."),
        (
            r"\newcommand\old{OldNet}\def\pct#1{#1 percent}It beats \old by \pct{20}.",
            "It beats OldNet by 20 percent.",
        ),
        (r"\newcommand{\by}[2][ten]{#2 by #1}\by{Up}, \by[two]{down}.", "Up by ten, down by two."),
        (r"\providecommand*{\a}{\b{}s}\renewcommand{\b}{owl}All \a hunt.", "All owls hunt."),
        (r"\DeclareMathOperator{\argmax}{argmax}Take $\argmax x$.", "Take argmax x."),
        (r"\let\owl\bird\def\bird{Bird}\def\x#1;{#1}The \bird flies.", "The Bird flies."),
        (
            r"\newcommand{\odd}[1]{\csname x#1\endcsname}Its \odd{argument} stays.",
            "Its argument stays.",
        ),
        (r"\newenvironment{note}[1]{Note #1: }{ End.}\begin{note}Owls.\end{note}", "Owls."),
        (r"\def\cite#1{#1}Owls hunt \cite{a}.", "Owls hunt."),
        (
            r"Use \verb|\section{..}|, \verb+$a_b$+, \lstinline!\x[y]~z! or {\tt foo}.",
            r"Use \section{..}, $a_b$, \x[y]~z or foo.",
        ),
        (r"\ifb one\else two\fi, \iffalse A \section{No}\fi B.", "one, B."),
        (
            r"\def\name{John}\def\style{\it}A{\style\name} and {\it\name} Doe.",
            "AJohn and John Doe.",
        ),
        (
            r"$\neg a \land \mathbin{b} \bot \symbf{x}$, 17\textbeta-estradiol, word\two{a}{b}.",
            "¬ a ∧ b ⊥ x, 17β-estradiol, word a b.",
        ),
        (
            r"If $a \iff b$ or \ifthenelse{\boolean{x}}{yes}{no}. \typeout{Hidden}",
            "If a ⇔ b or no.",
        ),
        (
            r"\SI{5}{\kilo\metre\per\second\squared}, \qty{3}{m}, \SIrange{1}{2}{\percent}, "
            r"\num{1000}.",
            "5 km s⁻², 3 m, 1% to 2%, 1000.",
        ),
        (
            r"The \href{https://a.org}{site}, \parbox[t]{3cm}{a box}, \two{a}{b}.",
            "The site, a box, a b.",
        ),
        (
            r"\begin{selectlanguage}{french}Le texte.\end{selectlanguage} "
            r"\foreignlanguage{german}{Wort}",
            "Le texte.\n\nWort",
        ),
    ],
)
def test_words_of_a_paragraph(source: str, expected: str) -> None:
    assert read(source).text == expected


def test_macros_stand_for_headings_and_environments() -> None:
    text = (
        r"\def\sec#1{\section{#1}}"
        r"\newcommand{\be}{\begin{equation}}\newcommand{\ee}{\end{equation}}"
    )
    document = read(
        text
        + r"\begin{document}\title{Owls}\sec{One}Let \be x + y \ee hold.\sec{Two}End.\end{document}"
    )
    assert [(one.heading, one.text) for one in document.sections] == [
        ("One", "Let x + y hold."),
        ("Two", "End."),
    ]


def test_arguments_of_macros_that_are_not_known_are_text() -> None:
    document = read(
        r"The \latexx system and \foo{words} and \latexx{} and \small\barx[x]{more} end \baz."
    )
    assert document.text == "The [latexx] system and words and and more end [baz]."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"Owls\sidenote{Note.} hunt.\marginpar[a]{b} Bats.", "Owls hunt. Bats."),
        (r"\MakeUppercase{Owls} \lowercase{HUNT}.", "OWLS hunt."),
        (r"All owls \pause hunt", "All owls hunt"),
        (r"\usefont{T1}{lmss}{m}{n}Owls \Verb|a_1| hunt.", "Owls a_1 hunt."),
        (r"\tikzstyle{a}=[draw,red] The owls\tableofcontents[all] hunt.", "The owls hunt."),
        (r"It is referred to as (\ours).", "It is referred to as ([ours])."),
        (
            r"\ours is better, and so is \theirs, it says.",
            "[ours] is better, and so is [theirs], it says.",
        ),
        (r"\narrowlines The owls hunt. \narrowlines They eat.", "The owls hunt. They eat."),
        (r"Let $\KL(p)$ be small and $x \in \Nats$.", "Let KL(p) be small and x ∈ Nats."),
    ],
)
def test_macros_that_are_not_known_leave_a_mark(source: str, expected: str) -> None:
    assert read(source).text == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("10^{-4}", "10⁻⁴"),
        (r"\ensuremath{10^{-4}}", "10⁻⁴"),
        ("3 \\times 10^6", "3 × 10⁶"),
        ("3\\times10^{6}", "3 × 10⁶"),
        ("x_i^2", "xᵢ²"),
        ("3/40 = 0.075", "3/40 = 0.075"),
        ("\\frac12 5", "1/2 5"),
        (r"\bra 5, m_7\ket", "⟨5| , m₇|⟩"),
        ("\\frac{a+b}{2n}", "(a+b)/(2n)"),
        ("2\\tfrac12", "2 1/2"),
        ("\\sqrt{x+1}", "√(x+1)"),
        ("90^\\circ", "90°"),
        ("\\sum_{i = 1}^{n} x_i", "∑ᵢ₌₁ⁿ xᵢ"),
        ("10^{10^6}", "10^(10⁶)"),
        ("\\mathrm{CO}_2", "CO₂"),
        ("\\pm 3\\%", "±3%"),
        ("4 \\pm 3", "4 ± 3"),
        ("\\mathbf{95.3}", "95.3"),
        ("p<0.05", "p < 0.05"),
        ("\\left(\\frac{1}{2}\\right)", "(1/2)"),
        ("n\\log n", "n log n"),
        ("a \\ne b", "a ≠ b"),
        ("10{,}000", "10,000"),
        ("\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "(1 2; 3 4)"),
        ("x^{\\text{as it was at the start}}", "x^(as it was at the start)"),
        ("\\binom{n}{k}", "(n choose k)"),
        ("\\ce{SO4^2-}", "SO₄²⁻"),
    ],
)
def test_formulas_are_text(source: str, expected: str) -> None:
    assert read(f"Let ${source}$ be.").text == f"Let {expected} be."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\SI{7}{\tonne}", "7 t"),
        (r"\numrange{1850}{1860}", "1850 to 1860"),
        (r"\qtyrange{2}{4}{\metre}", "2 m to 4 m"),
        (r"\SIrange[round-mode=off]{-5}{5}{\degreeCelsius}", "-5 °C to 5 °C"),
        (r"\SI{1.2e3}{\litre\per\second}", "1.2 × 10³ L s⁻¹"),
        (r"\num{e-4}", "10⁻⁴"),
        (r"\qty{10 \pm 2}{kg}", "(10 ± 2) kg"),
        (r"\numlist{10;20;30}", "10, 20 and 30"),
        (r"\num{2x3}", "2 × 3"),
        (r"\unit{\joule\per\kilo\gram\per\kelvin}", "J kg⁻¹ K⁻¹"),
        (r"\si{kg.m^{-2}}", "kg m⁻²"),
        (r"\si{\per\cubic\metre}", "m⁻³"),
        (r"\SI[per-mode=symbol]{5}{\metre\per\second}", "5 m/s"),
        (r"\sisetup{per-mode = symbol}\SI{5}{\metre\per\second}", "5 m/s"),
        (r"\sisetup{per-mode=symbol-or-fraction}\unit{\J\per\kg\per\K}", "J/(kg K)"),
        (r"\DeclareSIUnit\ppm{ppm}\qty{4}{\ppm} and \qty{2}{\ppm\per\m}", "4 ppm and 2 ppm m⁻¹"),
        (r"\DeclareSIUnit{\molar}{\textsc{M}}\SI{3}{\milli\molar}", "3 mM"),
        (r"\ang{3;20;}", "3°20′"),
        (r"\ce{2 H2 + O2 -> 2 H2O}", "2 H₂ + O₂ → 2 H₂O"),
        (r"10\textsuperscript{6} m\textsuperscript{2}", "10⁶ m²"),
        (r"H\textsubscript{2}O and 20\textdegree C", "H₂O and 20°C"),
    ],
)
def test_quantities_are_printed_as_by_their_packages(source: str, expected: str) -> None:
    assert read(f"The load is {source} here.").text == f"The load is {expected} here."


@pytest.mark.parametrize(
    ("preamble", "body", "expected"),
    [
        (r"\newif\iflong", r"\iflong Long\else Short\fi.", "Short."),
        (r"\newif\iflong\longtrue", r"\iflong Long\else Short\fi.", "Long."),
        (r"\newif\ifa", r"\atrue\ifa One \ifb two\else three\fi\else four\fi.", "One two."),
        ("", r"\iffalse No\else Yes\fi, \iftrue yes\else no\fi.", "Yes, yes."),
        ("", r"\iffalse A \ifx\a\b B\else C\fi D\fi E.", "E."),
        ("", r"\ifnum1=2 No\else Yes\fi.", "Yes."),
        (r"\newcommand{\n}{0}", r"\ifnum\n=1 No\else Yes\fi.", "Yes."),
        (r"\setcounter{n}{2}", r"\ifnum\value{n}>1 Yes\else No\fi.", "Yes."),
        ("", r"\ifnum\n=1 Yes\else No\fi.", "Yes."),
        ("", r"\ifdefined\anonymous No\else Yes\fi.", "Yes."),
        (r"\def\anonymous{}", r"\ifdefined\anonymous Yes\else No\fi.", "Yes."),
        ("", r"A \ifx\draft\undefined Yes\else No\fi.", "A Yes."),
        (r"\newtoggle{long}\toggletrue{long}", r"\iftoggle{long}{Long}{Short}.", "Long."),
        (r"\newbool{long}", r"\ifbool{long}{Long}{Short}.", "Short."),
        (
            r"\newboolean{long}\setboolean{long}{true}",
            r"\ifthenelse{\boolean{long}}{Long}{Short}.",
            "Long.",
        ),
        (
            r"\newif\ifdraft\drafttrue\newcommand\x[1]{\ifdraft #1\fi}\draftfalse",
            r"Text\x{No}.",
            "Text.",
        ),
        ("", r"Owls \ifhunt hunt. \else They eat.", "Owls [ifhunt] hunt. They eat."),
    ],
)
def test_the_branch_that_is_printed(preamble: str, body: str, expected: str) -> None:
    assert read(f"{preamble}\\begin{{document}}{body}\\end{{document}}").text == expected


def test_what_is_struck_out_or_not_printed_is_no_text() -> None:
    source = (
        r"It \added{now} \deleted{No}\replaced{grows}{No} \st{No}\sout{No}\phantom{No}"
        r"\todo[inline]{No}\marginpar{No}\hspace*{1em}fast\rule[1pt]{1cm}{2pt}, "
        r"\rotatebox{90}{turned}\ and \scalebox{0.5}{small}."
    )
    assert read(source).text == "It now grows fast, turned and small."
    own = r"\newcommand{\st}{such that }Take $x$ \st it holds."
    assert read(own).text == "Take x such that it holds."


def test_a_file_that_includes_itself_is_not_asked_for() -> None:
    assert list(unread([read(r"Text \input{a} and \input a.tex more.")])) == []
    (note,) = unread([read("Text \\input part1 \\include{/etc/x}more.")])
    assert note == (
        "a.tex: 2 included files were not read; join them, for example: latexpand a.tex > "
        "all.tex (part1 /etc/x)"
    )


def test_a_chapter_without_preamble_and_a_book() -> None:
    document = read("\\chapter{One}\nText.\n\\section{Two}\nMore.\n\\subsubsection{Three}\nLast.")
    assert document.title == "One"
    assert [(one.level, one.heading) for one in document.sections] == [
        (1, ""),
        (1, "Two"),
        (3, "Three"),
    ]
    assert read("No heading.\n\nTwo paragraphs.").text == "No heading.\n\nTwo paragraphs."


def test_starred_headings_and_an_abstract_as_a_macro() -> None:
    document = read(
        r"\begin{document}\title{Owls}\author[1]{A. B.}\abstract{They "
        r"hunt.}\section*{One}Text.\end{document}"
    )
    assert document.title == "Owls"
    assert [(one.level, one.heading, one.text) for one in document.sections] == [
        (1, "Abstract", "They hunt."),
        (1, "One", "Text."),
    ]


def test_label_of_a_theorem_is_not_the_number_of_its_section() -> None:
    text = r"\section{A}\begin{theorem}\label{t:x} Owls. \end{theorem}By Theorem~\ref{t:x}."
    assert read(text).sections[0].paragraphs[-1].text == "By Theorem [x]."


def test_other_encodings_and_standard_names(tmp_path: Path) -> None:
    path = tmp_path / "a.tex"
    path.write_bytes(
        "\\section{Größe}\nDie Bären schlafen früh, und die Mäuse spät.\n".encode("latin-1")
    )
    (document,) = read_file(str(path))
    assert document.text == "Größe\n\nDie Bären schlafen früh, und die Mäuse spät."


@pytest.mark.parametrize(
    "source", ["", "\\documentclass{article}", "\\begin{document}% nothing\n\\end{document}"]
)
def test_a_source_without_text_is_refused(source: str) -> None:
    with pytest.raises(PagesumError, match="expected text, found none"):
        read_data(source.encode(), "a.tex")


@pytest.mark.parametrize(
    "unit",
    [
        *(
            "{",
            "}",
            "$ ",
            "\\[",
            "\\begin{a}",
            "\\begin{figure}",
            "\\footnote{",
            "\\emph{",
            "\\cite[",
            "\\verb|",
            "% \n",
        ),
        *(
            "\\begin{verbatim}",
            "\\iffalse ",
            "\\newcommand{\\x}{",
            "\\begin{figure}\\caption{",
            "\\section{",
            "\\url{",
        ),
        *("\\item[", "(see ", "\n \n", "\\"),
        *(
            "\\iffalse{",
            "\\ifx",
            "\\else",
            "\\fi",
            "\\def\\x",
            "\\let\\x",
            "\\newcommand\\x[1][{",
            "\\string",
            "\\verb",
        ),
        *(
            "\\def\\x#1{\\x{#1#1}}\\x{a}",
            "\\SI[",
            "\\newenvironment{a}{",
            "\\lstinline[",
            "\\char`",
            "\\cmd{",
        ),
    ],
)
def test_hostile_source_takes_linear_time(unit: str) -> None:
    read("$x$")  # what is loaded once
    start = time.process_time()
    for source in (unit * (60_000 // len(unit)), (unit * 20 + "\n\n") * 100):
        assert read("Owls hunt.\n\n" + source).text.startswith("Owls hunt")
    assert time.process_time() - start < 5


def test_nothing_is_printed_about_wrong_markup(capfd: pytest.CaptureFixture[str]) -> None:
    assert read(r"A fraction \frac and $\frac{1}$ here.").text.startswith("A fraction")
    assert capfd.readouterr() == ("", "")


def test_definitions_do_not_grow_without_bounds() -> None:
    names = [f"{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    bomb = r"\def\aa{Owls }" + "".join(rf"\def\{b}{{\{a}\{a}}}" for a, b in pairwise(names))
    assert len(read(f"{bomb} Text. \\{names[-1]}").text) < 1000


def test_arguments_that_are_doubled_do_not_grow_without_bounds() -> None:
    text = r"\def\d#1{#1#1}" + r"\d{" * 60 + "Owls. " + "}" * 60
    start = time.process_time()
    assert len(read(text + " Text.").text) < 200_000
    assert time.process_time() - start < 5


def test_pylatexenc_is_loaded_only_for_latex() -> None:

    code = (
        "import sys; from pagesum_cli.documents import read; from "
        "pagesum_cli.documents.readers.latex import reader; "
    )
    code += "print('pylatexenc' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip()
        == "False"
    )


def test_files_in_the_folder_are_included(tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    (folder / "parts").mkdir(parents=True)
    main = r"""\begin{document}Begin. \input{one} \include{parts/two} \import{parts/}{three}
    % \input{hidden}
    \input{../outside} \input{missing} \input one
    End.\end{document} \input{one}"""
    (folder / "main.tex").write_text(main, encoding="utf-8")
    (folder / "one.tex").write_text("First % no\n \\input{main}", encoding="utf-8")
    (folder / "parts/two.tex").write_text("Second. \\endinput No.", encoding="utf-8")
    whole = "\\documentclass{x}\\begin{document}Third. \\input{four}\\end{document}"
    (folder / "parts/three.tex").write_text(whole, encoding="utf-8")
    (folder / "parts/four.tex").write_text("Fourth.", encoding="utf-8")
    (tmp_path / "outside.tex").write_text("Outside.", encoding="utf-8")
    (folder / "hidden.tex").write_text("Hidden.", encoding="utf-8")
    document = reader.read(Input("main.tex", str(folder / "main.tex")))[0]
    assert document.text == "Begin. First\n\nSecond.\n\nThird. Fourth. End."
    (named,) = (one.text for one in document.left_out if one.reason == "included file")
    assert named == "../outside missing one"


def test_folders_of_included_files_may_be_macros(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts/one.tex").write_text("First.", encoding="utf-8")
    (tmp_path / "parts/two.tex").write_text("Second.", encoding="utf-8")
    source = r"""\newcommand{\parts}{./parts}\begin{document}
    \input{\parts/one} \import{\PATH/parts/}{two}\end{document}"""
    path = tmp_path / "a.tex"
    path.write_text(source, encoding="utf-8")
    assert reader.read(Input("a.tex", str(path)))[0].text == "First. Second."


def test_colors_of_options_and_of_the_preamble_hide_no_text() -> None:
    source = r"""\newmdenv[frametitlefont=\bfseries\color{white},width=3]{box}\color{white}
    \begin{document}One. \begin{x}[font=\color{white}]Two.\end{x}\color{white}Three.
    \end{document}"""
    document = read(source)
    assert document.text == "One.\n\nTwo."
    assert [one.text for one in document.left_out] == ["Three."]


def test_terms_of_a_glossary_are_printed() -> None:
    source = r"""\newacronym{nn}{NN}{neural network}
    \newglossaryentry{arch}{name=arch,plural={arches}}
    \DeclareAcronym{bst}{short=BST, long=bridge tower}\begin{document}
    \Gls{nn} and \gls{nn}, \glspl{nn}; \acrlong{nn}; \glspl{arch}; \ac{bst}, \ac{bst}.
    \end{document}"""
    assert read(source).text == (
        "Neural network (NN) and NN, NNs; neural network; arches; bridge tower (BST), BST."
    )


def test_terms_within_terms_and_their_definitions_in_the_text() -> None:
    source = r"""
    \newacronym[plural=CTs,longplural={computed tomographies}]{ct}{CT}{computed tomography}
    \newglossaryentry{dose}{name=dose, first={radiation dose (dose)}}\begin{document}
    \newacronym{ldct}{LDCT}{low-dose \gls{ct}}\acrodef{d6}[DMSO-d\textsubscript{6}]{heavy DMSO}
    The \gls{dose} and the \gls{dose} of \glspl{ldct} and \acs{d6}\glsadd{ct}, by
    \glslink{ct}{scans} and \glspl{ct}.
    \begin{acronym}[X]\acro{FID}[\textsc{fid}]{free induction decay} \acro{PI}{Index}\end{acronym}
    \end{document}"""
    assert read(source).text == (
        "The radiation dose (dose) and the dose of low-dose computed tomography (CT)s (LDCTs) and "
        "DMSO-d₆, by scans and CTs.\n\nfid free induction decay\n\nPI Index"
    )


def test_code_that_the_author_declares() -> None:
    source = r"""\newmintinline[cpp]{c}{}\newminted{python}{}\newminted[shell]{bash}{frame=single}
    \lstnewenvironment{mycode}[1][]{\lstset{#1}}{}\DefineVerbatimEnvironment{out}{Verbatim}{}
    \newenvironment{prog}{\begin{lstlisting}}{\end{lstlisting}}\newcommand{\code}{\lstinline}
    \MakeShortVerb{\|}\begin{document}
    Call \cpp|f("%d", x_1)|, \cpp{kmalloc}, \code!a_b! and |x_2 % 3|; 5\% stay.
    \begin{mycode}a = $b$; \section{x} % y\end{mycode}\begin{pythoncode}x % 2\end{pythoncode}
    \begin{shell}all: $(MAKE)\end{shell}\begin{out}x$y\end{out}\begin{prog}int x;\end{prog}
    End. % comment
    \end{document}"""
    assert read(source).text == ('Call f("%d", x_1), kmalloc, a_b and x_2 % 3; 5% stay.\n\nEnd.')
    assert read(r"A |b| here, 5 % c").text == "A |b| here, 5"


def test_names_of_environments_and_labels_are_no_words() -> None:
    source = r"Take \begin{equation}\label{e:x} a = 5 \end{equation} now."
    assert inline.words_of(source) == "Take a = 5 now."


def test_references_read_as_the_labels() -> None:
    source = (
        r"See \Cref{sec:a_b,fig:c}, \autoref{sec:x-y}, \crefrange{eq:a}{eq:b}, \Fref{tab:x}, "
        r"\cpageref{sec:z}, \thmref{FS:chapter} and \hyperref[sec:a]{the part} of "
        r"\href{https://a.org}{a site}. In \cite{a_b} is more."
    )
    assert read(source).text == (
        "See [a_b, c], [x-y], [a] to [b], [x], [z], [FS] and the part of a site. In [a_b] is more."
    )


def test_packages_beside_the_source_define_macros(tmp_path: Path) -> None:
    package = r"""\ProvidesPackage{own} % \newcommand{\no}{No}
    \newcommand{\tool}{\href{https://a.org}{\textsc{Nefi}}\@\xspace}\RequirePackage{units}
    \newcommand{\pair}[2][an]{#1 #2}\newcommand{\inside}{\@ifnextchar[{\a}{\b}}
    \newenvironment{note}{\begin{quote}}{\end{quote}}\newacronym{ct}{CT}{tomography}
    \def\section{\@startsection{section}} Text that nobody sees."""
    (tmp_path / "own.sty").write_text(package, encoding="utf-8")
    (tmp_path / "units.sty").write_text(r"\DeclareSIUnit\ppm{ppm}", encoding="utf-8")
    source = r"""\usepackage{amsmath, own}\begin{document}\section{A}
    The \tool shows \pair{owl} by \gls{ct} at \qty{3}{\ppm}.\end{document}"""
    path = tmp_path / "a.tex"
    path.write_text(source, encoding="utf-8")
    document = reader.read(Input("a.tex", str(path)))[0]
    assert document.text == "A\n\nThe Nefi shows an owl by tomography (CT) at 3 ppm."


def test_slides() -> None:
    source = (
        r"\begin{document}\begin{frame}{One}{Two}Text. \pause\begin{itemize}\item<1-> An item."
        r"\end{itemize}\end{frame}\begin{frame}\frametitle{Three}\only<1>{It} "
        r"\alert<2>{hunts.}\note{No}\begin{block}{Four} More.\end{block}\end{frame}"
        r"\end{document}"
    )
    assert [(one.heading, list(one.parts[1:])) for one in read(source).sections] == [
        ("One", ["Two", "Text.", "An item."]),
        ("Three", ["It hunts.", "Four", "More."]),
    ]


HIDDEN_TEXTS = (
    r"\textcolor{white}{Zebras lie.}",
    r"\textcolor[rgb]{1,1,1}{Zebras lie.}",
    r"{\color{white}Zebras {\bf lie}.}",
    r"{\color[HTML]{FFFFFF} Zebras lie.}",
    r"\begin{center}\color{white}Zebras lie.\end{center}",
    r"\color{white}Zebras {\color{red}lie} to us.\color{black}",
    r"\definecolor{paper}{rgb}{1.0, 1.0, 1.0}\textcolor{paper}{Zebras lie.}",
    r"\texttransparent{0}{Zebras lie.}",
    r"{\fontsize{0.1pt}{0.1pt}\selectfont Zebras lie.}",
    r"\phantom{Zebras lie.}",
    "\\iffalse\nZebras lie.\n\\fi",
    "\\begin{comment}\nZebras lie.\n\\end{comment}",
)


@pytest.mark.parametrize("hidden", HIDDEN_TEXTS)
def test_what_the_page_does_not_show_is_no_text(hidden: str) -> None:
    document = read(rf"\begin{{document}}Cats \emph{{sleep}}. {hidden} Dogs run.\end{{document}}")
    assert document.text.startswith("Cats sleep.")
    assert document.text.endswith("Dogs run.")
    assert "Zebras" not in document.text
    assert "lie" not in document.text


@pytest.mark.parametrize(
    "shown",
    [
        r"\textcolor{blue}{Zebras lie.}",
        r"\colorbox{black}{\textcolor{white}{Zebras lie.}}",
        r"\fontsize{10pt}{12pt}\selectfont Zebras lie.",
        r"{\color{white}}Zebras lie.",
        r"\definecolor{w}{rgb}{1,0,1}\textcolor{w}{Zebras lie.}",
    ],
)
def test_colored_text_is_text(shown: str) -> None:
    assert "Zebras lie." in read(rf"\begin{{document}}{shown}\end{{document}}").text


def test_many_colors_take_linear_time() -> None:
    began = time.process_time()
    read("\\begin{document}Cats sleep." + "{\\color{white}a" * 20_000)
    assert time.process_time() - began < 5


def test_a_comment_ends_the_name_of_a_macro() -> None:
    source = "\\begin{itemize}\n\\item%\nOwls hunt.\n\\item% x\n  Bats eat.\n\\end{itemize}"
    assert read_data(source.encode(), "a.tex")[0].text == "Owls hunt.\n\nBats eat."


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\lettrine[lines=2]{C}{omputer} science.", "Computer science."),
        (r"\def\01{\{0,1\}}In $x \in \01^n$ only.", "In x ∈ {0,1}ⁿ only."),
        (r"\newcommand{\a}{A\xspace}The \a\footnote{x} owl.", "The A owl."),
        (r"So $\Proj{3}{2}$ is 10{,}000.", "So Proj 3 2 is 10,000."),
        (r"It is \num{123\pm2} and \num{2\times3}.", "It is 123 ± 2 and 2 × 3."),
    ],
)
def test_no_figure_is_changed(source: str, expected: str) -> None:
    assert read(source).text == expected


def test_what_is_left_out_keeps_its_signs_accents_and_dashes() -> None:
    item = r"\bibitem{k} J. K\"uhn, V. R{\"o}dl, \L{}ukasz, {\v{C}}ech, Stra\ss e, 770--778."
    table = r"\begin{tabular}{l} 62.9\% & \#3 \end{tabular}"
    references = rf"\begin{{thebibliography}}{{9}}{item}\end{{thebibliography}}"
    document = read(rf"\begin{{document}}Owls hunt.{table}{references}\end{{document}}")
    texts = " ".join(one.text for one in document.left_out)
    assert "J. Kühn, V. Rödl, Łukasz, Čech, Straße, 770–778." in texts
    assert "62.9% #3" in texts


def test_names_in_what_is_left_out_are_kept() -> None:
    dropped = read(r"Owls hunt. \begin{references}A \LaTeX{} guide\end{references}").left_out
    assert [one.text for one in dropped] == ["A LaTeX guide"]


def test_an_example_in_a_chapter_is_not_the_document() -> None:
    example = r"\documentclass{book}\begin{document}Cats sleep.\end{document}"
    macro = r"\newcommand{\a}{\section{A}}"
    texts = read(rf"{macro}\chapter{{Owls}}Owls hunt. {example} Bats eat.").text.split("\n\n")
    assert texts == ["Owls", "Owls hunt.", "Cats sleep.", "Bats eat."]


def test_options_of_theorems_are_text() -> None:
    text = r"\begin{proof}[first proof] One. \end{proof} \begin{box}[The 2 owls] Two. \end{box}"
    text += r"\begin{box}[width=3] Three. \end{box} \begin{minipage}[t]{9cm} Four. \end{minipage}"
    assert read(text).text == "first proof. One.\n\nThe 2 owls. Two.\n\nThree.\n\nFour."


def test_internal_macros_in_definitions_are_left_out() -> None:
    text = (
        r"\newcommand{\place}[1]{\Hy@raise{\hypertarget{#1}{}}}\begin{document}\place{x}Owls hunt."
    )
    assert read(text).text == "Owls hunt."
