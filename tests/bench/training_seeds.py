#!/usr/bin/env python3
"""How tasks are learnt here and by PyTorch, seed by seed.

    tests/bench/training_seeds.py [--seeds N] [--tasks A,B] [--json FILE] [ATTENTION_LAB]

Each task is trained with so many seeds (ten without --seeds) until new rows are answered to 99 %, or its steps are
over: by `attention-lab train`, and by PyTorch on one thread, with the same model, optimiser and kind of rows. First
numbers and rows are drawn by other generators there, so that runs are alike in their spread and in nothing else. Prints
for each task in how many of the runs it was learnt, at which step, least, median and most, and the accuracy at the end.

--json FILE writes all runs as well: task, where, seed, steps, reached (or null), accuracy, loss, seconds.
"""
import argparse
import functools
import itertools
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

sys.path.insert(0, str(Path(__file__).parents[1] / "oracles"))
from training_model import NOTHING, Model  # noqa: E402

LEARNT, SCORED_EVERY, SCORED_BATCHES = 0.99, 25, 2
MODEL = dict(heads=4, width=64, layers=2, inner=0, position="learned", decoder="slots", tied=False, scale=True,
             residual=True)
USUAL = dict(batch=32, optimizer="adam", rate=3e-3, betas=(0.9, 0.999), decay=0, warm=20, share=1)
# Said to both, so that no default of the program's can differ from what PyTorch is told.
TASKS = {
    "copy": dict(sides="both", length=8, symbols=10, layers=1, steps=500),
    "reverse": dict(sides="encoder", length=8, symbols=10, layers=1, steps=500),
    "sort": dict(sides="encoder", length=8, symbols=10, inner=128, steps=1000),
    "recall": dict(sides="causal", length=11, symbols=8, steps=1500, batch=64, rate=5e-4),
    "induction": dict(sides="causal", length=32, symbols=32, steps=2000),
    "dates": dict(sides="both", length=11, answers=10, symbols=31, inner=128, steps=3000, rate=2e-3),
    "modular": dict(sides="causal", length=3, symbols=60, layers=1, inner=256, steps=4000, batch=256, rate=1e-3,
                    optimizer="adamw", decay=1, betas=(0.9, 0.98), share=0.4),
    "own": dict(sides="both", length=3, symbols=6, inner=128, steps=2000, rate=2e-3, share=0.9),
}
OWN_PAIRS = [("".join(letters), "".join(reversed(letters))) for letters in itertools.product("abcde", repeat=3)]


def drawn_without(g, rows, count, n):
    return np.argsort(g.random((rows, n)), axis=1)[:, :count]


def symbols_rows(task, change):
    return lambda g, rows: (lambda ids: (ids, change(ids)))(g.integers(0, task["symbols"], (rows, task["length"])))


def recall_rows(task):
    n, symbols = task["length"], task["symbols"]
    keys, pairs = symbols // 2, max(1, min(n // 3, symbols // 2))

    def draw(g, rows):
        ids, target = np.zeros((rows, n), int), np.full((rows, n), NOTHING)
        ids[:, 0:2 * pairs:2] = drawn_without(g, rows, pairs, keys)
        ids[:, 1:2 * pairs:2] = g.integers(keys, symbols, (rows, pairs))
        asked = 2 * g.integers(0, pairs, (rows, n - 2 * pairs))
        ids[:, 2 * pairs:] = np.take_along_axis(ids, asked, 1)
        target[:, 2 * pairs:] = np.take_along_axis(ids, asked + 1, 1)
        return ids, target
    return draw


def induction_rows(task):
    n, symbols = task["length"], task["symbols"]
    most = min(16, symbols, n // 2)

    def draw(g, rows):
        period = g.integers(min(6, most), most + 1, (rows, 1))
        run = drawn_without(g, rows, most, symbols)
        place = np.arange(n)[None, :]
        ids, following = (np.take_along_axis(run, (place + k) % period, 1) for k in (0, 1))
        return ids, np.where(place >= period, following, NOTHING)
    return draw


LETTERS = "0123456789-·abcdefgjlmnoprstuvy"
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()


def date_row(g):
    year, month = int(g.integers(1000, 10000)), int(g.integers(1, 13))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    day = int(g.integers(1, [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] + 1))
    y, m, d = str(year), MONTHS[month - 1], f"{day:02}"
    source = "·".join([(d, m, y), (m, d, y), (y, m, d)][int(g.integers(0, 3))])
    return tuple([LETTERS.index(letter) for letter in text] for text in (source, f"{y}-{month:02}-{d}"))


def date_rows(g, rows):
    return tuple(np.array(side) for side in zip(*(date_row(g) for _ in range(rows))))


def table_rows(task, table, seed):
    """Of those that are trained on, and of the others."""
    table = np.random.default_rng(seed).permutation(table)
    trained = round(task["share"] * len(table))

    def draw_from(rows_of):
        def draw(g, rows):
            picked = rows_of[g.integers(0, len(rows_of), rows)]
            return picked[:, :task["length"]], picked[:, task["length"]:]
        return draw
    return draw_from(table[:trained]), draw_from(table[trained:])


def sums(modulus):
    return np.array([[a, b, modulus, NOTHING, NOTHING, (a + b) % modulus]
                     for a in range(modulus) for b in range(modulus)])


def own_table():
    return np.array([[ord(letter) - ord("a") for letter in a + b] for a, b in OWN_PAIRS])


def rows_of(name, task, seed):
    """What draws a batch to train on, and one that is held out."""
    if name == "modular":
        return table_rows(task, sums(task["symbols"] - 1), seed)
    if name == "own":
        return table_rows(task, own_table(), seed)
    draw = {"copy": lambda: symbols_rows(task, lambda ids: ids),
            "reverse": lambda: symbols_rows(task, lambda ids: ids[:, ::-1]),
            "sort": lambda: symbols_rows(task, lambda ids: np.sort(ids, 1)),
            "recall": lambda: recall_rows(task), "induction": lambda: induction_rows(task),
            "dates": lambda: date_rows}[name]()
    return draw, draw


def begin(model, layers):
    """Normals of 0.02, smaller where a box is added to the stream; norms and biases as PyTorch begins them."""
    for name, parameter in model.named_parameters():
        if name.endswith(".bias"):
            torch.nn.init.zeros_(parameter)
        elif "norm" not in name:
            added = name.endswith(("out_proj.weight", "linear2.weight"))
            torch.nn.init.normal_(parameter, 0, 0.02 / (math.sqrt(2 * layers) if added else 1))


def score(model, batches):
    loss, accuracy = 0, 0
    with torch.no_grad():
        for ids, target in batches:
            logits, asked = model(ids, target), target != NOTHING
            loss += F.cross_entropy(logits[asked], target[asked]).item() / len(batches)
            accuracy += (logits.argmax(2) == target)[asked].double().mean().item() / len(batches)
    return loss, accuracy


def run_there(name, task, seed):
    torch.manual_seed(seed)
    model = Model(task)
    begin(model, task["layers"])
    model.mask = functools.lru_cache(None)(model.mask)
    kind = torch.optim.AdamW if task["optimizer"] == "adamw" else torch.optim.Adam
    optimizer = kind(model.parameters(), task["rate"], task["betas"], weight_decay=task["decay"])
    warmed = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / max(1, task["warm"])))
    train, held = rows_of(name, task, seed)
    g = np.random.default_rng(seed + 1000)
    taken = lambda draw: tuple(torch.tensor(np.ascontiguousarray(side)) for side in draw(g, task["batch"]))
    new_rows = [taken(held) for _ in range(SCORED_BATCHES)]
    began = time.perf_counter()
    reached, loss, accuracy = None, math.nan, 0
    for step in range(1, task["steps"] + 1):
        ids, target = taken(train)
        optimizer.zero_grad()
        F.cross_entropy(model(ids, target).flatten(0, 1), target.flatten(), ignore_index=NOTHING).backward()
        optimizer.step()
        warmed.step()
        if step % SCORED_EVERY == 0 or step == task["steps"]:
            loss, accuracy = score(model, new_rows)
            if accuracy >= LEARNT:
                reached = step
                break
    return dict(steps=step, reached=reached, loss=loss, accuracy=accuracy, seconds=time.perf_counter() - began)


def run_here(program, name, task, seed, pairs):
    words = [program, "train", name, "--seed", str(seed), "--until", str(LEARNT), "--json"]
    for option, value in dict(layers=task["layers"], heads=task["heads"], width=task["width"], inner=task["inner"],
                              batch=task["batch"], optimizer=task["optimizer"], rate=task["rate"],
                              betas=",".join(map(str, task["betas"])), weight_decay=task["decay"],
                              warm_up=task["warm"], steps=task["steps"]).items():
        words += ["--" + option.replace("_", "-"), str(value)]
    if name == "modular":
        words += ["--modulus", str(task["symbols"] - 1), "--train-share", str(task["share"])]
    elif name == "own":
        words += ["--data", pairs, "--train-share", str(task["share"])]
    elif name != "dates":
        words += ["--length", str(task["length"]), "--symbols", str(task["symbols"])]
    report = json.loads(subprocess.run(words, check=True, capture_output=True).stdout)
    return {key: report[key] for key in ("steps", "reached", "loss", "accuracy", "seconds")}


def spread(numbers, form):
    if not numbers:
        return "–"
    return " – ".join(form.format(f(numbers)) for f in (min, statistics.median, max))


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("program", nargs="?", default="build/release/attention-lab")
    words.add_argument("--seeds", type=int, default=10)
    words.add_argument("--tasks", default=",".join(TASKS))
    words.add_argument("--json")
    asked = words.parse_args()
    torch.set_num_threads(1)
    runs = []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as pairs:
        pairs.writelines(f"{a}\t{b}\n" for a, b in OWN_PAIRS)
        pairs.flush()
        print(f"{'task':10} {'':8} {'learnt':>8}  {'at step':24} accuracy at the end")
        for name in asked.tasks.split(","):
            task = {**MODEL, **USUAL, "answers": TASKS[name]["length"], **TASKS[name]}
            for where, run in (("here", lambda seed: run_here(asked.program, name, task, seed, pairs.name)),
                               ("PyTorch", lambda seed: run_there(name, task, seed))):
                found = [dict(task=name, where=where, seed=seed, **run(seed)) for seed in range(1, asked.seeds + 1)]
                runs += found
                steps = [one["reached"] for one in found if one["reached"]]
                print(f"{name:10} {where:8} {len(steps):2} of {len(found):2}  {spread(steps, '{:.0f}'):24} "
                      f"{spread([one['accuracy'] for one in found], '{:.3f}')}", flush=True)
    if asked.json:
        Path(asked.json).write_text(json.dumps(runs, indent=1) + "\n")


if __name__ == "__main__":
    main()
