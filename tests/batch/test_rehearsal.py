"""What is done while a file is read."""

import sys

import pytest

from pagesum_cli.batch.talk import Silent
from pagesum_cli.batch.worker import REHEARSAL, Worker
from pagesum_cli.documents.readers.text import plain_document
from pagesum_cli.options import GenerationOptions, ModelOptions, PagingOptions
from pagesum_cli.summarizer import PageSummarizer


@pytest.fixture
def light_worker(monkeypatch: pytest.MonkeyPatch, summarized: list[str]) -> Worker:
    """A worker of `mini` without PyTorch, which is not imported, as it were."""
    worker = Worker(
        ModelOptions(model="mini"), PagingOptions(), GenerationOptions(), Silent(), history=None
    )
    worker.__dict__["summarizer"] = PageSummarizer.from_pretrained("mini", light=True)
    monkeypatch.delitem(sys.modules, "torch")
    return worker


@pytest.fixture
def summarized(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the summaries that were made."""
    texts: list[str] = []
    summarize = PageSummarizer.summarize

    def noted(self: PageSummarizer, *arguments: object, **options: object) -> object:
        summary = summarize(self, *arguments, **options)  # type: ignore[arg-type]
        texts.append(summary.text)
        return summary

    monkeypatch.setattr(PageSummarizer, "summarize", noted)
    return texts


def test_a_rehearsal_summarizes_and_leaves_no_trace(
    light_worker: Worker, summarized: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def remember(*_: object, **__: object) -> None:
        raise AssertionError("the rehearsal is kept")

    monkeypatch.setattr("pagesum_cli.batch.worker.remember", remember)
    light_worker.rehearse()
    assert len(summarized) == 1
    assert "torch" not in sys.modules
    assert isinstance(light_worker.talk, Silent)
    assert not light_worker.talk.notes
    assert not light_worker.talk.warnings


def test_nothing_is_rehearsed_with_pytorch(light_worker: Worker, summarized: list[str]) -> None:
    sys.modules["torch"] = sys  # anything
    light_worker.rehearse()
    assert not summarized


def test_the_rehearsal_has_what_a_paper_has() -> None:
    headings = [part.heading for part in plain_document(REHEARSAL, "").sections]
    assert headings[-2:] == ["Abstract", "1 Introduction"]
