// A mail server that keeps what it is given. Knows nothing of who sends.
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

import { hung } from "./process.ts";

export interface Delivery {
  readonly messageId: string;
  readonly to: string;
  /** What a mail program without HTML shows. */
  readonly text: string;
}

export interface Inbox {
  /** In the order they came, one for each time a mail came. */
  readonly deliveries: readonly Delivery[];
  /** The first that came to an address, waited for. */
  mailTo(address: string): Promise<Delivery>;
  /** What an instance is told to send its mail here. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens one on loopback. */
export async function openInbox(): Promise<Inbox> {
  const deliveries: Delivery[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, { envelope }, callback) => {
      const keep = async () => {
        const mail = await PostalMime.parse(await new Response(stream as unknown as ReadableStream).text());
        const to = envelope.rcptTo.map(({ address }) => address).join();
        deliveries.push({ messageId: mail.messageId ?? "", to, text: mail.text ?? "" });
        callback();
      };
      // What a sender was killed amid is no mail.
      void keep().catch((error: Error & { code?: string }) => {
        if (error.code !== "ECONNECTION") throw error;
      });
    },
  });
  // A client that is killed resets its connection.
  server.on("error", () => undefined);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    deliveries,
    async mailTo(wanted) {
      for (const until = Date.now() + hung; Date.now() < until; await Bun.sleep(50)) {
        const found = deliveries.find(({ to }) => to === wanted);
        if (found !== undefined) return found;
      }
      throw new Error(`no mail came to ${wanted}`);
    },
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Plinth <plinth@example.com>" },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
