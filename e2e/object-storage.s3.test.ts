// An instance with a bucket, as an operator runs it: what is published moves there by itself, and is read from there by a
// process that has read nothing.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";

import { copyPreparedDatabase } from "@plinth/support/prepared-database";

import { startInstance, type Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject } from "./harness/people.ts";
import { eventually, hung, refusal, temporaryFolder, withoutScreenshots } from "./harness/process.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";

setDefaultTimeout(hung);

const url = new URL(process.env["TEST_S3_URL"] ?? "http://unset");
const bucket = url.pathname.slice(1);
const prefix = `${crypto.randomUUID()}/`;
const credentials = { accessKeyId: url.username, secretAccessKey: trackSecret(url.password) };
const client = new Bun.S3Client({ ...credentials, bucket, endpoint: url.origin, region: "us-east-1" });
const env = {
  ...withoutScreenshots,
  CONTENT_STORE: `s3://${bucket}/${prefix}`,
  S3_ENDPOINT: url.origin,
  S3_ACCESS_KEY_ID: credentials.accessKeyId,
  S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  METRICS_TOKEN: trackSecret("a-token-for-the-figures"),
};

let dataDir: string;
let instance: Instance;
beforeAll(async () => {
  dataDir = await temporaryFolder("objects");
  await copyPreparedDatabase(dataDir);
  instance = await startInstance({ dataDir, env });
}, hung);
afterAll(async () => {
  await instance.stop();
  await rm(dataDir, { recursive: true });
});

const objects = async () => (await client.list({ prefix })).contents?.map(({ key }) => key.slice(prefix.length)) ?? [];

const untilThereAre = (count: number) =>
  eventually(
    async () => (await objects()).length === count,
    () => `there were never ${count} objects\n${instance.stderr()}`,
  );

const operator = (path: string, method = "GET") =>
  fetch(instance.origin + path, { method, headers: { authorization: `Bearer ${instance.operatorToken}` } });

test("what is published moves to the bucket by the job, and is read from there after a restart", async () => {
  const person = await createPerson(instance);
  const { slug } = await createProject(person);
  const artifact = await createArtifact(person, slug);
  const read = async () => {
    const path = `/api/artifacts/${artifact.artifactId}/content`;
    const answer = await fetch(instance.origin + path, { headers: { authorization: `Bearer ${person.token}` } });
    return [answer.status, await answer.text()];
  };
  const before = await read();
  expect(before[0]).toBe(200);
  expect((await operator("/api/operator/jobs/contents", "POST")).status).toBe(202);
  // The content, and whose objects they are.
  await untilThereAre(2);
  expect(await read()).toEqual(before);

  await instance.stop();
  instance = await startInstance({ dataDir, env });
  expect(await read()).toEqual(before);
  const figures = await fetch(`${instance.origin}/metrics`, {
    headers: { authorization: `Bearer ${env.METRICS_TOKEN}` },
  });
  expect(await figures.text()).toContain('plinth_object_requests_total{action="get",outcome="done"}');
});

test("an instance that is not told where its contents are is refused in one line", async () => {
  await instance.stop();
  const { status, lines } = await refusal(dataDir, {});
  expect([status, lines]).toEqual([
    1,
    ["plinth: CONTENT_STORE must be set: contents of this database are in object storage"],
  ]);
  instance = await startInstance({ dataDir, env });
});
