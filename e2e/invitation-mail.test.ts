// An invitation by mail, from one person's browser session to the other's, through a whole instance and a mail server.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { openInbox, type Inbox } from "./harness/inbox.ts";
import { startInstance, type Instance } from "./harness/instance.ts";
import { clientOf, createPerson, fresh, signIn } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { hung } from "./harness/process.ts";

setDefaultTimeout(hung);

let inbox: Inbox;
let instance: Instance;
beforeAll(async () => {
  inbox = await openInbox();
  instance = await startInstance({ env: inbox.env });
});
afterAll(async () => {
  await instance.stop();
  await inbox.close();
});

test("the mailed link is the one that lets the invited person in", async () => {
  const founder = await createPerson(instance);
  const guest = await createPerson(instance);
  const asFounder = clientOf(instance.origin, await signIn(instance, founder.userId));
  const asGuest = clientOf(instance.origin, await signIn(instance, guest.userId));
  const { workspaceId } = await asFounder.call("workspace.create", { slug: fresh("team"), name: "A team" });
  const email = `${guest.username}@example.com`;
  const { url = "" } = await asFounder.call("invitation.create", { workspaceId, email, role: "member" });
  const { text } = await inbox.mailTo(email);
  const mailed = text.match(/http:\S+\/invitations\/accept#\S+/)?.[0] ?? "";
  expect(mailed).toBe(url);
  const joined = await asGuest.call("invitation.accept", { token: trackSecret(new URL(mailed).hash.slice(1)) });
  expect(joined).toMatchObject({ workspaceId, role: "member" });
  const { members } = await asGuest.call("member.list", { workspaceId });
  expect(members.map(({ userId }) => userId)).toEqual([guest.userId, founder.userId]);
});
