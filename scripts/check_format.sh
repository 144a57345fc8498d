#!/bin/bash
# Fails naming each C++ file that clang-format would change; `check_format.sh --fix` changes them.
set -euo pipefail
cd -- "${BASH_SOURCE[0]%/*}/.."
mapfile -d '' -t files < <(find src test bench examples \( -name '*.h' -o -name '*.cc' \) -print0 | sort -z)
if [[ ${1:-} == --fix ]]; then
  exec clang-format-19 -i "${files[@]}"
fi
if ! clang-format-19 --dry-run -Werror "${files[@]}" 2>&1; then
  echo 'cure: scripts/check_format.sh --fix'
  exit 1
fi
