#!/bin/bash
# A PostgreSQL server for tests: of a temporary folder, as an ordinary user, gone with whoever wanted
# it. It listens on a socket in the folder and on a free port of 127.0.0.1, and trusts everybody.
#
#   run            obeys the lines of standard input, and removes the server when there are no more:
#     start        answered by "ready PORT FOLDER PROGRAMS"; the port stays the same afterwards
#     stop         as an administrator would; answered by "stopped"
#     kill         SIGKILL to the postmaster; answered by "stopped"
#     end          no more lines will come
#   start FOLDER   for ctest: a server that lives as long as the caller of this script, or until
#   stop FOLDER    is called; the answer to start is in FOLDER/address
set -euo pipefail
say() { echo "postgres_server.sh: $*" >&2; }

# A crash of the machine is not what these servers are for: nothing is synced.
settings=(-c listen_addresses=127.0.0.1 -c fsync=off -c full_page_writes=off -c max_connections=200
  -c shared_buffers=32MB -c max_wal_size=256MB -c logging_collector=off -c jit=off)
# Whoever measures wants it otherwise: "-c fsync=on …"
read -ra more_settings <<< "${CLEVER_POSTGRES_SETTINGS:-}"
settings+=("${more_settings[@]}")

prepare() {
  programs=$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
  [[ -x $programs/postgres ]] || { say "there is no PostgreSQL server; ./check installs one"; exit 1; }
  folder=$(mktemp -d --tmpdir clever-postgres-XXXXXX)
  trap clean_up EXIT
  trap exit HUP INT TERM
  # Should this script be killed, the server goes too.
  as_user=(setpriv --pdeathsig QUIT)
  if ((EUID == 0)); then
    # PostgreSQL refuses to run as root.
    as_user+=(--reuid nobody --regid nogroup --clear-groups)
    chown nobody:nogroup "$folder"
  fi
  cd "$folder"
  "${as_user[@]}" "$programs/initdb" --pgdata=data --username=clever --auth=trust --encoding=UTF8 \
    --locale=C.UTF-8 --no-sync --no-instructions > log 2>&1 || { cat log >&2; exit 1; }
}

clean_up() {
  if [[ -n ${server:-} ]]; then
    kill -QUIT "$server" 2> /dev/null || true
    wait "$server" || true
  fi
  rm -rf "$folder"
}

# A free port below those that the kernel hands out to clients; who holds one says so by refusing it.
start_server() {
  local attempt
  [[ -z ${server:-} ]] || { echo "failed: it runs already"; return; }
  for attempt in {1..100}; do
    [[ -n ${ready_before:-} ]] || port=$((10000 + RANDOM % 20000))
    "${as_user[@]}" "$programs/postgres" -D "$folder/data" -k "$folder" -p "$port" "${settings[@]}" \
      < /dev/null >> log 2>&1 7>&- &
    server=$!
    if wait_ready; then
      ready_before=1
      echo "ready $port $folder $programs"
      return
    fi
    wait "$server" || true
    # Connections to a killed server may take a moment to notice; it cannot start before.
    sleep 0.1
  done
  server=
  tail -n 20 log >&2
  echo "failed: it does not start"
}

wait_ready() {
  local lines
  while kill -0 "$server" 2> /dev/null; do
    mapfile -t lines < data/postmaster.pid || lines=()
    [[ ${lines[0]:-} == "$server" && ${lines[7]:-} == ready* ]] && return
    sleep 0.01
  done 2> /dev/null
  return 1
}

end_server() {
  [[ -n ${server:-} ]] || { echo "failed: it does not run"; return; }
  kill "-$1" "$server"
  wait "$server" 2> /dev/null || true
  server=
  echo stopped
}

run() {
  local command
  prepare
  while read -r command; do
    case $command in
      start) start_server ;;
      stop) end_server INT ;;
      kill) end_server KILL ;;
      end) break ;;
      *) echo "failed: unknown command '$command'" ;;
    esac
  done
}

# The lock is held as long as the server's folder exists.
start_for() {
  local owner=$PPID answer
  mkdir -p "$1"
  [[ ! -e $1/address ]] || stop_for "$1"
  rm -f "$1"/{address,keeper,answer}
  mkfifo "$1/answer"
  setsid bash -c 'exec 7> "$2/lock"
    flock 7
    { echo "$BASHPID" > "$2/keeper"; echo start; exec tail --pid="$3" -f /dev/null 7>&-; } |
      "$1" run > "$2/answer"' bash "$0" "$1" "$owner" < /dev/null > /dev/null 2> "$1/errors" &
  read -r answer < "$1/answer" || answer=
  [[ $answer == ready* ]] || { cat "$1/errors" >&2; exit 1; }
  echo "$answer" > "$1/address.new"
  mv "$1/address.new" "$1/address"
}

# Without the lock held, the keeper's number may be another process's by now.
stop_for() {
  flock --nonblock "$1/lock" true || kill "$(< "$1/keeper")"
  flock "$1/lock" rm -f "$1"/{address,keeper,answer,lock}
}

case ${1:-}:$# in
  run:1) run ;;
  start:2) start_for "$2" ;;
  stop:2) stop_for "$2" ;;
  *) say "usage: postgres_server.sh run | start FOLDER | stop FOLDER" && exit 2 ;;
esac
