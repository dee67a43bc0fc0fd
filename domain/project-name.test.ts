import { expect, test } from "bun:test";

import { registry } from "@plinth/contract/registry";

import { splitProjectName } from "./project-name.ts";

const create = registry["artifact.create"];
const list = registry["artifact.list"];

test("owner/slug becomes both fields, where the input has both", () => {
  const created: Record<string, unknown> = { projectSlug: "ada/reports" };
  expect(splitProjectName(create, created)).toEqual([]);
  expect(created).toEqual({ ownerUsername: "ada", projectSlug: "reports" });
  const listed: Record<string, unknown> = { project: "ada/reports", owner: "ada" };
  expect(splitProjectName(list, listed)).toEqual([]);
  expect(listed).toEqual({ owner: "ada", project: "reports" });
  const mine: Record<string, unknown> = { project: "ada/reports" };
  splitProjectName(registry["workspace.artifacts"], mine);
  expect(mine).toEqual({ project: "ada/reports" });
});

test("two owners are refused, and every other text is left to the schema", () => {
  expect(splitProjectName(create, { projectSlug: "ada/reports", ownerUsername: "bob" })).toEqual([
    { path: "projectSlug", message: "names another owner than ownerUsername" },
  ]);
  for (const projectSlug of ["reports", "", "/", "ada/", "/reports", "ada/reports/q4", 7, null]) {
    const input: Record<string, unknown> = { projectSlug };
    expect(splitProjectName(create, input)).toEqual([]);
    expect(input).toEqual({ projectSlug });
  }
});
