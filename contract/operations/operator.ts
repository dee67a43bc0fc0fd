// Operations that require the operator token (docs/reference/contract.md §1). All other callers get a 404.
import Type from "typebox";

import { operation, operatorCaller } from "../operation.ts";
import { ApiKey, Member, Plan, Role, SignInLink, Workspace } from "../schemas/account.ts";
import { Job, jobKinds, JobState, Stats } from "../schemas/instance.ts";
import { Body, List, Nothing } from "../schemas/shape.ts";
import { newCredential } from "./credentials.ts";
import { Email, Name, page, UserId, Username, WorkspaceId } from "../schemas/text.ts";

export const createUser = operation({
  name: "operator.createUser",
  summary: "Create a user with a personal workspace",
  method: "POST",
  path: "/api/operator/users",
  ...operatorCaller,
  input: Body({
    email: Email,
    username: Username,
    name: Type.Optional(Name),
    plan: Type.Optional(Plan),
    emailVerified: Type.Optional(Type.Boolean()),
  }),
  output: Type.Object({ userId: UserId, username: Type.String(), workspaceId: WorkspaceId, plan: Plan }),
  errors: ["slug_conflict", "email_conflict"],
  cli: { command: "operator user create" },
});

export const createUserApiKey = operation({
  name: "operator.createApiKey",
  summary: "Create an API key for a user",
  method: "POST",
  path: "/api/operator/users/:userId/api-keys",
  ...operatorCaller,
  input: Body({ userId: UserId, ...newCredential }),
  output: ApiKey,
  secrets: ["key"],
  cli: { command: "operator user api-key" },
});

export const createSignInLink = operation({
  name: "operator.createSignInLink",
  summary: "Create a link that signs a user in: one use, 30 minutes",
  method: "POST",
  path: "/api/operator/users/:userId/sign-in-link",
  ...operatorCaller,
  input: Body({ userId: UserId }),
  output: SignInLink,
  secrets: ["url"],
  cli: { command: "operator user sign-in-link" },
});

export const setPlan = operation({
  name: "operator.setPlan",
  summary: "Set a workspace's plan",
  description:
    "A purchased plan stays: the workspace has the greater of the two, which the answer says, and the plan set here " +
    "applies again once the purchase ends.",
  method: "PATCH",
  path: "/api/operator/workspaces/:workspaceId",
  ...operatorCaller,
  input: Body({ workspaceId: WorkspaceId, plan: Plan }),
  output: Workspace,
  cli: { command: "operator plan set" },
});

export const setMember = operation({
  name: "operator.setMember",
  summary: "Make a user a member of a workspace, or change their role",
  method: "PUT",
  path: "/api/operator/workspaces/:workspaceId/members/:userId",
  ...operatorCaller,
  input: Body({ workspaceId: WorkspaceId, userId: UserId, role: Role }),
  output: Member,
  errors: ["last_admin"],
});

export const listJobs = operation({
  name: "operator.listJobs",
  summary: "List jobs that failed permanently, are running or wait",
  method: "GET",
  path: "/api/operator/jobs",
  ...operatorCaller,
  input: Body({ ...page, state: Type.Optional(JobState) }),
  output: List("jobs", Job),
  cli: { command: "operator jobs list" },
});

export const retryJob = operation({
  name: "operator.retryJob",
  summary: "Retry a failed job",
  method: "POST",
  path: "/api/operator/jobs/:jobId/retry",
  ...operatorCaller,
  effect: "update",
  input: Body({ jobId: Type.String({ maxLength: 100 }) }),
  output: Job,
  cli: { command: "operator jobs retry" },
});

export const runJob = operation({
  name: "operator.runJob",
  summary: "Run a scheduled job now",
  method: "POST",
  path: "/api/operator/jobs/:kind",
  ...operatorCaller,
  status: 202,
  input: Body({ kind: Type.Enum(jobKinds) }),
  output: Nothing,
  errors: ["billing_unavailable"],
  cli: { command: "operator jobs run" },
});

export const stats = operation({
  name: "operator.stats",
  summary: "Get the instance's statistics",
  method: "GET",
  path: "/api/operator/stats",
  ...operatorCaller,
  input: Body({}),
  output: Stats,
  cli: { command: "operator stats" },
});
