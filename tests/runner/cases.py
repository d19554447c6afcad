"""The test executables: how their cases are run, what they said, and whether none is missing."""
import re
import subprocess

from jobs import ROOT, Job

# Suites of cases: "long" takes more than five seconds and waits for --all; in "unsanitized" no sanitizer finds anything.
NOT_EVERYDAY = {"release": "long", "dev": "long,unsanitized"}
# Where pictures are drawn, Mesa and fontconfig keep what they made until the process ends; a faulty driver is preloaded
# before the sanitizer.
NO_LEAKS = ("gui_tests", "app_tests")
# LLVM, inside PoCL, sets signal stacks of its own, which the sanitizer would take for its own when a thread ends. GCC
# 12's runtime guesses from a block's place in its page that an old C library made it (google/sanitizers issue 1322):
# thread-local variables of loaded drivers, which is what the interception is for, then crash the search for leaks.
ASAN = "use_sigaltstack=0:verify_asan_link_order=0:intercept_tls_get_addr=0"
SANITIZED = {"UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
             "LSAN_OPTIONS": f"suppressions={ROOT}/tests/quality/leaks.txt:print_suppressions=0"}
DECLARED = re.compile(r"^[ \t]*(?:TEST_CASE|TEST_CASE_FIXTURE|TEST_CASE_TEMPLATE|SCENARIO)\(", re.M)
SUMMARY = re.compile(r"^\[doctest\] test cases: *(\d+) \| *(\d+) passed \| *(\d+) failed \| *(\d+) skipped", re.M)
DURATION = re.compile(r"^([0-9.]+) s: (.*)$", re.M)
# Of processor time, optimised; sanitized two to three times as much. The longest start first.
SECONDS = {"gui_tests": 230, "app_tests": 125, "opencl_tests": 90, "io_tests": 60, "core_tests": 50, "golden_tests": 18}
LONG = {"opencl_tests": 250, "gui_tests": 110, "app_tests": 60, "core_tests": 46}
# The cases of gui_tests take as long as all others together: sanitized they are jobs of their own, by their sources.
PARTS = {("dev", "gui_tests"): 3}


def executables():
    """Those that tests/CMakeLists.txt adds."""
    return re.findall(r"^add_tests\((\w+)", (ROOT / "tests/CMakeLists.txt").read_text(), re.M)


def job(preset, name, title, *options, environment={}, weight=None):
    # Where an allocation was made is for the search for leaks; to keep it takes a quarter of the time. Three callers tell
    # whose it is.
    leaks = f"{ASAN}:" + ("detect_leaks=0:malloc_context_size=0" if name in NO_LEAKS else
                          "detect_leaks=1:malloc_context_size=3")
    return Job(title, [ROOT / "build" / preset / name, "--no-colors=true", "--duration=true", *options],
               SANITIZED | {"ASAN_OPTIONS": leaks} | environment, cases=True,
               weight=SECONDS.get(name, 10) / PARTS.get((preset, name), 1) if weight is None else weight)


def everyday(preset, name):
    """Its usual cases, as one job or several."""
    parts = PARTS.get((preset, name), 1)
    if parts == 1:
        return [job(preset, name, f"{name} ({preset})", f"--test-suite-exclude={NOT_EVERYDAY[preset]}")]
    return [job(preset, name, f"{name} ({preset}, {part + 1} of {parts})", f"--test-suite-exclude={NOT_EVERYDAY[preset]}",
                "--source-file=" + ",".join(f"*/tests/{source}" for source in sources(name)[part::parts]))
            for part in range(parts)]


def sources(name):
    """Of an executable, as the folders of tests/ list them."""
    listed = re.compile(rf"target_sources\({name} PRIVATE([^)]*)\)")
    return [f"{path.parent.name}/{source}" for path in sorted((ROOT / "tests").glob("*/CMakeLists.txt"))
            for found in listed.findall(path.read_text()) for source in found.split()]


def waiting(preset, names):
    """How many cases the usual jobs leave out."""
    listed = "".join(subprocess.run([ROOT / "build" / preset / name, "-ltc", f"--test-suite={NOT_EVERYDAY[preset]}"],
                                    stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout for name in names)
    return sum(map(int, re.findall(r"unskipped test cases passing the current filters: (\d+)", listed)))


def long_ones(name):
    return job("release", name, f"long cases of {name}", "--test-suite=long", weight=LONG.get(name, 5))


def matching(preset, name, pattern):
    return job(preset, name, f"{name} ({preset})", f"--test-case={pattern}")


class Outcome:
    """How many passed and failed. A crash without a failed case counts as one."""

    def __init__(self, job):
        found = SUMMARY.findall(job.words)
        _, self.passed, self.failed, _ = map(int, found[-1]) if found else (0, 0, 0, 0)
        if (job.status != 0 or not found) and self.failed == 0:
            self.failed = 1
        self.durations = [(float(seconds), name) for seconds, name in DURATION.findall(job.words)]
        self.words = DURATION.sub("", job.words).strip()


def missing(preset, names):
    """Sources that declare more cases than are in the executables, as sentences; and how many are declared."""
    listed = "".join(subprocess.run([ROOT / "build" / preset / name, "-ltc", "-r=xml"], stdin=subprocess.DEVNULL,
                                    capture_output=True, text=True).stdout for name in names)
    wrong, total = [], 0
    for source in sorted((ROOT / "tests").rglob("*.cpp")):
        if source.is_relative_to(ROOT / "tests/quality"):  # built and run by a check
            continue
        declared, found = len(DECLARED.findall(source.read_text())), listed.count(f'filename="{source}"')
        total += declared
        if found < declared:
            wrong.append(f"{source.relative_to(ROOT)} declares {declared} cases; {found} are in an executable")
    return wrong, total
