// The tables of better-auth and its OAuth provider, under their property names (generated, then maintained by hand).
// Only domain/identity writes here; domain/access reads the user of a session or an access token. accounts.ts has the
// `user` table; authUser maps it a second time for better-auth.
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";

import { currentTime, id, json, time } from "../columns.ts";
import { user } from "./accounts.ts";

const created = () => currentTime();
const ofUser = () => id("usr").references(() => user.userId, { onDelete: "cascade" });

/** A browser session. The cookie carries the token and an HMAC over it. */
export const session = pgTable(
  "session",
  {
    id: id("ses").primaryKey(),
    token: text().notNull().unique("session_token"),
    userId: ofUser().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: created(),
    /** When the session was last used: written at most once a minute, outside the request's path. */
    updatedAt: created(),
    expiresAt: time().notNull(),
  },
  (table) => [index("session_user").on(table.userId)],
);

/** A user's identity at an identity provider: issuer and subject. A user has one. */
export const account = pgTable(
  "account",
  {
    id: uuid().primaryKey(),
    providerId: text().notNull(),
    accountId: text().notNull(),
    userId: ofUser().notNull(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: time(),
    refreshTokenExpiresAt: time(),
    scope: text(),
    password: text(),
    createdAt: created(),
    updatedAt: created(),
  },
  (table) => [
    uniqueIndex("account_identity").on(table.providerId, table.accountId),
    uniqueIndex("account_user").on(table.userId),
  ],
);

/** States of sign-ins and authorization codes in progress. */
export const verification = pgTable(
  "verification",
  {
    id: uuid().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: time().notNull(),
    createdAt: created(),
    updatedAt: created(),
  },
  (table) => [index("verification_identifier").on(table.identifier)],
);

export const oauthClient = pgTable("oauth_client", {
  id: uuid().primaryKey(),
  clientId: text().notNull().unique("oauth_client_id"),
  clientSecret: text(),
  clientDiscoveryId: text(),
  disabled: boolean(),
  skipConsent: boolean(),
  enableEndSession: boolean(),
  subjectType: text(),
  scopes: text().array(),
  clientCredentialsScopes: text().array(),
  userId: ofUser(),
  createdAt: time(),
  updatedAt: time(),
  name: text(),
  uri: text(),
  icon: text(),
  contacts: text().array(),
  tos: text(),
  policy: text(),
  softwareId: text(),
  softwareVersion: text(),
  softwareStatement: text(),
  redirectUris: text().array().notNull(),
  postLogoutRedirectUris: text().array(),
  backchannelLogoutUri: text(),
  backchannelLogoutSessionRequired: boolean(),
  tokenEndpointAuthMethod: text(),
  applicationType: text(),
  jwks: text(),
  jwksUri: text(),
  grantTypes: text().array(),
  responseTypes: text().array(),
  requirePKCE: boolean("require_pkce"),
  dpopBoundAccessTokens: boolean(),
  referenceId: text(),
  metadata: json<unknown>(),
});

const ofClient = () => text().references(() => oauthClient.clientId, { onDelete: "cascade" });

export const oauthResource = pgTable("oauth_resource", {
  id: uuid().primaryKey(),
  identifier: text().notNull().unique("oauth_resource_identifier"),
  name: text().notNull(),
  accessTokenTtl: integer(),
  refreshTokenTtl: integer(),
  signingAlgorithm: text(),
  signingKeyId: text(),
  allowedScopes: text().array(),
  customClaims: json<unknown>(),
  dpopBoundAccessTokensRequired: boolean(),
  disabled: boolean(),
  createdAt: time(),
  updatedAt: time(),
  policyVersion: integer(),
  metadata: json<unknown>(),
});

export const oauthClientResource = pgTable(
  "oauth_client_resource",
  {
    id: uuid().primaryKey(),
    clientId: ofClient().notNull(),
    resourceId: text()
      .notNull()
      .references(() => oauthResource.identifier, { onDelete: "cascade" }),
    metadata: json<unknown>(),
    createdAt: time(),
  },
  (table) => [uniqueIndex("oauth_client_resource_pair").on(table.clientId, table.resourceId)],
);

const ofSession = () => id("ses").references(() => session.id, { onDelete: "set null" });

export const oauthRefreshToken = pgTable(
  "oauth_refresh_token",
  {
    id: uuid().primaryKey(),
    /** A hash. */
    token: text().notNull().unique("oauth_refresh_token_token"),
    clientId: ofClient().notNull(),
    sessionId: ofSession(),
    userId: ofUser().notNull(),
    referenceId: text(),
    authorizationCodeId: text(),
    resources: text().array(),
    requestedUserInfoClaims: text().array(),
    expiresAt: time(),
    createdAt: time(),
    revoked: time(),
    rotatedAt: time(),
    rotationReplayResponse: text(),
    rotationReplayExpiresAt: time(),
    authTime: time(),
    confirmation: json<unknown>(),
    scopes: text().array().notNull(),
  },
  (table) => [
    index("oauth_refresh_token_user").on(table.userId, table.clientId),
    index("oauth_refresh_token_session").on(table.sessionId),
    index("oauth_refresh_token_code").on(table.authorizationCodeId),
  ],
);

export const oauthAccessToken = pgTable(
  "oauth_access_token",
  {
    id: uuid().primaryKey(),
    /** A hash. */
    token: text().unique("oauth_access_token_token"),
    clientId: ofClient().notNull(),
    sessionId: ofSession(),
    userId: ofUser(),
    referenceId: text(),
    authorizationCodeId: text(),
    resources: text().array(),
    requestedUserInfoClaims: text().array(),
    refreshId: uuid().references(() => oauthRefreshToken.id, { onDelete: "cascade" }),
    expiresAt: time(),
    createdAt: time(),
    revoked: time(),
    confirmation: json<unknown>(),
    scopes: text().array().notNull(),
  },
  (table) => [
    index("oauth_access_token_user").on(table.userId, table.clientId),
    index("oauth_access_token_session").on(table.sessionId),
    index("oauth_access_token_code").on(table.authorizationCodeId),
    index("oauth_access_token_refresh").on(table.refreshId),
  ],
);

export const oauthConsent = pgTable(
  "oauth_consent",
  {
    id: uuid().primaryKey(),
    clientId: ofClient().notNull(),
    userId: ofUser(),
    referenceId: text(),
    resources: text().array(),
    requestedUserInfoClaims: text().array(),
    scopes: text().array().notNull(),
    createdAt: time(),
    updatedAt: time(),
  },
  // A person's consent to a client is one row; with several, the library would read an arbitrary one.
  (table) => [uniqueIndex("oauth_consent_connection").on(table.userId, table.clientId)],
);

export const oauthClientAssertion = pgTable("oauth_client_assertion", {
  id: text().primaryKey(),
  expiresAt: time().notNull(),
});

export const deviceCode = pgTable(
  "device_code",
  {
    id: uuid().primaryKey(),
    /** A hash. */
    deviceCode: text().notNull().unique("device_code_device_code"),
    userCode: text().notNull(),
    userId: ofUser(),
    expiresAt: time().notNull(),
    status: text().notNull(),
    lastPolledAt: time(),
    pollingInterval: integer(),
    clientId: text(),
    /** The client identifier again, if registered; the plugin requires both. */
    oauthClientId: text(),
    scope: text(),
    resources: text().array(),
  },
  (table) => [uniqueIndex("device_code_user_code").on(table.userCode)],
);
