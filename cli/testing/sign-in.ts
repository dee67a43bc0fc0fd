// An instance as `login` and `logout` meet it, made up for a test: metadata, grants, the exchange, and who one is.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { emptyDirectory, json, line, problem, type Ran, type LineContext } from "./line.ts";

export const origin = "http://localhost:3000";
export const tokens = { access: "access-0123456789", login: "pla_login0123456789", code: "code-0123456789" } as const;

export interface Instance {
  readonly answer: (request: Request) => Promise<Response>;
  /** The forms sent to the token endpoint. */
  readonly grants: URLSearchParams[];
  /** Tokens that were ended. */
  readonly ended: string[];
}

interface Answers {
  readonly metadata?: Record<string, unknown> | null;
  /** One for each poll or exchange; the last goes on. */
  readonly token?: readonly (() => Response)[];
  readonly exchange?: () => Response;
  readonly me?: (token: string) => Response;
  readonly end?: (token: string) => Response;
  readonly device?: Record<string, unknown>;
}

export const granted = (): Response => json({ access_token: tokens.access, token_type: "Bearer", expires_in: 600 });
export const refused = (error: string) => (): Response => json({ error, error_description: `No: ${error}` }, 400);

export const profile = {
  username: "ada",
  email: "ada@example.com",
  credential: { type: "agent", label: "laptop.test", scopes: ["artifacts:read"] },
};

/** Makes an instance that says yes to everything, but for what the test says. */
export function instance(answers: Answers = {}): Instance {
  const grants: URLSearchParams[] = [];
  const ended: string[] = [];
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/api/auth/oauth2/authorize`,
    token_endpoint: `${origin}/api/auth/oauth2/token`,
    device_authorization_endpoint: `${origin}/api/auth/device/code`,
    ...answers.metadata,
  };
  const device = {
    device_code: "device-0123456789",
    user_code: "WDJB-MJHT",
    verification_uri: `${origin}/device`,
    verification_uri_complete: `${origin}/device?user_code=WDJB-MJHT`,
    expires_in: 600,
    interval: 5,
    ...answers.device,
  };
  async function answer(request: Request): Promise<Response> {
    const token = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    switch (`${request.method} ${new URL(request.url).pathname}`) {
      case "GET /.well-known/oauth-authorization-server":
        return answers.metadata === null ? problem(404, "not_found") : json(metadata);
      case "POST /api/auth/oauth2/token": {
        grants.push(new URLSearchParams(await request.text()));
        const said = answers.token ?? [granted];
        return (said[grants.length - 1] ?? said.at(-1) ?? granted)();
      }
      case "POST /api/auth/device/code":
        return json(device);
      case "POST /api/agents/login":
        return answers.exchange?.() ?? json({ token: tokens.login, expiresAt: inDays(90) }, 201);
      case "GET /api/profile/me":
        return answers.me?.(token) ?? json(profile);
      case "DELETE /api/agents/me":
        ended.push(token);
        return answers.end?.(token) ?? new Response(null, { status: 204 });
      default:
        return problem(404, "not_found");
    }
  }
  return { answer, grants, ended };
}

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

/** What a browser was shown at the end. */
export interface Shown {
  readonly asked: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A person who follows the address and comes back with what `reply` says, on top of a good answer. */
export function person(reply: Record<string, string | null> = {}) {
  const shown = Promise.withResolvers<Shown>();
  async function follow(address: string): Promise<Shown> {
    const asked = new URL(address);
    const back = new URL(asked.searchParams.get("redirect_uri") ?? "");
    const said = { code: tokens.code, state: asked.searchParams.get("state"), ...reply };
    for (const [name, value] of Object.entries(said)) if (value !== null) back.searchParams.set(name, value);
    const response = await fetch(back);
    return { asked, status: response.status, headers: response.headers, text: await response.text() };
  }
  return {
    browse: (address: string): void => void follow(address).then(shown.resolve, shown.reject),
    shown: shown.promise,
  };
}

/** Never resolves: only the person's answer ends the wait. */
export const never = (): Promise<void> => new Promise(() => {});

/** A new home for one test. */
export function home(): { readonly env: Record<string, string>; readonly file: string } {
  const XDG_CONFIG_HOME = emptyDirectory();
  return { env: { XDG_CONFIG_HOME, DISPLAY: ":0" }, file: join(XDG_CONFIG_HOME, "plinth", "credentials.json") };
}

/** The entry of an origin in the file; null where there is none. */
export function entry(file: string, of = origin): Record<string, unknown> | null {
  if (!existsSync(file)) return null;
  const { origins } = JSON.parse(readFileSync(file, "utf8")) as { origins: Record<string, Record<string, unknown>> };
  return origins[of] ?? null;
}

export const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Runs `login` with a key or token piped in. */
export const bring = (token: string, setup: LineContext, ...words: readonly string[]): Promise<Ran> =>
  line(["login", "--token-stdin", ...words], { ...setup, stdin: `${token}\n` });

export const challengeOf = (verifier: string): string => createHash("sha256").update(verifier).digest("base64url");
