import json

import pytest
import tiny as tiny_models
import torch

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.options import GenerationOptions, PagingOptions
from pagesum_cli.summarizer import PageSummarizer
from pagesum_cli.summary.drafts import _is_unfinished
from pagesum_cli.summary.summary import Summary

TEXT = (
    "The mRNA of Escherichia coli was measured in Zürich. It was long, and nobody knew why. "
    "We read every page of the paper, one after the other. Then we wrote a summary (of 2.5 pages). "
    "Is it good? It is short. Nothing was left out, and each sentence shows its page. "
)


def summarizer(make=tiny_models.word_piece, **settings):
    tokenizer = make([TEXT], 200 if make is tiny_models.word_piece else 400)
    shape = {"vocab_size": tokenizer.vocab_size, "encoder_ffn_dim": 32, "decoder_ffn_dim": 32}
    model = tiny_models.pagesum(**{**tiny_models.TOKENS, **shape, **settings})
    # Like a trained model, it writes no special token but the end: a summary's tokens are those
    # that are text.
    model.final_logits_bias[0, [tiny_models.PAD, tiny_models.UNKNOWN, tiny_models.START]] = -100
    return PageSummarizer(model, tokenizer, name="tiny")


@pytest.fixture(scope="module", params=[tiny_models.word_piece, tiny_models.byte_level])
def tiny(request):
    return summarizer(request.param)


def document(name="paper.txt", title="A paper"):
    sections = (
        Section("1 Introduction", (Paragraph(TEXT),)),
        Section("2 Results", (Paragraph(TEXT * 3),)),
    )
    return Document(name, sections, title, name)


@pytest.fixture
def say(monkeypatch):
    """Let a model write the given text, whatever it read; the page confidences are its own."""

    def let(tiny, text, *, end=True):
        ids = tiny.tokenizer.pieces(text)[1] + [3] * end
        write = tiny.model.generate

        def generate(*args, **settings):
            found = write(
                *args, **{**settings, "max_length": len(ids) + 1, "min_length": len(ids) + 1}
            )
            found.sequences[0, 1:] = torch.tensor(ids)
            return found

        monkeypatch.setattr(tiny.model, "generate", generate)
        return len(ids) - end

    return let


@pytest.mark.parametrize("beams", [1, 3])
def test_a_summary_says_where_it_comes_from(tiny, beams):
    summary = tiny.summarize(document(), beams=beams, max_length=40)
    assert summary.locality == "discourse"
    assert summary.title == "A paper"
    assert [page.page for page in summary.pages] == list(range(len(summary.pages)))
    assert summary.pages[0].label.startswith("1 Introduction")
    assert sum(page.confidence for page in summary.pages) == pytest.approx(1)
    assert "".join(token.text for token in summary.tokens) == summary.text
    assert 0 < len(summary.tokens) <= 40
    for token in summary.tokens:
        assert sum(token.confidences) == pytest.approx(1, abs=1e-3)
    for sentence in summary.sentences:
        assert sentence.text in summary.text
        shares = [share.confidence for share in sentence.pages]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) == pytest.approx(1)
        assert sorted(share.page for share in sentence.pages) == list(range(len(summary.pages)))
    assert Summary.from_json(json.loads(json.dumps(summary.to_json()))) == summary


@pytest.mark.parametrize("beams", [1, 3])
def test_the_same_settings_give_the_same_summary(tiny, beams):
    first = tiny.summarize(document(), beams=beams, max_length=30)
    names = [*PagingOptions.__annotations__, *GenerationOptions.__annotations__]
    again = tiny.summarize(document(), **{name: first.settings.get(name) for name in names})
    assert (again.text, again.tokens, again.settings) == (first.text, first.tokens, first.settings)


@pytest.mark.parametrize("beams", [1, 3])
def test_the_text_passed_on_is_the_summary(tiny, beams):
    said, stages = [], []
    summary = tiny.summarize(
        document(),
        beams=beams,
        max_length=40,
        on_text=said.append,
        on_progress=lambda *now: stages.append(now),
    )
    assert "".join(said) == summary.text
    assert [stage for stage, *_ in stages] == sorted(
        (stage for stage, *_ in stages), key=["read", "encode", "decode"].index
    )
    assert all(0 <= done <= most for _, done, most in stages)


def test_sentences_have_the_average_confidence_of_their_tokens(tiny, say):
    text = "It was long. Nobody knew why."
    count = say(tiny, text)
    summary = tiny.summarize(document(), beams=1, max_length=count)
    assert summary.text == text
    assert [sentence.text for sentence in summary.sentences] == ["It was long.", "Nobody knew why."]
    first = len(tiny.tokenizer.pieces("It was long.")[1])
    for sentence, rows in zip(
        summary.sentences, (summary.tokens[:first], summary.tokens[first:]), strict=True
    ):
        for share in sentence.pages:
            mean = sum(token.confidences[share.page] for token in rows) / len(rows)
            assert share.confidence == pytest.approx(mean, abs=1e-4)


def test_what_was_generated_is_kept_whole_and_trimmed_if_asked_for(tiny, say):
    count = say(tiny, "It was long. Nobody knew", end=False)
    whole = tiny.summarize(document(), beams=1, max_length=count)
    assert whole.text == tiny.summarize_batch([document()], beams=1, max_length=count)[0].text
    assert whole.text == "It was long. Nobody knew"
    assert len(whole.tokens) == count
    assert "trim" not in whole.settings
    for said in ([], None):
        on_text = None if said is None else said.append
        trimmed = tiny.summarize(document(), beams=1, max_length=count, trim=True, on_text=on_text)
        assert trimmed.text == "It was long."
        assert len(trimmed.tokens) < count
        assert trimmed.settings["trim"] is True
        assert said is None or "".join(said) == trimmed.text


def test_a_sentence_that_ends_where_the_length_does_is_kept(tiny, say):
    count = say(tiny, "It was long. Nobody knew why.", end=False)
    assert (
        tiny.summarize(document(), beams=1, max_length=count, trim=True).text
        == "It was long. Nobody knew why."
    )


def test_an_only_sentence_is_kept_though_unfinished(tiny, say):
    count = say(tiny, "Nobody knew why it was", end=False)
    assert (
        tiny.summarize(document(), beams=1, max_length=count, trim=True).text
        == "Nobody knew why it was"
    )


def test_words_are_written_as_in_the_document(say):
    tiny = summarizer(tiny_models.word_piece)
    text = "In Zürich, the mRNA was measured."
    count = say(tiny, text.lower())
    assert tiny.summarize(document(), beams=1, max_length=count).text == text


def test_a_character_of_several_tokens_is_whole(say):
    tiny = summarizer(tiny_models.byte_level)
    text = "Nobody measured 漢字 – why?"
    count = say(tiny, text)
    summary = tiny.summarize(document(), beams=1, max_length=count)
    assert summary.text == text
    assert len(summary.tokens) == count


def test_text_that_looks_like_a_special_token_is_read_as_text(tiny):
    read = []
    given = Document("a.txt", (Section("", (Paragraph("Before. [SEP] [PAD] [CLS] After."),)),))
    embeddings = tiny.model.model.shared
    hook = embeddings.register_forward_pre_hook(lambda module, ids: read.append(ids[0]))
    tiny.summarize(given, beams=1, max_length=1)
    hook.remove()
    row = read[0].reshape(-1).tolist()
    assert (row[0], row[-1]) == (2, 3)
    assert not {0, 2, 3} & set(row[1:-1])


def test_files_are_read_in_order_into_one_summary(tiny, tmp_path):
    for name in ("b.txt", "a.txt"):
        (tmp_path / name).write_text(TEXT, encoding="utf-8")
    summary = tiny.summarize([tmp_path / "b.txt", str(tmp_path / "a.txt")], beams=1, max_length=10)
    assert summary.locality == "document"
    assert list(dict.fromkeys(page.source for page in summary.pages)) == ["b.txt", "a.txt"]
    assert summary.settings["sources"] == [str(tmp_path / "b.txt"), str(tmp_path / "a.txt")]


def test_files_of_a_folder_without_a_reader_are_named(tiny, tmp_path):
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "b.xlsx").write_bytes(b"PK")
    with pytest.warns(UserWarning, match=r"no reader for b\.xlsx"):
        tiny.summarize(tmp_path, beams=1, max_length=10)


def test_nothing_to_read_is_said(tiny, tmp_path):
    with pytest.raises(PagesumError, match="no document"):
        tiny.summarize([])
    with pytest.raises(PagesumError, match="no such file"):
        tiny.summarize(tmp_path / "missing.txt")


def test_what_is_left_out_is_known_before_reading(tiny):
    seen = []
    summary = tiny.summarize(document(), max_pages=1, beams=1, max_length=10, on_pages=seen.append)
    assert seen[0].dropped_words > 0
    assert len(summary.pages) == 1
    truncated = tiny.summarize(document(), overflow="truncate", beams=1, max_length=10)
    assert [page.truncated for page in truncated.pages] == [True, True]


def test_a_checkpoint_of_a_fixed_number_of_pages_gets_them():
    fixed = summarizer(num_pages=5)
    summary = fixed.summarize(document(), beams=1, max_length=10)
    assert [page.label for page in summary.pages] == [
        "1 Introduction",
        "2 Results",
        *["(no page)"] * 3,
    ]
    assert summary.settings["num_pages"] == 5
    with pytest.raises(UsageError, match="fixed number"):
        fixed.summarize(document(), max_pages=3)


def test_a_summary_without_a_word_still_has_shares(tiny, say):
    say(tiny, "")
    summary = tiny.summarize(document(), beams=1)
    assert (summary.text, summary.sentences, summary.tokens) == ("", (), ())
    assert sum(page.confidence for page in summary.pages) == pytest.approx(1)


def test_lengths_are_relative_to_the_checkpoints(tiny, monkeypatch):
    monkeypatch.setattr(tiny.model.config, "generation", {"max_length": 42, "min_length": 11})
    own = tiny.generation()
    short, medium, long = (
        tiny.generation(GenerationOptions(length=one)) for one in ("short", "medium", "long")
    )
    assert (own.min_length, own.max_length) == (10, 40)
    assert medium == own
    assert (short.min_length, short.max_length) == (5, 20)
    assert (long.min_length, long.max_length) == (25, 80)


def test_a_least_length_is_kept(tiny):
    assert len(tiny.summarize(document(), beams=1, min_length=20, max_length=30).tokens) >= 20


@pytest.mark.parametrize(
    "wrong",
    [
        {"beams": 0},
        {"max_length": 0},
        {"max_length": 1000},
        {"min_length": 30, "max_length": 20},
        {"no_repeat_ngram": -1},
        {"length": "huge"},
        {"attention_temperature": 0},
        {"attention_temperature": 0.6},
        {"coverage_penalty": -1},
        {"coverage_penalty": 5},
        {"blocking": "word"},
        {"blocking": "sentence"},
        {"length_normalization": "wu"},
        {"nonsense": 1},
        {"page_tokens": 97},
        {"locality": "nowhere"},
    ],
)
def test_settings_that_make_no_sense_are_refused(tiny, wrong):
    with pytest.raises(UsageError):
        tiny.summarize(document(), **wrong)


def test_a_checkpoint_without_a_tokenizer_is_refused(tiny, tmp_path):
    tiny.model.save_pretrained(tmp_path)
    with pytest.raises(PagesumError, match="no tokenizer"):
        PageSummarizer.from_pretrained(str(tmp_path))


def test_a_saved_checkpoint_summarizes_alike(tiny, tmp_path):
    tiny.model.save_pretrained(tmp_path)
    tiny.tokenizer.save(tmp_path)
    loaded = PageSummarizer.from_pretrained(str(tmp_path), device="cpu", dtype="float32")
    settings = {"beams": 2, "max_length": 20}
    assert (
        loaded.summarize(document(), **settings).text == tiny.summarize(document(), **settings).text
    )


def test_a_last_sentence_that_stops_midway_is_known():
    assert _is_unfinished("It is used in interfaces (e.g.", cut_off=False)
    assert _is_unfinished("It is used in", cut_off=True)
    assert not _is_unfinished("It is used in", cut_off=False)  # the model meant to end there
    assert not _is_unfinished("It is used (e.g. here).", cut_off=True)


def test_options_come_as_objects_or_by_name(tiny):
    paging, generation = (
        PagingOptions(locality="spatial", max_pages=2),
        GenerationOptions(beams=1, max_length=12),
    )
    one = tiny.summarize(document(), paging=paging, generation=generation)
    other = tiny.summarize(document(), locality="spatial", max_pages=2, beams=1, max_length=12)
    assert (one.text, one.settings, len(one.pages)) == (other.text, other.settings, 2)


def test_pages_without_words_are_pages_of_special_tokens_alone(tiny):
    record = record_of({"article": ["It was long.", "", " ", "Is it\ngood?"], "abstract": []})
    kept = []
    summary = tiny.summarize(
        list(record.documents),
        locality="spatial",
        num_pages=4,
        beams=1,
        max_length=8,
        on_pages=kept.append,
    )
    assert [page.text for page in kept[0].pages] == ["It was long.", "", " ", "Is it\ngood?"]
    encoded = [page.ids for page in tiny.tokenizer.encode_pages(kept[0], 64, spaced=False)]
    assert encoded[1] == encoded[2] == tiny.tokenizer.encode("")
    assert [len(ids) for ids in encoded] == [
        len(tiny.tokenizer.encode(one)) for one in record_texts(record, " ")
    ]
    assert len(summary.pages) == 4
    assert all(page.confidence > 0 for page in summary.pages)


def record_texts(record, blank):
    """The given sentences, without those of white space alone."""
    given = record.documents[0].sections[0].given_sentences
    return ["" if text == blank else text for text in given]


def test_sentences_of_a_given_summary_are_not_split_again(tiny):
    sentences = ["It was ( 1.\n5 ) long. It", "Nobody knew"]
    summary = tiny.explain(document(), sentences)
    assert [one.text for one in summary.sentences] == ["It was ( 1. 5 ) long. It", "Nobody knew"]
    assert summary.text == "It was ( 1. 5 ) long. It Nobody knew"
    assert summary.tokens == tiny.explain(document(), summary.text).tokens
