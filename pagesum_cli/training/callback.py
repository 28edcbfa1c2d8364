"""Steers a run: when to validate and save, progress, and Ctrl-C."""

import signal
import time
from typing import Any

import psutil
import torch
from transformers import TrainerCallback
from transformers.integrations import TensorBoardCallback

from .watcher import Progress


class RunCallback(TrainerCallback):
    """Decides when to validate and save, reports progress, and ends a run on Ctrl-C after a checkpoint.

    Args:
        trainer: A :class:`~pagesum_cli.training.trainer.PageTrainer`.
    """

    def __init__(self, trainer: Any) -> None:
        self.trainer = trainer
        self.interrupted = False

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.began = self.last = time.perf_counter()
        self.first = state.global_step
        self.handler = signal.getsignal(signal.SIGINT)
        if self.trainer.run is not None:
            _on_interrupt(self._interrupt)

    def _interrupt(self, *_: Any) -> None:
        self.interrupted = True
        _on_interrupt(self.handler)  # a second Ctrl-C ends at once
        self.trainer.watcher.stopping()

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.trainer.batches.epoch = state.global_step // self.trainer.batches.updates

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        trainer = self.trainer
        if state.global_step == state.max_steps and trainer.run is not None:
            control.should_evaluate = True
        if control.should_evaluate:
            control.should_save = True
        # Several processes learn of Ctrl-C at different moments: they agree on the update that is the last.
        if self.interrupted:
            trainer.accelerator.set_trigger()
        self.interrupted = trainer.accelerator.check_trigger()
        if self.interrupted:
            control.should_save = control.should_training_stop = True
        now = time.perf_counter()
        tokens, trainer.tokens = trainer.tokens, 0
        self.seconds = now - self.last
        trainer.tokens_per_second = tokens * args.world_size / self.seconds
        self.last = now

    def on_log(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        logs = kwargs["logs"]
        if "grad_norm" not in logs:
            return
        done = state.global_step - self.first
        left = (state.max_steps - state.global_step) * (time.perf_counter() - self.began) / max(done, 1)
        self.trainer.watcher.progress(
            Progress(
                update=state.global_step,
                updates=state.max_steps,
                epoch=state.epoch,
                loss=logs["loss"],
                learning_rate=logs["learning_rate"],
                seconds=self.seconds,
                tokens_per_second=self.trainer.tokens_per_second,
                memory=memory_in_use(args.device),
                seconds_left=left,
            )
        )

    def on_save(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.last = time.perf_counter()  # validation and saving do not count for the next update

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        _on_interrupt(self.handler)
        if self.interrupted:
            raise KeyboardInterrupt


class TensorBoard(TensorBoardCallback):
    """Transformers' own, without the model: its configuration is not one of theirs."""

    def on_train_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        super().on_train_begin(args, state, control)


def _on_interrupt(handler: Any) -> None:
    try:
        signal.signal(signal.SIGINT, handler)
    except ValueError:  # only a process' main thread may set it
        return


def memory_in_use(device: torch.device) -> int:
    """Bytes in use: of the GPU, otherwise of the process."""
    if device.type == "cuda":
        return torch.cuda.memory_reserved(device)
    return psutil.Process().memory_info().rss
