"""The page of labels in a real browser, by mouse and keyboard."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from views.browser import CHROMIUM, DRIVER, Browser, browser

from pagesum_cli.datasets.labels import LabelledDocument
from pagesum_cli.datasets.record import EditorLabels
from pagesum_cli.views.labels.page import labels_page

HOSTILE = "</script><script>document.title='owned'</script> <img src=x onerror=\"alert(1)\">"
DOCUMENT = LabelledDocument(
    "a",
    (("One", "First it rained."), ("One", HOSTILE), ("Two", "Then 𝔱he sun shone.")),
    budget=4,
    labels=EditorLabels((0,), (2,)),
    extra={"kind": "weather"},
)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if not (CHROMIUM and DRIVER):
        pytest.skip("no Chromium with its chromedriver on this machine")
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@pytest.mark.slow
def test_labels_are_corrected_by_clicks_and_keys(window: Browser, tmp_path: Path) -> None:
    path = tmp_path / "labels.html"
    path.write_text(labels_page([DOCUMENT]), encoding="utf-8")
    window.open(path)
    assert (
        window.run("return exported()")
        == json.dumps(DOCUMENT.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"
    )
    window.click(".sentence:nth-of-type(2)")  # the count of words is the first paragraph
    window.click("footer [data-label=rejected]")
    window.click("article p:nth-of-type(3)")
    window.run("document.querySelectorAll('.sentence')[1].focus()")
    window.press("ArrowDown", "1")
    found = json.loads(window.run("return exported()"))
    assert (found["quoted"], found["alternates"], found["rejected"]) == ([2], [], {"1": "pointer"})
    assert found["kind"] == "weather"
    assert window.run("return document.querySelector('.count').textContent") == (
        "4 of 4 words quoted"
    )
    window.reload()
    assert json.loads(window.run("return exported()")) == found
    assert window.run("return document.title") == "Labels of 1 documents"
    assert window.console() == []
