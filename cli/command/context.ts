// The context of a running command: settings, the API with the right credential, input and progress.
import { createClient, type Client } from "@plinth/contract/client";

import type { Values } from "../flags/flags.ts";
import type { Io } from "../io/io.ts";
import { createReader, type Reader } from "../io/reader.ts";
import { isTime, relativeTime } from "../output/formatting.ts";
import { createSender } from "../request/retry.ts";
import { findOperatorToken, findToken, type Credential } from "../session/credentials.ts";
import { isLoopbackHost, resolveSettings, type Settings, type UserConfig } from "../session/settings.ts";
import { findShareToken } from "../session/share-token.ts";
import { createProgress } from "../terminal/progress.ts";

export interface Context {
  readonly settings: Settings;
  /** The person's own file; null where there is none. */
  readonly config: UserConfig | null;
  readonly io: Io;
  readonly reader: Reader;
  readonly flags: Values["flags"];
  /** A client that sends; the token is looked for at the first call. */
  api(caller?: "operator"): Promise<Client>;
  /** A client with this token alone, wherever others come from. */
  withToken(token: string): Client;
  /** Sends any request to the instance with the retry policy of the API's requests. */
  readonly send: (request: Request) => Promise<Response>;
  /** Sends any request with the caller's credential. */
  sendAuthorized(request: Request): Promise<Response>;
  /** What the instance says its version is; null where it has not answered. */
  readonly serverVersion: () => string | null;
  /** A client that only writes requests down. */
  readonly requestBuilder: Pick<Client, "request">;
  /** A line on standard error, unless `--quiet`. */
  readonly progress: (message: string) => void;
  /** The same for a line that the next one takes the place of; nothing where standard error is no terminal. */
  readonly status: (message: string) => void;
  /** Every token used so far, so that none is ever printed. */
  readonly secrets: Set<string>;
  /** What the requests so far were sent with. */
  readonly used: () => UsedCredentials;
}

/** The credential of a run, and the share token beside it; null where there was none. */
export interface UsedCredentials {
  readonly credential: Credential | null;
  readonly share: Credential | null;
}

/** Makes the context of one run. @throws Failure usage */
export function createContext(values: Values, io: Io, config: UserConfig | null): Context {
  const { flags } = values;
  const settings = resolveSettings(values, io, config);
  const { baseUrl } = settings;
  const reader = createReader(io, settings.noInput);
  const secrets = new Set<string>();
  const { line: progress, status } = createProgress(io, settings.quiet);
  const clients = new Map<string, Promise<Client>>();

  let used: UsedCredentials = { credential: null, share: null };
  let serverVersion: string | null = null;
  const retry = createSender(io, progress);
  async function send(request: Request): Promise<Response> {
    const response = await retry(request);
    serverVersion = response.headers.get("x-plinth-version") ?? serverVersion;
    warnOfEnd(response.headers.get("x-credential-expires-at"));
    return response;
  }

  let isWarned = false;
  function warnOfEnd(time: string | null): void {
    const { credential } = used;
    if (time === null || !isTime(time) || credential === null || isWarned) return;
    // The token of an exchange always ends within an hour, and no command renews it.
    if (credential.agentId !== undefined) return;
    isWarned = true;
    const when = `${relativeTime(time)} (${time})`;
    progress(
      credential.saved
        ? `Warning: the saved login ends ${when}; plinth login renews it`
        : `Warning: the token of ${credential.source} ends ${when}; plinth keys rotate makes the next one`,
    );
  }

  async function authorize(caller: "operator" | "person"): Promise<UsedCredentials> {
    const asked = { flags, io, baseUrl, reader, warn: progress };
    used =
      caller === "operator"
        ? { credential: await findOperatorToken(asked), share: null }
        : { credential: await usable(await findToken(asked)), share: findShareToken({ flags, io, settings }) };
    const isSent = used.credential !== null || used.share !== null;
    const { protocol, hostname } = new URL(baseUrl);
    if (isSent && protocol === "http:" && !isLoopbackHost(hostname))
      progress(`Warning: the token goes to ${baseUrl} unencrypted; use https where others share the network`);
    return used;
  }

  let exchanged: Promise<string> | null = null;
  /** An id token is exchanged once for all requests of the run, and for all runs of its job. */
  async function usable(found: Credential | null): Promise<Credential | null> {
    if (found?.agentId === undefined) return found;
    const { token, agentId } = found;
    secrets.add(token);
    exchanged ??= Promise.all([
      import("../session/exchange-id-token.ts"),
      import("../session/exchanged-tokens.ts"),
    ]).then(([{ exchangeIdToken }, { keptOrExchanged }]) =>
      keptOrExchanged({ env: io.env, parts: [baseUrl, agentId, token], warn: progress }, () =>
        exchangeIdToken({ token, agentId, baseUrl, send: retry }),
      ),
    );
    return { ...found, token: await exchanged };
  }

  async function open(caller: "operator" | "person"): Promise<Client> {
    const { credential, share } = await authorize(caller);
    return clientWith(credential?.token, share?.token);
  }

  function headersOf(token?: string, shareToken?: string): Record<string, string> {
    for (const secret of [token, shareToken]) if (secret !== undefined) secrets.add(secret);
    return {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(shareToken !== undefined && { "x-share-token": shareToken }),
    };
  }

  function clientWith(token?: string, shareToken?: string): Client {
    return createClient({
      baseUrl,
      headers: { accept: "application/json", ...headersOf(token, shareToken) },
      fetch: send,
    });
  }

  return {
    settings,
    config,
    io,
    reader,
    flags,
    requestBuilder: createClient({ baseUrl }),
    progress,
    status,
    secrets,
    used: () => used,
    withToken: (token) => clientWith(token),
    send,
    serverVersion: () => serverVersion,
    async sendAuthorized(request) {
      const { credential, share } = await authorize("person");
      for (const [name, value] of Object.entries(headersOf(credential?.token, share?.token)))
        request.headers.set(name, value);
      return send(request);
    },
    api(caller) {
      const kind = caller ?? "person";
      const client = clients.get(kind) ?? open(kind);
      clients.set(kind, client);
      return client;
    },
  };
}
