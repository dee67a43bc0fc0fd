// Compares the tables of docs/reference/contract.md with the closed lists in this folder: a missing or wrong row fails.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { errorCodes } from "./errors.ts";
import * as limits from "./limits.ts";
import { entitlementsOf, planIds } from "./plans.ts";
import { operations } from "./registry.ts";
import { workspaceRoles } from "./roles.ts";
import { scopes } from "./scopes.ts";

const text = readFileSync(join(import.meta.dir, "../docs/reference/contract.md"), "utf8");

/** The rows of the table below a heading, each as its cells, without the header. */
function tableBelow(heading: string): string[][] {
  const part = text.split(/^#{2,3} /m).find((section) => section.startsWith(`${heading}\n`)) ?? "";
  const rows = part.match(/^\|.*\|$/gm) ?? [];
  return rows.slice(2).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const codesIn = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

test("each error code is there with its status, and no other one", () => {
  const rows = tableBelow("Errors").flatMap(([status, codes]) => codesIn(codes).map((code) => `${status} ${code}`));
  const known = Object.entries(errorCodes).map(([code, { status }]) => `${status} ${code}`);
  expect(rows.toSorted()).toEqual(known.toSorted());
});

test("each scope is there, and no other one", () => {
  expect(tableBelow("Scopes").flatMap(([scope]) => codesIn(scope))).toEqual([...scopes]);
});

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Methods and paths of a cell; a path without a method has those of the path before it. */
function routesIn(cell: string): Route[] {
  const routes: Route[] = [];
  let [methods, read]: [string[], string[]] = [[], []];
  for (const word of cell.split(/[,;]? +/)) {
    if (/^(?:[A-Z]+|any)$/.test(word)) read.push(word);
    else {
      if (read.length > 0) [methods, read] = [read, []];
      routes.push(...methods.map((method) => ({ method, path: word.replace(/\?.*/, "") })));
    }
  }
  return routes;
}

/** `…` and `*` stand for a part of a path, `<name>` for a parameter with slashes. */
function isRouteOf({ method, path }: Route, operation: Route): boolean {
  const parts = path.replaceAll(/<(\w+)>/g, ":$1").split(/[…*]/);
  const form = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".+")}$`);
  return (method === operation.method || method === "any") && form.test(operation.path);
}

/** Routes that are no operation. */
const separateRoutes = [
  "PUT /api/uploads/<ticket>",
  "POST /api/billing/webhook",
  "GET /:owner/:project/feed.atom",
  "GET /:owner/:project/:slug/qr.svg",
  "GET /embed/:owner/:project/:slug",
  "GET /api/openapi.json",
  "GET /docs/reference",
  "GET /install.sh",
  "GET /cli.tgz",
  "GET /_cli/SHA256SUMS",
  "GET /_cli/plinth-*.gz",
  "GET /metrics",
  "GET /.well-known/oauth-protected-resource",
  "GET …/oauth-authorization-server",
  "POST /mcp",
];

test("routes: each operation is in the table of §4 or of the operator, and each route leads to one", () => {
  const routes = [...tableBelow("4. Routes"), ...tableBelow("The operator")].flatMap(([cell = ""]) => routesIn(cell));
  const named = ({ method, path }: Route) => `${method} ${path}`;
  const missing = operations.filter((op) => !routes.some((route) => isRouteOf(route, op)));
  expect(missing.map(named), "docs/reference/contract.md §4 needs a row for each").toEqual([]);
  const others = routes.filter((route) => !operations.some((op) => isRouteOf(route, op)));
  expect(others.map(named)).toEqual(separateRoutes);
});

test("each plan has its entitlements", () => {
  const written = (value: boolean | number) => (typeof value === "number" ? String(value) : value ? "yes" : "no");
  for (const [name, ...cells] of tableBelow("Plan")) {
    const entitlement = codesIn(name)[0] as keyof ReturnType<typeof entitlementsOf>;
    const shown = cells.map((cell) => cell.replaceAll(/(\d),(?=\d)/g, "$1").replace(/,.*/, ""));
    expect([entitlement, ...shown]).toEqual([
      entitlement,
      ...planIds.map((plan) => written(entitlementsOf(plan)[entitlement])),
    ]);
  }
  expect(tableBelow("Plan").map(([name]) => codesIn(name)[0])).toEqual(Object.keys(entitlementsOf("free")));
});

test("the table of workspaces has each role", () => {
  const head =
    /^### In a workspace\n\n\|(.*)\|$/m
      .exec(text)?.[1]
      ?.split("|")
      .map((cell) => cell.trim()) ?? [];
  expect(head.slice(1).toSorted()).toEqual(workspaceRoles.toSorted());
});

test("limits are the numbers of contract/limits.ts", () => {
  const bounds = Object.fromEntries(tableBelow("Limits").map(([what = "", bound = ""]) => [what, bound]));
  const thousands = (number: number) => number.toLocaleString("en");
  const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  const { contentBytes, usernameLength, bodyDepth, bodyValues, bodyBytesBeyondContent } = limits;
  expect(bounds["Content"]).toContain(mebibytes(contentBytes.default));
  expect(bounds["Content"]).toContain(mebibytes(contentBytes.max));
  expect(bounds["Title"]).toBe(`1 to ${limits.titleLength} characters`);
  expect(bounds["Description, changelog"]).toBe(`${thousands(limits.noteLength)} characters`);
  expect(bounds["`viewerEmails`"]).toBe(String(limits.viewerEmailCount));
  expect(bounds["Slugs"]).toBe(`1 to ${limits.slugLength} characters of \`${limits.slugPattern}\``);
  expect(bounds["Usernames and workspace slugs"]).toContain(`${usernameLength.min} to ${usernameLength.max}`);
  expect(bounds["Project icon"]).toBe(`1 to ${limits.iconLength} characters`);
  expect(bounds["Names of keys, agents and people, labels"]).toBe(`1 to ${limits.nameLength} characters`);
  expect(bounds["Search query"]).toBe(`${limits.searchLength} characters`);
  expect(bounds["JSON body"]).toBe(
    `${bodyDepth} levels, ${thousands(bodyValues)} values; ${bodyBytesBeyondContent / 1024} KiB beside the content`,
  );
});
