// Hidden equals missing over REST: a caller who cannot see a thing gets exactly the answer for a thing that never
// existed, for any request. Every seeker calls every operation correctly and in a sample of the other variants;
// TEST_SAMPLES=all bun run test e2e/hidden.test.ts tries all of them, 11,000 pairs of answers.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { operations } from "@plinth/contract/registry";
import { validHeaders } from "@plinth/contract/test/cases";

import { rightToken, type Fields, type NamedOperation } from "./harness/call.ts";
import { hide, type Hiding, type Seeker } from "./harness/hidden.ts";
import { send, type Answer } from "./harness/http.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { hung } from "./harness/process.ts";
import { stripeAway } from "./harness/selling.ts";
import { sample, testRandom } from "./harness/test-seed.ts";
import { variantsOf, type Sample } from "./harness/variants.ts";
import { createFixtures, type Fixtures } from "./harness/fixtures.ts";

setDefaultTimeout(hung);

let instance: Instance;
let fixtures: Fixtures;
let hiding: Hiding;
let compared = 0;

beforeAll(async () => {
  // An instance that sells nothing has no invoices.
  instance = await startInstance({ env: { MAX_CONTENT_BYTES: "1024", ...stripeAway() } });
  fixtures = await createFixtures(instance);
  hiding = await hide(fixtures);
}, hung);

afterAll(async () => {
  console.log(`${compared} pairs of answers compared`);
  await instance.stop();
}, hung);

/** Fields that name something that can be hidden. */
const naming = /^(artifactId|projectId|workspaceId|shareLinkId|apiKeyId|agentId|invitationId|sessionId|userId|owner)/;
const named = operations.filter(({ input }) => Object.keys(input.properties).some((name) => naming.test(name)));

/** Variants that each run has for every operation, and the number of others. */
const always: readonly string[] = ["as it should be", "if none match"];
const others = 1;

for (const op of named) {
  test(op.name, async () => {
    const pairs = await hiding.pairsOf(op);
    expect(pairs.length).toBeGreaterThan(0);
    const differences: string[] = [];
    const random = testRandom("hidden", op.name);
    for (const { what, hidden, missing } of pairs) {
      const variants = Object.entries(variantsOf(op, hiding.etag));
      const fixed = variants.filter(([name]) => always.includes(name));
      const rotating = variants.filter(([name]) => !always.includes(name));
      for (const [variant, change] of [...fixed, ...sample(rotating, others, random)]) {
        const sent = hiding.seekers.map(async (seeker) => {
          const seen = shown(await ask(op, hidden, seeker, change));
          if (/^2|^5/.test(seen) && op.name !== "artifact.list") differences.push(`${seeker.name}: ${seen}`);
          if (variant === "as it should be" && seeker.name === "a stranger" && op.name !== "artifact.list")
            expect(seen).toStartWith("404");
          for (const fields of missing) {
            compared++;
            const unseen = shown(await ask(op, fields, seeker, change));
            if (seen !== unseen) differences.push(`${seeker.name}, ${what}, ${variant}:\n${seen}\n${unseen}`);
          }
        });
        await Promise.all(sent);
      }
    }
    expect(differences).toEqual([]);
  });
}

test("what is hidden is there: its owner reads it", async () => {
  // Event streams do not end; other operations read the same artifact.
  const reads = named.filter(
    ({ method, caller, media }) => method === "GET" && caller !== "operator" && media !== "events",
  );
  for (const op of reads) {
    const [first] = await hiding.pairsOf(op);
    const seeker = { name: "owner", token: await rightToken(fixtures, op), headers: {} };
    const answer = await ask(op, first?.hidden ?? {}, seeker, (sample) => sample);
    expect([op.name, answer.status]).toEqual([op.name, 200]);
  }
});

async function ask(
  op: NamedOperation,
  fields: Fields,
  { token, headers }: Seeker,
  change: (sample: Sample) => Sample,
): Promise<Answer> {
  const request = fixtures.anyone.request(op.name, fields, {
    headers: { ...validHeaders(op.name, fixtures), ...headers },
  });
  const body = request.body === null ? {} : { body: await request.text() };
  const right = { url: request.url, method: op.method, headers: Object.fromEntries(request.headers), ...body };
  const { url, ...sample } = change(right);
  // Fixed, so that answers do not differ in it.
  const fixed = { ...sample.headers, "x-request-id": "hidden-or-missing" };
  return send(url, { ...sample, headers: fixed, ...(token === undefined ? {} : { token }) });
}

/** An answer without its time. */
function shown({ status, headers, text }: Answer): string {
  const fields = [...headers].filter(([name]) => name !== "date" && !name.startsWith("ratelimit"));
  return [status, ...fields.map(([name, value]) => `${name}: ${value}`).toSorted(), "", text].join("\n");
}
