"""The names of LaTeX macros: what they take, and what they print."""


def _named(pairs: str) -> dict[str, str]:
    return {name: sign for name, _, sign in (pair.partition(":") for pair in pairs.split())}


CITES = (
    "cite citep citealp parencite autocite footcite footfullcite supercite citenum citeyear citeyearpar citealt citet "
    "Citet textcite Textcite newcite citeauthor Citeauthor citeauthor fullcite citenp shortcite citeA nocite cites"
)
IN_TEXT = {"citet", "Citet", "textcite", "Textcite", "newcite", "citeauthor", "Citeauthor", "citealt", "citeA"}
"""Citations that stand for a word."""

REFERENCES = "ref autoref cref Cref eqref vref pageref nameref subref Ref autopageref labelcref"
QUANTITIES = "SI qty SIrange qtyrange si unit num ang"
ARGUMENTS = {
    "*[[{": CITES,
    "*{": REFERENCES,
    "{": "emph textrm textit textbf textmd textsc textsf textsl texttt textup textnormal text mbox hbox fbox uline "
    "underline hl st enquote MakeUppercase uppercase ensuremath textsubscript textsuperscript centerline textlf",
    "[{": "si unit num ang hyperref",
    "{{": "href texorpdfstring hyperlink hypertarget colorbox scalebox",
    "{{{": "resizebox fcolorbox",
    "[{{": "textcolor SI qty",
    "[{{{": "SIrange qtyrange",
    "[[{": "makebox framebox",
    "{[[{": "raisebox",
    "[[[{{": "parbox",
}
"""Macros whose last argument is text, by their arguments as pylatexenc denotes them."""

DROPPED = {
    "{": "label vspace hspace pagestyle thispagestyle bibliographystyle index glossary graphicspath hypersetup tikzset "
    "usetikzlibrary pagenumbering selectlanguage stepcounter refstepcounter newcounter phantom hphantom vphantom "
    "addbibresource lstset fontsize markboth marginpar todo acks setcitestyle includepdf PACS pacs ccsdesc color "
    "MakeShortVerb DefineShortVerb acmConference acmYear acmISBN acmDOI acmPrice setcopyright copyrightyear orcid",
    "*[[{": "includegraphics lstinputlisting inputminted includesvg",
    "{{": "setlength addtolength setcounter addtocounter numberwithin addcontentsline rule",
    "[{{": "definecolor pdfbookmark",
    "[{": "bibitem footnote thanks documentclass usepackage RequirePackage",
    "*{[[{": "newcommand renewcommand providecommand",
    "*{[[{{": "newenvironment renewenvironment",
    "*{[{[": "newtheorem",
}
"""Macros whose arguments are no text."""

_LAYOUT = (
    "xspace maketitle centering noindent newpage clearpage cleardoublepage pagebreak nopagebreak tiny scriptsize small "
    "footnotesize normalsize large Large LARGE huge Huge bf it tt rm sf sc sl em bfseries mdseries itshape scshape "
    "slshape upshape rmfamily sffamily ttfamily normalfont boldmath unboldmath hfill hfil vfill vfil hss vss hrule "
    "hrulefill dotfill indent tableofcontents listoffigures listoftables frontmatter mainmatter backmatter begingroup "
    "endgroup bgroup egroup protect relax smallskip medskip bigskip smallbreak medbreak bigbreak strut null allowbreak "
    "break nobreak sloppy fussy raggedright raggedleft raggedbottom flushbottom leavevmode unskip ignorespaces long "
    "global outer obeylines onecolumn twocolumn singlespacing onehalfspacing doublespacing makeatletter makeatother "
    "footnotemark phantomsection string endinput titlepage textwidth linewidth columnwidth baselineskip printindex "
    "makeindex hline toprule midrule bottomrule newblock displaystyle textstyle limits hyphenation nonumber qed "
    "qedhere linenumbers balance samepage goodbreak filbreak penalty balancecolumns frenchspacing selectfont today and"
)
_SPACES = "quad qquad newline linebreak space thinspace"
_PLAIN = "LaTeX TeX BibTeX pdfLaTeX pdfTeX XeLaTeX XeTeX LuaLaTeX LuaTeX LyX AmS KOMAScript"
LETTERS = {
    **dict.fromkeys([" ", ",", ";", ":", "\\", "\n", "\t", *_SPACES.split()], " "),
    **dict.fromkeys(["-", "/", "@", "!", ">", *_LAYOUT.split()], ""),
    **{name: name for name in _PLAIN.split()},
    **_named(
        "LaTeXe:LaTeX2e euro:€ glqq:„ grqq:“ bslash:\\ ldots:… dots:… textellipsis:… slash:/ textasciitilde:~ "
        "textbar:| textasciicircum:^ textless:< textgreater:> eg:e.g. ie:i.e. S:§ P:¶ dag:† ddag:‡ copyright:©"
    ),
    **{"etal": "et al.", "og": "« ", "fg": " »"},
}
"""Macros without arguments, and what they print."""

PREFIXES = _named(
    "yotta:Y zetta:Z exa:E peta:P tera:T giga:G mega:M kilo:k hecto:h deca:da deci:d centi:c milli:m micro:µ nano:n "
    "pico:p femto:f atto:a per:/"
)
UNITS = _named(
    "metre:m meter:m gram:g kilogram:kg second:s ampere:A kelvin:K mole:mol candela:cd hertz:Hz newton:N pascal:Pa "
    "joule:J watt:W coulomb:C volt:V farad:F ohm:Ω siemens:S weber:Wb tesla:T henry:H lumen:lm lux:lx becquerel:Bq "
    "gray:Gy sievert:Sv litre:L liter:L minute:min hour:h day:d tonne:t electronvolt:eV celsius:°C degreeCelsius:°C "
    "degree:° percent:% bar:bar dalton:Da decibel:dB byte:B bit:bit arcsecond:″ arcminute:′ squared:² cubed:³ square:² "
    "cubic:³"
)
"""Units of measurement of the package siunitx."""
