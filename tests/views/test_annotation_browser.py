"""The annotators' page in a real browser, by mouse and keyboard."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from views.browser import CHROMIUM, DRIVER, Browser, browser

from pagesum_cli.lab.annotation import Sheet, read_annotations
from pagesum_cli.lab.protocols import Item
from pagesum_cli.views.annotation.page import sheet_page

HOSTILE = (
    "</script><script>document.title='owned'</script> \"&amp;\" <img src=x "
    "onerror=\"document.title='owned'\">"
)
SHEET = Sheet(
    "errors",
    (
        Item("S1", "d1", ("secret-a",), ("𝔗he old 𝔪ill was late. Rain fell, and rain fell.",)),
        Item("S2", "d1", ("secret-b",), (f'{HOSTILE} =1+1 says "so".',)),
        Item("S3", "d2", ("secret-a",), ("Nothing is wrong here.",)),
    ),
    seed=1,
    available=2,
)


def test_the_page_holds_the_texts_and_no_system() -> None:
    page = sheet_page(SHEET)
    assert "secret" not in page
    assert "d1" not in page.split("<main>")[1].split("</main>")[0]
    assert page.count("<script>") == 1


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not (CHROMIUM and DRIVER):
        pytest.skip("no Chromium with its chromedriver on this machine")
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


def marks(window: Browser, tmp_path: Path) -> dict[str, set[tuple[str, str]]]:
    """What is exported, as the program reads it: types and spans by code."""
    path = tmp_path / "export.csv"
    path.write_text(window.run("return exported()"), encoding="utf-8")
    texts = {item.code: item.texts[0] for item in SHEET.items}
    found = read_annotations(path, SHEET).marks
    return {
        code: {(one.label, texts[code][slice(*one.value)]) for one in some}
        for code, some in found.items()
    }


def select(window: Browser, code: str, first: int, last: int) -> None:
    """Select words as a mouse does."""
    window.run(
        """
        const [code, first, last] = arguments;
        const words = document.querySelectorAll(`#${code} .w`);
        getSelection().setBaseAndExtent(words[last].firstChild, 2, words[first].firstChild, 1);
        document.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
        """,
        code, first, last,
    )  # fmt: skip
    assert window.until(
        f"return document.querySelectorAll('#{code} .chosen').length === {last - first + 1}"
    )


@pytest.mark.slow
def test_marks_are_made_kept_and_exported(window: Browser, tmp_path: Path) -> None:
    page = tmp_path / "sheet.html"
    page.write_text(sheet_page(SHEET), encoding="utf-8")
    window.open(page)
    # By keyboard, in the first summary: the second and third word, then the fourth, whose mark is
    # removed again.
    window.click("#S1 .w")
    window.press("ArrowRight")
    window.press("ArrowRight", shift=True)
    window.press("1", "ArrowRight", "3")
    assert window.run("return document.querySelectorAll('#S1 li').length") == 2
    window.press("Delete")
    # By mouse, in the second one: backwards, from within words.
    select(window, "S2", 0, 1)
    window.click("footer .RepE")
    window.click("footer .RepE")  # the same again is no second mark
    for code in ("S1", "S2", "S3"):
        window.click(f"#{code} input")
    window.run(
        "document.getElementById('annotator').value = 'Ann B'; annotator.dispatchEvent(new "
        "Event('input'))"
    )
    hostile = " ".join(HOSTILE.split()[:2])
    expected = {"S1": {("RefE", "old 𝔪ill")}, "S2": {("RepE", hostile)}, "S3": set()}
    assert marks(window, tmp_path) == expected
    window.reload()
    assert marks(window, tmp_path) == expected
    assert window.run("return annotator.value") == "Ann B"
    assert window.run("return document.getElementById('progress').textContent") == "3 of 3 read"
    window.click("#S1 li button")
    window.click("#S3 input")  # not read after all
    assert marks(window, tmp_path) == {"S1": set(), "S2": expected["S2"]}
    saved = window.run(
        """
        let name = "";
        HTMLAnchorElement.prototype.click = function () { name = this.download; };
        document.getElementById("export").click();
        return name;
        """
    )
    assert saved == "annotations-Ann_B.csv"
    assert "owned" not in window.run("return document.title")
    assert window.console() == []
    assert [
        address for address in window.requests() if not address.startswith(("file:", "about:"))
    ] == []


PAIRS = Sheet(
    "best-worst",
    (
        Item("S1", "secret-1", ("secret-a", "secret-b"), ("Rain fell.", HOSTILE), HOSTILE),
        Item(
            "S2", "secret-2", ("secret-b", "secret-a"), ("The mill was late.", "=1+1"), "The mill."
        ),
    ),
    seed=1,
    available=2,
)


def test_the_page_of_pairs_holds_the_texts_and_no_system() -> None:
    page = sheet_page(PAIRS)
    assert "secret" not in page
    assert "The mill was late." in page
    assert page.count("<script>") == 1


@pytest.mark.slow
def test_choices_are_made_kept_and_exported(window: Browser, tmp_path: Path) -> None:
    page = tmp_path / "pairs.html"
    page.write_text(sheet_page(PAIRS), encoding="utf-8")
    window.open(page)
    for criterion, choice in (
        ("FactAcc", "A"),
        ("Inform", "B"),
        ("Gramm", "B"),
        ("NonRed", "A"),
        ("NonRed", "B"),
    ):
        window.click(f"input[name='S1 {criterion}'][value={choice}]")
    window.click("input[name='S2 Gramm'][value=A]")
    expected = {
        ("S1", "FactAcc"): 0,
        ("S1", "Inform"): 1,
        ("S1", "Gramm"): 1,
        ("S1", "NonRed"): 1,
        ("S2", "Gramm"): 0,
    }
    for _ in range(2):
        path = tmp_path / "export.csv"
        path.write_text(window.run("return exported()"), encoding="utf-8")
        found = read_annotations(path, PAIRS).marks
        assert {
            (code, mark.label): mark.value[0] for code, own in found.items() for mark in own
        } == expected
        assert (
            window.run("return document.getElementById('progress').textContent")
            == "1 of 2 pairs judged"
        )
        window.reload()
    assert "owned" not in window.run("return document.title")
    assert window.console() == []
    assert [
        address for address in window.requests() if not address.startswith(("file:", "about:"))
    ] == []
