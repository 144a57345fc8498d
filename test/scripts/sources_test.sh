#!/bin/bash
# install_sources with a fake npm that writes down how it was called.
. "${BASH_SOURCE[0]%/*}/expect.sh"
tree="$scratch/a checkout"
bin=$scratch/bin
source_file=$tree/build/npm/node_modules/better-sqlite3/deps/sqlite3/sqlite3.c
mkdir -p "$tree/third_party/npm" "$bin"
cp "$root"/third_party/npm/{package.json,package-lock.json,.npmrc} "$tree/third_party/npm/"
export CALLS=$scratch/calls PATH=$bin:$PATH

cat > "$bin/npm" << 'EOF'
#!/bin/bash
echo "npm $*" >> "$CALLS"
mkdir -p node_modules/better-sqlite3/deps/sqlite3 node_modules/nodegit/vendor/libgit2/include
touch node_modules/nodegit/vendor/libgit2/include/git2.h
mkdir -p node_modules/tree-sitter/vendor/tree-sitter/lib/src
touch node_modules/tree-sitter/vendor/tree-sitter/lib/src/lib.c
[[ -z ${UNREACHABLE:-} ]] || { echo 'npm error network: ECONNREFUSED' >&2; exit 1; }
[[ -z ${KILLED:-} ]] || kill -9 0
cat package-lock.json > node_modules/better-sqlite3/deps/sqlite3/sqlite3.c
EOF
chmod +x "$bin/npm"
calls() { local count; count=$(grep -c "^npm ci --ignore-scripts " "$CALLS" 2> /dev/null) || true; echo "${count:-0}"; }
# In a process group of its own, so that it can be killed with all that it started.
install() {
  setsid bash -euo pipefail -c 'program=./test root=$1; . "$2"; install_sources; echo went on' bash \
    "$tree" "$root/scripts/common.sh"
}
expect_installed() {
  cmp "$source_file" "$tree/third_party/npm/package-lock.json"
  [[ $(calls) == "$1" ]] || { echo "npm was called $(calls) times, not $1"; exit 1; }
}

# The first time they are fetched; then there is nothing to do and nothing is said.
expect_status 0 install
expect_installed 1
expect_status 0 install
[[ $output == 'went on' ]]
expect_installed 1

# Another lock file, and a file that is gone.
echo '{}' >> "$tree/third_party/npm/package-lock.json"
expect_status 0 install
expect_installed 2
rm "$source_file"
expect_status 0 install
expect_installed 3

# Ten at once fetch once.
rm -r "$tree/build"
pids=()
for i in {1..10}; do
  (expect_status 0 install) &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
expect_installed 4

# Killed in the middle: what was there before is whole, and the next time puts it right.
echo '{}' >> "$tree/third_party/npm/package-lock.json"
KILLED=1 expect_status 137 install
expect_no_output 'went on'
[[ -s $source_file ]]
expect_status 0 install
expect_installed 6

# A registry that cannot be reached: npm's words and ours, and the script does not go on.
rm -r "$tree/build"
UNREACHABLE=1 expect_status 1 install
expect_output 'ECONNREFUSED'
expect_output 'npm could not fetch what third_party/npm/package-lock.json lists.*registry'
expect_no_output 'went on'
[[ ! -e $tree/build/npm ]]

# The real lock file: the packages without those that they would run with, their hashes, no address.
cd "$root/third_party/npm"
mapfile -t packages < <(sed -n 's/^    "\(.*\)": "[0-9].*/\1/p' package.json)
((${#packages[@]} > 2))
[[ $(grep -c '^    "node_modules/' package-lock.json) == "${#packages[@]}" ]]
[[ $(grep -c '"integrity": "sha512-' package-lock.json) == "${#packages[@]}" ]]
for package in "${packages[@]}"; do
  version=$(sed -n "s|.*\"$package\": \"\([^\"]*\)\".*|\1|p" package.json)
  grep -A1 "\"node_modules/$package\"" package-lock.json | grep -q "\"version\": \"${version:?}\""
done
! grep -rnE 'resolved"|://' . || exit 1
