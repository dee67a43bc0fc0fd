// The trust of an agent in an OpenID Connect issuer: which subjects of its id tokens stand for the agent
// (docs/reference/contract.md §5, "Id tokens").
import type { FieldError } from "@plinth/contract/errors";

export interface Trust {
  readonly issuer: string;
  /** `*` stands for any text. */
  readonly subject: string;
}

/** Issuers whose subjects begin in one known way: with the name of a repository's owner, also without a `*`. */
const knownIssuers: Readonly<Record<string, { readonly begins: RegExp; readonly example: string }>> = {
  "https://token.actions.githubusercontent.com": { begins: /^repo:[^*/]+\//, example: "repo:our-org/" },
  "https://gitlab.com": { begins: /^project_path:[^*/]+\//, example: "project_path:our-group/" },
};

/**
 * A name and its value, or a UUID, which ends before the first `*`: the issuer may give its tokens to everyone, and of
 * `organization:a*` any organization that begins with an `a` would be trusted.
 */
const hasValue = /^(?:[^*:/]+[:/]+[^*:/]+|\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?)[:/]/i;

/** The faults of a new agent's trust. The origins of the operator's own issuers need no value before a `*`. */
export function trustProblems({ issuer, subject }: Partial<Trust>, ownIssuers: readonly string[]): FieldError[] {
  if (issuer === undefined && subject === undefined) return [];
  if (issuer === undefined) return [{ path: "issuer", message: "is needed with subject" }];
  if (subject === undefined) return [{ path: "subject", message: "is needed with issuer" }];
  const url = issuerUrl(issuer);
  if (url === null) return [{ path: "issuer", message: "must be an https address without query or fragment" }];
  const known = knownIssuers[issuer.replace(/\/$/, "")];
  if (known !== undefined && !known.begins.test(subject))
    return [{ path: "subject", message: `must begin with whose it is, such as ${known.example}` }];
  if (subject.startsWith("*")) return [{ path: "subject", message: "must not begin with *" }];
  if (!subject.includes("*") || hasValue.test(subject) || ownIssuers.includes(url.origin)) return [];
  const message =
    "must name a value before the first *, and end it with : or /, such as organization:acme:* or repo:acme/site:*";
  return [{ path: "subject", message }];
}

function issuerUrl(issuer: string): URL | null {
  const url = URL.parse(issuer);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.username + url.password + url.search + url.hash === "" ? url : null;
}

/** Whether the pattern means the subject, letter by letter but for `*`. */
export function trusts({ subject: pattern }: Pick<Trust, "subject">, subject: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return subject === pattern;
  if (!subject.startsWith(first)) return false;
  // Each part at its first place: no place further on would leave more room for the next one.
  let at = first.length;
  for (const part of others) {
    const found = subject.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return subject.length - last.length >= at && subject.endsWith(last);
}

/** Deletes exchanged tokens a day after their end; the audit events stay. */
export const expiredExchanges = `
  DELETE FROM credential c
  WHERE c.issuer IS NULL AND c.subject IS NOT NULL AND c.expires_at < now() - interval '1 day'
    AND NOT EXISTS (SELECT FROM credential m WHERE m.made_with = c.credential_id)`;
