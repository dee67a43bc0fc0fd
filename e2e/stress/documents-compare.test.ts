// Differences between a published document and its reference: those that count, and those that do not.
import { expect, test } from "bun:test";

import { compare, textLoss } from "./documents-compare.ts";
import type { Look } from "./documents-look.ts";

const text = "Twelve crates of apples were picked on the north slope in the first week of October";
const plain: Look = {
  text,
  errors: [],
  failed: [],
  images: [],
  brokenImages: [],
  brokenLinks: [],
  imageBoxes: [],
  drawings: 4,
};
const api = { url: "https://api.example/data.json", why: "net::ERR_NAME_NOT_RESOLVED" };

const compared = (
  look: Partial<Look>,
  reference: Partial<Look> = {},
  beside: readonly string[] = [],
  missing: Parameters<typeof compare>[1] = [],
) => compare({ ...plain, ...look }, missing, { look: { ...plain, ...reference }, beside });

const kinds = (...given: Parameters<typeof compared>) => compared(...given).causes.map(({ kind }) => kind);

test("a document that looks like its reference has no cause", () => {
  expect(compared({})).toEqual({ causes: [], elsewhere: [], missingFiles: [] });
});

test("what only the published document lacks is a cause", () => {
  expect(kinds({ errors: ["Uncaught ReferenceError: d3 is not defined"] })).toEqual(["page error"]);
  expect(kinds({ failed: [{ url: "blob:x", why: "worker-src" }] })).toEqual(["blocked: worker-src"]);
  expect(kinds({ text: "Twelve crates" })).toEqual(["text missing"]);
  expect(kinds({ brokenImages: ["x.png"], brokenLinks: ["#notes"] })).toEqual(["broken image", "broken link"]);
  expect(kinds({ drawings: 1 })).toEqual(["missing drawings"]);
});

test("what the reference lacks too is no cause", () => {
  const same = { errors: ["x is not defined"], brokenImages: ["x.png"], text: "" };
  expect(kinds({ ...same, errors: ["Uncaught x is not defined\n  at y"] }, same)).toEqual([]);
  const { causes, elsewhere } = compared({ failed: [{ ...api, why: "connect-src" }] }, { failed: [api] });
  expect([causes, elsewhere]).toEqual([[], [{ kind: "another site: connect-src", detail: api.url }]]);
});

test("a missing package is one cause, and not also a blocked request", () => {
  const url = "https://esm.sh/lit@3";
  const missing = { url, code: "unsupported", detail: "lit is wanted as a bundle" };
  expect(kinds({ failed: [{ url, why: "script-src-elem" }] }, {}, [], [missing])).toEqual(["package: unsupported"]);
});

test("a file beside the document is counted apart", () => {
  const failed = [{ url: "http://127.0.0.1:3000/_content/p/art_x/style.css", why: "404" }];
  const { causes, missingFiles } = compared({ failed }, {}, ["/style.css"]);
  expect([causes, missingFiles]).toEqual([[], [{ kind: "file beside it", detail: "/style.css" }]]);
});

test("a few words, such as a clock's, may differ, and words may stand in another order", () => {
  expect(textLoss("It is 10:42:07", "It is 10:42:01")).toEqual([]);
  expect(textLoss(text.split(" ").toReversed().join(" "), text)).toEqual([]);
});
