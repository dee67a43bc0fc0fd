import { scopes, type Scope } from "../scopes.ts";
import type { CasesOf, Setting } from "../test/case.ts";
import { byKey } from "../test/refusals.ts";
import {
  anyone,
  byCredentialOf,
  byPerson,
  login,
  managesAgents,
  onMinting,
  onOwn,
  onOwnKey,
  onSecret,
  type State,
} from "../test/rules.ts";
import type * as operations from "./credentials.ts";

const list = () => ({ limit: 100 });
/** `least`: the scope that it takes to make one. */
const made =
  (name: string, least: Scope) =>
  ({ workspaceId }: Setting, state?: State) => ({
    name,
    scopes: state === "wider" ? [...scopes] : [least],
    ...(state === "home" || state === "missing" ? { workspaceId } : {}),
  });

export const credentialCases: CasesOf<typeof operations> = {
  "apiKey.list": { who: byPerson(login), input: list, refused: {}, events: null },
  "apiKey.create": {
    who: onMinting(login),
    input: made("A key", "artifacts:read"),
    refused: {},
    events: "api_key.created",
  },
  "apiKey.revoke": {
    who: onOwn(login, "author or admin"),
    input: async ({ apiKeyId }) => ({ apiKeyId: await apiKeyId() }),
    refused: {},
    events: "api_key.revoked",
  },
  "apiKey.rotate": {
    who: onOwnKey,
    input: async ({ apiKeyId }) => ({ apiKeyId: await apiKeyId() }),
    refused: {},
    events: ["api_key.created", "api_key.revoked"],
  },
  "agent.list": {
    who: byPerson(managesAgents),
    // A list that is empty says nothing in NDJSON.
    before: (_fixtures, { agentId }) => Promise.resolve(agentId()),
    input: list,
    refused: {},
    events: null,
  },
  "agent.create": {
    who: onMinting(managesAgents),
    input: made("An agent", "agents:manage"),
    refused: {},
    events: "agent.created",
  },
  "agent.revoke": {
    who: onOwn(managesAgents, "author"),
    input: async ({ agentId }) => ({ agentId: await agentId() }),
    refused: {},
    events: "agent.revoked",
  },
  "agent.revokeCurrent": {
    who: byCredentialOf("agent", "login", "connected client", "the command line's client"),
    by: ({ newAgent }) => newAgent(),
    input: () => ({}),
    refused: { forbidden: byKey },
    events: "agent.revoked",
  },
  "agent.exchangeLogin": {
    who: byCredentialOf("the command line's client"),
    by: ({ commandLine }) => commandLine(),
    input: () => ({ name: "A host" }),
    refused: { forbidden: byKey },
    events: "agent.created",
  },
  "mcp.listConnections": { who: byPerson(login), input: list, refused: {}, events: null },
  "session.list": { who: byPerson(login), input: list, refused: {}, events: null },
  "session.end": {
    who: onOwn(login),
    input: async ({ sessionId }) => ({ sessionId: await sessionId() }),
    refused: {},
    events: { none: "a session is the browser's, and no workspace keeps an account of it" },
  },
  "identity.providers": { who: byPerson(anyone), input: () => ({}), refused: {}, events: null },
  "identity.describeSignInLink": {
    who: onSecret(anyone),
    input: async ({ signInToken }) => ({ token: await signInToken() }),
    refused: {},
    events: null,
  },
};
