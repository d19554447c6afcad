"""What is checked besides cases: of the sources, and of the program as a whole."""
import dataclasses
import shutil
import subprocess

from jobs import ROOT, Job

RELEASE = ROOT / "build/release"


@dataclasses.dataclass
class Check:
    name: str  # as tests/run takes it
    title: str
    command: list
    targets: tuple = ()  # that have to be built
    everyday: bool = False  # in tests/run without --all
    quick: bool = False  # of the sources alone, in a second
    seconds: float = 1
    about: tuple = ()  # what a change of runs it again, besides what it is made from

    def job(self):
        return Job(self.title, self.command, weight=self.seconds)


def of_sources(function):
    return ["bash", "-c", f". app/setup.sh; . tests/quality/checks.sh; check_{function}"]


def python(script, *words):
    return ["/usr/bin/python3", "-B", ROOT / "tests" / script, *words]


PROGRAM = ("attention-lab",)
CHECKS = [
    Check("window", "the program in a real window", [ROOT / "tests/app/window_test.sh", RELEASE / "attention-lab"],
          (*PROGRAM, "faulty_driver"), everyday=True, seconds=60,
          about=("tests/app/window_test.sh", "tests/app/pictures.py", "tests/opencl/faulty_driver.cpp")),
    Check("svg", "SVG pictures look like PNG ones in librsvg and Chromium",
          python("app/svg_viewers.py", RELEASE / "attention-lab"), PROGRAM, seconds=40, about=("tests/app/svg_viewers.py",)),
    Check("format", "format", of_sources("format"), quick=True),
    Check("sizes", "size limits", of_sources("sizes"), quick=True),
    Check("names", "no stage or workspace is known by its name", of_sources("stage_names"), quick=True),
    Check("operations", "no operation is known by its type", of_sources("operation_types"), quick=True),
    Check("types", "no two types bear one name", of_sources("type_names"), quick=True),
    Check("values", "no function remembers anything of its own", of_sources("values"), quick=True),
    Check("comments", "every source says what it is about", of_sources("head_comments"), quick=True),
    Check("headers", "core headers name no GUI, OpenCL or Eigen", of_sources("core_headers"), quick=True),
    Check("rooms", "rooms stand above each other", of_sources("rooms"), quick=True),
    Check("workspaces", "a workspace is its folders and its lines in two lists", of_sources("workspaces"), quick=True),
    Check("tooltips", "tooltips are wrapped in one place", of_sources("tooltips"), quick=True),
    Check("language", "what the toolkit draws is in the window's language", of_sources("language"), quick=True),
    Check("phrases", "every text of the window is in the tables of every language", of_sources("phrases"), seconds=10,
          about=("app/", "core/", "assets/languages/", "tests/quality/")),
    Check("toolkit", "one file knows the versions of the toolkit", of_sources("toolkit"), quick=True),
    Check("kernel-builtins", "kernels call no compiler's own functions", of_sources("kernel_builtins"), quick=True),
    Check("kernel-structs", "kernels write to no struct passed by value", of_sources("kernel_structs"), quick=True),
    Check("scripts", "shell scripts parse", of_sources("shell"), quick=True),
    Check("recipes", "an operation and a workspace are added by the recipes", python("quality/recipes.py"), seconds=600,
          about=("core/operations/", "core/reference/", "core/opencl/family.h", "core/document/", "app/frame/",
                 "app/workspaces/", "app/README.md", "core/README.md", "tests/quality/recipes")),
    Check("opencl-options", "no forbidden OpenCL options", of_sources("opencl_options"), PROGRAM),
    Check("hardening", "the program is hardened", of_sources("hardening"), PROGRAM),
    Check("installed", "the program as it is installed, and packages of it", python("package/installed.py", RELEASE),
          ("installed_files",), seconds=40, about=("assets/package/", "tests/package/", "app/cli/")),
    Check("disks", "no file operation that fails tears or loses anything", python("faults/operations.py", RELEASE),
          ("editor", "faults"), seconds=60, about=("tests/faults/",)),
    Check("kills", "100 kills while editing tear nothing", python("faults/kills.py", RELEASE),
          ("editor", "faults"), seconds=60, about=("tests/faults/",)),
    Check("kernels", "kernels under oclgrind", of_sources("kernels"), ("operation_cases",), seconds=240,
          about=("shaders/", "core/opencl/", "tests/bench/operation_cases.cpp")),
]


def why_not(check):
    """Why this machine cannot do a check; empty: it can."""
    if check.name == "kernels" and not shutil.which("oclgrind"):
        return "this release has no oclgrind"
    if check.name == "svg" and not shutil.which("rsvg-convert"):
        return "rsvg-convert is not installed"
    if check.name == "format":
        version = subprocess.run(["clang-format", "--version"], capture_output=True, text=True).stdout
        return "" if " version 14." in version else "this clang-format is not version 14"
    return ""
