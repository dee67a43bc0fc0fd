// Everything that can be wrong with a message, in families: how each is drawn, what it does to a right message, and what
// the protocol has to say to that. What is drawn is plain data, so that a failing case can be read and sent again.
import { findTool } from "@plinth/contract/mcp/tools";
import * as fc from "fast-check";

import { fieldSpoils } from "./fuzz-cases.ts";
import { place } from "./fuzz-request.ts";
import { shapeOf } from "./hostile-values.ts";
import { mark, name, paramsOf, setParams, textOf, type Draft } from "./mcp-draft.ts";
import { isModern, metaOf, toolCall } from "./mcp-messages.ts";
import * as say from "./mcp-oracle.ts";
import type { Expected } from "./mcp-oracle.ts";

/** What a family takes for its right message: a call that is never done, one that may be, or anything that is asked. */
export type Base = "call" | "tool" | "any";

export interface Family<Data = unknown> {
  readonly base: Base;
  readonly data: fc.Arbitrary<Data>;
  spoil(draft: Draft, data: Data): Expected;
}

const family = <Data>(base: Base, data: fc.Arbitrary<Data>, spoil: Family<Data>["spoil"]): Family =>
  ({ base, data, spoil }) as Family;

const done = ({ id }: Draft): Expected => ({ ...say.ok, id });
const json = (...texts: string[]) => fc.constantFrom(...texts);
const prototypes = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"] as const;
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** Puts a JSON text in the place of a member of the message. */
function put(draft: Draft, member: string, text: string): void {
  draft.message = { ...draft.message, [member]: mark };
  draft.marked = text;
}

function putParam(draft: Draft, param: string, text: string): void {
  setParams(draft, { [param]: mark });
  draft.marked = text;
}

const set = ({ headers }: Draft, header: string, values: readonly string[]): void => void headers.set(header, values);

/** Known by a few methods of other servers, or by none. */
const unknownMethods = [
  ...["nope/x", "tools/call/", "TOOLS/CALL", "tools", "rpc.discover", "a b", "../tools/list", ...prototypes],
  ...["prompts/list", "resources/subscribe", "sampling/createMessage", "roots/list", "tasks/get", "logging/nope"],
];

const unknownTools = [
  "nope",
  "create_artifact ",
  "CREATE_ARTIFACT",
  "artifact.create",
  "a".repeat(6000),
  ...prototypes,
];

const wrongUris = [
  ...["artifact://x", "artifact://", "file:///etc/passwd", "http://127.0.0.1/", "nonsense", ...prototypes],
  ...["0", "-1", "01", "9999999999", "1/../2", "latest"].map((n) => `artifact://art_${"0".repeat(26)}/v/${n}`),
  `artifact://art_${"0".repeat(26)}/v/1`,
  `artifact://${"x".repeat(6000)}`,
];

const messages: Readonly<Record<string, Family>> = {
  right: family("any", fc.constant(null), done),

  id: family("any", json("null", "1.5", "[]", "{}", "true", "1e300", "1e400", nested(50_000), "[1]"), (draft, text) => {
    put(draft, "id", text);
    return say.invalidRequest;
  }),

  oddId: family("any", fc.constantFrom("", "x".repeat(20_000), "__proto__", "𝒳", 0, -1, 2 ** 53 - 1), (draft, id) => {
    draft.message = { ...draft.message, id };
    return { ...say.ok, id };
  }),

  methodType: family("any", json("null", "7", "[]", "{}", "true", nested(10_000)), (draft, text) => {
    put(draft, "method", text);
    return say.invalidRequest;
  }),

  unknownMethod: family("any", fc.constantFrom(...unknownMethods), (draft, method) => {
    draft.message = { ...draft.message, method };
    name(draft, method);
    draft.headers.delete("mcp-name");
    return { ...say.methodNotFound(isModern(draft.revision)), id: draft.id };
  }),

  paramsType: family("any", json("null", "[]", '"x"', "7", "true", "[{}]"), (draft, text) => {
    put(draft, "params", text);
    return say.invalidRequest;
  }),

  jsonrpc: family("any", json('"1.0"', "2", "null", "[]", '"2.0 "', "2.0"), (draft, text) => {
    put(draft, "jsonrpc", text);
    return say.invalidRequest;
  }),

  strayMember: family("any", fc.constantFrom("extra", "jsonrpc2", ...prototypes), (draft, member) => {
    draft.message = Object.fromEntries([...Object.entries(draft.message), [member, { x: 1 }]]);
    return { statuses: [200, 400], codes: [-32_600], problem: "maybe" };
  }),

  notification: family(
    "any",
    fc.constantFrom("", "notifications/initialized", "notifications/cancelled", "notifications/progress", "nope"),
    (draft, method) => {
      const { id: _, ...message } = draft.message;
      draft.message = method === "" ? message : { ...message, method };
      if (method !== "") name(draft, method);
      return say.accepted;
    },
  ),

  response: family("any", json("result", "error"), (draft, member) => {
    const value = member === "result" ? {} : { code: -32_000, message: "No" };
    draft.message = { jsonrpc: "2.0", id: draft.id, [member]: value };
    // Nobody was asked anything; a response has no room for the revision that 2026 wants said.
    return isModern(draft.revision)
      ? { statuses: [202, 400], codes: [-32_000, -32_600, -32_602, -32_020] }
      : say.accepted;
  }),

  meta: family(
    "any",
    fc.oneof(
      json("null", "7", '"x"', "[]").map((text) => ({ member: "", text })),
      fc.record({
        member: fc.constantFrom(...Object.keys(metaOf("2026-07-28"))),
        text: json("null", "7", "[]", '""', '"2099-01-01"', nested(5000)),
      }),
    ),
    (draft, { member, text }) => {
      const _meta = member === "" ? mark : { ...metaOf(draft.revision), [member]: mark };
      setParams(draft, { _meta });
      draft.marked = text;
      return isModern(draft.revision)
        ? { statuses: [200, 400], codes: [-32_600, -32_602, -32_020, -32_022] }
        : { statuses: [200, 400], codes: [-32_600, -32_602, -32_603, -32_020, -32_022], problem: "maybe" };
    },
  ),

  deepParams: family("any", fc.constantFrom(20, 1000, 100_000), (draft, depth) => {
    putParam(draft, "surprise", nested(depth));
    return { statuses: [200, 400], codes: [-32_600, -32_602], problem: "maybe" };
  }),

  batch: family("tool", fc.constantFrom("empty", "nonsense", "nested", "two", "hundred", "more"), (draft, what) => {
    const one = textOf(draft);
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => JSON.stringify({ jsonrpc: "2.0", id: n, method: "ping" })).join(",");
    const inside = { empty: "", nonsense: `${one},7,null`, nested: `[${one}]`, two: `${one},${many(1)}` };
    draft.body = Buffer.from(`[${what === "hundred" ? many(100) : what === "more" ? many(101) : inside[what]}]`);
    const isRight = !isModern(draft.revision) && (what === "two" || what === "hundred");
    // A batch without requests of 2026 is taken for one of a revision before, which its header is not.
    return isRight
      ? say.ok
      : { ...say.invalidRequest, codes: [-32_600, ...(isModern(draft.revision) ? [-32_000] : [])] };
  }),

  uri: family("any", fc.constantFrom(...wrongUris), (draft, uri) => {
    draft.message = { ...draft.message, method: "resources/read" };
    setParams(draft, { uri });
    name(draft, "resources/read", uri);
    return { ...say.invalidParams, id: draft.id };
  }),

  cursor: family("any", json('"x"', '"\\u0000"', "7", "null", '"__proto__"', '"eyJhIjoxfQ"'), (draft, text) => {
    draft.message = { ...draft.message, method: "resources/list" };
    putParam(draft, "cursor", text);
    name(draft, "resources/list");
    draft.headers.delete("mcp-name");
    return { ...say.invalidParams, id: draft.id };
  }),

  completion: family(
    "any",
    fc.record({ ref: fc.jsonValue(), argument: fc.jsonValue(), context: fc.jsonValue() }),
    (draft, params) => {
      draft.message = { ...draft.message, method: "completion/complete" };
      setParams(draft, params);
      name(draft, "completion/complete");
      draft.headers.delete("mcp-name");
      return { ...say.invalidParams, id: draft.id };
    },
  ),
};

const calls: Readonly<Record<string, Family>> = {
  argument: family("call", fc.tuple(fc.nat(), fc.nat()), (draft, [which, seed]) => {
    const tool = findTool(String(draft.right.params["name"]));
    const spoils = tool === undefined ? [] : fieldSpoils([], shapeOf(tool.input), false).slice(1);
    const chosen = spoils[which % spoils.length];
    if (chosen === undefined) return done(draft);
    const [spoil] = fc.sample(chosen, { seed, numRuns: 1 });
    if (spoil?.kind !== "field") return done(draft);
    const { arguments: given } = paramsOf(draft);
    setParams(draft, { arguments: place(given, spoil.at, spoil.json === null ? undefined : mark) });
    draft.marked = spoil.json ?? "";
    return { statuses: [200], problem: ["invalid_request"], field: spoil.at.join("."), id: draft.id };
  }),

  anyArgument: family("call", fc.tuple(fc.nat(), fc.json({ noUnicodeString: false })), (draft, [which, text]) => {
    const { arguments: given = {} } = paramsOf(draft);
    const fields = Object.keys(given as object);
    const field = fields[which % fields.length] ?? "surprise";
    setParams(draft, { arguments: { ...(given as object), [field]: mark } });
    draft.marked = text;
    return { statuses: [200], problem: "maybe", id: draft.id };
  }),

  strayArgument: family("tool", fc.constantFrom("surprise", "", "a.b", "ünï", ...prototypes), (draft, field) => {
    const given = Object.entries(paramsOf(draft)["arguments"] as object);
    setParams(draft, { arguments: Object.fromEntries([...given, [field, 1]]) });
    // The library drops this one before anybody sees it.
    if (field === "__proto__") return done(draft);
    return { statuses: [200], problem: ["invalid_request"], field, id: draft.id };
  }),

  deepArgument: family("call", fc.constantFrom(17, 100, 10_000, 200_000), (draft, depth) => {
    const { arguments: given } = paramsOf(draft);
    setParams(draft, { arguments: { ...(given as object), surprise: mark } });
    draft.marked = nested(depth);
    return { statuses: [200], problem: ["invalid_request"], id: draft.id };
  }),

  hugeArgument: family("call", fc.constantFrom(20_000, 200_000), (draft, length) => {
    const { arguments: given } = paramsOf(draft);
    setParams(draft, { arguments: { ...(given as object), surprise: "x".repeat(length) } });
    return { statuses: [200], problem: ["invalid_request"], field: "surprise", id: draft.id };
  }),

  argumentsType: family("call", json("null", "[]", '"x"', "7", "true", "[{}]"), (draft, text) => {
    putParam(draft, "arguments", text);
    return { ...say.invalidParams, id: draft.id };
  }),

  unknownTool: family("call", fc.constantFrom(...unknownTools), (draft, tool) => {
    setParams(draft, toolCall(tool, {}).params);
    // A name is said without spaces around it, or as Base64.
    name(draft, "tools/call", tool === tool.trim() ? tool : `=?base64?${Buffer.from(tool).toString("base64")}?=`);
    return { ...say.invalidParams, id: draft.id };
  }),

  toolNameType: family("call", json("null", "7", "[]", "{}", "true"), (draft, text) => {
    putParam(draft, "name", text);
    return { statuses: [200, 400], codes: [-32_602, -32_020], id: draft.id };
  }),
};

const http: Readonly<Record<string, Family>> = {
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

export const families: Readonly<Record<string, Family>> = { ...messages, ...calls, ...http };
