import type { CasesOf } from "../test/case.ts";
import { byPerson, onSecret, session } from "../test/rules.ts";
import type * as operations from "./oauth.ts";

export const oauthCases: CasesOf<typeof operations> = {
  "oauth.describeConsent": {
    who: byPerson(session),
    input: async ({ consentQuery }) => ({ query: await consentQuery() }),
    refused: {},
    events: null,
  },
  "oauth.decideConsent": {
    who: byPerson(session),
    input: async ({ consentQuery }) => ({ query: await consentQuery(), accept: true }),
    refused: {},
    events: "agent.created",
  },
  "oauth.describeDevice": {
    who: onSecret(session),
    input: async ({ userCode }) => ({ userCode: await userCode() }),
    refused: {},
    events: null,
  },
  "oauth.decideDevice": {
    who: onSecret(session),
    input: async ({ userCode }) => ({ userCode: await userCode(), approve: true }),
    refused: {},
    events: "agent.created",
  },
};
