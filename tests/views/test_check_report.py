"""A check as a page that can be sent."""

from pagesum_cli.views.check_report import check_page


def test_each_claim_is_a_row_with_its_source_beside_it():
    source = {"file": "a.pdf", "section": "1 Bread", "pdf_pages": [3], "text": "It cost <24>."}
    difference = {"kind": "number", "claim": "42", "document": "24"}
    claims = [
        {"text": "It cost <42>.", "verdict": "differs", "source": source,
         "differences": [difference], "citation": {"text": "[p. 9]", "holds": False}},
        {"text": "Mars.", "verdict": "not found", "source": None, "differences": []},
    ]  # fmt: skip
    not_checked = [{"text": "<b>Bread</b>", "reason": "heading"}]
    page = check_page({"claims": claims, "not_checked": not_checked}, "<draft>.md")
    assert page.count("<tr><td") == 2
    assert "It cost &lt;42&gt;." in page
    assert "It cost &lt;24&gt;.<cite>a.pdf" in page
    assert "1 Bread" in page
    assert "cited wrongly" in page
    assert "nothing in the documents" in page
    assert "2 claims: 1 differs, 1 not found" in page
    assert "<b>Bread" not in page
    assert "<script" not in page
    assert "http://" not in page
    assert "https://" not in page


def test_what_needs_a_look_comes_first_and_the_sources_are_listed():
    place = {"file": "a.pdf", "section": "", "pdf_pages": [1], "text": "Prices <rose>."}
    other = {**place, "text": "Bread is dear."}
    claims = [
        {"text": "One.", "verdict": "verbatim", "source": place, "differences": []},
        {"text": "Two.", "verdict": "paraphrase", "source": place, "differences": [],
         "passages": [place, other]},
        {"text": "Three.", "verdict": "verbatim", "source": place, "differences": [],
         "citation": {"text": "[p. 9]", "holds": False}},
        {"text": "Four.", "verdict": "differs", "source": place, "differences": []},
    ]  # fmt: skip
    file = {"file": "a.pdf", "sha256": "0123456789abcdef", "reader": "pagesum 1"}
    share = {"title": "On <prices>", "words": [900, 1000], "pdf_pages": [3, 4]}
    data = {"claims": claims, "not_checked": [], "files": [file], "searched": [share]}
    page = check_page(data, "draft.md", "2026-11-27")
    order = [page.index(f"<td>{text}") for text in ("Four.", "Three.", "Two.", "One.")]
    assert order == sorted(order)
    assert "Prices &lt;rose&gt;." in page
    assert "Bread is dear." in page
    assert "4 claims: 1 differs, 1 cited wrongly, 1 in other words, 1 verbatim" in page
    assert '<a href="#cited-wrongly">' in page
    assert 'id="cited-wrongly"' in page
    assert "Checked on 2026-11-27 by pagesum 1" in page
    assert "On &lt;prices&gt;; searched 900 of 1,000 words, 3 of 4 PDF pages" in page


def test_numbers_come_first_and_long_omissions_are_short():
    words = " ".join(f"word{number}" for number in range(40))
    differences = [
        {"kind": "omission", "claim": "", "document": words},
        {"kind": "insertion", "claim": "yesterday", "document": ""},
        {"kind": "number", "claim": "42", "document": "24"},
    ]
    texts = ['The report says "it cost 42 cents" now.', "it cost 42 cents", "It rained."]
    claims = [
        {"text": text, "verdict": "edited", "source": None, "differences": differences}
        for text in texts
    ]
    page = check_page({"claims": claims, "not_checked": []}, "draft.md")
    order = [
        page.index(text) for text in ("number: here “42”", "added: “yest", "left out: “word0 ")
    ]
    assert order == sorted(order)
    assert "“word0 word1 word2 word3 word4 word5 … word34" in page
    assert "nothing”" not in page
    assert "claim 1, quotation" in page
    assert "claim 2<" in page
    assert "3 claims: 3 edited" in page
