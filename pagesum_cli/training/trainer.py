"""Transformers' trainer with the original program's batches, learning rate, validation and selection.

What is ours: which documents meet in an update, the loss without logits, validation as the mean of batch means, and
checkpoints that are complete or not there. Mixed precision, several processes, the optimizers' states and the state of
chance are the trainer's and Accelerate's.
"""

import json
import math
import os
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import torch
from accelerate.utils import gather_object
from safetensors import SafetensorError
from torch import Tensor
from torch.distributed.tensor import DTensor
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, Sampler
from transformers import PreTrainedTokenizerBase, Trainer, TrainerCallback, TrainingArguments
from transformers.optimization import Adafactor
from transformers.trainer_callback import PrinterCallback

from ..errors import PagesumError, UsageError
from ..evaluation.pair import Pair
from ..evaluation.rouge import Rouge
from ..model.checkpoints import pick_device, pick_dtype
from ..model.modeling import PageSumForConditionalGeneration
from .prepare import WORTH, Example
from .settings import Settings
from .watcher import Progress, Validation, Watcher

LOG = "log.jsonl"
WEIGHTS = "model.safetensors"
CHECKPOINTS = "checkpoints"
NO_LABEL = -100
WINDOW = 20
"""Updates over which the loss is averaged before it is called exploding."""


class Batches(Sampler[list[int]]):
    """Which examples meet in each micro-batch of this process; another order each epoch.

    An update has ``accumulate`` micro-batches over all processes: with several processes each computes its share of the
    same ones. Micro-batches that are left over at the end of an epoch are dropped, as the original does.

    Attributes:
        epoch: counted from 0; set before iterating.
    """

    def __init__(self, examples: int, settings: Settings, rank: int = 0, processes: int = 1) -> None:
        self.examples = examples
        self.settings = settings
        self.rank = rank
        self.processes = processes
        self.epoch = 0

    @property
    def updates(self) -> int:
        """Updates of an epoch."""
        return math.ceil(self.examples / self.settings.batch) // self.settings.accumulate

    def order(self, epoch: int) -> list[list[int]]:
        """All micro-batches of an epoch."""
        order = np.random.default_rng([self.settings.seed, epoch]).permutation(self.examples).tolist()
        return [order[start : start + self.settings.batch] for start in range(0, self.examples, self.settings.batch)]

    def __iter__(self) -> Iterator[list[int]]:
        used = self.updates * self.settings.accumulate
        yield from self.order(self.epoch)[:used][self.rank :: self.processes]

    def __len__(self) -> int:
        return self.updates * self.settings.accumulate // self.processes


class InTurn(Sampler[list[int]]):
    """Validation batches in order; each process has every n-th.

    Where they do not share out evenly, some processes get the first batch once more, which does not count: with FSDP
    all of them have to compute as often.

    Attributes:
        counted: how many of the batches count, the first ones.
    """

    def __init__(self, examples: int, size: int, rank: int, processes: int) -> None:
        starts = range(0, examples, size)
        own = [*starts[rank::processes]]
        self.counted = len(own)
        own += [0] * (math.ceil(len(starts) / processes) - len(own))
        self.batches = [list(range(start, min(start + size, examples))) for start in own]

    def __iter__(self) -> Iterator[list[int]]:
        return iter(self.batches)

    def __len__(self) -> int:
        return len(self.batches)


@dataclass(frozen=True)
class Collator:
    """Examples → ``input_ids``, ``attention_mask`` (B, P, S), ``decoder_input_ids``, ``labels`` (B, T), and where
    sentences are judged ``salience`` (J, 5).

    The decoder reads a target without its last token and predicts it without its first one (``<s>``), as the original
    trains. ``ids`` and ``tokens`` (how many without padding) go with the batch.
    """

    pad: int

    def __call__(self, examples: Sequence[Example]) -> dict[str, Any]:
        pages = max(len(example.pages) for example in examples)
        width = max(len(page) for example in examples for page in example.pages)
        length = max(len(example.target) for example in examples) - 1
        ids = torch.full((len(examples), pages, width), self.pad)  # (B, P, S)
        mask = torch.zeros(ids.shape, dtype=torch.bool)  # (B, P, S)
        inputs = torch.full((len(examples), length), self.pad)  # (B, T)
        labels = torch.full((len(examples), length), NO_LABEL)  # (B, T)
        for b, example in enumerate(examples):
            for p, page in enumerate(example.pages):
                ids[b, p, : len(page)] = torch.from_numpy(page)
                mask[b, p, : len(page)] = True
            target = torch.from_numpy(example.target)
            inputs[b, : len(target) - 1] = target[:-1]
            labels[b, : len(target) - 1] = target[1:]
        judged = {}
        if all(example.salience is not None for example in examples):
            rows = [np.insert(example.salience, 0, b, axis=1) for b, example in enumerate(examples)]
            judged["salience"] = torch.from_numpy(np.concatenate(rows)) / torch.tensor([1, 1, 1, 1, WORTH])
        return {
            **judged,
            "input_ids": ids,
            "attention_mask": mask,
            "decoder_input_ids": inputs,
            "labels": labels,
            "ids": [example.id for example in examples],
            "tokens": int(mask.sum()) + int((labels != NO_LABEL).sum()),
        }


class PageSumTrainer(Trainer):
    """See the module.

    Args:
        model: to be trained.
        tokenizer: saved with each checkpoint.
        arguments: see :func:`training_arguments`.
        settings: of the run.
        run: the run's folder: the best model and the log are written there; None: nothing is written.
        train, validation: examples.
        batches: which examples meet; those of the settings by default.
        watcher: is told what happens, in the first process.
        on_save: is called in the first process when a checkpoint has been written.
    """

    def __init__(
        self,
        model: PageSumForConditionalGeneration,
        tokenizer: PreTrainedTokenizerBase,
        arguments: TrainingArguments,
        settings: Settings,
        run: Path | None,
        train: Sequence[Example],
        validation: Sequence[Example],
        batches: Batches | None = None,
        watcher: Watcher | None = None,
        on_save: Callable[[], None] | None = None,
    ) -> None:
        kind = arguments.device.type
        optimizer = (
            (torch.optim.Adam, {"lr": settings.learning_rate, "fused": kind in ("cpu", "cuda")})
            if settings.optimizer == "adam"
            else (Adafactor, {"lr": settings.learning_rate, "scale_parameter": False, "relative_step": False})
        )
        if settings.gradient_checkpointing:
            checkpoint_activations(model)
        super().__init__(
            model=model,
            args=arguments,
            data_collator=Collator(model.config.pad_token_id),
            train_dataset=train,
            eval_dataset=validation,
            processing_class=tokenizer,
            optimizer_cls_and_kwargs=optimizer,
        )
        if self.is_fsdp_enabled and settings.select == "rouge":
            raise UsageError("with FSDP no summaries can be written during training", "select = loss")
        self.remove_callback(PrinterCallback)
        self.settings = settings
        self.run = run
        place = arguments.process_index, arguments.world_size
        self.batches = batches or Batches(len(train), settings, *place)
        self.in_turn = InTurn(len(validation), settings.validation_batch, *place)
        self.watcher = watcher or Watcher()
        self.on_save = on_save
        self.micro_losses: list[Tensor] = []
        self.micro_ids: list[str] = []
        self.tokens = 0
        self.tokens_per_second = 0.0
        self.recent: deque[float] = deque(maxlen=WINDOW)
        self.lowest = math.inf
        self.add_callback(_Conductor(self))

    # Data

    def get_train_dataloader(self) -> DataLoader:
        return self._loader(self.train_dataset, self.batches)

    def get_eval_dataloader(self, eval_dataset: Any = None) -> DataLoader:
        return self._loader(self.eval_dataset, self.in_turn)

    def _loader(self, examples: Sequence[Example], batches: Sampler) -> DataLoader:
        on_gpu = self.args.device.type == "cuda"
        return DataLoader(
            examples,
            batch_sampler=batches,
            collate_fn=self.data_collator,
            num_workers=2 if on_gpu else 0,
            pin_memory=on_gpu,
            generator=torch.Generator().manual_seed(0),  # leaves the state of chance alone
        )

    # Steps

    def create_scheduler(self, num_training_steps: int, optimizer: Any = None) -> LambdaLR:
        if self.lr_scheduler is None:
            settings = self.settings
            self.lr_scheduler = LambdaLR(self.optimizer, lambda done: settings.rate(done + 1) / settings.learning_rate)
        return self.lr_scheduler

    def compute_loss(self, model: Any, inputs: dict[str, Any], *args: Any, **kwargs: Any) -> Tensor:
        self.micro_ids += inputs.pop("ids")
        self.tokens += inputs.pop("tokens")
        loss = model(**inputs, return_logits=False).loss
        self.micro_losses.append(loss.detach())
        return loss

    def _get_grad_norm(self, model: Any, grad_norm: Any = None) -> Any:
        # The last moment before the weights change.
        norm = super()._get_grad_norm(model, grad_norm)
        if isinstance(norm, DTensor):  # with FSDP
            norm = norm.full_tensor()
        losses = torch.stack([*self.micro_losses, torch.as_tensor(norm).to(self.micro_losses[0])]).tolist()
        self._refuse_explosion(losses[:-1], losses[-1])
        self.micro_losses, self.micro_ids = [], []
        return norm

    def _refuse_explosion(self, losses: list[float], norm: float) -> None:
        update = self.state.global_step + 1
        documents = ", ".join(self.micro_ids)
        if not all(map(math.isfinite, (*losses, norm))):
            found = f"the loss is {next((x for x in losses if not math.isfinite(x)), losses[-1])}, the gradient {norm}"
            raise PagesumError(
                f"update {update}: {found}; its documents: {documents}",
                f"look at these documents; else a smaller learning_rate (now {self.settings.learning_rate:g}), "
                "a longer warmup, clip = 1.0, or dtype = float32, in a new run",
            )
        self.recent.append(sum(losses) / len(losses))
        if len(self.recent) < WINDOW:
            return
        average = sum(self.recent) / WINDOW
        self.lowest = min(self.lowest, average)
        guessing = math.log(self.model.config.vocab_size)
        if average > max(2 * self.lowest, guessing):
            raise PagesumError(
                f"update {update}: the loss of the last {WINDOW} updates is {average:.2f}, it was {self.lowest:.2f}, "
                f"and guessing gives {guessing:.2f}; its documents: {documents}",
                f"a smaller learning_rate (now {self.settings.learning_rate:g}), a longer warmup, or clip = 1.0, "
                "in a new run",
            )

    # Validation

    @torch.no_grad()
    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, float]:
        """The mean of the batches' losses, and with ``select = "rouge"`` the scores of written summaries.

        ``eval_selection`` is the smaller the better: the loss, or 1 − 2·R1·R2 / (R1 + R2), as the original has it.
        """
        self.model.eval()
        losses, scores = [], []
        for done, batch in enumerate(self.get_eval_dataloader()):
            self.watcher.validating(done, len(self.in_turn))
            batch = self._prepare_inputs({key: batch[key] for key in _MODEL_INPUTS if key in batch})
            loss = self.model(**batch, return_logits=False).loss.item()
            if done >= self.in_turn.counted:
                continue
            losses.append(loss)
            if self.settings.select == "rouge":
                scores += self._rouge(batch)
        losses, scores = gather_object(losses), gather_object(scores)
        metrics = {"eval_loss": sum(losses) / len(losses)}
        metrics["eval_selection"] = metrics["eval_loss"]
        if scores:
            first, second = (sum(column) / len(scores) for column in zip(*scores, strict=True))
            both = 2 * first * second / (first + second) if first + second else 0.0
            metrics |= {"eval_rouge1": 100 * first, "eval_rouge2": 100 * second, "eval_selection": 1 - both}
        self._tell(metrics)
        self.log(metrics)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, metrics)
        return metrics

    def _tell(self, metrics: dict[str, float]) -> None:
        before = self.state.best_metric
        scores = {name.removeprefix("eval_"): value for name, value in metrics.items() if name != "eval_selection"}
        best = before is None or metrics["eval_selection"] < before
        self.watcher.validated(Validation(self.state.global_step, scores, best))

    def _rouge(self, batch: dict[str, Tensor]) -> list[tuple[float, float]]:
        """ROUGE-1 and -2 F of the summaries written for a batch, in 0–1."""
        with self.accelerator.autocast():
            written = self.model.generate(batch["input_ids"], batch["attention_mask"]).sequences
        decode = self.processing_class.batch_decode
        predictions = decode(written, skip_special_tokens=True)
        labels = batch["labels"].masked_fill(batch["labels"] == NO_LABEL, self.model.config.pad_token_id)
        references = decode(labels, skip_special_tokens=True)
        rouge = Rouge(("rouge1", "rouge2"))
        found = []
        for prediction, reference in zip(predictions, references, strict=True):
            scores = rouge.score(Pair("", prediction, reference))
            found.append((scores["rouge1"]["f"] / 100, scores["rouge2"]["f"] / 100))
        return found

    # What is written

    def log(self, logs: dict[str, float], start_time: float | None = None) -> None:
        super().log(logs, start_time)
        # The log file is the record: with it in every checkpoint's state, these would grow without end.
        self.state.log_history.clear()
        if "eval_loss" in logs:
            scores = {key.removeprefix("eval_"): value for key, value in logs.items() if key != "epoch"}
            line: dict[str, Any] = {"update": self.state.global_step, "validation": scores}
        elif "grad_norm" in logs:
            line = {"update": self.state.global_step, **{key: logs[key] for key in _LOGGED}}
            line["tokens_per_second"] = round(self.tokens_per_second, 1)
        else:
            return
        if self.run is not None and self.args.should_save:
            with open(self.run / LOG, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")

    def _save_checkpoint(self, model: Any, trial: Any) -> None:
        # Written aside and renamed: a checkpoint is complete, or it is not there.
        checkpoints = Path(self.args.output_dir)
        aside = checkpoints / f"writing-{self.state.global_step}"
        if self.args.should_save:
            shutil.rmtree(aside, ignore_errors=True)
            aside.mkdir(parents=True)
        self.accelerator.wait_for_everyone()
        try:
            self.save_model(str(aside), _internal_call=True)
            self._save_optimizer_and_scheduler(str(aside))
            self._save_scaler(str(aside))
            self._save_rng_state(str(aside))
            if self.args.should_save:
                self.state.save_to_json(str(aside / "trainer_state.json"))
                _flush(aside)
        except (OSError, RuntimeError, SafetensorError) as error:
            shutil.rmtree(aside, ignore_errors=True)
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            left = intact(checkpoints)
            raise PagesumError(
                f"the checkpoint at update {self.state.global_step} could not be written ({reason}); {left}",
                "make room on the disk, then --resume",
            ) from error
        self.accelerator.wait_for_everyone()
        if self.args.should_save:
            aside.rename(checkpoints / f"checkpoint-{self.state.global_step}")
            publish_best(checkpoints, self.run, self.state.best_global_step)
            rotate(checkpoints, self.settings.keep, self.state.best_global_step)
            if self.on_save is not None:
                self.on_save()


_MODEL_INPUTS = ("input_ids", "attention_mask", "decoder_input_ids", "labels", "salience")
_LOGGED = ("epoch", "loss", "grad_norm", "learning_rate")


class _Conductor(TrainerCallback):
    """Says when to validate and save, tells progress, and ends a run on Ctrl-C behind a checkpoint."""

    def __init__(self, trainer: PageSumTrainer) -> None:
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
        _on_interrupt(self.handler)  # the second time at once
        self.trainer.watcher.stopping()

    def on_epoch_begin(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        self.trainer.batches.epoch = state.global_step // self.trainer.batches.updates

    def on_step_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        if state.global_step == state.max_steps and self.trainer.run is not None:
            control.should_evaluate = True
        if control.should_evaluate:
            control.should_save = True
        # Several processes learn of Ctrl-C at different moments: they agree on the update that is the last.
        if self.interrupted:
            self.trainer.accelerator.set_trigger()
        self.interrupted = self.trainer.accelerator.check_trigger()
        if self.interrupted:
            control.should_save = control.should_training_stop = True
        now = time.perf_counter()
        trainer = self.trainer
        tokens, trainer.tokens = trainer.tokens, 0
        self.seconds = now - self.last
        trainer.tokens_per_second = tokens * args.world_size / self.seconds
        self.last = now

    def on_log(self, args: Any, state: Any, control: Any, logs: dict[str, float], **kwargs: Any) -> None:
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
        # What validation and saving took is not the next update's.
        self.last = time.perf_counter()

    def on_train_end(self, args: Any, state: Any, control: Any, **kwargs: Any) -> None:
        _on_interrupt(self.handler)
        if self.interrupted:
            raise KeyboardInterrupt


def training_arguments(run: Path, settings: Settings, device: str, *, dry: bool = False) -> TrainingArguments:
    """What Transformers' trainer needs to know. Joins the other processes where there are any.

    Args:
        run: the run's folder.
        settings: of the run.
        device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
        dry: neither validate nor write.

    Raises:
        PagesumError: there is no such device, or processes and ``accumulate`` do not go together.
    """
    target = pick_device(device)
    processes = int(os.environ.get("WORLD_SIZE", "1"))
    if settings.accumulate % processes:
        raise PagesumError(
            f"accumulate {settings.accumulate} micro-batches in {processes} processes, expected a multiple",
            f"--accumulate {processes * math.ceil(settings.accumulate / processes)}",
        )
    os.environ["TENSORBOARD_LOGGING_DIR"] = str(run / "tensorboard")
    arguments = TrainingArguments(
        output_dir=str(run / CHECKPOINTS),
        per_device_train_batch_size=settings.batch,
        gradient_accumulation_steps=settings.accumulate // processes,
        num_train_epochs=settings.epochs,
        max_grad_norm=settings.clip,
        seed=settings.seed,
        use_cpu=target.type == "cpu",
        bf16=pick_dtype(settings.dtype, target) == torch.bfloat16,
        logging_steps=1,
        logging_nan_inf_filter=False,
        eval_strategy="no" if dry else "steps",
        save_strategy="no" if dry else "steps",
        metric_for_best_model="selection",
        greater_is_better=False,
        ddp_find_unused_parameters=False,
        ddp_backend="gloo" if target.type == "cpu" and processes > 1 else None,
        ddp_timeout=24 * 3600,  # the others wait while the first process tokenizes
        report_to=[] if dry else ["tensorboard"],
        disable_tqdm=True,
        log_level="error",
    )
    # One process computes on one device: the other GPUs take processes of their own (torchrun).
    arguments._setup_devices  # noqa: B018
    arguments._n_gpu = min(arguments._n_gpu, 1)
    return arguments


def checkpoint_activations(model: PageSumForConditionalGeneration) -> None:
    """Compute layers twice and hold less in memory."""
    # Named gradient_checkpointing_enable before Transformers 5.23.
    enable = getattr(model, "activation_checkpointing_enable", None) or model.gradient_checkpointing_enable
    enable({"use_reentrant": False})


def memory_in_use(device: torch.device) -> int:
    """Bytes in use: of the GPU, else of the process."""
    if device.type == "cuda":
        return torch.cuda.memory_reserved(device)
    return psutil.Process().memory_info().rss


def most_memory(device: torch.device) -> int:
    """Bytes that were in use at most: of the GPU, else of the process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    if sys.platform == "win32":
        return psutil.Process().memory_info().peak_wset
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def latest_checkpoint(checkpoints: Path) -> Path | None:
    """The last complete checkpoint of a run."""
    found = sorted(checkpoints.glob("checkpoint-*"), key=_update_of)
    return found[-1] if found else None


def intact(checkpoints: Path) -> str:
    """What is left where something cannot be written."""
    found = latest_checkpoint(checkpoints)
    return f"the checkpoint at update {_update_of(found)} is intact" if found else "there is no checkpoint before it"


def publish_best(checkpoints: Path, run: Path, best: int | None) -> None:
    """Make the best checkpoint's weights those of the run's folder, at once and without a copy where possible."""
    weights = checkpoints / f"checkpoint-{best}" / WEIGHTS
    if best is None or not weights.exists():
        return
    aside = run / f"{WEIGHTS}.writing"
    aside.unlink(missing_ok=True)
    try:
        os.link(weights, aside)
    except OSError:  # a file system without links
        shutil.copyfile(weights, aside)
    os.replace(aside, run / WEIGHTS)


def rotate(checkpoints: Path, keep: int, best: int | None) -> None:
    """Remove all but the last ``keep`` checkpoints and the best one, and what an interruption left half done."""
    for left in (*checkpoints.glob("writing-*"), *checkpoints.glob("removing-*")):
        shutil.rmtree(left, ignore_errors=True)
    found = sorted(checkpoints.glob("checkpoint-*"), key=_update_of)
    for old in found[:-keep]:
        if _update_of(old) != best:
            # Renamed first, so that a half removed one is never taken for a checkpoint.
            shutil.rmtree(old.rename(checkpoints / f"removing-{_update_of(old)}"), ignore_errors=True)


def _update_of(checkpoint: Path) -> int:
    return int(checkpoint.name.partition("-")[2])


def _flush(folder: Path) -> None:
    """See that everything in the folder is on the disk, not only on its way there."""
    for path in folder.iterdir():
        handle = os.open(path, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _on_interrupt(handler: Any) -> None:
    try:
        signal.signal(signal.SIGINT, handler)
    except ValueError:  # only a process' main thread may set it
        return
