// Revocation during use: after the answer no new read succeeds by any way, and an open stream reports its end and
// nothing else.
import { openEvents } from "../harness/events.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { createArtifact, createProject, fresh } from "../harness/people.ts";
import { credentialHeaders, jsonOf, send } from "../harness/http.ts";
import { withinHung } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { type StressTest, assert, inParallel, spreadOf } from "./stress-test.ts";
import { createPlace, grants, type Place } from "./revocation-grants.ts";
import { waysTo } from "./revocation-ways.ts";

const width = 6;
/** Reads of each way that begin after the answer. */
const readsAfter = 2;

interface Outcome {
  readonly before: number;
  readonly after: number;
  /** From the answer to the end of the open stream. */
  readonly endedMs: number;
}

/** One revocation with concurrent readers. @throws if any of it is visible afterwards */
async function revokeAmidReaders(place: Place, kind: string): Promise<Outcome> {
  const { instance, owner } = place;
  const { origin } = instance;
  const word = fresh("word").replaceAll("-", "");
  // A new project, so that only this artifact gives access to it.
  const { slug: projectSlug } = await createProject(owner);
  const access = { publicView: false, publicEdit: false };
  const artifact = await createArtifact(owner, projectSlug, { title: word, content: `# ${word}\n`, access });
  const { artifactId } = artifact;
  const give = grants[kind];
  assert(give !== undefined, () => `there is no ${kind}`);
  const grant = await give(place, artifactId);
  const { headers } = grant;
  const ticket = await send(`${origin}/api/artifacts/${artifactId}/ticket`, { headers });
  const { url: contentUrl } = jsonOf<{ url: string }>(ticket);
  const stream = await openEvents(origin, artifactId, { headers });
  assert(stream.status === 200, () => `${kind}: the stream answered ${stream.status}`);

  const ways = waysTo({ origin, artifact, word, headers, contentUrl });
  const seen = new Set<string>();
  const allSeen = Promise.withResolvers<void>();
  let answeredAt = Infinity;
  const counts = { before: 0, after: 0 };
  const readers = ways.map(async (way) => {
    for (let later = 0; later < readsAfter;) {
      const began = performance.now();
      const sees = await way.read();
      if (began <= answeredAt) {
        counts.before++;
        if (sees) seen.add(way.name);
        if (ways.every(({ name, isCertain }) => !isCertain || seen.has(name))) allSeen.resolve();
        continue;
      }
      later++;
      counts.after++;
      assert(!sees, () => `${kind}: ${way.name} shows it ${Math.round(began - answeredAt)} ms after the answer`);
    }
  });
  const reading = Promise.all(readers);
  await Promise.race([withinHung(allSeen.promise, () => `${kind}: seen only by ${[...seen].join(", ")}`), reading]);
  await grant.revoke();
  answeredAt = performance.now();
  // An event that the reader would receive if the stream were still open.
  const published = send(`${origin}/api/artifacts/${artifactId}/versions`, {
    method: "POST",
    headers: credentialHeaders(origin, owner.token),
    body: { content: "# Later\n", changelog: "told to nobody" },
  });
  await withinHung(stream.ended, () => `${kind}: the stream goes on`);
  const endedMs = performance.now() - answeredAt;
  await reading;
  jsonOf(await published, 201);
  const received = JSON.stringify(stream.events.map(({ event, data }) => [event, data["canView"]]));
  // A change that keeps the reader's access can be reported before the final state.
  assert(received === '[["access",false]]', () => `${kind}: the stream told ${received}`);
  return { ...counts, endedMs };
}

export const revocations: StressTest = {
  claim: "no read that begins after a revocation was answered succeeds, tickets and event streams included",
  count: 1_000,
  shortCount: 30,

  async run({ count, seed }) {
    const random = randomFrom(seed);
    const kinds = Object.keys(grants);
    const chosen = Array.from({ length: count }, () => kinds[Math.floor(random() * kinds.length)] ?? "key");
    const instance: Instance = await startInstance();
    const sum = { before: 0, after: 0 };
    const ends: number[] = [];
    const byKind = new Map<string, number>();
    try {
      const places = await Promise.all(Array.from({ length: width }, () => createPlace(instance)));
      const free = [...places];
      await inParallel(count, width, async (round) => {
        const place = free.pop();
        const kind = chosen[round] ?? "key";
        if (place === undefined) throw new Error("more workers than places");
        const outcome = await revokeAmidReaders(place, kind);
        free.push(place);
        byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
        sum.before += outcome.before;
        sum.after += outcome.after;
        ends.push(outcome.endedMs);
      });
    } finally {
      await instance.stop();
    }
    return {
      revocations: Object.fromEntries(byKind),
      readsBefore: sum.before,
      readsAfter: sum.after,
      streamEndedMs: spreadOf(ends),
    };
  },
};
