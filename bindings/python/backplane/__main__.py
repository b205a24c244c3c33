# SPDX-License-Identifier: Apache-2.0
"""``python -m backplane`` and the command ``backplane`` of the wheel: the library's own command line tool, which lies in the package.

    python -m backplane devices"""

from __future__ import annotations

import os
import pathlib
import sys


def main() -> None:
    """Becomes the command, with this process's arguments, over the package's library and backends."""
    package = pathlib.Path(__file__).parent
    command = package / "bin" / "backplane"
    if not command.exists():
        sys.exit(f"backplane: {command} is not there: this package was built without the command line tool")
    found = [str(package / "lib"), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
    os.execve(command, [str(command), *sys.argv[1:]], {**os.environ, "LD_LIBRARY_PATH": ":".join(found)})


if __name__ == "__main__":
    main()
