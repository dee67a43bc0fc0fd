// `bun run docs:mcp`: generates docs/mcp.md from the endpoint's tools. It knows no tool.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { claudeCodeLine } from "../contract/guides/connect.ts";
import { idempotencyHours } from "../contract/limits.ts";
import { definitionOf } from "../contract/mcp/definition.ts";
import { tools, type Tool } from "../contract/mcp/tools.ts";
import { oauthPaths } from "../contract/oauth.ts";
import { scopesOf } from "../contract/operation.ts";
import { table } from "./markdown-table.ts";
import { root } from "./step.ts";

export const mcpReferencePath = join(root, "docs/mcp.md");

/** The whole page. */
export const mcpReference = (): string =>
  [
    "# MCP",
    "Written by `bun run docs:mcp` from the tools that the endpoint serves. Each tool is an operation of the REST API, " +
      "checked, authorized and audited as there.",
    "- [Connecting](#connecting)\n- [The protocol](#the-protocol)\n- [Authorization](#authorization)\n- [Web pages](#web-pages)\n" +
      "- [Answers and refusals](#answers-and-refusals)\n- [Doing it once](#doing-it-once)\n- [Prompts and questions](#prompts-and-questions)\n- [In the chat](#in-the-chat)\n- [Resources](#resources)\n- [Tools](#tools)",
    "## Connecting",
    "The address is `<PUBLIC_URL>/mcp`. The page **Settings → Connect** of an instance (`/settings/connect`) has the line or " +
      "link for Claude Code, Codex, Cursor, VS Code and Claude, and says when the program has arrived. In short:",
    ["```sh", claudeCodeLine("https://plinth.example.com"), "```"].join("\n"),
    "Agents that look for themselves find `/llms.txt`, `/AGENTS.md` and `/.well-known/mcp.json`; `/SKILL.md` is a skill for a coding agent's skills folder.",
    "## The protocol",
    "Streamable HTTP without sessions: each `POST` stands for itself, and any process of an instance may answer it. `GET` and " +
      "`DELETE` are answered 405. Revisions 2026-07-28, 2025-11-25, 2025-06-18 and 2025-03-26 are served at the same " +
      "address, with the same tools and the same results.",
    "## Authorization",
    [
      "- Every request needs a bearer token: an API key, an agent's or login token, or an OAuth access token of this instance " +
        "for this resource. Cookies are not read.",
      "- Without one the answer is 401, and `WWW-Authenticate` names the scopes and " +
        `\`${oauthPaths.resourceMetadata}/mcp\` (RFC 9728), from which clients find the authorization server (RFC 8414), ` +
        "register themselves (RFC 7591) or are named by the URL of their metadata document, and open the browser (OAuth 2.1 with PKCE and resource indicators).",
      "- `tools/list` has the tools that the token's scopes permit.",
      "- A tool whose scope an OAuth token lacks is answered 403 with `insufficient_scope` and the scope in the challenge, so " +
        "that a client can ask for more; the body is the tool's own refusal. Of another token the refusal is answered 200.",
      "- A client is answered at https addresses, at ports of the person's own computer, and at an app's own scheme " +
        "([the known ones](decisions/identity-and-oauth.md#schemes-known-by-name)).",
      "- Each person sees what acts for them under **Settings → Agents**, and ends it there. The audit log has the surface " +
        "`mcp` and what the program calls itself.",
    ].join("\n"),
    "## Web pages",
    "Programs send no `Origin`. A page in a browser may speak to the endpoint from this instance's own host, from this " +
      "computer, and from the hosts in `MCP_ALLOWED_ORIGINS`; any other is refused 403. A `Host` that is not this instance's " +
      "is refused 421 (DNS rebinding).",
    "## Answers and refusals",
    [
      "- A result is text, and for a screenshot an image. There is no structured content and no output schema, because some " +
        "clients hand a model the structured content in place of the text " +
        "([why](decisions/mcp.md#results-are-text)).",
      "- The first part begins with the address and has every fact to go on with: ids, version numbers, in lists one line " +
        "for each item. A source text or a comparison is the second part, exactly as it is. Lists are ten items long " +
        "unless `limit` says otherwise; their last line has the `cursor` of the next page.",
      '- Where a tool takes `detail`, `"detailed"` answers all that REST does, as JSON in one part and nothing else.',
      "- A refusal of a tool is a result with `isError`. Its text is `code: detail. hint.`, then a line for each field at " +
        'fault. For programs `_meta["plinth/problem"]` is the problem object of the REST API. Error pages are under ' +
        "`/docs/errors/` of an instance.",
      "- A number, a boolean or a list may be sent as text, and one object for a list of one. Fields that a tool calls " +
        "otherwise than REST (`versionNumber`, `fromVersion`) are taken by both names.",
    ].join("\n"),
    "## Doing it once",
    "A write is done once where a client sends the same request again: under the same request id, with the same arguments, " +
      `within 30 seconds; within ${idempotencyHours} hours where the id is a text of 16 characters or more, or where the ` +
      "request has an `Idempotency-Key`.",
    "## Prompts and questions",
    "`publish_report` (`topic`, `address`, `readers`) tells a model how to publish a report at an address that stays. Before " +
      "an artifact becomes public, `create_artifact` and `set_artifact_access` ask the person: a client that declares " +
      "`elicitation` in a request of 2026-07-28 is answered `input_required` with a form, and sends the call again with the " +
      "answer. Other clients are not asked.",
    "## In the chat",
    "Tools that publish, preview or compare name the page `ui://plinth/artifact` (MCP Apps, `_meta.ui.resourceUri`). A host " +
      "frames it and gives it the result; it shows the address, the screenshot and the changed lines. Of a publish, " +
      '`_meta["plinth/app"]` has the `artifactId` whose preview it asks for.',
    "## Resources",
    "A version is `artifact://{artifactId}/v/{n}`: its source text, which never changes. The list has the newest versions of " +
      "the artifacts of your workspaces; both arguments of the template are completed.",
    "## Tools",
    "Where a tool takes `artifactId`, an address or `owner/project/slug` will do.",
    table(
      ["Tool", "What it is for"],
      tools.map(({ name, title }) => [`[\`${name}\`](#${name})`, title]),
    ),
    ...tools.map(section),
  ].join("\n\n") + "\n";

function section(tool: Tool): string {
  const { operation } = tool;
  const { description, inputSchema, annotations } = definitionOf(tool);
  const scopes = scopesOf(operation);
  const effect = annotations.readOnlyHint
    ? "reads"
    : [
        "writes",
        ...(annotations.destructiveHint ? ["may destroy"] : []),
        ...(annotations.idempotentHint ? ["once however often"] : []),
      ].join(", ");
  return [
    `### ${tool.name}`,
    description,
    [
      `- REST: \`${operation.method} ${operation.path}\``,
      `- Scope: ${scopes.length === 0 ? "none" : scopes.map((scope) => `\`${scope}\``).join(" and ")}`,
      `- Effect: ${effect}`,
    ].join("\n"),
    ...inputTable(inputSchema),
  ].join("\n\n");
}

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const propertiesOf = (schema: Schema) => schema.properties ?? {};

function inputTable(schema: Schema): string[] {
  const rows = Object.entries(propertiesOf(schema)).map(([name, field]) => [
    `\`${name}\`${schema.required?.includes(name) ? " (required)" : ""}`,
    typeOf(field),
    field.description ?? "",
  ]);
  return rows.length === 0 ? [] : [table(["Argument", "Type", "What it says"], rows)];
}

function typeOf({ type, enum: values, items, properties, anyOf }: Schema): string {
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(", ");
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ");
  if (items !== undefined) return `list of ${typeOf(items)}`;
  if (properties !== undefined) return `{ ${Object.keys(properties).join(", ")} }`;
  return [type ?? "anything"].flat().join(" or ");
}

if (import.meta.main) writeFileSync(mcpReferencePath, mcpReference());
