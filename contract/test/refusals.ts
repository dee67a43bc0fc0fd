// Refusals that cases share: callers who may not, inputs that differ in a field, and the teams and documents that they need.
import { ProblemError } from "../client.ts";
import { AppError } from "../errors.ts";
import type { Input, Output } from "../registry.ts";
import type { WorkspaceRole } from "../roles.ts";
import type { Account, Caller, Fields, Refusal, Fixtures } from "./case.ts";

/** By one who can see the owner's workspace and change nothing. */
export const byViewer: Refusal = ({ viewer }) => ({ by: viewer });
export const inViewersBrowser: Refusal = ({ viewerBrowser }) => ({ by: viewerBrowser });
/** An operation that people call in person, tried with a key that has every scope. */
export const byKey: Refusal = ({ owner }) => ({ by: owner });
/** By a caller whom a share link alone shows the artifact. */
export const byLinkAlone: Refusal = async (fixtures) => {
  const { artifactId } = await newArtifact(fixtures, fixtures.owner, fixtures.project.slug, { access: hidden });
  const { token } = await newShareLink(fixtures, artifactId);
  return { by: fixtures.stranger, headers: { "x-share-token": token }, changes: { artifactId } };
};

/** The valid call with other fields. */
export const changed =
  (changes: Fields | ((fixtures: Fixtures) => Fields | Promise<Fields>)): Refusal =>
  async (fixtures, right) => ({
    by: right,
    changes: typeof changes === "function" ? await changes(fixtures) : changes,
  });

export const brokenJsx = "export default () => <p>";
/** One byte more than a version may have. */
export const tooLong = ({ maxContentBytes }: Fixtures): string => "a".repeat(maxContentBytes + 1);
export const hidden = { publicView: false, publicEdit: false };
export const open = { publicView: true, publicEdit: false };

/** Of a new account whose plan has no private artifacts, in its project. */
export const onFreePlan =
  (changes: (account: Account, projectSlug: string, fixtures: Fixtures) => Fields | Promise<Fields>): Refusal =>
  async (fixtures) => {
    const account = await fixtures.account("free");
    const { slug } = await newProject(fixtures, account);
    return { by: account, changes: await changes(account, slug, fixtures) };
  };

export const takenSourcePath = async (fixtures: Fixtures): Promise<{ sourcePath: string }> => {
  const sourcePath = `${fixtures.unique("taken")}.md`;
  await newArtifact(fixtures, fixtures.owner, fixtures.project.slug, { sourcePath });
  return { sourcePath };
};

export const newProject = (fixtures: Pick<Fixtures, "unique">, { client }: Caller): Promise<Output<"project.create">> =>
  client.call("project.create", { slug: fixtures.unique("project"), title: "A project", icon: "P" });

/** Public markdown whose text is "# First", unless `fields` says otherwise. */
export const newArtifact = (
  fixtures: Pick<Fixtures, "unique">,
  { client }: Caller,
  projectSlug: string,
  fields: Partial<Input<"artifact.create">> = {},
): Promise<Output<"artifact.create">> =>
  onceCompiled(() =>
    client.call("artifact.create", {
      projectSlug,
      slug: fixtures.unique("artifact"),
      type: "md",
      title: "An artifact",
      content: "# First\n",
      access: open,
      ...fields,
    }),
  );

/** How often a document is published again while the compilers are busy. */
const tries = 10;

/** Publishes, and retries while the compilers are busy. */
export async function onceCompiled<Result>(publish: () => Promise<Result>): Promise<Result> {
  for (let left = tries - 1; left > 0; left--) {
    try {
      return await publish();
    } catch (error) {
      if (codeOf(error) !== "busy") throw error;
    }
  }
  return publish();
}

/** Of a refusal over HTTP, or inside the test. */
const codeOf = (error: unknown): string | null =>
  error instanceof ProblemError ? error.problem.code : error instanceof AppError ? error.code : null;

/** A viewer link of the owner's artifact. */
export async function newShareLink(
  fixtures: Pick<Fixtures, "owner" | "secret">,
  artifactId: string,
): Promise<{ shareLinkId: string; token: string }> {
  const wanted = { artifactId, role: "viewer" as const, label: "A link" };
  const { shareLinkId, token = "" } = await fixtures.owner.client.call("shareLink.create", wanted);
  return { shareLinkId, token: fixtures.secret(token) };
}

/** A team of another founder who pays for it, in which the owner has the role. */
export async function newTeam(fixtures: Fixtures, role?: WorkspaceRole) {
  const founder = await fixtures.account();
  const browser = await fixtures.browserOf(founder);
  const { workspaceId, slug } = await browser.client.call("workspace.create", {
    slug: fixtures.unique("team"),
    name: "A team",
  });
  if (role !== undefined)
    await fixtures.operator.client.call("operator.setMember", { workspaceId, userId: fixtures.owner.userId, role });
  return { workspaceId, slug, founder, browser };
}

/** An email address without an account. */
export const newEmail = (fixtures: Fixtures): string => fixtures.secret(`${fixtures.unique("guest")}@example.com`);

/** The token of a new invitation. */
export async function invite(
  fixtures: Fixtures,
  { client }: Caller,
  workspaceId: string,
  { email }: Pick<Account, "email">,
): Promise<string> {
  const { url = "" } = await client.call("invitation.create", { workspaceId, email, role: "member" });
  return fixtures.secret(new URL(url).hash.slice(1));
}

/** An invitation that the owner has accepted. */
export async function acceptedInvitation(fixtures: Fixtures) {
  const { workspaceId, browser } = await newTeam(fixtures);
  const token = await invite(fixtures, browser, workspaceId, fixtures.owner);
  const { invitations } = await browser.client.call("invitation.list", { workspaceId });
  await fixtures.ownerBrowser.client.call("invitation.accept", { token });
  return { workspaceId, token, invitationId: invitations[0]?.invitationId ?? "" };
}
