#!/bin/bash
# expect_failure.sh REGEX COMMAND…: passes if the command fails and says what REGEX describes.
set -uo pipefail
regex=$1
shift
if output=$("$@" 2>&1); then
  echo "this compiled, and must not: $*"
  exit 1
fi
if ! grep -qE -- "$regex" <<< "$output"; then
  printf 'it failed as it should, but did not say "%s":\n%s\n' "$regex" "$output"
  exit 1
fi
grep -E -m 1 -- "$regex" <<< "$output"
