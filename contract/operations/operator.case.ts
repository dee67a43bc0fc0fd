import type { CasesOf } from "../test/case.ts";
import { changed } from "../test/refusals.ts";
import { byOperator, byOperatorOn } from "../test/rules.ts";
import type * as operations from "./operator.ts";

export const operatorCases: CasesOf<typeof operations> = {
  "operator.createUser": {
    who: byOperator,
    input: ({ unique, email }) => ({ email: email(), username: unique("made") }),
    refused: {
      slug_conflict: changed(({ owner: { username } }) => ({ username })),
      email_conflict: changed(({ owner: { email } }) => ({ email })),
    },
    events: ["user.created", "workspace.created"],
  },
  "operator.createApiKey": {
    who: byOperatorOn,
    input: ({ person: { userId } }) => ({ userId, name: "A key", scopes: ["artifacts:read"] }),
    refused: {},
    events: "api_key.created",
  },
  "operator.createSignInLink": {
    who: byOperatorOn,
    input: ({ person: { userId } }) => ({ userId }),
    refused: {},
    events: "user.sign_in_link_created",
  },
  "operator.setPlan": {
    who: byOperatorOn,
    input: ({ person: { workspaceId } }) => ({ workspaceId, plan: "pro" }),
    refused: {},
    events: "plan.changed",
  },
  "operator.setMember": {
    who: byOperatorOn,
    input: ({ workspaceId, person: { userId } }) => ({ workspaceId, userId, role: "viewer" }),
    uses: "team",
    refused: {
      last_admin: changed(({ owner: { workspaceId, userId } }) => ({ workspaceId, userId, role: "member" })),
    },
    events: "member.added",
  },
  "operator.listJobs": { who: byOperator, input: () => ({ limit: 100 }), refused: {}, events: null },
  "operator.retryJob": {
    who: byOperatorOn,
    input: ({ jobId }) => ({ jobId }),
    refused: {},
    events: { none: "no job waits to be tried again; domain/operator/jobs.test.ts has the event" },
  },
  "operator.runJob": {
    who: byOperator,
    input: () => ({ kind: "purge" }),
    refused: { billing_unavailable: changed({ kind: "billing-reconcile" }) },
    events: "operator.job_run",
  },
  "operator.stats": { who: byOperator, input: () => ({}), refused: {}, events: null },
};
