// Schedules for the simulation: what happens to three processes and when, and copies of the program with one step left out.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import * as fc from "fast-check";

import {
  artifacts,
  fastest,
  horizonMs,
  processes,
  simulate,
  slowest,
  type Fault,
  type Program,
  type Schedule,
} from "./simulation.ts";

const time = fc.integer({ min: 0, max: horizonMs - 1000 });
const process = fc.integer({ min: 0, max: processes - 1 });

const fault: fc.Arbitrary<Fault> = fc.record({
  at: time,
  kind: fc.constantFrom("pause", "kill", "cut", "late", "restart"),
  process,
  ms: fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 200, max: 4000 })),
});

const write = fc.record({ at: time, process, artifact: fc.integer({ min: 0, max: artifacts - 1 }) });

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.integer(),
  rates: fc.array(fc.double({ min: slowest, max: fastest, noNaN: true }), {
    minLength: processes,
    maxLength: processes,
  }),
  faults: fc.array(fault, { maxLength: 6 }),
  writes: fc.array(write, { minLength: 4, maxLength: 14 }),
});

/** No read gives what was before an answered write, and no write waits longer than the longest lease. */
export const isFresh = (program: Program) =>
  fc.asyncProperty(schedules, async (schedule) => {
    const { old, longestWait } = await simulate(program, schedule);
    if (old.length > 0) throw new Error(old.join("\n"));
    if (longestWait > 1901) throw new Error(`a write waited ${longestWait} ms`);
  });

/** One step left out of the program. */
export interface Omission {
  readonly file: "leases.ts" | "memory.ts" | "protocol.ts";
  readonly step: string;
  readonly instead: string;
  /** Of schedules among which one is found soon. */
  readonly seed?: number;
}

const leases = resolve(import.meta.dirname, "..");
/** Beside the packages that the modules load. */
const copies = resolve(leases, "../node_modules/.leases");

/** The program without the step, and how to remove the copy. @throws where the step is not there exactly once */
export async function withoutStep({ file, step, instead }: Omission): Promise<Program & Disposable> {
  const folder = join(copies, Bun.randomUUIDv7());
  mkdirSync(folder, { recursive: true });
  for (const name of ["leases.ts", "memory.ts", "protocol.ts"]) cpSync(join(leases, name), join(folder, name));
  const source = readFileSync(join(leases, file), "utf8");
  if (source.split(step).length !== 2) throw new Error(`${file} does not have this once: ${step}`);
  writeFileSync(
    join(folder, file),
    source.replace(step, () => instead),
  );
  const { createLeases } = (await import(join(folder, "leases.ts"))) as Program;
  return { createLeases, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
