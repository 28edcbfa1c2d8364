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
