#!/usr/bin/env python3
"""Makes the example of eight kinds of head: assets/examples/eight-heads.json.

    python3 tests/oracles/make_eight_heads.py        (the standard library alone)

Each row of x says where a token stands (a 1 of 12), which word it is (of 9) and which word stood before it (of 9), as
an earlier layer's previous-token head would have written it. Each head's W_Q asks for one of these and its W_K answers,
with scores of about 6 on what it looks for and 0 elsewhere:
0 the place before, 1 the first place, 2 its own place, 3 next to nothing (broad), 4 and 7 at random (no rule), 5 its
own place and the two before (nearby), 6 the word before being its own word (induction). W_V and W_O are random.
"""
import random
from pathlib import Path

TOKENS = 'the cat sat on the mat because the cat was warm .'.split()
WORDS = list(dict.fromkeys(TOKENS))
N, D_K, HEADS = len(TOKENS), 12, 8
D = N + 2 * len(WORDS)
ASKED = 21  # times 1, divided by the root of 12: scores of 6


def zeros(rows, columns):
    return [[0] * columns for _ in range(rows)]


def inputs():
    x = zeros(N, D)
    for i, word in enumerate(TOKENS):
        x[i][i] = 1
        x[i][N + WORDS.index(word)] = 1
        if i > 0:
            x[i][N + len(WORDS) + WORDS.index(TOKENS[i - 1])] = 1
    return x


def planted(head, g):
    """W_Q and W_K of one head, D x D_K each."""
    q, k = zeros(D, D_K), zeros(D, D_K)
    if head in (0, 2, 5):
        for at in range(N):
            k[at][at] = 1
            for back in {0: [1], 2: [0], 5: [0, 1, 2]}[head]:
                if at >= back:
                    q[at][at - back] = ASKED
    elif head == 1:
        k[0][0] = 1
        for at in range(N):
            q[at][0] = ASKED
    elif head == 6:
        for word in range(len(WORDS)):
            q[N + word][word] = ASKED
            k[N + len(WORDS) + word][word] = 1
    else:
        size = 0.2 if head == 3 else 0.9
        for w in (q, k):
            for row in w:
                row[:] = [round(g.gauss(0, size), 2) for _ in row]
    return q, k


def side_by_side(matrices):
    return [[x for m in matrices for x in m[i]] for i in range(len(matrices[0]))]


def text_of(matrix):
    rows = ['      [' + ', '.join(f'{x:g}' for x in row) + ']' for row in matrix]
    return '[\n' + ',\n'.join(rows) + '\n    ]'


def main():
    g = random.Random(8)
    heads = [planted(h, g) for h in range(HEADS)]
    w_v = [[round(g.gauss(0, 0.6), 2) for _ in range(HEADS * D_K)] for _ in range(D)]
    w_o = [[round(g.gauss(0, 0.4), 2) for _ in range(D)] for _ in range(HEADS * D_K)]
    matrices = {'w_q': side_by_side([h[0] for h in heads]), 'w_k': side_by_side([h[1] for h in heads]), 'w_v': w_v, 'w_o': w_o}
    labels = ', '.join(f'"{t}"' for t in TOKENS)
    lines = ['{', '  "format": "attention-lab session",', '  "version": 2,', '  "layer": {',
             f'    "tokens": [{labels}],', f'    "x": {text_of(inputs())},', '    "heads": 8,', '    "kv_heads": 8,']
    lines += [f'    "{name}": {text_of(m)},' for name, m in matrices.items()]
    lines += ['    "masks": [{"rule": "causal", "align": "lower-right"}]', '  }', '}']
    out = Path(__file__).parents[2] / 'assets/examples/eight-heads.json'
    out.write_text('\n'.join(lines) + '\n')


if __name__ == '__main__':
    main()
