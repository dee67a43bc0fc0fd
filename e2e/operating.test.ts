// An operator's view of a running instance: its log lines, its metrics, its jobs on the command line.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { reservePort } from "@plinth/support/reserved-port";

import { commandLine } from "./harness/command-line.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject, signIn } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { eventually, hung } from "./harness/process.ts";

setDefaultTimeout(hung);

const metricsToken = trackSecret("a-token-for-the-figures");
let instance: Instance;
let workerPort: number;
beforeAll(async () => {
  workerPort = reservePort();
  instance = await startInstance({ env: { METRICS_TOKEN: metricsToken, WORKER_PORT: String(workerPort) } });
}, hung);
afterAll(() => instance.stop());

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(instance.origin + path, { headers, redirect: "manual" });

/** All lines except the banner are JSON; the last can be incomplete. */
const logged = (): Record<string, unknown>[] =>
  instance
    .stderr()
    .split("\n")
    .slice(0, -1)
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const until = <Found>(look: () => Found | undefined) =>
  eventually(look, () => `it did not come to pass\n${instance.stderr()}`);

test("each request has one log line from any process, and no line has a secret", async () => {
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  const artifact = await createArtifact(person, slug);
  const cookie = await signIn(instance, person.userId);
  const shareToken = trackSecret(`pls_${"Ab3".repeat(13)}`);
  const words = trackSecret("what-somebody-searches-for");
  const asked: [path: string, headers: Record<string, string>, route: string][] = [
    [`/${person.username}/${slug}/${artifact.slug}`, { cookie }, "/:owner/:project/:slug"],
    [`/share/${shareToken}`, {}, "/share/:token"],
    [`/_content/${shareToken}`, {}, "/_content/:ticket"],
    [`/api/artifacts?q=${words}`, { authorization: `Bearer ${person.token}` }, "/api/artifacts"],
    [`/nothing/${words}/at/all`, {}, "/:owner/:project/:path"],
    [`/api/${words}`, {}, "unmatched"],
  ];
  for (const [index, [path, headers, route]] of asked.entries()) {
    const requestId = `one-line-for-request-${index}`;
    const answer = await ask(path, { ...headers, "x-request-id": requestId });
    await answer.arrayBuffer();
    // A page can call the API for its visitor, which is a separate request.
    const line = await until(() => logged().find((one) => one["requestId"] === requestId && one["route"] === route));
    expect(line).toMatchObject({ level: "info", method: "GET", status: answer.status, ms: expect.any(Number) });
    expect(logged().filter((one) => one["requestId"] === requestId && one["route"] === route)).toHaveLength(1);
  }
  const page = logged().find(({ route }) => route === "/:owner/:project/:slug");
  expect(page).toMatchObject({ principal: person.userId, surface: "web" });
});

test("each job has a line", async () => {
  const token = { authorization: `Bearer ${instance.operatorToken}` };
  const answer = await fetch(`${instance.origin}/api/operator/jobs/purge`, { method: "POST", headers: token });
  expect(answer.status).toBe(202);
  const line = await until(() =>
    logged().find(({ job, jobId }) => job === "purge" && String(jobId).startsWith("job_")),
  );
  expect(line).toMatchObject({ level: "info", queue: "upkeep", attempt: 1, outcome: "done", ms: expect.any(Number) });
});

test("the figures tell what was asked and done, at the instance and at its worker", async () => {
  const authorization = `Bearer ${metricsToken}`;
  const worker = `http://127.0.0.1:${workerPort}`;
  for (const answer of [
    await ask("/metrics", { authorization }),
    await fetch(`${worker}/metrics`, { headers: { authorization } }),
  ]) {
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain('plinth_requests_total{route="/api/health",method="GET",status="2xx"}');
    expect(text).toContain('plinth_jobs_total{kind="purge",outcome="done"}');
    expect(text).not.toContain("eventloop");
  }
  expect((await ask("/metrics")).status).toBe(401);
  expect((await fetch(`${worker}/health?live`)).status).toBe(200);
});

test("an operator runs a job, lists the jobs and reads the figures on the command line", async () => {
  const plinth = await commandLine(instance.origin);
  const line = (...words: string[]) => plinth.run(words, { OPERATOR_TOKEN: instance.operatorToken });
  expect((await line("operator", "jobs", "run", "--kind", "purge", "--format", "text")).stdout).toContain(
    "plinth operator jobs list",
  );
  const listed = JSON.parse((await line("operator", "jobs", "list", "--state", "delayed")).stdout) as {
    jobs: { kind: string; state: string; queue: string }[];
  };
  expect(listed.jobs.map(({ kind }) => kind)).toContain("renderings");
  expect(new Set(listed.jobs.map(({ state }) => state))).toEqual(new Set(["delayed"]));
  const stats = JSON.parse((await line("operator", "stats")).stdout) as {
    schedules: { kind: string; nextAt: string }[];
  };
  expect(stats.schedules.find(({ kind }) => kind === "purge")?.nextAt).toMatch(/^\d{4}-/);
  const unsold = await line("operator", "jobs", "run", "--kind", "billing-reconcile");
  expect([unsold.code, unsold.stderr]).toEqual([9, expect.stringContaining("This instance sells no plans")]);
  const unknown = await line("operator", "jobs", "run", "--kind", "stripe-event");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("billing-reconcile")]);
  const text = await line("operator", "jobs", "list", "--format", "text");
  expect(text.stdout).toMatch(/^STATE +KIND +QUEUE +TRIES +MADE +ERROR +ID\n/);
  await plinth.remove();
});
