// POST /api/auth/share-grant: exchanges a share link's token for a cookie. The origin is not checked: the token is in a
// header, which no page of another site can make a browser send, and is the whole credential; no session is read. The
// links of an existing cookie are kept.
import type { Instance } from "@plinth/domain/context";
import { authBasePath } from "@plinth/domain/identity/routes";
import { addressKey, rateLimitHeaders, requireAllowance } from "@plinth/domain/rate-limit";
import { grantShare } from "@plinth/domain/sharing/grant";
import type { Elysia } from "elysia";

import { shareOf } from "./credential.ts";
import { problemResponse } from "./problem.ts";
import type { MetaOf, RequestMeta } from "./request-meta.ts";

/** Adds the route. */
export function addShareGrant(app: Elysia, instance: Instance, metaOf: MetaOf): void {
  app.post(`${authBasePath}/share-grant`, ({ request }) => serve(instance, request, metaOf(request)), {
    parse: "none",
  });
}

async function serve(instance: Instance, request: Request, { requestId, address }: RequestMeta): Promise<Response> {
  const headers: Record<string, string> = { "x-request-id": requestId };
  try {
    // Counts as a read: it writes nothing, and people open links more often than they sign in.
    const allowance = await instance.limiter.take("reads", addressKey(address));
    if (allowance !== null) {
      Object.assign(headers, rateLimitHeaders(allowance));
      requireAllowance(allowance);
    }
    const { answer, setCookie } = await grantShare(instance, shareOf(instance.config, request).share ?? {});
    return Response.json(answer, {
      headers: {
        ...headers,
        "set-cookie": setCookie,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  } catch (error) {
    const response = problemResponse(error, requestId, instance.config.publicUrl);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }
}
