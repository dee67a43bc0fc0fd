// An invitation by mail, from one person's browser session to the other's, through a whole instance and a mail server.
import { afterAll, beforeAll, expect, test } from "bun:test";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

import { startInstance, type Instance } from "./harness/instance.ts";
import { clientOf, createPerson, fresh, signIn } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { hung, withinHung } from "./harness/process.ts";

const first = Promise.withResolvers<Email>();
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  onData: (stream, _session, callback) => {
    void (async () => {
      first.resolve(await PostalMime.parse(await new Response(stream as unknown as ReadableStream).text()));
      callback();
    })();
  },
});
let instance: Instance;

beforeAll(async () => {
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const SMTP_URL = `smtp://127.0.0.1:${port}`;
  instance = await startInstance({ env: { SMTP_URL, MAIL_FROM: "Plinth <plinth@example.com>" } });
}, hung);
afterAll(async () => {
  await instance.stop();
  const closed = Promise.withResolvers<void>();
  server.close(closed.resolve);
  await closed.promise;
}, hung);

test(
  "the mailed link is the one that lets the invited person in",
  async () => {
    const founder = await createPerson(instance);
    const guest = await createPerson(instance);
    const asFounder = clientOf(instance.origin, await signIn(instance, founder.userId));
    const asGuest = clientOf(instance.origin, await signIn(instance, guest.userId));
    const { workspaceId } = await asFounder.call("workspace.create", { slug: fresh("team"), name: "A team" });
    const email = `${guest.username}@example.com`;
    const { url = "" } = await asFounder.call("invitation.create", { workspaceId, email, role: "member" });
    const mail = await withinHung(first.promise, () => `no mail came\n${instance.stderr()}`);
    expect(mail.to).toMatchObject([{ address: email }]);
    const mailed = mail.text?.match(/http:\S+\/invitations\/accept#\S+/)?.[0] ?? "";
    expect(mailed).toBe(url);
    const joined = await asGuest.call("invitation.accept", { token: trackSecret(new URL(mailed).hash.slice(1)) });
    expect(joined).toMatchObject({ workspaceId, role: "member" });
    const { members } = await asGuest.call("member.list", { workspaceId });
    expect(members.map(({ userId }) => userId)).toEqual([guest.userId, founder.userId]);
  },
  hung,
);
