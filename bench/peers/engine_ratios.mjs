// The JSON lines of bench/engine on standard input: the median of each engine's runs, and what the
// peers need in units of ours. Prints one JSON line per comparison.
import { createInterface } from "node:readline";

const runs = new Map();
for await (const line of createInterface({ input: process.stdin })) {
  const run = JSON.parse(line);
  runs.set(run.engine, [...(runs.get(run.engine) ?? []), run]);
}

const median = (engine, key) => {
  const values = (runs.get(engine) ?? []).map((run) => run[key]).sort((a, b) => a - b);
  return values[values.length >> 1];
};
const print = (comparison, ours, peer, ratio) =>
  console.log(JSON.stringify({ comparison, ours, peer, ratio: Math.round(10 * ratio) / 10 }));
const cpu = (ours, peer) => {
  const [a, b] = [median(ours, "cpu_us_per_turn"), median(peer, "cpu_us_per_turn")];
  if (a && b) print(`processor time per durable turn, us: ${ours} and ${peer}`, a, b, b / a);
};
const rate = (ours, peer, stepsEach, what) => {
  const [a, b] = [median(ours, "turns_per_second"), median(peer, "turns_per_second")];
  if (a && b) print(`${what} per second: ${ours} and ${peer}`, stepsEach * a, stepsEach * b, a / b);
};

cpu("ours/sqlite", "langgraph.js/sqlite");
cpu("ours/sqlite", "openai-agents-js");
cpu("ours/postgres", "langgraph.js/postgres");
cpu("ours/postgres", "dbos");
cpu("ours/postgres", "restate");
rate("ours-bare/postgres", "dbos/bare", 2, "durable steps");
rate("ours-bare/postgres", "restate/bare", 2, "durable steps");
for (const key of ["wall_s", "largest_process_mib"]) {
  const value = median("ours/tasks", key);
  if (value) console.log(JSON.stringify({ what: `16 tasks, ${key}`, median: value }));
}
