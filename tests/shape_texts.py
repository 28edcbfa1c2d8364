"""A paper, an opinion and a contract in short, for tests of their summaries."""

from pagesum_cli.documents.model import Document, LeftOut, Paragraph, Section, Sentence
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.coverage import Coverage

TEXTS = {
    "Introduction": "We investigate whether warmer springs change "
    "the harvest of wheat in the valley.",
    "Methods": "Wheat was sown on forty farms in May and weighed again in August of each year.",
    "Results": "Harvests rose by twelve percent on the farms that were warmed by one degree.",
    "Limitations": "The farms in the study are not representative of those on the hills nearby.",
}
WHEAT = Document(
    "paper.pdf", tuple(Section(name, (Paragraph(text),)) for name, text in TEXTS.items()), "Warmth"
)


OPINION_TEXTS = {
    "I. Background": "Mills, Inc., sued the county for the cost of a bridge over the brook. The "
    "trial court entered judgment for the county, and the plaintiff appealed to this Court. The "
    "question presented is whether a county must pay for a bridge that it never used.",
    "II. Analysis": "The plaintiff argues that the bridge was public. We disagree because the "
    "plaintiff and the defendant agreed that no one but the miller would cross it. The trial "
    "court heard the defendant on this.",
    "III. Conclusion": "We hold that a county need not pay for a private bridge. We affirm the "
    "judgment of the trial court.",
}


def document_of(texts: dict[str, str], left_out: tuple[LeftOut, ...] = ()) -> Document:
    sections = tuple(Section(name, (Paragraph(text),)) for name, text in texts.items())
    return Document("file.pdf", sections, "Bridges", left_out=left_out)


def pages_of(document: Document) -> Pages:
    sentences = tuple(
        Sentence(f"{text.rstrip('.')}.", (), section.heading, start, start + len(text))
        for section, start in zip(document.sections, document.starts, strict=True)
        for text in section.text.replace(". ", ".|").split("|")
    )
    return Pages("discourse", (Page("file", "file.pdf", "", sentences, 100),))


CONTRACT_TEXTS = {
    "1. Purpose": "This Agreement governs the use of the mill by the Farmer.",
    "2. Use": "The Farmer shall keep the stones dry. The Farmer must close the gate at night. The "
    "Farmer may use the yard. The Farmer shall feed the mule.",
    "3. Fees": "The Farmer shall pay $40 a month to the Miller.",
    "4. Liability": "In no event shall the Miller be liable for wet flour.",
    "5. Termination": "Either party may terminate this Agreement upon thirty days notice.",
    "6. Severability": "If a clause is void, the other clauses shall remain.",
    "7. Law": "This Agreement shall be governed by the laws of the State of Maine.",
    "8. Export": "The Farmer shall not export the mill.",
}


def article_of(name: str, sentences: tuple[str, ...]) -> Document:
    """An article of one paragraph."""
    return Document(name, (Section("", (Paragraph(" ".join(sentences)),)),))


def chosen_of(articles: dict[str, tuple[str, ...]], words: int | None = None) -> list[str]:
    """The sentences of articles that are quoted; earlier ones have better scores."""
    pages = Pages(
        "document",
        tuple(
            Page(name, name, "", tuple(Sentence(one, (), "", 0, 9) for one in sentences), 100)
            for name, sentences in articles.items()
        ),
    )
    places = [(n, m) for n, page in enumerate(pages.pages) for m in range(len(page.sentences))]
    scores = {place: -float(place[1]) for place in places}
    documents = [article_of(name, sentences) for name, sentences in articles.items()]
    chosen = Coverage(documents, GenerationOptions(words=words)).choose(pages, scores)
    return [pages.pages[page].sentences[number].text for page, number in chosen]
