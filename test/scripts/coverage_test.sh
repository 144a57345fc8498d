#!/bin/bash
# scripts/coverage.awk on a tree of three files.
. "${BASH_SOURCE[0]%/*}/expect.sh"
tree=$scratch/tree
mkdir -p "$tree/src/base" "$tree/src/io"
printf '%s\n' 'int f() {' '  return 1;' '}' 'abort();  // unreachable: the caller checked' > "$tree/src/base/a.cc"
printf '%s\n' 'if (x) {  // unreachable: the kernel never says so' '  f();' '  if (y) { g(); }' '}' 'int z;' \
  > "$tree/src/io/b.cc"
lcov() {
  printf '%s\n' "SF:$tree/src/base/a.cc" DA:1,5 DA:2,5 DA:3,0 DA:4,0 end_of_record \
    "SF:$tree/src/base/a.cc" DA:3,"$1" end_of_record \
    "SF:$tree/src/io/b.cc" DA:1,0 DA:2,0 DA:3,0 DA:4,0 DA:5,1 end_of_record \
    "SF:$tree/src/base/a_test.cc" DA:1,0 end_of_record \
    "SF:$tree/src/base/a_fuzz.cc" DA:1,0 end_of_record \
    "SF:$tree/test/x.cc" DA:1,0 end_of_record
}
summarise() { awk -v root="$tree" -v minimum="$1" -v missed="$tree/missed" -f "$root/scripts/coverage.awk"; }

# A line is covered if any program ran it; what is marked is not counted, tests neither.
lcov 2 > "$scratch/all"
expect_status 0 summarise 100 < "$scratch/all"
expect_output '^base +3 +3 +100.00%$'
expect_output '^io +1 +1 +100.00%$'
expect_output '^total +4 +4 +100.00%$'

# A line that nobody ran is named, and below the minimum is a failure.
lcov 0 > "$scratch/all"
expect_status 1 summarise 97 < "$scratch/all"
expect_output '^base +3 +2 +66.67%$'
expect_output '^total +4 +3 +75.00%$'
expect_output 'below the minimum of 97%'
[[ $(< "$tree/missed") == src/base/a.cc:3 ]]
expect_status 0 summarise 75 < "$scratch/all"

# A marker must give a reason.
echo 'int y;  // unreachable: ' >> "$tree/src/io/b.cc"
lcov 2 > "$scratch/all"
expect_status 1 summarise 50 < "$scratch/all"
expect_output 'src/io/b.cc:6: .*without a reason'

# Nothing measured is no success.
expect_status 1 summarise 0 < /dev/null
