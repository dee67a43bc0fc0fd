// Every command of the catalogue and its cases, by its path. The command of an operation has those that follow from the
// operation's case; one with special lines has a row here, or a separate file. The suite fails for a command without a row, and
// for a row without a command.
import { operations } from "@plinth/contract/registry";
import type { Job } from "@plinth/contract/schemas/instance";
import { newTeam } from "@plinth/contract/test/refusals";

import { fresh, createPerson, signIn } from "../harness/people.ts";
import type { NamedOperation } from "../harness/call.ts";
import type { Fixtures } from "../harness/fixtures.ts";
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
  const { workspaceId, browser } = await newTeam(fixtures, "admin");
  await browser.client.call("invitation.create", {
    workspaceId,
    email: `${fresh("guest")}@example.com`,
    role: "viewer",
  });
  await fixtures.operator.client.call("operator.setMember", {
    workspaceId,
    userId: fixtures.viewer.userId,
    role: "viewer",
  });
  return { workspaceId };
}

/** The commands that are more than their operation, or that need another input. */
const particular: Readonly<Record<string, CasesOf>> = {
  "access explain": operationCases("access.explain", { invalid: { email: "nobody" } }),
  "agent init": agentInitCases,
  api: apiCases,
  "artifact content": operationCases("version.content", { success: { prints: "raw", text: "# First\n" } }),
  "artifact edit": editCases,
  "artifact open": openCases,
  "artifact thumbnail": operationCases("artifact.thumbnail", { success: { prints: "raw" } }),
  completion: completionCases,
  "config get": configGetCases,
  "config list": configListCases,
  "config set": configSetCases,
  diff: diffCases,
  init: initCases,
  login: loginCases,
  logout: logoutCases,
  "operator jobs retry": operationCases("operator.retryJob", { origin: ({ standIns }) => standIns.answering(retried) }),
  "profile set-username": operationCases("profile.update", {
    fill: () => ({ username: fresh("renamed") }),
    actor: somebody,
  }),
  pull: pullCases,
  push: pushCases,
  schema: schemaCases,
  status: statusCases,
  upgrade: upgradeCases,
  version: versionCases,
  "workspace invitations": operationCases("invitation.list", { fill: inviting }),
};

const ofOperations = operations.flatMap(({ name, cli }: NamedOperation) =>
  cli === undefined
    ? []
    : [cli.command, ...(cli.aliases ?? [])].map((path): [string, CasesOf] => [path, operationCases(name)]),
);

export const table: Readonly<Record<string, CasesOf>> = { ...Object.fromEntries(ofOperations), ...particular };
