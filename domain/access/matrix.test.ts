// Every principal × every operation × every state, compared with the reference model. Each differing cell is named. A third
// of the cells in each run; `TEST_SAMPLES=all bun run test domain/access/matrix` plays all.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { isOnArtifact } from "@plinth/contract/operation";
import { operations, registry, type OperationName } from "@plinth/contract/registry";
import { caseOf } from "@plinth/contract/test/cases";
import { artifactStates } from "@plinth/contract/test/rules";
import { sampleOfRun } from "@plinth/support/test-seed";

import { play, type Cell } from "./test/matrix/play.ts";
import { createPrincipals, type Principal } from "./test/matrix/principals.ts";
import { createScene, type Scene } from "./test/matrix/scene.ts";
import { settingIn } from "./test/matrix/settings.ts";

let scene: Scene;
let principals: Principal[];
let cells = 0;

/** How long anything may take before it counts as hung, in ms. */
const hung = 120_000;

beforeAll(async () => {
  scene = await createScene();
  principals = await createPrincipals(scene);
}, hung);

afterAll(async () => {
  console.log(`${cells} cells: ${principals.length} principals, ${operations.length} operations`);
  await scene.close();
}, hung);

async function cellsOf(name: OperationName): Promise<Cell[]> {
  const { who: rule, input } = caseOf(name);
  const all = new Map(
    rule.states.flatMap((state) => principals.map((who) => [`${name} ${state} ${who.name}`, { state, who }])),
  );
  expect(all.size).toBeGreaterThanOrEqual(principals.length);
  const made: Cell[] = [];
  const chosen = new Set(sampleOfRun([...all.keys()], Math.ceil(all.size / 3)));
  for (const [key, { state, who }] of all)
    if (chosen.has(key)) made.push({ name, state, who, input: await input(settingIn(scene, rule, state, who), state) });
  return made;
}

/** What only reads is played many at once, as requests come; what writes one after the other, or they would wait. */
const atOnce = (name: OperationName): number => (registry[name].effect === "read" ? 32 : 1);

test("everyone of the issue is there, each once", () => {
  expect(principals.length).toBeGreaterThanOrEqual(30);
  expect(new Set(principals.map(({ name }) => name)).size).toBe(principals.length);
});

test("what names an artifact is asked in every state of one", () => {
  for (const { name, resource } of operations.filter(({ resource }) => isOnArtifact(resource))) {
    const asked = caseOf(name).who.states;
    const left = artifactStates.filter((state) => !asked.some((of) => of === state || of.startsWith(`${state}, `)));
    expect({ name, resource, left }).toEqual({ name, resource, left: [] });
  }
});

for (const { name } of operations) {
  test(
    name,
    async () => {
      const mismatches: string[] = [];
      const all = await cellsOf(name);
      for (let next = 0; next < all.length; next += atOnce(name)) {
        const together = all.slice(next, next + atOnce(name));
        const outcomes = await Promise.all(together.map((cell) => play(scene, cell)));
        for (const [at, { who, state }] of together.entries()) {
          const expected = caseOf(name).who.judge(who.facts, state);
          if (outcomes[at] !== expected) mismatches.push(`${who.name} × ${state}: ${outcomes[at]}, not ${expected}`);
        }
      }
      cells += all.length;
      expect(mismatches).toEqual([]);
      expect(all.length).toBeGreaterThan(0);
    },
    hung,
  );
}
