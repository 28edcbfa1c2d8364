"""``pagesum models``."""

import json

OFFICIAL = {"arxiv": 7, "arxiv-discourse": 8, "pubmed": 7, "govreport": 20, "multinews": 7}


def test_json_lists_the_models(pagesum):
    data = json.loads(pagesum("models", "--format", "json").out)
    models = {model["name"]: model for model in data["models"]}
    assert data["schema"] == 1
    assert {name: models[name]["num_pages"] for name in OFFICIAL} == OFFICIAL
    for name in OFFICIAL:
        assert not models[name]["on_disk"]
        assert models[name]["url"].startswith("https://")
        assert models[name]["file"].endswith(".bin")
    assert models["mini"]["url"] is None


def test_text_explains_how_to_use_an_official_checkpoint(pagesum):
    result = pagesum("models")
    assert result.code == 0
    assert all(name in result.out for name in OFFICIAL)
    assert "pagesum models add arxiv model_spatial.bin" in result.out
    assert "pagesum summarize paper.pdf --model arxiv" in result.out


def test_flags_before_a_verb_are_refused(pagesum):
    result = pagesum("models", "--format", "json", "remove", "mine")
    assert result.code == 2
    assert "--format does nothing before remove" in result.err


def test_list_is_what_the_verb_alone_does_and_show_is_one_of_them(pagesum):
    assert pagesum("models", "list") == pagesum("models")
    (model,) = json.loads(pagesum("models", "show", "arxiv", "--format", "json").out)["models"]
    assert model["file"] == "model_spatial.bin"
    assert "pagesum models add arxiv model_spatial.bin" in pagesum("models", "show", "arxiv").out
    mini = pagesum("models", "show", "mini")
    assert mini.code == 0
    assert "works offline" in mini.out
    assert "arxiv" not in mini.out
    result = pagesum("models", "show", "min")
    assert (result.code, result.out) == (1, "")
    assert "did you mean mini?" in result.err
