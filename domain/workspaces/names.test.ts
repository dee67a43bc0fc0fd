// Usernames: claimed, changed, reserved for their former owners.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { formerNames, usernameLength } from "@plinth/contract/limits";
import { newId, uuidOf } from "@plinth/db/columns";
import { user } from "@plinth/db/schema/accounts";

import { purge } from "../retention/purge.ts";
import { createSetup, operatorToken, type Caller, type Setup } from "../test/context.ts";

let setup: Setup;
beforeAll(async () => {
  setup = await createSetup();
});
afterAll(() => setup.close());

/** A user who has just signed up and has no username. */
async function newcomer(name: string | null = null): Promise<{ userId: string; as: Caller }> {
  const userId = newId("usr");
  await setup.db.orm.insert(user).values({ userId, email: `${userId}@example.org`, emailVerified: true, name });
  return { userId, as: await setup.session(userId) };
}

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "done",
    (error: { code: string }) => error.code,
  );

test("claiming a username makes the personal workspace, and then one publishes in it", async () => {
  const { as, userId } = await newcomer("Ada Lovelace");
  expect(await setup.call("profile.get", {}, { as })).toMatchObject({ username: null, workspaceId: null });
  expect((await setup.call("workspace.list", {}, { as })).workspaces).toEqual([]);
  const profile = await setup.call("profile.update", { username: "ada" }, { as });
  expect(profile).toMatchObject({ userId, username: "ada", name: "Ada Lovelace", plan: "team" });
  const { workspaces } = await setup.call("workspace.list", {}, { as });
  expect(workspaces).toMatchObject([
    { workspaceId: profile.workspaceId, slug: "ada", name: "Ada Lovelace", kind: "personal", role: "admin" },
  ]);
  const { slug } = await setup.project(as);
  expect(await setup.publish(as, slug)).toMatchObject({ ownerUsername: "ada" });
});

test("a taken name is refused with one that is free; a reserved or malformed one before anything is looked up", async () => {
  const { username } = await setup.person();
  const { as } = await newcomer();
  const refusal = await setup.refusal("profile.update", { username }, { as });
  expect(refusal.code).toBe("slug_conflict");
  const suggestion = String(refusal.extra["suggestion"]);
  expect(suggestion).not.toBe(username);
  expect(await setup.call("profile.update", { username: suggestion }, { as })).toMatchObject({ username: suggestion });
  for (const wrong of ["api", "settings", "A", "a", "a--b", "-a", "x".repeat(usernameLength.max + 1)]) {
    const { code, extra } = await setup.refusal("profile.update", { username: wrong }, { as });
    expect({ wrong, code, path: extra.errors?.[0]?.path }).toEqual({
      wrong,
      code: "invalid_request",
      path: "username",
    });
  }
  expect((await setup.refusal("profile.update", {}, { as })).code).toBe("invalid_request");
  const team = await setup.refusal("workspace.create", { slug: "api", name: "Team" }, { as });
  expect(team.extra.errors?.[0]?.path).toBe("slug");
});

test("a dry run claims nothing", async () => {
  const { as } = await newcomer();
  const dry = await setup.answer("profile.update", { username: "rehearsed" }, { as, dryRun: true });
  expect(dry.value).toMatchObject({ username: "rehearsed", dryRun: true });
  expect(await setup.call("profile.get", {}, { as })).toMatchObject({ username: null });
  const taken = await setup.call("profile.update", { username: "rehearsed" }, { as });
  const refused = setup.answer(
    "profile.update",
    { username: "rehearsed" },
    { as: (await newcomer()).as, dryRun: true },
  );
  expect(await outcome(refused)).toBe("slug_conflict");
  expect(taken.username).toBe("rehearsed");
});

test("after a rename everything answers by the new name, and the old address still leads there", async () => {
  const person = await setup.person();
  const as = await setup.session(person.userId);
  const { slug: projectSlug } = await setup.project(as);
  const { artifactId, slug } = await setup.publish(as, projectSlug);
  const hidden = await setup.publish(as, projectSlug, { access: { publicView: false, publicEdit: false } });
  const renamed = await setup.call("profile.update", { username: setup.name("renamed") }, { as });
  const owner = renamed.username ?? "";
  expect(renamed).toMatchObject({ workspaceId: person.workspaceId, credential: { label: owner } });
  const url = `${setup.instance.config.publicUrl}/${owner}/${projectSlug}/${slug}`;
  for (const name of [person.username, owner]) {
    const found = await setup.call("artifact.getByPath", { owner: name, projectSlug, slug });
    expect(found).toMatchObject({ artifactId, ownerUsername: owner, url });
    const project = await setup.call("project.getByPath", { owner: name, projectSlug });
    expect(project).toMatchObject({ ownerUsername: owner });
    const missing = await setup.refusal("artifact.getByPath", { owner: name, projectSlug, slug: hidden.slug });
    expect(missing.code).toBe("not_found");
  }
  expect(await setup.call("artifact.get", { artifactId })).toMatchObject({ ownerUsername: owner });
  expect((await setup.call("artifact.listMine", {}, { as })).artifacts[0]).toMatchObject({ ownerUsername: owner });
  // Publishing by the former name also reaches its former owner.
  expect(await setup.publish(as, projectSlug, { ownerUsername: person.username })).toMatchObject({
    ownerUsername: owner,
  });
});

test("only the former owner can get a former name", async () => {
  const person = await setup.person();
  const as = await setup.session(person.userId);
  await setup.call("profile.update", { username: setup.name("renamed") }, { as });
  const rival = await setup.person();
  const rivals = await setup.session(rival.userId);
  const claims = [
    setup.call("profile.update", { username: person.username }, { as: rivals }),
    setup.call("profile.update", { username: person.username }, { as: (await newcomer()).as }),
    setup.call("workspace.create", { slug: person.username, name: "Team" }, { as: rivals }),
    setup.call("operator.createUser", { email: "thief@example.org", username: person.username }, { as: operatorToken }),
  ];
  expect(await Promise.all(claims.map(outcome))).toEqual(Array.from(claims, () => "slug_conflict"));
  const refusal = await setup.refusal("profile.update", { username: person.username }, { as: rivals });
  expect(String(refusal.extra["suggestion"])).not.toBe(person.username);

  expect(await setup.call("profile.update", { username: person.username }, { as })).toMatchObject({
    username: person.username,
    workspaceId: person.workspaceId,
  });
  await setup.call("profile.update", { username: setup.name("renamed") }, { as });
  await setup.db.run("UPDATE former_name SET since = now() - interval '10 years' WHERE slug = $1", [person.username]);
  await purge(setup.db, "former-names");
  expect((await setup.refusal("profile.update", { username: person.username }, { as: rivals })).code).toBe(
    "slug_conflict",
  );
});

test("a user changes names at most a few times in 90 days and can always return to one of them", async () => {
  const person = await setup.person();
  const as = await setup.session(person.userId);
  for (let change = 0; change < formerNames.max; change++)
    await setup.call("profile.update", { username: setup.name("hoarded") }, { as });
  const refusal = await setup.refusal("profile.update", { username: setup.name("hoarded") }, { as });
  expect(refusal.extra.errors?.[0]?.path).toBe("username");
  expect(await setup.call("profile.update", { username: person.username }, { as })).toMatchObject({
    username: person.username,
  });
  const [kept] = await setup.db.run<{ names: number }>(
    "SELECT count(*)::int AS names FROM former_name WHERE workspace_id = $1",
    [uuidOf("wsp", person.workspaceId)],
  );
  expect(kept?.names).toBe(formerNames.max);
  await setup.db.run("UPDATE former_name SET since = now() - interval '91 days' WHERE workspace_id = $1", [
    uuidOf("wsp", person.workspaceId),
  ]);
  const username = setup.name("hoarded");
  expect(await setup.call("profile.update", { username }, { as })).toMatchObject({ username });
});

test("the personal workspace is called as its owner is", async () => {
  const { as } = await newcomer();
  const nameOf = async () => (await setup.call("workspace.list", {}, { as })).workspaces[0]?.name;
  const first = await setup.call("profile.update", { username: setup.name("user") }, { as });
  expect(await nameOf()).toBe(first.username ?? "");
  const second = await setup.call("profile.update", { username: setup.name("user") }, { as });
  expect(await nameOf()).toBe(second.username ?? "");
  expect(await setup.call("profile.update", { name: "Grace" }, { as })).toMatchObject({ name: "Grace" });
  expect(await nameOf()).toBe("Grace");
});

test("only a person's own hand does this, and none that is held to one workspace", async () => {
  const person = await setup.person();
  expect((await setup.refusal("profile.update", { name: "X" })).code).toBe("unauthenticated");
  expect((await setup.refusal("profile.update", { name: "X" }, { as: person.token })).code).toBe("forbidden");
  const login = await setup.key(person.userId, ["agents:manage"]);
  await setup.db.run("UPDATE credential SET kind = 'login' WHERE user_id = $1 AND scopes = '{agents:manage}'", [
    uuidOf("usr", person.userId),
  ]);
  expect(await setup.call("profile.update", { name: "Y" }, { as: login })).toMatchObject({ name: "Y" });
  await setup.db.run("UPDATE credential SET workspace_id = $2 WHERE user_id = $1 AND kind = 'login'", [
    uuidOf("usr", person.userId),
    uuidOf("wsp", person.workspaceId),
  ]);
  expect((await setup.refusal("profile.update", { name: "Z" }, { as: login })).code).toBe("forbidden");
  expect((await setup.refusal("workspace.create", { slug: "zz", name: "Z" }, { as: login })).code).toBe("forbidden");
});

test("one username claimed by fifty at once is one person's", async () => {
  const people = await Promise.all(Array.from({ length: 50 }, () => newcomer()));
  const outcomes = await Promise.all(
    people.map(({ as }) => outcome(setup.call("profile.update", { username: "wanted" }, { as }))),
  );
  expect(outcomes.filter((result) => result === "done")).toHaveLength(1);
  expect(outcomes.filter((result) => result === "slug_conflict")).toHaveLength(49);
  const [made] = await setup.db.run<{ workspaces: number }>(
    "SELECT count(*)::int AS workspaces FROM workspace WHERE personal_of = ANY(ARRAY(SELECT value::uuid FROM json_array_elements_text($1::text::json)))",
    [JSON.stringify(people.map(({ userId }) => uuidOf("usr", userId)))],
  );
  expect(made?.workspaces).toBe(1);
});

test("a name that changes hands at the very moment is never two people's", async () => {
  for (let round = 0; round < 20; round++) {
    const person = await setup.person();
    const as = await setup.session(person.userId);
    const rivals = await Promise.all(Array.from({ length: 4 }, () => newcomer()));
    const outcomes = await Promise.all([
      outcome(setup.call("profile.update", { username: setup.name("moved") }, { as })),
      ...rivals.map((rival) => outcome(setup.call("profile.update", { username: person.username }, { as: rival.as }))),
    ]);
    expect(outcomes).toEqual(["done", ...rivals.map(() => "slug_conflict")]);
  }
});

test("one person claiming twice at once has one workspace", async () => {
  const { as, userId } = await newcomer();
  const names = [setup.name("twice"), setup.name("twice"), setup.name("twice")];
  await Promise.all(names.map((username) => setup.call("profile.update", { username }, { as })));
  const rows = await setup.db.run<{ slug: string }>("SELECT slug FROM workspace WHERE personal_of = $1", [
    uuidOf("usr", userId),
  ]);
  expect(rows).toHaveLength(1);
  expect(names).toContain(rows[0]?.slug ?? "");
});
