"""Commands side by side, each with its words, its end and its time."""
import dataclasses
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLOTS = max(2, os.cpu_count() or 1)
# Tests leave the user's own folders alone; kernels compiled once stay for the next run. Of the OpenCL drivers that are
# installed they meet PoCL alone, or those of a folder that OCL_ICD_VENDORS names.
SURROUNDINGS = {"XDG_CACHE_HOME": str(ROOT / "build/test-cache"),
                "OCL_ICD_VENDORS": os.environ.get("OCL_ICD_VENDORS", str(ROOT / "build/release/drivers"))}
LIMIT = 1800  # seconds


@dataclasses.dataclass
class Job:
    title: str
    command: list
    environment: dict = dataclasses.field(default_factory=dict)
    cases: bool = False  # of doctest, rather than one thing that passes or fails
    weight: float = 0  # seconds that it took here: the longest start first
    status: int = -1
    words: str = ""
    wall: float = 0
    processor: float = 0


running = set()  # process groups


def end_all():
    for group in list(running):
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass


def run(job):
    """Runs it to its end, at most LIMIT seconds; what it leaves running ends with it."""
    begun = time.monotonic()
    (ROOT / "build/test-cache").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile() as words:
        child = subprocess.Popen([str(word) for word in job.command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=words,
                                 stderr=subprocess.STDOUT, env=os.environ | SURROUNDINGS | job.environment, start_new_session=True)
        running.add(child.pid)
        late = threading.Timer(LIMIT, os.killpg, (child.pid, signal.SIGKILL))
        late.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        finally:
            late.cancel()
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            running.discard(child.pid)
        child.returncode = job.status = os.waitstatus_to_exitcode(status)
        words.seek(0)
        job.words = words.read().decode(errors="replace")
    job.wall, job.processor = time.monotonic() - begun, usage.ru_utime + usage.ru_stime
    return job


def run_all(jobs, ended):
    """Runs them, the longest first, SLOTS at a time; ended(job) is called as each ends, one at a time."""
    waiting, lock = sorted(jobs, key=lambda job: -job.weight), threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                job = waiting.pop(0)
            try:
                run(job)
            except Exception as why:  # no memory, no disk, no such program: a job that could not be run has failed
                job.status, job.words = -1, f"it could not be run: {why}"
            with lock:
                ended(job)

    workers = [threading.Thread(target=work, daemon=True) for _ in range(SLOTS)]
    for worker in workers:
        worker.start()
    try:
        for worker in workers:
            worker.join()
    except BaseException:  # Ctrl+C, or a time limit from outside: nothing runs on
        waiting.clear()
        end_all()
        raise
