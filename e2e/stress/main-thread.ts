// Measures the memory of each request about a text of 16 MiB, and its time on the main thread, for which all other
// requests wait: a table, by the log of an instance that does nothing else.
import { asyncProperty, check } from "fast-check";

import { mainThreadBoundMs } from "@plinth/contract/served-request";

import { startInstance, type Instance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject, signIn } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { kilobytes, resetHighest } from "./bystander-memory.ts";
import { requests, type Asker } from "./main-thread-requests.ts";
import { largeTexts, pieces, repeatedText, type LargeText } from "./main-thread-texts.ts";
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
    const asker = await startAsking();
    const over: string[] = [];
    for (const text of largeTexts.filter(({ name }) => only === undefined || name === only).slice(0, count)) {
      console.log(`\n${text.name}`);
      const costs = await costsOf(asker, text, { first: 1, counted: 3 });
      for (const cost of costs) console.log(lineOf(cost));
      over.push(...costs.filter(isOver).map((cost) => `${text.name}: ${lineOf(cost)}`));
    }
    await asker.instance.kill();
    assert(over.length === 0, () => `over the bounds:\n${over.join("\n")}`);
    return { requests: Object.keys(requests).length };
  },
};

export const mainThreadWorst: StressTest = {
  claim: `nor about any text of few repeated pieces: a failing one is reduced to its fewest pieces`,
  count: 40,
  shortCount: 1,
  async run({ count, seed }) {
    const asker = await startAsking();
    const worst = new Map<string, Cost & { readonly text: string }>();
    // The first text compiles the code of each operation.
    await costsOf(asker, repeatedText(["a"]), { first: 0, counted: 1 });
    const property = asyncProperty(pieces, async (unit) => {
      const text = repeatedText(unit);
      const costs = await costsOf(asker, text, { first: 0, counted: 1 });
      for (const cost of costs)
        for (const [kind, value] of [
          ["ms", cost.mainThreadMs],
          ["MB", cost.memoryMb],
        ] as const) {
          const known = worst.get(`${cost.name} ${kind}`);
          if (known === undefined || value > (kind === "ms" ? known.mainThreadMs : known.memoryMb))
            worst.set(`${cost.name} ${kind}`, { ...cost, text: text.name });
        }
      const over = costs.filter(isOver);
      if (over.length > 0) console.log(`${text.name}\n${over.map(lineOf).join("\n")}`);
      assert(over.length === 0, () => over.map(lineOf).join("\n"));
    });
    const outcome = await check(property, { seed, numRuns: count, maxSkipsPerRun: 0 });
    await asker.instance.kill();
    for (const [name, { text, ...cost }] of worst) console.log(`${lineOf(cost)} ${name.slice(-2)}: ${text}`);
    assert(
      !outcome.failed,
      () => `over the bounds with ${JSON.stringify(outcome.counterexample)}: ${String(outcome.errorInstance)}`,
    );
    return { texts: outcome.numRuns };
  },
};

async function startAsking(): Promise<Asker & { readonly instance: Instance }> {
  const instance = await startInstance({
    env: { MAX_CONTENT_BYTES: String(16 * 1024 * 1024), LOG_REQUESTS: "1" },
  });
  const author = await createPerson(instance);
  const projectSlug = (await createProject(author)).slug;
  const session = await signIn(instance, author.userId);
  return { instance, origin: instance.origin, author, projectSlug, session };
}

interface Turns {
  /** Requests of each kind that are left out: they compile code. */
  readonly first: number;
  /** Requests of each kind whose median counts: a collection of garbage falls into one of them. */
  readonly counted: number;
}

/** What each request about the text costs. */
async function costsOf(
  asker: Asker & { readonly instance: Instance },
  text: LargeText,
  { first, counted }: Turns,
): Promise<Cost[]> {
  const content = text.ofBytes(textBytes);
  const artifact = await createArtifact(asker.author, asker.projectSlug, { type: text.type, content });
  await asker.author.client.call("version.create", {
    artifactId: artifact.artifactId,
    content: `${content.slice(1)}x`,
  });
  const costs: Cost[] = [];
  for (const [name, ask] of Object.entries(requests)) {
    const turns: Cost[] = [];
    for (let turn = 0; turn < first + counted; turn++)
      turns.push(await costOf(asker.instance, name, () => ask(asker, { text, content, artifact })));
    costs.push(medianOf(turns.slice(first)));
  }
  return costs;
}

/** Of each figure by itself. */
function medianOf(costs: readonly Cost[]): Cost {
  const middle = (figure: "mainThreadMs" | "memoryMb"): number =>
    costs.map((cost) => cost[figure]).toSorted((a, b) => a - b)[costs.length >> 1] ?? Number.NaN;
  const [one] = costs;
  if (one === undefined) throw new Error("no request was made");
  return { ...one, mainThreadMs: middle("mainThreadMs"), memoryMb: middle("memoryMb") };
}

const isOver = ({ mainThreadMs, memoryMb }: Cost): boolean =>
  mainThreadMs > mainThreadBoundMs || memoryMb > memoryBoundMb;

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
