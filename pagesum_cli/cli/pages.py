"""``pagesum pages``: how files will be cut, without a model."""

import json
from typing import Any

import typer

from ..documents.document import Document
from ..documents.read import find_files, read_file
from ..locality import Pages, cut
from ..model.registry import DEFAULT, checkpoint_folder, settings_of
from ..tokenization import PageTokenizer, load_tokenizer
from . import console, options

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
def pages(
    files: options.Files,
    locality: options.Locality = "auto",
    page_tokens: options.PageTokens = None,
    max_pages: options.MaxPages = None,
    num_pages: options.NumPages = None,
    overflow: options.Overflow = "continue",
    model: options.Model = DEFAULT,
    password: options.Password = None,
    output_format: options.TextOrJson = "text",
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Show the sections that are found in a file and the pages that it will be cut into, without a model.

    Several files are cut as one cluster, as summarize does.
    """
    options.check_model(model, page_tokens)
    options.check_pages(num_pages, max_pages, overflow)
    documents = [document for path in find_files(files) for document in read_file(path, password=password)]
    folder = checkpoint_folder(model, weights=False)
    settings = settings_of(folder)
    positions = settings.get("max_position_embeddings", 1024)
    tokenizer = PageTokenizer(load_tokenizer(folder), settings.get("first_mark"))
    cuts = cut(
        documents,
        locality,
        count_tokens=tokenizer.count,
        page_tokens=page_tokens or min(settings.get("page_tokens", positions), positions),
        special_tokens=tokenizer.special_tokens,
        title_tokens=tokenizer.title_tokens,
        max_pages=max_pages,
        overflow=overflow,
        num_pages=num_pages or settings.get("num_pages"),
    )
    if output_format == "json":
        console.data(json.dumps(_json(documents, cuts), ensure_ascii=False, indent=2))
        return
    from ..views.pages import pages_view

    console.show(pages_view(documents, cuts))
    options.say_what_is_left_out(console.Talk(quiet=quiet), cuts)


def _json(documents: list[Document], cuts: Pages) -> dict[str, Any]:
    return {
        "schema": 1,
        "title": documents[0].title if len(documents) == 1 else "",
        "locality": cuts.locality,
        "sections": [
            {
                "heading": section.heading,
                "level": section.level,
                "pdf_pages": list(section.pdf_pages),
                "words": len(section.text.split()),
                "found_by": section.found_by,
                "source": document.name,
            }
            for document in documents
            for section in document.sections
        ],
        "pages": [
            {
                "page": number,
                "label": page.label,
                "source": page.source,
                "pdf_pages": list(page.pdf_pages),
                "tokens": page.tokens,
                "truncated": page.truncated_words > 0,
                "text": page.text,
            }
            for number, page in enumerate(cuts.pages)
        ],
    }
