// The pages of the error codes: a table of all, and one page for each, to which a problem's `type` leads.
import { errorWords } from "@plinth/contract/error-words";
import { AppError, errorCodes, toProblem, type ErrorCode } from "@plinth/contract/errors";
import { describedOperations } from "@plinth/contract/openapi";
import { errorsOf } from "@plinth/contract/operation-errors";

import type { SourcePage } from "./contents.ts";
import { operationUrl, table } from "./rest-pages.ts";

const codes = Object.keys(errorCodes) as ErrorCode[];
const instance = "https://plinth.example.com";
/** Codes of so many operations are not listed. */
const listed = 12;

export function errorPages(): SourcePage[] {
  return [
    { path: "errors", label: "Error codes", isOfInstance: true, markdown: overview() },
    ...codes.map((code) => ({
      path: `errors/${code}`,
      label: code,
      isOfInstance: true as const,
      isUnlisted: true as const,
      markdown: page(code),
    })),
  ];
}

const overview = (): string =>
  [
    "# Error codes",
    "A refused request is answered with a problem object (RFC 9457, `application/problem+json`). `code` never changes, so " +
      "programs can rely on it. `detail` says what was wrong this time, `hint` what to do next, and `errors` names each " +
      "field. `requestId` finds the request in the operator's log.",
    `\`\`\`json\n${example("slug_conflict", "The slug week-47 is taken in ada/reports")}\n\`\`\``,
    'MCP returns the same object as `_meta["plinth/problem"]`, and the command line prints it as `{"error": {…}}`; its ' +
      "exit codes are in [Command line](/docs/cli#exit-codes).",
    table(
      ["Code", "Status", "Meaning", "What to do"],
      codes.map((code) => [
        `[\`${code}\`](/docs/errors/${code})`,
        String(errorCodes[code].status),
        errorWords[code].meaning,
        errorWords[code].next,
      ]),
    ),
  ].join("\n\n");

function page(code: ErrorCode): string {
  const { status, title } = errorCodes[code];
  const { meaning, next } = errorWords[code];
  const operations = describedOperations.filter((op) => errorsOf(op).includes(code));
  return [
    `# ${title}`,
    `Status ${status}, code \`${code}\`. ${meaning}`,
    "## What to do",
    next,
    "The answer's `detail` says what was wrong this time, `hint` what to do next, and `errors` names each field. Its " +
      "`requestId` finds the request in the operator's log.",
    ...(operations.length === 0 || operations.length > listed
      ? []
      : [
          "## Operations that answer it",
          operations.map((op) => `- [${op.summary}](${operationUrl(op)}) \`${op.method} ${op.path}\``).join("\n"),
        ]),
    "[All error codes](/docs/errors)",
  ].join("\n\n");
}

const example = (code: ErrorCode, detail: string): string =>
  JSON.stringify(
    toProblem(new AppError(code, detail, { suggestion: "week-47-2" }), "0f6f2d0c9b7e4e5f", instance),
    null,
    2,
  );
