// The share token of a run (docs/reference/contract.md §4): the flag, then the environment. An address of a
// share link is taken for its token where it leads to this instance. Reads no file and never says a token aloud.
import { usage } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import type { Credential } from "./credentials.ts";
import type { Settings } from "./settings.ts";

interface ShareTokenQuery {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly io: Pick<Io, "env">;
  readonly settings: Pick<Settings, "baseUrl" | "webUrl">;
}

/** The share token; null where there is none. @throws Failure usage */
export function findShareToken({ flags, io, settings }: ShareTokenQuery): Credential | null {
  const said = flags["share-token"];
  if (typeof said === "string") return read(said, "--share-token", settings);
  const fromEnvironment = io.env["SERVICE_SHARE_TOKEN"];
  return fromEnvironment === undefined || fromEnvironment === ""
    ? null
    : read(fromEnvironment, "SERVICE_SHARE_TOKEN", settings);
}

function read(given: string, source: string, settings: ShareTokenQuery["settings"]): Credential {
  const token = /^https?:/i.test(given) ? tokenInUrl(given, source, settings) : given;
  if (/^pls_[A-Za-z0-9]{1,200}$/.test(token)) return { token, source };
  throw usage(`${source} is not a share token`, {
    hint: "A share token begins with pls_; the address of a share link will do too",
  });
}

/** The token in the address of a share link. Another instance's must not reach this one. */
function tokenInUrl(given: string, source: string, { baseUrl, webUrl }: ShareTokenQuery["settings"]): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  const token = url && /^\/share\/([^/]+)\/?$/.exec(url.pathname)?.[1];
  if (!url || !token) throw usage(`${source} is not the address of a share link`, { hint: "One ends in /share/pls_…" });
  if (url.origin !== baseUrl && url.origin !== webUrl)
    throw usage(`The share link of ${source} leads to ${url.origin}, and not to ${baseUrl}`, {
      hint: `If you trust it, use --base-url ${url.origin}`,
    });
  return token;
}
