"""The program as it is installed: it runs from its prefix with the sources out of sight, what comes with it is valid and
says what --help does, and its packages are the same twice, right and at home anywhere.
  installed.py BUILD    a build folder with the target installed_files; python3 -B"""
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "assets/package"
ID = "io.github.attention_lab.attention_lab"
wrong = []


def check(good, sentence):
    if not good:
        wrong.append(sentence)
        print(f"wrong: {sentence}")


def run(*words, **more):
    return subprocess.run([str(word) for word in words], stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def succeeds(what, *words, silent=False, **more):
    """Runs it; returns what it prints."""
    result = run(*words, **more)
    check(result.returncode == 0 and not (silent and (result.stdout or result.stderr)),
          f"{what}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def out_of_sight(command):
    """The command where the sources and the build are empty folders, if this system lets us."""
    hidden = [ROOT / name for name in ("app", "assets", "core", "shaders", "tests", "build/release")]
    hide = " && ".join(f'mount -t tmpfs none "{folder}"' for folder in hidden)
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", f'{hide} && exec "$@"', "-"]
    if run(*words, "true").returncode == 0:
        return [*words, *command]
    print("note: this system lets nobody hide the sources; the program could read them")
    return command


def at_work(program, folder, what):
    """It computes, draws and measures with nothing of the build around it."""
    folder.mkdir()  # but what is known of devices, and kernels that were compiled, are kept for the next run
    home = os.environ | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    home.pop("ATTENTION_LAB_PROBE", None)
    if home.get("OCL_ICD_VENDORS", "").startswith(str(ROOT)):
        home["OCL_ICD_VENDORS"] = str(shutil.copytree(home["OCL_ICD_VENDORS"], folder / "drivers"))

    def lab(*words):
        return succeeds(f"{what}: {' '.join(words)}", *out_of_sight([program, *words]), cwd=folder, env=home)
    check("weights" in lab("trace", "three-tokens"), f"{what}: trace prints no weights")
    check('"passed": true' in lab("devices", "--json"), f"{what}: no device passes")
    lab("render", "eight-heads", "--device", "reference", "--workspace", "heads", "-o", "heads.png")
    check((folder / "heads.png").read_bytes()[:4] == b"\x89PNG", f"{what}: render draws no picture")
    measured = lab("bench", "attention", "--quick", "--n", "16", "--json")
    check(re.search(r'"eigen_ms": *[0-9]', measured), f"{what}: bench attention lacks Eigen's times")


def listed_options(program, command):
    """The long options that --help lists, by a way of our own."""
    text = run(program, *command, "--help").stdout
    return set(re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)", text, re.M))


def commands_of(program):
    listed = run(program, "--help").stdout.split("Subcommands:")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z]+)", listed, re.M)


def completed(script, folder, *words):
    """What bash offers for the last word."""
    line = " ".join(f"'{word}'" for word in ("attention-lab", *words))
    text = f'source "{script}"; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _attention_lab; printf "%s\\n" "${{COMPREPLY[@]}}"'
    return set(succeeds("completion", "bash", "-c", text, cwd=folder).split())


def check_completion(program, script, folder):
    folder.mkdir()
    (folder / "mine.npz").touch()
    check(not os.access(script, os.X_OK), "the completion is executable")
    commands = commands_of(program)
    check(len(commands) > 5 and set(commands) <= completed(script, folder, ""), "completion lacks a command")
    for command in [[], *([name] for name in commands)]:
        missing = listed_options(program, command) - completed(script, folder, *command, "--")
        check(not missing, f"completion of {command} lacks {missing}")
    for words, offered in [(("trace", "three"), {"three-tokens"}), (("trace", "min"), {"mine.npz"}),
                           (("trace", "--mechanism", ""), {"full", "flash", "linear"}),
                           (("trace", "--workspace", "gr"), {"gradients"}), (("train", "da"), {"dates"}),
                           (("bench", "atten"), {"attention"}), (("render", "--theme", "l"), {"light"}),
                           (("check", "--batch", ""), set()), (("dev",), {"devices"}), (("pro",), set())]:
        found = completed(script, folder, *words)
        check(found == offered, f"completion of {words} offers {found}")


def check_man(program, page):
    if shutil.which("man"):
        for locale in ("C.UTF-8", "C"):
            result = run("man", "--warnings", "-l", page, env=os.environ | {"LC_ALL": locale, "MANWIDTH": "80"})
            check(result.returncode == 0 and not result.stderr, f"man: {result.stderr}")
    text = gzip.decompress(page.read_bytes()).decode().replace("\\-", "-")
    check("attention-lab - laboratory for attention" in text, "the manual page has no NAME")
    for command in commands_of(program):
        check(f".SS {command}\n" in text, f"the manual page lacks {command}")
        for option in listed_options(program, [command]):
            check(f"\\fB{option}\\fR" in text, f"the manual page lacks {option} of {command}")


def check_files(program, share, folder):
    """Those of desktops."""
    if shutil.which("desktop-file-validate"):
        succeeds("desktop entry", "desktop-file-validate", share / "applications/attention-lab.desktop", silent=True)
    metainfo = share / f"metainfo/{ID}.metainfo.xml"
    if shutil.which("appstreamcli"):
        succeeds("metainfo", "appstreamcli", "validate", "--no-net", "--pedantic", metainfo)
    if shutil.which("update-mime-database"):
        shutil.copytree(share / "mime", folder)
        succeeds("types of files", "update-mime-database", folder, silent=True,
                 env=os.environ | {"XDG_DATA_DIRS": str(folder.parent)})
        for pattern in ("*.attention.json", "*.lesson.md", "*.npz", "*.npy", "*.safetensors"):
            check(pattern in (folder / "globs2").read_text(), f"no type for {pattern}")
        check(b"\x93NUMPY" in (folder / "magic").read_bytes(), "no .npy is known by its content")
    entry = (share / "applications/attention-lab.desktop").read_text()
    types = set(re.findall(r"^MimeType=(.*);$", entry, re.M)[0].split(";"))
    declared = set(re.findall(r'<mime-type type="([^"]+)"', (share / "mime/packages/attention-lab.xml").read_text()))
    check(types == declared == set(re.findall("<mediatype>(.*)</mediatype>", metainfo.read_text())),
          "desktop entry, metainfo and types disagree")
    window = (ROOT / "app/host/window_class.h").read_text()
    wanted = re.findall("^StartupWMClass=(.*)$", entry, re.M)[0]
    check(f'kWindowClass = "{wanted}"' in window, "the window has another class than the desktop entry says")


def check_version(program, folder):
    """The newest entry of the changelog, the metainfo, the project and the program agree; tags come first."""
    project = re.findall(r"project\(attention-lab VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[0]
    newest = (PACKAGE / "changelog").read_text().split("\n")[0]
    check(newest.startswith(f"attention-lab ({project}) "), f"the changelog begins with {newest}, the project is {project}")
    check(f'<release version="{project}"' in (PACKAGE / f"{ID}.metainfo.xml").read_text(), "the metainfo has another release")
    folder.mkdir()
    git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org"]

    def version():
        run("cmake", f"-DSOURCE={folder}", "-DOTHERWISE=7.8", f"-DOUT={folder}/version", "-P", PACKAGE / "version.cmake")
        return re.findall('return "(.*)"', (folder / "version").read_text())[0]
    check(version() == "7.8", "without a repository the version is not the project's")
    run(*git, "init")
    for tag, pattern in [(None, r"7\.8"), ("v1.2.0-rc1", r"1\.2\.0~rc1"), ("v1.2.0", r"1\.2\.0"), (None, r"1\.2\.0\+1\.g[0-9a-f]{8,}")]:
        run(*git, "commit", "--allow-empty", "-m", "more")
        if tag:
            run(*git, "tag", tag)
        check(re.fullmatch(pattern, version()), f"at the tag {tag} the version is {version()}")
    return run(program, "--version").stdout.split()[1]


def packed(build, folder):
    result = run("cpack", "--config", build / "CPackConfig.cmake", "-B", folder)
    check(result.returncode == 0, f"cpack: {result.stdout}{result.stderr}")
    return {path.name: path for path in folder.iterdir() if path.is_file()}


def check_deb(deb, version):
    fields = succeeds("dpkg-deb", "dpkg-deb", "-f", deb)
    for line in (f"Version: {version}", "Package: attention-lab", "Recommends: pocl-opencl-icd | opencl-icd"):
        check(line in fields, f"the .deb says no {line}")
    for name in ("libc6", "libglfw3", "ocl-icd-libopencl1"):
        check(name in re.findall("^Depends: (.*)$", fields, re.M)[0], f"the .deb does not depend on {name}")
    if shutil.which("lintian"):
        said = run("lintian", "--allow-root", "--no-cfg", "--pedantic", "--fail-on", "error,warning", deb)
        check(said.returncode == 0, f"lintian: {said.stdout}{said.stderr}")


def check_packages(build, scratch, version):
    # The second where files are listed in another order.
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as elsewhere:
        first, second = packed(build, scratch / "first"), packed(build, pathlib.Path(elsewhere))
        compare_packages(first, second)
    for name, path in first.items():
        if name.endswith(".deb"):
            check_deb(path, version)
        else:
            succeeds("tar", "tar", "-xzf", path, "-C", scratch)
            (scratch / name.removesuffix(".tar.gz")).rename(scratch / "moved away")


def compare_packages(first, second):
    check(len(first) == 2 and first.keys() == second.keys(), f"packages: {list(first)}, {list(second)}")
    for name in first:
        digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in (first[name], second[name])}
        check(len(digests) == 1, f"{name} is not the same twice")


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory(prefix="attention lab ") as place:
        scratch = pathlib.Path(place)
        succeeds("installing", "cmake", "--install", build, "--prefix", "/usr", env=os.environ | {"DESTDIR": str(scratch / "root")})
        usr = scratch / "root/usr"
        program, share = usr / "bin/attention-lab", usr / "share"
        version = check_version(program, scratch / "tags")
        at_work(program, scratch / "home", "installed")
        check_completion(program, share / "bash-completion/completions/attention-lab", scratch / "here")
        check_man(program, share / "man/man1/attention-lab.1.gz")
        check_files(program, share, scratch / "mime")
        check_packages(build, scratch, version)
        if (scratch / "moved away").is_dir():
            at_work(scratch / "moved away/bin/attention-lab", scratch / "other home", "unpacked elsewhere")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
