// The scenario by MCP, with the protocol's own client: each action that has a tool is a call of it. Its answer is the
// operation's output in detail, what its text says, or what further tools read of the same.
import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import { createClient } from "@plinth/contract/client";
import { tools, type Tool, type ToolName, type ToolOperation } from "@plinth/contract/mcp/tools";
import { registry, type OperationName } from "@plinth/contract/registry";
import { detailedOf, factsOf, sourceOf, textOf } from "@plinth/support/mcp-text";

import type { Instance } from "../harness/instance.ts";
import { accessIn, diffIn } from "./mcp-answers.ts";
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
  return client;
}

type Call = (tool: ToolName, given: Answer) => Promise<CallToolResult>;

class Refused extends Error {
  readonly problem: { readonly status: number; readonly code: string };
  constructor(text: string, problem: unknown) {
    super(text);
    this.problem = problem as Refused["problem"];
  }
}

async function byTool(client: Client, { operation, input }: Action): Promise<Outcome> {
  const call: Call = async (name, given) => {
    const result = await client.callTool({ name, arguments: { ...given } });
    const { isError, content, _meta: meta } = result;
    const [said] = content;
    if (said?.type !== "text") throw new Error(`${name} says nothing`);
    if (isError) throw new Refused(said.text, meta?.["plinth/problem"]);
    return result;
  };
  try {
    return { result: await answer(call, operation, input) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { status, code } = error.problem;
    return { refused: { status, code } };
  }
}

async function answer(call: Call, operation: OperationName, input: Answer): Promise<unknown> {
  const other = byAnother[operation as keyof typeof byAnother]?.(input);
  const name = other?.[0] ?? toolOf(operation).name;
  const tool = toolNamed(name);
  const given = other?.[1] ?? underItsNames(tool, input);
  if (tool.hasMore) return detailed(call, name, given);
  const whole = wholes[name] ?? (tool.operation.output === registry["artifact.get"].output ? artifactNow : undefined);
  if (whole === undefined) throw new Error(`${name} has no detail: add to \`wholes\` how its answer is read`);
  return whole(call, given, await call(name, given));
}

const detailed = async (call: Call, name: ToolName, given: Answer): Promise<Answer> =>
  detailedOf(await call(name, { ...given, detail: "detailed" }));

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

type Whole = (call: Call, given: Answer, said: CallToolResult) => unknown;

/** The first of a list, which is the newest. */
async function first(call: Call, tool: ToolName, given: Answer, list: string): Promise<Answer> {
  const [item] = (await detailed(call, tool, { ...given, limit: 1 }))[list] as Answer[];
  if (item === undefined) throw new Error(`${tool} lists nothing`);
  return item;
}

/** What other tools read of the subject of an answer. @throws where the answer's text says another thing */
function agreed(said: CallToolResult, whole: Answer): Answer {
  const facts: Answer = { ...factsOf(said) };
  const wrong = ["url", "artifactId", "projectId", "shareLinkId", "versionNumber"].filter(
    (name) => name in whole && facts[name] !== undefined && facts[name] !== whole[name],
  );
  if (wrong.length > 0 || facts["url"] !== whole["url"])
    throw new Error(`the text says ${textOf(said)}, and it is ${JSON.stringify(whole)}`);
  return whole;
}

const newestVersion: Whole = async (call, { artifactId }, said) =>
  agreed(said, await first(call, "list_artifact_versions", { artifactId }, "versions"));

const wholeArtifact = async (call: Call, said: CallToolResult): Promise<Answer> =>
  agreed(said, await detailed(call, "get_artifact", { artifactId: factsOf(said).artifactId }));

/** Of a tool that answers with the artifact that it was given. */
const artifactNow: Whole = async (call, { artifactId }, said) =>
  agreed(said, await detailed(call, "get_artifact", { artifactId }));

const nothing: Whole = () => ({});

const wholes: { readonly [Name in ToolName]?: Whole } = {
  create_project: async (call, _, said) => {
    const { projects } = await detailed(call, "list_projects", { limit: 100 });
    const { projectId } = factsOf(said);
    return agreed(said, (projects as Answer[]).find((project) => project["projectId"] === projectId) ?? {});
  },
  create_artifact: (call, _, said) => {
    const { action } = factsOf(said);
    if (action !== "created") throw new Error(`it was ${String(action)}`);
    return wholeArtifact(call, said);
  },
  delete_artifact: nothing,
  undelete_artifact: async (call, _, said) => {
    const [, links] = / is restored, with (\d+) share links?: /.exec(textOf(said)) ?? [];
    return { ...(await wholeArtifact(call, said)), workingShareLinks: Number(links) };
  },
  get_artifact_access: (_call, _, said) => accessIn(textOf(said).split("\n")[0] ?? ""),
  set_artifact_access: (_call, _, said) => accessIn(textOf(said)),
  update_artifact: newestVersion,
  edit_artifact: newestVersion,
  restore_artifact_version: newestVersion,
  create_share_link: async (call, { artifactId }, said) => {
    const link = await first(call, "list_share_links", { artifactId }, "shareLinks");
    const { url = "" } = factsOf(said);
    return agreed(said, { ...link, token: url.split("/").at(-1), url });
  },
  revoke_share_link: nothing,
  diff_artifact_versions: (_call, { artifactId }, said) => ({ artifactId, ...diffIn(textOf(said), sourceOf(said)) }),
  get_artifact_content: async (call, given, said) => {
    let content = sourceOf(said);
    for (let { nextLine, nextColumn } = factsOf(said); nextLine !== undefined;) {
      const more = { startLine: nextLine, ...(nextColumn !== undefined && { startColumn: nextColumn }) };
      const page = await call("get_artifact_content", { ...given, ...more });
      content += sourceOf(page);
      ({ nextLine, nextColumn } = factsOf(page));
    }
    return content;
  },
};
