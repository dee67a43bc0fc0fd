// Sends generated cases to an instance in batches, with a separate connection for each case, and fixtures that are made again now
// and then, because some cases delete them.
import * as fc from "fast-check";

import { assert } from "./stress-test.ts";
import { Wire } from "./wire.ts";

interface Batches<Case, Stage> {
  readonly cases: fc.Arbitrary<Case>;
  readonly count: number;
  readonly seed: number;
  readonly port: number;
  /** The number of cases at once. */
  readonly width: number;
  /** Makes the fixtures, for so many cases. */
  readonly stage: () => Promise<Stage>;
  readonly casesPerStage: number;
  /** Sends one; what is wrong with its answer. */
  readonly faultsOf: (one: Case, wire: Wire, stage: Stage) => Promise<readonly string[]>;
  /** Without a search for a smaller batch with faults. */
  readonly endOnFailure?: boolean;
}

/** @throws with the faults of a batch */
export async function sendBatches<Case, Stage>(options: Batches<Case, Stage>): Promise<{ sent: number; stage: Stage }> {
  const { cases, count, seed, port, width, casesPerStage, faultsOf, endOnFailure = false } = options;
  const wires = Array.from({ length: width }, () => new Wire(port));
  let stage = await options.stage();
  let sent = 0;
  const batches = fc.array(cases, { minLength: 1, maxLength: width, size: "max" });
  const property = fc.asyncProperty(batches, async (batch) => {
    const before = sent;
    sent += batch.length;
    if (Math.floor(before / casesPerStage) !== Math.floor(sent / casesPerStage)) stage = await options.stage();
    const faults = await Promise.all(batch.map((one, n) => faultsOf(one, wires[n] ?? new Wire(port), stage)));
    assert(faults.flat().length === 0, () => faults.flat().join("\n"));
  });
  try {
    while (sent < count) {
      // Arrays have half of their maximal length on average.
      const numRuns = Math.max(1, Math.ceil((count - sent) / width));
      await fc.assert(property, { seed: seed + sent, numRuns, endOnFailure });
    }
  } finally {
    for (const wire of wires) wire.close();
  }
  return { sent, stage };
}
