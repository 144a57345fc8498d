#!/bin/sh
# mcp_run.sh MCP_CLIENT NODE_MODULES: servers of the Model Context Protocol through our client.
set -eu
client=$1
modules=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -r "$work"' EXIT
mkdir "$work/files" "$work/peer"
cp "$here/mcp_modern.mjs" "$work/peer"
ln -s "$modules" "$work/peer/node_modules"
failed=0

# expect NAME LINE…: each line is among what was seen.
expect() {
  name=$1
  shift
  for line in "$@"; do
    grep -qF -- "$line" "$work/seen" && continue
    echo "$name: not seen: $line"
    failed=1
  done
  [ "$failed" = 1 ] && cat "$work/seen"
  echo "$name: $(wc -l <"$work/seen") lines"
}

everything() {
  cat <<'STEPS'
facts
tools
call echo {"message":"hello"}
call get-sum {"a":2,"b":40}
call get-tiny-image {}
call get-structured-content {"location":"Chicago"}
call trigger-long-running-operation {"duration":1,"steps":4}
cancel trigger-long-running-operation {"duration":20,"steps":40}
deadline 300 trigger-long-running-operation {"duration":20,"steps":2}
many 32 echo {"message":"x"}
health
STEPS
}
seen_everything() {
  expect "$1" "revision 2025-11-25" "tool echo" "answer: Echo: hello" "The sum of 2 and 40 is 42" \
    "[image image/png, 4 KiB]" "structured: {\"conditions\"" "progress 4/4" "stopping at 1" "(cancelled)" \
    "(deadline_exceeded)" "answered 32 of 32" "health ready, starts 1, open 0, circuit closed"
}

modern() {
  cat <<'STEPS'
facts
tools
call echo {"message":"hello"}
call routed {"region":"eu Süd"}
call where {}
call slow {"steps":4}
cancel slow {"steps":100}
deadline 120 slow {"steps":100}
many 32 echo {"message":"x"}
health
STEPS
}
seen_modern() {
  expect "$1" "revision 2026-07-28" "tool routed" "answer: Echo: hello" "Region: eu Süd" \
    "Roots: file://$work/files" "progress 4/4" "Done in 4 steps" "(cancelled)" "(deadline_exceeded)" \
    "answered 32 of 32" "health ready, starts 1, open 0, circuit closed"
}

start() {
  mkfifo "$work/lines"
  "$@" >"$work/lines" 2>&1 &
  server=$!
  exec 4<"$work/lines"
}
stop() {
  kill "$server"
  wait "$server" 2>/dev/null || true
  server=
  exec 4<&-
  rm "$work/lines"
}

base=$modules/@modelcontextprotocol
everything | "$client" --visible "$modules" -- node "$base/server-everything/dist/index.js" stdio >"$work/seen"
seen_everything "server-everything, stdio, confined"

port=$(node -e 'const s=require("net").createServer().listen(0,()=>{console.log(s.address().port);s.close()})')
start env PORT="$port" node "$base/server-everything/dist/index.js" streamableHttp
while read -r line <&4; do case $line in *listening*) break ;; esac done
cat <&4 >/dev/null &
everything | "$client" --url "http://127.0.0.1:$port/mcp" >"$work/seen"
seen_everything "server-everything, HTTP"
stop

cat >"$work/steps" <<STEPS
facts
tools
call write_file {"path":"$work/files/b.txt","content":"written through the client\n"}
call read_text_file {"path":"$work/files/b.txt"}
call edit_file {"path":"$work/files/b.txt","edits":[{"oldText":"written","newText":"edited"}]}
call read_text_file {"path":"/etc/passwd"}
many 16 read_text_file {"path":"$work/files/b.txt"}
STEPS
"$client" --visible "$modules" --writable "$work/files" -- \
  node "$base/server-filesystem/dist/index.js" "$work/files" <"$work/steps" >"$work/seen"
expect "server-filesystem, stdio, confined" "tool write_file" "answer: written through the client" \
  "tool error: Access denied" "answered 16 of 16"
grep -q "edited through the client" "$work/files/b.txt" || failed=1

modern | "$client" --visible "$modules" --visible "$work/peer" --writable "$work/files" -- \
  node "$work/peer/mcp_modern.mjs" stdio >"$work/seen"
seen_modern "2026-07-28, stdio, confined"
start node "$work/peer/mcp_modern.mjs" http
read -r url <&4
modern | "$client" --url "$url" --writable "$work/files" -- none >"$work/seen"
seen_modern "2026-07-28, HTTP"
stop
exit $failed
