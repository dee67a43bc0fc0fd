// The scene of the pictures in README.md: a small studio that publishes a magazine, its people and their agents, with all
// that they have published lying as long ago as it says.
import { decodeId } from "@plinth/contract/ids";
import { scopes } from "@plinth/contract/scopes";
import { SQL } from "bun";

import { databaseUrlOf } from "../bench/database.ts";
import type { Instance } from "../harness/instance.ts";
import { clientOf, createArtifact, operatorOf, signIn, type Person } from "../harness/people.ts";
import { plant } from "../harness/planted.ts";
import { studioDocuments, textsOf, type Author } from "./documents.ts";

export interface Studio {
  /** Of the one who looks: an admin of the team. */
  readonly session: string;
  /** Of the document with four versions. */
  readonly readersId: string;
}

const people = [
  ["mara", "Mara Lindqvist", "admin"],
  ["jonas", "Jonas Beck", "member"],
  ["aiko", "Aiko Tanaka", "member"],
  ["sam", "Sam Okafor", "billing_admin"],
] as const;
const agents = ["Nightly reports", "Claude Code"] as const;
const projects = [
  ["studio", "Studio", "§", "What keeps the studio going."],
  ["issue", "Spring issue", "◐", "Everything for the issue of March."],
  ["reports", "Reports", "↗", "What the agents count, every night."],
] as const;

/** Makes all of it by the API, then sets back the clock of what was made. */
export async function openStudio(instance: Instance): Promise<Studio> {
  const operator = operatorOf(instance);
  const users = new Map<string, { userId: string; session: string }>();
  for (const [username, name] of people) {
    const email = plant(`${username}@northlight.example`);
    const { userId } = await operator.call("operator.createUser", { email, username, name, plan: "team" });
    users.set(username, { userId, session: await signIn(instance, userId) });
  }
  const { session = "" } = users.get("mara") ?? {};
  const mara = clientOf(instance.origin, session);
  const { workspaceId } = await mara.call("workspace.create", { slug: "northlight", name: "Northlight Studio" });
  for (const [username, , role] of people) {
    const { userId } = users.get(username) ?? {};
    if (userId !== undefined && username !== "mara")
      await operator.call("operator.setMember", { workspaceId, userId, role });
  }
  const invited = plant("lena@northlight.example");
  await mara.call("invitation.create", { workspaceId, email: invited, role: "viewer" });
  const tokens = new Map<Author, string>([...users].map(([username, user]) => [username as Author, user.session]));
  for (const name of agents) {
    const { token = "" } = await mara.call("agent.create", { name, scopes: [...scopes], workspaceId });
    tokens.set(name, plant(token));
  }
  for (const [slug, title, icon, description] of projects)
    await mara.call("project.create", { ownerUsername: "northlight", slug, title, icon, description });

  const sql = new SQL(databaseUrlOf(instance.dataDir), { max: 1 });
  const clientBy = (author: Author) => clientOf(instance.origin, tokens.get(author));
  let readersId = "";
  for (const document of studioDocuments) {
    const texts = await textsOf(document);
    const [first] = document.editions;
    if (first === undefined) throw new Error(`${document.slug} has no edition`);
    const client = clientBy(first.by);
    const { artifactId } = await createArtifact({ client } as Person, document.project, {
      ownerUsername: "northlight",
      slug: document.slug,
      type: document.type,
      title: document.title,
      content: texts[0] ?? "",
      access: { publicView: document.isPrivate !== true, publicEdit: false },
    });
    for (const [index, { by, changelog = "" }] of document.editions.entries())
      if (index > 0) await clientBy(by).call("version.create", { artifactId, content: texts[index] ?? "", changelog });
    for (const [index, { hoursAgo }] of document.editions.entries())
      await setBack(sql, decodeId("art", artifactId) ?? "", index + 1, hoursAgo);
    if (document.slug === "what-readers-finish") readersId = artifactId;
  }
  await sql`UPDATE membership SET joined_at = joined_at - interval '1 day' * (40 + abs(hashtext(user_id::text)) % 300)`;
  await share(mara, readersId);
  await sql`UPDATE share_link SET created_at = created_at - interval '5 days', use_count = 3 + length(label) % 9,
    last_used_at = now() - make_interval(mins => 40 * length(label))`;
  await sql.close();
  return { session, readersId };
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
  const viewerEmails = ["falk@meridian.example", "board@meridian.example"].map(plant);
  await mara.call("access.update", { artifactId, publicView: false, publicEdit: false, viewerEmails });
  const expiresAt = new Date(Date.now() + 6 * 86_400_000).toISOString();
  for (const [label, role, ends] of [
    ["Meridian, to read", "viewer", expiresAt],
    ["The proofreader", "editor", undefined],
  ] as const)
    plant(
      (await mara.call("shareLink.create", { artifactId, label, role, ...(ends && { expiresAt: ends }) })).url ?? "",
    );
}
