// Publishes every case on an instance as an attacker, for a signed-in victim who can read all of them and has something
// to lose.
import { ProblemError } from "@plinth/contract/client";
import type { Output } from "@plinth/contract/registry";

import type { Collector } from "../harness/collector.ts";
import type { Instance } from "../harness/instance.ts";
import {
  clientOf,
  createArtifact,
  createPerson,
  createProject,
  operatorOf,
  signIn,
  type Person,
} from "../harness/people.ts";
import { assert, inParallel } from "./stress-test.ts";
import { casesOf, type Case } from "./hostile-cases.ts";
import type { Payload } from "./payloads/payload.ts";

export interface Published extends Case {
  readonly artifact: Output<"artifact.create">;
  readonly isPublic: boolean;
}

export interface Stage {
  readonly instance: Instance;
  readonly attacker: Person;
  readonly victim: Person;
  /** The victim's cookie, `name=value`. */
  readonly session: string;
  readonly project: Output<"project.create">;
  readonly published: readonly Published[];
  /** Payloads that the instance refused to publish as that type, which is allowed for them. */
  readonly refused: readonly string[];
  /** The victim's possessions that documents try to change; the text is the same as long as nothing changed. */
  possessions(): Promise<string>;
}

const width = 6;

/** Publishes a case of each payload and type, alternately public and private. */
export async function setStage(instance: Instance, collector: Collector, chosen: readonly Payload[]): Promise<Stage> {
  const [attacker, victim] = await Promise.all([createPerson(instance), createPerson(instance)]);
  await operatorOf(instance).call("operator.setMember", {
    workspaceId: attacker.workspaceId,
    userId: victim.userId,
    role: "admin",
  });
  const session = await signIn(instance, victim.userId);
  const access = { publicView: false, publicEdit: false };
  const own = await createArtifact(victim, (await createProject(victim)).slug, { access });
  const cases = casesOf(chosen, { collector, app: instance.origin, victim: own.artifactId });
  const texts = chosen.find(({ text }) => text !== undefined);
  const project = await createProject(attacker);
  if (texts !== undefined)
    await attacker.client.call("project.update", {
      projectId: project.projectId,
      title: (cases.find(({ payload }) => payload === texts)?.source ?? "A project").slice(0, 200),
    });
  const published: Published[] = [];
  const refused: string[] = [];
  await inParallel(cases.length, width, async (index) => {
    const one = cases[index];
    if (one === undefined) return;
    const isPublic = index % 2 === 0;
    const artifact = await publish(attacker, project.slug, one, isPublic, index);
    if (artifact === undefined) refused.push(one.name);
    else published.push({ ...one, artifact, isPublic });
  });
  published.sort((a, b) => (a.name < b.name ? -1 : 1));

  const possessions = async (): Promise<string> => {
    const holder = clientOf(instance.origin, session);
    const { artifactId } = own;
    return JSON.stringify([
      await holder.call("profile.get", {}),
      await holder.call("access.get", { artifactId }),
      await holder.call("version.list", { artifactId }),
      await holder.call("audit.list", { artifactId }),
      // The last use of a key is recorded later.
      (await holder.call("apiKey.list", {})).apiKeys.map(({ apiKeyId, scopes }) => [apiKeyId, scopes]),
      (await holder.call("session.list", {})).sessions.map(({ sessionId }) => sessionId),
    ]);
  };
  return { instance, attacker, victim, session, project, published, refused, possessions };
}

/** Undefined if it was refused, which is allowed for payloads of its kind. */
async function publish(
  attacker: Person,
  projectSlug: string,
  { name, payload, type, source }: Case,
  isPublic: boolean,
  index: number,
): Promise<Output<"artifact.create"> | undefined> {
  const access = { publicView: isPublic, publicEdit: false };
  const isText = payload.text !== undefined;
  const fields = isText
    ? { title: source, description: source, changelog: source, content: harmless[type] }
    : { title: name, content: source };
  const slug = `attack-${index.toString(36)}`;
  try {
    return await createArtifact(attacker, projectSlug, { type, slug, access, ...fields });
  } catch (error) {
    assert(
      error instanceof ProblemError && payload.allows.includes("refusal"),
      () =>
        `${name} was not published: ${error instanceof ProblemError ? JSON.stringify(error.problem) : String(error)}`,
    );
    return undefined;
  }
}

const harmless = { md: "# Text\n", html: "<!doctype html><p>Text</p>", jsx: "export default () => <p>Text</p>;\n" };
