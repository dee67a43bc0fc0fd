// The credential of a request: read once, and only stored as a hash (docs/reference/contract.md §5).
import type { Config } from "@plinth/domain/config";
import type { Credential, Share } from "@plinth/domain/access/call";
import { readGrantCookie } from "@plinth/domain/sharing/grant";
import { readSessionCookie } from "@plinth/domain/tokens/session-cookie";
import { tokenHash, tokenKind } from "@plinth/domain/tokens/token";

/** The `authorization` header's credential; without that header, the cookie's. */
export function credentialOf(config: Config, request: Pick<Request, "headers">): Credential {
  const header = request.headers.get("authorization");
  if (header === null) return sessionOf(config, request.headers.get("cookie"));
  const token = /^bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) return { kind: "bad" };
  switch (tokenKind(token)) {
    case "apiKey":
    case "agent":
      return { kind: "key", hash: tokenHash(token) };
    case "access":
      return { kind: "oauth", hash: tokenHash(token) };
    case "operator":
      return { kind: "operator", hash: tokenHash(token) };
    default:
      return { kind: "bad" };
  }
}

/** A cookie without a valid seal counts as none. */
function sessionOf(config: Config, header: string | null): Credential {
  const token = header === null ? null : readSessionCookie(config, header);
  return token === null ? { kind: "none" } : { kind: "session", token };
}

/** The share links of a request: from `x-share-token`, and from the grant cookie where cookies are read at all. */
export function shareOf(config: Config, { headers }: Pick<Request, "headers">): { share?: Share } {
  const token = headers.get("x-share-token");
  const hash = token !== null && tokenKind(token) === "share" ? tokenHash(token) : undefined;
  const cookie = headers.has("authorization") ? null : headers.get("cookie");
  const granted = cookie === null ? [] : readGrantCookie(config, cookie);
  if (hash === undefined && granted.length === 0) return {};
  return {
    share: { ...(hash === undefined ? {} : { hash }), ...(granted.length === 0 ? {} : { granted }) },
  };
}
