// Everyone × every operation × every state, against the oracle. What disagrees is named cell by cell.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { operations, type OperationName } from "@plinth/contract/registry";

import { createInputs, type Inputs } from "./inputs.ts";
import { oracle, type State } from "./oracle.ts";
import { play, type Cell } from "./play.ts";
import { createPrincipals, type Principal } from "./principals.ts";
import { createScene, type Scene } from "./scene.ts";

let scene: Scene;
let principals: Principal[];
let inputs: Inputs;
let cells = 0;

beforeAll(async () => {
  scene = await createScene();
  principals = await createPrincipals(scene);
  inputs = createInputs(scene);
}, 60_000);

afterAll(async () => {
  console.log(`${cells} cells: ${principals.length} principals, ${operations.length} operations`);
  await scene.close();
}, 60_000);

async function* cellsOf(name: OperationName): AsyncGenerator<Cell> {
  for (const [state, make] of Object.entries(inputs[name])) {
    for (const who of principals) yield { name, state: state as State, who, input: await make(who) };
  }
}

test("everyone of the issue is there, each once", () => {
  expect(principals.length).toBeGreaterThanOrEqual(30);
  expect(new Set(principals.map(({ name }) => name)).size).toBe(principals.length);
});

for (const { name } of operations) {
  test(
    name,
    async () => {
      const mismatches: string[] = [];
      let played = 0;
      for await (const cell of cellsOf(name)) {
        const expected = oracle[name](cell.who.facts, cell.state);
        const outcome = await play(scene, cell);
        if (outcome !== expected) mismatches.push(`${cell.who.name} × ${cell.state}: ${outcome}, not ${expected}`);
        played++;
      }
      cells += played;
      expect(mismatches).toEqual([]);
      expect(played).toBeGreaterThanOrEqual(principals.length);
    },
    120_000,
  );
}
