// OpenAI Agents JS: its runner. It keeps nothing: what it costs is a lower bound for it.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from "@openai/agents";
import { z } from "zod";
import { measure, readNote, task } from "./engine_turns.mjs";

setTracingDisabled(true);
const agent = new Agent({
  name: "notes",
  instructions: task.instructions,
  model: "scripted",
  tools: [tool({ ...task.tool, parameters: z.object({ path: z.string() }), execute: readNote })],
});
const runner = new Runner({
  tracingDisabled: true,
  modelProvider: new OpenAIProvider({
    baseURL: `${task.server}/v1`,
    apiKey: "none",
    useResponses: false,
  }),
});

await measure("openai-agents-js", "none", async () => {
  const result = await runner.run(agent, task.prompt, { maxTurns: task.turns + 5 });
  return result.newItems.filter((item) => item.type === "tool_call_output_item").length;
});
process.exit(0);
