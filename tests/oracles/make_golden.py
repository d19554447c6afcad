#!/usr/bin/env python3
"""Makes the golden numbers: golden.npz and golden.json beside this script.

    python3 tests/oracles/make_golden.py        (Debian: python3-torch, python3-numpy)

Each case of golden_cases.py is an input file of `attention-lab trace` plus its options. golden_layer.py computes
every stage in double with torch, and again with numpy; small cases a third time with plain loops, ordinary
multi-head layers also with torch.nn.MultiheadAttention. The answers must agree to 1e-12, else nothing is written.
The output depends on nothing but these scripts and the r-*.csv: two runs give the same bytes.

golden.json, an entry for each case:
  name      what the case is about
  inputs    the names of its arrays; array A is the member "name/A" of golden.npz
  options   the words of the command line
  stages    [id, [heads, rows, columns]] in order. "name/expected" holds their float64 numbers, one stage after
            another; "name/bound" an exponent e for each number: a computation with unit roundoff u errs by at most
            2^e u (golden_bounds.py); -32768 means exactly, and numbers that are not finite must match in kind
  ordinary  the inputs are finite and of ordinary size (|x| <= 10), where float devices promise 2e-6 + 2e-5 |b|
  float32   "name/float32" holds the same stages in single precision (torch), which float results are compared with.
            Only where float legitimately tells another story than double: -1e9 added to every score of a row. Single
            precision rounds -1e9 + s to a multiple of 64, so the row's scores become equal and its weights uniform,
            while double keeps s to 1e-7 and the weights that it gives
  csv       stage id to the r-*.csv (from R) that it reproduces. R's inputs are doubles, the case's are rounded to
            float32: "name/rounding" holds exponents e; that and single precision together move each number by
            at most 2^e 2^-24
"""
import json

import numpy as np
import torch

import golden_bounds
import golden_layer
from golden_cases import HERE, all_cases
from make_npz import write_npz

EXACT = -32768
AGREE = 1e-12  # relative, with the size of the largest finite number of the stage as the unit


def agree(what, a, b):
    assert a.shape == b.shape, what
    assert np.array_equal(np.isnan(a), np.isnan(b)) and np.array_equal(np.isinf(a), np.isinf(b)), what
    assert np.array_equal(a[np.isinf(a)], b[np.isinf(b)]), what
    f = np.isfinite(a)
    unit = max(1, np.abs(a[f]).max(initial=0))
    assert np.all(np.abs(a[f] - b[f]) <= AGREE * unit), f'{what}: {np.abs(a[f] - b[f]).max()}'


def check_loops(name, inputs, o, st):
    if st['scores'].size > 120:
        return 0
    h, n, m = st['scores'].shape
    bias = np.broadcast_to(st.get('bias', inputs.get('bias', np.zeros((n, m)))), (h, n, m)).tolist()
    mask = st.get('mask', np.zeros((h, n, m))).tolist()
    factor = golden_layer.scale_of(o, st['q'].shape[2]) / (o.temperature or 1)
    q, k = st.get('q_rotated', st['q']), st.get('k_rotated', st['k'])
    weights = golden_layer.loop_weights(q.tolist(), k.tolist(), bias, mask, factor, o)
    agree(f'{name}: loops', st['weights'], np.array(weights))
    return 1


def check_torch_module(name, inputs, o, st):
    """torch.nn.MultiheadAttention, where the case is one that it can express."""
    if 'w_o' not in inputs or o.temperature != 1 or o.scale != 'sqrt' or o.kv_heads != o.heads:
        return 0
    x = st.get('position', st['x'])[0]
    d = x.shape[1]
    if o.position.kind not in ('none', 'sinusoidal', 'learned'):
        return 0
    if any(inputs['w_' + c].shape != (d, d) for c in 'qkvo') or np.isnan(st['weights']).any() or o.fill != '-inf':
        return 0
    if np.isneginf(st['row_max']).any():
        return 0  # rows without a key are NaN there
    layer = torch.nn.MultiheadAttention(d, o.heads, batch_first=True, dtype=torch.float64)
    t = {k: torch.tensor(v, dtype=torch.float64) for k, v in inputs.items() if k != 'mask'}
    zero = torch.zeros(d, dtype=torch.float64)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat([t['w_' + c].T for c in 'qkv']))
        layer.in_proj_bias.copy_(torch.cat([t.get('b_' + c, zero) for c in 'qkv']))
        layer.out_proj.weight.copy_(t['w_o'].T)
        layer.out_proj.bias.copy_(t.get('b_o', zero))
        query = torch.tensor(x)[None]
        memory = t['memory'][None] if 'memory' in t else query
        mask = torch.tensor(st['mask'] != 0) if 'mask' in st else None
        y, a = layer(query, memory, memory, attn_mask=mask, average_attn_weights=False)
    agree(f'{name}: module output', st['output'], y.numpy())
    agree(f'{name}: module weights', st['weights'], a[0].numpy())
    return 1


def exponents(bound):
    e = np.full(bound.shape, EXACT, np.int16)
    e[bound > 0] = np.ceil(np.log2(bound[bound > 0] / golden_bounds.U))
    return e


def flat(stages, dtype):
    return np.concatenate([np.asarray(a, dtype).ravel() for a in stages])


def adds_to_empty_rows(o, st):
    return o.fill == 'add-1e9' and 'mask' in st and (st['mask'] != 0).all(-1).any()


def compute(case, arrays, counts):
    """One entry of golden.json; its arrays are added to `arrays`."""
    name, o = case['name'], golden_layer.parse(case['words'])
    exact = case['inputs']
    inputs = {k: a.astype(np.float32) if a.dtype == np.float64 else a for k, a in exact.items()}
    st = golden_layer.torch_stages(inputs, o)
    with np.errstate(invalid='ignore'):
        again = golden_layer.numpy_stages(inputs, o)
        bound = golden_bounds.bounds(inputs, o, st)
    assert list(st) == list(again), name
    for stage in st:
        agree(f'{name}: {stage}', st[stage], again[stage])
    counts['loops'] += check_loops(name, inputs, o, st)
    counts['module'] += check_torch_module(name, inputs, o, st) if 'x' in inputs else 0
    single = golden_layer.torch_stages(inputs, o, torch.float32)
    if o.temperature == 0:  # which keys tie must not depend on the precision
        np.testing.assert_array_equal(single['exp'], st['exp'])

    sizes = np.concatenate([np.abs(np.asarray(a, np.float64)).ravel() for k, a in inputs.items() if k != 'mask'])
    entry = {'name': name, 'inputs': sorted(inputs), 'options': case['words'],
             'stages': [[stage, list(a.shape)] for stage, a in st.items()],
             'ordinary': bool(np.isfinite(sizes).all() and sizes.max() <= 10)}
    for k, a in inputs.items():
        arrays[f'{name}/{k}'] = a
    arrays[f'{name}/expected'] = flat(st.values(), np.float64)
    arrays[f'{name}/bound'] = flat([exponents(bound[stage]) for stage in st], np.int16)
    if adds_to_empty_rows(o, st):
        assert entry['ordinary'], name  # else nothing would be checked
        entry['float32'] = True
        arrays[f'{name}/float32'] = flat(single.values(), np.float32)
    if 'csv' in case:
        entry['csv'] = case['csv']
        moved = golden_bounds.bounds(exact, o, st, input_error=golden_bounds.U)
        arrays[f'{name}/rounding'] = flat([exponents(moved[stage]) for stage in st], np.int16)
        for stage, file in case['csv'].items():
            theirs = golden_layer.torch_stages(exact, o)[stage][0]
            agree(f'{name}: {file}', theirs, np.loadtxt(HERE / f'{file}.csv', delimiter=',', ndmin=2))
    return entry


def main():
    arrays, counts = {}, {'loops': 0, 'module': 0}
    entries = [compute(case, arrays, counts) for case in all_cases()]
    assert len({e['name'] for e in entries}) == len(entries), 'two cases share a name'
    write_npz(HERE / 'golden.npz', arrays)
    (HERE / 'golden.json').write_text('[\n' + ',\n'.join(json.dumps(e) for e in entries) + '\n]\n')
    print(f'{len(entries)} cases; {counts["loops"]} also by loops, {counts["module"]} by MultiheadAttention')


if __name__ == '__main__':
    main()
