"""Parsers under libFuzzer, then random documents and hands with seeds that nobody has seen, until the time is up."""
import random
import re
import time

import cases
import fuzz
from jobs import ROOT, SLOTS

SEEDED = re.compile(r'^#include "tests/seed\.h"$', re.M)


def seeded_sources(name):
    """Of an executable, the sources whose cases take their seeds from tests/seed.h."""
    return [source for source in cases.sources(name) if SEEDED.search((ROOT / "tests" / source).read_text())]


def soak(run, minutes):
    sources = {name: seeded_sources(name) for name in cases.executables()}
    names = [name for name in sources if sources[name]]
    run.build("fuzz", {"fuzzers"})
    run.build("release", set(names))
    end, chance = time.monotonic() + 60 * minutes, random.SystemRandom()
    run.run(fuzz.jobs(minutes))
    # 100 000 events take minutes; a short soak plays more hands, and shorter ones.
    quick = ["--test-suite-exclude=long"] if minutes < 10 else []
    while time.monotonic() < end and not run.failed:
        jobs = []
        for seed in [chance.randrange(1, 2**31) for _ in range(SLOTS)]:
            for name in names:
                files = ",".join(f"*{source}" for source in sources[name])
                jobs.append(cases.job("release", name, f"ATTENTION_LAB_SEED={seed} build/release/{name} --source-file='{files}'",
                                      f"--source-file={files}", *quick, environment={"ATTENTION_LAB_SEED": str(seed)}))
        if run.run(jobs) == 0:
            run.count(False, "no case takes its seed from tests/seed.h")
