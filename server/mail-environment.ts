// Reads the mail settings from the environment: the mail server, the sender, and what mails call the instance.
const address = '[^\\s@<>,;"]+@[A-Za-z0-9.-]*[A-Za-z0-9]';
const mailbox = new RegExp(`^(?:${address}|[^<>@\\p{Cc}]*<${address}>)$`, "u");

export interface MailEnvironment {
  readonly url: string;
  readonly from: string;
  readonly siteName?: string;
}

/**
 * The errors do not contain the values, which may include a password. @throws Error one line that names the variable
 */
export function mailOf(url: string | null, from: string | null, siteName: string | null): MailEnvironment | null {
  if (url === null && from === null) return null;
  const server = url !== null && URL.canParse(url) ? new URL(url) : null;
  if (url === null || server === null || !/^smtps?:$/.test(server.protocol) || server.hostname === "")
    throw new Error("SMTP_URL must be the address of a mail server, such as smtps://user:password@mail.example.com");
  if (from === null || !mailbox.test(from))
    throw new Error("MAIL_FROM must be an email address, or a name and one, such as Plinth <plinth@example.com>");
  return { url, from, ...(siteName !== null && { siteName }) };
}
