#!/usr/bin/env python3
"""check_numbers.py PROGRAM FOLDER: the numbers that `render` writes beside a picture are those of the stage or the
curve, to the last bit as NumPy reads them, and with the labels that the picture has."""
import csv
import pathlib
import subprocess
import sys

import numpy as np

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
LAYER = "the-cat-sat-on-mat-two-heads"


def run(*words):
    subprocess.run([program, *words, "--device", "reference"], check=True, stdout=subprocess.DEVNULL)


def same_bits(a, b, what):
    assert a.dtype == b.dtype == np.float32 and a.shape == b.shape, f"{what}: {a.dtype}{a.shape}, {b.dtype}{b.shape}"
    assert np.array_equal(a.view(np.uint32), b.view(np.uint32)), f"{what}: other bits"


def numbers_of(layer, name, *words):
    """Of a picture's numbers both forms: the rows of the table, the arrays."""
    for ending in ("csv", "npz"):
        run("render", layer, "-o", folder / "picture.png", "--numbers", folder / f"{name}.{ending}", *words)
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.reader(file)), np.load(folder / f"{name}.npz")


run("trace", LAYER, "-o", folder / "stages.npz")
stages = np.load(folder / "stages.npz")
for stage, words, head in (("weights", [], 0), ("scores", ["--pin", "scores:1,0,0"], 1), ("x", [], None)):
    rows, arrays = numbers_of(LAYER, stage, "--matrix", stage, *words)
    whole = stages[stage] if head is None else stages[stage][head]
    assert list(arrays) == [stage]
    same_bits(arrays[stage], whole, stage)
    same_bits(np.array([row[1:] for row in rows[1:]], np.float32), whole, f"{stage}.csv")
    assert [row[0] for row in rows[1:]] == ["the", "cat", "sat", "on", "mat"], rows
    assert rows[0][1:] == (["the", "cat", "sat", "on", "mat"] if head is not None else list("0123")), rows[0]

rows, arrays = numbers_of("three-tokens", "plot", "--workspace", "cost", "--plot", "memory")
assert len(arrays) == len(rows[0]) and len(arrays) >= 4, (list(arrays), rows[0])
for column, name in enumerate(arrays):
    cells = [row[column] for row in rows[1:] if row[column]]
    written = np.array(cells, arrays[name].dtype)
    assert written.tobytes() == arrays[name].tobytes(), name
    assert name.endswith((".x", ".y")) and arrays[name].size > 3, name
print("numbers beside pictures are right")
