"""What the tests of failing disks and sudden ends share: the programs, and what a folder holds afterwards."""
import json
import os
import pathlib
import subprocess


class Wrong(Exception):
    """Something was torn, lost or not said."""


def expect(holds, what):
    if not holds:
        raise Wrong(what)


def run(words, folder=None, at=0, how="once", build=None):
    """Runs a program; operation `at` on the files of `folder` fails (0: none)."""
    environment = dict(os.environ)
    if at:
        environment.update(LD_PRELOAD=str(build / "libfaults.so"), FAULT_FOLDER=str(folder), FAULT_AT=str(at),
                           FAULT_HOW=how)
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=120)


def injected(outcome):
    """The operation that failed; None when there were fewer."""
    return next((line for line in outcome.stderr.splitlines() if line.startswith("fault: ")), None)


def count_in(session):
    """The edits that a session holds. Fails when it is not whole."""
    return int(json.loads(session)["layer"]["x"][0][0])


def sessions_in(folder):
    """The count of edits in every session below a folder, by its path. Each has to be whole."""
    counts = {}
    for path in sorted(pathlib.Path(folder).rglob("*.json")):
        if path.name in ("recent.json", "settings.json"):
            json.loads(path.read_text())
            continue
        try:
            whole = json.loads(path.read_text())
            counts[str(path)] = count_in(whole["session"] if "session" in whole else path.read_text())
        except (ValueError, KeyError) as error:
            raise Wrong(f"{path} is torn: {error}") from error
    return counts


def leftovers_in(folder):
    return [str(path) for path in pathlib.Path(folder).rglob(".attention-lab-*")]
