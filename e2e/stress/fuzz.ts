// Invalid input for every operation of the registry: never a 5xx, never a page, always a problem that names the field.
import { operations, type OperationName } from "@plinth/contract/registry";
import { validHeaders, validInput } from "@plinth/contract/test/cases";
import * as fc from "fast-check";

import { startInstance, type Instance } from "../harness/instance.ts";
import { rightToken } from "../harness/call.ts";
import { createFixtures } from "../harness/fixtures.ts";
import type { StressTest } from "./stress-test.ts";
import { sendBatches } from "./fuzz-batches.ts";
import { corruptionsOf } from "./fuzz-cases.ts";
import { faultsIn, write } from "./fuzz-request.ts";
import type { Corruption } from "./corruption.ts";
import type { Wire } from "./wire.ts";

interface Case {
  readonly operation: OperationName;
  readonly corruption: Corruption;
}

const width = 32;
const casesPerStage = 1_000;

const cases: fc.Arbitrary<Case> = fc
  .constantFrom(...operations)
  .chain((op) => corruptionsOf(op).map((corruption) => ({ operation: op.name, corruption })));

/** Fixtures, and a valid input for each operation. */
async function stageOf(instance: Instance) {
  const fixtures = await createFixtures(instance);
  const inputs = operations.map(async ({ name }) => [name, await validInput(name, fixtures)] as const);
  return { fixtures, inputs: new Map<OperationName, Readonly<Record<string, unknown>>>(await Promise.all(inputs)) };
}

export const fuzz: StressTest = {
  claim: "no input gives a 5xx, a page or an error without its field",
  count: 200_000,
  shortCount: 1_500,

  async run({ count, seed }) {
    const instance = await startInstance();
    const { port } = instance;
    const statuses = new Map<number, number>();
    const stage = () => stageOf(instance);
    const faultsOf = async (
      { operation, corruption }: Case,
      wire: Wire,
      { fixtures, inputs }: Awaited<ReturnType<typeof stageOf>>,
    ): Promise<string[]> => {
      const op = operations.find(({ name }) => name === operation);
      if (op === undefined) return [`there is no ${operation}`];
      const token = await rightToken(fixtures, op);
      const to = { host: `127.0.0.1:${port}`, token, headers: validHeaders(operation, fixtures) };
      const written = write(op, inputs.get(operation) ?? {}, corruption, to);
      const answer = await wire.answerTo(written.bytes, written.method);
      if (answer === null) return [`${written.method} ${written.path.slice(0, 200)}: no answer`];
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const shown = `${written.method} ${written.path.slice(0, 200)} -> ${answer.status} ${answer.text.slice(0, 600)}`;
      return faultsIn(written, answer).map((fault) => `${fault} | ${shown}`);
    };
    try {
      const { sent } = await sendBatches({ cases, count, seed, port, width, stage, casesPerStage, faultsOf });
      return { requests: sent, statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)) };
    } finally {
      await instance.stop();
    }
  },
};
