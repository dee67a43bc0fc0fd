// The job that mails a sign-in link. The link is made here: neither the job nor the row holds it.
import { encodeId } from "@plinth/contract/ids";
import { emailSignInMinutes } from "@plinth/contract/limits";
import type { Database } from "@plinth/db/connection";

import { recordAs } from "../audit/audit.ts";
import { systemCause } from "../audit/system-cause.ts";
import type { Config } from "../config.ts";
import { escapeHtml } from "../render/escape-html.ts";
import { emailSignInUrl } from "../tokens/email-sign-in-token.ts";
import { sendMail, siteNameIn, type Mail } from "./send.ts";

interface Row {
  readonly email: string;
  readonly expires_at: Date;
  /** Of the account with the address; null for none. */
  readonly user_id: string | null;
  readonly workspace_id: string | null;
}

/** Waits for a concurrent sender; the lock ends with the process that holds it. */
const lockStatement = "SELECT pg_advisory_xact_lock(hashtextextended('sign-in-mail:' || $1, 0))";

/** A link that was not mailed yet and still works. An account whose address was never proven gets none. */
const statement = `
SELECT s.email, s.expires_at, u.user_id, own.workspace_id
FROM email_sign_in s
LEFT JOIN "user" u ON lower(u.email) = s.email
LEFT JOIN workspace own ON own.personal_of = u.user_id
WHERE s.id = $1 AND s.mailed_at IS NULL AND s.used_at IS NULL AND s.expires_at > now()
  AND u.email_verified IS NOT FALSE`;

interface Host {
  readonly db: Database;
  readonly config: Pick<Config, "publicUrl" | "secret" | "mail">;
}

/** Mails the link once, however often the job runs, and records it where the address has an account. */
export async function mailSignInLink({ db, config }: Host, id: string, jobId: string): Promise<void> {
  const { mail } = config;
  if (mail === null) return;
  await db.transaction(async (tx) => {
    await tx.run(lockStatement, [id]);
    const [row] = await tx.run<Row>(statement, [id]);
    if (row === undefined) return;
    if (row.user_id !== null)
      await recordAs(tx, systemCause(jobId), {
        kind: "user.sign_in_link_created",
        workspaceId: row.workspace_id === null ? null : encodeId("wsp", row.workspace_id),
        target: { type: "user", id: encodeId("usr", row.user_id) },
        after: { expiresAt: row.expires_at.toISOString(), by: "email" },
      });
    await tx.run("UPDATE email_sign_in SET mailed_at = now() WHERE id = $1", [id]);
    const { host, hostname } = new URL(config.publicUrl);
    await sendMail(mail, {
      to: row.email,
      messageId: `<${id}@${hostname}>`,
      ...letter(siteNameIn(mail), host, emailSignInUrl(config, id)),
    });
  });
}

function letter(site: string, host: string, url: string): Pick<Mail, "subject" | "text" | "html"> {
  const asked = `Open this link to sign in to ${site} at ${host}:`;
  const terms = [
    `The link works once, for ${emailSignInMinutes} minutes.`,
    "If you did not ask to sign in, ignore this mail. No one can sign in without the link.",
  ];
  const paragraphs = [
    escapeHtml(asked),
    `<a href="${escapeHtml(url)}">Sign in to ${escapeHtml(site)}</a>`,
    ...terms.map((line) => escapeHtml(line)),
  ];
  return {
    subject: `Sign in to ${site} at ${host}`,
    text: [`${asked}\n${url}`, ...terms].join("\n\n"),
    html: `<!doctype html>\n<meta charset="utf-8">\n${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}\n`,
  };
}
