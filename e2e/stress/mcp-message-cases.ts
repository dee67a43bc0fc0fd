// Invalid JSON-RPC messages: members of the wrong kind, unknown methods, batches; and messages without an answer.
import * as fc from "fast-check";

import { name, setParams, textOf } from "./mcp-draft.ts";
import { done, family, json, nested, prototypes, put, type Family } from "./mcp-family.ts";
import { isModern } from "./mcp-messages.ts";
import * as say from "./mcp-expectations.ts";

/** Methods of other servers, or of none. */
const unknownMethods = [
  ...["nope/x", "tools/call/", "TOOLS/CALL", "tools", "rpc.discover", "a b", "../tools/list", ...prototypes],
  ...["prompts/nope", "resources/subscribe", "sampling/createMessage", "roots/list", "tasks/get", "logging/nope"],
];

/** One of these JSON texts as a member of the message. */
const member = (name: string, ...texts: string[]): Family =>
  family("any", json(...texts), (draft, text) => {
    put(draft, name, text);
    return say.invalidRequest;
  });

export const messages: Readonly<Record<string, Family>> = {
  right: family("any", fc.constant(null), done),

  id: member("id", "null", "1.5", "[]", "{}", "true", "1e300", "1e400", nested(50_000), "[1]"),

  oddId: family("any", fc.constantFrom("", "x".repeat(20_000), "__proto__", "𝒳", 0, -1, 2 ** 53 - 1), (draft, id) => {
    draft.message = { ...draft.message, id };
    return { ...say.ok, id };
  }),

  methodType: member("method", "null", "7", "[]", "{}", "true", nested(10_000)),

  unknownMethod: family("any", fc.constantFrom(...unknownMethods), (draft, method) => {
    draft.message = { ...draft.message, method };
    name(draft, method);
    draft.headers.delete("mcp-name");
    return { ...say.methodNotFound(isModern(draft.revision)), id: draft.id };
  }),

  paramsType: member("params", "null", "[]", '"x"', "7", "true", "[{}]"),

  jsonrpc: member("jsonrpc", '"1.0"', "2", "null", "[]", '"2.0 "', "2.0"),

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
    // The message is no request; a response has no place for the revision that 2026 requires.
    return isModern(draft.revision)
      ? { statuses: [202, 400], codes: [-32_000, -32_600, -32_602, -32_020] }
      : say.accepted;
  }),

  batch: family("tool", fc.constantFrom("empty", "nonsense", "nested", "two", "hundred", "more"), (draft, what) => {
    const one = textOf(draft);
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => JSON.stringify({ jsonrpc: "2.0", id: n, method: "ping" })).join(",");
    const inside = { empty: "", nonsense: `${one},7,null`, nested: `[${one}]`, two: `${one},${many(1)}` };
    draft.body = Buffer.from(`[${what === "hundred" ? many(100) : what === "more" ? many(101) : inside[what]}]`);
    const isRight = !isModern(draft.revision) && (what === "two" || what === "hundred");
    // A batch without requests of 2026 counts as an earlier revision, which contradicts its header.
    return isRight
      ? say.ok
      : { ...say.invalidRequest, codes: [-32_600, ...(isModern(draft.revision) ? [-32_000] : [])] };
  }),

  // The stream lasts until its connection ends, which is at once here; far more are opened than can exist at a time.
  listen: family("any", fc.constant(null), (draft) => {
    draft.message = { ...draft.message, method: "subscriptions/listen" };
    setParams(draft, { notifications: {} });
    name(draft, "subscriptions/listen");
    draft.headers.delete("mcp-name");
    return isModern(draft.revision) ? say.ok : { ...say.methodNotFound(false), id: draft.id };
  }),
};
