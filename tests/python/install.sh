#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh <python> <source tree> <build tree>: packs what is built there into a wheel and installs it into a fresh virtual
# environment, <build tree>/venv, where it must work alone; then the tools of that python's environment join it, for tests.
set -euo pipefail
python=$1 tree=$2 build=$3
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check \
  --config-settings build-dir="$build/wheel" --config-settings cmake.define.BACKPLANE_BUILD="$build" -w "$wheels" "$tree/bindings/python"
"$python" -m venv --clear --without-pip "$build/venv"
venv=$build/venv/bin/python
"$python" -m pip --python "$venv" install --quiet --no-deps --no-index --disable-pip-version-check "$wheels"/*.whl
(cd / && "$venv" -c 'import backplane as bp; assert (bp.ones(3) + 1).sum().item() == 6')
"$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$("$venv" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tools.pth"
"$python" -m twine check --strict "$wheels"/*.whl
"$python" -m auditwheel show --json "$wheels"/*.whl | grep '"overall_tag": "manylinux_'  # nothing is looked for outside but the system's
bytes=$(stat -c %s "$wheels"/*.whl)
echo "the wheel has $bytes bytes"
((bytes <= 20000000))
