// The bystander, in a separate process: reads and publishes at a steady pace and prints how long each request took.
// Each kind of request has a loop, so that one that waits does not delay the others.
import {
  publishedText,
  type BystanderJob,
  type BystanderOutcome,
  type Kind,
  type Series,
} from "./bystander-figures.ts";

interface Request {
  readonly path: string;
  readonly init: RequestInit;
}

const lines = console[Symbol.asyncIterator]();
const job = JSON.parse(String((await lines.next()).value)) as BystanderJob;
const credential = { authorization: `Bearer ${job.token}`, "x-forwarded-for": job.address };
const publish = (artifactId: string, content: string): Request => ({
  path: `/api/artifacts/${artifactId}/versions`,
  init: {
    method: "POST",
    headers: { ...credential, "content-type": "application/json" },
    body: JSON.stringify({ content }),
  },
});

const requests: Readonly<Record<Kind, () => Request>> = {
  read: () => ({ path: `/api/artifacts/${job.artifactIds.read}/content`, init: { headers: credential } }),
  // Of the artifact that `publish` gives new versions, so that the page is not rendered before either.
  page: () => ({ path: job.pagePath, init: { headers: { "x-forwarded-for": job.address, accept: "text/html" } } }),
  publish: () => publish(job.artifactIds.publish, publishedText("publish", crypto.randomUUID())),
  jsx: () => publish(job.artifactIds.jsx, publishedText("jsx", crypto.randomUUID())),
};

const began = performance.now();
const deadline = began + job.seconds * 1000;

/** Sends requests of one kind until the time is over and as many as required have been answered. */
async function repeat(kind: Kind): Promise<Series> {
  const everyMs = job.everyMs[kind];
  const took: number[] = [];
  const failures: string[] = [];
  while (performance.now() < deadline || took.length + failures.length < job.least) {
    const started = performance.now();
    const { path, init } = requests[kind]();
    try {
      const response = await fetch(job.origin + path, { ...init, signal: AbortSignal.timeout(job.timeoutMs) });
      const text = await response.text();
      if (response.ok) took.push(performance.now() - started);
      else failures.push(`${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(`${(error as Error).name} after ${Math.round(performance.now() - started)} ms`);
    }
    await Bun.sleep(Math.max(0, everyMs - (performance.now() - started)));
  }
  return { took, failures };
}

const [read, page, published, jsx] = await Promise.all([
  repeat("read"),
  repeat("page"),
  repeat("publish"),
  repeat("jsx"),
]);
const outcome: BystanderOutcome = { read, page, publish: published, jsx };
process.stdout.write(JSON.stringify(outcome));
process.exit(0);
