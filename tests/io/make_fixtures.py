#!/usr/bin/python3
"""Writes fixtures/: arrays as NumPy writes them, which the tests of core/io read.

Run by hand after a change here (needs python3-numpy); the files are committed.
"""
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "fixtures"
SPECIAL = [1.5, -0.0, np.inf, -np.inf, np.nan, 6e-8]  # 6e-8 is subnormal in float16


def save(name, array, version=None):
    with open(FOLDER / (name + ".npy"), "wb") as file:
        np.lib.format.write_array(file, np.asanyarray(array), version=version)


def numbers():
    counted = np.arange(6).reshape(2, 3)
    for code in ("u1", "u2", "u4", "u8"):
        save(code, (counted + 250).astype(code) if code == "u1" else counted.astype(code) * 60)
    for code in ("i1", "i2", "i4", "i8"):
        save(code, (counted - 3).astype(code))
    save("big_endian_i4", (counted - 3).astype(">i4"))
    save("i8_extremes", np.array([-(2**63), 2**63 - 1, 2**53 + 1]))
    for code in ("f2", "f4", "f8", ">f2", ">f4", ">f8"):
        save(("big_endian_" if code[0] == ">" else "") + code[-2:], np.array(SPECIAL).astype(code))
    save("bool", np.array([[True, False], [False, True]]))


def layouts():
    save("fortran_2d", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    save("fortran_3d_big_endian", np.asfortranarray(np.arange(24).reshape(2, 3, 4).astype(">i2")))
    save("zero_d", np.float32(7.5))
    save("one_d", np.arange(3, dtype="f4"))
    save("empty", np.zeros((0, 3), "f4"))
    save("version_2", np.arange(3, dtype="f4"), (2, 0))
    save("version_3", np.arange(3, dtype="f4"), (3, 0))


def refused():
    save("object", np.array([{"a": 1}], dtype=object))
    save("structured", np.zeros(2, dtype=[("größe", "f4"), ("b", "i4")]))
    save("text", np.array(["a", "bc"]))
    save("complex", np.array([1 + 2j]))
    save("date", np.array(["2020-01-01"], dtype="M8[D]"))
    save("long_double", np.array([1], dtype=np.longdouble))


def archives():
    q, k, v = np.eye(2, dtype="f4"), np.asfortranarray(np.arange(6).reshape(3, 2)), np.ones((3, 1), "f2")
    np.savez(FOLDER / "stored.npz", q=q, k=k, v=v)
    np.savez_compressed(FOLDER / "compressed.npz", q=q, k=k, v=v)
    np.savez_compressed(FOLDER / "unicode.npz", **{"größe": q, "键": v})
    np.savez_compressed(FOLDER / "zeros.npz", mask=np.zeros((512, 512), bool))  # 1 to 900
    np.savez(FOLDER / "with_object.npz", q=q, notes=np.array([None]))
    np.savez(FOLDER / "none.npz")


def tensors():
    """Needs the packages safetensors (0.8) and torch (1.13), which has bfloat16."""
    import torch
    from safetensors.torch import save_file
    special, counted = torch.tensor([SPECIAL]), torch.arange(6).reshape(2, 3)
    save_file({"f8": special.double(), "f4": special, "f2": special.half(), "bf16": special.bfloat16(),
               "bf16_pi": torch.tensor(3.14159265).bfloat16(), "bool": torch.tensor([True, False]),
               "u1": (counted + 250).to(torch.uint8), "none": torch.zeros(0, 3),
               **{name: (counted - 3).to(dtype) for name, dtype in
                  [("i1", torch.int8), ("i2", torch.int16), ("i4", torch.int32), ("i8", torch.int64)]}},
              FOLDER / "types.safetensors", metadata={"format": "pt", "größe": "\"{"})


FOLDER.mkdir(exist_ok=True)
numbers()
layouts()
refused()
archives()
tensors()
