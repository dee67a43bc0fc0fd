// Traffic on artifacts during retention: reads, comparisons, restores and publishes. Each answer is complete, or says
// that the version has expired, which must be true.
import { jsonOf, send, type Answer } from "../harness/http.ts";
import { fresh, type Person } from "../harness/people.ts";
import type { PlanId } from "@plinth/contract/plans";
import { assert } from "./stress-test.ts";
import { artifactIdOf, isDue, planOf, textNumber, textOf, versionsOf, type Seeded } from "./retention-seed.ts";

export interface Place {
  readonly origin: string;
  readonly seeded: Seeded;
  readonly owners: Readonly<Record<PlanId, Person>>;
  /** Slugs. */
  readonly projects: Readonly<Record<PlanId, string>>;
}

export interface TrafficLog {
  readonly counts: Record<string, number>;
  /** Of publishes and restores, in ms. */
  readonly writes: number[];
  /** Versions published or restored during the run: the number of their text. */
  readonly written: Map<string, number>;
}

export const newTrafficLog = (): TrafficLog => ({ counts: {}, writes: [], written: new Map() });

interface Pick {
  readonly artifact: number;
  readonly version: number;
}

/** Does one action. @throws if the answer is neither complete nor a correct refusal */
export async function act(place: Place, log: TrafficLog, random: () => number): Promise<void> {
  const { seeded } = place;
  // Sometimes the artifact with the most versions, of which a batch deletes many.
  const artifact = random() < 0.1 ? 0 : Math.floor(random() * seeded.artifacts);
  const version = 1 + Math.floor(random() * versionsOf(seeded, artifact));
  const dice = random();
  const how = dice < 0.4 ? read : dice < 0.55 ? show : dice < 0.7 ? compare : dice < 0.85 ? restore : publish;
  const outcome = await how(place, { artifact, version }, log, random);
  log.counts[outcome] = (log.counts[outcome] ?? 0) + 1;
}

type Action = (place: Place, pick: Pick, log: TrafficLog, random: () => number) => Promise<string>;

const read: Action = async ({ origin, seeded }, { artifact, version }) => {
  const answer = await send(`${origin}/api/artifacts/${artifactIdOf(artifact)}/content?version=${version}`);
  if (isExpired(seeded, [{ artifact, version }], answer)) return "read, expired";
  requireText(answer, textNumber(seeded, artifact, version), "a read");
  return "read";
};

const show: Action = async ({ origin, seeded }, { artifact, version }) => {
  const answer = await send(`${origin}/_content/p/${artifactIdOf(artifact)}/${version}`);
  // A content URL does not say why it is not found.
  if (answer.status === 404) {
    assert(isDue(seeded, artifact, version), () => `${artifact} v${version} is not shown, and not due`);
    return "shown, expired";
  }
  const number = textNumber(seeded, artifact, version);
  assert(
    answer.status === 200 && answer.text.includes(`word${number} `),
    () => `shown without its text: ${answer.status}`,
  );
  return "shown";
};

const compare: Action = async ({ origin, seeded }, { artifact, version }, _log, random) => {
  const other = 1 + Math.floor(random() * versionsOf(seeded, artifact));
  const pair = [version, other].map((number) => ({ artifact, version: number }));
  const answer = await send(`${origin}/api/artifacts/${artifactIdOf(artifact)}/diff?from=${version}&to=${other}`);
  if (isExpired(seeded, pair, answer)) return "diff, expired";
  const { hunks } = jsonOf<{ hunks: { lines: { kind: string; text: string }[] }[] }>(answer);
  const [before, after] = pair.map((one) => textNumber(seeded, one.artifact, one.version));
  const lines = hunks.flatMap((hunk) => hunk.lines.map(({ kind, text }) => `${kind} ${text}`)).join("\n");
  const isWhole =
    before === after ? hunks.length === 0 : lines.includes(`# Text ${before}`) && lines.includes(`# Text ${after}`);
  assert(isWhole, () => `a diff of ${artifact} v${version} and v${other} lacks a side\n${lines}`);
  return "diff";
};

const restore: Action = async ({ origin, seeded, owners }, { artifact, version }, log) => {
  const { token } = owners[planOf(artifact)];
  const began = performance.now();
  const answer = await send(`${origin}/api/artifacts/${artifactIdOf(artifact)}/versions/${version}/restore`, {
    method: "POST",
    token,
    body: {},
  });
  log.writes.push(performance.now() - began);
  if (isExpired(seeded, [{ artifact, version }], answer)) return "restore, expired";
  await requireWritten(origin, log, artifactIdOf(artifact), answer, textNumber(seeded, artifact, version));
  return "restore";
};

/** A text of versions that are about to be deleted. */
const publish: Action = async ({ origin, seeded, owners, projects }, { artifact, version }, log, random) => {
  const plan = planOf(artifact);
  const { token } = owners[plan];
  const number = textNumber(seeded, artifact, version);
  const content = textOf(number);
  const isNew = random() < 0.5;
  const access = { publicView: true, publicEdit: false };
  const began = performance.now();
  const answer = isNew
    ? await send(`${origin}/api/artifacts`, {
        method: "POST",
        token,
        body: { projectSlug: projects[plan], slug: fresh("new"), type: "md", title: "New", content, access },
      })
    : await send(`${origin}/api/artifacts/${artifactIdOf(artifact)}/versions`, {
        method: "POST",
        token,
        body: { content },
      });
  log.writes.push(performance.now() - began);
  await requireWritten(origin, log, isNew ? null : artifactIdOf(artifact), answer, number);
  return isNew ? "publish" : "new version";
};

/** Whether it is a refusal, which must then be of an overdue version. */
function isExpired(seeded: Seeded, picks: readonly Pick[], answer: Answer): boolean {
  if (answer.status === 200 || answer.status === 201) return false;
  const { code, versionNumber } = jsonOf<{ code: string; versionNumber: number }>(answer, 404);
  const isRight =
    code === "version_expired" &&
    picks.some(({ artifact, version }) => version === versionNumber && isDue(seeded, artifact, version));
  assert(isRight, () => `${JSON.stringify(picks)} was refused: ${answer.text}`);
  return true;
}

export function requireText(answer: Answer, number: number, what: string): void {
  assert(
    answer.status === 200 && answer.text === textOf(number),
    () => `${what}: ${answer.status} ${answer.text.slice(0, 200)} instead of text ${number}`,
  );
}

async function requireWritten(
  origin: string,
  log: TrafficLog,
  artifactId: string | null,
  answer: Answer,
  number: number,
) {
  const body = jsonOf<{ artifactId: string; versionNumber?: number }>(answer, 201);
  const version = body.versionNumber ?? 1;
  const id = artifactId ?? body.artifactId;
  log.written.set(`${id} ${version}`, number);
  requireText(await send(`${origin}/api/artifacts/${id}/content?version=${version}`), number, "what was just written");
}
