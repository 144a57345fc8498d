# Sourced by the script tests: a scratch folder that goes with the test, and expectations.
set -euo pipefail
root=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# expect_status STATUS COMMAND…: its output is left in $output.
expect_status() {
  local expected=$1 status=0
  shift
  output=$("$@" 2>&1) || status=$?
  ((status == expected)) || { echo "exit status $status, not $expected: $*"; echo "$output"; exit 1; }
}
expect_output() {
  grep -qE -- "$1" <<< "$output" || { echo "expected '$1' in:"; echo "$output"; exit 1; }
}
expect_no_output() {
  ! grep -qE -- "$1" <<< "$output" || { echo "did not expect '$1' in:"; echo "$output"; exit 1; }
}
