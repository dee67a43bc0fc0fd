// A program with an agent of Mastra: `bun mastra-program.ts INSTALLED`. It prints the last words of the model.
import { argv, env } from "node:process";

const [, , installed = ""] = argv;
const { MODEL_URL: url, MCP_URL = "", PLINTH_TOKEN } = env;

/** The part of the library that is used here. */
interface Tools {
  listTools(): Promise<object>;
  disconnect(): Promise<void>;
}
interface Runs {
  stream(prompt: string, options: { readonly maxSteps: number }): Promise<{ readonly text: Promise<string> }>;
}

const imported = async <Names extends string>(id: string): Promise<Record<Names, new (options: object) => unknown>> =>
  (await import(Bun.resolveSync(id, installed))) as Record<Names, new (options: object) => unknown>;

const { MCPClient } = await imported<"MCPClient">("@mastra/mcp");
const { Agent } = await imported<"Agent">("@mastra/core/agent");

const headers = { authorization: `Bearer ${PLINTH_TOKEN}` };
const client = new MCPClient({
  servers: { plinth: { url: new URL(MCP_URL), requestInit: { headers } } },
}) as Tools;
const agent = new Agent({
  id: "caller",
  name: "Caller",
  instructions: "Make the calls.",
  model: { id: "scripted/scripted", url, apiKey: "none" },
  tools: await client.listTools(),
}) as Runs;
const { text } = await agent.stream("Make the calls.", { maxSteps: 30 });
console.log(await text);
await client.disconnect();
