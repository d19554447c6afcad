"""Every file operation of trace -o, render -o, a save and the recovery fails once, and from then on: nothing is torn,
the old file stays, the message says so, no work is lost that is not asked for.

    operations.py BUILD
"""
import itertools
import pathlib
import shutil
import sys
import tempfile

from folder import Wrong, count_in, expect, injected, leftovers_in, run, sessions_in

build = pathlib.Path(sys.argv[1]).resolve()
MOST = 400  # operations of one command; more are a loop


def each_fault(how):
    """Numbers operations until the body says that there are no more."""
    for number in itertools.count(1):
        expect(number < MOST, "there is no end to the operations")
        yield number, how


def command_survives(scratch, command, name, how, old):
    """A command that writes one file. Returns how many operations it has."""
    folder = scratch / "out"
    lab = str(build / "attention-lab")
    words = [lab, command, "three-tokens", "--device", "reference", "-o", str(folder / name)]
    words += ["--size", "320x200"] if command == "render" else []
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    expect(run(words).returncode == 0, f"{command} fails without a fault")
    whole = (folder / name).read_bytes()
    for number, _ in each_fault(how):
        (folder / name).unlink(missing_ok=True)
        if old:
            (folder / name).write_bytes(b"the old one")
        outcome = run(words, folder, number, how, build)
        fault = injected(outcome)
        where = f"{command}, {fault}, {how}: "
        found = (folder / name).read_bytes() if (folder / name).exists() else None
        expect(sorted(p.name for p in folder.iterdir()) == ([name] if found is not None else []),
               where + "something is left behind")
        if outcome.returncode == 0:
            expect(found == whole, where + "it says that all is well, and the file is another")
        else:
            expect(outcome.returncode == 5, where + f"status {outcome.returncode}: {outcome.stderr}")
            expect(found == (b"the old one" if old else None), where + "the old file is touched")
            expect(f"cannot write {folder / name}" in outcome.stderr, where + "the message is " + outcome.stderr)
        if fault is None:
            return number - 1


def prepare(scratch):
    """A folder in which a window ended with unsaved work of a saved session."""
    folder = scratch / "window"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(scratch / "before", folder)
    return folder


def make_before(scratch):
    """Counts 1 to 50, saved, and on to 100."""
    before = scratch / "before"
    before.mkdir()
    for _ in range(2):
        run([str(build / "editor"), str(before), "49", "0"])
    for path in before.rglob("recovery.json"):
        text = path.read_text().replace(str(before), str(scratch / "window"))
        path.write_text(text)


def window_survives(scratch, how):
    """Opening what was left, editing, saving and closing."""
    for number, _ in each_fault(how):
        folder = prepare(scratch)
        outcome = run([str(build / "editor"), str(folder), "10", "0"], folder, number, how, build)
        fault = injected(outcome)
        where = f"window, {fault}, {how}: "
        said = outcome.stdout.splitlines()
        expect(outcome.returncode == 0, where + f"status {outcome.returncode}: {outcome.stderr}")
        counts = sessions_in(folder)
        expect(not leftovers_in(folder), where + "something is left behind")
        last = max(int(line.split()[1]) for line in said if line.startswith("edit "))
        saved = [int(line.split()[1]) for line in said if line.startswith("saved ")]
        asked = said[-1].startswith("asked ")
        expect(max(counts.values()) >= OLD, where + f"the work that was found is lost: {counts}")
        expect(asked or last in counts.values(), where + f"{last} is nowhere, and nothing is asked: {counts}")
        session = counts[str(folder / "mine.json")]
        expect(session in saved + [SESSION], where + f"the session holds {session}; saved were {saved}")
        expect(not saved or session == saved[-1], where + "what was saved is not in the file")
        expect(saved or any(line.startswith("failed cannot write") for line in said), where + "it does not say why")
        if fault is None:
            return number - 1


scratch = pathlib.Path(tempfile.mkdtemp(prefix="attention-lab-faults-"))
try:
    done = []
    for how, old in (("once", True), ("on", False)):
        done.append(("trace", command_survives(scratch, "trace", "out.npz", how, old)))
        done.append(("render", command_survives(scratch, "render", "out.png", how, old)))
    make_before(scratch)
    found = sessions_in(scratch / "before")
    OLD, SESSION = max(found.values()), found[str(scratch / "before" / "mine.json")]
    for how in ("once", "on"):
        done.append(("window", window_survives(scratch, how)))
    expect(all(count >= 5 for _, count in done), f"the faults are not where the writing is: {done}")
    print(", ".join(f"{name}: {count} operations" for name, count in done))
except Wrong as wrong:
    sys.exit(f"operations.py: {wrong}")
finally:
    shutil.rmtree(scratch, ignore_errors=True)
