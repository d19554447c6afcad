#!/usr/bin/env python3
"""check_damage.py PROGRAM FOLDER: a good .npz, cut short and with bytes changed (seeded): each damaged file is either
computed or refused with status 4 and a message that names it; nothing is written when it is refused.
"""
import os
import random
import subprocess
import sys

import numpy as np

program, folder = sys.argv[1:]
source, target = os.path.join(folder, 'in.npz'), os.path.join(folder, 'out.npz')
np.savez_compressed(source, q=np.eye(3), k=np.eye(3), v=np.eye(3))
with open(source, 'rb') as file:
    good = file.read()

choose = random.Random(1)
damaged = [good[:length] for length in range(0, len(good), 23)]
for _ in range(60):
    copy = bytearray(good)
    for _ in range(choose.randint(1, 4)):
        copy[choose.randrange(len(copy))] = choose.randrange(256)
    damaged.append(bytes(copy))

refused = 0
for number, copy in enumerate(damaged):
    with open(source, 'wb') as file:
        file.write(copy)
    run = subprocess.run([program, 'trace', source, '-o', target, '--device', 'reference'], capture_output=True)
    assert run.returncode in (0, 4), (number, run.returncode, run.stderr)
    if run.returncode == 4:
        refused += 1
        assert source.encode() in run.stderr and not os.path.exists(target), (number, run.stderr)
    else:
        os.remove(target)
assert refused >= len(range(0, len(good), 23)), refused
