// Defects of the HTTP request around a message: headers, the bytes of the body, credentials, methods.
import * as fc from "fast-check";

import { textOf, type Draft } from "./mcp-draft.ts";
import { done, family, type Family } from "./mcp-family.ts";
import { isModern } from "./mcp-messages.ts";
import * as say from "./mcp-expectations.ts";
import type { Expected } from "./mcp-expectations.ts";

/** A header, with one of these lists of values. */
const header = (
  base: Family["base"],
  name: string,
  values: readonly (readonly string[])[],
  expected: (draft: Draft) => Expected,
): Family =>
  family(base, fc.constantFrom(...values), (draft, given) => {
    draft.headers.set(name, given);
    return expected(draft);
  });

const each = (...values: readonly string[]): string[][] => values.map((value) => [value]);

const strayHeaders = "mcp-session-id last-event-id x-share-token x-request-id cookie user-agent mcp-param-x".split(" ");

/** One of these bodies. */
const body = (texts: readonly string[], expected: Expected): Family =>
  family("any", fc.constantFrom(...texts), (draft, text) => {
    draft.body = Buffer.from(text);
    return expected;
  });

/** An earlier revision does not know the header. */
const mismatch = (draft: Draft): Expected => (isModern(draft.revision) ? say.headerMismatch : done(draft));

export const http: Readonly<Record<string, Family>> = {
  accept: header("any", "accept", [[], ...each("application/json", "text/event-stream", "*/*")], done),

  foreignAccept: header("any", "accept", each("text/html"), (draft) =>
    isModern(draft.revision) ? done(draft) : say.transportRefuses(406),
  ),

  contentType: header(
    "any",
    "content-type",
    [[], ...each("text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json", "json")],
    () => say.transportRefuses(415),
  ),

  goodContentType: header("any", "content-type", each("application/json; charset=utf-8", "Application/JSON"), done),

  version: header(
    "tool",
    "mcp-protocol-version",
    [
      ...each("1999-01-01", "nonsense", "9".repeat(6000)),
      ...[
        ["2026-07-28", "2025-11-25"],
        ["2025-11-25", "2025-11-25"],
      ],
    ],
    () => ({ statuses: [400], codes: [-32_000, -32_020, -32_022, -32_602] }),
  ),

  method: header("tool", "mcp-method", [[], ["tools/call", "tools/call"], ...each("tools/list", "\xff", "")], mismatch),

  name: header("tool", "mcp-name", [[], ["whoami", "whoami"], ...each("nope", "\xff", "", "=?base64?!?=")], mismatch),

  stray: family(
    "any",
    fc.tuple(fc.constantFrom(...strayHeaders), fc.constantFrom("", "x", "\xff\xfe", "a".repeat(6000), "../..", ",,,")),
    (draft, [name, value]) => {
      draft.headers.set(name, [value]);
      return done(draft);
    },
  ),

  idempotencyKey: header("tool", "idempotency-key", each("", "x".repeat(256), "\xff", "x".repeat(6000)), ({ id }) => ({
    statuses: [200],
    problem: "maybe",
    id,
  })),

  truncated: family("any", fc.double({ min: 0, max: 0.999, noNaN: true }), (draft, share) => {
    const whole = Buffer.from(textOf(draft));
    draft.body = whole.subarray(0, Math.floor(whole.length * share));
    return say.parseError;
  }),

  notUtf8: family(
    "any",
    fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0xff, 0xc0, 0xfe)),
    (draft, [share, byte]) => {
      const whole = Buffer.from(textOf(draft));
      const at = Math.floor(whole.length * share);
      draft.body = Buffer.concat([whole.subarray(0, at), Buffer.from([byte]), whole.subarray(at)]);
      return say.parseError;
    },
  ),

  encoding: family("any", fc.constantFrom("gzip", "br, gzip", "nonsense", "identity, gzip"), (draft, value) => {
    draft.headers.set("content-encoding", [value]);
    draft.body = Buffer.from(Bun.gzipSync(textOf(draft)));
    return say.parseError;
  }),

  notJson: body(["", " ", "{", "nul", "NaN", "{'a':1}", '{"a":1,}', "//\n{}", "\0"], say.parseError),

  noMessage: body(["1", "null", '"x"', "true", "{}", "\uFEFF{}", "[[]]", "[]", "[1,2]"], say.invalidRequest),

  anyBytes: family("any", fc.uint8Array({ minLength: 1, maxLength: 200 }), (draft, bytes) => {
    draft.body = Buffer.from(bytes);
    return { statuses: [400], codes: [-32_700, -32_600] };
  }),

  credential: header(
    "any",
    "authorization",
    [[], ...each("", "Bearer", "Bearer ", "Basic Og==", "Bearer plk_x", "Bearer \xff")],
    () => say.problem(401, "unauthenticated"),
  ),

  spentCredential: family("any", fc.constant(null), (draft) => {
    draft.headers.set("authorization", [`Bearer ${draft.spent}`]);
    return say.problem(401, "unauthenticated");
  }),

  twoCredentials: family("any", fc.constantFrom("Bearer plk_x", "Basic Og=="), (draft, other) => {
    draft.headers.set("authorization", [...(draft.headers.get("authorization") ?? []), other]);
    return say.problem(401, "unauthenticated");
  }),

  origin: header(
    "any",
    "origin",
    each("https://evil.example", "null", "http://127.0.0.1.evil.example", "file://", "http://", "x"),
    () => say.problem(403, "forbidden"),
  ),

  httpMethod: family("any", fc.constantFrom("GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"), (draft, method) => {
    draft.method = method;
    if (method === "OPTIONS") return { statuses: [204], isSilent: true };
    return method === "HEAD" ? { statuses: [405], isSilent: true } : say.transportRefuses(405);
  }),
};
