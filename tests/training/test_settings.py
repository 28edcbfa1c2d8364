"""Presets, the user's file and flags."""

import tomllib
from dataclasses import Field, asdict, fields
from pathlib import Path

import pytest

from pagesum_cli.errors import UsageError
from pagesum_cli.models.topdown.encoder import TopDownConfig
from pagesum_cli.options import hints_of, row_of
from pagesum_cli.options.presets import COMBINED, NAMES, TOPDOWN
from pagesum_cli.training.settings import Settings, load_settings, preset_text, toml_of, value_of


def test_the_papers_learning_rate_rises_and_falls_with_the_square_root() -> None:
    settings = load_settings("pubmed")
    assert settings.rate(1, 99) == pytest.approx(2e-3 * 10000**-1.5)
    assert settings.rate(10000, 99) == pytest.approx(2e-3 / 100)
    assert settings.rate(40000, 99) == pytest.approx(2e-3 / 200)


def test_a_linear_schedule_rises_falls_and_keeps_a_little() -> None:
    settings = Settings(schedule="linear", learning_rate=0.1, warmup=10)
    rates = [settings.rate(update, 100) for update in range(1, 101)]
    assert rates[0] == pytest.approx(0.01)
    assert max(rates) == rates[9] == pytest.approx(0.1)
    assert rates[54] == pytest.approx(0.05)
    assert rates[-1] == pytest.approx(0.002)


def test_flags_go_over_the_file_and_the_file_over_the_preset(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text("epochs = 3\nbatch = 2\n")
    found = load_settings("pubmed", file, {"batch": 4})
    assert (found.epochs, found.batch, found.accumulate) == (3, 4, 16)


def test_another_start_takes_the_place_of_the_presets_encoder() -> None:
    preset = load_settings("mini")
    assert (preset.init_encoder, preset.trainable, preset.task) == ("mini", "head", "extractive")
    assert load_settings("mini", flags={"init": "run"}).init_encoder == ""
    assert load_settings("mini", flags={"init_encoder": "minilm"}).init_encoder == "minilm"


@pytest.mark.parametrize("name", NAMES)
def test_settings_survive_being_written(name: str) -> None:
    settings = load_settings(name, flags={"init": 'a "b" \\ ü😀', "decoder_layers": [0, 2]})
    assert Settings().changed(tomllib.loads(toml_of(settings)), "file") == settings


CNN, PLAIN = "facebook/bart-large-cnn", "facebook/bart-large"


@pytest.mark.parametrize(
    ("name", "init", "locality", "pages", "target", "lengths", "optimizer", "batches"),
    [
        ("arxiv", CNN, "spatial", 7, 400, (100, 350), "adam", (1, 16)),
        ("arxiv-star", PLAIN, "spatial", 7, 400, (100, 350), "adam", (1, 16)),
        ("arxiv-discourse", CNN, "discourse", 8, 400, (100, 350), "adam", (1, 16)),
        ("pubmed", CNN, "spatial", 7, 400, (150, 400), "adam", (1, 16)),
        ("pubmed-star", PLAIN, "spatial", 7, 400, (150, 400), "adam", (1, 16)),
        ("govreport", CNN, "spatial", 20, 1024, (500, 900), "adafactor", (2, 8)),
        ("govreport-star", PLAIN, "spatial", 20, 1024, (500, 900), "adafactor", (2, 8)),
        ("govreport-7168", CNN, "spatial", 7, 1024, (500, 900), "adafactor", (2, 8)),
        ("multinews", CNN, "document", 7, 400, (150, 400), "adam", (1, 16)),
        ("multinews-spatial", CNN, "spatial", 7, 400, (150, 400), "adam", (1, 16)),
    ],
)
def test_the_papers_rows_have_their_settings(
    name, init, locality, pages, target, lengths, optimizer, batches
) -> None:
    found = load_settings(name)
    assert (found.init, found.locality, found.num_pages, found.page_tokens) == (
        init,
        locality,
        pages,
        1024,
    )
    assert (found.target_tokens, found.min_length, found.max_length) == (target, *lengths)
    assert (found.optimizer, found.batch, found.accumulate) == (optimizer, *batches)
    assert (found.beams, found.no_repeat_ngram, found.length_penalty) == (4, 3, 2.0)
    assert (found.learning_rate, found.warmup, found.label_smoothing, found.epochs) == (
        2e-3,
        10000,
        0.1,
        10,
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_preset_is_shown_with_all_that_it_sets(name: str, tmp_path: Path) -> None:
    (tmp_path / "shown.toml").write_text(preset_text(name))
    assert "base" not in tomllib.loads(preset_text(name))
    assert preset_text(name).startswith("# ")
    assert Settings().changed(tomllib.loads(preset_text(name)), "shown") == load_settings(name)


@pytest.mark.parametrize(
    ("values", "found", "hint"),
    [
        (
            {"leraning_rate": 1e-3},
            "--set leraning_rate: unknown setting",
            "did you mean learning_rate?",
        ),
        ({"epochs": "3"}, "epochs '3': expected a whole number", ""),
        ({"epochs": True}, "epochs True: expected a whole number", ""),
        ({"epochs": 0}, "epochs 0: expected at least 1", ""),
        ({"learning_rate": float("nan")}, "learning_rate nan: expected", ""),
        ({"learning_rate": 3.0}, "learning_rate 3.0: expected at most 1", ""),
        ({"label_smoothing": 1.0}, "expected at most 0.999", ""),
        ({"optimizer": "adma"}, "expected one of adam, adamw, adafactor", "did you mean adam?"),
        ({"blocking": "sentences"}, "expected one of ngram, sentence", "did you mean sentence?"),
        ({"unblocked": "."}, "unblocked '.': expected a list of strings", ""),
        ({"coverage_penalty": -1}, "coverage_penalty -1: expected at least 0", ""),
        ({"decoder_layers": 3}, "expected a list of whole numbers", ""),
        ({"min_length": 90, "max_length": 80}, "min_length 90 is above max_length 80", ""),
    ],
)
def test_refuses_what_makes_no_sense(values: dict, found: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_settings("finetune", flags=values)
    assert found in caught.value.message
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    "field", [field for field in fields(Settings) if hints_of(Settings)[field.name] in (int, float)]
)
def test_numbers_have_a_range(field: Field) -> None:
    """However large or small a number is, it is refused before anything is made of it."""
    kind = type(field.default)
    assert row_of(field).min is not None
    for value in (kind(10) ** 18, -(kind(10) ** 18), int("9" * 400)):
        with pytest.raises(
            UsageError, match=f"{field.name} .*: expected at (most|least)|expected more than"
        ):
            load_settings(flags={field.name: value})
    if kind is float:
        with pytest.raises(UsageError, match="expected a number"):
            load_settings(flags={field.name: float("nan")})


def test_unknown_presets_and_forms_are_refused() -> None:
    with pytest.raises(UsageError, match="no preset 'pubmd'") as caught:
        preset_text("pubmd")
    assert caught.value.hint == "did you mean pubmed?"
    with pytest.raises(UsageError, match="expected name=value"):
        value_of("epochs")


def test_values_are_read_as_typed() -> None:
    assert value_of("epochs=3") == ("epochs", 3)
    assert value_of("init = facebook/bart-base") == ("init", "facebook/bart-base")
    assert value_of("gradient_checkpointing=true") == ("gradient_checkpointing", True)


def test_fields_of_the_model_are_set_together_or_one_by_one(tmp_path: Path) -> None:
    settings = load_settings(
        "multinews-ctf-dpp", flags={"model.dpp_past": "key", "model": {"dpp_square": False}}
    )
    assert settings.model["dpp"] is True
    assert (settings.model["dpp_past"], settings.model["dpp_square"]) == ("key", False)
    with pytest.raises(UsageError, match="expected a table"):
        load_settings(flags={"model": 3})


@pytest.mark.parametrize("name", [name for name in COMBINED if name not in TOPDOWN])
def test_presets_made_of_parts_are_whole(name: str) -> None:
    settings = load_settings(name)
    assert tomllib.loads(toml_of(settings))["model"] == settings.model
    assert settings.source_tokens == 500
    assert settings.model.get("dpp", False) == ("dpp" in name)
    if "ctf-dpp" in name:
        assert settings.attention_temperature == (1.0 if name.endswith("paper") else 0.6)
    if "multinews" in name:  # the constraints exclude each other
        assert settings.no_repeat_ngram == 0
        assert (settings.coverage_penalty == 5) == ("cvs2s" not in name)
    else:
        assert (settings.no_repeat_ngram, settings.coverage_penalty) == (3, 0)
    # WikiCatSum's oracle, then 500 tokens
    assert settings.rank_paragraphs == ("multinews" not in name)
    losses = {key: value for key, value in settings.model.items() if key.startswith("coverage")}
    rows = {
        "covloss": {"coverage_loss": 1.0},
        "covvec": {"coverage_loss": 1.0, "coverage_vector": True},
    }
    assert losses == next((row for kind, row in rows.items() if kind in name), {})
    assert settings.model.get("loss_mean") == ("documents" if "pg" in name else None)


@pytest.mark.parametrize(
    ("name", "documents"),
    [
        *[("animal-pg", 80), ("film-pg-dpp", 120), ("multinews-pg", 160), ("film-cvs2s", 5)],
        *[("animal-ctf", 24_576 / 512), ("multinews-ctf-dpp", 32_768 / 512)],
    ],
)
def test_an_update_has_the_documents_of_all_gpus_of_the_authors(
    name: str, documents: float
) -> None:
    settings = load_settings(name)
    assert settings.batch * settings.accumulate == documents
    assert settings.patience == (0 if "cvs2s" in name else 5)


@pytest.mark.parametrize("name", [name for name in COMBINED if name.endswith("dpp-paper")])
def test_the_baseline_of_the_printed_formulas_differs_in_dpp_alone(name: str) -> None:
    settings, baseline = (asdict(load_settings(one)) for one in (name, name.replace("-dpp", "")))
    kept = {key: value for key, value in settings["model"].items() if not key.startswith("dpp")}
    different = {key for key, value in settings.items() if value != baseline[key]} - {"model"}
    assert (kept, different) == (baseline["model"], set())


TOP_DOWN_SOURCES = {
    "pubmed": 8192,
    "arxiv": 16384,
    "cnndm": 1024,
    "summscreen": 12288,
    "booksum": 12288,
}


@pytest.mark.parametrize("name", TOPDOWN)
def test_presets_of_the_top_down_transformer(name: str) -> None:
    found = load_settings(name)
    _, data, *rest = name.split("-")
    assert tomllib.loads(preset_text(name))["model"] == found.model
    assert found.architecture == ("topdown-tagger" if "tagger" in rest else "topdown")
    assert TopDownConfig.from_dict({"encoder_layers": 12, **found.model}).local_layers == 8
    assert found.source_tokens + 2 == TOP_DOWN_SOURCES[data]  # with <s> and </s>
    selected = "loss" if "tagger" in rest else "rouge2"
    assert (found.optimizer, found.learning_rate, found.select) == ("adam", 5e-5, selected)
    assert found.min_length < found.max_length <= found.target_tokens
    window = int(rest[1]) if "window" in rest else 256 if data == "cnndm" else 1024
    update = next((one for one in ("concat", "none") if one in rest), "attention")
    pooling = "oracle" if "oracle" in rest else "adaptive" if "adapool" in rest else "average"
    assert [found.model[one] for one in ("window", "update", "pooling")] == [
        window,
        update,
        pooling,
    ]
    has_tagger = pooling != "adaptive" or "book" in rest  # the chapters' model has one
    assert found.tagger == ("" if has_tagger else f"{name.removesuffix('-adapool')}-tagger")


def test_the_book_model_goes_on_from_the_chapter_model() -> None:
    chapter, book = load_settings("topdown-booksum-chapter"), load_settings("topdown-booksum-book")
    assert (chapter.init, book.init) == (PLAIN, "topdown-booksum-chapter")
    assert (chapter.chapter_summaries, book.chapter_summaries) == (False, True)
    assert book.max_length + 2 == 1024  # the decoder's positions


def test_the_projection_of_the_past_differs_by_data() -> None:
    past = {
        data: load_settings(f"{data}-ctf-dpp").model.get("dpp_past", "own")
        for data in ("film", "company", "animal")
    }
    assert past == {"film": "key", "company": "key", "animal": "own"}
    assert load_settings("film-ctf-dpp-paper").model["dpp_past"] == "none"


@pytest.mark.parametrize("name", [name for name in COMBINED if "cvs2s" in name])
def test_the_convolutional_model_is_trained_until_its_schedule_ends(name: str) -> None:
    """The authors' command has no maximum of updates or epochs."""
    settings = load_settings(name)
    assert (settings.schedule, settings.updates, settings.patience) == ("plateau", 0, 0)
    an_epoch = 44_972 // settings.batch  # of Multi-News, the smallest
    assert settings.total_updates(an_epoch) > 100 * 50_000


def test_updates_count_instead_of_epochs() -> None:
    assert Settings(epochs=3).total_updates(10) == 30
    assert Settings(epochs=3, updates=7).total_updates(10) == 7


def test_control_characters_survive_being_written() -> None:
    text = "".join(map(chr, range(1, 160)))
    settings = Settings().changed({"unblocked": [text], "exclude_sources": [text]}, "test")
    assert Settings().changed(tomllib.loads(toml_of(settings)), "test") == settings
