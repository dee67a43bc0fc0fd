// The trust of an agent in an OpenID Connect issuer: which subjects of its id tokens stand for the agent
// (docs/reference/contract.md §5, "Id tokens").
import type { FieldError } from "@plinth/contract/errors";

export interface Trust {
  readonly issuer: string;
  /** `*` stands for any text. */
  readonly subject: string;
}

/** Issuers that everyone can get id tokens of: the part before the first `*` must name whose they are. */
const sharedIssuers: Readonly<Record<string, { readonly begins: RegExp; readonly example: string }>> = {
  "https://token.actions.githubusercontent.com": { begins: /^repo:[^*/]+\//, example: "repo:our-org/" },
  "https://gitlab.com": { begins: /^project_path:[^*/]+\//, example: "project_path:our-group/" },
};

/** The faults of a new agent's trust. */
export function trustProblems({ issuer, subject }: Partial<Trust>): FieldError[] {
  if (issuer === undefined && subject === undefined) return [];
  if (issuer === undefined) return [{ path: "issuer", message: "is needed with subject" }];
  if (subject === undefined) return [{ path: "subject", message: "is needed with issuer" }];
  if (!isIssuer(issuer)) return [{ path: "issuer", message: "must be an https address without query or fragment" }];
  const shared = sharedIssuers[issuer.replace(/\/$/, "")];
  if (shared !== undefined && !shared.begins.test(subject))
    return [{ path: "subject", message: `must begin with whose it is, such as ${shared.example}` }];
  return subject.startsWith("*") ? [{ path: "subject", message: "must not begin with *" }] : [];
}

function isIssuer(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
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
