#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""backend_wheel.py <libbackplane_KIND.so> <folder> [--version V] [--notices FILE...]: packs a backend, yours or anybody's, into a
wheel, backplane-KIND. `import backplane` finds a backend that pip installed so: by an entry point of the group
`backplane.plugins`, which names the package whose folder holds the file. It wants nothing but Python."""

import argparse
import base64
import hashlib
import pathlib
import re
import sysconfig
import zipfile


def wheel(library, folder, version="0.1.0", notices=()):
    """Returns the path of the wheel that it wrote."""
    found = re.fullmatch(r"libbackplane_([a-zA-Z_]{1,31})\.so", library.name)
    if not found:
        raise SystemExit(f"backend_wheel: {library.name} is not called libbackplane_<kind>.so, as the file of a backend is")
    kind = found[1]
    package = f"backplane_{kind}"
    tag = f"py3-none-{re.sub(r'[-.]', '_', sysconfig.get_platform())}"
    about = f"{package}-{version}.dist-info"
    files = {
        f"{package}/__init__.py": f'"""The backend {kind} of Backplane, which `import backplane` finds."""\n'.encode(),
        f"{package}/{library.name}": library.read_bytes(),
        **{f"{about}/licenses/{notice.name}": notice.read_bytes() for notice in notices},
        f"{about}/METADATA": "".join([
            "Metadata-Version: 2.4\n", f"Name: backplane-{kind.replace('_', '-')}\n", f"Version: {version}\n",
            f"Summary: The backend {kind} of Backplane\n", "Requires-Python: >=3.10\n", "Requires-Dist: backplane>=0.1\n",
            "Keywords: backplane,tensor,backend,plugin\n", "Classifier: Operating System :: POSIX :: Linux\n",
            *(f"License-File: {notice.name}\n" for notice in notices), "Description-Content-Type: text/markdown\n\n",
            f"The backend `{kind}` of Backplane. `import backplane` finds it as soon as pip has installed it;\n",
            f"`python -m backplane doctor {kind}` says whether it can be used, and why not.\n"]).encode(),
        f"{about}/WHEEL": f"Wheel-Version: 1.0\nGenerator: backend_wheel\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
        f"{about}/entry_points.txt": f"[backplane.plugins]\n{kind} = {package}\n".encode(),
    }
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    path = folder / f"{package}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)  # whose date is always the same: the same file is packed into the same wheel
            info.external_attr = (0o755 if name.endswith(".so") else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return path


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--version", default="0.1.0")
    parser.add_argument("--notices", type=pathlib.Path, nargs="*", default=[])
    given = parser.parse_args()
    print(wheel(given.library, given.folder, given.version, given.notices))
