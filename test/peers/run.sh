#!/bin/sh
# run.sh MODEL_SERVER NODE_MODULES: the providers' own clients against the model server.
set -eu
server=$1
modules=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'exec 3>&-; wait; rm -r "$work"' EXIT
cp "$here"/*.mjs "$work"
ln -s "$modules" "$work/node_modules"
mkfifo "$work/stdin" "$work/address"
"$server" --script "$here/script.yaml" <"$work/stdin" >"$work/address" &
exec 3>"$work/stdin"
read -r url <"$work/address"
failed=0
for client in openai anthropic gemini ollama; do
  node "$work/$client.mjs" "$url" || failed=1
done
exit $failed
