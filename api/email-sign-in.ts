// Requesting a sign-in link by email, and reading what a mailed one does. better-auth has no part in either; it makes the
// session when the link is used (auth-exchanges.ts).
import { isOwnPath } from "@plinth/contract/own-path";
import type { Instance } from "@plinth/domain/context";
import { describeEmailSignIn, requestEmailSignIn } from "@plinth/domain/identity/email-sign-in";
import { invalid } from "@plinth/domain/input";

import type { DirectPath } from "./auth-exchanges.ts";
import type { RequestMeta } from "./request-meta.ts";
import { readTexts } from "./text-body.ts";

type Direct = (instance: Instance, request: Request, meta: RequestMeta) => Promise<Response>;

const uncached = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Answers 204, the same for every address. */
const request: Direct = async (instance, sent, { address }) => {
  const { email = "", next = null } = await readTexts(sent, { email: true, next: false });
  if (next !== null && !isOwnPath(next))
    throw invalid([{ path: "next", message: "must be a path of this instance, such as /dashboard" }]);
  await requestEmailSignIn(instance, { email, next, address, cookies: sent.headers.get("cookie") });
  return new Response(null, { status: 204, headers: uncached });
};

const describe: Direct = async (instance, sent) => {
  const { token = "" } = await readTexts(sent, { token: true });
  return Response.json(await describeEmailSignIn(instance, token), { headers: uncached });
};

export const directRoutes: { readonly [Path in DirectPath]: Direct } = {
  "/email-sign-in/request": request,
  "/email-sign-in/describe": describe,
};

export const isDirect = (path: string): path is DirectPath => Object.hasOwn(directRoutes, path);
