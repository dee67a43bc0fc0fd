// The scenario and the claims on what compose.yaml describes: two of each process behind nginx, on PostgreSQL and
// Redis. The scenario in one run of three, and a third of the claims, by the seed of the run; `TEST_SAMPLES=all bun run test
// e2e/scale/composed` has all.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { request } from "node:http";

import { problemOf, send, type Answer } from "../harness/http.ts";
import type { Instance } from "../harness/instance.ts";
import { createArtifact, createPerson, createProject } from "../harness/people.ts";
import { hung } from "../harness/process.ts";
import { oneRunIn, sample, testRandom } from "../harness/test-seed.ts";
import { restSurface } from "../parity/rest.ts";
import { runScenario, runScenarioOn } from "../parity/run.ts";
import { claims } from "./across.ts";
import { startComposed, type Composed } from "./composed.ts";

setDefaultTimeout(3 * hung);

let shape: Composed;
beforeAll(async () => {
  shape = await startComposed();
});
afterAll(() => shape.stop());

test.each(oneRunIn(3, "composed"))("the story of what is %s is the one that a single process tells", async () => {
  const [composed, whole] = await Promise.all([
    runScenarioOn(shape.front as Instance, restSurface),
    runScenario(restSurface),
  ]);
  expect(composed).toEqual(whole);
});

const held = Object.entries(claims);
for (const [claim, hold] of sample(held, Math.ceil(held.length / 3), testRandom("composed", "claims")))
  test(claim, () => hold(shape));

test("one process of the API is killed: the proxy keeps answering, also when it is back", async () => {
  const person = await createPerson(shape.front);
  const { slug: projectSlug } = await createProject(person);
  const { artifactId, slug } = await createArtifact(person, projectSlug);
  const { origin } = shape.front;
  const paths = [`/api/artifacts/${artifactId}`, `/${person.username}/${projectSlug}/${slug}`];
  const statuses: number[] = [];
  let isOver = false;
  const readers = [0, 1, 2, 3].map(async (n) => {
    for (; !isOver; await Bun.sleep(20)) statuses.push((await send(origin + paths[n % 2])).status);
  });
  const publish = async (times: number) => {
    for (let n = 0; n < times; n++) await person.client.call("version.create", { artifactId, content: `# ${n}\n` });
  };
  await publish(5);
  await shape.killApi();
  await publish(20);
  await shape.beginApi();
  await publish(5);
  isOver = true;
  await Promise.all(readers);
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(statuses.length).toBeGreaterThan(20);
  expect((await person.client.call("artifact.get", { artifactId })).latestVersion).toBe(31);
});

test("the health check of each finds what lives, and of one that was killed it says so", async () => {
  for (const [name, n] of [
    ["api", 1],
    ["api", 2],
    ["worker", 1],
    ["web", 1],
    ["web", 2],
  ] as const)
    expect([name, n, await shape.isHealthy(name, n)]).toEqual([name, n, true]);
  await shape.killApi();
  expect(await shape.isHealthy("api", 2)).toBe(false);
  await shape.beginApi();
});

test("a large document goes through, and what is larger than any is refused as the API would", async () => {
  const person = await createPerson(shape.front);
  const { slug: projectSlug } = await createProject(person);
  const content = `# Large\n${"word ".repeat(380_000)}\n`;
  const { artifactId } = await createArtifact(person, projectSlug, { content });
  expect((await send(`${shape.front.origin}/api/artifacts/${artifactId}/content`)).text).toBe(content);
  const answer = await announced(`${shape.front.origin}/api/artifacts/${artifactId}/versions`, 200 << 20);
  expect([answer.status, answer.headers.get("x-request-id")]).toEqual([413, "announced-1"]);
  expect(problemOf(answer)).toMatchObject({ code: "content_too_large", limitBytes: 16 << 20 });
});

/** The answer to a request with this content length and no body. */
function announced(url: string, length: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { "content-length": length, "content-type": "application/json", "x-request-id": "announced-1" };
  const asked = request(url, { method: "POST", headers, agent: false }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on("data", (chunk: Buffer) => chunks.push(chunk));
    answer.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const { statusCode = 0, headers } = answer;
      resolve({
        status: statusCode,
        headers: new Headers(headers as Record<string, string>),
        text: bytes.toString(),
        bytes,
      });
    });
  });
  asked.on("error", reject);
  asked.flushHeaders();
  return promise;
}
