"""What the checks of our sources share: the walk over them, their self-check and their command line."""
import pathlib
import sys


def sources(root, folders=('app', 'core')):
    """(name, text) of every source in the folders."""
    for folder in folders:
        for path in sorted(p for p in (root / folder).rglob('*') if p.suffix in ('.cpp', '.h')):
            yield path.relative_to(root).as_posix(), path.read_text()


def run(usage, search, check):
    """As FOLDER or --check on the command line asks. `search` yields (name, line number, line) of every place under a
    folder; `check` has a function that finds places in a text, texts with one and texts without."""
    if len(sys.argv) != 2:
        sys.exit(usage)
    if sys.argv[1] == '--check':
        excesses, bad, good = check()
        wrong = [t for t in bad if not list(excesses(t))] + [t for t in good if list(excesses(t))]
        lines = [f'wrong about: {text}' for text in wrong]
    else:
        lines = [f'{name}:{number}: {line}' for name, number, line in search(pathlib.Path(sys.argv[1]))]
    for line in lines:
        print(line)
    sys.exit(1 if lines else 0)
