#!/bin/bash
# ./run in a copy of the scripts, with fakes for cmake and ninja: what it builds when, and what it
# hands to the program.
. "${BASH_SOURCE[0]%/*}/expect.sh"
tree="$scratch/a checkout"
bin=$scratch/bin
mkdir -p "$tree"/{src,cmake,scripts,elsewhere,third_party/npm} "$bin"
cp "$root/run" "$tree/run"
cp "$root/scripts/common.sh" "$tree/scripts/"
cp "$root"/third_party/npm/{package.json,package-lock.json,.npmrc} "$tree/third_party/npm/"
touch "$tree"/{CMakeLists.txt,packages.txt}
export CALLS=$scratch/calls PATH=$bin:$PATH

cat > "$bin/cmake" << 'EOF'
#!/bin/bash
echo "cmake $*" >> "$CALLS"
[[ $1 != --preset ]] || { mkdir -p build/release && touch build/release/build.ninja; }
EOF
# Builds a program that says how it was called.
cat > "$bin/ninja" << 'EOF'
#!/bin/bash
echo "ninja $*" >> "$CALLS"
[[ -z ${BROKEN:-} ]] || { echo 'x.cc:1: error: broken'; exit 1; }
mkdir -p "$2/src/app"
cat > "$2/src/app/agents.new" << 'PROGRAM'
#!/bin/bash
printf '%s|' "$PWD" "$@"
cat
exit 42
PROGRAM
chmod +x "$2/src/app/agents.new" && mv "$2/src/app/agents.new" "$2/src/app/agents"
EOF
cat > "$bin/npm" << 'EOF'
#!/bin/bash
echo "npm $*" >> "$CALLS"
mkdir -p node_modules/better-sqlite3/deps/sqlite3
touch node_modules/better-sqlite3/deps/sqlite3/sqlite3.c
EOF
chmod +x "$bin"/*
calls() { local count; count=$(grep -c "^$1 " "$CALLS" 2> /dev/null) || true; echo "${count:-0}"; }

# The first run builds; the directory, the arguments, the input and the exit status are the program's.
cd "$tree/elsewhere"
run_it() { "$tree/run" 'two words' --flag <<< input; }
expect_status 42 run_it
expect_output "^$tree/elsewhere\|two words\|--flag\|input$"
[[ $(calls ninja) == 1 && $(calls npm) == 1 ]]

# The second does nothing of the kind, and says nothing.
expect_status 42 run_it
[[ $output == "$tree/elsewhere|two words|--flag|input" && $(calls ninja) == 1 && $(calls cmake) == 1 ]]

# Without arguments: the main job. Through a link too.
ln -s "$tree/run" "$scratch/link"
expect_status 42 "$scratch/link" < /dev/null
expect_output '\|demo\|$'

# A changed, a removed and a backdated source are noticed, a reconfiguration is not forced.
for change in 'touch x.cc' 'rm x.cc' 'touch -d 2001-01-01 y.cc'; do
  before=$(calls ninja)
  (cd "$tree/src" && $change)
  expect_status 42 run_it
  (($(calls ninja) == before + 1)) || { echo "not rebuilt after: $change"; exit 1; }
done
[[ $(calls cmake) == 1 ]]

# Changed presets are no business of ninja: cmake reads them.
touch "$tree/CMakePresets.json"
expect_status 42 run_it
expect_status 42 run_it
[[ $(calls cmake) == 2 ]]

# Other versions of the third-party sources are fetched before the build.
echo '{}' >> "$tree/third_party/npm/package-lock.json"
before=$(calls ninja)
expect_status 42 run_it
[[ $(calls npm) == 2 ]] && (($(calls ninja) == before + 1))

# A failed build shows the errors, runs nothing, and leaves the program alone.
touch "$tree/src/x.cc"
BROKEN=1 expect_status 1 run_it
expect_output 'x.cc:1: error: broken'
expect_no_output 'two words'
[[ -x $tree/build/release/src/app/agents ]]
expect_status 42 run_it

# Ten at once build once.
touch "$tree/src/x.cc"
before=$(calls ninja)
pids=()
for i in {1..10}; do
  (expect_status 42 run_it) &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid"; done
(($(calls ninja) == before + 1))

# A moved checkout is configured afresh.
mv "$tree" "$scratch/moved"
tree=$scratch/moved
cd "$tree/elsewhere"
expect_status 42 run_it
grep -q -- '--preset release --fresh' "$CALLS"

# Bad arguments of install and package.
expect_status 2 "$tree/run" install --perfix x
expect_output 'unknown argument.*usage: ./run install \[--prefix DIR\]'
expect_status 2 "$tree/run" install --prefix ''
expect_status 2 "$tree/run" package x
HOME= expect_status 2 "$tree/run" install
expect_output 'HOME is not set'
