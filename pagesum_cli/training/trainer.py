"""Transformers' trainer with the original program's batches, learning rate, validation and
selection.

Ours are: which documents meet in an update, the loss without logits, validation as the mean of
batch means, and checkpoints that are complete or not there. Mixed precision, several processes, and
the states of optimizers and random generators are the trainer's and Accelerate's.
"""

import json
import math
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import torch
from accelerate.utils import gather_object
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor
from torch.distributed.tensor import DTensor
from torch.optim.lr_scheduler import LambdaLR, ReduceLROnPlateau
from torch.utils.data import DataLoader
from transformers import Trainer, TrainerCallback, TrainingArguments
from transformers.integrations import TensorBoardCallback
from transformers.optimization import Adafactor
from transformers.trainer_callback import PrinterCallback

from ..errors import PagesumError, UsageError
from ..evaluation.metrics.base import Pair
from ..evaluation.metrics.rouge import Rouge
from ..files import append, seal
from ..models.tasks import NO_LABEL, Batch, Example
from ..models.weights import first_line
from ..system import memory_in_use
from .data import Batches, Data, States, validation_batches
from .job import LOG, WEIGHTS, describe_intact, publish_best, rotate
from .settings import PLATEAU_RATE, Settings
from .start import Start
from .watcher import Progress, Watcher

WEIGHT_DECAY = 0.01  # of AdamW

_LOGGED = ("epoch", "loss", "grad_norm", "learning_rate")


class PageTrainer(Trainer):
    """See the module."""

    def __init__(
        self,
        start: Start,
        data: Data,
        arguments: TrainingArguments,
        settings: Settings,
        run: Path | None = None,
        batches: Batches | None = None,
        watcher: Watcher | None = None,
        on_save: Callable[[], None] | None = None,
        cache: Path | None = None,
    ) -> None:
        model = start.model
        if settings.gradient_checkpointing:
            model.enable_gradient_checkpointing()
        arguments.weight_decay = WEIGHT_DECAY if settings.optimizer == "adamw" else 0.0
        super().__init__(
            model=model,
            args=arguments,
            data_collator=self._collate,
            train_dataset=cast(Any, data.train),
            eval_dataset=cast(Any, data.validation),
            optimizer_cls_and_kwargs=_optimizer(settings, arguments.device),
        )
        if self.is_fsdp_enabled and settings.select != "loss":
            raise UsageError(
                "with FSDP no summaries can be generated during training", "select = loss"
            )
        # The loss is the mean of a batch: the trainer divides it by the accumulation steps, as the
        # original does.
        self.model_accepts_loss_kwargs = False
        self.remove_callback(PrinterCallback)
        self.page_tokenizer, self.task = start.tokenizer, start.task
        self.settings = settings
        self.run = run
        process = arguments.process_index, arguments.world_size
        self.batches = batches or Batches(len(data.train), settings, *process)
        documents = len(data.validation)
        self.validation_batches, self.counted = validation_batches(
            documents, settings.validation_batch, *process
        )
        self.watcher = watcher or Watcher()
        self.saved = on_save or (lambda: None)
        self.states: States | None = None
        if cache is not None and model.keeps_states and not self.is_fsdp_enabled:
            number_format = "bfloat16" if arguments.bf16 else "float32"
            self.states = States(
                self.task, self._unwrapped, cache, number_format, self.watcher.warn
            )
        self.micro_losses: list[Tensor] = []
        self.micro_ids: list[str] = []
        self.tokens = 0
        self.tokens_per_second = 0.0
        self.add_callback(RunCallback(self))
        if arguments.save_strategy != "no":
            self.add_callback(TensorBoard())

    # Data

    def get_train_dataloader(self) -> DataLoader:
        return self._loader(self.train_dataset, self.batches)

    def get_eval_dataloader(self, eval_dataset: Any = None) -> DataLoader:
        return self._loader(self.eval_dataset, self.validation_batches)

    def _loader(self, examples: Any, batches: Batches | list[list[int]]) -> DataLoader:
        on_gpu = self.args.device.type == "cuda"
        return DataLoader(
            examples,
            batch_sampler=batches,
            collate_fn=self.data_collator,
            num_workers=2 if on_gpu else 0,
            pin_memory=on_gpu,
            generator=torch.Generator().manual_seed(0),  # leaves the global random state alone
        )

    def _collate(self, examples: Sequence[Example]) -> Batch:
        batch = self.task.collate(examples, self._unwrapped.config.pad_token_id)
        tokens = int(batch["attention_mask"].sum()) + int((batch["labels"] != NO_LABEL).sum())
        return {**batch, "ids": [example.id for example in examples], "tokens": tokens}

    def begin(self) -> None:
        """Let the task fit what needs no updates."""
        self._unwrapped.eval()
        self.task.begin(self._unwrapped, self._training_documents())

    def _training_documents(self) -> Iterator[Batch]:
        """Each training document as a batch."""
        examples = cast(Sequence[Example], self.train_dataset)
        for number in range(len(examples)):
            self.watcher.reading(number, len(examples))
            batch = self.task.collate([examples[number]], self._unwrapped.config.pad_token_id)
            yield self._with_states(self._prepare_inputs(batch))

    # Steps

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> Any:
        if self.lr_scheduler is None:
            settings = self.settings
            assert self.optimizer is not None
            if settings.schedule == "plateau":  # the trainer steps it after each validation
                scheduler: Any = ReduceLROnPlateau(
                    self.optimizer, factor=0.1, patience=0, min_lr=PLATEAU_RATE
                )
                self.lr_scheduler = scheduler
            else:
                rates = partial(settings.rate, updates=num_training_steps)
                self.lr_scheduler = LambdaLR(
                    self.optimizer, lambda done: rates(done + 1) / settings.learning_rate
                )
        return self.lr_scheduler

    def compute_loss(self, model: Any, inputs: Batch, *args: Any, **kwargs: Any) -> Tensor:
        self.micro_ids += inputs.pop("ids")
        self.tokens += inputs.pop("tokens")
        loss = self.task.loss(model, self._with_states(inputs))
        self.micro_losses.append(loss.detach())
        return loss

    def _with_states(self, batch: Batch) -> Batch:
        if self.states is None:
            return batch
        with self.accelerator.autocast():
            return {**batch, "states": self.states.of(batch["examples"])}

    def _get_grad_norm(self, model: Any, grad_norm: Any = None) -> Any:
        # The last moment before the weights change.
        norm = super()._get_grad_norm(model, grad_norm)
        if isinstance(norm, DTensor):  # with FSDP
            norm = norm.full_tensor()
        norm_of_all = torch.as_tensor(norm).to(self.micro_losses[0])
        *losses, length = torch.stack([*self.micro_losses, norm_of_all]).tolist()
        if not all(map(math.isfinite, (*losses, length))):
            loss = next((x for x in losses if not math.isfinite(x)), losses[-1])
            raise PagesumError(
                f"update {self.state.global_step + 1}: the loss is {loss}, the "
                f"gradient {length}; its documents: " + ", ".join(self.micro_ids),
                f"check these documents; otherwise try a smaller learning_rate "
                f"(now {self.settings.learning_rate:g}), "
                "a longer warmup, clip = 1.0, or dtype = float32, in a new run",
            )
        self.micro_losses, self.micro_ids = [], []
        return norm

    # Validation

    @torch.no_grad()
    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:
        """The mean of the batches' losses, and of what else the task measures.

        With ``select`` other than ``loss`` also the scores of generated summaries. Smaller values
        of ``eval_selection`` are better: the loss; or 1 − 2·R1·R2 / (R1 + R2), as in the original;
        or 1 − R2.
        """
        self._unwrapped.eval()
        losses, scores = [], []
        measured: list[dict[str, float]] = []
        for done, batch in enumerate(self.get_eval_dataloader()):
            self.watcher.validating(done, len(self.validation_batches))
            batch = self._prepare_inputs(
                {key: value for key, value in batch.items() if key not in ("ids", "tokens")}
            )
            loss, further = self.task.validate(self.model, self._with_states(batch))
            if done >= self.counted:
                continue
            losses.append(loss)
            measured.append({**further, **self._unwrapped.figures(batch)})
            if self.settings.select != "loss":
                scores += self._rouge(batch)
        losses, scores, measured = (
            gather_object(losses),
            gather_object(scores),
            gather_object(measured),
        )
        metrics = {"eval_loss": sum(losses) / len(losses)}
        for name in measured[0]:
            values = [item[name] for item in measured if not math.isnan(item[name])]
            metrics |= {f"eval_{name}": sum(values) / len(values)} if values else {}
        metrics["eval_selection"] = metrics["eval_loss"]
        if scores:
            first, second = (sum(column) / len(scores) for column in zip(*scores, strict=True))
            both = 2 * first * second / (first + second) if first + second else 0.0
            selection = 1 - (second if self.settings.select == "rouge2" else both)
            metrics |= {
                "eval_rouge1": 100 * first,
                "eval_rouge2": 100 * second,
                "eval_selection": selection,
            }
        is_best = (
            self.state.best_metric is None or metrics["eval_selection"] < self.state.best_metric
        )
        shown = {
            name.removeprefix("eval_"): value
            for name, value in metrics.items()
            if name != "eval_selection"
        }
        self.watcher.validated(self.state.global_step, shown, is_best=is_best)
        self.log(metrics)
        waited = self.state.global_step - (self.state.best_global_step or 0)
        if (
            self.settings.patience
            and not is_best
            and waited >= self.settings.patience * int(self.args.eval_steps or 1)
        ):
            self.control.should_training_stop = True
        self.control = self.callback_handler.on_evaluate(
            self.args, self.state, self.control, metrics
        )
        return metrics

    def _rouge(self, batch: Batch) -> list[tuple[float, float]]:
        with self.accelerator.autocast():
            predictions = self.task.predict(self._unwrapped, batch, self.page_tokenizer)
        rouge = Rouge(("rouge1", "rouge2"))
        results = []
        for prediction, labels in zip(predictions, batch["labels"].tolist(), strict=True):
            reference = self.page_tokenizer.decode([token for token in labels if token != NO_LABEL])
            scores = rouge.score(Pair("", prediction, reference))
            results.append((scores["rouge1"]["f"] / 100, scores["rouge2"]["f"] / 100))
        return results

    @property
    def _unwrapped(self) -> Any:
        return self.accelerator.unwrap_model(self.model)

    # Files

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        super().log(logs, start_time)
        # The log file is the record: with it in every checkpoint's state, these would grow without
        # end.
        self.state.log_history.clear()
        if "eval_loss" in logs:
            scores = {
                key.removeprefix("eval_"): value for key, value in logs.items() if key != "epoch"
            }
            line: dict[str, Any] = {"update": self.state.global_step, "validation": scores}
        elif "grad_norm" in logs:
            line = {"update": self.state.global_step, **{key: logs[key] for key in _LOGGED}}
            line["tokens_per_second"] = round(self.tokens_per_second, 1)
        else:
            return
        if self.run is not None and self.args.should_save:
            append(self.run / LOG, json.dumps(line) + "\n")

    def _save(
        self, output_dir: str | None = None, state_dict: dict[str, Tensor] | None = None
    ) -> None:
        if self.args.should_save:
            folder = Path(str(output_dir or self.args.output_dir))
            if state_dict is None:
                self._unwrapped.save_pretrained(folder)
            else:  # gathered from several processes
                self._unwrapped.save_config(folder)
                save_file(state_dict, folder / WEIGHTS, metadata={"format": "pt"})
            self.page_tokenizer.save(folder)

    def _load_from_checkpoint(self, resume_from_checkpoint: str, model: Any = None) -> None:
        """Nothing: the model that the trainer gets is the checkpoint's."""

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        # Written aside and renamed: a checkpoint is complete, or it is not there.
        checkpoints = Path(str(self.args.output_dir))
        update = self.state.global_step
        aside = checkpoints / f"writing-{update}"
        if self.args.should_save:
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
        self.accelerator.wait_for_everyone()
        file = WEIGHTS
        try:
            self.save_model(str(aside), _internal_call=True)
            file = "optimizer.pt"
            self._save_optimizer_and_scheduler(str(aside))
            self._save_scaler(str(aside))
            file = "rng_state.pth"
            self._save_rng_state(str(aside))
            if self.args.should_save:
                file = "trainer_state.json"
                self.state.save_to_json(str(aside / file))
        except (OSError, RuntimeError, SafetensorError) as error:
            shutil.rmtree(aside, ignore_errors=True)
            raise PagesumError(
                f"the checkpoint at update {update} could not be written "
                f"({aside / file}: {first_line(error)}); "
                f"{describe_intact(checkpoints)}",
                "free up disk space, then --resume",
            ) from error
        self.accelerator.wait_for_everyone()
        if self.args.should_save and self.run is not None:
            seal(aside)
            aside.rename(checkpoints / f"checkpoint-{update}")
            publish_best(self.run, self.state.best_global_step)
            rotate(checkpoints, self.settings.keep, self.state.best_global_step)
            self.saved()


def _optimizer(
    settings: Settings, device: torch.device
) -> tuple[type[torch.optim.Optimizer], dict[str, Any]]:
    rate, fused = {"lr": settings.learning_rate}, {"fused": device.type in ("cpu", "cuda")}
    if settings.optimizer == "adafactor":
        return Adafactor, {**rate, "scale_parameter": False, "relative_step": False}
    if settings.optimizer == "adamw":
        return torch.optim.AdamW, {**rate, **fused, "betas": (0.9, 0.98)}
    if settings.optimizer == "adagrad":
        return torch.optim.Adagrad, {**rate, "initial_accumulator_value": 0.1}
    if settings.optimizer == "nesterov":
        return torch.optim.SGD, {**rate, **fused, "momentum": 0.99, "nesterov": True}
    return torch.optim.Adam, {**rate, **fused, "betas": (0.9, settings.adam_beta2)}


class RunCallback(TrainerCallback):
    """Decides when to validate and save, reports progress, and ends a run on Ctrl-C after a
    checkpoint.
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
        if (
            trainer.settings.schedule == "plateau"
            and trainer.optimizer.param_groups[0]["lr"] < 1.001 * PLATEAU_RATE
        ):
            control.should_training_stop = True
        # Several processes learn of Ctrl-C at different moments: they agree on the update that is
        # the last.
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
        on_gpu = args.device.type == "cuda"
        left = (
            (state.max_steps - state.global_step)
            * (time.perf_counter() - self.began)
            / max(done, 1)
        )
        self.trainer.watcher.progress(
            Progress(
                update=state.global_step,
                updates=state.max_steps,
                epoch=state.epoch,
                loss=logs["loss"],
                learning_rate=logs["learning_rate"],
                seconds=self.seconds,
                tokens_per_second=self.trainer.tokens_per_second,
                memory=torch.cuda.memory_reserved() if on_gpu else memory_in_use(),
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
    with suppress(ValueError):  # only a process' main thread may set it
        signal.signal(signal.SIGINT, handler)
