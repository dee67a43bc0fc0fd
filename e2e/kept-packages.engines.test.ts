// A document whose package has a newer major version since, on the day when the registry is gone: each engine that readers
// have shows what was published, and asks no other host for anything.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { startRegistry } from "@plinth/support/package-registry";

import { eachEngine } from "./harness/engines/each-engine.ts";
import type { Place } from "./harness/engines/engine.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject } from "./harness/people.ts";
import { eventually, hung, withoutScreenshots } from "./harness/process.ts";

setDefaultTimeout(2 * hung);

const manifest = { jsdelivr: "./dist/chart.umd.js" };
const source =
  '<title>Chart</title><output>nothing yet</output><script src="https://cdn.jsdelivr.net/npm/chart.js"></script>';
const drawn = 'document.querySelector("output").textContent = "drawn by 4.4.1";';

let instance: Instance;
let url: string;

beforeAll(async () => {
  const registry = await startRegistry();
  await registry.publish("chart.js", "4.4.1", { "dist/chart.umd.js": drawn }, manifest);
  instance = await startInstance({ env: { PACKAGE_REGISTRY: registry.url, ...withoutScreenshots } });
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  const access = { publicView: true, publicEdit: false };
  const artifact = await createArtifact(person, slug, { type: "html", content: source, access });
  ({ url } = artifact);
  const framed = `${instance.origin}/_content/p/${artifact.artifactId}/1`;
  const isFetched = async () => (await (await fetch(framed)).text()).includes("/_packages/");
  await eventually(isFetched, () => "the package was not fetched");
  await registry.publish("chart.js", "5.0.0", { "dist/chart.umd.js": 'document.title = "another"' }, manifest);
  await registry.close();
});
afterAll(() => instance?.stop());

// One of them by the seed of the run; `TEST_SAMPLES=all bun run test e2e/kept-packages` has all.
eachEngine("kept packages", (engine) => {
  test("shows the bytes of the version that was current when the document was published", async () => {
    await engine().open(url);
    await engine().until("frame", `document.querySelector("output")?.textContent === "drawn by 4.4.1"`);
    const loaded = async (place: Place) =>
      (await engine().evaluate(place, `performance.getEntriesByType("resource").map(({ name }) => name)`)) as string[];
    const requests = [...(await loaded("page")), ...(await loaded("frame"))].filter((one) => /^https?:/.test(one));
    const script = requests.filter((one) => one.includes("/_packages/"));
    expect(script).toHaveLength(1);
    expect(await (await fetch(script[0] ?? "")).text()).toBe(drawn);
    expect(new Set(requests.map((one) => new URL(one).origin))).toEqual(new Set([instance.origin]));
  });
});
