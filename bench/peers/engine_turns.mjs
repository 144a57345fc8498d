// What the peers of bench/engine have in common: the task, and how it is measured.
//
// The task: a conversation of `turns` durable turns (the model asks for a tool, the tool reads a small
// file, both are kept) and a last answer. All get it from the same scripted model server.
//   node PEER.mjs --server URL --folder DIR --turns N --conversations N --at-once N [--database URL]
// Prints one JSON line.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    server: { type: "string" },
    folder: { type: "string" },
    database: { type: "string" },
    turns: { type: "string", default: "20" },
    conversations: { type: "string", default: "40" },
    "at-once": { type: "string", default: "8" },
  },
});

export const task = {
  server: values.server,
  folder: values.folder,
  database: values.database,
  turns: Number(values.turns),
  conversations: Number(values.conversations),
  atOnce: Number(values["at-once"]),
  instructions: "You are an agent that reads notes.",
  prompt: "Read the notes.",
  tool: {
    name: "read_file",
    description: "Reads a file of the project.",
  },
};

export const readNote = ({ path }) => readFile(join(task.folder, path), "utf8");

async function many(count, atOnce, one) {
  let started = 0;
  const worker = async () => {
    while (started < count) await one(started++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

// `converse(id)` has one conversation and returns how many turns were kept: a fast run that lost
// work counts for nothing. `elsewhere()` is the processor time that another process used for it, in
// microseconds.
export async function measure(name, durability, converse, elsewhere = async () => 0) {
  const checked = async (id) => {
    const kept = await converse(id);
    if (kept !== task.turns) throw new Error(`${name}: ${kept} of ${task.turns} turns were kept`);
  };
  await many(Math.max(4, task.conversations >> 2), task.atOnce, (i) => checked(`warm-${process.pid}-${i}`));
  const before = await elsewhere();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await many(task.conversations, task.atOnce, (i) => checked(`run-${process.pid}-${i}`));
  const seconds = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpu);
  const turns = task.turns * task.conversations;
  console.log(
    JSON.stringify({
      engine: name,
      durability,
      turns_each: task.turns,
      at_once: task.atOnce,
      cpu_us_per_turn: Math.round((used.user + used.system + (await elsewhere()) - before) / turns),
      turns_per_second: Math.round(turns / seconds),
      resident_kib: Math.round(process.memoryUsage().rss / 1024),
    }),
  );
}
