// DBOS on PostgreSQL: a workflow whose model calls and tool calls are steps; then bare steps
// that do nothing, which is what DBOS itself can do at most.
import { DBOS } from "@dbos-inc/dbos-sdk";
import OpenAI from "openai";
import { measure, readNote, task } from "./engine_turns.mjs";

const client = new OpenAI({ baseURL: `${task.server}/v1`, apiKey: "none", maxRetries: 0 });
const tools = [
  {
    type: "function",
    function: {
      ...task.tool,
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  },
];

const ask = async (messages) =>
  (await client.chat.completions.create({ model: "scripted", messages, tools })).choices[0].message;

const conversation = DBOS.registerWorkflow(
  async () => {
    const messages = [
      { role: "system", content: task.instructions },
      { role: "user", content: task.prompt },
    ];
    for (let turns = 0; ; ++turns) {
      const answer = await DBOS.runStep(() => ask(messages), { name: "model" });
      messages.push(answer);
      if (!answer.tool_calls?.length) return turns;
      for (const call of answer.tool_calls) {
        const content = await DBOS.runStep(() => readNote(JSON.parse(call.function.arguments)), { name: "tool" });
        messages.push({ role: "tool", tool_call_id: call.id, content });
      }
    }
  },
  { name: "conversation" },
);
const bareSteps = DBOS.registerWorkflow(
  async (count) => {
    for (let i = 0; i < count; ++i) await DBOS.runStep(async () => i, { name: "step" });
    return count >> 1;
  },
  { name: "bareSteps" },
);

DBOS.setConfig({
  name: "bench",
  systemDatabaseUrl: task.database,
  systemDatabasePoolSize: 20,
  logLevel: "error",
  runAdminServer: false,
});
await DBOS.launch();
await measure("dbos", "step by step, PostgreSQL with fsync", () => conversation());
await measure("dbos/bare", "step by step, PostgreSQL with fsync", () => bareSteps(2 * task.turns));
await DBOS.shutdown();
process.exit(0);
