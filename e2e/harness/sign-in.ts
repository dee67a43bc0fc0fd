// Signs in through a provider as a browser would, without one: stores cookies by origin and follows redirects one by
// one.
import { jsonOf, send, type Answer } from "./http.ts";
import { trackSecret } from "./tracked-secrets.ts";

export interface Visitor {
  /** The instance's cookies, `name=value`, by name. */
  readonly cookies: Map<string, string>;
  /** Asks the instance for the provider's authorization URL. */
  begin(body?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Goes through the provider; returns the callback URL that it redirects to. */
  through(authorization: string): Promise<string>;
  /** Opens the callback; returns where the instance redirects. */
  arrive(callback: string): Promise<string>;
  /** All steps. */
  signIn(callbackURL?: string): Promise<string>;
  /** The cookie header for the instance. */
  header(): string;
}

export function visitor(origin: string): Visitor {
  const cookies = new Map<string, string>();
  const keep = (answer: Answer): Answer => {
    keepCookies(cookies, answer);
    for (const [name, pair] of cookies) trackSecret(pair.slice(name.length + 1));
    return answer;
  };
  const header = () => [...cookies.values()].join("; ");
  const self: Visitor = {
    cookies,
    header,
    begin: async (body = {}, headers = { origin }) =>
      keep(
        await send(`${origin}/api/auth/sign-in/social`, {
          method: "POST",
          headers: { ...headers, cookie: header() },
          body: { provider: "oidc", ...body },
        }),
      ),
    async through(authorization) {
      const atProvider = new Map<string, string>();
      for (let url = authorization; ;) {
        if (url.startsWith(`${origin}/`)) return url;
        const answer = await send(url, { headers: { cookie: [...atProvider.values()].join("; ") } });
        keepCookies(atProvider, answer);
        const to = answer.headers.get("location");
        if (to === null) throw new Error(`the provider answered ${answer.status}: ${answer.text.slice(0, 500)}`);
        url = new URL(to, url).href;
      }
    },
    async arrive(callback) {
      const code = new URL(callback).searchParams.get("code");
      if (code !== null) trackSecret(code);
      const answer = keep(await send(callback, { headers: { cookie: header() } }));
      return answer.headers.get("location") ?? `${answer.status}: ${answer.text}`;
    },
    async signIn(callbackURL) {
      const begun = await self.begin(callbackURL === undefined ? {} : { callbackURL });
      return self.arrive(await self.through(jsonOf<{ url: string }>(begun).url));
    },
  };
  return self;
}

function keepCookies(cookies: Map<string, string>, { headers }: Answer): void {
  for (const line of headers.getSetCookie()) {
    const [pair = "", ...attributes] = line.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    if (attributes.includes("Max-Age=0") || pair.endsWith("=")) cookies.delete(name);
    else cookies.set(name, pair);
  }
}
