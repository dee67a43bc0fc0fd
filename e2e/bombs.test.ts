// Contents that can hang a renderer, published and read: each is answered or refused, and small requests of other
// callers are answered at the same time. A sample of each type; `TEST_SAMPLES=all bun run test e2e/bombs` has all 24.
// `bun run bench --only bombs` measures the times.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { bombs, type Bomb } from "./harness/bombs.ts";
import { faultsOf, send } from "./harness/http.ts";
import { startInstance } from "./harness/instance.ts";
import { createArtifact, fresh } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { sample, testRandom } from "./harness/test-seed.ts";
import { testDesk } from "./harness/test-site.ts";

/** A longer answer counts as hung: threads end after two seconds, and can take twenty to start. Milliseconds. */
const answerTimeout = hung / 2;

setDefaultTimeout(hung);

/** The number of each type. */
const ofType = 2;
const sampled = [...Map.groupBy(bombs, ({ type }) => type)].flatMap(([type, some]) =>
  sample(some, ofType, testRandom("bombs", type)),
);

const desk = testDesk(startInstance);
let small: string;
beforeAll(async () => {
  small = `/_content/p/${(await createArtifact(desk.owner, desk.projectSlug)).artifactId}/1`;
});

/** Publishes it and reads each of its views; returns the statuses, and whether each answer came in time. */
async function detonate({ type, content }: Bomb): Promise<{ published: number; read: number[]; inTime: boolean }> {
  let inTime = true;
  const timed = async (path: string, how: Parameters<typeof send>[1] = {}) => {
    const started = performance.now();
    const answer = await send(desk.instance.origin + path, how);
    inTime &&= performance.now() - started < answerTimeout;
    return answer;
  };
  const access = { publicView: true, publicEdit: false };
  const body = { projectSlug: desk.projectSlug, slug: fresh("bomb"), type, title: "A bomb", content, access };
  const answer = await timed("/api/artifacts", { method: "POST", token: desk.owner.token, body });
  if (answer.status !== 201) {
    expect(faultsOf(answer)).toEqual([]);
    return { published: answer.status, read: [], inTime };
  }
  const { artifactId, url } = JSON.parse(answer.text) as { artifactId: string; url: string };
  const steady = `/_content/p/${artifactId}/1`;
  const read: number[] = [];
  for (const path of [new URL(url).pathname, steady, `${steady}/source`]) read.push((await timed(path)).status);
  return { published: 201, read, inTime };
}

test.each(sampled.map((bomb) => [`${bomb.type}: ${bomb.name}`, bomb] as const))("%s", async (_, bomb) => {
  const others: number[] = [];
  let isOver = false;
  const bystander = async () => {
    for (const path of ["/api/health?live", small]) others.push((await send(desk.instance.origin + path)).status);
    await Bun.sleep(5);
    if (!isOver) await bystander();
  };
  const meanwhile = bystander();
  const { published, read, inTime } = await detonate(bomb);
  isOver = true;
  await meanwhile;
  expect(inTime).toBe(true);
  // Only source that does not compile is refused.
  if (bomb.type === "jsx" && published === 400) expect(read).toEqual([]);
  else expect([published, ...read]).toEqual([201, 200, 200, 200]);
  expect(others.length).toBeGreaterThan(1);
  expect(new Set(others)).toEqual(new Set([200]));
});
