// Small documents are published and read while other programs keep every processor busy: the load is never reported as
// their fault, and none is shown as source.
import { availableParallelism } from "node:os";

import { ProblemError } from "@plinth/contract/client";

import { startInstance, type Instance } from "../harness/instance.ts";
import { createPerson, createProject, fresh, type Person } from "../harness/people.ts";
import { assert, inParallel, type StressTest } from "./stress-test.ts";

/** Parallel publishes, like those of one program that publishes a folder. */
const width = 4;
/** The longest time in ms that a document is shown without its rendering. */
const timeoutMs = 60_000;
const lookMs = 500;
/** Programs that only compute, for each processor. */
const loadsEach = 2;

export const busy: StressTest = {
  claim: "under load no small document is refused as its author's fault or shown as source",
  count: 300,
  shortCount: 12,
  async run({ count, timed = false }) {
    const instance = await startInstance({ env: { RENDER_WAIT_MS: "1000" } });
    const stopLoad = startLoad();
    const counts = { jsx: 0, md: 0, busy: 0, pending: 0, longestMs: 0 };
    try {
      const person = await createPerson(instance);
      const { slug } = await createProject(person);
      await inParallel(count, width, async (index) => {
        // One jsx for every two markdown documents.
        const type = index % 3 === 0 ? "jsx" : "md";
        const artifactId = await publish(person, slug, type, index, () => counts.busy++);
        counts[type]++;
        const waitedMs = await untilRendered(instance, artifactId, type, () => counts.pending++);
        counts.longestMs = Math.max(counts.longestMs, waitedMs);
        assert(!timed || waitedMs <= timeoutMs, () => `${artifactId} was not rendered for ${Math.round(waitedMs)} ms`);
      });
      return { ...counts, longestMs: Math.round(counts.longestMs), invalidSource: 0, shownAsSource: 0 };
    } finally {
      stopLoad();
      await instance.stop();
    }
  },
};

const contents = {
  jsx: (index: number) =>
    `export default function Card() {\n  return <main className="p-4 text-lg">Number ${index}</main>;\n}\n`,
  md: (index: number) => `# Number ${index}\n\nSome *text* and code:\n\n\`\`\`ts\nconst n = ${index};\n\`\`\`\n`,
};

/** Retries while the instance is busy. @throws if the document is refused for any other reason */
async function publish(
  person: Person,
  projectSlug: string,
  type: "jsx" | "md",
  index: number,
  onBusy: () => void,
): Promise<string> {
  const access = { publicView: true, publicEdit: false };
  const input = {
    projectSlug,
    slug: fresh("busy"),
    type,
    title: `Number ${index}`,
    content: contents[type](index),
    access,
  };
  for (;;) {
    try {
      return (await person.client.call("artifact.create", input)).artifactId;
    } catch (error) {
      assert(
        error instanceof ProblemError && error.problem.code === "busy",
        () => `${type} ${index} was refused: ${String(error)}`,
      );
      onBusy();
      await Bun.sleep(Number(error.problem["retryAfterSeconds"]) * 1000);
    }
  }
}

/** The ms until a reader saw the document. @throws if the reader saw source instead */
async function untilRendered(
  { origin }: Instance,
  artifactId: string,
  type: "jsx" | "md",
  onPending: () => void,
): Promise<number> {
  const started = performance.now();
  for (;;) {
    const answer = await fetch(`${origin}/_content/p/${artifactId}/1`);
    const html = await answer.text();
    assert(answer.status === 200, () => `${artifactId}: ${answer.status} ${html.slice(0, 300)}`);
    assert(!html.includes("source-lines"), () => `${artifactId} is shown as source`);
    if (!html.includes("Still rendering")) {
      const sign = type === "md" ? "<em>text</em>" : "text-lg";
      assert(html.includes(sign), () => `${artifactId} is not the document: ${html.slice(0, 1000)}`);
      return performance.now() - started;
    }
    onPending();
    await Bun.sleep(lookMs);
  }
}

function startLoad(): () => void {
  const loads = Array.from({ length: loadsEach * availableParallelism() }, () =>
    Bun.spawn([process.execPath, "-e", "for (;;) Math.sqrt(2)"], { stdio: ["ignore", "ignore", "ignore"] }),
  );
  return () => {
    for (const load of loads) load.kill("SIGKILL");
  };
}
