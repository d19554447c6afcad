#!/usr/bin/env python3
"""Nobody outside the families of operations and the backends asks which operation one is.

operation_types.py FOLDER    prints every place under FOLDER/app and FOLDER/core as FILE:LINE, exits 1 if there is one
operation_types.py --check   checks itself on small texts

What an operation is like, its family says (core/operations/traits.h), and whoever wants to know asks that: a test for
one of the variant's alternatives works for the operations of today alone. Making an operation is no test.
"""
import re
import sys

from sources import run, sources

VARIANT = 'core/operations/operation.h'
ALLOWED = ('core/operations/', 'core/reference/', 'core/opencl/', 'core/code/')


def operations(header):
    """The alternatives of the variant."""
    found = re.search(r'using OperationVariant =\s*std::variant<([^>]*)>;', header)
    return re.findall(r'\w+', found[1]) if found else []


def test_of(names):
    name = r'(?:attn::)?(?:%s)\b' % '|'.join(names)
    of = r'\b(?:holds_alternative|get_if|get|in_place_type|operation_at|is_same_v)\s*<[^<>;]*\b'
    return re.compile(rf'{of}{name}[^<>;]*>|\boperator\(\)\(\s*(?:const\s+)?{name}\s*&|\[[^\]]*\]\(const {name}\s*&')


def excesses(text, test):
    """(line number, line) of every place in a source."""
    code = re.sub(r'//[^\n]*', '', text)
    lines = text.split('\n')
    for found in test.finditer(code):
        number = code.count('\n', 0, found.start())
        yield number + 1, lines[number].strip()


def search(root):
    names = operations((root / VARIANT).read_text())
    if 'MatMul' not in names:
        sys.exit(f'operation_types.py: {VARIANT} has no operation "MatMul": what it looks for has changed')
    test = test_of(names)
    for name, text in sources(root):
        if not name.startswith(ALLOWED):
            yield from ((name, *place) for place in excesses(text, test))


def check():
    names = operations('using OperationVariant =\n    std::variant<Source, MatMul,\n    Mask, RowSum>;')
    assert names == ['Source', 'MatMul', 'Mask', 'RowSum'] and not operations('struct Source {};')
    test = test_of(names)
    bad = ['if (std::holds_alternative<Mask>(op))', 'auto* m = std::get_if<MatMul>(&stage.operation);',
           'std::get<Source>(op).tensor', 'double operator()(const RowSum&) const { return 0; }',
           'operation_at<MatMul>(graph, i)', 'std::holds_alternative<\n    RowSum>(op)', 'std::get_if<const Mask>(&op)',
           'if constexpr (std::is_same_v<Op, Mask>)', '[](const Mask& mask) { return 1; }',
           'std::get_if<attn::Source>(&op)']
    good = ['// std::get_if<Mask>(&op)', 'Operation op = MatMul{};', 'std::get_if<MaskRule>(&rule)', 'Mask rules(b);',
            'double operator()(const RowSumming&) const', 'std::get_if<Rotary>(&position)', 'std::vector<Source> all;',
            'traits(op, shapes, shape).long_rows']
    return lambda text: excesses(text, test), bad, good


if __name__ == '__main__':
    run(__doc__, search, check)
