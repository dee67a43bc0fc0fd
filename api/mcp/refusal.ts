// A refused tool call as text: what is wrong, in the caller's own names, and what to do next. Programs find the problem
// object of REST in `_meta`, because structured content must match the output's schema.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { AppError, type FieldError, type Problem } from "@plinth/contract/errors";
import { nameInTool, type Tool } from "@plinth/contract/mcp/tools";
import { invalid } from "@plinth/domain/input";

import { problemIn, type Exchange } from "./exchange.ts";

type Sent = Readonly<Record<string, unknown>>;

export const problemMeta = "plinth/problem";

export function refusalOf(exchange: Exchange, tool: Tool, sent: Sent, error: unknown): CallToolResult {
  const problem = problemIn(exchange, withNextStep(tool, asWritten(tool, sent, error)));
  return {
    content: [{ type: "text", text: refusalText(problem) }],
    isError: true,
    _meta: { [problemMeta]: problem },
  };
}

/** Faults of the arguments under the names that the caller wrote; any other error stays unchanged. */
function asWritten(tool: Tool, sent: Sent, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "invalid_request" || error.extra.errors === undefined)
    return error;
  const nameOf = ({ path }: FieldError) => (Object.hasOwn(sent, path) ? path : nameInTool(tool, path));
  return invalid(error.extra.errors.map((each) => ({ ...each, path: nameOf(each) })));
}

/** The advice is the same for what is hidden and what is missing. */
function withNextStep(tool: Tool, error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== "not_found" || error.extra.hint !== undefined) return error;
  const hint = nextStepOf(tool);
  return hint === null ? error : new AppError(error.code, error.message, { ...error.extra, hint });
}

function nextStepOf({ input: { properties } }: Tool): string | null {
  if ("artifactId" in properties && "projectSlug" in properties)
    return "Check artifactId with search_artifacts, and projectSlug with list_projects";
  if ("projectId" in properties) return "Send owner/project, or a projectId (prj_…) from list_projects";
  if ("projectSlug" in properties)
    return "Check ownerUsername and projectSlug with list_projects, or create the project with create_project";
  if ("shareLinkId" in properties) return "Send a shareLinkId (shr_…) from list_share_links";
  if ("ownerUsername" in properties) return "Check ownerUsername: leave it out for your own";
  if ("artifactId" in properties)
    return "Send its id (art_…), its URL, or owner/project/slug; search_artifacts finds artifacts";
  return null;
}

const shownMembers: ReadonlySet<string> = new Set([
  "type",
  "title",
  "status",
  "detail",
  "code",
  "requestId",
  "hint",
  "errors",
]);
/** Characters of a further member; longer ones are for programs. */
const shortest = 300;

export function refusalText(problem: Problem): string {
  const { code, detail, hint, errors = [], status, requestId } = problem;
  const members = Object.entries(problem)
    .filter(([name]) => !shownMembers.has(name))
    .map(([name, value]) => `- ${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .filter((line) => line.length <= shortest);
  return [
    `${code}: ${sentence(detail)}${hint === undefined ? "" : ` ${sentence(hint)}`}`,
    ...(errors.length > 1 || errors.some(({ line }) => line !== undefined) ? errors.map(faultLine) : []),
    ...members,
    ...(status >= 500 ? [`- requestId: ${requestId}`] : []),
  ].join("\n");
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`);

function faultLine({ path, message, line, column }: FieldError): string {
  const place = line === undefined ? "" : ` (line ${line}${column === undefined ? "" : `, column ${column}`})`;
  return `- ${path || "arguments"}: ${message}${place}`;
}
