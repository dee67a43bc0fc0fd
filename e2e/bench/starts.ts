// Measures the start time of an instance that is installed and built, until it answers.
import { startInstance } from "../harness/instance.ts";
import { median } from "./measure.ts";

export interface Starts {
  /** Milliseconds until it is ready. */
  readonly newDirectory: number;
  readonly existingDirectory: number;
}

const times = 3;

/** The median of three starts of each kind; `place` creates an empty directory. */
export async function measureStarts(place: (name: string) => string): Promise<Starts> {
  const made: number[] = [];
  const existing: number[] = [];
  for (let n = 0; n < times; n++) {
    const dataDir = place(`start-${n}`);
    for (const taken of [made, existing]) {
      const instance = await startInstance({ dataDir });
      taken.push(instance.readyMs);
      await instance.stop();
    }
  }
  return { newDirectory: median(made), existingDirectory: median(existing) };
}
