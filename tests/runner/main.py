"""tests/run NAME… | --changed [REV] | --all | --filter PATTERN | --soak MINUTES | --list

  tests/run                  every test but the long ones, on the optimised build
  tests/run NAME…            these executables or checks alone (--list names them), long cases of them with --all
  tests/run --changed [REV]  what a change since REV (HEAD where none is given) reaches, with format and size limits
  tests/run --all            all there is: long cases, sanitizers, kernels under oclgrind, failing disks, every check
  tests/run --filter PATTERN only cases whose name matches (doctest: *mask*), long ones too
  tests/run --soak MINUTES   fuzzed files, then random documents and hands with new seeds; says the file or the seed of what failed

The last line is "N passed, N failed"; the exit status is 0 only when none failed."""
import argparse
import resource
import signal
import subprocess
import sys
import time

import cases
from checks import CHECKS, why_not
from jobs import ROOT, run_all
from reached import changed_since, reached
from soak import soak

STAMP = ROOT / "build/passed"


class Run:
    """What is counted on the way, and told at the end."""

    def __init__(self):
        self.passed = self.failed = self.not_here = 0
        self.parts, self.durations, self.begun = [], [], time.monotonic()

    def build(self, preset, targets):
        if not targets:
            return
        begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
        status = subprocess.run(["bash", "-c", '. app/setup.sh; build_with_tests "$@"', "-", preset, *sorted(targets)],
                                cwd=ROOT).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.parts.append((time.monotonic() - begun, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                           f"building ({preset})"))
        if status != 0:
            sys.exit(1)

    def run(self, jobs):
        """Returns how many cases ran."""
        ran = 0

        def ended(job):
            nonlocal ran
            self.parts.append((job.wall, job.processor, job.title))
            if job.cases:
                outcome = cases.Outcome(job)
                self.passed += outcome.passed
                self.failed += outcome.failed
                self.durations += [(seconds, f"{name} ({job.title})") for seconds, name in outcome.durations]
                ran += outcome.passed + outcome.failed
                failed, words = outcome.failed, outcome.words
                said = f"{outcome.passed} cases" if not failed else f"exit status {job.status}"
            else:
                failed, words, said = job.status != 0, job.words, ""
                self.count(not failed)
            if failed:
                print(words)
            print(f"{'FAILED' if failed else 'passed'}: {job.title}{said and ': ' + said}", flush=True)

        run_all(jobs, ended)
        return ran

    def count(self, good, sentence=""):
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        if sentence:
            print(f"{'passed' if good else 'FAILED'}: {sentence}", flush=True)

    def compare_with_declared(self, preset, ran, waiting):
        """Fewer cases than the sources declare: an executable, or a source that no executable is built from, is missing."""
        wrong, total = cases.missing(preset, cases.executables())
        good = not wrong and ran > 0 and ran + waiting >= total
        if not good:
            print("\n".join([*wrong, f"{ran} cases ran, {waiting} wait for --all, {total} are declared"]))
        self.count(good, f"every declared case ran ({preset})" if not waiting else
                   f"every declared case ran ({preset}) but {waiting}")

    def report(self):
        print("\n      wall processor  seconds")
        for wall, processor, title in sorted(self.parts, reverse=True):
            print(f"{wall:10.1f} {processor:9.1f}  {title}")
        print(f"{time.monotonic() - self.begun:10.1f} {sum(part[1] for part in self.parts):9.1f}  in all")
        if self.durations:
            print("\n   seconds  the ten slowest cases")
        for seconds, name in sorted(self.durations, reverse=True)[:10]:
            print(f"{seconds:10.1f}  {name}")


def checks_here(run, checks):
    for check in checks:
        if why_not(check):
            run.not_here += 1
            print(f"not here: {check.title}: {why_not(check)}")
    return [check.job() for check in checks if not why_not(check)]


def targets_of(names, checks):
    return {*names, *(target for check in checks for target in check.targets)}


def run_some(run, names, checks, thorough):
    """Executables and checks, on the optimised build; with `thorough` long cases too, and sanitized."""
    complete = set(names) == set(cases.executables())
    run.build("release", targets_of(names, checks))
    jobs = [job for name in names for job in cases.everyday("release", name)] + checks_here(run, checks)
    if thorough:
        jobs += [cases.long_ones(name) for name in names]
    ran = run.run(jobs)
    if complete:
        run.compare_with_declared("release", ran, 0 if thorough else cases.waiting("release", names))
    if thorough and names:
        run.build("dev", set(names))
        ran = run.run([job for name in names for job in cases.everyday("dev", name)])
        if complete:
            run.compare_with_declared("dev", ran, cases.waiting("dev", names))


def run_matching(run, names, pattern, thorough):
    for preset in ["release", "dev"] if thorough else ["release"]:
        run.build(preset, set(names))
        if run.run([cases.matching(preset, name, pattern) for name in names]) == 0:
            run.count(False, f"no case matches {pattern}")


def state():
    """The commit, and whether anything differs from it."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return git("rev-parse", "HEAD"), git("status", "--porcelain")


def words():
    parser = argparse.ArgumentParser(prog="tests/run", usage=__doc__, add_help=True)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--changed", nargs="?", const="HEAD")
    parser.add_argument("--filter")
    parser.add_argument("--soak", type=int, metavar="MINUTES")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args()
    ways = [way for way in ("all", "changed", "soak") if getattr(asked, way) not in (None, False)]
    if len(ways) > 1 or asked.names and ways not in ([], ["all"]) or asked.filter is not None and ways not in ([], ["all"]):
        parser.error("one of --all, --changed and --soak at a time; names and --filter go with --all or alone")
    if asked.filter == "" or asked.changed == "":
        parser.error("the pattern or the revision is empty")
    if asked.soak is not None and asked.soak < 1:
        parser.error("--soak takes a number of minutes, from 1 on")
    for name in asked.names:
        if name not in [*cases.executables(), *(check.name for check in CHECKS)]:
            parser.error(f'"{name}" is neither an executable nor a check: --list names them')
    return asked


def main():
    asked = words()
    names = [name for name in cases.executables() if not asked.names or name in asked.names]
    checks = [check for check in CHECKS if check.name in asked.names or
              not asked.names and (asked.all or check.everyday)]
    if asked.list:
        print("\n".join([*cases.executables(), *(f"{check.name:16}{check.title}" for check in CHECKS)]))
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run, before = Run(), state()
    STAMP.unlink(missing_ok=True)
    complete = False
    try:
        if asked.soak:
            soak(run, asked.soak)
        elif asked.filter:
            run_matching(run, names, asked.filter, asked.all)
        elif asked.changed:
            run.build("release", {"build.ninja"})
            names, checks = reached(changed_since(asked.changed))
            run_some(run, names, checks, False)
        else:
            run_some(run, names, checks, asked.all)
        complete = True
    finally:
        run.failed += not complete
        run.report()
        everything = asked.all and not asked.names and not asked.filter
        if everything and run.failed == 0 and before == state() and before[0] and not before[1]:
            STAMP.write_text(before[0] + "\n")
        not_here = f", {run.not_here} skipped" if run.not_here else ""
        print(f"{run.passed} passed, {run.failed} failed{not_here}", flush=True)
    return run.failed != 0 or run.passed == 0


if __name__ == "__main__":
    sys.exit(main())
