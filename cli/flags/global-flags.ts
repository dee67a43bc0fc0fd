// The flags that every command takes, anywhere on the line (docs/reference/experience.md §2).
import type { Flags } from "./flags.ts";

export type Format = "json" | "text";

export const formats = ["json", "text"] as const satisfies readonly Format[];

export const defaultBaseUrl = "http://localhost:3000";

export const globalFlags = {
  "base-url": {
    type: "string",
    valueHint: "url",
    env: "SERVICE_BASE_URL",
    description: `API address (${defaultBaseUrl})`,
  },
  "web-url": {
    type: "string",
    valueHint: "url",
    env: "SERVICE_WEB_URL",
    description: "Web address for signing in (the API's)",
  },
  token: {
    type: "string",
    valueHint: "token",
    env: "SERVICE_TOKEN",
    description: "Bearer token; others on this machine can see it on the line",
  },
  "token-stdin": { type: "boolean", description: "Read the token from standard input" },
  "share-token": {
    type: "string",
    valueHint: "token",
    env: "SERVICE_SHARE_TOKEN",
    description: "Token or address of a share link, sent beside the bearer token or alone",
  },
  "operator-token-file": {
    type: "string",
    valueHint: "path",
    description: "File with the operator token, for operator commands",
  },
  format: {
    type: "string",
    valueHint: "json|text",
    values: formats,
    env: "SERVICE_FORMAT",
    description: "Output: text on a terminal, else json",
  },
  ndjson: { type: "boolean", description: "Lists: one item a line, every page up to --limit" },
  field: { type: "string", valueHint: "name", description: "Print one raw value of the result, such as url" },
  jq: {
    type: "string",
    valueHint: "program",
    description: "Filter the JSON result with a jq program; text comes raw",
  },
  quiet: { type: "boolean", description: "No progress on standard error" },
  "no-input": { type: "boolean", env: "SERVICE_NO_INPUT", description: "Never prompt" },
  debug: { type: "boolean", env: "SERVICE_DEBUG", description: "Print stack traces" },
  "dry-run": { type: "boolean", description: "Send nothing, print the request" },
  check: { type: "boolean", description: "Check on the server without writing anything" },
  help: { type: "boolean", short: "h", description: "Explain the command" },
  version: { type: "boolean", description: "Print the client's version" },
} as const satisfies Flags;
