#!/usr/bin/env python3
"""Makes correct dumps, as other libraries compute and name them, for tests of `attention-lab check`: dumps/.

    python3 tests/oracles/make_dumps.py                    writes them (Debian: python3-torch, python3-numpy)
    python3 tests/oracles/make_dumps.py --check            compares what it would write with what is there, to 1e-6: the
                                                           last bits are the machine's
    python3 tests/oracles/make_dumps.py --against PROGRAM  holds the program's weights and outputs against them

Computed in float32, with a batch of one where the library has one. dumps/index.json, an entry for each file:

file      its name
options   of the layer, as the command line has them: what the arrays don't say
verdict   "equal"; of a run in half precision "half": right is to name that format as the one mistake, or noise, and
          nothing else. Operations are rounded as torch rounds them on a device that has the format, which is at fewer
          places than every stage of the program
of        whose code it is, and what is to be seen in it
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch

import foreign_layers as foreign
from make_npz import npz_bytes

FOLDER = Path(__file__).parent / 'dumps'


WEIGHTS = ['weights', 'attn_weights', 'attn_output_weights', 'attention_probs', 'attn', 'attentions']
OUTPUTS = ['output', 'attn_output', 'out', 'encoded', 'context_layer']


def rounded(dtype):
    return lambda x: x.to(dtype).float()


DUMPS = {
    'mha': (foreign.multihead, {}, 'equal'),
    'mha-averaged': (foreign.multihead, {'averaged': True}, 'equal'),
    'mha-key-padding': (foreign.multihead, {'padding': True}, 'equal'),
    'encoder-layer': (foreign.encoder_layer, {}, 'equal'),
    'llama': (foreign.llama, {}, 'equal'),
    'gpt2': (foreign.gpt2, {}, 'equal'),
    'bert': (foreign.bert, {}, 'equal'),
    't5': (foreign.t5, {}, 'equal'),
    'bloom': (foreign.bloom, {}, 'equal'),
    'jax': (foreign.jax, {}, 'equal'),
    'vit': (foreign.vit, {}, 'equal'),
    'whisper': (foreign.whisper, {}, 'equal'),
    'sdpa': (foreign.sdpa, {}, 'equal'),
    'llama-float16': (foreign.llama, {'half': rounded(torch.float16)}, 'half'),
    'llama-bfloat16': (foreign.llama, {'half': rounded(torch.bfloat16)}, 'half'),
    'gpt2-float16': (foreign.gpt2, {'half': rounded(torch.float16)}, 'half'),
    'gpt2-bfloat16': (foreign.gpt2, {'half': rounded(torch.bfloat16)}, 'half'),
}


def arrays(tensors):
    return {name: np.ascontiguousarray(t.detach().numpy()) for name, t in tensors.items()}


def made():
    """Name, dump, plain arrays and entry of each."""
    for name, (make, how, verdict) in DUMPS.items():
        seed = 1 + list(DUMPS).index(name)
        dump, options, plain = make(foreign.Numbers(np.random.RandomState(seed)), **how)
        dump = arrays(dump)
        if name.endswith('-float16'):  # which numpy has; bfloat16 it has not
            dump = {key: a.astype(np.float16) for key, a in dump.items()}
        of = ' '.join(make.__doc__.split())
        yield name, dump, arrays(plain), {'file': f'{name}.npz', 'options': options, 'verdict': verdict, 'of': of}


def write():
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    entries = []
    for name, dump, _, entry in made():
        (FOLDER / f'{name}.npz').write_bytes(npz_bytes(dump))
        entries.append(json.dumps(entry))
    (FOLDER / 'index.json').write_text('[\n' + ',\n'.join(entries) + '\n]\n')


def check():
    """What is not as it would be written."""
    wrong, entries = [], []
    for name, dump, _, entry in made():
        there = np.load(FOLDER / f'{name}.npz')
        entries.append(entry)
        if there.files != list(dump) or any(not np.allclose(there[key], a, 1e-6, 1e-6) for key, a in dump.items()):
            wrong.append(name)
    return wrong + (['index.json'] if json.loads((FOLDER / 'index.json').read_text()) != entries else [])


def result(dump, names):
    return next((dump[name] for name in names if name in dump), None)


def against(program):
    """Which of the correct ones the program, given the plain arrays, computes otherwise; the others' differences."""
    wrong = []
    for name, dump, plain, entry in made():
        with tempfile.TemporaryDirectory() as folder:
            given, out = Path(folder, 'given.npz'), Path(folder, 'out.npz')
            np.savez(given, **plain)
            subprocess.run([program, 'trace', given, '--device', 'reference', *entry['options'].split(), '-o', out],
                           check=True, stderr=subprocess.DEVNULL)
            ours = np.load(out)
        weights = result(dump, WEIGHTS)
        output = result(dump, OUTPUTS).astype(float)
        pairs = {'output': (output.reshape(ours['output'].shape) if name != 'sdpa' else output[0],
                            ours['output'] if name != 'sdpa' else ours['head_output'])}
        if weights is not None:
            mean = name == 'mha-averaged'
            pairs['weights'] = (weights[0].astype(float), ours['weights'].mean(0) if mean else ours['weights'])
        off = {stage: float(np.abs(a - b).max()) for stage, (a, b) in pairs.items()}
        print(name, {stage: f'{worst:.1e}' for stage, worst in off.items()})
        if entry['verdict'] == 'equal' and any(np.any(abs(a - b) > 2e-6 + 2e-5 * abs(b)) for a, b in pairs.values()):
            wrong.append(name)
    return wrong


def main():
    words = sys.argv[1:]
    if not words:
        write()
    else:
        wrong = against(words[1]) if words[0] == '--against' else check()
        sys.exit('\n'.join(f'{name} differs' for name in wrong) or 0)


main()
