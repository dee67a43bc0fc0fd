// The credential of a request: read once, and never kept but as a hash (contract 5).
import type { Credential } from "@plinth/domain/context";
import { tokenHash, tokenKind } from "@plinth/domain/credentials/token";

/** What the `authorization` header says. */
export function credentialOf(request: Request): Credential {
  const header = request.headers.get("authorization");
  if (header === null) return { kind: "none" };
  const token = /^bearer +(\S+)$/i.exec(header)?.[1];
  if (token === undefined) return { kind: "bad" };
  switch (tokenKind(token)) {
    case "apiKey":
    case "agent":
      return { kind: "key", hash: tokenHash(token) };
    case "operator":
      return { kind: "operator", hash: tokenHash(token) };
    default:
      return { kind: "bad" };
  }
}
