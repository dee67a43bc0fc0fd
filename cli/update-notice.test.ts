// The notice that the instance is newer than the client.
import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, line, type LineContext } from "./testing/line.ts";
import { isOlder } from "./update-notice.ts";
import { version } from "./version.ts";

const health = { status: "ok" };
const served = (text: string) => () => Response.json(health, { headers: { "x-plinth-version": text } });
const notice = /plinth 99\.0\.0 is out: .* Update it with plinth upgrade/;
const said = async (context: LineContext, ...words: readonly string[]) =>
  (await line(["api", "/api/health", ...words], { terminal: true, answer: served("99.0.0"), ...context })).stderr;

test("is given once a day, to people alone", async () => {
  const env = { HOME: emptyDirectory() };
  expect(await said({ env })).toMatch(notice);
  expect(await said({ env })).not.toMatch(notice);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  utimesSync(join(env.HOME, ".local/state/plinth/update-notice"), yesterday, yesterday);
  expect(await said({ env, terminal: false })).toBe("");
  expect(await said({ env: { ...env, CI: "1" } })).toBe("");
  expect(await said({ env }, "--quiet")).toBe("");
  expect(await said({ env })).toMatch(notice);
});

test("says nothing of the same version, an older one, or none", async () => {
  for (const text of [version, "0.0.1", "nonsense"])
    expect(await said({ env: { HOME: emptyDirectory() }, answer: served(text) })).toBe("");
  expect(await said({ env: { HOME: emptyDirectory() }, answer: () => Response.json(health) })).toBe("");
});

test("versions are compared by number", () => {
  expect(isOlder("0.9.0", "0.10.0")).toBeTrue();
  expect(isOlder("1.0.0", "0.10.0")).toBeFalse();
  expect(isOlder("1.2.3", "1.2.3")).toBeFalse();
  expect(isOlder("1.2.3", "1.2.4-rc.1")).toBeTrue();
});
