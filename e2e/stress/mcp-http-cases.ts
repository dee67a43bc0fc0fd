// Defects of the HTTP request around a message: headers, the bytes of the body, credentials, methods.
import * as fc from "fast-check";

import { textOf, type Draft } from "./mcp-draft.ts";
import { done, family, type Family } from "./mcp-family.ts";
import { isModern } from "./mcp-messages.ts";
import * as say from "./mcp-expectations.ts";

const set = ({ headers }: Draft, header: string, values: readonly string[]): void => void headers.set(header, values);

export const http: Readonly<Record<string, Family>> = {
  accept: family(
    "any",
    fc.constantFrom("application/json", "text/event-stream", "text/html", "*/*", ""),
    (draft, value) => {
      set(draft, "accept", value === "" ? [] : [value]);
      return isModern(draft.revision) ? done(draft) : say.transportRefuses(406);
    },
  ),

  contentType: family(
    "any",
    fc.constantFrom("", "text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json", "json"),
    (draft, value) => {
      set(draft, "content-type", value === "" ? [] : [value]);
      return say.transportRefuses(415);
    },
  ),

  goodContentType: family(
    "any",
    fc.constantFrom("application/json; charset=utf-8", "Application/JSON"),
    (draft, value) => {
      set(draft, "content-type", [value]);
      return done(draft);
    },
  ),

  version: family(
    "tool",
    fc.constantFrom(
      ["1999-01-01"],
      ["nonsense"],
      ["2026-07-28", "2025-11-25"],
      ["2025-11-25", "2025-11-25"],
      ["9".repeat(6000)],
    ),
    (draft, values) => {
      set(draft, "mcp-protocol-version", values);
      return { statuses: [400], codes: [-32_000, -32_020, -32_022, -32_602] };
    },
  ),

  method: family(
    "tool",
    fc.constantFrom([], ["tools/list"], ["tools/call", "tools/call"], ["\xff"], [""]),
    (draft, values) => {
      set(draft, "mcp-method", values);
      return isModern(draft.revision) ? say.headerMismatch : done(draft);
    },
  ),

  name: family(
    "tool",
    fc.constantFrom([], ["nope"], ["whoami", "whoami"], ["\xff"], [""], ["=?base64?!?="]),
    (draft, values) => {
      set(draft, "mcp-name", values);
      return isModern(draft.revision) ? say.headerMismatch : done(draft);
    },
  ),

  stray: family(
    "any",
    fc.constantFrom(
      ...[
        "mcp-session-id",
        "last-event-id",
        "x-share-token",
        "x-request-id",
        "cookie",
        "user-agent",
        "mcp-param-x",
      ].flatMap((header) =>
        ["", "x", "\xff\xfe", "a".repeat(6000), "../..", ",,,"].map((value) => [header, value] as const),
      ),
    ),
    (draft, [header, value]) => {
      set(draft, header, [value]);
      return done(draft);
    },
  ),

  idempotencyKey: family("tool", fc.constantFrom("", "x".repeat(256), "\xff", "x".repeat(6000)), (draft, value) => {
    set(draft, "idempotency-key", [value]);
    return { statuses: [200], problem: "maybe", id: draft.id };
  }),

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
    set(draft, "content-encoding", [value]);
    draft.body = Buffer.from(Bun.gzipSync(textOf(draft)));
    return say.parseError;
  }),

  notJson: family(
    "any",
    fc.constantFrom("", " ", "{", "nul", "NaN", "{'a':1}", '{"a":1,}', "//\n{}", "\0"),
    (draft, text) => {
      draft.body = Buffer.from(text);
      return say.parseError;
    },
  ),

  noMessage: family(
    "any",
    fc.constantFrom("1", "null", '"x"', "true", "{}", "\uFEFF{}", "[[]]", "[]", "[1,2]"),
    (draft, text) => {
      draft.body = Buffer.from(text);
      return say.invalidRequest;
    },
  ),

  anyBytes: family("any", fc.uint8Array({ minLength: 1, maxLength: 200 }), (draft, bytes) => {
    draft.body = Buffer.from(bytes);
    return { statuses: [400], codes: [-32_700, -32_600] };
  }),

  credential: family(
    "any",
    fc.constantFrom(
      [],
      [""],
      ["Bearer"],
      ["Bearer "],
      ["Basic Og=="],
      ["Bearer plk_x"],
      ["Bearer \xff"],
      ["Bearer spent"],
    ),
    (draft, values) => {
      set(
        draft,
        "authorization",
        values.map((value) => value.replace("spent", draft.spent)),
      );
      return say.problem(401, "unauthenticated");
    },
  ),

  twoCredentials: family("any", fc.constantFrom("Bearer plk_x", "Basic Og=="), (draft, other) => {
    set(draft, "authorization", [...(draft.headers.get("authorization") ?? []), other]);
    return say.problem(401, "unauthenticated");
  }),

  origin: family(
    "any",
    fc.constantFrom("https://evil.example", "null", "http://127.0.0.1.evil.example", "file://", "http://", "x"),
    (draft, value) => {
      set(draft, "origin", [value]);
      return say.problem(403, "forbidden");
    },
  ),

  httpMethod: family("any", fc.constantFrom("GET", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"), (draft, method) => {
    draft.method = method;
    if (method === "OPTIONS") return { statuses: [204], isSilent: true };
    return method === "HEAD" ? { statuses: [405], isSilent: true } : say.transportRefuses(405);
  }),
};
