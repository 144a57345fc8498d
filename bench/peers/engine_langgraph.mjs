// LangGraph.js: its prebuilt agent with its SQLite or PostgreSQL checkpointer, every checkpoint written
// before the next step (durability "sync"), SQLite with synchronous=FULL.
import { HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { join } from "node:path";
import { z } from "zod";
import { measure, readNote, task } from "./engine_turns.mjs";

async function saver() {
  if (task.database) {
    const postgres = PostgresSaver.fromConnString(task.database);
    await postgres.setup();
    return postgres;
  }
  const sqlite = SqliteSaver.fromConnString(join(task.folder, `langgraph-${process.pid}.db`));
  sqlite.setup();
  sqlite.db.pragma("synchronous=FULL");
  return sqlite;
}

const agent = createReactAgent({
  llm: new ChatOpenAI({
    model: "scripted",
    apiKey: "none",
    configuration: { baseURL: `${task.server}/v1` },
    maxRetries: 0,
  }),
  tools: [tool(readNote, { ...task.tool, schema: z.object({ path: z.string() }) })],
  prompt: task.instructions,
  checkpointer: await saver(),
});

await measure(
  task.database ? "langgraph.js/postgres" : "langgraph.js/sqlite",
  task.database ? "checkpoint per step, PostgreSQL with fsync" : "checkpoint per step, synchronous=FULL",
  async (id) => {
    const config = {
      configurable: { thread_id: id },
      durability: "sync",
      recursionLimit: 4 * task.turns + 10,
    };
    await agent.invoke({ messages: [new HumanMessage(task.prompt)] }, config);
    const kept = await agent.getState(config);
    return kept.values.messages.filter((message) => message.getType() === "tool").length;
  },
);
process.exit(0);
