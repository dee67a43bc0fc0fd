// Every command of the catalogue and its cases, by its path. The suite fails for a command without a row, and for a row
// without a command. A new operation's command is one row; one with special lines has a separate file.
import type { Job } from "@plinth/contract/schemas/instance";

import { fresh, createPerson, signIn } from "../harness/people.ts";
import { teamOf, type Fixtures } from "../harness/fixtures.ts";
import { editCases, openCases } from "./artifact-cases.ts";
import type { CasesOf } from "./cases.ts";
import { diffCases, pullCases } from "./folder-cases.ts";
import { agentInitCases, completionCases, loginCases, logoutCases, schemaCases, statusCases } from "./local-cases.ts";
import { operationCases } from "./operation-cases.ts";
import { pushCases } from "./push-cases.ts";
import {
  apiCases,
  configGetCases,
  configListCases,
  configSetCases,
  initCases,
  upgradeCases,
  versionCases,
} from "./setup-cases.ts";

/** A user whose username the test can change. */
const somebody = async ({ instance }: Fixtures): Promise<string> =>
  signIn(instance, (await createPerson(instance)).userId);

const retried: Job = {
  jobId: "renderings:1",
  kind: "renderings",
  queue: "upkeep",
  state: "waiting",
  attempts: 3,
  error: null,
  createdAt: "2026-01-01T00:00:00.000Z",
};

/** A team with a pending invitation, which the fixtures' viewer can see. */
async function inviting(fixtures: Fixtures) {
  const { workspaceId, client } = await teamOf(fixtures, "admin");
  await client.call("invitation.create", { workspaceId, email: `${fresh("guest")}@example.com`, role: "viewer" });
  await fixtures.operator.call("operator.setMember", { workspaceId, userId: fixtures.viewer.userId, role: "viewer" });
  return { workspaceId };
}

export const table: Readonly<Record<string, CasesOf>> = {
  "access explain": operationCases("access.explain", { invalid: { email: "nobody" } }),
  "agent create": operationCases("agent.create"),
  "agent init": agentInitCases,
  "agent list": operationCases("agent.list"),
  "agent revoke": operationCases("agent.revoke"),
  api: apiCases,
  "artifact access audience": operationCases("access.audience"),
  "artifact access get": operationCases("access.get"),
  "artifact access set": operationCases("access.update"),
  "artifact content": operationCases("version.content", { success: { prints: "raw", text: "# First\n" } }),
  "artifact create": operationCases("artifact.create"),
  "artifact delete": operationCases("artifact.delete"),
  "artifact diff": operationCases("version.diff"),
  "artifact edit": editCases,
  "artifact files": operationCases("version.files"),
  "artifact former-addresses": operationCases("artifact.listFormerAddresses"),
  "artifact get": operationCases("artifact.get"),
  "artifact list": operationCases("artifact.listMine"),
  "artifact name": operationCases("version.patch"),
  "artifact open": openCases,
  "artifact packages": operationCases("version.packages"),
  "artifact patch": operationCases("artifact.patch"),
  "artifact release-address": operationCases("artifact.releaseFormerAddress"),
  "artifact restore": operationCases("version.restore"),
  "artifact slug-availability": operationCases("artifact.slugAvailability"),
  "artifact thumbnail": operationCases("artifact.thumbnail", { success: { prints: "raw" } }),
  "artifact undelete": operationCases("artifact.undelete"),
  "artifact update": operationCases("version.create"),
  "artifact url-preview": operationCases("artifact.urlPreview"),
  "artifact versions": operationCases("version.list"),
  "audit list": operationCases("audit.list"),
  completion: completionCases,
  "config get": configGetCases,
  "config list": configListCases,
  "config set": configSetCases,
  diff: diffCases,
  health: operationCases("health"),
  init: initCases,
  "invitation accept": operationCases("invitation.accept"),
  "keys create": operationCases("apiKey.create"),
  "keys list": operationCases("apiKey.list"),
  "keys revoke": operationCases("apiKey.revoke"),
  "keys rotate": operationCases("apiKey.rotate"),
  login: loginCases,
  logout: logoutCases,
  "member remove": operationCases("member.remove"),
  "member set-role": operationCases("member.setRole"),
  "operator jobs list": operationCases("operator.listJobs"),
  "operator jobs retry": operationCases("operator.retryJob", { origin: ({ standIns }) => standIns.answering(retried) }),
  "operator jobs run": operationCases("operator.runJob"),
  "operator plan set": operationCases("operator.setPlan"),
  "operator stats": operationCases("operator.stats"),
  "operator user api-key": operationCases("operator.createApiKey"),
  "operator user create": operationCases("operator.createUser"),
  "operator user sign-in-link": operationCases("operator.createSignInLink"),
  "path artifact": operationCases("artifact.getByPath"),
  "path project": operationCases("project.getByPath"),
  "project documents": operationCases("project.documents"),
  "profile get": operationCases("profile.get"),
  "profile set-username": operationCases("profile.update", {
    fill: () => ({ username: fresh("renamed") }),
    actor: somebody,
  }),
  "profile update": operationCases("profile.update"),
  "project create": operationCases("project.create"),
  "project list": operationCases("project.listMine"),
  "project former-addresses": operationCases("project.listFormerAddresses"),
  "project move": operationCases("project.move"),
  "project update": operationCases("project.update"),
  "project delete": operationCases("project.delete"),
  "project release-address": operationCases("project.releaseFormerAddress"),
  "project slug-availability": operationCases("project.slugAvailability"),
  pull: pullCases,
  push: pushCases,
  schema: schemaCases,
  search: operationCases("artifact.list"),
  "share create": operationCases("shareLink.create"),
  "share list": operationCases("shareLink.list"),
  "share resolve": operationCases("shareLink.resolve"),
  "share revoke": operationCases("shareLink.revoke"),
  status: statusCases,
  upgrade: upgradeCases,
  version: versionCases,
  whoami: operationCases("profile.get"),
  "workspace audit": operationCases("audit.listInWorkspace"),
  "workspace create": operationCases("workspace.create"),
  "workspace invitations": operationCases("invitation.list", { fill: inviting }),
  "workspace invite": operationCases("invitation.create"),
  "workspace leave": operationCases("member.leave"),
  "workspace list": operationCases("workspace.list"),
  "workspace members": operationCases("member.list"),
  "workspace revoke-invite": operationCases("invitation.revoke"),
};
