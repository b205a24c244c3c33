#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# install.sh <cmake> <build tree> <work> <libdir>: installs into a prefix and moves it: nothing may remember the place.
set -euo pipefail
cmake=$1 build=$2 work=$3 libdir=$4
rm -rf "$work"
"$cmake" --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
cd "$work/moved"
for file in include/backplane/{c_types,c_op_ids,c_api,c_ops,c_dlpack,c_io,c_nn,c_train,c_optim,c_parallel,c_profile,c_program,c_trainer,c_plugin,c_plugin_foreign,c_plugin_fuse,c_plugin_group,c_plugin_wide,c_collective,c_api.ffi}.h \
  include/backplane/backplane{,_autograd,_data,_io,_layers,_methods,_nn,_ops,_optim,_optimizers,_parallel,_train}.hpp "$libdir"/libbackplane.so{,.1} \
  "$libdir"/libbackplane.a "$libdir"/backplane/libbackplane_{cpu,null}.so "$libdir"/cmake/backplane/{backplaneConfig.cmake,backplane_plugins.cmake,plugin.map} \
  "$libdir"/pkgconfig/backplane{,-cpp,-static,-plugin}.pc bin/backplane \
  share/backplane/{examples/data,gdb/backplane_printers.py,plugin-template/null.h} share/doc/backplane/{LICENSE,NOTICE,THIRD_PARTY_NOTICES.md,ops.md} \
  share/man/man1/backplane.1 share/bash-completion/completions/backplane share/zsh/site-functions/_backplane \
  share/fish/vendor_completions.d/backplane.fish; do
  [[ -e $file ]] || { echo "not installed: $file"; exit 1; }
done
if grep -rlI "$work/first" . ; then
  echo "these files remember where they were installed"
  exit 1
fi
