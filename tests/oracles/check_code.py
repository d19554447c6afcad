#!/usr/bin/env python3
"""Programs of `attention-lab code` in the libraries that Debian has no package of, or an older one.

    tests/oracles/check_code.py ATTENTION_LAB [--write]

Run by a Python that has jax, keras (with a backend of them) and torch 2.5 or newer; those that are missing are left
out, which is said. Each case of code/cases.txt is written for each of them, run, and its weights and output are held
against what `trace` computes, within 1e-6 of the larger of 1 and the number. --write keeps the texts beside the cases:
tests/app/code_command_test.cpp holds what the program writes against these.
"""
import argparse
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

CASES = Path(__file__).parent / "code"
KINDS = {"pytorch-sdpa": "torch", "jax": "jax", "keras": "keras"}
END = """
import json as _json, sys as _sys, numpy as _np
_json.dump({n: _np.asarray(globals()[n]).tolist() for n in ("weights", "output")}, _sys.stdout)
"""


def missing(module):
    if importlib.util.find_spec(module) is None:
        return f"{module} is not installed"
    if module == "torch":
        import torch
        if tuple(int(n) for n in re.findall(r"\d+", torch.__version__)[:2]) < (2, 5):
            return f"torch {torch.__version__} is older than 2.5"
    return ""


def result_of(program):
    backend = "jax" if importlib.util.find_spec("jax") else "torch"
    run = subprocess.run([sys.executable, "-"], input=program + END, capture_output=True, text=True,
                         env={**os.environ, "KERAS_BACKEND": backend})
    if run.returncode:
        raise SystemExit(f"{program}\n{run.stderr}")
    return {name: np.array(numbers) for name, numbers in json.loads(run.stdout).items()}


def traced(lab, words):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.npz"
        subprocess.run([lab, "trace", *words, "--device", "reference", "-o", path], check=True, capture_output=True)
        arrays = dict(np.load(path))
    last = [name for name in arrays if name == "output" or name.endswith(".output")][-1]
    return arrays, arrays[last]


def differences(result, arrays, output):
    """The largest, of the output and of the weights, in their tolerance."""
    weights = [a for name, a in arrays.items() if name.endswith("weights") and a.shape == result["weights"].shape]
    far = lambda a, b: float(np.max(np.abs(a - b) / np.maximum(1, np.abs(b))))
    return far(result["output"].reshape(output.shape), output), min(far(result["weights"], a) for a in weights)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lab")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    wrong = 0
    for kind, module in KINDS.items():
        if missing(module):
            print(f"{kind}: left out, {missing(module)}")
            continue
        for line in (CASES / "cases.txt").read_text().splitlines():
            name, *words = shlex.split(line)
            made = subprocess.run([given.lab, "code", *words, "--as", kind], capture_output=True, text=True)
            if made.returncode:
                print(f"{kind} {name}: {made.stderr.strip()}")
                continue
            far = differences(result_of(made.stdout), *traced(given.lab, words))
            wrong += max(far) > 1e-6
            print(f"{kind} {name}: output {far[0]:.1e}, weights {far[1]:.1e}{'  TOO FAR' if max(far) > 1e-6 else ''}")
            if given.write:
                (CASES / f"{name}.{kind}.py").write_text(made.stdout)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
