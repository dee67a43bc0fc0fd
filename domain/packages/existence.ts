// Asks the registry for the packages that a document is about to import: while it is published, for a short time.
import { createCache } from "@plinth/platform/caches";
import { createUsageCounter } from "@plinth/platform/usage-counter";

import { PackageProblem } from "./problem.ts";
import { hasPackage, type Registry } from "./registry.ts";

/** For all packages of one document, in ms. */
const waitMs = 3_000;
const mostAtOnce = { document: 6, process: 48 } as const;
const keptMs = { present: 24 * 3_600_000, absent: 30_000 } as const;

const answers = createCache<boolean>("packageNames");
const asking = createUsageCounter();

/**
 * The packages that the registry says it does not have. One of which it says nothing in time is not among them: the job
 * that fetches it tells then.
 */
export async function absentPackages(registry: Registry, names: readonly string[]): Promise<ReadonlySet<string>> {
  const until = performance.now() + waitMs;
  const absent = new Set<string>();
  const open = [...new Set(names)].values();
  async function askNext(): Promise<void> {
    for (const name of open) if ((await isThere(registry, name, until - performance.now())) === false) absent.add(name);
  }
  await Promise.all(Array.from({ length: mostAtOnce.document }, askNext));
  return absent;
}

/** Null where it is not known. */
async function isThere(registry: Registry, name: string, ms: number): Promise<boolean | null> {
  const key = `${registry.url} ${name}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  if (ms <= 0 || asking.total >= mostAtOnce.process) return null;
  asking.take(registry.url);
  try {
    const answer = await hasPackage(registry, name, ms);
    answers.set(key, answer, { ttl: answer ? keptMs.present : keptMs.absent });
    return answer;
  } catch (error) {
    if (!(error instanceof PackageProblem)) throw error;
    return null;
  } finally {
    asking.leave(registry.url);
  }
}
