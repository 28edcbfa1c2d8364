"""A training run's messages where there is no terminal."""

from pagesum_cli.training.watcher import Progress
from pagesum_cli.views import training
from pagesum_cli.views.training import TrainingDisplay, scores_line


def test_without_a_terminal_the_current_activity_is_a_line_now_and_then(monkeypatch):
    seconds = iter([100.0, 101.0, 111.0, 111.0, 112.0, 122.0, 122.0])
    monkeypatch.setattr(training, "monotonic", lambda: next(seconds))
    lines = []
    with TrainingDisplay(lines.append, lines.append, None) as display:
        display.preparing("train", 40)
        update = Progress(
            update=3,
            updates=9,
            epoch=0.5,
            loss=2.0,
            learning_rate=1e-3,
            seconds=1.0,
            tokens_per_second=50,
            seconds_left=60,
            memory=0,
        )
        display.progress(update)
        display.progress(update)
    assert len(lines) == 2
    assert lines[0] == "Preparing train: 40 documents"
    assert lines[1].startswith("update 3 of 9 · 1 min left · epoch 0.50 · loss 2.000")


def test_what_else_a_model_logs_is_shown_by_its_own_name():
    assert (
        scores_line({"loss": 1.5, "rouge2": 3.25, "beta_read": 0.5})
        == "loss 1.5000, ROUGE-2 3.25, beta_read 0.50"
    )
