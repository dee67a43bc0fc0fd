// Operations on credentials and sessions: API keys, agents, browser sessions, and the ways to sign in
// (docs/reference/contract.md §1, §4 and §5).
import Type from "typebox";

import { anyCaller, operation, personWithLogin } from "../operation.ts";
import { Agent, ApiKey, IdentityProvider, McpConnection, ScopeName, Session } from "../schemas/account.ts";
import { Body, Flag, List, Nothing, Nullable } from "../schemas/shape.ts";
import { AgentId, ApiKeyId, Name, page, SecretText, SessionId, Time, WorkspaceId } from "../schemas/text.ts";

/** The input that creates any credential. */
export const newCredential = {
  name: Name,
  scopes: Type.Array(ScopeName, { minItems: 1, maxItems: 8, uniqueItems: true }),
  workspaceId: Type.Optional(WorkspaceId),
  expiresAt: Type.Optional(
    Nullable(
      Type.String({
        description: "A date (UTC, to its end) or ISO 8601, at most 365 days ahead; null for none; 90 days by default",
      }),
    ),
  ),
};

/** Whose id tokens stand for a token of the agent. */
const trust = {
  issuer: Type.Optional(
    Type.String({
      minLength: 8,
      maxLength: 255,
      pattern: "^https?://[^\\s?#@\\\\]+$",
      description:
        "Creates no token: jobs exchange an id token of this OpenID Connect issuer, such as " +
        "`https://token.actions.githubusercontent.com`, for a token of the agent that lasts at most an hour",
    }),
  ),
  subject: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        "With `issuer`: the subject of its id tokens, such as `repo:org/repo:ref:refs/heads/main`; `*` stands for any text, " +
        "after a value that ends with `:` or `/`, such as `repo:org/repo:*`",
    }),
  ),
};

export const listApiKeys = operation({
  name: "apiKey.list",
  summary: "List your API keys and those of the workspaces you administer",
  method: "GET",
  path: "/api/api-keys",
  ...personWithLogin,
  input: Body(page),
  output: List("apiKeys", ApiKey),
  etag: true,
  cli: { command: "keys list" },
});

export const createApiKey = operation({
  name: "apiKey.create",
  summary: "Create an API key",
  description:
    "The key is in the answer, once. With `workspaceId` it works in that workspace alone. Created with a login token " +
    "rather than in a session, it has at most that token's scopes, workspace and expiry, and ends with it.",
  method: "POST",
  path: "/api/api-keys",
  ...personWithLogin,
  input: Body(newCredential),
  output: ApiKey,
  errors: ["not_found"],
  secrets: ["key"],
  cli: {
    command: "keys create",
    examples: ["plinth keys create --name ci --scopes artifacts:read --scopes artifacts:create"],
  },
});

export const revokeApiKey = operation({
  name: "apiKey.revoke",
  summary: "Revoke an API key, and everything created with it",
  method: "DELETE",
  path: "/api/api-keys/:apiKeyId",
  ...personWithLogin,
  input: Body({ apiKeyId: ApiKeyId }),
  output: Nothing,
  errors: ["not_found"],
  cli: { command: "keys revoke", unconfirmed: true },
});

export const rotateApiKey = operation({
  name: "apiKey.rotate",
  summary: "Replace an API key; the old key stays valid for 24 hours",
  description:
    "The new key is in the answer, once, with the name, scopes, workspace and lifetime of the old one. Credentials " +
    "created with the old key then end with the new one. Only the key's owner can do this.",
  method: "POST",
  path: "/api/api-keys/:apiKeyId/rotate",
  ...personWithLogin,
  input: Body({ apiKeyId: ApiKeyId }),
  output: ApiKey,
  errors: ["not_found"],
  secrets: ["key"],
  cli: { command: "keys rotate" },
});

export const listAgents = operation({
  name: "agent.list",
  summary: "List agents, logins and connected clients",
  method: "GET",
  path: "/api/agents",
  scope: "agents:manage",
  resource: null,
  input: Body(page),
  output: List("agents", Agent),
  etag: true,
  cli: { command: "agent list" },
});

export const createAgent = operation({
  name: "agent.create",
  summary: "Create a token for an agent",
  description:
    "The token is in the answer, once. It has at most the scopes, the workspace and the expiry of the credential " +
    "that creates it, and ends with that. With `issuer` and `subject` there is no token: the agent trusts id tokens.",
  method: "POST",
  path: "/api/agents",
  scope: "agents:manage",
  resource: null,
  input: Body({ ...newCredential, ...trust }),
  output: Agent,
  errors: ["not_found", "insufficient_scope"],
  secrets: ["token"],
  cli: {
    command: "agent create",
    examples: [
      "plinth agent create --name reviewer --scopes artifacts:read",
      "plinth agent create --name ci --scopes artifacts:read,artifacts:create,artifacts:update " +
        "--issuer https://token.actions.githubusercontent.com --subject repo:our-org/site:ref:refs/heads/main",
    ],
  },
});

export const revokeAgent = operation({
  name: "agent.revoke",
  summary: "Revoke an agent, a login or a connected client, and everything created with it",
  method: "DELETE",
  path: "/api/agents/:agentId",
  scope: "agents:manage",
  resource: null,
  input: Body({ agentId: AgentId }),
  output: Nothing,
  errors: ["not_found"],
  cli: { command: "agent revoke", unconfirmed: true },
});

export const revokeCurrentAgent = operation({
  name: "agent.revokeCurrent",
  summary: "Revoke the login or agent of this request, and everything created with it",
  method: "DELETE",
  path: "/api/agents/me",
  scope: null,
  resource: null,
  input: Body({}),
  output: Nothing,
  errors: ["forbidden"],
});

export const exchangeLogin = operation({
  name: "agent.exchangeLogin",
  summary: "Exchange a fresh OAuth access token for a login token of 90 days",
  description:
    "Only for this service's command line: the access token of an authorization can be exchanged once, under the " +
    "name of the host that signs in. The login token has its scopes.",
  method: "POST",
  path: "/api/agents/login",
  scope: null,
  resource: null,
  input: Body({ name: Name }),
  output: Agent,
  errors: ["forbidden"],
  secrets: ["token"],
  internal: true,
});

export const listMcpConnections = operation({
  name: "mcp.listConnections",
  summary: "List the programs that used MCP with your credentials, and when",
  description: "The most recent one first. A program that connects is listed within three seconds.",
  method: "GET",
  path: "/api/profile/mcp-connections",
  ...personWithLogin,
  input: Body(page),
  output: List("connections", McpConnection),
  etag: true,
});

export const listSessions = operation({
  name: "session.list",
  summary: "List your browser sessions",
  method: "GET",
  path: "/api/profile/sessions",
  ...personWithLogin,
  input: Body(page),
  output: List("sessions", Session),
  etag: true,
});

export const endSession = operation({
  name: "session.end",
  summary: "Revoke one of your browser sessions",
  method: "DELETE",
  path: "/api/profile/sessions/:sessionId",
  ...personWithLogin,
  input: Body({ sessionId: SessionId }),
  output: Nothing,
  errors: ["not_found"],
});

export const listProviders = operation({
  name: "identity.providers",
  summary: "List the identity providers for signing in",
  method: "GET",
  path: "/api/auth/providers",
  ...anyCaller,
  input: Body({}),
  output: Type.Object({
    providers: Type.Array(IdentityProvider),
    emailSignIn: Flag("True where a sign-in link can be requested by email; left out elsewhere"),
  }),
  internal: true,
});

export const describeSignInLink = operation({
  name: "identity.describeSignInLink",
  summary: "Get the account that a sign-in link opens, without using it",
  method: "POST",
  path: "/api/auth/sign-in-link/describe",
  ...anyCaller,
  effect: "read",
  input: Body({ token: SecretText }),
  output: Type.Object({ username: Nullable(Type.String()), email: Type.String(), expiresAt: Time }),
  errors: ["not_found"],
  internal: true,
});
