#!/bin/bash
# login_provider.sh AGENTS FOLDER: people sign in to the server AGENTS at a real OpenID Connect provider,
# oidc-provider as npm has it, with each algorithm and after a rotation of its keys. FOLDER keeps what
# npm brought. Without npm's registry it says so and succeeds.
set -uo pipefail
program=$1 folder=$2/login_provider
here=$(dirname "$(readlink -f -- "${BASH_SOURCE[0]}")")
skip() {
  echo "skipped: $*"
  exit 0
}
if ! cmp -s "$here/npm/package-lock.json" "$folder/installed.json"; then
  [[ -n ${CLEVER_LONG:-} ]] || skip 'oidc-provider is not installed; ./check long installs it'
  command -v npm > /dev/null || skip 'npm is not installed'
  rm -rf "$folder" && mkdir -p "$folder"
  cp "$here"/npm/{package.json,package-lock.json,.npmrc} "$folder"
  (cd "$folder" && npm ci --prefer-offline --loglevel=error --fetch-retries=1) < /dev/null \
    > "$folder/npm.log" 2>&1 || skip 'npm cannot be reached'
  cp "$folder/package-lock.json" "$folder/installed.json"
fi
place=$(mktemp -d)
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2> /dev/null; done
  wait
  rm -rf "$place"
}
trap finish EXIT
problems=0
expect() {
  grep -qE -- "$3" <<< "$2" && return
  printf 'FAILED: %s: got %s\n' "$1" "$2" >&2
  problems=$((problems + 1))
}
export HOME=$place CLEVERAGENTS_SERVER_OIDC_CLIENT=agents AGENTS_OIDC_SECRET=hush
export CLEVERAGENTS_SERVER_OIDC_ROLES=dev=read,dev=run NODE_MODULES=$folder/node_modules

# ---- a browser ----------------------------------------------------------------------------------
# location URL [CURL OPTION...]: where the answer sends the browser.
location() {
  local to
  to=$(curl -sS -o "$place/page" -w '%{redirect_url}' -b "$place/jar" -c "$place/jar" "$@")
  printf '%s' "$to"
}
# sign_in NAME: from the server to the provider and back; prints the server's answer.
sign_in() {
  local at next
  rm -f "$place/jar"
  at=$(location "$server/v1/login/oidc")
  for _ in 1 2 3 4 5 6 7 8; do
    [[ $at == "$server/v1/login/oidc/callback"* ]] && break
    next=$(location "$at")
    if [[ -z $next ]]; then
      # A form: first the login, then the consent.
      local prompt=consent
      grep -q 'name="login"' "$place/page" && prompt=login
      next=$(location --data "prompt=$prompt&login=$1&password=x" "$at")
    fi
    at=$next
  done
  curl -sS -b "$place/jar" -c "$place/jar" "$at"
}

for algorithm in RS256 ES256 EdDSA; do
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  server=http://127.0.0.1:$port
  rm -f "$place/provider" "$place/ready" && mkfifo "$place/provider" "$place/ready"
  node "$here/provider.mjs" "$server/v1/login/oidc/callback" "$algorithm" > "$place/provider" \
    2> "$place/provider.log" &
  provider=$!
  children+=("$provider")
  exec 5< "$place/provider"
  read -r issuer <&5 || { cat "$place/provider.log"; skip 'the provider does not start with this node'; }
  export CLEVERAGENTS_HOME=$place/home.$algorithm CLEVERAGENTS_SERVER_OIDC_ISSUER=$issuer
  export CLEVERAGENTS_SERVER_URL=$server
  "$program" server --listen "127.0.0.1:$port" --format json > "$place/ready" 2> "$place/server.log" &
  running=$!
  children+=("$running")
  read -r _ < "$place/ready"
  expect "$algorithm" "$(sign_in ada)" '"caller":"ada","rights":\["read","run"\]'
  expect "$algorithm: the cookie" "$(curl -sS -b "$place/jar" "$server/v1/me")" '"caller":"ada"'
  expect "$algorithm: without a role" "$(sign_in eve)" 'has no role'
  kill -USR2 "$provider"
  read -r _ <&5
  # The server fetches keys at most every ten seconds.
  rotated=
  for ((second = 0; second < 30; ++second)); do
    rotated=$(sign_in ada)
    [[ $rotated == *'"caller":"ada"'* ]] && break
    sleep 1
  done
  expect "$algorithm: after a rotation" "$rotated" '"caller":"ada"'
  exec 5<&-
  kill "$running" "$provider"
  wait "$running" "$provider"
done
((problems == 0)) || {
  cat "$place/provider.log" "$place/server.log" >&2
  exit 1
}
echo 'signed in with RS256, ES256 and EdDSA, and after each rotation'
