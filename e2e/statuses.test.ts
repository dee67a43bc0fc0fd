// Every status of the table in docs/reference/contract.md §2, "Errors", from every operation that declares it. A pair
// of operation and code without an error case fails.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import { errorCodes, type ErrorCode } from "@plinth/contract/errors";
import { errorsOf } from "@plinth/contract/operation-errors";
import { operations } from "@plinth/contract/registry";
import { decodeId } from "@plinth/contract/ids";
import { caseOf, validHeaders, validInput } from "@plinth/contract/test/cases";
import { emptyFile } from "@plinth/contract/test/fixtures";

import { lineTo, ownDatabase, scaledOut, type Line, type OwnDatabase } from "./harness/database.ts";
import { jsonOf, send } from "./harness/http.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { hung } from "./harness/process.ts";
import { call, rightToken, tryOut, type NamedOperation } from "./harness/call.ts";
import { attemptAt } from "./harness/error-cases.ts";
import { check } from "./harness/refusal.ts";
import { zipOf } from "@plinth/support/zip-of";
import { createArtifact, createPerson } from "./harness/people.ts";
import { createFixtures, type Fixtures } from "./harness/fixtures.ts";

setDefaultTimeout(2 * hung);

let database: OwnDatabase;
let line: Line;
let instance: Instance;
let fixtures: Fixtures;

beforeAll(async () => {
  database = await ownDatabase();
  line = await lineTo(database.url);
  instance = await startInstance({ env: scaledOut(line.url) });
  fixtures = await createFixtures(instance);
}, hung);

afterAll(async () => {
  await instance.stop();
  line.close();
  await database.drop();
}, hung);

/** Separate tests below cause these. */
const apart: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "rate_limited",
  "busy",
  "unavailable",
  "version_expired",
  "storage_limit_reached",
]);

for (const op of operations) {
  describe(op.name, () => {
    for (const code of errorsOf(op).filter((name) => !apart.has(name))) {
      test(`${errorCodes[code].status} ${code}`, async () => {
        check(await tryOut(fixtures, op, await attemptAt(fixtures, op, code)), code);
      });
    }
    const { invalid } = caseOf(op.name);
    if (invalid !== undefined)
      test("400 invalid_request, for the fields of its case", async () => {
        const answer = await call(fixtures, op, await rightToken(fixtures, op), invalid);
        check(answer, "invalid_request");
      });
  });
}

test("403 storage_limit_reached from every operation that keeps files", async () => {
  const { token, client, workspaceId, username } = await createPerson(instance, "free");
  const { slug: projectSlug } = await client.call("project.create", { slug: "full", title: "Full", icon: "f" });
  const { artifactId } = await createArtifact({ ...fixtures.owner, client }, projectSlug);
  const page = await createArtifact({ ...fixtures.owner, client }, projectSlug, { type: "html" });
  const zip = zipOf([{ name: "index.html" }, { name: "a.txt", content: "one more" }]);
  const archiveSha256 = new Bun.CryptoHasher("sha256").update(zip).digest("hex");
  await client.call("file.upload", { sha256: archiveSha256 }, { file: zip });
  await client.call("file.upload", { sha256: emptyFile });
  // A gigabyte takes long to upload, so the size is written directly.
  await database.sql`UPDATE workspace_file SET size_bytes = 1000000000
    WHERE workspace_id = ${decodeId("wsp", workspaceId) ?? ""} AND sha256 = decode(${emptyFile}, 'hex')`;
  const file = new TextEncoder().encode("one more");
  const sha256 = new Bun.CryptoHasher("sha256").update(file).digest("hex");
  const archive = { projectSlug, slug: "zip", type: "html", content: undefined, archiveSha256 };
  const changes: Readonly<Record<string, object>> = {
    "file.upload": { workspaceId, sha256 },
    "file.uploadToArtifact": { artifactId, sha256 },
    "artifact.create": { ...archive, ownerUsername: username },
    "artifact.createInWorkspace": { ...archive, workspaceId },
    "artifact.put": { ...archive, owner: username },
    "version.create": { artifactId: page.artifactId, content: undefined, archiveSha256 },
  };
  for (const op of operations.filter(({ errors }) => errors.includes("storage_limit_reached")))
    check(await tryOut(fixtures, op, { token, changes: { ...changes[op.name] }, file }), "storage_limit_reached");
});

test("an expired token: another error than a wrong one", async () => {
  const attempt = await attemptAt(fixtures, getArtifact, "token_expired");
  check(await tryOut(fixtures, getArtifact, attempt), "token_expired");
});

const getArtifact = named("artifact.get");
function named(name: string): NamedOperation {
  const op = operations.find((operation) => operation.name === name);
  if (op === undefined) throw new Error(`there is no ${name}`);
  return op;
}

test("404 version_expired from every operation that reads an old version", async () => {
  const { artifactId } = await createArtifact(fixtures.owner, fixtures.project.slug);
  await fixtures.owner.client.call("version.create", { artifactId, content: "# Second\n" });
  // Retention takes days, so its result is written directly.
  await database.sql`UPDATE version SET pruned_at = now() WHERE version_number = 1 AND artifact_id = (
    SELECT artifact_id FROM artifact ORDER BY created_at DESC LIMIT 1)`;
  for (const op of operations.filter(({ errors }) => errors.includes("version_expired"))) {
    const named = ["version", "versionNumber", "from"].filter((field) => field in op.input.properties);
    expect([op.name, named.length]).toEqual([op.name, 1]);
    const first = { artifactId, [named[0] ?? ""]: 1 };
    check(await call(fixtures, op, fixtures.owner.token, first), "version_expired");
  }
});

test("429 from every operation once a principal is past its rate", async () => {
  const limited = await startInstance({ env: { RATE_LIMIT_READS: "5", RATE_LIMIT_WRITES: "5" } });
  try {
    const person = await createPerson(limited);
    for (const op of operations) {
      const url = limited.origin + op.path.replaceAll(/:\w+/g, "x");
      const token = { operator: limited.operatorToken, authenticated: person.token, anyone: undefined }[op.caller];
      const request = { method: op.method, ...(token === undefined ? {} : { token }) };
      let answer = await send(url, request);
      for (let tries = 0; answer.status !== 429 && tries < 60; tries++) answer = await send(url, request);
      check(answer, "rate_limited");
      expect(answer.headers.get("ratelimit")).not.toBeNull();
      expect(answer.headers.get("ratelimit-policy")).not.toBeNull();
    }
  } finally {
    await limited.stop();
  }
});

test("503 from every operation while the database is away, and service again once it is back", async () => {
  const ready = [];
  for (const op of operations)
    ready.push({ op, token: await rightToken(fixtures, op), input: await validInput(op.name, fixtures) });
  line.cut();
  // All at once, because each waits for the database up to the limit.
  await Promise.all(
    ready.map(async ({ op, token, input }) => {
      const sample = fixtures.anyone.request(op.name, input, { headers: validHeaders(op.name, fixtures) });
      const headers = Object.fromEntries(sample.headers);
      const body = sample.body === null ? {} : { body: await sample.text() };
      // A health check has no credential, which would have to be looked up.
      const credential = op.name === "health" ? {} : { token };
      const answer = await send(sample.url, { method: op.method, headers, ...credential, ...body });
      if (op.name === "health") expect(jsonOf(answer, 503)).toMatchObject({ status: "fail" });
      else check(answer, "unavailable", op.name);
    }),
  );
  line.mend();
  const deadline = Date.now() + hung;
  while ((await send(`${instance.origin}/api/health`)).status !== 200 && Date.now() < deadline) await Bun.sleep(50);
  jsonOf(await send(`${instance.origin}/api/artifacts/${fixtures.artifact.artifactId}`));
});
