// A hidden resource and one that never existed: for every operation that names something, fields for both. No answer
// can distinguish them (docs/reference/security.md §3).
import { validInput } from "@plinth/contract/test/cases";
import { newShareLink } from "@plinth/contract/test/refusals";
import { emptyFile, fileBeside } from "@plinth/contract/test/fixtures";

import type { Fields, NamedOperation } from "./call.ts";
import { createArtifact, createPerson, createProject, fresh, signIn, clientOf, type Person } from "./people.ts";
import { trackSecret } from "./tracked-secrets.ts";
import type { Fixtures } from "./fixtures.ts";

export interface Pair {
  readonly what: string;
  readonly hidden: Fields;
  /** Fields that name something missing. */
  readonly missing: readonly Fields[];
}

/** What only the owner can see, and the callers that look for it. */
export interface Hiding {
  readonly fixtures: Fixtures;
  /** The operation's fields for the hidden resource. */
  pairsOf(op: NamedOperation): Promise<Pair[]>;
  /** The ETag with which the owner would get a 304. */
  readonly etag: string;
  readonly seekers: readonly Seeker[];
}

export interface Seeker {
  readonly name: string;
  readonly token?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const never = { project: "a-project-that-never-was", slug: "an-artifact-that-never-was", owner: "nobody-at-all" };

/** An ID that was never assigned, and a malformed one. */
const unknownIds = (prefix: string): string[] => [`${prefix}_01jd8w3c5t7k9m2n4p6q8r0s1v`, `${prefix}_nonsense`];

export async function hide(fixtures: Fixtures): Promise<Hiding> {
  const { owner, instance } = fixtures;
  const privately = { access: { publicView: false, publicEdit: false } };
  const project = await createProject(owner);
  await owner.client.call("file.upload", { sha256: emptyFile });
  const files = [{ path: fileBeside, sha256: emptyFile }];
  const artifact = await createArtifact(owner, project.slug, { ...privately, files, sourcePath: "guide/hidden.md" });
  await owner.client.call("version.create", { artifactId: artifact.artifactId, content: "# Second\n" });
  const deleted = await createArtifact(owner, project.slug);
  await owner.client.call("artifact.delete", { artifactId: deleted.artifactId });
  const { workspaceId } = owner;
  const inPerson = clientOf(instance.origin, fixtures.session);
  const key = await inPerson.call("apiKey.create", { name: "Hidden", scopes: ["artifacts:read"] });
  trackSecret(key.key ?? "");
  const agent = await inPerson.call("agent.create", { name: "Hidden", scopes: ["artifacts:read"] });
  trackSecret(agent.token ?? "");
  const { sessions } = await inPerson.call("session.list", {});
  const email = trackSecret(`${fresh("guest")}@example.com`);
  const { invitationId, url = "" } = await inPerson.call("invitation.create", { workspaceId, email, role: "viewer" });
  trackSecret(new URL(url).hash.slice(1));
  const ids: Readonly<Record<string, readonly [prefix: string, ...hidden: string[]]>> = {
    artifactId: ["art", artifact.artifactId, deleted.artifactId],
    projectId: ["prj", project.projectId],
    workspaceId: ["wsp", workspaceId],
    shareLinkId: ["shr", (await newShareLink(fixtures, artifact.artifactId)).shareLinkId],
    apiKeyId: ["key", key.apiKeyId],
    agentId: ["agt", agent.agentId],
    invitationId: ["inv", invitationId],
    sessionId: ["ses", sessions[0]?.sessionId ?? ""],
    userId: ["usr", owner.userId],
  };

  async function pairsOf(op: NamedOperation): Promise<Pair[]> {
    const names = Object.keys(op.input.properties);
    const has = (...fields: string[]) => fields.every((field) => names.includes(field));
    const base = await validInput(op.name, fixtures);
    const inProject = { ...base, ...(has("workspaceId") ? { workspaceId } : {}), projectSlug: project.slug };
    const pairs: Pair[] = [];
    for (const [field, [prefix, ...hidden]] of Object.entries(ids)) {
      // A membership belongs to the workspace, and an item of a list is optional.
      if (!has(field) || (field === "userId" && has("workspaceId"))) continue;
      const rest = has("projectSlug") && field === "workspaceId" ? inProject : base;
      for (const id of hidden) {
        const missing = unknownIds(prefix).map((unknown) => ({ ...rest, [field]: unknown }));
        pairs.push({ what: field, hidden: { ...rest, [field]: id }, missing });
      }
    }
    const number = ["version", "versionNumber", "to"].find((field) => has(field));
    if (number !== undefined && has("artifactId")) {
      const of = { ...base, artifactId: artifact.artifactId };
      pairs.push({ what: number, hidden: { ...of, [number]: 1 }, missing: [{ ...of, [number]: 99 }] });
    }
    if (has("projectSlug", "workspaceId"))
      pairs.push({ what: "project", hidden: inProject, missing: [{ ...inProject, projectSlug: never.project }] });
    const ownerField = ["owner", "ownerUsername"].find((field) => has(field));
    if (ownerField !== undefined) pairs.push(byName(base, ownerField, has));
    return pairs;
  }

  function byName(base: Fields, ownerField: string, has: (field: string) => boolean): Pair {
    const projectField = has("project") ? "project" : "projectSlug";
    const hidden: Record<string, unknown> = { ...base, [ownerField]: owner.username };
    const missing: Fields[] = [{ ...hidden, [ownerField]: never.owner }];
    if (has(projectField)) {
      hidden[projectField] = project.slug;
      missing[0] = { ...missing[0], [projectField]: project.slug };
      missing.push({ ...hidden, [projectField]: never.project });
      // Of an existing artifact, not of one to be created.
      if (has("slug") && ownerField === "owner") {
        hidden["slug"] = artifact.slug;
        missing.push({ ...hidden, slug: never.slug });
      }
      if (has("path")) {
        hidden["path"] = artifact.sourcePath;
        missing.push({ ...hidden, path: never.slug }, { ...hidden, path: "guide/nothing.md" });
      }
    }
    return { what: "path", hidden, missing };
  }

  const answer = await fetch(`${instance.origin}/api/artifacts/${artifact.artifactId}`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  return { fixtures, pairsOf, etag: answer.headers.get("etag") ?? "", seekers: await seekersOf(fixtures) };
}

/** Callers that can see none of it. */
async function seekersOf({ instance, secret }: Fixtures): Promise<Seeker[]> {
  const stranger: Person = await createPerson(instance);
  const { slug } = await createProject(stranger);
  const theirs = await createArtifact(stranger, slug, { access: { publicView: false, publicEdit: false } });
  const foreign = { "x-share-token": (await newShareLink({ owner: stranger, secret }, theirs.artifactId)).token };
  return [
    { name: "anonymous", headers: {} },
    { name: "a stranger", token: await signIn(instance, stranger.userId), headers: {} },
    { name: "a stranger's key", token: stranger.token, headers: {} },
    { name: "the link of another artifact", headers: foreign },
    { name: "a stranger's key with the link of another artifact", token: stranger.token, headers: foreign },
  ];
}
