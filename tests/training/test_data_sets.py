"""Data sets by name in training: read as evaluation reads them."""

import json
from pathlib import Path

import pytest
import tiny

from pagesum_cli.datasets.named import DataRequest, read_data
from pagesum_cli.errors import PagesumError
from pagesum_cli.locality import paginate
from pagesum_cli.options import PagingOptions
from pagesum_cli.training.job import Job, check_job
from pagesum_cli.training.prepare import read_split
from pagesum_cli.training.settings import Settings, load_settings

ARTICLES = [f"{first} {second}" for first, second in zip(tiny.TEXTS, tiny.TEXTS[1:], strict=False)]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The original program's data of Multi-News: a list of the articles of each cluster."""
    for split in ("train", "val"):
        (tmp_path / split).mkdir()
        record = {"article": ARTICLES[:3], "abstract": ["The council met twice.", "Prices rose."]}
        (tmp_path / split / "0.json").write_text(json.dumps(record))
    return tmp_path


@pytest.mark.parametrize("preset", ["multinews", "multinews-spatial", "multinews-pg"])
@pytest.mark.parametrize("locality", ["spatial", "document"])
def test_articles_are_articles_whatever_the_locality(
    archive: Path, preset: str, locality: str
) -> None:
    settings = load_settings(preset, flags={"locality": locality})
    trained = list(read_split([str(archive)], "train", locality, data_set=settings.data_set))
    request = DataRequest("multinews", archive, split="train")
    assert trained == read_data(request, pytest.fail, locality)
    assert [document.text for document in trained[0].documents] == ARTICLES[:3]


def test_a_cluster_is_cut_by_its_sentences_and_no_word_is_lost(archive: Path) -> None:
    settings = load_settings("multinews-spatial")
    data_set = settings.data_set
    (record,) = read_split([str(archive)], "train", settings.locality, data_set=data_set)
    paging = PagingOptions(settings.locality, page_tokens=256, num_pages=settings.num_pages)
    pages = paginate(record.documents, paging, tiny.word_piece(tiny.TEXTS))
    words = " ".join(page.text for page in pages.pages).split()
    assert (len(pages.pages), pages.unread_words) == (7, 0)
    assert words == " ".join(ARTICLES[:3]).split()


@pytest.fixture
def screenplays(tmp_path: Path) -> Path:
    for show in ("fd", "tms"):
        for split in ("train", "dev", "test"):
            value = {"Transcript": [f"{show} : Hello ."], "Recap": [f"{show} recap ."]}
            (tmp_path / f"{show}_{split}.json").write_text(json.dumps(value) + "\n")
    return tmp_path


@pytest.mark.parametrize("show", ["fd", "tms"])
@pytest.mark.parametrize("kind", ["", "-tagger", "-adapool"])
def test_a_preset_names_which_data_set_of_a_folder_it_is_for(
    screenplays: Path, show: str, kind: str, tmp_path: Path
) -> None:
    settings = load_settings(f"topdown-summscreen-{show}{kind}", flags={"init": "scratch"})
    job = Job((str(screenplays),), tmp_path / "run", settings)
    check_job(job)
    (record,) = read_split(job.data, "train", settings.locality, data_set=settings.data_set)
    assert record.summary == f"{show} recap ."


def test_of_two_data_sets_in_a_folder_one_has_to_be_named(
    screenplays: Path, tmp_path: Path
) -> None:
    settings = Settings().changed({"init": "scratch"}, "test")
    with pytest.raises(PagesumError, match="expected one of them") as error:
        check_job(Job((str(screenplays),), tmp_path / "run", settings))
    assert "--set data_set=NAME" in str(error.value.hint)  # training has no --data-dir
    check_job(
        Job(
            (str(screenplays),),
            tmp_path / "run",
            settings.changed({"data_set": "summscreen-tms"}, "test"),
        )
    )
