"""Parsers of files under libFuzzer, each for a minute: from the seeds in tests/fuzz/corpus and what earlier runs found."""
from jobs import ROOT, SLOTS, Job

FOLDER = ROOT / "build/fuzz"
SECONDS = 60
# More memory than any file of theirs may take, and a time that only a parser takes that does not end.
LIMITS = ["-rss_limit_mb=2048", "-malloc_limit_mb=1024", "-timeout=10", "-max_len=65536"]
WATCHED = {"ASAN_OPTIONS": "allocator_may_return_null=1:detect_leaks=1", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}


def parsers():
    return sorted(source.name.removesuffix("_fuzz.cpp") for source in (ROOT / "tests/fuzz").glob("*_fuzz.cpp"))


def seconds_each(minutes):
    """A minute, or less where that would be more than half of the time that there is."""
    return max(1, min(SECONDS, 60 * minutes * SLOTS // 2 // len(parsers())))


def job(name, seconds):
    found, failing = FOLDER / "corpus" / name, FOLDER / "failing"
    for folder in (found, failing):
        folder.mkdir(parents=True, exist_ok=True)
    # What is new goes to the first folder; an input that ends the parser is named in the last lines that it prints.
    return Job(f"{name} fuzzed for {seconds} s", [FOLDER / f"{name}_fuzz", f"-max_total_time={seconds}", *LIMITS,
               "-verbosity=0", f"-artifact_prefix={failing}/{name}-", found, ROOT / "tests/fuzz/corpus" / name],
               WATCHED, weight=seconds)


def jobs(minutes):
    seconds = seconds_each(minutes)
    return [job(name, seconds) for name in parsers()]
