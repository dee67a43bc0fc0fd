// The baseline of a tool call, a separate process: the same library serving one tool that does nothing, as in its
// documentation.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: "baseline", version: "1.0.0" });
  server.registerTool("get_artifact_access", { description: "Does nothing" }, () => ({ content: [] }));
  return server;
});
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  development: false,
  fetch: (request) => handler.fetch(request),
});
process.stdout.write(`http://127.0.0.1:${server.port}\n`);
