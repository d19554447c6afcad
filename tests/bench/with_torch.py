#!/usr/bin/env python3
"""What PyTorch takes by what it takes here, in turn: `with_torch.py [ATTENTION_LAB] [ROUNDS]`.

- A step of training: `train induction` with attention alone and with a feed-forward network, against the same model
  of PyTorch's modules, eagerly, on one thread (tests/oracles/training_model.py). Here a batch is drawn in the step and
  held-out rows are scored in between; there batches are drawn before.
- Attention: `bench attention` at one length against PyTorch's fused one, where that is 2.5 or newer, and every stage
  against the same stages there.

In each round both run one behind the other, so that what else the machine does meets both. Prints the median over the
rounds, and the least and the most. Without PyTorch it says so and compares nothing.
"""
import functools
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # else its threads hold the cores that the device waits for
sys.path.insert(0, str(Path(__file__).parents[1] / "oracles"))
HEADS, WIDTH, LENGTH, RUNS = 8, 64, 2048, 9
STEPS_HERE, STEPS_THERE, ROWS, BAR = 400, 60, 32, 4
ASKED = {"fused": 1.15, "fused, causal": 1.3, "stages": 1}
TRAINED = dict(sides="causal", length=32, symbols=32, width=64, heads=4, layers=2, position="learned", tied=False,
               scale=True, residual=True)


def installed_torch():
    try:
        import torch
    except ImportError:
        sys.exit("PyTorch is not installed: nothing to compare with")
    return torch


def is_fused(torch):
    return tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2]) >= (2, 5)


def report_of(words):
    return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)


def attention_here(program):
    """Median milliseconds by what is computed."""
    words = [program, "bench", "attention", "--json", "--mechanism", "full,flash", "--n", str(LENGTH)]
    report = report_of(words + ["--heads", str(HEADS), "--d", str(HEADS * WIDTH)])
    rows = {(row["mechanism"], row["causal"]): row["median_ms"] for row in report["rows"] if row["heads"] == HEADS}
    return {"fused": rows["flash", False], "fused, causal": rows["flash", True], "stages": rows["full", False]}


def stages(q, k, v):
    """Every stage, as the layer has them."""
    scaled = q @ k.transpose(-1, -2) * WIDTH**-0.5
    largest = scaled.amax(-1, keepdim=True)
    exponentials = (scaled - largest).exp()
    weights = exponentials / exponentials.sum(-1, keepdim=True)
    return weights @ v


def attention_there(torch):
    fused = torch.nn.functional.scaled_dot_product_attention
    ways = {"fused": fused, "fused, causal": functools.partial(fused, is_causal=True), "stages": stages}
    q, k, v = (torch.randn(1, HEADS, LENGTH, WIDTH) for _ in range(3))
    medians = {}
    for what, way in ways.items():
        times = []
        for _ in range(RUNS):
            start = time.perf_counter()
            way(q, k, v)
            times.append(1e3 * (time.perf_counter() - start))
        medians[what] = statistics.median(times[1:])  # the first makes its threads
    return medians


def step_here(program, inner):
    """Mean milliseconds of a step."""
    words = [program, "train", "induction", "--inner", str(inner), "--steps", str(STEPS_HERE), "--batch", str(ROWS)]
    sizes = ["--length", str(TRAINED["length"]), "--symbols", str(TRAINED["symbols"]), "--json"]
    report = report_of(words + sizes)
    return 1e3 * report["seconds"] / report["steps"]


def step_there(torch, inner):
    from training_model import NOTHING, Model

    torch.set_num_threads(1)
    model = Model(dict(TRAINED, inner=inner))
    mask = model.mask(ROWS)
    model.mask = lambda rows: mask
    optimizer = torch.optim.Adam(model.parameters(), 3e-3)
    batches = [torch.randint(0, TRAINED["symbols"], (2, ROWS, TRAINED["length"])) for _ in range(8)]
    times = []
    for i in range(STEPS_THERE):
        start = time.perf_counter()
        ids, target = batches[i % len(batches)]
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(ids).flatten(0, 1), target.flatten(), ignore_index=NOTHING)
        loss.backward()
        optimizer.step()
        loss.item()
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.mean(times[5:])  # the first make its memory


def compare_training(torch, program, rounds):
    found = {inner: [] for inner in (0, 256)}
    for _ in range(rounds):
        for inner, pairs in found.items():
            pairs.append((step_here(program, inner), step_there(torch, inner)))
    for inner, pairs in found.items():
        ratios = [there / here for here, there in pairs]
        here, there = (statistics.median(side) for side in zip(*pairs))
        what = f"a feed-forward network of {inner}" if inner else "attention alone"
        print(f"training, {what}: {statistics.median(ratios):.2f} times as fast as PyTorch {torch.__version__} eager "
              f"on one thread ({min(ratios):.2f} – {max(ratios):.2f}, at least {BAR} is asked for); "
              f"a step takes {here:.2f} ms, there {there:.2f} ms")


def compare_attention(torch, program, rounds):
    ratios = {what: [] for what in ASKED}
    for _ in range(rounds):
        here, there = attention_here(program), attention_there(torch)
        for what, found in ratios.items():
            found.append(there[what] / here[what])
    for what, found in ratios.items():
        print(f"attention, {what}: {statistics.median(found):.2f} times as fast as PyTorch {torch.__version__} at "
              f"{HEADS}×{LENGTH}×{WIDTH} ({min(found):.2f} – {max(found):.2f}, at least {ASKED[what]} is asked for)")


def main():
    torch = installed_torch()
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/attention-lab"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    if is_fused(torch):
        compare_attention(torch, program, rounds)
    else:
        print(f"PyTorch {torch.__version__} is older than 2.5: its attention is not compared with")
    compare_training(torch, program, rounds)


if __name__ == "__main__":
    main()
