#!/bin/bash
# behind_proxy.sh PROXY AGENTS: the server AGENTS behind a reverse proxy of Debian. Clients that come
# through it sign in, make a plan and follow its events; the client's own address counts.
set -uo pipefail
proxy=$1 program=$2
PATH=$PATH:/usr/sbin
command -v "$proxy" > /dev/null || {
  echo "skipped: $proxy is not installed"
  exit 0
}
place=$(mktemp -d)
export HOME=$place CLEVERAGENTS_HOME=$place/home CLEVERAGENTS_SERVER_PROXIES=127.0.0.1
export CLEVERAGENTS_PROVIDER_SCRIPT=$place/script.yaml
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2> /dev/null; done
  wait
  rm -rf "$place"
}
trap finish EXIT
problems=0
# expect WHAT TEXT PATTERN
expect() {
  grep -qE -- "$3" <<< "$2" && return
  printf 'FAILED: %s: %s: got %s\n' "$proxy" "$1" "$2" >&2
  problems=$((problems + 1))
}

# ---- the server ---------------------------------------------------------------------------------
mkdir -p "$place/work"
cd "$place/work" || exit 1
git init -q . && git config user.name T && git config user.email t@example.org
echo a > a.txt && git add . && git commit -qm a
printf 'rules:\n- reply: It is done.\n' > "$CLEVERAGENTS_PROVIDER_SCRIPT"
mkfifo "$place/ready"
"$program" server --listen 127.0.0.1:0 --format json > "$place/ready" 2> "$place/server.log" &
children+=($!)
read -r line < "$place/ready"
port=$(sed -E 's/.*127\.0\.0\.1:([0-9]+).*/\1/' <<< "$line")
token=$(cat "$CLEVERAGENTS_HOME/server.token")

# ---- the proxy ----------------------------------------------------------------------------------
# A port that was free a moment ago; the proxies cannot pick one.
front=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
case $proxy in
  nginx)
    cat > "$place/nginx.conf" << EOF
daemon off;
pid $place/nginx.pid;
error_log $place/nginx.log;
events {}
http {
  access_log off;
  client_body_temp_path $place/body; proxy_temp_path $place/proxy;
  fastcgi_temp_path $place/f; uwsgi_temp_path $place/u; scgi_temp_path $place/s;
  server {
    listen 127.0.0.1:$front;
    location / {
      proxy_pass http://127.0.0.1:$port;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host \$http_host;
      proxy_set_header X-Forwarded-For \$proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto https;
    }
  }
}
EOF
    nginx -e "$place/nginx.log" -c "$place/nginx.conf" > "$place/proxy.log" 2>&1 &
    ;;
  haproxy)
    cat > "$place/haproxy.cfg" << EOF
defaults
  mode http
  timeout connect 5s
  timeout client 1m
  timeout server 1m
  timeout tunnel 1h
frontend all
  bind 127.0.0.1:$front
  option forwardfor
  http-request set-header X-Forwarded-Proto https
  default_backend agents
backend agents
  server one 127.0.0.1:$port
EOF
    haproxy -db -f "$place/haproxy.cfg" > "$place/proxy.log" 2>&1 &
    ;;
  caddy)
    cat > "$place/Caddyfile" << EOF
{
  admin off
  auto_https off
}
http://localhost:$front {
  bind 127.0.0.1
  reverse_proxy 127.0.0.1:$port {
    header_up X-Forwarded-Proto https
    flush_interval -1
  }
}
EOF
    XDG_DATA_HOME=$place XDG_CONFIG_HOME=$place caddy run --config "$place/Caddyfile" \
      --adapter caddyfile > "$place/proxy.log" 2>&1 &
    ;;
  nghttpx)
    printf 'frontend=127.0.0.1,%s;no-tls\nbackend=127.0.0.1,%s\nworkers=1\nadd-x-forwarded-for=yes\nadd-request-header=x-forwarded-proto: https\nno-add-x-forwarded-proto=yes\nno-strip-incoming-x-forwarded-proto=yes\nno-host-rewrite=yes\n' \
      "$front" "$port" > "$place/nghttpx.conf"
    nghttpx --conf="$place/nghttpx.conf" > "$place/proxy.log" 2>&1 &
    ;;
esac
children+=($!)
base=http://localhost:$front
ask() { curl -sS --max-time 20 -H "Authorization: Bearer $token" "$@" 2>&1; }
curl -sS --retry 50 --retry-connrefused --retry-delay 0 --retry-max-time 30 "$base/healthz" > "$place/health" 2>&1
expect 'healthz' "$(cat "$place/health")" '"status":"ok"'

# ---- requests -----------------------------------------------------------------------------------
expect 'me' "$(ask "$base/v1/me")" "the server's token"
expect 'an origin behind TLS' "$(ask -H "Origin: https://localhost:$front" "$base/v1/me")" "the server's token"
expect 'another origin' "$(ask -H 'Origin: https://evil.example' "$base/v1/me")" 'permission_denied'
expect 'no token' "$(curl -sS -o /dev/null -w '%{http_code}' "$base/v1/me")" '^401$'
expect 'a project' "$(ask "$base/v1/projects" --json "{\"path\": \"$PWD\"}")" '"id":"work"'
head -c 3000000 /dev/zero | tr '\0' 'a' > "$place/large"
expect 'a large body' "$(ask -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' \
  --data-binary @"$place/large" "$base/v1/plans")" '^(400|413)$'
expect 'the client in the audit log' "$(ask "$base/v1/audit")" 'from 127\.0\.0\.1'

# ---- streams ------------------------------------------------------------------------------------
# The head comes at once, and each event as it happens: nothing waits in the proxy for more.
mkfifo "$place/events"
curl -sS -N --max-time 60 -H "Authorization: Bearer $token" -H 'Accept: text/event-stream' "$base/v1/events" \
  > "$place/events" 2> "$place/curl.log" &
children+=($!)
exec 5< "$place/events"
# next_line PATTERN: reads the stream up to a line that matches.
next_line() {
  local line
  while read -r -t 30 line <&5; do
    [[ $line =~ $1 ]] && printf '%s\n' "$line" && return
  done
}
expect 'the first event' "$(next_line '^event: hello')" 'hello'
made=$(ask "$base/v1/plans" --json '{"task": "Do it", "direct": true}')
expect 'a plan' "$made" '"plan_id"'
plan=$(sed -E 's/.*"plan_id":"([0-9A-Z]+)".*/\1/' <<< "$made")
expect 'an event of the plan' "$(next_line "$plan")" "$plan"
exec 5<&-
# Continues from an event that was seen.
rest=$(curl -sS -N --max-time 3 -H "Authorization: Bearer $token" -H 'Accept: text/event-stream' \
  -H 'Last-Event-ID: 1' "$base/v1/plans/$plan/events" 2> /dev/null | grep -m 1 '^id: ')
expect 'a resumed stream' "$rest" '^id: 2$'
((problems == 0)) || {
  cat "$place/proxy.log" "$place/server.log" >&2
  exit 1
}
echo "$proxy: all as without it"
