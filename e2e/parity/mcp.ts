// The scenario by MCP, with the protocol's own client: each action that has a tool is a call of it, which that client
// checks against the tool's schema. Further tools read what a tool leaves out of its answer.
import { isDeepStrictEqual } from "node:util";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createClient } from "@plinth/contract/client";
import { tools, type Tool, type ToolName, type ToolOperation } from "@plinth/contract/mcp/tools";
import type { OperationName } from "@plinth/contract/registry";

import type { Instance } from "../harness/instance.ts";
import type { Participants } from "./participants.ts";
import { restSurface } from "./rest.ts";
import type { Action, Outcome, Surface } from "./surface.ts";

type Answer = Readonly<Record<string, unknown>>;

/**
 * Operations of the scenario without a tool, which are done over REST with the same key. One that gets a tool does not
 * compile here. MCP asks the holder of only a link for a credential first, so all their actions use REST.
 */
const withoutTool = [
  "artifact.listMine",
  "version.packages",
  "version.patch",
  "project.getByPath",
  "project.documents",
] as const satisfies readonly Exclude<OperationName, ToolOperation>[];

/** Operations done by another operation's tool, because an artifact can also be named by its path. */
const byAnother: { readonly [Name in Exclude<OperationName, ToolOperation>]?: (input: Answer) => [ToolName, Answer] } =
  {
    "artifact.getByPath": ({ owner, projectSlug, slug }) => [
      "get_artifact",
      { artifactId: `${String(owner)}/${String(projectSlug)}/${String(slug)}` },
    ],
  };

const program = { name: "parity", version: "1.0" };
const besideIt = "beside-";

export function mcpSurface(instance: Instance, participants: Participants): Surface {
  const clients = new Map<string, Promise<Client>>();
  const clientOf = ({ by }: Action) => {
    if (typeof by !== "string") throw new Error("a link's holder has no client");
    const client = clients.get(by) ?? connect(instance, participants.people[by].key);
    clients.set(by, client);
    return client;
  };
  return {
    name: "mcp",
    actorType: "api_key",
    client: `${program.name} ${program.version}`,
    isBeside: ({ actor, requestId }) => actor.type === "share_link" || (requestId ?? "").startsWith(besideIt),
    async perform(action) {
      const { by, operation } = action;
      const isBeside = typeof by !== "string" || withoutTool.some((name) => name === operation);
      if (!isBeside) return byTool(await clientOf(action), action);
      const marked = (baseUrl: string, headers: Readonly<Record<string, string>>) =>
        createClient({ baseUrl, headers: { ...headers, "x-request-id": `${besideIt}${crypto.randomUUID()}` } });
      return restSurface(instance, participants, marked).perform(action);
    },
    async close() {
      for (const client of clients.values()) await (await client).close();
    },
  };
}

async function connect({ origin }: Instance, key: string): Promise<Client> {
  const client = new Client(program, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
  // The client checks answers against the schemas that it has listed.
  await client.listTools();
  return client;
}

type Call = (tool: ToolName, given: Answer) => Promise<Answer>;

class Refused extends Error {
  readonly problem: { readonly status: number; readonly code: string };
  constructor(text: string, problem: unknown) {
    super(text);
    this.problem = problem as Refused["problem"];
  }
}

async function byTool(client: Client, { operation, input }: Action): Promise<Outcome> {
  const call: Call = async (name, given) => {
    const { isError, content, structuredContent, _meta } = await client.callTool({ name, arguments: { ...given } });
    const [said] = content;
    if (said?.type !== "text") throw new Error(`${name} says nothing`);
    if (isError) throw new Refused(said.text, _meta?.["plinth/problem"]);
    // The source text is not repeated in the structured content.
    const [, source] = content;
    const isSource = name === "get_artifact_content" && source?.type === "text";
    return { ...(structuredContent as Answer), ...(isSource && { content: source.text }) };
  };
  try {
    const answered = await answer(call, operation, input);
    return { result: operation === "version.content" ? answered["content"] : answered };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, code } = error.problem;
    return { refused: { status, code } };
  }
}

async function answer(call: Call, operation: OperationName, input: Answer): Promise<Answer> {
  const other = byAnother[operation as keyof typeof byAnother]?.(input);
  const name = other?.[0] ?? toolOf(operation).name;
  const tool = toolNamed(name);
  const given = other?.[1] ?? underItsNames(tool, input);
  const brief = await call(name, { ...given, ...(tool.hasMore && { detail: "detailed" }) });
  const whole = await wholes[name]?.(call, given, brief);
  if (whole === undefined) {
    if (isPart(tool)) throw new Error(`${name} answers a part: add to \`wholes\` the tool that reads the rest`);
    return brief;
  }
  for (const [member, value] of Object.entries(brief)) {
    if (member !== "action" && member !== "content" && !isDeepStrictEqual(whole[member], value))
      throw new Error(`${name} answers ${JSON.stringify(value)} as ${member}, and is ${JSON.stringify(whole[member])}`);
  }
  return whole;
}

/** Whether the tool has no answer with every field that the operation always answers. */
function isPart({ hasMore, output, operation }: Tool): boolean {
  const { required = [] } = operation.output as { readonly required?: readonly string[] };
  return hasMore !== true && required.some((field) => !(field in output.properties));
}

function toolOf(operation: OperationName): Tool {
  const tool = tools.find((each) => each.operation.name === operation);
  if (tool === undefined) throw new Error(`${operation} has no tool, and is not among those without one`);
  return tool;
}

function toolNamed(name: ToolName): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool;
}

/** Repeated here, independently of the service's own rules. */
const renamed: { readonly [Name in ToolName]?: Readonly<Record<string, string>> } = {
  get_artifact_content: { version: "versionNumber" },
  get_artifact_preview: { version: "versionNumber" },
  diff_artifact_versions: { from: "fromVersion", to: "toVersion" },
};

const underItsNames = ({ name }: Tool, input: Answer): Answer =>
  Object.fromEntries(Object.entries(input).map(([field, value]) => [renamed[name]?.[field] ?? field, value]));

type Whole = (call: Call, given: Answer, brief: Answer) => Promise<Answer>;

/** The first of a list, which is the newest. */
async function first(call: Call, tool: ToolName, given: Answer, list: string): Promise<Answer> {
  const answered = await call(tool, { ...given, limit: 1, detail: "detailed" });
  const [item] = answered[list] as Answer[];
  if (item === undefined) throw new Error(`${tool} lists nothing`);
  return item;
}

const newestVersion: Whole = (call, { artifactId }) =>
  first(call, "list_artifact_versions", { artifactId }, "versions");

const wholeArtifact: Whole = (call, _, { artifactId }) => call("get_artifact", { artifactId, detail: "detailed" });

const wholes: { readonly [Name in ToolName]?: Whole } = {
  create_project: async (call, _, { projectId }) => {
    const { projects } = await call("list_projects", { limit: 100, detail: "detailed" });
    return (projects as Answer[]).find((project) => project["projectId"] === projectId) ?? {};
  },
  create_artifact: async (call, _, { artifactId, action }) => {
    if (action !== "created") throw new Error(`it was ${String(action)}`);
    return call("get_artifact", { artifactId, detail: "detailed" });
  },
  update_artifact_details: wholeArtifact,
  undelete_artifact: async (call, given, brief) => {
    const { shareLinks } = await call("list_share_links", { artifactId: brief["artifactId"], limit: 100 });
    const isWorking = ({ revokedAt }: Answer) => revokedAt === null;
    const workingShareLinks = (shareLinks as Answer[]).filter(isWorking).length;
    return { ...(await wholeArtifact(call, given, brief)), workingShareLinks };
  },
  update_artifact: newestVersion,
  edit_artifact: newestVersion,
  restore_artifact_version: newestVersion,
  create_share_link: async (call, { artifactId }, { token, url }) => {
    const link = await first(call, "list_share_links", { artifactId }, "shareLinks");
    return { ...link, token, url };
  },
  get_artifact_content: async (call, given, brief) => {
    let { content, nextLine: startLine, nextColumn: startColumn } = brief;
    while (startLine !== undefined) {
      const page = await call("get_artifact_content", {
        ...given,
        startLine,
        ...(startColumn !== undefined && { startColumn }),
      });
      content = `${String(content)}${String(page["content"])}`;
      ({ nextLine: startLine, nextColumn: startColumn } = page);
    }
    return { ...brief, content };
  },
};
