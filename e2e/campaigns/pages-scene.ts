// The people and contents that pages are looked at with: a team in which each role is somebody, a personal workspace with
// real documents, titles as long and as foreign as they come, and a link that edits.
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { WorkspaceRole } from "@plinth/contract/roles";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { Instance } from "../harness/instance.ts";
import { clientOf, createArtifact, createKey, operatorOf, signIn, type Person } from "../harness/people.ts";
import { plant } from "../harness/planted.ts";
import { repository } from "../harness/process.ts";

/** Who looks: `owner` owns the personal workspace, the others are of the team; `link` holds an editor link and no account. */
export const viewers = ["owner", "admin", "member", "viewer", "billing_admin", "stranger", "link", "nobody"] as const;
export type Viewer = (typeof viewers)[number];

export interface PagesScene {
  readonly instance: Instance;
  /** The session's cookie of everybody who has one. */
  readonly sessions: ReadonlyMap<Viewer, string>;
  /** The address of a link that edits the private artifact of the team. */
  readonly editorLink: string;
  /** The address of one that was revoked. */
  readonly revokedLink: string;
}

const titles = [
  "Quarterly revenue, by region and product line",
  "Kanban board for the launch",
  "תקציר מנהלים: תוצאות הרבעון השלישי",
  "界面设计评审".repeat(33),
  "Invoice 2026-117",
  "How we test what must never break",
] as const;

const texts: readonly { readonly type: ArtifactType; readonly file: string }[] = [
  { type: "jsx", file: "e2e/documents/jsx/sales-dashboard.jsx" },
  { type: "jsx", file: "e2e/documents/jsx/kanban-board.jsx" },
  { type: "md", file: "docs/scaling.md" },
  { type: "md", file: "docs/hosting.md" },
  { type: "html", file: "e2e/documents/html/invoice.html" },
  { type: "md", file: "ARCHITECTURE.md" },
];

/** Makes all of it by the API. */
export async function makePagesScene(instance: Instance): Promise<PagesScene> {
  const operator = operatorOf(instance);
  const somebody = async (username: string): Promise<Person> => {
    const user = await operator.call("operator.createUser", {
      email: plant(`${username}@example.com`),
      username,
      name: username[0]?.toUpperCase() + username.slice(1),
      plan: "team",
    });
    const token = await createKey(instance, user.userId);
    return { ...user, token, client: clientOf(instance.origin, token) };
  };
  const people = {
    owner: await somebody("ada"),
    admin: await somebody("dora"),
    member: await somebody("ben"),
    viewer: await somebody("cleo"),
    billing_admin: await somebody("emil"),
    stranger: await somebody("zoe"),
  };
  const sessions = new Map<Viewer, string>();
  for (const [viewer, { userId }] of Object.entries(people))
    sessions.set(viewer as Viewer, await signIn(instance, userId));

  await publishAll(people.owner, "reports");
  const founder = clientOf(instance.origin, sessions.get("admin"));
  const { workspaceId } = await founder.call("workspace.create", { slug: "acme", name: "Acme Research" });
  for (const role of ["member", "viewer", "billing_admin"] as const satisfies readonly WorkspaceRole[])
    await operator.call("operator.setMember", { workspaceId, userId: people[role].userId, role });
  await founder.call("project.create", { ownerUsername: "acme", slug: "launch", title: "Launch", icon: "L" });
  await founder.call("project.create", { ownerUsername: "acme", slug: "empty", title: "Nothing yet", icon: "·" });
  for (const [index, title] of titles.entries())
    await publish({ ...people.member, username: "acme" }, "launch", index, title, index % 3 !== 2, "acme");
  await founder.call("invitation.create", { workspaceId, email: plant("new@example.com"), role: "member" });

  const plan = await founder.call("artifact.getByPath", { owner: "acme", projectSlug: "launch", slug: "doc-2" });
  const linkOf = async (label: string) => {
    const { shareLinkId, url } = await founder.call("shareLink.create", {
      artifactId: plan.artifactId,
      role: "editor",
      label,
    });
    return { shareLinkId, path: plant(new URL(url ?? "").pathname) };
  };
  const [editor, revoked] = [await linkOf("The client, for a week"), await linkOf("An earlier one")];
  await founder.call("shareLink.revoke", { shareLinkId: revoked.shareLinkId });
  return { instance, sessions, editorLink: editor.path, revokedLink: revoked.path };
}

async function publishAll(person: Person, slug: string): Promise<void> {
  await person.client.call("project.create", {
    slug,
    title: "Reports",
    icon: "R",
    description: "What the agents found, week by week.",
  });
  await person.client.call("project.create", { slug: "empty", title: "Nothing yet", icon: "·" });
  for (const [index, title] of titles.entries()) await publish(person, slug, index, title, index !== 4);
}

/** With three versions, so that there is a history to look at. */
async function publish(
  person: Person,
  projectSlug: string,
  index: number,
  title: string,
  publicView: boolean,
  ownerUsername?: string,
): Promise<void> {
  const { type, file } = texts[index] ?? { type: "md", file: "README.md" };
  const content = await readFile(join(repository, file), "utf8");
  const { artifactId } = await createArtifact(person, projectSlug, {
    slug: `doc-${index}`,
    type,
    title,
    content,
    access: { publicView, publicEdit: false },
    ...(ownerUsername === undefined ? {} : { ownerUsername }),
  });
  if (type !== "md") return;
  for (const changelog of ["Figures of November", "What the review asked for"])
    await person.client.call("version.create", {
      artifactId,
      content: `${content}\n\n## ${changelog}\n\nChanged in ${changelog.length} places.\n`,
      changelog,
    });
}
