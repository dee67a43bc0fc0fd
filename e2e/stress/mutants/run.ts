// A run of the mutation test over a checkout: draws mutants, judges them in copies of it, several at once, and counts.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { copyable } from "./checkout.ts";
import { makeCopy } from "./copy.ts";
import { equivalentOf } from "./equivalents.ts";
import { judge } from "./judge.ts";
import { openLedger, type Judged } from "./ledger.ts";
import { described, isInPlace, type Mutant } from "./mutant.ts";
import { importersOf, sourcesIn, testsReaching } from "./nearest-tests.ts";
import { drawMutants } from "./sample.ts";

export interface MutationOptions {
  readonly root: string;
  /** The folders whose sources are changed. */
  readonly folders: readonly string[];
  /** The folders whose tests and sources lead to them. */
  readonly testFolders: readonly string[];
  readonly count: number;
  readonly seed: number;
  /** How many are judged at once. */
  readonly width: number;
  readonly ledger: string;
  /** Whether those that survived before and are not known to be equivalent are judged again, and no others. */
  readonly survivedOnly?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** For the tests of one round, in ms. */
  readonly timeoutMs?: number;
  readonly log?: (line: string) => void;
}

export async function mutate(options: MutationOptions): Promise<readonly Judged[]> {
  const { root, folders, testFolders, count, seed, width, survivedOnly = false, log = () => {} } = options;
  const ledger = openLedger(options.ledger);
  const sources = sourcesIn(root, testFolders);
  const importers = importersOf(root, sources);
  const ofFolders = sources.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
  const around = ({ file, start, end }: Mutant) =>
    readFileSync(join(root, file), "utf8").slice(Math.max(0, start - 150), end + 150);
  const isThere = (mutant: Mutant) => isInPlace(readFileSync(join(root, mutant.file), "utf8"), mutant);
  const isOpen = (mutant: Mutant) => isThere(mutant) && equivalentOf(mutant) === undefined;
  const drawn = survivedOnly ? ledger.survived().filter(isOpen) : drawMutants(root, ofFolders, importers, count, seed);
  const waiting = survivedOnly ? [...drawn] : drawn.filter((mutant) => ledger.find(mutant) === undefined);
  const isSound = new Map<string, boolean>();
  const leftOut = new Set<string>();
  const logLeftOut = () => {
    for (const [file, sound] of isSound) {
      if (sound || leftOut.has(file)) continue;
      leftOut.add(file);
      log(`left out, as it fails without a mutant: ${file}`);
    }
  };
  const files = await copyable(root);
  const settings = { root, files, env: options.env ?? {}, timeoutMs: options.timeoutMs ?? 600_000 };

  const work = async () => {
    const copy = await makeCopy(settings);
    try {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const verdict = await judge(copy, mutant, testsReaching(root, mutant.file, importers, around(mutant)), isSound);
        ledger.add(mutant, verdict);
        logLeftOut();
        log(`${verdict.outcome} ${described(mutant)}${verdict.by === null ? ` (${verdict.tests} test files)` : ""}`);
      }
    } finally {
      await copy.remove();
    }
  };
  // Every copy is removed before a failure of one is told.
  const ended = await Promise.allSettled(Array.from({ length: Math.min(width, waiting.length) }, work));
  for (const end of ended) if (end.status === "rejected") throw end.reason;
  return drawn.map((mutant) => ledger.find(mutant)).filter((judged) => judged !== undefined);
}

/** The figures of a run. An equivalent mutant is no survivor. */
export function figures(judged: readonly Judged[]) {
  const of = (outcome: Judged["outcome"]) => judged.filter((one) => one.outcome === outcome);
  const equivalent = of("survived").filter((one) => equivalentOf(one) !== undefined);
  const survived = of("survived").filter((one) => equivalentOf(one) === undefined);
  return {
    judged: judged.length,
    killed: of("killed").length,
    timeouts: of("timeout").length,
    equivalent: equivalent.length,
    survived: survived.length,
    survivors: survived.map(described),
    late: of("timeout").map(described),
  };
}

export const ledgerPath = (folder: string, seed: number): string => join(folder, `plinth-mutants-${seed}.jsonl`);
