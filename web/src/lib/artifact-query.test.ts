import { expect, test } from "bun:test";
import { artifactQuery } from "./artifact-query.ts";

test("names what is not the document of the head, and nothing else", () => {
  expect(artifactQuery({ version: 3, latest: 3, view: "document" })).toBe("");
  expect(artifactQuery({ version: 2, latest: 3, view: "document" })).toBe("?v=2");
  expect(artifactQuery({ version: 3, latest: 3, view: "source" })).toBe("?view=source");
  expect(artifactQuery({ version: 2, latest: 3, view: "source" })).toBe("?v=2&view=source");
});
