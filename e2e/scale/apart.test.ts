// The scenario and the claims on processes that only share a PostgreSQL; and on one process, which must behave the
// same. The scenario or the one process in each run, and half of the claims; `TEST_SAMPLES=all bun run test e2e/scale/apart` has both.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { startInstance, type Instance } from "../harness/instance.ts";
import { hung, withScreenshots } from "../harness/process.ts";
import { sample, testRandom } from "../harness/test-seed.ts";
import { restSurface } from "../parity/rest.ts";
import { runScenario, runScenarioOn } from "../parity/run.ts";
import { claims } from "./across.ts";
import { startApart } from "./apart.ts";
import type { Shape } from "./shape.ts";

setDefaultTimeout(3 * hung);

const further = sample(["scenario", "one process"], 1, testRandom("apart"));
const all = Object.entries(claims);
const held = sample(all, Math.ceil(all.length / 2), testRandom("apart", "claims"));

describe("processes on PostgreSQL alone", () => {
  let shape: Shape;
  beforeAll(async () => {
    shape = await startApart();
  });
  afterAll(() => shape.stop());

  test.each(further.filter((one) => one === "scenario"))("the %s is the one of a single process", async () => {
    const [apart, whole] = await Promise.all([
      runScenarioOn(shape.front as Instance, restSurface),
      runScenario(restSurface),
    ]);
    expect(apart).toEqual(whole);
  });

  for (const [claim, hold] of held) test(claim, () => hold(shape));
});

describe.each(further.filter((one) => one === "one process"))("%s", () => {
  let instance: Instance;
  let shape: Shape;
  beforeAll(async () => {
    instance = await startInstance({ env: { ...withScreenshots, RATE_LIMIT_READS: "1200", RATE_LIMIT_WRITES: "240" } });
    const twice = [instance.origin, instance.origin] as const;
    shape = {
      front: instance,
      apis: twice,
      webs: twice,
      countsTogether: true,
      stop: async () => void (await instance.stop()),
    };
  });
  afterAll(() => shape.stop());

  for (const [claim, hold] of held) test(claim, () => hold(shape));
});
