// Invalid parameters of methods: a message's metadata, resource URIs, cursors, completions.
import * as fc from "fast-check";

import { mark, name, setParams } from "./mcp-draft.ts";
import { family, json, nested, prototypes, putParam, type Family } from "./mcp-family.ts";
import { isModern, metaOf } from "./mcp-messages.ts";
import * as say from "./mcp-expectations.ts";

const wrongUris = [
  ...["artifact://x", "artifact://", "file:///etc/passwd", "http://127.0.0.1/", "nonsense", ...prototypes],
  ...["0", "-1", "01", "9999999999", "1/../2", "latest"].map((n) => `artifact://art_${"0".repeat(26)}/v/${n}`),
  `artifact://art_${"0".repeat(26)}/v/1`,
  `artifact://${"x".repeat(6000)}`,
];

export const parameters: Readonly<Record<string, Family>> = {
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
      const meta = member === "" ? mark : { ...metaOf(draft.revision), [member]: mark };
      setParams(draft, { _meta: meta });
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
