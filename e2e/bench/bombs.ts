// Measures the cost of publishing and reading contents that can hang a server or have the largest allowed size, and the
// response times of a bystander's small requests at the same time.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { bombs, largest, type Bomb } from "../harness/bombs.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { jobsDone, makeAccount, newReport, publishReports, type Account } from "./account.ts";
import type { Bystander, BystanderJob } from "./bystander.ts";
import type { Hold } from "./loop-holds.ts";
import type { Run } from "./measure.ts";
import { whole } from "./report.ts";

/** Milliseconds: of the slowest answer for the content itself, for other requests, and of the event loop. */
const limits = { answer: 3000, other: 150, held: 100 };
const everyMs = 5;
/** Milliseconds to wait for work that continues after the last answer. */
const afterwards = 300;

/** The environment of a server that records in a file how long its event loop is blocked. */
const recordingHolds = (file: string): Record<string, string> => ({
  BUN_OPTIONS: `--preload ${join(import.meta.dir, "loop-holds.ts")}`,
  LOOP_HOLDS: file,
});

/** The longest time in ms since then that the server blocked its own event loop, counted in computed time. */
function longestHold(file: string, since: number): number {
  const lines = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  const holds = lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Hold);
  return Math.max(0, ...holds.filter(({ at }) => at >= since).map(({ ms }) => ms));
}

/** Measures a set of contents; only answers for the hostile ones are limited, not for the largest. */
export async function measureBombs({ report, place }: Run, set: "bombs" | "event-loop"): Promise<void> {
  const holds = join(place(`${set}-holds`), "holds");
  const instance = await startInstance({ dataDir: place(set), env: recordingHolds(holds) });
  const account = await makeAccount(instance);
  const limit = set === "bombs" ? limits.answer : Infinity;
  const [small] = await publishReports(instance, account, 1);
  const smallPath = `/_content/p/${small?.artifactId}/1`;
  await (await fetch(instance.origin + smallPath)).bytes();
  for (const [number, bomb] of (set === "bombs" ? bombs : largest).entries()) {
    await jobsDone(instance);
    const bystander = await startBystander({ url: instance.origin, paths: ["/api/health?live", smallPath], everyMs });
    const began = Date.now();
    const took = await detonate(instance, account, bomb, number);
    await Bun.sleep(afterwards);
    const seen = await bystander.stop();
    const worst = Math.max(...Object.values(took));
    const held = longestHold(holds, began);
    const outcome = "page" in took ? "read" : "refused";
    report.add({
      figure: `${set}, ${bomb.type}: ${bomb.name}`,
      product: `${whole(worst)} ms (${outcome}), loop held for ${whole(held)} ms`,
      baseline: `others ${seen.median.toFixed(1)} ms, at worst ${whole(seen.slowest)} ms`,
      target: `${limit === Infinity ? "" : `≤ ${limit} ms, `}others < ${limits.other} ms, held < ${limits.held} ms`,
      met: worst <= limit && seen.slowest < limits.other && held < limits.held,
    });
  }
  await instance.stop();
}

async function detonate({ origin }: Instance, { authorization }: Account, { type, content }: Bomb, number: number) {
  const took: Record<string, number> = {};
  const slug = `bomb-${process.pid}-${number}-${type}`;
  const body = JSON.stringify({ ...newReport, type, slug, content });
  const timed = async (what: string, path: string, init: RequestInit = {}) => {
    const started = performance.now();
    const answer = await fetch(origin + path, init);
    const text = await answer.text();
    took[what] = performance.now() - started;
    if (answer.status >= 500) throw new Error(`${what}: ${answer.status} ${text.slice(0, 500)}`);
    return { answer, text };
  };
  const headers = { authorization, "content-type": "application/json" };
  const { answer, text } = await timed("publish", "/api/artifacts", { method: "POST", headers, body });
  if (!answer.ok) return took;
  const { artifactId, url } = JSON.parse(text) as { artifactId: string; url: string };
  await timed("page", new URL(url).pathname);
  await timed("document", `/_content/p/${artifactId}/1`);
  await timed("source view", `/_content/p/${artifactId}/1/source`);
  await timed("document again", `/_content/p/${artifactId}/1`);
  await timed("raw", `/api/artifacts/${artifactId}/content`);
  return took;
}

/** A separate process, because the measuring process is busy with large texts. */
async function startBystander(job: BystanderJob): Promise<{ stop(): Promise<Bystander> }> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "bystander.ts")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  await child.stdin.write(`${JSON.stringify(job)}\n`);
  await child.stdin.flush();
  const output = child.stdout.getReader();
  await output.read();
  return {
    async stop() {
      await child.stdin.end();
      const parts: Uint8Array[] = [];
      for (let next = await output.read(); !next.done; next = await output.read()) parts.push(next.value);
      if ((await child.exited) !== 0) throw new Error("the bystander was not answered");
      return JSON.parse(Buffer.concat(parts).toString()) as Bystander;
    },
  };
}
