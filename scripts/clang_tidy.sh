#!/bin/bash
# clang_tidy.sh: clang-tidy over a seeded sample of the sources, or over all of them
# with CLEVER_LONG=1; tests are left out: they do on purpose what is wrong elsewhere. CLEVER_SEED=N
# chooses another sample; the seed is printed.
set -euo pipefail
root=$(cd -- "${BASH_SOURCE[0]%/*}/.." && pwd -P)
build=$root/build/tidy
cd "$root"
# Nothing is built there: it is the list of how each source is compiled by itself.
cmake --preset dev -B "$build" -DCLEVER_UNITY=OFF -DCLEVER_PRECOMPILED=OFF > /dev/null
mapfile -t files < <(sed -n 's/^ *"file": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" |
  grep -E "^$root/(src|test)/" | grep -v '_test\.cc$' | sort -u)
((${#files[@]})) || { echo "no sources in $build/compile_commands.json" >&2; exit 1; }
if [[ -z ${CLEVER_LONG:-} ]]; then
  # By default the seed follows the sources: every change is another sample.
  seed=${CLEVER_SEED:-$(cat "${files[@]}" | cksum | cut -d' ' -f1)}
  mapfile -t files < <(printf '%s\n' "${files[@]}" | grep -E "^$root/src/" |
    awk -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f %s\n", rand(), $0 }' | sort | head -n 3 |
    cut -d' ' -f2-)
  echo "sample of ${#files[@]} files, CLEVER_SEED=$seed"
fi
printf '%s\n' "${files[@]#"$root/"}"
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "$(nproc)" clang-tidy-19 --quiet --warnings-as-errors='*' -p "$build" 2> >(
    grep -vE '^[0-9]+ warnings? (and [0-9]+ errors? )?generated|^Suppressed|^Use -header-filter' >&2)
