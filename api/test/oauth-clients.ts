// People in browsers and the clients that they authorize, for tests of the authorization server.
import { sessionCookie } from "@plinth/domain/tokens/session-cookie";
import type { TestPerson } from "@plinth/domain/test/context";
import * as oauth from "oauth4webapi";

import { createService, type Service } from "./service.ts";

/** Sends a library's requests to the API, as from one IP address. */
export const fetchOf =
  ({ api }: Service) =>
  (url: string | URL, init: object = {}): Promise<Response> =>
    api(new Request(url, init), "192.0.2.1");

export type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** A signed-in person who opens the URLs of clients. */
export async function openBrowser(service: Service, person: TestPerson) {
  const caller = await service.setup.session(person.userId);
  if (typeof caller === "string" || caller.kind !== "session") throw new Error("that is no session");
  const { config } = service.setup.instance;
  const origin = config.publicUrl;
  const headers = { cookie: sessionCookie(config, caller.token), origin };

  const browser = {
    person,
    /** The session's own token, which is not a bearer token. */
    sessionToken: caller.token,
    headers,

    /** The first redirect of an authorization request. */
    async open(url: URL | string): Promise<URL> {
      const { pathname, search } = new URL(url);
      const answer = await service.ask("GET", pathname + search, { headers });
      return new URL(answer.headers.get("location") ?? `${answer.status}:`);
    },

    async post(path: string, body: object): Promise<Response> {
      return service.ask("POST", path, { body, headers });
    },

    /** Presses a button of the consent page; returns the redirect. */
    async decide(page: URL, accept = true): Promise<URL> {
      const answer = await browser.post("/api/auth/oauth2/consent", { query: page.search.slice(1), accept });
      const { redirectTo } = (await answer.json()) as { redirectTo?: string };
      if (redirectTo === undefined) throw new Error(`consent was answered ${answer.status}`);
      return new URL(redirectTo);
    },

    /** Opens the URL and consents, where the page asks. */
    async allow(url: URL | string): Promise<URL> {
      const page = await browser.open(url);
      return page.pathname === "/oauth/consent" && page.origin === origin ? browser.decide(page) : page;
    },
  };
  return browser;
}

export const insecure = { [oauth.allowInsecureRequests]: true };

/** An authorization request, with its secrets. */
export interface Asked {
  readonly url: URL;
  readonly verifier: string;
  readonly state: string;
}

/** A client of oauth4webapi that registered itself. */
export async function registerClient(service: Service, metadata: Partial<oauth.Client> = {}) {
  const options = { ...insecure, [oauth.customFetch]: fetchOf(service) };
  const issuer = new URL(service.setup.instance.config.publicUrl);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...options, algorithm: "oauth2" }),
  );
  const redirectUri = "http://127.0.0.1:51000/callback";
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: "A client",
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        ...metadata,
      },
      options,
    ),
  );
  const authentication =
    typeof client.client_secret === "string" ? oauth.ClientSecretBasic(client.client_secret) : oauth.None();

  return {
    server,
    client,
    options,
    authentication,
    redirectUri,

    /** A valid request; `changed` replaces parameters, null omits one. */
    async request(changed: Record<string, string | null> = {}): Promise<Asked> {
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const url = new URL(server.authorization_endpoint ?? "");
      const parameters: Record<string, string | null> = {
        response_type: "code",
        client_id: client.client_id,
        redirect_uri: redirectUri,
        scope: "artifacts:read",
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        ...changed,
      };
      for (const [name, value] of Object.entries(parameters)) if (value !== null) url.searchParams.set(name, value);
      return { url, verifier, state };
    },

    async exchange(answer: URL, { verifier, state }: Pick<Asked, "verifier" | "state">, redirect = redirectUri) {
      const parameters = oauth.validateAuthResponse(server, client, answer, state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirect,
        verifier,
        options,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    },

    /** From the request to the tokens. */
    async connect(browser: Browser, changed: Record<string, string | null> = {}) {
      const asked = await this.request(changed);
      return this.exchange(await browser.allow(asked.url), asked, changed["redirect_uri"] ?? redirectUri);
    },

    async refresh(token: string, more: Record<string, string> = {}) {
      const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token, {
        ...options,
        additionalParameters: more,
      });
      return oauth.processRefreshTokenResponse(server, client, response);
    },

    async revoke(token: string): Promise<void> {
      const response = await oauth.revocationRequest(server, client, authentication, token, options);
      await oauth.processRevocationResponse(response);
    },
  };
}

export type RegisteredClient = Awaited<ReturnType<typeof registerClient>>;

/** The error of a library's refused request; fails where it was not refused. */
export async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
      return error.error;
    throw error;
  }
  throw new Error("it was not refused");
}

/** The API's status for that bearer token. */
export const statusOf = async (service: Service, token: string): Promise<number> =>
  (await service.ask("GET", "/api/profile/me", { as: token })).status;

export interface AgentRow {
  readonly agentId: string;
  readonly name: string;
  readonly kind: string;
  readonly scopes: readonly string[];
}

/** The person's agents, logins and connected clients. */
export async function agentsOf(service: Service, { headers }: Browser): Promise<readonly AgentRow[]> {
  return ((await (await service.ask("GET", "/api/agents", { headers })).json()) as { agents: AgentRow[] }).agents;
}

/** Posts to the token endpoint without a library. */
export async function askToken(service: Service, fields: Record<string, string>) {
  const response = await service.ask("POST", "/api/auth/oauth2/token", {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** A service with a registered client and a signed-in person. The test file closes the service. */
export async function createOAuthService() {
  const service = await createService();
  const browser = await openBrowser(service, await service.setup.person());
  return {
    service,
    browser,
    client: await registerClient(service),
    status: (token: string) => statusOf(service, token),
    agents: () => agentsOf(service, browser),
    token: (fields: Record<string, string>) => askToken(service, fields),
  };
}
