// The MCP server of one exchange: Plinth computes the results, and the library implements the protocol.
import { Server, specTypeSchemas, type ServerContext } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { definitionOf, type ToolDefinition } from "@plinth/contract/mcp/definition";
import { tools, type Tool } from "@plinth/contract/mcp/tools";
import { missingScope } from "@plinth/domain/access/authenticate";
import { isPerson } from "@plinth/domain/access/principal";

import { callTool } from "./call-tool.ts";
import { callerOf, type Attempted, type Exchange } from "./exchange.ts";
import { getPrompt, prompts } from "./prompts.ts";
import { personAsked } from "./public-consent.ts";
import { complete, listResources, readResource, resourceTemplates } from "./resources.ts";

/** Sent to every model that connects: at most 500 characters. */
export const instructions =
  "Plinth publishes text (md, html, jsx) at durable addresses owner/project/slug. To publish, call create_artifact " +
  "(list_projects shows where; create_project makes a place) and give people its url. To change something, never " +
  "publish it again under a new slug: edit_artifact replaces exact text, update_artifact sends the whole text, and the " +
  "address stays. Artifacts are private or public by their access object; share links open one. Errors carry code and hint.";

const { GetPromptRequestParams, PaginatedRequestParams, ReadResourceRequestParams, CompleteRequestParams } =
  specTypeSchemas;

const definitions = tools.map((tool) => ({ tool, definition: definitionOf(tool) }));

function isPermitted(exchange: Exchange, { operation }: Tool): boolean {
  const caller = callerOf(exchange);
  return caller !== null && missingScope(operation, caller) === undefined;
}

/** The tools that the caller's scopes permit. */
const definitionsFor = (exchange: Exchange): ToolDefinition[] =>
  definitions.filter(({ tool }) => isPermitted(exchange, tool)).map(({ definition }) => definition);

/** Names the tools that are not listed, with the way to get them: no model calls a tool that it does not know. */
function instructionsFor(exchange: Exchange): string {
  const caller = callerOf(exchange);
  const lacking = tools.filter((tool) => !isPermitted(exchange, tool)).map(({ name }) => name);
  if (caller === null || lacking.length === 0) return instructions;
  const remedy =
    isPerson(caller) && caller.kind === "oauth"
      ? "call one all the same, and the person is asked for it"
      : "they need a key with more scopes";
  return `${instructions} Not listed, because this permission lacks their scopes: ${lacking.join(", ")}; ${remedy}.`;
}

/** Milliseconds for which clients may cache responses that stay the same until the next release. */
const keptFor = 60 * 60_000;
const lasting = { ttlMs: keptFor, cacheScope: "public" } as const;
/** The tools depend on the credential's scopes. */
const own = { ttlMs: keptFor, cacheScope: "private" } as const;

const progressSince = "2026-07-28";

/** One is enough because it is never used, and creating it takes longer than a call. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const forCalls = { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} }, jsonSchemaValidator };
const forAll = {
  ...forCalls,
  cacheHints: {
    "tools/list": own,
    "prompts/list": lasting,
    "resources/templates/list": lasting,
    // Its instructions name the tools that the credential lacks.
    "server/discover": own,
  },
};

export function serverOf(exchange: Exchange): Server {
  const { publicUrl, version } = exchange.instance.config;
  const server = new Server(
    { name: "plinth", title: "Plinth", version, websiteUrl: publicUrl },
    exchange.onlyCalls ? forCalls : { ...forAll, instructions: instructionsFor(exchange) },
  );
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const call = callTool(exchange, params.name, {
      requestId: mcpReq.id,
      sent: params.arguments ?? {},
      person: personAsked(mcpReq),
      ...reporting(exchange, mcpReq),
    });
    exchange.calls.push(call);
    return call;
  });
  // The most frequent calls need nothing else, and each further handler costs time in every exchange.
  if (!exchange.onlyCalls) addOtherMethods(server, exchange);
  return server;
}

/** Progress comes on the stream of the answer, which only the revision of 2026 has here. */
function reporting(
  { revision }: Exchange,
  { _meta: meta, notify }: ServerContext["mcpReq"],
): Pick<Attempted, "report"> {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined || revision < progressSince) return {};
  return {
    report: (progress, total, message) =>
      notify({ method: "notifications/progress", params: { progressToken, progress, total, message } }),
  };
}

function addOtherMethods(server: Server, exchange: Exchange): void {
  // Each request gets its response: one cancelled request in a batch would delay the whole batch.
  server.setNotificationHandler("notifications/cancelled", () => undefined);
  // With its schema a method answers invalid parameters with that error (-32602); without it, the library reports an
  // internal failure.
  server.setRequestHandler("tools/list", { params: PaginatedRequestParams }, () => ({
    tools: definitionsFor(exchange),
  }));
  server.setRequestHandler("resources/list", { params: PaginatedRequestParams }, ({ cursor }) =>
    listResources(exchange, cursor),
  );
  server.setRequestHandler("resources/templates/list", { params: PaginatedRequestParams }, () => ({
    resourceTemplates,
  }));
  server.setRequestHandler("resources/read", { params: ReadResourceRequestParams }, ({ uri }) =>
    readResource(exchange, uri),
  );
  server.setRequestHandler("prompts/list", { params: PaginatedRequestParams }, () => ({ prompts: [...prompts] }));
  server.setRequestHandler("prompts/get", { params: GetPromptRequestParams }, ({ name, arguments: given }) =>
    getPrompt(name, given),
  );
  server.setRequestHandler("completion/complete", { params: CompleteRequestParams }, (params) =>
    complete(exchange, params),
  );
}
