// The mail of an invitation, as a real mail server receives it.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

import { runJob } from "../jobs/run.ts";
import { createSetup, type Caller, type TestPerson, type Setup } from "../test/context.ts";

interface Received {
  readonly from: string;
  readonly to: string[];
  readonly raw: string;
  readonly mail: Email;
}

const password = "planted-smtp-password";
let received: Received[] = [];
let server: SMTPServer;
let setup: Setup;
let admin: TestPerson;
let asAdmin: Caller;

beforeAll(async () => {
  server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password: given }, _session, callback) =>
      given === password
        ? callback(null, { user: username })
        : callback(new Error(`${username} may not send for ${given}`)),
    onRcptTo: ({ address }, _session, callback) =>
      address.startsWith("nobody") ? callback(new Error(`there is no ${address}`)) : callback(),
    onData: (stream, { envelope }, callback) => {
      void (async () => {
        const raw = await new Response(stream as unknown as ReadableStream).text();
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, raw, mail: await PostalMime.parse(raw) });
        callback();
      })();
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  setup = await createSetup({ mail: settings(password) });
  admin = await setup.person();
  asAdmin = await setup.session(admin.userId);
});
afterAll(async () => {
  await setup.close();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(resolve);
  await promise;
});
beforeEach(async () => {
  received = [];
  await setup.db.run("DELETE FROM outbox");
});

function settings(withPassword: string) {
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("the mail server listens nowhere");
  return { url: `smtp://plinth:${withPassword}@127.0.0.1:${address.port}`, from: "Plinth <plinth@example.com>" };
}

async function teamCalled(name: string): Promise<string> {
  const holder = await setup.person();
  const as = await setup.session(holder.userId);
  const { workspaceId } = await setup.call("workspace.create", { slug: setup.name("team"), name }, { as });
  await setup
    .call("invitation.create", { workspaceId, email: `${admin.username}@example.org`, role: "admin" }, { as })
    .then(({ url = "" }) => setup.call("invitation.accept", { token: url.split("#")[1] ?? "" }, { as: asAdmin }));
  await setup.db.run("DELETE FROM outbox");
  return workspaceId;
}

const invite = (workspaceId: string, email: string) =>
  setup.call("invitation.create", { workspaceId, email, role: "member" }, { as: asAdmin });

/** The jobs that wait to mail something. */
const jobs = () =>
  setup.db.run<{ payload: { invitationId: string } }>(
    "SELECT payload FROM outbox WHERE kind = 'invitation-mail' ORDER BY job_id",
  );

async function runAll(config = setup.instance.config): Promise<void> {
  for (const { payload } of await jobs())
    await runJob({ db: setup.db, config, billing: null, renderer: null }, "invitation-mail", payload, "job");
}

test("the invited address gets the link that the inviter sees, as text and as HTML", async () => {
  const workspaceId = await teamCalled("Acme & Sons <Ltd>");
  const { url = "", invitationId } = await invite(workspaceId, "Guest@Example.org");
  expect([...(await jobs())]).toEqual([{ payload: { invitationId } }]);
  await runAll();
  const [only] = received;
  if (only === undefined || received.length > 1) throw new Error(`${received.length} mails were received`);
  const { from, to, mail } = only;
  expect({ from, to }).toEqual({ from: "plinth@example.com", to: ["guest@example.org"] });
  expect(mail.subject).toBe(`${admin.username} invited you to “Acme & Sons <Ltd>” on Plinth`);
  expect(mail.from).toMatchObject({ name: "Plinth", address: "plinth@example.com" });
  expect(mail.messageId).toBe(`<${invitationId}@plinth.test>`);
  expect(mail.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
  expect(mail.text).toContain(url);
  expect(mail.text).toContain("as a member");
  expect(mail.html).toContain(`href="${url}"`);
  expect(mail.html).toContain("Acme &amp; Sons &lt;Ltd&gt;");
  expect(mail.attachments).toEqual([]);
});

test("the mail names the instance as its operator does", async () => {
  const workspaceId = await teamCalled("Team");
  await invite(workspaceId, "guest@example.org");
  const mail = { ...settings(password), siteName: "R&D <Papers>" };
  await runAll({ ...setup.instance.config, mail });
  const named = received[0]?.mail;
  expect(named?.subject).toBe(`${admin.username} invited you to “Team” on R&D <Papers>`);
  expect(named?.text).toContain("on R&D <Papers>, as a member");
  expect(named?.html).toContain("on R&amp;D &lt;Papers&gt;, as a member");
  for (const part of [named?.subject, named?.text, named?.html]) expect(part).not.toContain("Plinth");
});

test("no input can inject headers, recipients or markup", async () => {
  const name = 'Team\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script>\u2028"';
  const workspaceId = await teamCalled(name);
  await invite(workspaceId, "one,two@example.org");
  await invite(workspaceId, "three@example.org");
  await runAll();
  expect(received.map(({ to }) => to.length)).toEqual([1, 1]);
  expect(received[1]?.to).toEqual(["three@example.org"]);
  for (const { raw, mail } of received) {
    expect(raw.split("\r\n\r\n")[0]).not.toMatch(/^bcc:/im);
    expect(mail.bcc).toBeUndefined();
    expect(mail.subject).toContain("Team Bcc: victim@example.org <script>");
    expect(mail.html).not.toContain("<script");
  }
});

test("one that was revoked, replaced, accepted or is over mails nothing, nor does an instance without mail", async () => {
  const workspaceId = await teamCalled("Team");
  const revoked = await invite(workspaceId, "revoked@example.org");
  await setup.call("invitation.revoke", { invitationId: revoked.invitationId }, { as: asAdmin });
  const guest = await setup.person();
  const accepted = await invite(workspaceId, `${guest.username}@example.org`);
  const as = await setup.session(guest.userId);
  await setup.call("invitation.accept", { token: accepted.url?.split("#")[1] ?? "" }, { as });
  await invite(workspaceId, "expired@example.org");
  await setup.db.run("UPDATE invitation SET expires_at = now() WHERE email = 'expired@example.org'");
  await invite(workspaceId, "replaced@example.org");
  const second = await invite(workspaceId, "replaced@example.org");
  expect(await jobs()).toHaveLength(5);
  await runAll({ ...setup.instance.config, mail: null });
  expect(received).toEqual([]);
  await runAll();
  expect(received.map(({ to }) => to)).toEqual([["replaced@example.org"]]);
  expect(received[0]?.mail.text).toContain(second.url ?? "none");
});

test("a refusal is a failed job that names neither the recipient nor the password", async () => {
  const workspaceId = await teamCalled("Team");
  await invite(workspaceId, "nobody@example.org");
  const said = async (mail = settings(password)) => {
    const error: unknown = await runAll({ ...setup.instance.config, mail }).catch((thrown: unknown) => thrown);
    if (!(error instanceof Error)) throw new Error("the mail was taken");
    return Bun.inspect(error);
  };
  const refused = await said();
  expect(refused).toContain("EENVELOPE");
  const unauthorized = await said(settings("planted-wrong-password"));
  expect(unauthorized).toContain("EAUTH");
  const nowhere = await said({ ...settings(password), url: `smtp://plinth:${password}@127.0.0.1:1` });
  for (const text of [refused, unauthorized, nowhere]) expect(text).not.toMatch(/nobody@|planted/);
});

test("mails to one address are limited, though the inviter gets the link each time", async () => {
  const workspaceId = await teamCalled("Team");
  for (let time = 0; time < 7; time++) {
    expect((await invite(workspaceId, "pestered@example.org")).url).toBeString();
    await runAll();
    await setup.db.run("DELETE FROM outbox");
  }
  expect(received).toHaveLength(5);
});

test("asked for twice at once, and once more afterwards, it is mailed once; a refusal leaves it to the next try", async () => {
  const workspaceId = await teamCalled("Team");
  await invite(workspaceId, "once@example.org");
  const nowhere = { ...settings(password), url: `smtp://plinth:${password}@127.0.0.1:1` };
  const failure = await runAll({ ...setup.instance.config, mail: nowhere }).catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(Error);
  await Promise.all([runAll(), runAll()]);
  await runAll();
  expect(received.map(({ to }) => to)).toEqual([["once@example.org"]]);
});

test("a dry run puts no mail on its way", async () => {
  const workspaceId = await teamCalled("Team");
  const input = { workspaceId, email: "dry@example.org", role: "member" };
  await setup.answer("invitation.create", input, { as: asAdmin, dryRun: true });
  expect(await setup.count("outbox")).toBe(0);
});
