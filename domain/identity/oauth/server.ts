// The authorization server of a process: the library, made when it is first asked, and what is counted beside it.
import type { Database } from "@plinth/db/connection";
import { createTurns } from "@plinth/platform/turns";
import { isAPIError } from "better-auth/api";

import type { Config } from "../../config.ts";
import type { Instance } from "../../context.ts";
import type { Counters } from "../../counters.ts";
import { guardedFetch } from "../../fetching/guarded-fetch.ts";
import type { OAuthServer } from "../../services.ts";
import { sessionCookie } from "../../tokens/session-cookie.ts";
import { prepareRows } from "./clients.ts";
import { createLibrary, libraryPaths, type Library } from "./library.ts";
import { createLimits } from "./limits.ts";

/** `onFault` receives the errors that the library would only log. */
export function createOAuthServer(
  parts: Pick<Instance, "config" | "db"> & { readonly counters: Counters },
  onFault: (error: unknown) => void,
): OAuthServer {
  const { config, db, counters } = parts;
  let made: Promise<Library> | null = null;

  async function make(): Promise<Library> {
    await prepareRows(db, config.publicUrl);
    return createLibrary(parts, onFault);
  }

  function library(): Promise<Library> {
    made ??= make().catch((error: unknown) => {
      // The database may be back at the next request.
      made = null;
      throw error;
    });
    return made;
  }

  // Of the sixteen connections of a pool the other requests keep most.
  const inTurn = createTurns({ atOnce: 4, ofOneCaller: 1 });
  const limits = createLimits(config.rateLimits, counters);
  const over = (db: Database) => {
    const inside = Promise.resolve(createLibrary({ config, db }, onFault));
    return server(config, () => inside, { limits, inTurn }, over);
  };
  return server(config, library, { limits, inTurn }, over);
}

/** Of a client's metadata document. */
const documentLimits = { bytes: 16 * 1024, ms: 5000, trustedOrigin: null, accept: "application/json" } as const;

function server(
  config: Config,
  library: () => Promise<Library>,
  bounds: Pick<OAuthServer, "limits" | "inTurn">,
  on: (db: Database) => OAuthServer,
): OAuthServer {
  const { publicUrl } = config;
  return {
    on,
    ...bounds,
    ready: async () => void (await library()),

    async ask(endpoint, { query, form, json, session, authorization }) {
      const headers = new Headers({ origin: publicUrl });
      if (typeof session === "string") headers.set("cookie", sessionCookie(config, session));
      if (typeof authorization === "string") headers.set("authorization", authorization);
      const url = `${publicUrl}${libraryPaths[endpoint]}${query === undefined ? "" : `?${query}`}`;
      const { handler } = await library();
      if (form === undefined && json === undefined) return handler(new Request(url, { headers }));
      headers.set("content-type", form === undefined ? "application/json" : "application/x-www-form-urlencoded");
      const body = form === undefined ? JSON.stringify(json) : form.toString();
      return handler(new Request(url, { method: "POST", headers, body }));
    },

    async isSigned(query) {
      const { api } = await library();
      const clientId = new URLSearchParams(query).get("client_id") ?? "";
      return api.getOAuthClientPublicPrelogin({ body: { client_id: clientId, oauth_query: query } }).then(
        () => true,
        (error: unknown) => {
          if (isAPIError(error)) return false;
          throw error;
        },
      );
    },

    fetchDocument: (url) => guardedFetch(url, documentLimits),

    async issuer() {
      const { api } = await library();
      return (await api.getOAuthServerConfig()).issuer;
    },
  };
}
