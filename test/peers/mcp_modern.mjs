// mcp_modern.mjs stdio | http: a server of revision 2026-07-28 alone, made with the protocol's own
// package. Over HTTP it prints its URL in one line.
import { createServer } from "node:http";
import { McpServer, createMcpHandler, fromJsonSchema, inputRequired } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toNodeHandler } from "@modelcontextprotocol/node";

const text = (words) => ({ content: [{ type: "text", text: words }] });
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function make() {
  const server = new McpServer({ name: "modern", version: "1.0.0" });
  server.registerTool(
    "echo",
    { description: "Says it again", inputSchema: fromJsonSchema({ type: "object", properties: { message: { type: "string" } }, required: ["message"] }) },
    async ({ message }) => text(`Echo: ${message}`),
  );
  server.registerTool(
    "routed",
    { inputSchema: fromJsonSchema({ type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } }, required: ["region"] }) },
    async ({ region }) => text(`Region: ${region}`),
  );
  server.registerTool(
    "where",
    { inputSchema: fromJsonSchema({ type: "object" }) },
    async (_input, context) => {
      const given = context.mcpReq.inputResponses?.roots;
      if (!given) return inputRequired({ inputRequests: { roots: inputRequired.listRoots() }, requestState: "asked" });
      return text(`Roots: ${given.roots.map((root) => root.uri).join(" ")}`);
    },
  );
  server.registerTool(
    "slow",
    { inputSchema: fromJsonSchema({ type: "object", properties: { steps: { type: "integer" } }, required: ["steps"] }) },
    async ({ steps }, context) => {
      const token = context.mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps; ++step) {
        await pause(50);
        if (context.mcpReq.signal.aborted) { console.error("aborted"); return text("aborted"); }
        if (token !== undefined) {
          await context.mcpReq.notify({ method: "notifications/progress", params: { progressToken: token, progress: step, total: steps } });
        }
      }
      return text(`Done in ${steps} steps`);
    },
  );
  return server;
}

if (process.argv[2] === "stdio") {
  serveStdio(make, { legacy: "reject" });
} else {
  const http = createServer(toNodeHandler(createMcpHandler(make, { legacy: "reject" })));
  http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
}
