// The demo workspace of the screenshots and of `bun run seed`: a small company that publishes a magazine, its people
// and their agents, with documents dated in the past.
import { decodeId } from "@plinth/contract/ids";
import { scopes } from "@plinth/contract/scopes";
import { SQL } from "bun";

import { clientOf, createArtifact, operatorOf, signIn, type Person } from "../harness/people.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { demoDocuments, textsOf, type Author } from "./documents.ts";

/** The instance that gets the workspace. */
export interface DemoTarget {
  readonly origin: string;
  readonly operatorToken: string;
  /** Without it everything is dated now, because no operation sets a date. */
  readonly databaseUrl: string | null;
}

export interface DemoPerson {
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly role: string;
}

export interface DemoWorkspace {
  /** Of the viewer: an admin of the team. */
  readonly session: string;
  /** The viewer comes first. */
  readonly people: readonly DemoPerson[];
  /** Of the document with four versions. */
  readonly readersId: string;
}

/** Of the workspace. */
export const demoSlug = "northlight";
export const emailOf = (username: string): string => `${username}@northlight.example`;

export const demoPeople = [
  ["mara", "Mara Lindqvist", "admin"],
  ["jonas", "Jonas Beck", "member"],
  ["aiko", "Aiko Tanaka", "member"],
  ["sam", "Sam Okafor", "billing_admin"],
] as const;
export const demoAgents = ["Nightly reports", "Claude Code"] as const;
export const demoProjects = [
  ["studio", "Studio", "§", "What keeps the studio going."],
  ["issue", "Spring issue", "◐", "Everything for the issue of March."],
  ["reports", "Reports", "↗", "What the agents count, every night."],
] as const;

/**
 * Creates everything through the API, then changes the dates. @throws ProblemError `slug_conflict` or `email_conflict`
 * if the instance has the workspace already
 */
export async function createDemoWorkspace(instance: DemoTarget): Promise<DemoWorkspace> {
  const operator = operatorOf(instance);
  const users = new Map<string, { userId: string; session: string }>();
  for (const [username, name] of demoPeople) {
    const email = trackSecret(emailOf(username));
    const { userId } = await operator.call("operator.createUser", { email, username, name, plan: "team" });
    users.set(username, { userId, session: await signIn(instance, userId) });
  }
  const { session = "" } = users.get("mara") ?? {};
  const mara = clientOf(instance.origin, session);
  const { workspaceId } = await mara.call("workspace.create", { slug: demoSlug, name: "Northlight Studio" });
  for (const [username, , role] of demoPeople) {
    const { userId } = users.get(username) ?? {};
    if (userId !== undefined && username !== "mara")
      await operator.call("operator.setMember", { workspaceId, userId, role });
  }
  const invited = trackSecret(emailOf("lena"));
  await mara.call("invitation.create", { workspaceId, email: invited, role: "viewer" });
  const tokens = new Map<Author, string>([...users].map(([username, user]) => [username as Author, user.session]));
  for (const name of demoAgents) {
    const { token = "" } = await mara.call("agent.create", { name, scopes: [...scopes], workspaceId });
    tokens.set(name, trackSecret(token));
  }
  for (const [slug, title, icon, description] of demoProjects)
    await mara.call("project.create", { ownerUsername: demoSlug, slug, title, icon, description });

  const clientBy = (author: Author) => clientOf(instance.origin, tokens.get(author));
  const ids = new Map<string, string>();
  for (const document of demoDocuments) {
    const texts = await textsOf(document);
    const [first] = document.editions;
    if (first === undefined) throw new Error(`${document.slug} has no edition`);
    const client = clientBy(first.by);
    const { artifactId } = await createArtifact({ client } as Person, document.project, {
      ownerUsername: demoSlug,
      slug: document.slug,
      type: document.type,
      title: document.title,
      content: texts[0] ?? "",
      access: { publicView: document.isPrivate !== true, publicEdit: false },
    });
    for (const [index, { by, changelog = "" }] of document.editions.entries())
      if (index > 0) await clientBy(by).call("version.create", { artifactId, content: texts[index] ?? "", changelog });
    ids.set(document.slug, artifactId);
  }
  const readersId = ids.get("what-readers-finish") ?? "";
  await share(mara, readersId);
  if (instance.databaseUrl !== null) await setDates(instance.databaseUrl, workspaceId, ids);
  const made = demoPeople.map(([username, name, role]) => ({
    username,
    name,
    role,
    userId: users.get(username)?.userId ?? "",
  }));
  return { session, people: made, readersId };
}

async function setDates(databaseUrl: string, workspaceId: string, ids: ReadonlyMap<string, string>): Promise<void> {
  const sql = new SQL(databaseUrl, { max: 1 });
  const uuids = new Map([...ids].map(([slug, id]) => [slug, decodeId("art", id) ?? ""]));
  for (const { slug, editions } of demoDocuments)
    for (const [index, { hoursAgo }] of editions.entries())
      await setBack(sql, uuids.get(slug) ?? "", index + 1, hoursAgo);
  await sql`UPDATE membership SET joined_at = joined_at - interval '1 day' * (40 + abs(hashtext(user_id::text)) % 300)
    WHERE workspace_id = ${decodeId("wsp", workspaceId) ?? ""}`;
  await sql`UPDATE share_link SET created_at = created_at - interval '5 days', use_count = 3 + length(label) % 9,
    last_used_at = now() - make_interval(mins => 40 * length(label))
    WHERE artifact_id = ${uuids.get("what-readers-finish") ?? ""}`;
  await sql.close();
}

async function setBack(sql: SQL, artifactId: string, version: number, hours: number): Promise<void> {
  await sql`UPDATE version SET created_at = now() - make_interval(hours => ${hours})
    WHERE artifact_id = ${artifactId} AND version_number = ${version}`;
  for (const table of ["artifact", "artifact_order"])
    await sql`UPDATE ${sql(table)} SET updated_at = now() - make_interval(hours => ${hours})
      WHERE artifact_id = ${artifactId}`;
  if (version === 1)
    await sql`UPDATE artifact SET created_at = now() - make_interval(hours => ${hours})
      WHERE artifact_id = ${artifactId}`;
}

async function share(mara: Person["client"], artifactId: string): Promise<void> {
  const viewerEmails = ["falk@meridian.example", "board@meridian.example"].map(trackSecret);
  await mara.call("access.update", { artifactId, publicView: false, publicEdit: false, viewerEmails });
  const expiresAt = new Date(Date.now() + 6 * 86_400_000).toISOString();
  for (const [label, role, ends] of [
    ["Meridian, to read", "viewer", expiresAt],
    ["The proofreader", "editor", undefined],
  ] as const)
    trackSecret(
      (await mara.call("shareLink.create", { artifactId, label, role, ...(ends && { expiresAt: ends }) })).url ?? "",
    );
}
