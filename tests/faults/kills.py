"""A window is killed a hundred times while it edits, every second time in the middle of a file operation, the others
whenever it comes: nothing is torn, and what it had told to be on the disk is there at the next start.

    kills.py BUILD
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile

from folder import Wrong, expect, leftovers_in, run, sessions_in

build = pathlib.Path(sys.argv[1]).resolve()
KILLS, PERIOD = 100, "3"  # milliseconds between two recoveries, so that many kills meet one
chance = random.Random(8)


def killed_at_a_line(folder):
    """Killed when it has said so many lines; it goes on meanwhile, so that may be anywhere."""
    editor = subprocess.Popen([str(build / "editor"), str(folder), "1000000", PERIOD], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True)
    lines = []
    for _ in range(chance.randint(1, 120)):
        lines.append(editor.stdout.readline())
    editor.send_signal(signal.SIGKILL)
    lines += editor.stdout.readlines()
    editor.stderr.read()
    expect(editor.wait() == -signal.SIGKILL, f"it ended by itself: {editor.returncode}, {lines[-3:]}")
    return [line.strip() for line in lines if line.endswith("\n")]


def killed_at_an_operation(folder):
    outcome = run([str(build / "editor"), str(folder), "1000000", PERIOD], folder, chance.randint(1, 150), "kill",
                  build)
    expect(outcome.returncode == -signal.SIGKILL, f"it ended by itself: {outcome.returncode}, {outcome.stderr}")
    return outcome.stdout.splitlines()


def number_of(lines, word):
    """The last number that was said behind a word."""
    return next((int(line.split()[1]) for line in reversed(lines) if line.startswith(word + " ")), None)


class Expected:
    """What the folder has to hold, from what was said."""

    def __init__(self):
        self.kept, self.last, self.session = None, None, {None}

    def hear(self, lines):
        opened = next((line for line in lines if line.startswith("opened ")), None)
        if opened is None:
            return
        words = opened.split(maxsplit=2)
        if self.kept is not None:
            expect(self.kept <= int(words[1]) <= self.last, f"{opened}; {self.kept} was on the disk, of {self.last}")
        expect(len(words) < 3, f"the start says: {words[2:]}")
        self.last = number_of(lines, "edit") or int(words[1])
        self.kept = number_of(lines, "kept") or (int(words[1]) if self.kept is not None else None)
        saving, saved = number_of(lines, "saving"), number_of(lines, "saved")
        if saved is not None:
            self.session = {saved}
        if saving is not None and saving != saved:
            self.session = self.session | {saving}

    def check(self, folder):
        counts = sessions_in(folder)
        session = counts.pop(str(folder / "mine.json"), None)
        expect(session in self.session, f"the session holds {session}, not one of {self.session}")
        self.session = {session}
        # What was saved, and killed before the recovery knew of it, is opened from the session.
        held = [*counts.values(), *([session] if session is not None else [])]
        if self.kept is not None:
            expect(any(self.kept <= count <= self.last for count in held),
                   f"{self.kept} of {self.last} was on the disk; now there is {counts}, in the session {session}")


folder = pathlib.Path(tempfile.mkdtemp(prefix="attention-lab-kills-"))
try:
    expected, left = Expected(), 0
    for kill in range(KILLS):
        lines = killed_at_an_operation(folder) if kill % 2 else killed_at_a_line(folder)
        expected.hear(lines)
        expected.check(folder)
        left += len(leftovers_in(folder)) > 0
    outcome = run([str(build / "editor"), str(folder), "7", PERIOD])
    expect(outcome.returncode == 0 and outcome.stdout.splitlines()[-1] == "closed", "it cannot be closed any more")
    expect(not leftovers_in(folder), f"not swept: {leftovers_in(folder)}")
    expect(left > 0, "no kill met a write: the test has lost its point")
    print(f"{KILLS} kills, {left} of them while a file was written; {expected.last} edits")
except Wrong as wrong:
    sys.exit(f"kills.py: {wrong}")
finally:
    shutil.rmtree(folder, ignore_errors=True)
