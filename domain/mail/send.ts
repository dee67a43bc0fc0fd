// Hands one mail to the mail server. Knows nothing of what is in it.
import { createTransport } from "nodemailer";

import type { MailSettings } from "../config.ts";

export interface Mail {
  readonly to: string;
  /** One line; what would begin another is taken out. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The same for the same mail, so that one sent twice is seen once. */
  readonly messageId: string;
}

/** What mails call the instance: one line. */
export const siteNameIn = ({ siteName = "Plinth" }: MailSettings): string => oneLine(siteName);

const connectMs = 10_000;
const silenceMs = 30_000;

/** @throws Error that names neither the recipient nor what the server said, which may repeat them */
export async function sendMail({ url, from }: MailSettings, { to, subject, ...mail }: Mail): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sent = transport.sendMail({
      ...mail,
      from,
      // An object is always a single address, even where the text contains separators.
      to: { name: "", address: to },
      subject: oneLine(subject),
      headers: { "Auto-Submitted": "auto-generated" },
    });
    await sent.catch(refuse);
  } finally {
    transport.close();
  }
}

/** Without its cause, which would be logged: the server's words may repeat the recipient's address. */
function refuse(error: unknown): never {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  const reason = [code, command, responseCode].filter((part) => part !== undefined).join(" ");
  throw new Error(`The mail server did not take the mail: ${reason || "it gave no reason"}`);
}

/** Text without line breaks and other control characters. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
