// Ten tasks that agents do every day, by each surface, with no more calls than a person would find reasonable.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Instance } from "../harness/instance.ts";
import { hung } from "../harness/process.ts";
import { sharedInstance } from "../harness/shared.ts";
import { byCommandLine } from "./command-line.ts";
import { byMcp } from "./mcp.ts";
import { byRest } from "./rest.ts";
import { requireDone, setStage, type Stage } from "./tasks.ts";
import { Transcript } from "./transcript.ts";

setDefaultTimeout(2 * hung);

let instance: Instance;
beforeAll(async () => void (instance = await sharedInstance()));
afterAll(() => instance.stop());

const surfaces: readonly (readonly [
  name: string,
  most: number,
  run: (stage: Stage) => Promise<{ calls: number; projectSlug: string }>,
])[] = [
  ["MCP", 20, byMcp],
  ["the command line", 14, byCommandLine],
  ["REST", 16, byRest],
];

test.each(surfaces)("ten tasks by %s take at most %i calls and meet no dead end", async (name, most, run) => {
  const stage = await setStage(instance);
  const { calls, projectSlug } = await run(stage);
  console.error(`${name}: ${calls} calls`);
  expect(calls).toBeLessThanOrEqual(most);
  await requireDone(stage, projectSlug);
});

test("an agent cannot send what it has not read", () => {
  const transcript = new Transcript(["md"]);
  transcript.read("Publish orders.md, version 12, before 2026-11-01");
  transcript.send([{ type: "md", path: "orders.md", version: 12, isPublic: true }]);
  expect(() => transcript.send([{ version: 1 }])).toThrow("call 2");
  expect(() => transcript.send(["art_1"])).toThrow("call 3");
  expect(() => transcript.found("nothing", /art_\d/)).toThrow("dead end");
  expect(transcript.calls).toBe(3);
});
