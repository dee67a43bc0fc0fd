// JSON Schemas of what commands print that is not an operation's answer. They hold no members but those named.

/** An object of exactly these members; those of `optional` may be missing. */
export const exactly = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

export const text = { type: "string" } as const;
export const textOrNull = { type: ["string", "null"] } as const;
/** That, or null. */
export const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

export const boolean = { type: "boolean" } as const;
export const yes = { const: true } as const;

/** Text as `--dry-run` shows it: no content, but what it is known by. */
export const requestShape = exactly({
  method: { enum: ["GET", "POST", "PATCH", "PUT", "DELETE"] },
  url: text,
  body: { type: ["object", "null"], description: "Content as {sizeBytes, sha256}" },
});

/** What `--dry-run` prints of a command that is one request. */
export const previewOutput = exactly({ dryRun: yes, request: requestShape });

/** The last line of standard error where a command failed and the format is json. */
export const errorOutput = exactly({
  error: {
    type: "object",
    description: "The problem of the REST API whole, or one of the client's own, and what to do",
    required: ["type", "title", "detail", "code", "exitCode", "retryable", "next"],
    properties: {
      type: text,
      title: text,
      detail: text,
      code: { type: "string", description: "One of errorCodes" },
      status: { type: "integer" },
      requestId: text,
      hint: text,
      errors: {
        type: "array",
        items: {
          type: "object",
          required: ["path", "message"],
          properties: { path: text, message: text, line: { type: "integer" }, column: { type: "integer" } },
        },
      },
      exitCode: { type: "integer" },
      retryable: boolean,
      next: { type: ["string", "null"], description: "The command to run next" },
    },
  },
});
