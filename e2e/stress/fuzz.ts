// Invalid input for every operation of the registry: never a 5xx, never a page, always a problem that names the field.
import { operations, type OperationName } from "@plinth/contract/registry";
import * as fc from "fast-check";

import { startInstance } from "../harness/instance.ts";
import { rightToken } from "../harness/call.ts";
import { createFixtures, validHeaders, validInput, type Fixtures } from "../harness/fixtures.ts";
import type { StressTest } from "./stress-test.ts";
import { corruptionsOf } from "./fuzz-cases.ts";
import { faultsIn, write } from "./fuzz-request.ts";
import type { Corruption } from "./corruption.ts";
import { Wire } from "./wire.ts";

interface Case {
  readonly operation: OperationName;
  readonly corruption: Corruption;
}

const width = 32;
/** The number of requests after which the fixtures are created again, because some requests delete them. */
const requestsPerFixtures = 1_000;

const cases: fc.Arbitrary<Case> = fc
  .constantFrom(...operations)
  .chain((op) => corruptionsOf(op).map((corruption) => ({ operation: op.name, corruption })));

type Inputs = ReadonlyMap<OperationName, Readonly<Record<string, unknown>>>;

async function inputsOf(fixtures: Fixtures): Promise<Inputs> {
  const inputs = operations.map(async ({ name }) => [name, await validInput(name, fixtures)] as const);
  return new Map(await Promise.all(inputs));
}

export const fuzz: StressTest = {
  claim: "no input gives a 5xx, a page or an error without its field",
  count: 200_000,
  shortCount: 1_500,

  async run({ count, seed }) {
    const instance = await startInstance();
    const wires = Array.from({ length: width }, () => new Wire(instance.port));
    const statuses = new Map<number, number>();
    let sent = 0;
    let fixtures = await createFixtures(instance);
    let inputs = await inputsOf(fixtures);

    const faultsOfCase = async ({ operation, corruption }: Case, wire: Wire): Promise<string[]> => {
      const op = operations.find(({ name }) => name === operation);
      if (op === undefined) return [`there is no ${operation}`];
      const token = await rightToken(fixtures, op);
      const to = { host: `127.0.0.1:${instance.port}`, token, headers: validHeaders(operation, fixtures) };
      const written = write(op, inputs.get(operation) ?? {}, corruption, to);
      const answer = await wire.answerTo(written.bytes, written.method);
      if (answer === null) return [`${written.method} ${written.path.slice(0, 200)}: no answer`];
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const shown = `${written.method} ${written.path.slice(0, 200)} -> ${answer.status} ${answer.text.slice(0, 600)}`;
      return faultsIn(written, answer).map((fault) => `${fault} | ${shown}`);
    };

    const property = fc.asyncProperty(
      fc.array(cases, { minLength: 1, maxLength: width, size: "max" }),
      async (batch) => {
        if (Math.floor(sent / requestsPerFixtures) !== Math.floor((sent + batch.length) / requestsPerFixtures)) {
          fixtures = await createFixtures(instance);
          inputs = await inputsOf(fixtures);
        }
        sent += batch.length;
        const faults = await Promise.all(
          batch.map((one, index) => faultsOfCase(one, wires[index] ?? new Wire(instance.port))),
        );
        if (faults.flat().length > 0) throw new Error(faults.flat().join("\n"));
      },
    );

    try {
      while (sent < count) {
        // Arrays have half of their maximal length on average.
        await fc.assert(property, { seed: seed + sent, numRuns: Math.max(1, Math.ceil((count - sent) / width)) });
      }
    } finally {
      for (const wire of wires) wire.close();
      await instance.stop();
    }
    return { requests: sent, statuses: Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)) };
  },
};
