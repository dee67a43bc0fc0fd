// `plinth api`: any route of the REST API with the caller's credential, for what no command does.
import { errorCodes, type ErrorCode } from "@plinth/contract/errors";

import type { Command } from "../command/command.ts";
import type { Flags } from "../flags/flags.ts";

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

const flags = {
  method: {
    type: "string",
    short: "X",
    valueHint: "method",
    values: methods,
    description: "Method (GET, and POST with a body)",
  },
  set: {
    type: "string",
    short: "f",
    valueHint: "name=value",
    multiple: true,
    description: "A member of the body, or of the query of a GET: JSON, else text; repeatable",
  },
  json: { type: "string", valueHint: "body", description: "The body: literal, @file or -" },
  header: { type: "string", short: "H", valueHint: "name:value", multiple: true, description: "A header; repeatable" },
  paginate: { type: "boolean", description: "Follow nextCursor to the last page of a list" },
} as const satisfies Flags;

export const apiCommand: Command = {
  path: "api",
  summary: "Call a route of the REST API with your credential",
  description: "The answer is printed as it came. The routes are in the API reference (/docs) and /api/openapi.json.",
  flags,
  positionals: { name: "path", description: "Such as /api/profile/me, or the URL of a route of this instance" },
  stdin: "the body (--json -)",
  effect: "update",
  idempotent: false,
  checkable: false,
  confirm: false,
  operation: null,
  previews: true,
  output: { type: ["object", "string"], description: "The answer" },
  errors: ["unauthenticated", "token_expired", "input_needed", ...(Object.keys(errorCodes) as ErrorCode[])],
  textOutput: "JSON, or the bytes of an answer that is none",
  examples: [
    "plinth api /api/profile/me --jq .username",
    "plinth api /api/projects -f slug=notes -f title=Notes -f icon=📝",
    "plinth api /api/profile/artifacts --paginate --jq '.artifacts[].url'",
  ],
  run: async (context, values) => (await import("../raw-api/run.ts")).callApi(context, values),
};
