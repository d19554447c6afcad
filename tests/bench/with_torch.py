#!/usr/bin/env python3
"""Flash attention here against PyTorch's fused attention, in turn: `with_torch.py [ATTENTION_LAB] [ROUNDS]`.

Each round runs `bench attention --json` at one length and then PyTorch on the same shape, so that what else the
machine does meets both. Prints the median over the rounds of PyTorch's time by ours. Without PyTorch 2.5 or newer
it says so and compares nothing.
"""
import json
import os
import statistics
import subprocess
import sys
import time

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # else its threads hold the cores that the device waits for
HEADS, WIDTH, LENGTH, RUNS = 8, 64, 2048, 9


def newest_torch():
    try:
        import torch
    except ImportError:
        sys.exit("PyTorch is not installed: nothing to compare with")
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version < (2, 5):
        sys.exit(f"PyTorch {torch.__version__} is older than 2.5: nothing to compare with")
    return torch


def ours(program):
    """Median milliseconds by causal or not."""
    words = [program, "bench", "attention", "--json", "--n", str(LENGTH), "--heads", str(HEADS)]
    report = json.loads(subprocess.run(words + ["--d", str(HEADS * WIDTH)], check=True, capture_output=True).stdout)
    rows = [row for row in report["rows"] if row["mechanism"] == "flash" and row["heads"] == HEADS]
    return {row["causal"]: row["median_ms"] for row in rows}


def theirs(torch, causal):
    q, k, v = (torch.randn(1, HEADS, LENGTH, WIDTH) for _ in range(3))
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
        times.append(1e3 * (time.perf_counter() - start))
    return statistics.median(times[1:])  # the first makes its threads


def main():
    torch = newest_torch()
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/attention-lab"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    ratios = {False: [], True: []}
    for _ in range(rounds):
        here = ours(program)
        for causal in ratios:
            ratios[causal].append(theirs(torch, causal) / here[causal])
    for causal, values in ratios.items():
        print(f"{'causal' if causal else 'full'}: {statistics.median(values):.2f} times as fast as PyTorch "
              f"{torch.__version__} at {HEADS}×{LENGTH}×{WIDTH} ({min(values):.2f} – {max(values):.2f})")


if __name__ == "__main__":
    main()
