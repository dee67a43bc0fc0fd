// Generates OpenAPI 3.1 from the registry, for programs and code generators: resources are named schemas, and what only
// the pages of an instance use is left out. It does not know how an operation is carried out or served.
import type { TSchema } from "typebox";

import { errorCodes } from "./errors.ts";
import { listItems } from "./list-items.ts";
import { errorsOf } from "./operation-errors.ts";
import { bodyFields, hasBody, pathFields, successStatus, type Operation, acceptsShareToken } from "./operation.ts";
import { fieldWords, tagWords } from "./openapi/field-words.ts";
import { needsOf } from "./openapi/needs.ts";
import { problemSchemas, refusal, refusalName } from "./openapi/problem.ts";
import { refTo, Schemas, type Json } from "./openapi/schemas.ts";
import { operations } from "./registry.ts";
import { thumbnailStates } from "./schemas/artifact.ts";

interface About {
  readonly version: string;
  /** The public URL of the instance, without a trailing slash. */
  readonly publicUrl: string;
}

const sourceMedia = ["text/markdown", "text/html", "text/jsx"];

/** The operations that programs are told of. */
export const describedOperations = operations.filter((op) => !op.internal);

/** Describes the operations for programs; valid by the OpenAPI 3.1 schema. */
export function openApi({ version, publicUrl }: About) {
  const parts: Parts = { schemas: new Schemas(problemSchemas), parameters: sharedParameters(), responses: {} };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const op of describedOperations) {
    const path = op.path.replaceAll(/:(\w+)/g, "{$1}");
    (paths[path] ??= {})[op.method.toLowerCase()] = describe(op, parts);
  }
  parts.schemas.of(refTo("schemas", "Problem"));
  return {
    openapi: "3.1.0",
    info: {
      title: "Plinth",
      version,
      summary: "Publish markdown, html and jsx as immutable versions at durable addresses",
      description: about,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: publicUrl }],
    // Of every operation that says nothing else.
    security: bearer,
    tags: [...new Set(describedOperations.map(tagOf))].map((name) => ({ name, description: tagWords[name] })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key, agent token or login token" },
      },
      parameters: parts.parameters,
      responses: parts.responses,
      schemas: parts.schemas.components(),
    },
  };
}

const bearer = [{ bearer: [] }];

const about =
  "Where a path has `{artifactId}`, an address `owner/project/slug` with `%2F` for its slashes is accepted too. " +
  "An answer with an `ETag` is 304 to the same `If-None-Match`. To publish without overwriting a version that you have " +
  "not read, send `expectedLatestVersion`; a write with `If-Match` is refused. Every refusal is a `Problem`, whose `code` programs " +
  "can rely on and whose `hint` says what to do next. Lists have `nextCursor` for the next page, null on the last one. The header `x-request-id` of an answer " +
  "finds the request in the operator's log.";

interface Parts {
  readonly schemas: Schemas;
  readonly parameters: Record<string, Json>;
  readonly responses: Record<string, unknown>;
}

const tagOf = (op: Operation): string => op.name.split(".")[0] ?? op.name;

function describe(op: Operation, parts: Parts) {
  const query = hasBody(op) ? [] : bodyFields(op);
  const described = {
    operationId: op.name.replaceAll(".", "_"),
    tags: [tagOf(op)],
    summary: op.summary,
    description: [op.description, needsOf(op)].filter(Boolean).join(" "),
    ...(op.scope === null ? {} : { "x-scope": op.scope }),
    ...(op.caller === "anyone" && { security: [{}, ...bearer] }),
    parameters: [
      ...pathFields(op).map((name) => parameter(op, name, "path", parts)),
      ...query.map((name) => parameter(op, name, "query", parts)),
      ...(listItems(op) === null ? [] : [refTo("parameters", "Fields")]),
      ...(op.dryRun ? [refTo("parameters", "DryRun")] : []),
      ...(op.method === "POST" ? [refTo("parameters", "IdempotencyKey")] : []),
      ...(op.media === "source" ? rangeParameters : []),
      ...(acceptsShareToken(op) ? [refTo("parameters", "ShareToken")] : []),
    ],
    responses: { ...success(op, parts), ...refusals(op, parts) },
  };
  if (op.takes === "file")
    return { ...described, requestBody: { required: true, content: { "application/octet-stream": {} } } };
  if (!hasBody(op)) return described;
  return {
    ...described,
    requestBody: { required: true, content: { "application/json": { schema: body(op, parts) } } },
  };
}

const wordsOf = (op: Operation, name: string, schema: Json): unknown =>
  schema["description"] ?? fieldWords[`${op.name}.${name}`] ?? fieldWords[name];

/** A parameter; its description is its own, not its schema's. */
function parameter(op: Operation, name: string, place: "path" | "query", { schemas, parameters }: Parts): Json {
  const given = op.input.properties[name] as unknown as Json;
  const { description: _, ...schema } = schemas.of(given);
  const described = {
    name,
    in: place,
    ...((place === "path" || op.input.required?.includes(name)) && { required: true }),
    description: wordsOf(op, name, given),
    schema,
  };
  const held = place === "path" || sharedQuery.has(name) ? `${name[0]?.toUpperCase()}${name.slice(1)}` : null;
  if (held === null) return described;
  const known = (parameters[held] ??= described);
  return JSON.stringify(known) === JSON.stringify(described) ? refTo("parameters", held) : described;
}

/** Query parameters that lists share. */
const sharedQuery: ReadonlySet<string> = new Set(["limit", "cursor", "version", "since", "until", "author", "project"]);

function body(op: Operation, { schemas }: Parts): Json {
  const fields = bodyFields(op);
  const required = fields.filter((name) => op.input.required?.includes(name));
  const properties = fields.map((name) => {
    const schema = schemas.of(op.input.properties[name] as object);
    const description = wordsOf(op, name, schema);
    return [name, "$ref" in schema || description === undefined ? schema : { ...schema, description }];
  });
  // In the order of a resource's schema, which it is found by.
  const named = schemas.of({
    type: "object",
    required,
    properties: Object.fromEntries(fields.map((name) => [name, op.input.properties[name]])),
    additionalProperties: false,
  });
  if ("$ref" in named) return named;
  return {
    type: "object",
    additionalProperties: false,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties) as Json,
  };
}

const sharedParameters = (): Record<string, Json> => ({
  DryRun: {
    name: "dryRun",
    in: "query",
    description: "Make every check and answer with the would-be result, but write nothing",
    schema: { type: "boolean" },
  },
  Fields: {
    name: "fields",
    in: "query",
    description: "Only these members of each item: `url,title`",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: "The same key with the same body replays the first answer for 24 hours",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  ShareToken: {
    name: "x-share-token",
    in: "header",
    description: "The token of a share link, beside a credential or alone; one that opens nothing counts as absent",
    schema: { type: "string" },
  },
});

const rangeParameters = [
  {
    name: "Range",
    in: "header",
    description: "One range of bytes, such as `bytes=0-1023`",
    schema: { type: "string" },
  },
  {
    name: "If-Range",
    in: "header",
    description: "The ETag that the range is of; all is sent where it is another one",
    schema: { type: "string" },
  },
];

const stateHeader = {
  "x-thumbnail": { description: "Whether the picture is there", schema: { type: "string", enum: thumbnailStates } },
};

/** Its secrets are optional: the answer to a repetition of the request does not have them. */
function outputOf({ output, secrets = [] }: Operation): TSchema {
  const { required } = output as { readonly required?: readonly string[] };
  if (required === undefined || !secrets.some((name) => required.includes(name))) return output;
  return { ...output, required: required.filter((name) => !secrets.includes(name)) };
}

function success(op: Operation, { schemas, responses }: Parts): Record<string, unknown> {
  const status = successStatus(op);
  const output = schemas.of(outputOf(op));
  const json = { "application/json": { schema: output } };
  if (status === 204) {
    const done = { 204: { description: "Done" } };
    if (!op.dryRun) return done;
    responses["DryRun"] ??= { description: "Would succeed (dry run)", content: json };
    return { ...done, 200: refTo("responses", "DryRun") };
  }
  const text = (media: string[], schema: TSchema | object) =>
    Object.fromEntries(media.map((name) => [name, { schema }]));
  const content =
    op.media === "source"
      ? text(sourceMedia, output)
      : op.media === "diff"
        ? { ...json, ...text(["text/x-diff"], { type: "string" }) }
        : op.media === "events"
          ? text(["text/event-stream"], output)
          : op.media === "thumbnail"
            ? { "image/webp": {}, "image/svg+xml": {} }
            : op.media === "archive"
              ? { "application/zip": {} }
              : op.media === "file"
                ? { "application/octet-stream": {} }
                : json;
  const created = {
    [status]: {
      description: "Success",
      ...(op.media === "thumbnail" && { headers: stateHeader }),
      content,
    },
  };
  if (op.media === "source") {
    const unsatisfiable = { description: "`Range` begins after the end" };
    return { ...created, 206: { description: "The bytes of `Range`", content }, 416: unsatisfiable };
  }
  if (op.upserts) return { ...created, 201: { description: "Created", content } };
  return op.dryRun && status !== 200
    ? { ...created, 200: { description: "Would succeed (dry run)", content } }
    : created;
}

function refusals(op: Operation, { responses }: Parts): Record<string, unknown> {
  const byStatus = Map.groupBy(errorsOf(op), (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = refusalName(codes);
      responses[name] ??= refusal(codes);
      return [status, refTo("responses", name)];
    }),
  );
}
