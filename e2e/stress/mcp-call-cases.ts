// Invalid tool calls: names, arguments as a whole, and each argument by its schema.
import { findTool } from "@plinth/contract/mcp/tools";
import * as fc from "fast-check";

import { fieldCorruptions } from "./fuzz-cases.ts";
import { place } from "./fuzz-request.ts";
import { shapeOf } from "./hostile-values.ts";
import { mark, name, paramsOf, setParams } from "./mcp-draft.ts";
import { done, family, json, nested, prototypes, putParam, type Family } from "./mcp-family.ts";
import { toolCall } from "./mcp-messages.ts";
import * as say from "./mcp-expectations.ts";

const unknownTools = [
  "nope",
  "create_artifact ",
  "CREATE_ARTIFACT",
  "artifact.create",
  "a".repeat(6000),
  ...prototypes,
];

/**
 * Whether a value may be taken for another one: nothing or an empty text for an argument that is left out, a number, a truth
 * value or JSON as text, and an object or a text for a list of one.
 */
const hasOneMeaning = (json: string | null): boolean =>
  json !== null && /^(?:null|"(?:|x|\\u0000|true|false|\d{1,16}|\s*[[{].*)"|\{.*\})$/s.test(json);

export const calls: Readonly<Record<string, Family>> = {
  argument: family("call", fc.tuple(fc.nat(), fc.nat()), (draft, [which, seed]) => {
    const tool = findTool(String(draft.right.params["name"]));
    const corruptions = tool === undefined ? [] : fieldCorruptions([], shapeOf(tool.input), false).slice(1);
    const chosen = corruptions[which % corruptions.length];
    if (chosen === undefined) return done(draft);
    const [corruption] = fc.sample(chosen, { seed, numRuns: 1 });
    if (corruption?.kind !== "field") return done(draft);
    const { arguments: given } = paramsOf(draft);
    setParams(draft, { arguments: place(given, corruption.at, corruption.json === null ? undefined : mark) });
    draft.marked = corruption.json ?? "";
    if (hasOneMeaning(corruption.json)) return { statuses: [200], problem: "maybe", id: draft.id };
    return { statuses: [200], problem: ["invalid_request"], field: corruption.at.join("."), id: draft.id };
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
    // The library drops this field before the server sees it.
    if (field === "__proto__") return done(draft);
    return { statuses: [200], problem: ["invalid_request"], field, id: draft.id };
  }),

  deepArgument: family("call", fc.constantFrom(16, 17, 100, 10_000, 200_000), (draft, depth) => {
    const { arguments: given } = paramsOf(draft);
    setParams(draft, { arguments: { ...(given as object), surprise: mark } });
    draft.marked = nested(depth);
    // With the message, its parameters and the arguments themselves, this is the deepest message allowed.
    if (depth > 16) return say.invalidRequest;
    return { statuses: [200], problem: ["invalid_request"], id: draft.id };
  }),

  hugeArgument: family("call", fc.constantFrom(20_000, 200_000), (draft, length) => {
    const { arguments: given } = paramsOf(draft);
    setParams(draft, { arguments: { ...(given as object), surprise: "x".repeat(length) } });
    return { statuses: [200], problem: ["invalid_request"], field: "surprise", id: draft.id };
  }),

  argumentsType: family("call", json("[]", '"x"', "7", "true", "[{}]"), (draft, text) => {
    putParam(draft, "arguments", text);
    return { ...say.invalidParams, id: draft.id };
  }),

  unknownTool: family("call", fc.constantFrom(...unknownTools), (draft, tool) => {
    setParams(draft, toolCall(tool, {}).params);
    // A header value has no surrounding spaces, so such a name is encoded in Base64.
    name(draft, "tools/call", tool === tool.trim() ? tool : `=?base64?${Buffer.from(tool).toString("base64")}?=`);
    return { ...say.invalidParams, id: draft.id };
  }),

  toolNameType: family("call", json("null", "7", "[]", "{}", "true"), (draft, text) => {
    putParam(draft, "name", text);
    return { statuses: [200, 400], codes: [-32_602, -32_020], id: draft.id };
  }),
};
