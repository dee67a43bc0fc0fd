// The mail of a sign-in link, as a real mail server receives it.
import { afterAll, beforeAll, expect, test } from "bun:test";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

import { describeEmailSignIn, redeemEmailSignIn, requestEmailSignIn } from "../identity/email-sign-in.ts";
import { runJob } from "../jobs/run.ts";
import { createSetup, operatorToken, type Setup } from "../test/context.ts";
import { emailSignInUrl } from "../tokens/email-sign-in-token.ts";

let received: { readonly to: string; readonly mail: Email }[] = [];
let refuses = false;
let server: SMTPServer;
let setup: Setup;

beforeAll(async () => {
  server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: (_address, _session, callback) => callback(refuses ? new Error("not now") : null),
    onData: (stream, { envelope }, callback) => {
      void (async () => {
        const mail = await PostalMime.parse(await new Response(stream as unknown as ReadableStream).text());
        received.push({ to: envelope.rcptTo.map(({ address }) => address).join(), mail });
        callback();
      })();
    },
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("the mail server listens nowhere");
  setup = await createSetup({
    identity: { providers: [], ownerEmail: null, emailSignIn: true },
    mail: { url: `smtp://127.0.0.1:${address.port}`, from: "Plinth <plinth@example.com>" },
  });
});
afterAll(async () => {
  await setup.close();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(resolve);
  await promise;
});

/** Requests a link, and gives the identifier of its row. */
async function requestLink(email: string): Promise<string> {
  await requestEmailSignIn(setup.instance, { email, next: null, address: "192.0.2.1", cookies: null });
  const [row] = await setup.db.run<{ id: string }>(
    "SELECT id FROM email_sign_in WHERE email = $1 ORDER BY id DESC LIMIT 1",
    [email.toLowerCase()],
  );
  return row?.id ?? "";
}

const runMail = (id: string, jobId = "job") =>
  runJob({ ...setup.instance, renderer: null }, "sign-in-mail", { id }, jobId);
const mailUnder = (siteName: string, id: string) => {
  const { config } = setup.instance;
  if (config.mail === null) throw new Error("the instance sends no mail");
  const named = { ...config, mail: { ...config.mail, siteName } };
  return runJob({ ...setup.instance, config: named, renderer: null }, "sign-in-mail", { id }, "job-named");
};
const isMailed = async (id: string) =>
  (await setup.db.run("SELECT 1 FROM email_sign_in WHERE id = $1 AND mailed_at IS NOT NULL", [id])).length === 1;
const tokenOf = (id: string) => emailSignInUrl(setup.instance.config, id).split("/").at(-1) ?? "";

async function unproven(): Promise<string> {
  const username = setup.name("unproven");
  const email = `${username}@example.org`;
  await setup.call("operator.createUser", { email, username, emailVerified: false }, { as: operatorToken });
  return email;
}

test("the mail names the instance as its operator does", async () => {
  received = [];
  const { username } = await setup.person();
  await mailUnder("R&D <Papers>", await requestLink(`${username}@example.org`));
  const mail = received[0]?.mail;
  expect(mail?.subject).toBe("Sign in to R&D <Papers> at plinth.test");
  expect(mail?.text).toContain("to sign in to R&D <Papers> at plinth.test:");
  expect(mail?.html).toContain(">Sign in to R&amp;D &lt;Papers&gt;</a>");
  for (const part of [mail?.subject, mail?.text, mail?.html]) expect(part).not.toContain("Plinth");
});

test("a link is mailed once to its address, and recorded where that has an account", async () => {
  received = [];
  const { userId, username } = await setup.person();
  const email = `${username}@example.org`;
  const id = await requestLink(email.toUpperCase());
  await Promise.all([runMail(id, "job-1"), runMail(id, "job-2")]);
  expect(received.map(({ to }) => to)).toEqual([email]);
  const [{ mail } = { mail: null }] = received;
  const url = emailSignInUrl(setup.instance.config, id);
  expect(mail).toMatchObject({
    subject: "Sign in to Plinth at plinth.test",
    from: { address: "plinth@example.com" },
    headers: expect.arrayContaining([expect.objectContaining({ key: "auto-submitted", value: "auto-generated" })]),
  });
  for (const part of [mail?.text, mail?.html]) {
    expect(part).toContain(url);
    expect(part).toContain("once, for 15 minutes");
  }
  const events = await setup.db.run(
    `SELECT actor->>'type' AS actor, after->>'by' AS by FROM audit_event
     WHERE kind = 'user.sign_in_link_created' AND target_id = $1`,
    [userId],
  );
  expect([...events]).toEqual([{ actor: "system", by: "email" }]);
});

test("a new address gets the mail, and no event", async () => {
  received = [];
  await runMail(await requestLink("new@example.org"));
  expect(received.map(({ to }) => to)).toEqual(["new@example.org"]);
  const events = await setup.db.run(
    "SELECT 1 FROM audit_event e WHERE e::text LIKE '%new@example.org%' OR request_id = 'job'",
  );
  expect([...events]).toEqual([]);
});

test("a mail that the server refuses is neither recorded nor lost, and the error names no address", async () => {
  received = [];
  refuses = true;
  const id = await requestLink("later@example.org");
  const failure = await runMail(id).then(
    () => "",
    (error: Error) => error.message,
  );
  expect(failure).toMatch(/^The mail server did not take the mail/);
  expect(failure).not.toContain("later@");
  expect(await isMailed(id)).toBe(false);
  refuses = false;
  await runMail(id);
  expect(await isMailed(id)).toBe(true);
  expect(received).toHaveLength(1);
});

test("an address that was never proven gets no mail, nor does a link that is used or expired", async () => {
  received = [];
  const used = await requestLink("used@example.org");
  await redeemEmailSignIn(setup.db, setup.instance.config, tokenOf(used), "req-test");
  const past = await requestLink("past@example.org");
  await setup.db.run("UPDATE email_sign_in SET expires_at = now() WHERE id = $1", [past]);
  for (const id of [await requestLink(await unproven()), used, past]) {
    await runMail(id);
    expect(await isMailed(id)).toBe(false);
  }
  expect(received).toEqual([]);
});

test("the row holds no token", async () => {
  const id = await requestLink("row@example.org");
  const token = tokenOf(id);
  const rows = await setup.db.run("SELECT 1 FROM email_sign_in e WHERE e::text LIKE $1", [`%${token}%`]);
  expect([...rows]).toEqual([]);
  expect(await describeEmailSignIn(setup.instance, token)).toEqual({
    email: "row@example.org",
    username: null,
    next: null,
  });
});
