// What each request about a text of 16 MiB takes of the main thread, of which all others are waiting, and of memory: a
// table, by the log of an instance that does nothing else.
import { mainThreadBoundMs } from "@plinth/contract/served-request";

import { startInstance, type Instance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject, signIn } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { kilobytes, resetHighest } from "./bystander-memory.ts";
import { requests } from "./main-thread-requests.ts";
import { largeTexts } from "./main-thread-texts.ts";
import { assert, type StressTest } from "./stress-test.ts";

const textBytes = 16_000_000;
/** For the log's line of a request, which is written after its answer. */
const lineMs = 50;
const memoryBoundMb = 64;

interface Cost {
  readonly name: string;
  readonly status: number;
  readonly mainThreadMs: number;
  readonly memoryMb: number;
}

export const mainThread: StressTest = {
  claim: `no request about a text of 16 MiB holds the main thread for more than ${mainThreadBoundMs} ms, or takes ${memoryBoundMb} MB`,
  count: largeTexts.length,
  shortCount: 1,
  async run({ count, only }) {
    const env = { MAX_CONTENT_BYTES: String(16 * 1024 * 1024), LOG_REQUESTS: "1" };
    const instance = await startInstance({ env });
    const author = await createPerson(instance);
    const projectSlug = (await createProject(author)).slug;
    const asker = { origin: instance.origin, author, projectSlug, session: await signIn(instance, author.userId) };
    const over: string[] = [];
    for (const text of largeTexts.filter(({ name }) => only === undefined || name === only).slice(0, count)) {
      const content = text.ofBytes(textBytes);
      const artifact = await createArtifact(author, projectSlug, { type: text.type, content });
      await author.client.call("version.create", { artifactId: artifact.artifactId, content: `${content.slice(1)}x` });
      console.log(`\n${text.name}`);
      for (const [name, ask] of Object.entries(requests))
        // The first of an operation compiles its code.
        for (const turn of ["first", "again"]) {
          const cost = await costOf(instance, `${name}, ${turn}`, () => ask(asker, { text, content, artifact }));
          console.log(lineOf(cost));
          const isOver = cost.mainThreadMs > mainThreadBoundMs || cost.memoryMb > memoryBoundMb;
          if (isOver && turn === "again") over.push(`${text.name}: ${lineOf(cost)}`);
        }
    }
    await instance.kill();
    assert(over.length === 0, () => `over the bounds:\n${over.join("\n")}`);
    return { requests: Object.keys(requests).length };
  },
};

const lineOf = ({ name, status, mainThreadMs, memoryMb }: Cost): string =>
  `${mainThreadMs.toFixed(1).padStart(9)} ms ${memoryMb.toFixed(0).padStart(5)} MB  ${status}  ${name}`;

async function costOf(instance: Instance, name: string, ask: () => Promise<{ status: number }>): Promise<Cost> {
  const { pid } = instance;
  await settled(instance);
  const from = instance.stderr().length;
  resetHighest(pid);
  const before = kilobytes(pid, "status", "VmRSS");
  const { status } = await ask();
  await settled(instance);
  const times = instance
    .stderr()
    .slice(from)
    .split("\n")
    .flatMap((line) => /"mainThreadMs":([\d.]+)/.exec(line)?.[1] ?? []);
  return {
    name,
    status,
    mainThreadMs: Math.max(0, ...times.map(Number)),
    memoryMb: (kilobytes(pid, "status", "VmHWM") - before) / 1024,
  };
}

/** Waits until the log says no more, and so no job of an earlier request is under way. */
async function settled(instance: Instance): Promise<void> {
  const deadline = Date.now() + hung;
  for (let length = -1; length !== instance.stderr().length && Date.now() < deadline; await Bun.sleep(lineMs))
    length = instance.stderr().length;
}
