import { afterAll, expect, test } from "bun:test";
import * as fc from "fast-check";

import { slugLength, slugPattern, usernameLength } from "@plinth/contract/limits";

import { nextFree } from "./addresses.ts";
import { createSetupWithProject, operatorToken } from "./test/context.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const available = (slug: string) =>
  setup.call("artifact.slugAvailability", { owner: owner.username, projectSlug: project, slug }, { as: owner.token });

test("a suggestion is always a valid slug that is free", async () => {
  const valid = new RegExp(slugPattern);
  await fc.assert(
    fc.asyncProperty(
      fc.string(),
      fc.array(fc.nat(5)),
      fc.constantFrom(slugLength, usernameLength.max),
      async (slug, used, max) => {
        const first = await nextFree(slug, () => Promise.resolve([]), max);
        const taken = [first, ...used.map((number) => `${first}-${number}`)];
        const next = await nextFree(slug, () => Promise.resolve(taken), max);
        for (const suggestion of [first, next]) {
          expect(suggestion).toMatch(valid);
          expect(suggestion.length).toBeLessThanOrEqual(max);
        }
        expect(taken).not.toContain(next);
      },
    ),
  );
});

test("the lowest free number is suggested, and asked for in steps that double", async () => {
  const asked: number[] = [];
  const takenUpTo = (last: number) => (candidates: readonly string[]) => {
    asked.push(candidates.length);
    return Promise.resolve(candidates.filter((text) => Number(/\d+$/.exec(text)?.[0] ?? 1) <= last));
  };
  expect(await nextFree("report", takenUpTo(1))).toBe("report-2");
  expect(asked).toEqual([16]);
  expect(await nextFree("report", takenUpTo(100))).toBe("report-101");
  expect(asked).toEqual([16, 16, 32, 64]);
});

test("a slug is free, taken or invalid; what stands for anything in SQL stands for itself", async () => {
  const { slug } = await setup.publish(owner.token, project);
  expect(await available(slug)).toEqual({ available: false, reason: "taken", suggestion: `${slug}-2` });
  expect(await available("free")).toEqual({ available: true, reason: null, suggestion: null });
  for (const text of ["%", "_", "a_b", "A", "-a", "a--b", "ä", "x".repeat(65), "' OR 1=1 --"]) {
    expect(await available(text)).toMatchObject({ available: false, reason: "invalid" });
  }
  expect((await available("Hello, World!")).suggestion).toBe("hello-world");
});

test("the longest slugs and names are suggested shorter, never too long", async () => {
  const slug = "x".repeat(slugLength);
  await setup.publish(owner.token, project, { slug });
  const { suggestion } = await available(slug);
  expect(suggestion?.length).toBeLessThanOrEqual(slugLength);
  const username = "u".repeat(usernameLength.max);
  await setup.call("operator.createUser", { email: "long@example.org", username }, { as: operatorToken });
  const again = { email: "long2@example.org", username };
  const refusal = await setup.refusal("operator.createUser", again, { as: operatorToken });
  const offered = String(refusal.extra["suggestion"]);
  expect(offered.length).toBeLessThanOrEqual(usernameLength.max);
  await setup.call("operator.createUser", { ...again, username: offered }, { as: operatorToken });
});

test("reserved names are refused; an email address is one person's, however it is written", async () => {
  const manner = { as: operatorToken };
  const reserved = await setup.refusal("operator.createUser", { email: "r@example.org", username: "api" }, manner);
  expect(reserved.extra.errors?.[0]?.path).toBe("username");
  const same = { email: `${owner.username}@EXAMPLE.org`, username: setup.name("user") };
  expect((await setup.refusal("operator.createUser", same, manner)).code).toBe("email_conflict");
});

test("a preview is the address an artifact would get", async () => {
  const at = (slug: string) =>
    setup.call("artifact.urlPreview", { owner: owner.username, projectSlug: project, slug }, { as: owner.token });
  const base = `${setup.instance.config.publicUrl}/${owner.username}/${project}`;
  expect(await at("nice")).toEqual({ url: `${base}/nice`, slug: "nice", available: true });
  expect(await at("Nice One")).toMatchObject({ url: `${base}/nice-one`, slug: "nice-one" });
});

test("a project's slug is free, taken in its own workspace or invalid", async () => {
  const other = await setup.person();
  const answer = (slug: string, { username, token } = owner) =>
    setup.call("project.slugAvailability", { owner: username, slug }, { as: token });
  expect(await answer(project)).toEqual({ available: false, reason: "taken", suggestion: `${project}-2` });
  expect(await answer(project, other)).toEqual({ available: true, reason: null, suggestion: null });
  expect(await answer(`${project}-2`)).toEqual({ available: true, reason: null, suggestion: null });
  expect(await answer("Not a slug")).toMatchObject({ available: false, reason: "invalid" });
});
