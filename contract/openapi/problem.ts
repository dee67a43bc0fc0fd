// The refusals in OpenAPI: the typed problem, and one response for each set of codes that operations share.
import { errorCodes, type ErrorCode } from "../errors.ts";
import { Actor } from "../schemas/actor.ts";
import { ArtifactId, Time } from "../schemas/text.ts";
import { refTo, type Json } from "./schemas.ts";

const string = (description?: string) => ({ type: "string", ...(description !== undefined && { description }) });
const integer = (description?: string) => ({ type: "integer", ...(description !== undefined && { description }) });
const object = (properties: Json, description?: string) => ({
  type: "object",
  required: Object.keys(properties),
  properties,
  ...(description !== undefined && { description }),
});

/** One fault of one field. */
const FieldError = {
  type: "object",
  required: ["path", "message"],
  properties: {
    path: string("The field, as the caller wrote it: `access.viewerEmails.0`"),
    message: string(),
    line: integer("Of the source"),
    column: integer(),
    unknownImport: object(
      { module: string(), suggestion: { type: ["string", "null"] } },
      "A module that jsx cannot import, and the nearest one that it can",
    ),
  },
};

/** Every member that an error can have (docs/reference/contract.md §2, "Errors"); `code` says which ones to expect. */
const Problem = {
  type: "object",
  required: ["type", "title", "status", "detail", "code", "requestId"],
  properties: {
    type: { type: "string", format: "uri", description: "The page of the code" },
    title: string(),
    status: integer(),
    detail: string("What was wrong this time"),
    code: { type: "string", enum: Object.keys(errorCodes) },
    requestId: string("Finds the request in the operator's log"),
    hint: string("What to do next"),
    errors: { type: "array", items: FieldError, description: "invalid_request, invalid_source" },
    artifactId: ArtifactId,
    suggestion: string("slug_conflict: a slug that is free"),
    expectedLatestVersion: integer("version_conflict: as it was sent"),
    latestVersion: integer("version_conflict"),
    changedBy: Actor,
    changedAt: Time,
    versionNumber: integer("version_expired"),
    prunedAt: Time,
    requiredScope: string("insufficient_scope"),
    entitlement: string("plan_required: what the plan does not include"),
    requiredPlan: string("plan_required"),
    upgradeUrl: { type: "string", format: "uri", description: "plan_required" },
    seats: object({ used: integer(), limit: integer() }, "seat_limit_reached"),
    usedBytes: integer("storage_limit_reached"),
    limitBytes: integer("content_too_large, storage_limit_reached"),
    retryAfterSeconds: integer("rate_limited, busy, unavailable"),
    modules: {
      type: "array",
      items: string(),
      description: "With an unknown import: what jsx can import. One that ends in * stands for all that begin so",
    },
    modulesUrl: { type: "string", format: "uri", description: "The page of these modules" },
  },
};

export const problemSchemas: Readonly<Record<string, Json>> = { FieldError, Problem };

const pascal = (code: string): string =>
  code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The name of the response that has one of these codes. */
export const refusalName = (codes: readonly ErrorCode[]): string => codes.toSorted().map(pascal).join("Or");

/** The response with one of these codes. */
export const refusal = (codes: readonly ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join("; "),
  content: { "application/problem+json": { schema: refTo("schemas", "Problem") } },
});
