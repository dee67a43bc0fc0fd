// Explanations of access: they match the decision, and disclose nothing about strangers.
import { afterAll, expect, test } from "bun:test";

import type { Access, AccessExplanation } from "@plinth/contract/schemas/artifact";
import { uuidOf } from "@plinth/db/columns";

import { createSetupWithProject, type TestPerson } from "../test/context.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const closed = { publicView: false, publicEdit: false };
const emailOf = ({ username }: TestPerson): string => `${username}@example.org`;

const publish = async (access: Partial<Access> = closed): Promise<string> =>
  (await setup.publish(owner.token, project, { access: { ...closed, ...access } })).artifactId;

const explain = (artifactId: string, email: string, as = owner.token): Promise<AccessExplanation> =>
  setup.call("access.explain", { artifactId, email }, { as });

const addLink = (artifactId: string, ends: "never" | "expired" | "revoked") =>
  setup.db.run(
    `INSERT INTO share_link (share_link_id, artifact_id, hash, role, created_by, expires_at, revoked_at)
     VALUES (gen_random_uuid(), $1, sha256(gen_random_uuid()::text::bytea), 'viewer', '{}',
       CASE WHEN $2 = 'expired' THEN now() - interval '1 second' END, CASE WHEN $2 = 'revoked' THEN now() END)`,
    [uuidOf("art", artifactId), ends],
  );

const notVerified = (userId: string) =>
  setup.db.run(`UPDATE "user" SET email_verified = false WHERE user_id = $1`, [uuidOf("usr", userId)]);

test("by role", async () => {
  const roles = ["admin", "member", "viewer", "billing_admin"] as const;
  const people = await Promise.all(roles.map(() => setup.person()));
  const team = await setup.team(Object.fromEntries(roles.map((role, n) => [people[n]?.userId, role])));
  const admin = people[0]?.token ?? "";
  const { slug } = await setup.project(admin, team.slug);
  const { artifactId } = await setup.publish(admin, slug, { ownerUsername: team.slug, access: closed });
  const named = ["an admin", "a member", "a viewer", "a billing admin"];
  for (const [n, person] of people.entries()) {
    const email = emailOf(person).toUpperCase();
    expect(await explain(artifactId, email, admin)).toEqual({
      email: emailOf(person),
      canView: true,
      canEdit: n < 2,
      because: [{ rule: "role", detail: `They are ${named[n]} of ${team.slug}` }],
    });
  }
  expect(
    (await setup.refusal("access.explain", { artifactId, email: "a@x.org" }, { as: people[2]?.token ?? "" })).code,
  ).toBe("forbidden");
});

test("the owner in their workspace", async () => {
  expect(await explain(await publish(), emailOf(owner))).toMatchObject({
    canView: true,
    canEdit: true,
    because: [{ rule: "role", detail: "It is in their own workspace" }],
  });
});

test("by the allowlist, with an account and without one, in the same words", async () => {
  const guest = await setup.person();
  const artifactId = await publish({ viewerEmails: [emailOf(guest), "nobody@example.org"] });
  const because = [{ rule: "allowlist", detail: "Their address is on the allowlist; they sign in with it verified" }];
  for (const email of [emailOf(guest), "Nobody@Example.org"])
    expect(await explain(artifactId, email)).toEqual({
      email: email.toLowerCase(),
      canView: true,
      canEdit: false,
      because,
    });
});

test("an account whose address is not verified is not let in by the allowlist", async () => {
  const guest = await setup.person();
  const artifactId = await publish({ viewerEmails: [emailOf(guest)] });
  await notVerified(guest.userId);
  expect(await explain(artifactId, emailOf(guest))).toMatchObject({
    canView: false,
    canEdit: false,
    because: [{ rule: "unverified_email", detail: expect.stringContaining("not verified") }],
  });
  expect((await setup.refusal("artifact.get", { artifactId }, { as: guest.token })).code).toBe("not_found");
});

test("what is public, for everyone", async () => {
  const seen = await publish({ publicView: true });
  const edited = await publish({ publicView: true, publicEdit: true });
  const stranger = await setup.person();
  for (const email of [emailOf(stranger), "nobody-yet@example.org"]) {
    const view = { rule: "public_view", detail: "Anyone with the URL can see it" };
    expect(await explain(seen, email)).toEqual({ email, canView: true, canEdit: false, because: [view] });
    expect(await explain(edited, email)).toEqual({
      email,
      canView: true,
      canEdit: true,
      because: [view, { rule: "public_edit", detail: "Anyone who is signed in can edit it" }],
    });
  }
});

test("every rule that holds is named", async () => {
  const artifactId = await publish({ publicView: true, viewerEmails: [emailOf(owner)] });
  const { because } = await explain(artifactId, emailOf(owner));
  expect(because.map(({ rule }) => rule)).toEqual(["role", "public_view", "allowlist"]);
});

test("why nothing lets them in, and how many links would", async () => {
  const artifactId = await publish({ viewerEmails: ["someone@example.org"] });
  const said = async () => (await explain(artifactId, "nobody@example.org")).because;
  const not = `They are neither a member of ${owner.username} nor on the allowlist, and it is private`;
  expect(await said()).toEqual([{ rule: "not_listed", detail: `${not}; no share link is open` }]);
  await addLink(artifactId, "expired");
  await addLink(artifactId, "revoked");
  expect(await said()).toEqual([{ rule: "not_listed", detail: `${not}; no share link is open` }]);
  await addLink(artifactId, "never");
  expect(await said()).toEqual([
    { rule: "not_listed", detail: `${not}; 1 share link gives access to anyone who has it` },
  ]);
  await addLink(artifactId, "never");
  expect(await said()).toEqual([
    { rule: "not_listed", detail: `${not}; 2 share links give access to anyone who has one of them` },
  ]);
});

test("does not disclose whether a stranger has an account, in any state of the account", async () => {
  const stranger = await setup.person();
  const unverified = await setup.person();
  await notVerified(unverified.userId);
  const elsewhere = await setup.person();
  await setup.team({ [elsewhere.userId]: "admin" });
  const former = await setup.person();
  const team = await setup.team({ [owner.userId]: "admin", [former.userId]: "member" });
  const { slug } = await setup.project(owner.token, team.slug);
  const there = await setup.publish(owner.token, slug, { ownerUsername: team.slug, access: closed });
  await setup.db.run("DELETE FROM membership WHERE user_id = $1 AND workspace_id = $2", [
    uuidOf("usr", former.userId),
    uuidOf("wsp", team.workspaceId),
  ]);
  const artifactIds = [
    there.artifactId,
    await publish(),
    await publish({ viewerEmails: ["someone@example.org"] }),
    await publish({ publicView: true }),
    await publish({ publicView: true, publicEdit: true }),
  ];
  for (const artifactId of artifactIds) {
    const { email: _, ...nobody } = await explain(artifactId, "nobody@example.org");
    for (const person of [stranger, unverified, elsewhere, former]) {
      const { email, ...answer } = await explain(artifactId, emailOf(person));
      expect(email).toBe(emailOf(person));
      expect(JSON.stringify(answer)).toBe(JSON.stringify(nobody));
    }
  }
});

test("it says what the person is then let do", async () => {
  const guest = await setup.person();
  const member = await setup.person();
  const team = await setup.team({ [owner.userId]: "admin", [member.userId]: "member" });
  const { slug } = await setup.project(owner.token, team.slug);
  const states: Access[] = [
    { ...closed, viewerEmails: [] },
    { ...closed, viewerEmails: [emailOf(guest)] },
    { publicView: true, publicEdit: false, viewerEmails: [] },
    { publicView: true, publicEdit: true, viewerEmails: [] },
  ];
  for (const access of states) {
    const { artifactId } = await setup.publish(owner.token, slug, { ownerUsername: team.slug, access });
    for (const person of [guest, member]) {
      const as = await setup.session(person.userId);
      const done = (name: "artifact.get" | "version.create", input: object) =>
        setup.answer(name, { artifactId, ...input }, { as }).then(
          () => true,
          () => false,
        );
      const { canView, canEdit } = await explain(artifactId, emailOf(person));
      expect([canView, canEdit]).toEqual([
        await done("artifact.get", {}),
        await done("version.create", { content: `# ${person.username}` }),
      ]);
    }
  }
});

test("an address that is none is refused by its field", async () => {
  const artifactId = await publish();
  for (const email of ["", "ada", "a@b\u0000", "\u212Aate@example.org"]) {
    const { code, extra } = await setup.refusal("access.explain", { artifactId, email }, { as: owner.token });
    expect(code).toBe("invalid_request");
    expect(extra["errors"]?.[0]?.path).toBe("email");
  }
});
