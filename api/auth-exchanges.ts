// For each path of better-auth, the parts of a request that it receives and the response made of its answer. Every
// input is checked first, and no answer of the library passes unchanged.
import { isOwnPath } from "@plinth/contract/own-path";
import { loginErrorPath, type SignInError } from "@plinth/contract/sign-in-errors";
import { notFound } from "@plinth/domain/access/refusals";
import type { Config } from "@plinth/domain/config";
import type { Instance } from "@plinth/domain/context";
import type { Flow } from "@plinth/domain/identity/flow";
import { hasUsername } from "@plinth/domain/identity/has-username";
import type { AuthPath } from "@plinth/domain/identity/routes";
import { invalid, isStorable } from "@plinth/domain/input";

import { readTexts } from "./text-body.ts";

export interface Exchange {
  /** The body for better-auth; null where it gets none. @throws invalid_request */
  readonly read: (config: Config, request: Request) => Promise<object | null>;
  /** The caller adds cookies to it. @throws the error that the answer stands for */
  readonly answer: (instance: Instance, response: Response, flow: Flow) => Response | Promise<Response>;
}

const done = (response: Response): Response => {
  if (!response.ok) throw new Error(`better-auth answered ${response.status}`);
  return new Response(null, { status: 204 });
};

const startSignIn: Exchange = {
  async read({ publicUrl, identity }, request) {
    const { provider, callbackURL = "/" } = await readTexts(request, { provider: true, callbackURL: false });
    if (!identity.providers.some(({ id }) => id === provider))
      throw invalid([{ path: "provider", message: "is not a provider of this instance" }]);
    if (!isOwnPath(callbackURL))
      throw invalid([{ path: "callbackURL", message: "must be a path of this instance, such as /dashboard" }]);
    const next = new URLSearchParams({ next: callbackURL });
    return {
      provider,
      callbackURL: publicUrl + callbackURL,
      errorCallbackURL: `${publicUrl}/login?${next}`,
      disableRedirect: true,
    };
  },
  async answer(_instance, response) {
    if (!response.ok) throw new Error(`better-auth answered ${response.status}`);
    const { url } = (await response.json()) as { url: string };
    return Response.json({ url });
  },
};

const signInByLink: Exchange = {
  read: (_config, request) => readTexts(request, { token: true }),
  answer: (_instance, response) => done(response),
};

const signOut: Exchange = {
  read: async (_config, request) => readTexts(request, {}),
  answer: (_instance, response) => done(response),
};

const comeBack: Exchange = {
  read(_config, request) {
    // Text that cannot be stored is not looked up either.
    if (![...new URL(request.url).searchParams].flat().every(isStorable)) throw notFound();
    return Promise.resolve(null);
  },
  async answer({ config: { publicUrl }, db }, response, { userId, refusal }) {
    const to = URL.parse(response.headers.get("location") ?? "", publicUrl);
    if (userId === null) return seeOther(publicUrl + loginErrorPath(refusal ?? reasonOf(to), nextOf(to)));
    // The requested path is in the state, which was checked when the sign-in began.
    const path = to === null || to.origin !== publicUrl ? "/" : to.pathname + to.search + to.hash;
    return seeOther(publicUrl + ((await hasUsername(db, userId)) ? path : nameFirst(path)));
  },
};

const seeOther = (location: string): Response => new Response(null, { status: 302, headers: { location } });

/** A person without a username chooses one first. */
const nameFirst = (next: string): string => `/workspaces/new?${new URLSearchParams({ next })}`;

function nextOf(to: URL | null): string | null {
  const next = to?.searchParams.get("next") ?? null;
  return next !== null && isOwnPath(next) ? next : null;
}

/** Error codes of better-auth, or of the provider through it. */
const reasons: Readonly<Record<string, SignInError>> = {
  access_denied: "denied",
  state_mismatch: "expired",
  state_not_found: "expired",
  state_invalid: "expired",
  temporarily_unavailable: "provider_unavailable",
  server_error: "provider_unavailable",
};

const reasonOf = (to: URL | null): SignInError => reasons[to?.searchParams.get("error") ?? ""] ?? "failed";

/** Paths that better-auth has no part in. */
export type DirectPath = "/email-sign-in/request" | "/email-sign-in/describe";

export const exchanges: { readonly [Path in Exclude<AuthPath, DirectPath>]: Exchange } = {
  "/sign-in/social": startSignIn,
  "/sign-in-link": signInByLink,
  "/email-sign-in": signInByLink,
  "/sign-out": signOut,
  "/callback/:provider": comeBack,
};
