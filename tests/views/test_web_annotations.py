"""Web Annotations, resolved by a reader that knows the standard and nothing of pagesum."""

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from tiny import TWO_SENTENCES

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.summary.summary import SourceSentence
from pagesum_cli.views.formats import written

PAPER = Path(__file__).parents[2] / "docs" / "examples" / "paper.pdf"


def resolved(selector, text):
    """What a selector selects of a text, by the rules of the standard."""
    if selector["type"] == "TextPositionSelector":
        return text[selector["start"] : selector["end"]]
    whole = selector["prefix"] + selector["exact"] + selector["suffix"]
    assert text.count(whole) == 1
    place = text.index(whole) + len(selector["prefix"])
    return text[place : place + len(selector["exact"])]


def test_every_selector_finds_the_quote(pagesum, tiny_extractive, tmp_path):
    output = tmp_path / "summary.jsonld"
    assert pagesum("summarize", PAPER, "--model", tiny_extractive, "--output", output).code == 0
    page = json.loads(output.read_text(encoding="utf-8"))
    assert (page["@context"], page["type"]) == (
        "http://www.w3.org/ns/anno.jsonld",
        "AnnotationPage",
    )
    text = json.loads(pagesum("pages", PAPER, "--model", tiny_extractive, "--format", "json").out)[
        "documents"
    ][0]["text"]
    identifiers = [page["id"], *(item["id"] for item in page["items"])]
    assert len(set(identifiers)) == len(page["items"]) + 1
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", identifier) for identifier in identifiers)
    for item in page["items"]:
        assert (item["type"], item["motivation"], item["body"]["type"]) == (
            "Annotation",
            "highlighting",
            "TextualBody",
        )
        # also of a lead-in
        targets = item["target"] if isinstance(item["target"], list) else [item["target"]]
        for target in targets:
            *selectors, fragment = target["selector"]
            assert [one["type"] for one in selectors] == [
                "TextQuoteSelector",
                "TextPositionSelector",
            ]
            assert (
                len({resolved(selector, text) for selector in selectors} | {selectors[0]["exact"]})
                == 1
            )
            assert re.fullmatch(r"page=[1-9]\d*", fragment["value"])
            assert (tmp_path / unquote(target["source"])).resolve() == PAPER.resolve()


def test_a_generated_sentence_has_its_evidence():
    text = "The harvest failed in the north."
    document = Document("a b.txt", (Section("", (Paragraph(f"It rained. {text} Else."),)),))
    pages = [replace(page, source="a b.txt") for page in TWO_SENTENCES.pages]
    evidence = (SourceSentence(text, 0, (), 1.0),)
    first, second = TWO_SENTENCES.sentences
    summary = replace(
        TWO_SENTENCES, pages=tuple(pages), sentences=(replace(first, evidence=evidence), second)
    )
    one, other = json.loads(written(summary, "annotations", documents=[document]))["items"]
    assert (one["motivation"], one["target"]["source"]) == ("linking", "a%20b.txt")
    assert all(resolved(selector, document.text) == text for selector in one["target"]["selector"])
    assert other["target"] == {"source": "a%20b.txt"}
