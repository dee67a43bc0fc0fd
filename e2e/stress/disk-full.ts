// A disk that fills up under an instance with an embedded database: publishes are refused temporarily with a clear
// message, reads continue, no content is torn, and the instance recovers by itself when there is space.
import { mkdir, rm, statfs } from "node:fs/promises";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

import { startInstance } from "../harness/instance.ts";
import { createPerson } from "../harness/people.ts";
import { eventually, outputOf, temporaryFolder, withoutScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { checkLedger, Ledger } from "./crash-ledger.ts";
import { doctorIsContent } from "./doctor.ts";
import { ask, makePlace, publish, startLoad, countOutcomes, type LoadPlace, type Outcome } from "./fault-load.ts";
import { jobsSettled } from "../harness/jobs-settled.ts";

const artifacts = 4;
const diskMb = 400;
/** How the disk is filled: at once to the last byte by another program, or slowly. */
const chunks = { "at once": 8 << 20, slowly: 1 << 20 } as const;
/** How long it stays full: long enough for the log of the refusals to need space. */
const fullMs = 30_000;
/** The longest time in ms until the reserve is released. */
const settleMs = 500;
/** Log lines for one full disk: one, and more if a request fails differently in between. */
const mostLines = 3;
/** Reads that must be answered while the disk is full. */
const readsAtLeast = 20;

export const diskFull: StressTest = {
  claim: "with the disk full publishes are 503 in clear words and reads go on; with room again it goes on by itself",
  count: 6,
  shortCount: 2,

  async run({ count, seed, timed = false }) {
    const random = randomFrom(seed);
    const folder = await temporaryFolder("disk-full");
    await mountSmall(folder);
    const dataDir = join(folder, "data");
    await mkdir(dataDir);
    const instance = await startInstance({ dataDir, env: withoutScreenshots });
    const ledger = new Ledger();
    const all: Outcome[] = [];
    let stopped = false;
    try {
      const person = await createPerson(instance);
      const place = await makePlace(instance.origin, person, ledger, artifacts);
      for (let round = 0; round < count; round++) {
        const ballast = join(folder, "ballast");
        const load = startLoad(place, { workers: 8, random, pauseMs: timed ? 2 : 20 });
        fill(ballast, round % 2 === 0 ? chunks["at once"] : chunks.slowly);
        await untilPublishing(place, 503);
        await Bun.sleep(settleMs);
        const noticed = performance.now();
        await readsGoOn(place);
        await healthWarns(place);
        await Bun.sleep(timed ? fullMs : 1000 + random() * 1000);
        await load.stop();
        await rm(ballast);
        await untilPublishing(place, 201);
        all.push(...load.outcomes);
        for (const outcome of load.outcomes) assert(isRight(outcome, noticed), () => JSON.stringify(outcome));
      }
      const lines = instance.stderr().split('"database":"full"').length - 1;
      assert(lines >= 1 && lines <= mostLines * count, () => `${lines} lines of the log for ${count} full disks`);
      await checkLedger(instance.origin, person.token, ledger);
      await jobsSettled(instance);
      assert((await instance.stop()) === 0, () => "it did not end well");
      stopped = true;
      await doctorIsContent({ DATA_DIR: dataDir });
      return { fills: count, diskMb, requests: countOutcomes(all) };
    } catch (error) {
      throw new Error(`${String(error).slice(0, 1000)}\n${instance.stderr().slice(-2000)}`, { cause: error });
    } finally {
      if (!stopped) await instance.stop();
      await unmount(folder);
    }
  },
};

/**
 * Done, or refused temporarily with the reason: a write, or a read in the moment before the reserve is released, when
 * PostgreSQL cannot open a connection.
 */
const isRight = ({ act, sentAt, status, code, detail, retryAfter }: Outcome, noticed: number): boolean =>
  (status >= 200 && status < 300) ||
  ((act === "publish" || sentAt < noticed) &&
    status === 503 &&
    code === "unavailable" &&
    Number(retryAfter) > 0 &&
    /\bfull\b/.test(detail));

/** Writes until the disk is full. */
function fill(path: string, chunk: number): void {
  const file = openSync(path, "w");
  try {
    for (let size = chunk; size >= 4096;) {
      try {
        if (writeSync(file, new Uint8Array(size)) < size) size >>= 1;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        size >>= 1;
      }
    }
  } finally {
    closeSync(file);
  }
}

/** Until a publish has this status: refused as the disk is full, or taken again. */
const untilPublishing = (place: LoadPlace, status: number) =>
  eventually(
    async () => (await publish(place, place.artifactIds[0] ?? "")).status === status,
    () => `no publish was answered ${status}`,
  );

async function readsGoOn(place: LoadPlace): Promise<void> {
  for (let n = 0; n < readsAtLeast; n++)
    for (const artifactId of place.artifactIds) {
      const outcome = await ask(place, "content", `/api/artifacts/${artifactId}/content`);
      assert(outcome.status === 200, () => `a read with the disk full: ${JSON.stringify(outcome)}`);
    }
}

async function healthWarns({ origin }: LoadPlace): Promise<void> {
  const { status, checks } = (await (await fetch(`${origin}/api/health`)).json()) as {
    status: string;
    checks: { database: { detail?: string } };
  };
  assert(
    status === "warn" && /\bfull\b/.test(checks.database.detail ?? ""),
    () => `health with the disk full: ${status}, ${JSON.stringify(checks.database)}`,
  );
}

/** A separate disk in memory. @throws if this user cannot mount */
async function mountSmall(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) throw new Error("disk-full mounts a small disk, which takes root");
  await outputOf(["mount", "-t", "tmpfs", "-o", `size=${diskMb}m,mode=0755`, "tmpfs", folder]);
  const { blocks, bsize } = await statfs(folder);
  if (blocks * bsize !== diskMb << 20) throw new Error(`${folder} is not the small disk that was mounted`);
}

async function unmount(folder: string): Promise<void> {
  await outputOf(["umount", folder]);
  await rm(folder, { recursive: true });
}
