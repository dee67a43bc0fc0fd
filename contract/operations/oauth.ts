// Operations of the consent page and the device page. People use these in a browser; programs use the endpoints of the
// authorization server (oauth.ts).
import Type from "typebox";

import { redirectKinds } from "../oauth.ts";
import { operation, personInSession } from "../operation.ts";
import { ScopeName } from "../schemas/account.ts";
import { Body, Nothing, Nullable, Text } from "../schemas/shape.ts";
import { Time } from "../schemas/text.ts";

const OAuthClient = Type.Object({
  clientId: Type.String(),
  name: Type.String({ description: "The name that the client states; any client can claim any name" }),
  uri: Nullable(Type.String({ description: "The home page (https) that the client states" })),
  /** Whether the client is Plinth's command line. */
  own: Type.Boolean(),
  registeredAt: Nullable(Time),
});

const Query = Text(16_384, "The complete query that the page was opened with");

const UserCode = Text(64, "As the device shows it");

export const describeConsent = operation({
  name: "oauth.describeConsent",
  summary: "Get the client that asks for access, its redirect URI and the requested permissions",
  method: "POST",
  path: "/api/auth/oauth2/consent/describe",
  ...personInSession,
  effect: "read",
  input: Body({ query: Query }),
  output: Type.Object({
    client: OAuthClient,
    redirect: Type.Object({
      kind: Type.Enum(redirectKinds),
      host: Type.String({ description: "Host of a website, name and port of this computer, or scheme of an app" }),
    }),
    scopes: Type.Array(ScopeName),
    /** The requested scopes that the client already has. */
    granted: Type.Array(ScopeName),
    /** Whether the access lasts until it is revoked. */
    lasting: Type.Boolean(),
  }),
  internal: true,
});

export const decideConsent = operation({
  name: "oauth.decideConsent",
  summary: "Grant or refuse a client's request",
  description:
    "The answer has the URL to send the browser to: use `location.assign`, since it may have an app's scheme.",
  method: "POST",
  path: "/api/auth/oauth2/consent",
  ...personInSession,
  effect: "update",
  input: Body({ query: Query, accept: Type.Boolean() }),
  output: Type.Object({ redirectTo: Type.String() }),
  secrets: ["redirectTo"],
  internal: true,
});

export const describeDevice = operation({
  name: "oauth.describeDevice",
  summary: "Get the program behind a user code and its requested permissions",
  method: "POST",
  path: "/api/auth/device/describe",
  ...personInSession,
  effect: "read",
  input: Body({ userCode: UserCode }),
  output: Type.Object({
    userCode: Type.String({ description: "In its written form: two groups of four" }),
    client: OAuthClient,
    scopes: Type.Array(ScopeName),
    lasting: Type.Boolean(),
    expiresAt: Time,
  }),
  errors: ["not_found"],
  internal: true,
});

export const decideDevice = operation({
  name: "oauth.decideDevice",
  summary: "Grant or refuse the request of the program behind a user code",
  method: "POST",
  path: "/api/auth/device/decide",
  ...personInSession,
  effect: "update",
  status: 204,
  input: Body({ userCode: UserCode, approve: Type.Boolean() }),
  output: Nothing,
  errors: ["not_found"],
  internal: true,
});
