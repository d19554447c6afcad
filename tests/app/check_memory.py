#!/usr/bin/env python3
"""check_memory.py PROGRAM FOLDER: under a limit of its memory, a layer that would not fit is refused with status 1 before
anything is computed or written; with as many tokens as the message says would fit, it is computed. Chosen stages
that need scores of more than the limit are made some rows at a time.
"""
import os
import re
import resource
import subprocess
import sys

import numpy as np

program, folder = sys.argv[1:]
source, target = os.path.join(folder, 'in.npz'), os.path.join(folder, 'out.npz')
limit = 700 << 20


def trace(tokens, *options):
    one = np.ones((tokens, 1), np.float32)
    np.savez(source, q=one, k=one, v=one)
    return subprocess.run([program, 'trace', source, '--device', 'reference', *options], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))


refused = trace(20000, '-o', target)
assert refused.returncode == 1, refused
assert re.search(r'this takes [\d.]+ GiB \([\d.]+ GiB of results', refused.stderr), refused.stderr
assert re.search(r'[\d.]+ MiB are free under this process.s limit \(ulimit -v\)', refused.stderr), refused.stderr
assert os.listdir(folder).count('out.npz') == 0
tokens = int(re.search(r'(\d+) tokens would fit', refused.stderr).group(1))
assert 1000 < tokens < 10000, tokens
assert trace(tokens).returncode == 0

# Scores of 380 MiB, twice as scaled ones are made of them. Flash attention would do if the choice were not hard.
hard = ['--temperature', '0', '-o', target]
assert trace(10000, *hard).returncode == 1
assert trace(10000, *hard, '--only', 'head_output').returncode == 0
assert (np.load(target)['head_output'] == 1).all()
