// Existence of packages in a registry: its answers are cached for a while, and its silence stops no publish.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { absentPackages } from "./existence.ts";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";

let registry: TestRegistry;
beforeAll(async () => {
  registry = await startRegistry();
  await registry.publish("there", "1.0.0", { "index.js": "" });
  await registry.publish("@scope/there", "1.0.0", { "index.js": "" });
});
afterAll(() => registry.close());

test("a package that the registry lacks is absent; each is asked for once", async () => {
  const names = ["there", "not-there", "@scope/there", "@scope/not-there", "there"];
  for (let time = 0; time < 2; time++)
    expect(await absentPackages(registry, names)).toEqual(new Set(["not-there", "@scope/not-there"]));
  expect(registry.asked.toSorted()).toEqual([
    "/@scope%2fnot-there/latest",
    "/@scope%2fthere/latest",
    "/not-there/latest",
    "/there/latest",
  ]);
});

test("a registry that is away, answers nonsense or never answers has every package", async () => {
  expect([...(await absentPackages({ url: "http://127.0.0.1:1" }, ["any"]))]).toEqual([]);
  using broken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("no", { status: 500 }) });
  expect([...(await absentPackages({ url: broken.url.origin }, ["any"]))]).toEqual([]);
  let asked = 0;
  using silent = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      asked++;
      return new Promise<Response>(() => {});
    },
  });
  const names = Array.from({ length: 50 }, (_, at) => `package-${at}`);
  expect([...(await absentPackages({ url: silent.url.origin }, names))]).toEqual([]);
  // So many at once, and no more after the time.
  expect(asked).toBe(6);
});
