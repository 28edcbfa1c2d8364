"""A copy of a PDF in which the quotes of a summary are marked."""

from collections.abc import Callable, Sequence

from ..documents.guard.reading import stream
from ..documents.read import find_files
from ..errors import PagesumError, UsageError
from ..files import replacing
from ..summary.summary import Source, Summary
from .citation import titles_of
from .plain import one_line

_MARKING = "pagesum_cli.documents.pdf.marking"


def is_pdf(path: str) -> bool:
    """Whether a file is named like a PDF."""
    return path.lower().endswith(".pdf")


def check_markable(paths: Sequence[str], output: str) -> None:
    """Refuse, before any work, what cannot be marked."""
    if len(paths) != 1 or not is_pdf(paths[0]):
        found = paths[0] if len(paths) == 1 else f"{len(paths)} files"
        raise UsageError(
            f"{output}: expected one PDF to mark, found {found}",
            "name the file .md, .html or .json",
        )
    find_files(paths)
    list(stream(f"{_MARKING}:check_markable", bool, paths[0], {}))


def write_marked(
    summary: Summary,
    path: str,
    output: str,
    on_problem: Callable[[str], None] = lambda message: None,
) -> None:
    """Write a copy of a PDF with an annotation for each quote and lead-in: its number, its text,
    and its paragraph's title. ``on_problem`` is called with a line for each page that cannot be
    marked.
    """
    titles, title, marks = titles_of(summary), "", []
    marked = set[Source]()
    for number, sentence in enumerate(summary.sentences):
        title = titles.get(number, title)
        text = f"{number + 1}. {one_line(sentence.shown)}"
        for source in sentence.sources:
            if source.boxes and source not in marked:  # items share a lead-in
                marked.add(source)
                boxes = [[box.pdf_page, box.x0, box.y0, box.x1, box.y1] for box in source.boxes]
                marks.append([f"{text} ({one_line(title)})" if title else text, boxes])
    if not marks:
        raise PagesumError(
            f"{output}: the summary has no quotes with known places", "use an extractive model"
        )
    with replacing(output) as aside:
        arguments = {"output": str(aside), "marks": marks}
        list(stream(f"{_MARKING}:mark", int, path, arguments, on_problem))
