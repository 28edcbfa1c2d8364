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
    assert models["mini"]["url"] is None


def test_text_explains_how_to_use_an_official_checkpoint(pagesum):
    result = pagesum("models")
    assert result.code == 0
    assert all(name in result.out for name in OFFICIAL)
    assert "config.json" in result.out
    assert "--model FOLDER" in result.out
