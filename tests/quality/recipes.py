#!/usr/bin/env python3
"""The recipes of core/README.md and app/README.md are enough: an operation and a workspace are added as they say.

recipes.py    adds Cube and Entropy to a copy of the sources (build/recipes), without most other workspaces, builds it,
              and runs their tests there, on a device too, and the checks that hold the house

The files that are added are in tests/quality/recipes/, by their paths. Besides, the recipes name a few lines of lists.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADDED = ROOT / 'tests/quality/recipes'
COPY = ROOT / 'build/recipes'
# Lines that the recipes name, by file: what each stands before.
LINES = {
    'core/operations/operation.h': [('#include "core/operations/dropout.h"', '#include "core/operations/cube.h"\n'),
                                    ('MatMul, Project', 'Cube, ')],
    'core/operations/CMakeLists.txt': [('  dropout.cpp', '  cube.cpp\n')],
    'core/reference/CMakeLists.txt': [('  dropout.cpp', '  cube.cpp\n')],
    'core/code/CMakeLists.txt': [('  eigen.cpp', '  cube.cpp\n')],
    'core/opencl/CMakeLists.txt': [('  drill.cl', '  cube.cl\n'), ('  cases/dropout.cpp', '  cases/cube.cpp\n'),
                                   ('  devices.cpp', '  cube.cpp\n')],
    'core/document/document.h': [('#include "core/graph/address.h"', '#include "core/entropy/fields.h"\n'),
                                 ('  std::vector<StageOverride> overrides', '  EntropySpec entropy = {};\n'),
                                 ('}\n\n// One layer of a document', '  visit("entropy", &Document::entropy);\n')],
    'app/workspaces/workspaces.cpp': [('Workspace cost_workspace();', 'Workspace entropy_workspace();\n'),
                                      ('cost_workspace(),', 'entropy_workspace(), ')],
}
# Nothing knows a workspace but its folders and its line in the list, but for what files with a stack are laid over: the
# copy leaves out what it can do without.
OTHERS = 'compare|efficient|gradients|heads|kernels|positions|softmax|training'
LEFT_OUT = rf'tests/quality/|app/workspaces/({OTHERS})/CMakeLists.txt'
# Of the tests those that are added, and what they include.
TESTS = '''
add_executable(recipe_tests main.cpp places.cpp app/item_log.cpp app/kept_glyphs.cpp {sources})
target_link_libraries(recipe_tests PRIVATE own_code app opencl_backend PkgConfig::ImGui doctest::doctest)
precompile(recipe_tests <doctest/doctest.h>)
compile_in_batches(recipe_tests 12)
set_source_files_properties(main.cpp places.cpp app/item_log.cpp app/kept_glyphs.cpp PROPERTIES
  SKIP_PRECOMPILE_HEADERS ON)
set_source_files_properties(places.cpp PROPERTIES COMPILE_DEFINITIONS
  "ATTENTION_LAB_SOURCE_DIR=\\"${{CMAKE_SOURCE_DIR}}\\";ATTENTION_LAB_BINARY_DIR=\\"${{CMAKE_BINARY_DIR}}\\"")
target_link_options(recipe_tests PRIVATE {options})
'''
FOLDERS = ('app', 'assets', 'core', 'shaders', 'tests')
SUFFIXES = ('.txt', '.cpp', '.h', '.cl', '.cmake', '.md', '.json', '.npz', '.frag', '.vert', '.po', '.py')


def read(path):
    """A file as text from which the same bytes can be written: of a model, which is none, too."""
    return path.read_bytes().decode(errors='surrogateescape')


def with_lines(name, text):
    if name == 'app/workspaces/workspaces.cpp':
        text = re.sub(rf'Workspace ({OTHERS})_workspace\(\);\n|\b({OTHERS})_workspace\(\),\s*', '', text)
    for before, line in LINES.get(name, ()):
        assert text.count(before) == 1, f'{name}: {before} is there {text.count(before)} times'
        text = text.replace(before, line + before)
    return text


def tests():
    sources = sorted(path.relative_to(ADDED / 'tests').as_posix() for path in (ADDED / 'tests').rglob('*.cpp'))
    options = re.findall(r'LINKER:--wrap=\w+', (ROOT / 'tests/CMakeLists.txt').read_text())
    return TESTS.format(sources=' '.join(sources), options=' '.join(options))


def wanted():
    """Every file of the copy, by its path."""
    files = {'CMakeLists.txt': (ROOT / 'CMakeLists.txt').read_text()}
    for top in (ROOT, ADDED):
        for path in (p for folder in FOLDERS for p in (top / folder).rglob('*')):
            name = path.relative_to(top).as_posix()
            if path.is_file() and path.suffix in SUFFIXES and not re.match(LEFT_OUT, name):
                files[name] = with_lines(name, read(path))
    files['tests/CMakeLists.txt'] = tests()
    return files


def write(path, text):
    """Only where it is another: what was built of it stays."""
    if path.is_file() and read(path) == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode(errors='surrogateescape'))


def main():
    files = wanted()
    for name, text in files.items():
        write(COPY / name, text)
    for path in COPY.rglob('*'):
        name = path.relative_to(COPY).as_posix()
        if path.is_file() and not name.startswith('build/') and name not in files:
            path.unlink()
    build = COPY / 'build'
    for command in (['cmake', '-S', COPY, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=None'],
                    ['ninja', '-C', build, 'recipe_tests'], [build / 'recipe_tests'],
                    *([sys.executable, '-B', ROOT / f'tests/quality/{check}.py', COPY] for check in
                      ('rooms', 'workspaces', 'operation_types', 'stage_names'))):
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(ended.stdout[-4000:] + ended.stderr[-4000:])


if __name__ == '__main__':
    main()
