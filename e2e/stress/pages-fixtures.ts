// The visitors and data of the inspected pages: a team with a member in each role, a personal workspace, a user without
// a username, an editor link; and a second instance, which sells plans and only has sign-in by link.
import type { WorkspaceRole } from "@plinth/contract/roles";

import { expireLink } from "../harness/expire-link.ts";
import { startIdentityProvider } from "../harness/identity-provider.ts";
import { startInstance, type Instance, type StartOptions } from "../harness/instance.ts";
import { askConsent, userCode } from "../harness/oauth.ts";
import { clientOf, createKey, operatorOf, signIn, type Person } from "../harness/people.ts";
import { trackSecret } from "../harness/tracked-secrets.ts";
import { startSelling } from "../harness/selling.ts";
import { visitor } from "../harness/sign-in.ts";
import { publishDocuments } from "./pages-contents.ts";

/** `owner` owns the personal workspace, the next four are of the team; `link` has an editor link and no account. */
export const viewers = ["owner", "admin", "member", "viewer", "billing_admin", "stranger", "link", "nobody"] as const;
/** `newcomer` has signed in for the first time and has no username: most pages redirect to choosing one. */
export type Viewer = (typeof viewers)[number] | "newcomer";

export interface PagesFixtures {
  /** The instance with all fixtures. */
  readonly origin: string;
  /** The session cookie of each viewer with an account. */
  readonly sessions: ReadonlyMap<Viewer, string>;
  /** An instance that sells plans with the fake Stripe, started on the first call; `owner` has an account there too. */
  selling(): Promise<Pick<PagesFixtures, "origin" | "sessions">>;
  /** The placeholders of paths: tokens, created again if they expire after minutes. */
  readonly secrets: Readonly<Record<string, () => string | Promise<string>>>;
  stop(): Promise<void>;
}

/** The path of a page with its placeholders filled. */
export async function addressOf({ secrets }: PagesFixtures, path: string): Promise<string> {
  const [before = "", secret, after = ""] = path.split(/[{}]/);
  return secret === undefined ? path : `${before}${await secrets[secret]?.()}${after}`;
}

/** Starts the first instance and creates the fixtures through the API. */
export async function openPagesFixtures(options: StartOptions = {}): Promise<PagesFixtures> {
  const provider = await startIdentityProvider();
  const others = { GITHUB_CLIENT_ID: "of-tests", GITHUB_CLIENT_SECRET: trackSecret("secret-of-the-tests-at-github") };
  const instance = await startInstance({ ...options, env: { ...provider.env, ...others, ...options.env } });
  await provider.trust(instance.origin);
  const people = new Map<Viewer, Person>();
  for (const [viewer, username] of usernames) people.set(viewer, await somebody(instance, username));
  const person = (viewer: Viewer): Person => people.get(viewer) ?? missing(viewer);
  const sessions = new Map<Viewer, string>();
  for (const [viewer, { userId }] of people) sessions.set(viewer, await signIn(instance, userId));
  const session = (viewer: Viewer): string => sessions.get(viewer) ?? missing(viewer);

  provider.account = {
    sub: "newcomer",
    email: trackSecret("fay@example.com"),
    email_verified: true,
    name: "Fay Ortiz",
  };
  const newcomer = visitor(instance.origin);
  await newcomer.signIn();
  sessions.set("newcomer", newcomer.cookies.get("plinth_session") ?? missing("newcomer"));

  const owner = clientOf(instance.origin, session("owner"));
  await fillWorkspace(person("owner"));
  await owner.call("agent.create", { name: "Nightly reports", scopes: ["artifacts:read", "artifacts:create"] });
  const team = await makeTeam(instance, clientOf(instance.origin, session("admin")), people);

  let selling: ReturnType<typeof openSelling> | undefined;
  return {
    origin: instance.origin,
    sessions,
    selling: () => (selling ??= openSelling()),
    secrets: {
      ...team,
      consent: () => askConsent(instance, session("owner"), ["artifacts:read", "artifacts:create"]),
      code: () => userCode(instance, ["artifacts:read", "artifacts:update"]),
    },
    stop: async () => {
      await Promise.all([instance.stop(), (await selling)?.stop(), provider.stop()]);
    },
  };
}

async function openSelling() {
  const sold = await startSelling();
  const ada = await somebody(sold.instance, "ada", "free");
  const sessions = new Map<Viewer, string>([["owner", await signIn(sold.instance, ada.userId)]]);
  return { origin: sold.instance.origin, sessions, stop: () => sold.stop() };
}

const usernames = [
  ["owner", "ada"],
  ["admin", "dora"],
  ["member", "ben"],
  ["viewer", "cleo"],
  ["billing_admin", "emil"],
  ["stranger", "zoe"],
] as const satisfies readonly (readonly [Viewer, string])[];

function missing(viewer: Viewer): never {
  throw new Error(`${viewer} is nobody here`);
}

async function somebody(instance: Instance, username: string, plan: "free" | "team" = "team"): Promise<Person> {
  const email = trackSecret(`${username}@example.com`);
  const user = await operatorOf(instance).call("operator.createUser", {
    email,
    username,
    name: username[0]?.toUpperCase() + username.slice(1),
    plan,
  });
  const token = await createKey(instance, user.userId);
  return { ...user, email, token, client: clientOf(instance.origin, token) };
}

async function fillWorkspace(owner: Person): Promise<void> {
  const project = { slug: "reports", title: "Reports", icon: "R", description: "What the agents found, week by week." };
  await owner.client.call("project.create", project);
  await owner.client.call("project.create", { slug: "empty", title: "Nothing yet", icon: "·" });
  await publishDocuments(owner, "reports");
  const { artifactId } = await owner.client.call("artifact.create", {
    projectSlug: "reports",
    slug: "taken-back",
    type: "md",
    title: "Taken back",
    content: "# Taken back\n",
    access: { publicView: true, publicEdit: false },
  });
  await owner.client.call("artifact.delete", { artifactId });
}

/**
 * Creates a team with a member in each role, an invitation and three links to its private document; returns their
 * tokens.
 */
async function makeTeam(instance: Instance, founder: Person["client"], people: ReadonlyMap<Viewer, Person>) {
  const { workspaceId } = await founder.call("workspace.create", { slug: "acme", name: "Acme Research" });
  for (const role of ["member", "viewer", "billing_admin"] as const satisfies readonly WorkspaceRole[]) {
    const { userId } = people.get(role) ?? missing(role);
    await operatorOf(instance).call("operator.setMember", { workspaceId, userId, role });
  }
  await founder.call("project.create", { ownerUsername: "acme", slug: "launch", title: "Launch", icon: "L" });
  await founder.call("project.create", { ownerUsername: "acme", slug: "empty", title: "Nothing yet", icon: "·" });
  const member = people.get("member") ?? missing("member");
  await publishDocuments({ ...member, username: "acme" }, "launch");
  const email = trackSecret("new@example.com");
  const { url: invitation = "" } = await founder.call("invitation.create", { workspaceId, email, role: "member" });

  const { artifactId } = await founder.call("artifact.getByPath", {
    owner: "acme",
    projectSlug: "launch",
    slug: "doc-2",
  });
  const viewerEmails = [trackSecret("lena@example.org"), trackSecret("board@example.org")];
  await founder.call("access.update", { artifactId, publicView: false, publicEdit: false, viewerEmails });
  const linkOf = async (label: string) => {
    const fields = { artifactId, role: "editor" as const, label };
    const { shareLinkId, url = "" } = await founder.call("shareLink.create", fields);
    return { shareLinkId, token: trackSecret(url.slice(url.lastIndexOf("/") + 1)) };
  };
  const links = {
    editor: await linkOf("The client, for a week"),
    revoked: await linkOf("An earlier one"),
    expired: await linkOf("For a moment"),
  };
  await founder.call("shareLink.revoke", { shareLinkId: links.revoked.shareLinkId });
  await expireLink(instance, links.expired.shareLinkId);
  return {
    editor: () => links.editor.token,
    revoked: () => links.revoked.token,
    expired: () => links.expired.token,
    invitation: () => trackSecret(new URL(invitation).hash.slice(1)),
  };
}
