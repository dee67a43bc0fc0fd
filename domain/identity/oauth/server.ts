// The authorization server of a process: the library, made when it is first asked, and what is counted beside it.
import type { Database } from "@plinth/db/connection";
import { createKeyedSemaphore } from "@plinth/platform/keyed-semaphore";
import { AppError } from "@plinth/contract/errors";
import { isAPIError } from "better-auth/api";
import { RateLimiterRes } from "rate-limiter-flexible";

import type { Config } from "../../config.ts";
import type { Instance } from "../../context.ts";
import type { Counters } from "../../counters.ts";
import { guardedFetch } from "../../fetching/guarded-fetch.ts";
import type { OAuthLimits, OAuthServer } from "../../services.ts";
import { sessionCookie } from "../../tokens/session-cookie.ts";
import { prepareRows } from "./clients.ts";
import { createLibrary, libraryPaths, type Library } from "./library.ts";
import { addressKey } from "../../rate-limit.ts";

// Limits of the authorization server beside the instance's own: registrations by network address, and wrong user codes
// by person (RFC 8628, 5.1).
const registrationsAnHour = 60;
const wrongCodes = { points: 10, seconds: 600 } as const;

/** Where writes are not limited, nothing is counted here either. */
function createLimits({ writes }: Config["rateLimits"], { counter }: Counters): OAuthLimits {
  const registrations = counter("registrations", registrationsAnHour, 3600);
  const guesses = counter("wrong-codes", wrongCodes.points, wrongCodes.seconds);
  return {
    async registration(address) {
      if (writes === 0) return;
      const refusal = await registrations.consume(addressKey(address)).then(
        () => null,
        (state: unknown) => state,
      );
      if (refusal !== null) throw tooMany(refusal, "More registrations of clients than an hour allows");
    },
    async mayGuess(userId) {
      if (writes === 0) return;
      const state = await guesses.get(userId);
      if (state !== null && state.consumedPoints >= wrongCodes.points)
        throw tooMany(state, "More wrong codes than ten minutes allow");
    },
    async guessedWrong(userId) {
      await guesses.penalty(userId);
    },
  };
}

function tooMany(state: unknown, detail: string): AppError {
  if (!(state instanceof RateLimiterRes)) throw state;
  const retryAfterSeconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
  return new AppError("rate_limited", detail, { retryAfterSeconds, hint: `Wait ${retryAfterSeconds} s` });
}

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
  const inTurn = createKeyedSemaphore({ atOnce: 4, ofOneCaller: 1 });
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
