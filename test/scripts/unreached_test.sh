#!/bin/bash
# scripts/unreached: this tree has no function that no program reaches, but those that are explained;
# and on a tree of three files.
. "${BASH_SOURCE[0]%/*}/expect.sh"
expect_status 0 "$root/scripts/unreached"

tree=$scratch/tree
mkdir -p "$tree/src/base" "$tree/scripts"
cp "$root/scripts/unreached" "$tree/scripts/"
printf '%s\n' 'int used(int x);' 'int& lonely();' 'struct S { void wait(); };' > "$tree/src/base/a.h"
printf '%s\n' 'int& lonely() { return *new int; }  // lonely()' 'void S::wait() { used(1); }' \
  'const auto f = [](S* s) { s->wait(); };' > "$tree/src/base/a.cc"
printf '%s\n' 'void t() { lonely(); }' > "$tree/src/base/a_test.cc"

printf '%s\n' '# nothing' > "$tree/scripts/unreached.txt"
expect_status 1 "$tree/scripts/unreached"
expect_output '^src/base/a.h lonely: no program reaches it'

printf '%s\n' 'src/base/a.h lonely  tests alone need it' > "$tree/scripts/unreached.txt"
expect_status 0 "$tree/scripts/unreached"

# What explains nothing any more goes.
printf '%s\n' 'src/base/  all of it' 'src/io/  gone' > "$tree/scripts/unreached.txt"
expect_status 1 "$tree/scripts/unreached"
expect_output '"src/io/" explains nothing any more'
