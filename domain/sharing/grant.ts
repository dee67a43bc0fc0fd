// Opens a share link in a browser: its token is exchanged for the grant cookie, so that no URL has to carry it
// (docs/reference/security.md §3). Opening does not count as a use, so link previews use none up.
import { AppError } from "@plinth/contract/errors";
import type { ShareRole } from "@plinth/contract/schemas/share-link";
import { decodeId, encodeId } from "@plinth/contract/ids";
import type { Database } from "@plinth/db/connection";
import { grantCookieName } from "@plinth/contract/grant-cookie";

import type { Share } from "../access/call.ts";
import { notFound } from "../access/refusals.ts";
import type { Instance } from "../context.ts";
import type { Config } from "../config.ts";
import { cookieValue, setCookie } from "../tokens/cookie.ts";
import { seal, unseal } from "../tokens/seal.ts";

// The grant cookie: the share links that a browser has opened, sealed with the instance's secret. It names links and
// holds no token; whether they are still good is asked of the database each time (docs/reference/security.md §3).
const purpose = "grant-cookie";
/** Links in one cookie; the one opened longest ago makes way. */
const most = 16;
const idBytes = 16;
const macBytes = 16;

type Named = Pick<Config, "publicUrl" | "secret">;

/** The links of a `cookie` header, the latest first; none where there is no such cookie or its seal is not ours. */
export function readGrantCookie({ publicUrl, secret }: Named, header: string): string[] {
  const text = cookieValue(header, grantCookieName(publicUrl));
  if (text === null) return [];
  const bodyBytes = Buffer.from(text, "base64url").length - macBytes;
  if (bodyBytes <= 0 || bodyBytes % idBytes !== 0 || bodyBytes > most * idBytes) return [];
  const body = unseal(secret, purpose, bodyBytes, text);
  if (body === null) return [];
  return Array.from({ length: bodyBytes / idBytes }, (_, at) =>
    encodeId("shr", body.subarray(at * idBytes, (at + 1) * idBytes).toString("hex")),
  );
}

/** The cookie's value with a further link. */
export function sealGrants(
  { secret }: Pick<Config, "secret">,
  granted: readonly string[],
  shareLinkId: string,
): string {
  const links = [shareLinkId, ...granted.filter((known) => known !== shareLinkId)].slice(0, most);
  const bare = links.map((link) => Buffer.from((decodeId("shr", link) ?? "").replaceAll("-", ""), "hex"));
  return seal(secret, purpose, Buffer.concat(bare));
}

const longestSeconds = 30 * 86_400;

/**
 * The `set-cookie` field that adds a link to those a browser has opened. It ends with the link only where it holds no
 * other one; a link that has ended opens nothing in any case.
 */
function grantSetCookie(
  config: Named,
  granted: readonly string[],
  { shareLinkId, secondsLeft }: { readonly shareLinkId: string; readonly secondsLeft: number | null },
): string {
  const isAlone = granted.every((known) => known === shareLinkId);
  const maxAge = isAlone && secondsLeft !== null ? Math.min(secondsLeft, longestSeconds) : longestSeconds;
  return setCookie(config, grantCookieName(config.publicUrl), sealGrants(config, granted, shareLinkId), maxAge);
}

// Finds the share link of a token, with the artifact it opens, in one statement. The holder of the token may learn the
// state of this link; nothing is disclosed about other links.
interface FoundLink {
  readonly shareLinkId: string;
  readonly artifactId: string;
  readonly ownerUsername: string;
  readonly projectSlug: string;
  readonly slug: string;
  readonly title: string;
  readonly role: ShareRole;
  readonly expiresAt: Date | null;
  /** By the database's clock. Those of a deleted artifact open nothing, as if they were revoked. */
  readonly state: "good" | "expired" | "revoked";
  /** Until it expires, in whole seconds, rounded down; null where it does not. */
  readonly secondsLeft: number | null;
}

interface Row extends Omit<FoundLink, "shareLinkId" | "artifactId"> {
  share_link_id: string;
  artifact_id: string;
}

const findStatement = `
  SELECT l.share_link_id, l.artifact_id, w.slug AS "ownerUsername", p.slug AS "projectSlug", a.slug, a.title, l.role,
    l.expires_at AS "expiresAt",
    CASE
      WHEN l.revoked_at IS NOT NULL OR a.deleted_at IS NOT NULL THEN 'revoked'
      WHEN l.expires_at <= now() THEN 'expired'
      ELSE 'good'
    END AS state,
    floor(extract(epoch FROM l.expires_at - now()))::float8 AS "secondsLeft"
  FROM share_link l
  JOIN artifact a ON a.artifact_id = l.artifact_id
  JOIN project p ON p.project_id = a.project_id
  JOIN workspace w ON w.workspace_id = a.workspace_id
  WHERE l.hash = decode($1, 'hex')`;

/** By the token's SHA-256, hex; null where no link has it. */
export async function findLink(db: Database, hash: string): Promise<FoundLink | null> {
  const [row] = await db.run<Row>(findStatement, [hash]);
  if (row === undefined) return null;
  const { share_link_id, artifact_id, ...rest } = row;
  return { ...rest, shareLinkId: encodeId("shr", share_link_id), artifactId: encodeId("art", artifact_id) };
}

/** Where people read what the link opens: an address without its token. */
export const linkUrl = (
  { publicUrl }: Pick<Config, "publicUrl">,
  { ownerUsername, projectSlug, slug }: FoundLink,
): string => `${publicUrl}/${ownerUsername}/${projectSlug}/${slug}`;

/** Why a token opens nothing. */
type Unopened = "revoked" | "expired" | "unknown";

interface Granted {
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
