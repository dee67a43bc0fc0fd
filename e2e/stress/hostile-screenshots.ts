// The thumbnail part of the stress test `hostile`, and a stress test by itself: the service captures each document, and
// during that no request reaches another server or the app's API, and the renderer continues as before.
import { startCollector } from "../harness/collector.ts";
import { send } from "../harness/http.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { clientOf, createArtifact, operatorOf } from "../harness/people.ts";
import { hung, withScreenshots } from "../harness/process.ts";
import { randomFrom } from "../harness/random.ts";
import { assert, type StressTest } from "./stress-test.ts";
import { choose } from "./hostile-cases.ts";
import { setStage, type Stage } from "./hostile-publish.ts";
import type { Payload } from "./payloads/payload.ts";
import { canary } from "./payloads/strike.ts";

/** By this many ms after its capture a document has done everything it does by itself. */
const settleMs = 3_000;
/** Requests without a credential are normal here; every other request has a key or a session. */
const ofNobody = new Set(["/api/health", "/api/auth/*"]);

export const hostileScreenshots: StressTest = {
  claim: "a hostile document reaches nobody and calls nothing while its screenshot is taken, and the next one is taken",
  count: 10_000,
  shortCount: 6,

  run: ({ count, seed, only }) => takeScreenshots(choose(count, randomFrom(seed), only)),
};

/** A text is around a document, and is not captured. */
export const isDocument = ({ text }: Payload): boolean => text === undefined;

/** Has all of them captured. @throws if one does something forbidden */
export async function takeScreenshots(chosen: readonly Payload[]): Promise<Readonly<Record<string, unknown>>> {
  const documents = chosen.filter(isDocument);
  assert(documents.length > 0, () => "there is no document among them");
  const [collector, instance] = await Promise.all([startCollector(), startInstance({ env: withScreenshots })]);
  try {
    const stage = await setStage(instance, collector, documents);
    const possessions = await stage.possessions();
    const states = await screenshotsOf(stage);
    await nextIsTaken(stage);
    await Bun.sleep(settleMs);
    const wrong = [
      ...collector.received.map(({ of, what, headers }) => `received ${what} of ${of} ${JSON.stringify(headers)}`),
      ...strangeCalls(instance),
      ...(await tellings(stage)),
    ];
    const left = await stage.possessions();
    if (left !== possessions) wrong.push(`the victim's things were ${possessions} and are ${left}`);
    assert(wrong.length === 0, () => wrong.slice(0, 50).join("\n"));
    return { captured: states.ready, withoutScreenshot: states.placeholder, leftByBusyMachine: states.pending };
  } finally {
    await Promise.all([instance.stop(), collector.stop()]);
  }
}

/**
 * How many have a screenshot, how many a permanent placeholder, and how many were undecided for two minutes because the
 * machine was busy. @throws if none is decided
 */
async function screenshotsOf(
  stage: Stage,
): Promise<{ readonly ready: number; readonly placeholder: number; readonly pending: number }> {
  const counts = { ready: 0, placeholder: 0, pending: 0 };
  let left = [...stage.published];
  let looks = 0;
  for (let deadline = Date.now() + hung; left.length > 0 && Date.now() < deadline; await Bun.sleep(500)) {
    if (++looks % looksBetweenSweeps === 0) await askForPostponed(stage.instance);
    const waiting: typeof left = [];
    for (const one of left) {
      const state = await screenshotOf(stage, one.artifact.artifactId);
      if (state === "pending") waiting.push(one);
      else counts[state]++;
    }
    if (waiting.length < left.length) deadline = Date.now() + hung;
    if (waiting.length < left.length) console.error(`screenshots: ${waiting.length} are left`);
    left = waiting;
  }
  counts.pending = left.length;
  const names = () => left.map(({ name }) => name).join(", ");
  assert(counts.ready + counts.placeholder > 0, () => `no screenshot is taken of ${names()}`);
  if (left.length > 0) console.error(`screenshots: the machine was too busy for ${names()}`);
  return counts;
}

const looksBetweenSweeps = 20;

/** A capture that failed on a busy machine is retried after minutes, or at once by the scheduled job. */
const askForPostponed = (instance: Instance) => operatorOf(instance).call("operator.runJob", { kind: "thumbnails" });

async function screenshotOf(
  { instance, attacker }: Stage,
  artifactId: string,
): Promise<"ready" | "pending" | "placeholder"> {
  const { status, headers } = await send(`${instance.origin}/api/artifacts/${artifactId}/thumbnail`, {
    token: attacker.token,
  });
  const state = headers.get("x-thumbnail");
  assert(
    status === 200 && (state === "ready" || state === "pending" || state === "placeholder"),
    () => `the screenshot of ${artifactId} is ${status} ${state}`,
  );
  const type = state === "ready" ? "image/webp" : "image/svg+xml";
  assert(headers.get("content-type")?.startsWith(type) === true, () => `${headers.get("content-type")} is no ${type}`);
  assert(headers.get("x-content-type-options") === "nosniff", () => "a screenshot can be read as another type");
  return state;
}

/** The renderer captures the next document regardless of the previous ones. */
async function nextIsTaken(stage: Stage): Promise<void> {
  const { artifactId } = await createArtifact(stage.attacker, stage.project.slug, { content: "# A quiet one\n" });
  const deadline = Date.now() + hung;
  let heads = 1;
  let looks = 0;
  for (let state = "pending"; state !== "ready"; state = await screenshotOf(stage, artifactId)) {
    if (++looks % looksBetweenSweeps === 0) await askForPostponed(stage.instance);
    assert(Date.now() < deadline, () => `a quiet document's screenshot is ${state}`);
    if (state === "placeholder") {
      // Three attempts timed out on a busy machine, so a new version is tried.
      assert(heads++ < 5, () => "no quiet document's screenshot is taken");
      await stage.attacker.client.call("version.create", { artifactId, content: `# Quiet one ${heads}\n` });
    }
    await Bun.sleep(250);
  }
}

/** Requests without a key and a session: the test's own requests all have one. */
function strangeCalls(instance: Instance): string[] {
  // The last line can be incomplete.
  const lines = instance.stderr().split("\n").slice(0, -1);
  return lines.filter((line) => {
    if (!line.startsWith("{")) return false;
    const { route, principal = "anonymous" } = JSON.parse(line) as { route?: string; principal?: string };
    return route !== undefined && principal === "anonymous" && !ofNobody.has(route);
  });
}

/** Secrets in a page's report, which it can only have read where it is not allowed to. */
async function tellings({ instance, attacker, victim, published }: Stage): Promise<string[]> {
  const client = clientOf(instance.origin, attacker.token);
  const secrets = [canary.cookie.value, canary.storage.value, victim.username, victim.userId, instance.operatorToken];
  const found: string[] = [];
  for (const { name, artifact } of published) {
    const { page } = await client.call("artifact.preview", { artifactId: artifact.artifactId });
    const said = JSON.stringify(page);
    if (secrets.some((secret) => said.includes(secret))) found.push(`${name} said ${said}`);
  }
  return found;
}
