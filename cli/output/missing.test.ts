// The words of the commands that publish a text, on standard error, about its references that lead nowhere.
import { expect, test } from "bun:test";

import { wholeArtifact } from "@plinth/contract/test/artifact";

import { line } from "../testing/line.ts";
import { missingNote } from "./missing.ts";

const missing = {
  count: 4,
  references: [
    { path: "img/a.png", line: 3, kind: "file", file: "site.css" },
    { path: "b\u001b[31m.md", line: 7, kind: "link" },
  ],
};

test("artifact create names them after it has published, and its answer has them", async () => {
  const body = JSON.stringify({ projectSlug: "demo", slug: "a", type: "md", title: "A", content: "# A" });
  const words = ["artifact", "create", "--json", body];
  const { code, stdout, stderr } = await line(words, { answer: () => Response.json({ ...wholeArtifact, missing }) });
  expect([code, (JSON.parse(stdout) as { missing: unknown }).missing]).toEqual([0, missing]);
  const [first, second, third] = stderr.trim().split("\n");
  expect([first, third]).toEqual(["not found: img/a.png (site.css, line 3)", "  and 2 more"]);
  expect(second).toStartWith("leads nowhere: b");
  expect(stderr).not.toContain("\u001b");
});

test("nothing is said where nothing is missing, and it is said where that is not known", () => {
  expect([missingNote({}), missingNote(wholeArtifact)]).toEqual([null, null]);
  expect(missingNote({ missing: null })).toBe("Its files and links could not be checked in time");
});
