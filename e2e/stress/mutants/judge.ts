// Judges one mutant: runs the tests that reach it, the nearest first, until one fails.
import type { Copy, Run } from "./copy.ts";
import type { Mutant } from "./mutant.ts";

export interface Verdict {
  readonly outcome: "killed" | "survived" | "timeout";
  /** The test file that failed; null where none did. */
  readonly by: string | null;
  /** How many test files ran. */
  readonly tests: number;
  /** The first failure, as the test run reports it. */
  readonly failure?: string;
}

/** How many test files run at once, the nearest first: what none of them notices survives. */
const rounds = [3, 4, 6, 12];

/**
 * `isSound` remembers which test files pass without a mutant: a test that fails anyway kills nothing and is left out.
 * @param tests the test files that reach the mutant, nearest first
 */
export async function judge(
  copy: Copy,
  mutant: Mutant,
  tests: readonly string[],
  isSound: Map<string, boolean>,
): Promise<Verdict> {
  let ran = 0;
  for (const [index, size] of rounds.entries()) {
    const from = rounds.slice(0, index).reduce((sum, each) => sum + each, 0);
    let chosen = tests.slice(from, from + size).filter((test) => isSound.get(test) !== false);
    while (chosen.length > 0) {
      const run = await copy.test(chosen, mutant);
      ran += chosen.length;
      if (run.outcome === "passed") break;
      if (run.outcome === "timeout") {
        // A busy machine is late without a mutant too, and then nothing was noticed.
        if ((await copy.test(chosen, null)).outcome !== "passed") break;
        return { outcome: "timeout", by: chosen.join(" "), tests: ran };
      }
      const by = failedIn(run, chosen);
      if (await passesAlone(copy, by, isSound))
        return { outcome: "killed", by: by.join(" "), tests: ran, failure: failureIn(run) };
      chosen = chosen.filter((test) => isSound.get(test) !== false);
    }
  }
  return { outcome: "survived", by: null, tests: ran };
}

const failureIn = ({ output }: Run): string => /^(?:\(fail\)|error:).*/m.exec(output)?.[0].slice(0, 300) ?? "";

/** The file whose heading comes last before the first failure; all of them where the output does not say. */
function failedIn({ output }: Run, chosen: readonly string[]): string[] {
  const before = output.split(/^\(fail\)/m)[0] ?? "";
  const headings = [...before.matchAll(/^(\S+\.test\.ts):$/gm)].map(([, file = ""]) => file);
  const last = chosen.find((test) => headings.at(-1)?.endsWith(test));
  return last === undefined ? [...chosen] : [last];
}

async function passesAlone(copy: Copy, tests: readonly string[], isSound: Map<string, boolean>): Promise<boolean> {
  for (const test of tests)
    if (!isSound.has(test)) isSound.set(test, (await copy.test([test], null)).outcome === "passed");
  return tests.every((test) => isSound.get(test) === true);
}
