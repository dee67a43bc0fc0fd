// An unused instance: processor time, wake-ups and memory of its whole tree, PostgreSQL included, some minutes after a
// publish of each type and a view of it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { childrenOf, computedMs, processorTimes, unlessEnded } from "../harness/processor-time.ts";
import { createArtifact, createPerson, createProject } from "../harness/people.ts";
import { startInstance } from "../harness/instance.ts";
import { pssOf } from "./memory.ts";
import type { Run } from "./measure.ts";
import { megabytes, whole } from "./report.ts";

const minute = 60_000;
/** After which a process that waits for work has ended. */
const settledMs = 3.5 * minute;

const texts = {
  md: "# Title\n\n```ts\nlet a = 1;\n```\n",
  html: "<!doctype html><title>Title</title><h1>Title</h1>",
  jsx: "export default function App() {\n  return <h1>Title</h1>;\n}\n",
} as const;

/** Measures for a minute. Adds nothing where the system doesn't tell. */
export async function measureIdle({ report, place }: Run): Promise<void> {
  if (process.platform !== "linux") return;
  const dataDir = place("idle");
  const instance = await startInstance({ dataDir });
  const author = await createPerson(instance);
  const { slug } = await createProject(author);
  for (const [type, content] of Object.entries(texts) as [keyof typeof texts, string][]) {
    const { artifactId } = await createArtifact(author, slug, { type, content, title: type });
    await (await fetch(`${instance.origin}/_content/p/${artifactId}/1`)).text();
  }
  await Bun.sleep(settledMs);
  const postmaster = Number(readFileSync(join(dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  const roots = [...new Set([instance.pid, postmaster])];
  const [times, wakeUps] = [processorTimes(roots), wakeUpsOf(roots)];
  await Bun.sleep(minute);
  const computed = computedMs(times, processorTimes(roots));
  const woken = sum(wakeUpsOf(roots), wakeUps) / 60;
  const pids = treeOf(roots);
  const bytes = pids.reduce((total, pid) => total + pssOf(pid), 0);
  await instance.stop();
  const share = (computed / minute) * 100;
  report.add({
    figure: "idle, processor time",
    product: `${share.toFixed(2)} % of a core`,
    target: "≤ 0.5 %",
    met: share <= 0.5,
  });
  report.add({ figure: "idle, wake-ups", product: `${woken.toFixed(1)} a second`, target: "≤ 5", met: woken <= 5 });
  report.add({ figure: `idle, memory of ${whole(pids.length)} processes (PSS)`, product: megabytes(bytes) });
}

function treeOf(roots: readonly number[]): number[] {
  const children = childrenOf();
  const found: number[] = [];
  const left = [...roots];
  for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
    if (found.includes(pid)) continue;
    found.push(pid);
    left.push(...(children.get(pid) ?? []));
  }
  return found;
}

/** How often each process has been given the processor after it had waited, over its threads. */
function wakeUpsOf(roots: readonly number[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const pid of treeOf(roots))
    for (const thread of threadsOf(pid)) {
      const status = unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8")) ?? "";
      counts.set(thread, Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    }
  return counts;
}

const threadsOf = (pid: number): string[] => unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? [];

const sum = (after: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>): number =>
  [...after].reduce((total, [thread, count]) => total + count - (before.get(thread) ?? 0), 0);
