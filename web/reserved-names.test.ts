import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { slugPattern } from "@plinth/contract/limits";
import { operations } from "@plinth/contract/registry";
import { reservedNames } from "@plinth/contract/reserved-names";

/** First path segments of the web app: folders of routes, groups opened up, parameters left out. */
function routeSegments(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    if (/^\(.*\)$/.test(entry.name)) return routeSegments(join(folder, entry.name));
    return entry.name.startsWith("[") ? [] : [entry.name];
  });
}

test("no account can take the first segment of a route of the web app or the API", () => {
  const api = operations.map((op) => op.path.split("/")[1] ?? "");
  const served = ["_app", "_content", "_images", "_packages", "_runtime", "docs", "mcp", "metrics"];
  const files = readdirSync(join(import.meta.dirname, "static"));
  for (const segment of [...routeSegments(join(import.meta.dirname, "src/routes")), ...api, ...served, ...files]) {
    const couldBeClaimed = new RegExp(slugPattern).test(segment) && !reservedNames.has(segment);
    expect({ segment, couldBeClaimed }).toEqual({ segment, couldBeClaimed: false });
  }
});

test("every page the contract names is reserved, built or not", () => {
  for (const name of ["login", "dashboard", "settings", "teams", "workspaces", "share"]) {
    expect(reservedNames.has(name)).toBe(true);
  }
});
