// A mail server that stores what it receives. Knows nothing of the sender.
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

import type { Front } from "./instance.ts";
import { clientOf, createPerson, fresh, signIn } from "./people.ts";
import { eventually } from "./process.ts";

export interface Delivery {
  readonly messageId: string;
  readonly to: string;
  /** The text of a mail program without HTML. */
  readonly text: string;
}

export interface Inbox {
  /** In the order of arrival, one for each delivery. */
  readonly deliveries: readonly Delivery[];
  /** Waits for the first mail to an address. */
  mailTo(address: string): Promise<Delivery>;
  /** The environment of an instance that sends its mail here. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Starts one on loopback. */
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
      // A delivery that was cut off is not a mail.
      void keep().catch((error: Error & { code?: string }) => {
        if (error.code !== "ECONNECTION") throw error;
      });
    },
  });
  // A killed client resets its connection.
  server.on("error", () => undefined);
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    deliveries,
    mailTo: (wanted) =>
      eventually(
        () => deliveries.find(({ to }) => to === wanted),
        () => `no mail came to ${wanted}`,
      ),
    env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Plinth <plinth@example.com>" },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Invites a stranger by mail, to a new team of another person each time, whose plan has free seats; their address. */
export async function inviteStranger(front: Front): Promise<string> {
  const { userId } = await createPerson(front);
  const founder = clientOf(front.origin, await signIn(front, userId));
  const { workspaceId } = await founder.call("workspace.create", { slug: fresh("team"), name: "A team" });
  const email = `${fresh("guest")}@example.com`;
  await founder.call("invitation.create", { workspaceId, email, role: "member" });
  return email;
}
