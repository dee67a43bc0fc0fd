// The job that mails an invitation. The link is made here: neither the job nor the row holds it.
import type { WorkspaceRole } from "@plinth/contract/roles";
import type { Actor } from "@plinth/contract/schemas/actor";
import { uuidOf } from "@plinth/db/columns";
import type { Database } from "@plinth/db/connection";

import type { Config } from "../config.ts";
import { escapeHtml } from "../render/escape-html.ts";
import { invitationUrl } from "../tokens/invitation-token.ts";
import { oneLine, sendMail, siteNameIn, type Mail } from "./send.ts";

/** Mails in 24 hours, so that an instance cannot be used to spam strangers; the inviter still has the link. */
const mailsADay = { toAnAddress: 5, ofAPlan: 100 } as const;

interface Row {
  readonly email: string;
  readonly role: WorkspaceRole;
  readonly invited_by: Actor;
  readonly expires_at: Date;
  readonly workspace_name: string;
  readonly to_address: number;
  readonly of_plan: number;
}

/** Waits for a concurrent sender; the lock ends with the process that holds it. */
const lockStatement = "SELECT pg_advisory_xact_lock(hashtextextended('mail:' || $1, 0))";

/** A pending invitation that was not mailed yet, and how many of the last day came before it. */
const statement = `
SELECT i.email, i.role, i.invited_by, i.expires_at, w.name AS workspace_name,
  count(*) FILTER (WHERE o.email = i.email)::int AS to_address,
  count(*) FILTER (WHERE coalesce(ow.plan_holder_id, ow.workspace_id) = coalesce(w.plan_holder_id, w.workspace_id))::int
    AS of_plan
FROM invitation i
JOIN workspace w ON w.workspace_id = i.workspace_id
LEFT JOIN invitation o ON o.invitation_id < i.invitation_id AND o.created_at > i.created_at - interval '24 hours'
LEFT JOIN workspace ow ON ow.workspace_id = o.workspace_id
WHERE i.invitation_id = $1 AND i.mailed_at IS NULL AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()
GROUP BY i.invitation_id, w.workspace_id`;

const roleInWords: Readonly<Record<WorkspaceRole, string>> = {
  admin: "an admin",
  member: "a member",
  viewer: "a viewer",
  billing_admin: "a billing admin",
};

interface Host {
  readonly db: Database;
  readonly config: Pick<Config, "publicUrl" | "secret" | "mail">;
}

/**
 * Mails it once, however often it is asked for: it has its turn until the mail server has taken the mail and that is
 * written down. One that is not pending any more mails nothing.
 */
export async function mailInvitation({ db, config }: Host, invitationId: string): Promise<void> {
  const { mail } = config;
  if (mail === null) return;
  const id = uuidOf("inv", invitationId);
  await db.transaction(async (tx) => {
    await tx.run(lockStatement, [id]);
    const [row] = await tx.run<Row>(statement, [id]);
    if (row === undefined) return;
    if (row.to_address >= mailsADay.toAnAddress || row.of_plan >= mailsADay.ofAPlan) return;
    const url = invitationUrl(config, invitationId);
    const messageId = `<${invitationId}@${new URL(config.publicUrl).hostname}>`;
    await sendMail(mail, { to: row.email, messageId, ...letter(row, siteNameIn(mail), url) });
    await tx.run("UPDATE invitation SET mailed_at = now() WHERE invitation_id = $1", [id]);
  });
}

function letter(row: Row, site: string, url: string): Pick<Mail, "subject" | "text" | "html"> {
  const [who, where] = [oneLine(row.invited_by.label), oneLine(row.workspace_name)];
  const asked = `${who} invited you to the workspace “${where}” on ${site}, as ${roleInWords[row.role]}.`;
  const terms = [
    `The link is good once, until ${row.expires_at.toUTCString()}, for an account with the address ${row.email}.`,
    "If you did not expect this, you need not do anything.",
  ];
  const paragraphs = [
    escapeHtml(asked),
    `<a href="${escapeHtml(url)}">Accept the invitation</a>`,
    ...terms.map((line) => escapeHtml(line)),
  ];
  return {
    subject: `${who} invited you to “${where}” on ${site}`,
    text: [asked, `Accept the invitation:\n${url}`, ...terms].join("\n\n"),
    html: `<!doctype html>\n<meta charset="utf-8">\n${paragraphs.map((text) => `<p>${text}</p>`).join("\n")}\n`,
  };
}
