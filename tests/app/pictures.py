"""Whether pictures of the window show it whole: pictures.py FIRST PICTURE… LAST

Fails where less than half as many pixels as in the first have another colour than the background, or where the last is
not as the first, but for the words of the status line."""
import sys

import numpy as np
from PIL import Image


def pixels(path):
    return np.asarray(Image.open(path).convert("RGB"), np.int64) @ np.array([1, 256, 65536])


def drawn(picture):
    return float((picture != np.bincount(picture.ravel()).argmax()).mean())


first, last = pixels(sys.argv[1]), pixels(sys.argv[-1])
for path in sys.argv[2:]:
    share = drawn(pixels(path))
    assert share > drawn(first) / 2, f"{path}: {share:.3f} of it is drawn on, {drawn(first):.3f} of {sys.argv[1]}"
other = (first != last).mean()
assert other < 0.02, f"{other:.3f} of {sys.argv[-1]} are not as in {sys.argv[1]}"
