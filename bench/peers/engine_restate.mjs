// Restate: its server (a process of its own), our handler in this one. Model calls and tool calls are
// steps; then bare steps that do nothing. The processor time of both processes counts.
import * as restate from "@restatedev/restate-sdk";
import OpenAI from "openai";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import http from "node:http";
import { join } from "node:path";
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

const service = restate.service({
  name: "Bench",
  handlers: {
    converse: async (ctx) => {
      const messages = [
        { role: "system", content: task.instructions },
        { role: "user", content: task.prompt },
      ];
      for (let turns = 0; ; ++turns) {
        const answer = await ctx.run("model", () => ask(messages));
        messages.push(answer);
        if (!answer.tool_calls?.length) return turns;
        for (const call of answer.tool_calls) {
          const content = await ctx.run("tool", () => readNote(JSON.parse(call.function.arguments)));
          messages.push({ role: "tool", tool_call_id: call.id, content });
        }
      }
    },
    bare: async (ctx, count) => {
      for (let i = 0; i < count; ++i) await ctx.run("step", async () => i);
      return count >> 1;
    },
  },
});

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
const [ingress, admin, node, handler] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
const folder = await mkdtemp(join(task.folder, "restate-"));
await restate.endpoint().setLogger(() => {}).bind(service).listen(handler);

const program = createRequire(import.meta.url).resolve(
  "@restatedev/restate-server-linux-x64/bin/restate-server",
);
const server = spawn(program, ["--base-dir", folder, "--log-filter", "off"], {
  stdio: "ignore",
  env: {
    ...process.env,
    RESTATE_DISABLE_TELEMETRY: "true",
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
  },
});
process.on("exit", () => server.kill("SIGKILL"));

const agent = new http.Agent({ keepAlive: true });
const post = (port, path, body) =>
  new Promise((resolve, reject) => {
    const request = http.request(
      { host: "127.0.0.1", port, path, method: "POST", agent, headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.on("data", (data) => (text += data));
        response.on("end", () =>
          response.statusCode < 300 ? resolve(text) : reject(new Error(`${response.statusCode} ${text}`)),
        );
      },
    );
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });

for (let attempt = 0; ; ++attempt) {
  try {
    await post(admin, "/deployments", { uri: `http://127.0.0.1:${handler}`, force: true });
    break;
  } catch (error) {
    if (attempt > 300) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// Of the server: its processor time so far, in microseconds.
const serverCpu = async () => {
  const fields = (await readFile(`/proc/${server.pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
};
const durability = "step by step, Restate's own log as it comes";
const call = async (handler, body) => Number(await post(ingress, `/Bench/${handler}`, body));
await measure("restate", durability, () => call("converse", {}), serverCpu);
await measure("restate/bare", durability, () => call("bare", 2 * task.turns), serverCpu);
server.kill("SIGKILL");
await new Promise((resolve) => server.once("exit", resolve));
await rm(folder, { recursive: true, force: true });
process.exit(0);
