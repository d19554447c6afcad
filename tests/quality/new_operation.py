#!/usr/bin/env python3
"""An operation is added in its family and a line of the variant, and everybody else takes it as it is.

new_operation.py    adds one to a copy of the sources (build/new_operation), builds core there and tests it

What is added is in tests/quality/new_operation/: the family's two files, the reference, and a test of what explanation,
links, checks, counts, comparison and rounding make of it, and that its gradient is missing and so named.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADDED = ROOT / 'tests/quality/new_operation'
COPY = ROOT / 'build/new_operation'
FAMILY = {'cube.h': 'core/operations/cube.h', 'cube.cpp': 'core/operations/cube.cpp',
          'cube_reference.cpp': 'core/reference/cube.cpp', 'cube_test.cpp': 'cube_test.cpp'}
# Folders of core that the test never calls: half of the time goes without them, and without what would call them.
OTHERS = ('attention', 'compare', 'cost', 'edits', 'heads', 'io', 'kernels', 'measure', 'opencl', 'pipeline', 'positions',
          'softmax')
TEST = '''
add_executable(cube_test cube_test.cpp)
target_link_libraries(cube_test PRIVATE core)
target_link_options(cube_test PRIVATE LINKER:--unresolved-symbols=ignore-all)
'''


def changed(name, text):
    """A source as it has to be: what is known by its family, and the lists that name all files."""
    def put(pattern, line):
        found = re.sub(pattern, line, text, count=1)
        assert found != text, f'{name}: {pattern} is not there'
        return found
    if name == 'core/operations/operation.h':
        text = put(r'(?=#include "core/operations/dropout.h")', '#include "core/operations/cube.h"\n')
        return put(r'(?<=std::variant<)', 'Cube, ')
    if name in ('core/operations/CMakeLists.txt', 'core/reference/CMakeLists.txt'):
        return put(r'(?=  dropout.cpp)', '  cube.cpp\n')
    if name in [f'core/{folder}/CMakeLists.txt' for folder in OTHERS]:
        return ''
    if name == 'CMakeLists.txt':
        return text.split('add_subdirectory(app)')[0] + TEST
    return text


def write(path, text):
    """Only where it is another: what was built of it stays."""
    if path.is_file() and path.read_text() == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def main():
    wanted = {}
    for path in [ROOT / 'CMakeLists.txt', *(p for f in ('core', 'assets', 'shaders') for p in (ROOT / f).rglob('*'))]:
        name = path.relative_to(ROOT).as_posix()
        if path.is_file() and path.suffix in ('.txt', '.cpp', '.h', '.cl', '.cmake', '.md', '.json'):
            wanted[name] = changed(name, path.read_text())
    for source, name in FAMILY.items():
        wanted[name] = (ADDED / source).read_text()
    for name, text in wanted.items():
        write(COPY / name, text)
    for path in COPY.glob('core/**/*.*'):
        if path.relative_to(COPY).as_posix() not in wanted:
            path.unlink()
    build = COPY / 'build'
    for command in (['cmake', '-S', COPY, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=None',
                     '-DATTENTION_LAB_TESTS=OFF'],
                    ['ninja', '-C', build, 'cube_test'], [build / 'cube_test']):
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(ended.stdout[-4000:] + ended.stderr[-4000:])


if __name__ == '__main__':
    main()
