"""One summarizer for many documents, in one thread and in several."""

import logging
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

import pytest
import torch
from tiny import TEXTS

import pagesum_cli
from pagesum_cli import (
    PagesumError,
    PageSummarizer,
    PagingOptions,
    Summary,
    plain_document,
    read_data,
)
from pagesum_cli.locality import paginate

ROOT = Path(__file__).parents[1]
PAPER = ROOT / "docs" / "examples" / "paper.pdf"


@pytest.fixture(scope="module", params=["tiny_checkpoint", "tiny_extractive"])
def summarizer(request: pytest.FixtureRequest) -> PageSummarizer:
    """One of each family."""
    return PageSummarizer.from_pretrained(
        str(request.getfixturevalue(request.param)), device="cpu", dtype="float32"
    )


def documents() -> list[pagesum_cli.Document]:
    """Documents of different lengths, also with sections longer than a page."""
    return [
        plain_document(
            "\n\n".join((TEXTS[number:] + TEXTS[:number]) * (1 + 3 * number)), f"{number}"
        )
        for number in range(4)
    ]


def without_time(summary: Summary) -> dict[str, object]:
    return {name: value for name, value in summary.to_json().items() if name != "seconds"}


def state() -> list[object]:
    """What a call could change in the process of its caller."""
    return [
        torch.get_rng_state().tolist(),
        torch.get_num_threads(),
        torch.is_grad_enabled(),
        torch.is_inference_mode_enabled(),
        torch.get_default_dtype(),
        logging.getLogger("pypdf").level,
        list(logging.getLogger().handlers),
        list(warnings.filters),
        dict(os.environ),
        os.getcwd(),
        threading.active_count(),
    ]


@pytest.fixture
def frequent_switches() -> Iterator[None]:
    """Threads take turns a thousand times as often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(before)


def test_a_call_leaves_nothing_behind(summarizer: PageSummarizer, tmp_path: Path) -> None:
    first, second, *_ = documents()
    alone = without_time(summarizer.summarize(first))
    summarizer.summarize(PAPER, max_pages=2)  # what is imported once
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    before = state()
    summarizer.summarize(second, overflow="truncate", max_length=9)
    summarizer.summarize(PAPER, max_pages=2)
    summarizer.explain(first, TEXTS[0])
    with pytest.raises(PagesumError):
        summarizer.summarize(tmp_path / "broken.pdf")
    with pytest.raises(KeyboardInterrupt):
        summarizer.summarize(second, on_progress=lambda stage, done, total: _interrupt(stage))
    assert without_time(summarizer.summarize(first)) == alone
    assert state() == before


def _interrupt(stage: str) -> None:
    if stage == "encode":
        raise KeyboardInterrupt


@pytest.mark.usefixtures("frequent_switches")
def test_threads_share_a_summarizer(summarizer: PageSummarizer) -> None:
    options = [{}, {"overflow": "truncate"}, {"page_tokens": 40, "overflow": "truncate"}]
    work = [(document, option) for option in options for document in documents()]
    alone = [without_time(summarizer.summarize(document, **option)) for document, option in work]
    for _ in range(3):
        with ThreadPoolExecutor(2) as pool:
            together = list(
                pool.map(lambda one: without_time(summarizer.summarize(one[0], **one[1])), work)
            )
        assert together == alone


def test_truncation_in_one_thread_does_not_truncate_in_another(summarizer: PageSummarizer) -> None:
    tokenizer = summarizer.tokenizer
    long = " ".join(TEXTS * 20)
    (count,) = tokenizer.count([long])
    pages = paginate(
        [plain_document("\n\n".join(TEXTS * 200), "long")], PagingOptions(page_tokens=60), tokenizer
    )
    with ThreadPoolExecutor(1) as pool:
        encoding = pool.submit(tokenizer.encode_pages, pages, 40)
        while not encoding.done():
            assert tokenizer.count([long]) == [count]
    assert max(len(page.ids) for page in encoding.result()) == 40


def test_threads_read_pdfs(summarizer: PageSummarizer) -> None:
    data = PAPER.read_bytes()
    level = logging.getLogger("pypdf").level
    (alone,) = read_data(data, "paper.pdf")
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda _: read_data(data, "paper.pdf"), range(3)))
    assert together == [[alone]] * 3
    assert logging.getLogger("pypdf").level == level


def test_public_names_can_be_imported() -> None:
    for name in pagesum_cli.__all__:
        assert getattr(pagesum_cli, name)
    assert dir(pagesum_cli) == sorted(pagesum_cli.__all__)
    assert {*chain(*pagesum_cli._HOMES.values()), "__version__"} == set(pagesum_cli.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pagesum_cli.nothing


def test_data_is_read_by_its_name_or_its_content() -> None:
    (named,) = read_data(b"# Harvest\n\n## Rain\n\nIt rained.\n\n## Bread\n\nPrices rose.", "a.md")
    (unnamed,) = read_data(
        b"# Harvest\n\n## Rain\n\nIt rained.\n\n## Bread\n\nPrices rose.", "request"
    )
    (text,) = read_data(b"# Harvest\n\n## Rain\n\nIt rained.", "a.txt")
    assert (named.title, named.text) == (unnamed.title, unnamed.text)
    assert [section.heading for section in named.sections] == ["Rain", "Bread"]
    assert "#" in text.text
    with pytest.raises(PagesumError, match="request: expected text, found none"):
        read_data(b" \n", "request")


def test_a_text_is_summarized_as_a_document_of_it_and_prints_as_its_text(
    summarizer: PageSummarizer, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " ".join(TEXTS[:3])
    summary = summarizer.summarize_text(text, name="minutes")
    assert without_time(summary) == without_time(
        summarizer.summarize(plain_document(text, "minutes"))
    )
    assert {page.source for page in summary.pages} == {"minutes"}
    print(summary)
    assert capsys.readouterr().out == f"{summary.text}\n"
