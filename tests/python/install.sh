#!/usr/bin/env bash
# install.sh <python> <source tree> <build tree>: packs what is built there into a wheel and installs it.
set -euo pipefail
python=$1 tree=$2 build=$3
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check \
  --config-settings build-dir="$build/python" --config-settings cmake.define.BACKPLANE_BUILD="$build" -w "$wheels" "$tree/bindings/python"
"$python" -m pip install --quiet --no-deps --force-reinstall --no-index --disable-pip-version-check "$wheels"/*.whl
bytes=$(stat -c %s "$wheels"/*.whl)
echo "the wheel has $bytes bytes"
((bytes <= 60000000))
