"""Whether SVG pictures look like PNG ones wherever they are opened: svg_viewers.py PROGRAM

Each is drawn by librsvg and, where it is installed, by headless Chromium, and held against the PNG of the same part of
the window: outside of letters, which every viewer draws in its own way, nearly no pixel may differ; letters stand where
they are on screen. Prints what differs. Animations are read by Pillow."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import numpy as np
from PIL import Image, ImageFilter

SEEN = 48  # of 255: a difference that a person sees
MOST_SEEN = 0.002  # share of the pixels outside of letters
MOST_OF_LETTERS = 40  # mean difference of the pixels of letters: those of others are about 90
PICTURES = {
    "window": ["--pin", "scores:0,3,0"],
    "matrix": ["--matrix", "weights", "--theme", "light"],
    "large": ["--matrix", "encoding", "--workspace", "positions"],
    "plot": ["--workspace", "cost", "--plot", "time", "--theme", "light"],
    "panel": ["--panel", "inspector", "--pin", "scores:0,3,0", "--scale", "1.5"],
    "kernels": ["--workspace", "kernels"],
}
BROWSED = ("window", "plot")  # a start of Chromium takes seconds


def colours(path, box):
    return np.asarray(Image.open(path).convert("RGB").crop(box), np.int16)


def by_librsvg(svg, png, width, height):
    subprocess.run(["rsvg-convert", "-w", str(width), "-h", str(height), "-o", png, svg], check=True)


def by_chromium(svg, png, width, height):
    page = svg.with_suffix(".html")
    size = f"display:block;width:{width}px;height:{height}px"
    page.write_text(f'<body style="margin:0"><img src="{svg.as_uri()}" style="{size}">')
    subprocess.run([shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                    f"--user-data-dir={svg.parent}/chromium", f"--screenshot={png}",
                    f"--window-size={max(width, 500)},{max(height, 300)}", page.as_uri()],
                   check=True, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def without_words(svg):
    bare = svg.with_name("bare-" + svg.name)
    bare.write_text(re.sub(r"<text .*?</text>", "", svg.read_text()))
    return bare


def compare(name, viewer, draw, svg, png):
    with Image.open(png) as picture:
        width, height = picture.size
    box = (0, 0, width, height)
    drawn = []
    for source in (svg, without_words(svg)):
        target = source.with_suffix(f".{viewer}.png")
        draw(source, target, width, height)
        drawn.append(colours(target, box))
    letters = (drawn[0] != drawn[1]).any(axis=2)
    near = np.asarray(Image.fromarray(letters).convert("L").filter(ImageFilter.MaxFilter(7))) > 0
    difference = np.abs(drawn[0] - colours(png, box)).max(axis=2)
    outside, inside = (difference[~near] > SEEN).mean(), difference[letters].mean()
    print(f"{name}, {viewer}: {outside:.4%} of the pixels outside of letters differ, letters by {inside:.0f} on average; "
          f"{(difference > SEEN).mean():.2%} of all differ")
    assert letters.any() and outside <= MOST_SEEN and inside <= MOST_OF_LETTERS, f"{name} is another picture by {viewer}"


def check_words(svg):
    words = [e.text for e in xml.etree.ElementTree.parse(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert words and all(words), f"{svg.name}: texts without words"


def check_animation(render, folder):
    render("steps.apng", [])
    with Image.open(folder / "steps.apng") as animation:
        assert animation.n_frames == 7, animation.n_frames
        frames = []
        for i in range(animation.n_frames):
            animation.seek(i)
            assert animation.info["duration"] == 1000, animation.info
            frames.append(animation.convert("RGB").tobytes())
    assert len(set(frames)) == len(frames), "two steps look the same"
    render("step.png", ["--steps"])
    for i, frame in enumerate(frames, 1):
        with Image.open(folder / f"step-{i}.png") as picture:
            assert picture.convert("RGB").tobytes() == frame, f"step {i} is another in the animation"
    print(f"an animation of {len(frames)} steps, {(folder / 'steps.apng').stat().st_size} bytes; "
          f"as pictures {sum((folder / f'step-{i}.png').stat().st_size for i in range(1, 8))}")


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def render(file, options):
            words = [program, "render", "the-cat-sat-on-mat-causal", "--device", "reference", "-o", folder / file]
            subprocess.run([*words, *options], check=True, stderr=subprocess.DEVNULL)

        for picture, options in PICTURES.items():
            svg, png = folder / f"{picture}.svg", folder / f"{picture}.png"
            render(svg.name, options)
            render(png.name, options)
            check_words(svg)
            compare(picture, "librsvg", by_librsvg, svg, png)
            if shutil.which("chromium") and picture in BROWSED:
                compare(picture, "chromium", by_chromium, svg, png)
        if not shutil.which("chromium"):
            print("not held against Chromium, which is not installed")
        check_animation(render, folder)


main()
