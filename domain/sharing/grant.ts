// Opens a share link in a browser: its token is exchanged for the grant cookie, so that no URL has to carry it
// (docs/reference/security.md §3). Opening does not count as a use, so link previews use none up.
import { AppError } from "@plinth/contract/errors";
import type { ShareRole } from "@plinth/contract/schemas/share-link";

import type { Share } from "../access/call.ts";
import { notFound } from "../access/refusals.ts";
import type { Instance } from "../context.ts";
import { findLink, linkUrl } from "./find.ts";
import { grantSetCookie } from "./grant-cookie.ts";

/** Why a token opens nothing. */
export type Unopened = "revoked" | "expired" | "unknown";

export interface Granted {
  readonly answer: {
    /** Where the artifact is read, without the token. */
    readonly url: string;
    readonly artifactId: string;
    readonly role: ShareRole;
    readonly expiresAt: string | null;
  };
  readonly setCookie: string;
}

/** @throws not_found with the `reason`; only the token's holder gets a more precise reason than `unknown` */
export async function grantShare({ config, db }: Instance, { hash, granted = [] }: Share): Promise<Granted> {
  const link = hash === undefined ? null : await findLink(db, hash);
  if (link?.state !== "good") throw unopened(link?.state ?? "unknown");
  const { artifactId, role, expiresAt } = link;
  return {
    answer: { url: linkUrl(config, link), artifactId, role, expiresAt: expiresAt?.toISOString() ?? null },
    setCookie: grantSetCookie(config, granted, link),
  };
}

function unopened(reason: Unopened): AppError {
  const { code, message } = notFound();
  return new AppError(code, message, { reason });
}
