"""An .npz whose bytes depend on its arrays alone: numpy.savez_compressed stamps members with the time of day."""
import io
import zipfile

import numpy as np


def npz_bytes(arrays, method=zipfile.ZIP_DEFLATED):
    """With ZIP_STORED they don't depend on the version of zlib either."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, 'w', method) as z:
        for name, a in arrays.items():
            data = io.BytesIO()
            np.save(data, a)
            member = zipfile.ZipInfo(name + '.npy')
            member.compress_type = method
            z.writestr(member, data.getvalue())
    return file.getvalue()


def write_npz(path, arrays):
    path.write_bytes(npz_bytes(arrays))
