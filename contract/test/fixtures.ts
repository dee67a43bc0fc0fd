// The people and documents that cases are called with, made through the operations themselves, and the setting of one call. A
// test brings the instance: a separate process, or one inside the test.
import type { PlanId } from "../plans.ts";
import type { OperationName } from "../registry.ts";
import type { Account, Caller, Fixtures, OperationCase, Setting } from "./case.ts";
import { invite, newArtifact, newEmail, newProject, newShareLink, newTeam } from "./refusals.ts";

/** A file without a byte, and its path beside the artifact. */
export const fileBeside = "img/logo.png";
export const emptyFile = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** What a test brings. */
export interface Bare<Person extends Account> extends Pick<
  Fixtures,
  "unique" | "secret" | "maxContentBytes" | "operator" | "browserOf" | "userCode"
> {
  readonly account: (plan?: PlanId) => Promise<Person>;
  readonly clientOf: (token: string) => Caller["client"];
  readonly consentQuery: (browser: Caller) => Promise<string>;
  /** The command line, which the browser's user let in. */
  readonly commandLine: (browser: Caller) => Promise<Caller>;
}

/** Three people, and the documents of one of them. */
export async function createFixtures<Person extends Account>(bare: Bare<Person>) {
  const [owner, viewer, stranger] = [await bare.account(), await bare.account(), await bare.account()];
  const { workspaceId } = owner;
  await bare.operator.client.call("operator.setMember", { workspaceId, userId: viewer.userId, role: "viewer" });
  const project = await newProject(bare, owner);
  await owner.client.call("file.upload", { sha256: emptyFile });
  const files = [{ path: fileBeside, sha256: emptyFile }];
  const artifact = await newArtifact(bare, owner, project.slug, { files });
  await owner.client.call("version.create", { artifactId: artifact.artifactId, content: "# Second\n", files: [] });
  const jsx = await newArtifact(bare, owner, project.slug, {
    type: "jsx",
    content: "export default () => <p>Hello</p>;\n",
  });
  const ownerBrowser = await bare.browserOf(owner);
  const made = { ...bare, owner, ownerBrowser, viewer, stranger, project, artifact, jsx };
  return {
    ...made,
    viewerBrowser: await bare.browserOf(viewer),
    strangerBrowser: await bare.browserOf(stranger),
    shareToken: (await newShareLink(made, artifact.artifactId)).token,
    consentQuery: () => bare.consentQuery(ownerBrowser),
    commandLine: async () => bare.commandLine(await bare.browserOf(await bare.account())),
    newAgent: async (): Promise<Caller> => {
      const wanted = { name: "An agent", scopes: ["artifacts:read" as const] };
      const token = bare.secret((await owner.client.call("agent.create", wanted)).token ?? "");
      return { token, client: bare.clientOf(token) };
    },
  };
}

let sizes = 100;

/** What the operation of a case is called on. */
export async function settingOf(
  fixtures: Fixtures,
  { uses }: Pick<OperationCase<OperationName>, "uses">,
): Promise<Setting> {
  const { owner, ownerBrowser, unique, secret } = fixtures;
  const project = uses === "project" ? await newProject(fixtures, owner) : fixtures.project;
  const artifact = uses === "artifact" ? await newArtifact(fixtures, owner, project.slug) : fixtures.artifact;
  const team = uses === "team" ? await newTeam(fixtures, "admin") : null;
  const rename = {
    artifact: async () => {
      await owner.client.call("artifact.patch", { artifactId: artifact.artifactId, slug: unique("renamed") });
      return `${owner.username}/${project.slug}/${artifact.slug}`;
    },
    project: async () => {
      await owner.client.call("project.update", { projectId: project.projectId, slug: unique("renamed") });
      return `${owner.username}/${project.slug}`;
    },
  };
  return {
    unique,
    owner: team?.slug ?? owner.username,
    workspaceId: team?.workspaceId ?? owner.workspaceId,
    project,
    artifact: { ...artifact, word: uses === "artifact" ? "First" : "Second" },
    person: fixtures.stranger,
    memberId: team?.founder.userId ?? fixtures.viewer.userId,
    size: () => ++sizes,
    email: () => newEmail(fixtures),
    otherWorkspace: async () => (await newTeam(fixtures, "member")).slug,
    formerAddress: (of) => rename[of](),
    shareLinkId: async () => (await newShareLink(fixtures, artifact.artifactId)).shareLinkId,
    invitationId: async () => {
      const { workspaceId, browser } = await newTeam(fixtures, "admin");
      const wanted = { workspaceId, email: newEmail(fixtures), role: "viewer" as const };
      const { invitationId, url = "" } = await browser.client.call("invitation.create", wanted);
      secret(new URL(url).hash.slice(1));
      return invitationId;
    },
    invitationToken: async () => {
      const { workspaceId, browser } = await newTeam(fixtures);
      return invite(fixtures, browser, workspaceId, owner);
    },
    apiKeyId: async () => {
      const wanted = { name: "A key", scopes: ["artifacts:read" as const] };
      const { apiKeyId, key = "" } = await ownerBrowser.client.call("apiKey.create", wanted);
      secret(key);
      return apiKeyId;
    },
    agentId: async () => {
      const wanted = { name: "An agent", scopes: ["artifacts:read" as const] };
      const { agentId, token = "" } = await owner.client.call("agent.create", wanted);
      secret(token);
      return agentId;
    },
    sessionId: async () => {
      const { client } = await fixtures.browserOf(owner);
      const { sessions } = await client.call("session.list", {});
      return sessions.find(({ current }) => current)?.sessionId ?? "";
    },
    signInToken: async () => {
      const { userId } = fixtures.stranger;
      const { url } = await fixtures.operator.client.call("operator.createSignInLink", { userId });
      return secret(new URL(url).hash.slice(1));
    },
    consentQuery: fixtures.consentQuery,
    userCode: fixtures.userCode,
    jobId: `job_${"0".repeat(26)}`,
  };
}
