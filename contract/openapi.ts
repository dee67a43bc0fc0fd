// Generates OpenAPI 3.1 from the registry. It does not know how an operation is carried out or served.
import type { TSchema } from "typebox";

import { errorCodes } from "./errors.ts";
import { errorsOf } from "./operation-errors.ts";
import { bodyFields, hasBody, pathFields, successStatus, type Operation, takesShareToken } from "./operation.ts";
import { operations } from "./registry.ts";
import { thumbnailStates } from "./schemas/artifact.ts";

interface About {
  readonly version: string;
  /** The public URL of the instance, without a trailing slash. */
  readonly publicUrl: string;
}

const sourceMedia = ["text/markdown", "text/html", "text/jsx"];

/** Describes every operation of the registry; valid by the OpenAPI 3.1 schema. */
export function openApi({ version, publicUrl }: About) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const op of operations) {
    const path = op.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[op.method.toLowerCase()] = describe(op);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Plinth",
      version,
      summary: "Publish markdown, html and jsx as immutable versions at durable addresses",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key, agent token or login token" },
      },
      schemas: { Problem: problemSchema },
    },
  };
}

const tagOf = (op: Operation): string => op.name.split(".")[0] ?? op.name;

function describe(op: Operation) {
  const path = pathFields(op);
  const rest = bodyFields(op);
  const required = new Set(op.input.required);
  const parameters = path.map((name) => ({ name, in: "path", required: true, schema: op.input.properties[name] }));
  const query = hasBody(op) ? [] : rest;
  const described = {
    operationId: op.name.replaceAll(".", "_"),
    tags: [tagOf(op)],
    summary: op.summary,
    ...(op.description === undefined ? {} : { description: op.description }),
    ...(op.scope === null ? {} : { "x-scope": op.scope }),
    security: op.caller === "anyone" ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: [
      ...parameters,
      ...query.map((name) => ({ name, in: "query", required: required.has(name), schema: op.input.properties[name] })),
      ...(op.dryRun ? [dryRunParameter] : []),
      ...(op.method === "POST" ? [idempotencyParameter] : []),
      ...(takesShareToken(op) ? [shareTokenParameter] : []),
    ],
    responses: { ...success(op), ...refusals(op) },
  };
  if (!hasBody(op)) return described;
  const schema = {
    type: "object",
    additionalProperties: false,
    required: rest.filter((name) => required.has(name)),
    properties: Object.fromEntries(rest.map((name) => [name, op.input.properties[name]])),
  };
  return { ...described, requestBody: { required: true, content: { "application/json": { schema } } } };
}

const dryRunParameter = {
  name: "dryRun",
  in: "query",
  description: "Make every check and answer with the would-be result, but write nothing",
  schema: { type: "boolean" },
};

const idempotencyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description: "The same key with the same body replays the first answer for 24 hours",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const shareTokenParameter = {
  name: "x-share-token",
  in: "header",
  description: "The token of a share link, beside a credential or alone; one that opens nothing counts as absent",
  schema: { type: "string" },
};

const stateHeader = { "x-thumbnail": { schema: { type: "string", enum: thumbnailStates } } };

function success(op: Operation): Record<string, unknown> {
  const status = successStatus(op);
  const headers = { "x-request-id": { schema: { type: "string" } } };
  if (status === 204) return { 204: { description: "Done", headers } };
  const json = { "application/json": { schema: op.output } };
  const text = (media: string[], schema: TSchema | object) =>
    Object.fromEntries(media.map((name) => [name, { schema }]));
  const content =
    op.media === "source"
      ? text(sourceMedia, op.output)
      : op.media === "diff"
        ? { ...json, ...text(["text/x-diff"], { type: "string" }) }
        : op.media === "events"
          ? text(["text/event-stream"], op.output)
          : op.media === "thumbnail"
            ? { "image/webp": {}, "image/svg+xml": {} }
            : op.media === "archive"
              ? { "application/zip": {} }
              : json;
  const created = {
    [status]: {
      description: "Success",
      headers: { ...headers, ...(op.media === "thumbnail" && stateHeader) },
      content,
    },
  };
  return op.dryRun && status !== 200
    ? { ...created, 200: { description: "Would succeed (dry run)", headers, content } }
    : created;
}

function refusals(op: Operation): Record<string, unknown> {
  const byStatus = Map.groupBy(errorsOf(op), (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join("; "),
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

const problemSchema = {
  type: "object",
  required: ["type", "title", "status", "detail", "code", "requestId"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    detail: { type: "string" },
    code: { type: "string", enum: Object.keys(errorCodes) },
    requestId: { type: "string" },
    hint: { type: "string", description: "What to do next" },
    modules: {
      type: "array",
      items: { type: "string" },
      description: "With an unknown import: what jsx can import. One that ends in * stands for all that begin so",
    },
    modulesUrl: { type: "string", description: "The page of these modules" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: {
          path: { type: "string" },
          message: { type: "string" },
          line: { type: "integer" },
          column: { type: "integer" },
          unknownImport: {
            type: "object",
            description: "A module that jsx cannot import, and the nearest one that it can",
            required: ["module", "suggestion"],
            properties: { module: { type: "string" }, suggestion: { type: ["string", "null"] } },
          },
        },
      },
    },
  },
};
