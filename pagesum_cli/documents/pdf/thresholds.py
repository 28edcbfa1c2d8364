"""Constants of the layout of pages.

They were fitted by eye and by ``tests/benchmarks/reading.py`` on journals' articles, proceedings and reports in one to
three columns, most of them in text of 8 to 12 points on pages of A4 or letter size; places are in points.
"""

# Words within a line (segments.py); fitted on files with and without drawn spaces.
WORD_GAP, SPACED_WORD_GAP = 0.105, 0.15
"""Gaps between words, as shares of the size, from which there is a space: where none are drawn, and where some are."""
LETTER_GAP = 0.06
"""Usual gap between single letters from which they are letter-spaced."""
TAIL = 80
"""Characters at the end of a line that decide what becomes of raised ones after them."""
NARROW = 3
"""Width of a run up to which a copy is only looked for within a fraction of a point."""
SHELF = 100
"""Segments of a stripe of 12 points that a further one may be drawn over: the latest ones. A bound for odd files."""

# What is printed on many pages (furniture.py); fitted on journals' heads and feet, and preprints with numbered lines.
EDGE_ROWS = 4
"""Rows at the top and at the bottom of a page that may be running heads."""
SAME_HEIGHT = 0.008
"""Distance within which two heights are the same, as a share of the page's."""
MIN_NUMBERED = 8
"""Numbers of lines of a page."""
MIN_MARKED = 3
"""Pages with the same watermark."""

# Columns (columns.py); fitted on articles in two columns with figures, tables and titles across them.
GRID = 3
"""Distance of the places at which a gutter is looked for."""
SAME_GUTTER = 20
"""Distance within which the gutters of two pages are the same."""
MAX_DEPTH = 3
"""How often a page is divided: four columns."""
MAX_STRIPES = 3
"""White stripes of a page that are tried as its gutter."""
MIN_WIDTH = 150
"""Width of text that may hold two columns."""
MIN_BESIDE, MIN_BESIDE_NARROW = 0.35, 0.95
"""Share of the letters that are beside a gutter: titles, abstracts and figures go across a page, hardly a column."""
TRIED_CUTS = 5
"""White stripes across two columns, the highest ones, at which a band may be cut in two."""
MIN_FILL = 0.55
"""Share of a column's width that its median row fills: more than the cells of a table do."""
MIN_ROWS_OF_TEXT, SAME_ROW = 6, 0.3
"""Rows of a column of text, and the distance of two that count as one, as a share of their size."""
SIDEBAR_ROWS = 8
"""Rows of a narrow column beside the text."""
MIN_PROSE_ROWS, PROSE_ROWS, PROSE_FILL = 15, 0.6, 0.8
"""Rows of a column that begin in lower case, their share, and that of its width which they fill, beside a table."""
NOTED_LETTERS = 800
"""Letters of a page that may have notes in its margins."""

# Lines (lines.py).
BESIDE_LARGE = 10
"""Letters of a segment above which it is a line of text beside a much larger one, not raised or lowered."""
JUSTIFIED_LINES = 6
"""Lines of a column that end at one place, from which on it may be justified."""
CELL_GAP = 1.5
"""Gap between two cells of a table, in sizes of the text."""
SCAN_SIZES = (0.7, 1.2)
"""Shares of a scanned page's usual size between which sizes are errors of measurement; larger ones are headings'."""
ASCENT, DESCENT = 0.8, 0.25
"""How far letters reach above and below their baseline, as shares of their size."""

# Lines and areas that are drawn (ruled.py); fitted on articles' tables of three rules and on panels of text.
THIN = 2.0
"""Height up to which what is drawn is a line."""
MIN_RULE = 20.0
"""Length of a line that separates text."""
SAME_END = 3.0
"""Distance between the ends of lines that belong together."""
MAX_RULES = 200
"""Lines drawn on a page that are looked at. A bound for odd files."""
CAPTION_LINES, HEAD_LINES = 8, 3
"""Most lines of text between a table's caption and its first rule, and of its head, which may look like text."""
USUAL_RULES = 3
"""Rules of most tables: above and below the head, and at the end."""
MIN_BOX, MAX_BOXES = 60.0, 20
"""Sides of a box, and boxes of a page, the largest ones, in which text is looked for."""
BOX_LINES, BOX_LETTERS = 5, 100
"""Lines and letters of text in a box, which is not the frame of a single word or of the cell of a table."""
PAGE_SHARE = 0.7
"""Share of a page's letters above which a box is its background."""
PROSE_LETTERS = 25
"""Letters of a line of text, which few cells of a table have."""

# Tables without rules (tables.py) and what interrupts the text (asides.py).
MIN_ROWS = 3
"""Rows with three cells, or with hardly any letters, which make a table of the lines around them."""
FRONT_PAGES = 2
"""Pages on which authors' addresses stand."""
NOTE_WORDS = 120
"""Words of a footnote without a mark."""

# Broken words (hyphens.py, ligatures.py).
LONGEST_PART = 60
"""Letters of the longest part of a word that is looked at."""
MIN_WORDS, KNOWN_SHARE = 2, 0.4
"""Number and share of the different words with a glyph that letters must make frequent words of."""
