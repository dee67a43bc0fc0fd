// Idempotency keys and dry runs: once and no more, or nothing at all.
import { afterAll, describe, expect, test } from "bun:test";

import type { AppError } from "@plinth/contract/errors";
import { scopes } from "@plinth/contract/scopes";

import { createSetupWithProject, operatorToken, type Manner, type Setup } from "../test/context.ts";
import { closeThreads, placesLoad } from "../threads/pool.ts";
import { occupy } from "../threads/test/work.ts";
import { tokenHash } from "../tokens/token.ts";

const { setup, owner, project } = await createSetupWithProject();
afterAll(() => setup.close());

const wanted = (slug: string, content = "x") => ({
  projectSlug: project,
  slug,
  type: "md" as const,
  title: "T",
  content,
  access: { publicView: true, publicEdit: false },
});

describe("an Idempotency-Key", () => {
  test("of twenty requests at once, one is done and all get its answer", async () => {
    const before = await setup.count("version");
    const manner = { as: owner.token, idempotencyKey: "at-once" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => setup.answer("artifact.create", wanted("at-once"), manner)),
    );
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.value))).size).toBe(1);
    expect(answers.every((answer) => answer.status === 201)).toBe(true);
    expect(await setup.count("version")).toBe(before + 1);
  });

  test("is another's with another key, and a conflict with another body or operation", async () => {
    const manner = { as: owner.token, idempotencyKey: "taken" };
    await setup.call("artifact.create", wanted("idem-1"), manner);
    expect((await setup.refusal("artifact.create", wanted("idem-2"), manner)).code).toBe("idempotency_conflict");
    const other = { slug: "idem-1", title: "T", icon: "x" };
    expect((await setup.refusal("project.create", other, manner)).code).toBe("idempotency_conflict");
    const second = { ...manner, as: await setup.key(owner.userId) };
    expect((await setup.answer("artifact.create", wanted("idem-3"), second)).replayed).toBe(false);
  });

  test("keeps nothing of a request that failed, which may then succeed", async () => {
    const manner = { as: owner.token, idempotencyKey: "later" };
    const first = await setup.publish(owner.token, project, { slug: "later" });
    expect((await setup.refusal("artifact.create", wanted("later"), manner)).code).toBe("slug_conflict");
    await setup.call("artifact.delete", { artifactId: first.artifactId }, { as: owner.token });
    const answer = await setup.answer("artifact.create", wanted("later"), manner);
    expect(answer.replayed).toBe(false);
    expect((await setup.answer("artifact.create", wanted("later"), manner)).replayed).toBe(true);
  });

  test("says what is in conflict, though the transaction is broken by it", async () => {
    const manner = { as: operatorToken, idempotencyKey: "name" };
    const input = { email: "somebody@example.org", username: owner.username };
    const refusal = await setup.refusal("operator.createUser", input, manner);
    expect(refusal.code).toBe("slug_conflict");
    expect(refusal.extra["suggestion"]).toBe(`${owner.username}-2`);
  });

  test("is free again after a day", async () => {
    const manner = { as: owner.token, idempotencyKey: "old" };
    await setup.call("artifact.create", wanted("old-1"), manner);
    await setup.db.run("UPDATE idempotency SET created_at = now() - interval '25 hours' WHERE key = $1", ["old"]);
    expect((await setup.answer("artifact.create", wanted("old-2"), manner)).replayed).toBe(false);
  });

  test("never keeps what is shown once", async () => {
    const manner = { as: operatorToken, idempotencyKey: "secret" };
    const input = { userId: owner.userId, name: "k", scopes: ["artifacts:read" as const] };
    const first = await setup.call("operator.createApiKey", input, manner);
    const again = (await setup.answer("operator.createApiKey", input, manner)).value as Record<string, unknown>;
    expect(first.key).toStartWith("plk_");
    expect(again).not.toHaveProperty("key");
    expect(again["hint"]).toContain("revoke");
    expect(again["apiKeyId"]).toBe(first.apiKeyId);
    const [kept] = await setup.db.run<{ rows: number }>(
      "SELECT count(*)::int AS rows FROM idempotency WHERE answer LIKE '%plk_' || $1 || '%'",
      [first.key?.slice(4)],
    );
    expect(kept?.rows).toBe(0);
  });

  test("holders of one share link: each has separate keys, and a retry by the same holder is replayed", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    const link = await setup.call("shareLink.create", { artifactId, role: "editor" }, { as: owner.token });
    const [ada, bob] = [await setup.person(), await setup.person()];
    const bySession = await setup.session(bob.userId);
    const holders: Manner[] = [
      { address: "192.0.2.1" },
      { address: "192.0.2.2" },
      // Two keys of one person, as without the link.
      { as: ada.token },
      { as: await setup.key(ada.userId) },
      { as: bySession, address: "192.0.2.1" },
      // Two addresses of one network of IPv6 are one holder, so this one comes last.
      { address: "2001:db8::1" },
    ];
    await setup.call(
      "access.update",
      { artifactId, publicView: false, publicEdit: false, viewerEmails: [] },
      { as: await setup.session(owner.userId) },
    );
    const share = { hash: tokenHash(link.token ?? "") };
    const write = (manner: Manner, content: string) =>
      setup.answer("version.create", { artifactId, content }, { ...manner, share, idempotencyKey: "1" });
    for (const [n, holder] of holders.entries()) {
      expect(await write(holder, `by ${n}`)).toMatchObject({ replayed: false, value: { versionNumber: n + 2 } });
      expect(await write(holder, `by ${n}`)).toMatchObject({ replayed: true, value: { versionNumber: n + 2 } });
      expect(await write(holder, "other").catch((error: AppError) => error.code)).toBe("idempotency_conflict");
    }
    expect((await write({ address: "2001:db8::2" }, "by 5")).replayed).toBe(true);
    const kept = await setup.db.run<{ principal: string }>("SELECT principal FROM idempotency WHERE key = '1'");
    expect(kept).toHaveLength(holders.length);
    expect(kept.filter(({ principal }) => /192\.0\.2|2001/.test(principal))).toEqual([]);
  });

  test("is nothing to an operation that is no POST", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    const manner = { as: owner.token, idempotencyKey: "get" };
    await setup.call("artifact.get", { artifactId }, manner);
    expect((await setup.answer("artifact.get", { artifactId }, manner)).replayed).toBe(false);
  });
});

test("requests that wait for a compiler hold no connection, though they have keys or are dry runs", async () => {
  const jsx = {
    type: "jsx" as const,
    content: "export default () => 1",
    access: { publicView: true, publicEdit: true },
  };
  const { artifactId } = await setup.publish(owner.token, project, jsx);
  const stranger = await setup.person();
  const keysOf = (userId: string) => {
    const fields = { userId, name: "key", scopes: [...scopes] };
    const creating = [1, 2].map(() => setup.call("operator.createApiKey", fields, { as: operatorToken }));
    return Promise.all(creating);
  };
  // The accounts' places at the compilers are taken, so more requests come to wait than the pool has connections.
  const release = await occupy(owner.workspaceId, stranger.workspaceId);
  let answered = 0;
  const waitWith = (keys: readonly { key?: string }[]) =>
    keys.flatMap(({ key = "" }) =>
      Array.from({ length: 8 }, async (_, n) => {
        const manner = n < 4 ? { as: key, idempotencyKey: `held-${n}` } : { as: key, dryRun: true };
        await setup.call("version.create", { artifactId, content: "export default () => 2" }, manner);
        answered++;
      }),
    );
  const held = waitWith([...(await keysOf(owner.userId)), ...(await keysOf(stranger.userId))]);
  while (placesLoad().waiting < held.length) await Bun.sleep(5);
  const open = await setup.db.run(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`,
  );
  expect([open, answered]).toEqual([[], 0]);
  expect(await setup.call("artifact.get", { artifactId }, { as: owner.token })).toMatchObject({ artifactId });
  await release();
  await Promise.all(held);
  await closeThreads();
}, 60_000);

describe("a dry run", () => {
  const tables = ["artifact", "version", "content", "audit_event", "outbox", "idempotency", "rendering"] as const;
  const counts = () => Promise.all(tables.map((table) => setup.count(table)));

  test("of every kind says what would be, and leaves nothing", async () => {
    const { artifactId, slug } = await setup.publish(owner.token, project, {
      type: "jsx",
      content: "export default () => 1",
    });
    const gone = await setup.publish(owner.token, project);
    await setup.call("artifact.delete", { artifactId: gone.artifactId }, { as: owner.token });
    const before = await counts();
    const manner = { as: owner.token, dryRun: true, idempotencyKey: "dry" };
    const run = async (name: Parameters<Setup["answer"]>[0], input: object) => {
      const answer = await setup.answer(name, input, manner);
      expect(answer).toMatchObject({ status: 200, replayed: false, value: { dryRun: true } });
      return answer.value;
    };
    await run("artifact.create", { ...wanted("dry"), type: "jsx", content: "export default () => 2" });
    expect(await run("version.create", { artifactId, content: "export default () => 3" })).toMatchObject({
      versionNumber: 2,
    });
    await run("version.edit", { artifactId, edits: [{ oldText: "1", newText: "4" }] });
    await run("version.restore", { artifactId, versionNumber: 1 });
    expect(await run("artifact.patch", { artifactId, title: "Other" })).toMatchObject({ title: "Other" });
    await run("artifact.delete", { artifactId });
    await run("artifact.undelete", { artifactId: gone.artifactId });
    expect(await counts()).toEqual(before);
    const now = await setup.call("artifact.get", { artifactId }, { as: owner.token });
    expect(now).toMatchObject({ slug, title: "T", latestVersion: 1 });
  });

  test("is refused like the real thing", async () => {
    const [one, two] = [await setup.publish(owner.token, project), await setup.publish(owner.token, project)];
    const manner = { as: owner.token, dryRun: true };
    const patch = await setup.refusal("artifact.patch", { artifactId: one.artifactId, slug: two.slug }, manner);
    expect(patch).toMatchObject({ code: "slug_conflict", extra: { artifactId: two.artifactId } });
    const create = await setup.refusal("artifact.create", wanted(one.slug), manner);
    expect(create).toMatchObject({ code: "slug_conflict", extra: { suggestion: `${one.slug}-2` } });
    await setup.call("artifact.delete", { artifactId: one.artifactId }, { as: owner.token });
    await setup.publish(owner.token, project, { slug: one.slug });
    const undelete = await setup.refusal("artifact.undelete", { artifactId: one.artifactId }, manner);
    expect(undelete.code).toBe("slug_conflict");
  });

  test("needs no connection beside its own, however many run at once", async () => {
    const { artifactId } = await setup.publish(owner.token, project);
    const other = await setup.project(owner.token);
    const moves = Array.from({ length: 40 }, () =>
      setup
        .answer("artifact.patch", { artifactId, projectSlug: other.slug }, { as: owner.token, dryRun: true })
        .then(({ status }) => status)
        .catch((error: AppError) => error.code),
    );
    expect(new Set(await Promise.all(moves))).toEqual(new Set([200]));
  }, 20_000);
});
