"""What a change reaches, by the build's own records: which executables read a file, and which checks are about it."""
import os
import re
import subprocess

from cases import executables
from checks import CHECKS
from jobs import ROOT

FOLDER = ROOT / "build/release"
# Changes of these reach everything.
EVERYWHERE = re.compile(r"(^|/)CMakeLists\.txt$|\.cmake$|^CMakePresets\.json$|^app/(packages|setup\.sh)$|^tests/(run$|runner/)")


def changed_since(revision):
    """Paths of what differs from a revision, new files too."""
    def lines(*words):
        return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted({*lines("diff", "--name-only", revision), *lines("ls-files", "--others", "--exclude-standard")})


def ninja(*words):
    return subprocess.run(["ninja", "-C", FOLDER, *words], check=True, capture_output=True, text=True).stdout


def of_ours(path):
    """A path as the build has it, from the source tree; None where it is not of it."""
    whole = os.path.normpath(FOLDER / path)
    return whole[len(f"{ROOT}/"):] if whole.startswith(f"{ROOT}/") else None


def records():
    """What each object read when it was compiled, as paths from the source tree."""
    read, name = {}, None
    for line in ninja("-t", "deps").splitlines():
        if line and not line.startswith(" "):
            name = line.split(":")[0]
            read[name] = set()
        elif line:
            read[name].add(of_ours(line.strip()))
    return read


def files_behind(executable, read):
    """All files of the source tree that it is made from; None where something of it was never compiled."""
    files = set()
    for made_from in ninja("-t", "inputs", executable).splitlines():
        files.add(of_ours(made_from))
        if made_from.endswith((".o", ".gch")):
            if made_from not in read:
                return None
            files |= read[made_from]
    return files


def used_at_run_time(name, files):
    """Whether an executable may read one of these files itself: scripts and data beside its sources."""
    folders = {"gui_tests": ("tests/app/",), "app_tests": ("tests/app/",), "core_tests": ("tests/core/",),
               "io_tests": ("tests/io/", "core/io/"), "golden_tests": ("tests/oracles/",), "opencl_tests": ("tests/opencl/",)}
    # Which marks the program shows is read from its sources.
    if name == "gui_tests" and any(file.startswith(("app/", "core/")) for file in files):
        return True
    return any(file.startswith(folders.get(name, ("tests/",))) and not file.endswith((".cpp", ".h", ".sh")) for file in files)


def reached(changed):
    """The names of the executables and the checks that these files reach."""
    def are_about(check):
        return any(file.startswith(check.about) for file in changed)
    everything = executables(), [check for check in CHECKS if check.everyday or check.quick or are_about(check)]
    if any(EVERYWHERE.search(file) for file in changed):
        return everything
    read, behind = records(), set()
    names, program = [], False
    for name in [*executables(), "attention-lab"]:
        files = files_behind(name, read)
        behind |= files or set()
        if files is None or files & set(changed) or used_at_run_time(name, changed):
            if name == "attention-lab":
                program = True
            else:
                names.append(name)
    # A source that nothing is made from is new to the build, or its records are not what they were taken for.
    if any(re.match(r"(app|core|shaders|tests)/.*\.(cpp|h|cl|frag|vert)$", file) and file not in behind for file in changed):
        return everything
    return names, [check for check in CHECKS if check.quick or check.everyday and program or are_about(check)]
