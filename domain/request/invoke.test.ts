// The order of checks (docs/reference/contract.md §2): of everything wrong with a call, the first in that order is
// said.
import { afterAll, describe, expect, test } from "bun:test";

import { toProblem, type AppError } from "@plinth/contract/errors";
import { newId } from "@plinth/db/columns";

import type { Call } from "../access/call.ts";
import { createInstance } from "../instance.ts";
import { invoke } from "./invoke.ts";
import { answerOf } from "./outcome.ts";
import { createSetupWithProject, operatorToken } from "../test/context.ts";
import { mintToken } from "../tokens/token.ts";

const { setup, owner, project } = await createSetupWithProject();
const stranger = await setup.person();
const hidden = (await setup.publish(owner.token, project, { access: { publicView: false, publicEdit: false } }))
  .artifactId;
const shown = (await setup.publish(owner.token, project)).artifactId;
afterAll(() => setup.close());

const asProblem = (error: AppError) => JSON.stringify(toProblem(error, "r", ""));

describe("credential, rate, shape, scope, visibility, permission", () => {
  test("a credential comes before everything", async () => {
    for (const as of [undefined, mintToken("apiKey"), operatorToken]) {
      const manner = as === undefined ? {} : { as };
      const refusal = await setup.refusal("version.create", { artifactId: hidden, nonsense: 1 }, manner);
      expect(refusal.code).toBe("unauthenticated");
    }
  });

  test("a browser session is the person until it ends, and anonymous after that", async () => {
    const as = await setup.session(owner.userId);
    expect(await setup.call("artifact.get", { artifactId: hidden }, { as })).toMatchObject({ artifactId: hidden });
    expect(await setup.call("profile.get", {}, { as })).toMatchObject({ credential: { type: "session" } });
    await setup.db.run("UPDATE session SET expires_at = now()");
    expect((await setup.refusal("profile.get", {}, { as })).code).toBe("unauthenticated");
    expect((await setup.refusal("artifact.get", { artifactId: hidden }, { as })).code).toBe("not_found");
  });

  test("the operator's token is refused outside the operator's routes, even where no credential is needed", async () => {
    expect((await setup.refusal("artifact.get", { artifactId: shown }, { as: operatorToken })).code).toBe(
      "unauthenticated",
    );
  });

  test("the operator's routes answer all other callers as missing, with any input", async () => {
    const missing = await setup.refusal("artifact.get", { artifactId: newId("art") });
    for (const as of [undefined, owner.token, mintToken("apiKey"), mintToken("operator")]) {
      const manner = as === undefined ? {} : { as };
      expect(asProblem(await setup.refusal("operator.stats", { nonsense: 1 }, manner))).toBe(asProblem(missing));
    }
  });

  test("a revoked key and an expired one are refused where no credential is needed, too", async () => {
    const revoked = await setup.key(owner.userId);
    await setup.db.run("UPDATE credential SET revoked_at = now() WHERE last_four = $1", [revoked.slice(-4)]);
    expect((await setup.refusal("artifact.get", { artifactId: shown }, { as: revoked })).code).toBe("unauthenticated");
    const expired = await setup.key(owner.userId);
    await setup.db.run("UPDATE credential SET expires_at = now() WHERE last_four = $1", [expired.slice(-4)]);
    expect((await setup.refusal("artifact.get", { artifactId: shown }, { as: expired })).code).toBe("token_expired");
  });

  test("the rate comes before the shape", async () => {
    const config = { ...setup.instance.config, rateLimits: { reads: 1, writes: 1 } };
    const slow = createInstance({ config, db: setup.db, queue: setup.instance.queue });
    const call: Call = { credential: { kind: "none" }, surface: "api", requestId: "r", address: "192.0.2.9" };
    const ask = (input: object, from = call) =>
      invoke(slow, from, "artifact.list", { input: { ...input }, errors: [] })
        .then(answerOf)
        .then(
          () => "done",
          (error: AppError) => error.code,
        );
    expect(await ask({})).toBe("done");
    expect(await ask({ nonsense: 1 })).toBe("rate_limited");
    expect(await ask({ nonsense: 1 }, { ...call, address: "192.0.2.10" })).toBe("invalid_request");
  });

  test("the shape comes before the scope, and the scope before the resource", async () => {
    const reader = await setup.key(owner.userId, ["artifacts:read"]);
    const manner = { as: reader };
    expect((await setup.refusal("version.create", { artifactId: newId("art") }, manner)).code).toBe("invalid_request");
    const lacking = await setup.refusal("version.create", { artifactId: newId("art"), content: "" }, manner);
    expect(lacking.code).toBe("insufficient_scope");
    expect(lacking.extra["requiredScope"]).toBe("artifacts:update");
  });

  test("edits need the scope to read as well", async () => {
    const updater = await setup.key(owner.userId, ["artifacts:update"]);
    const edits = [{ oldText: "a", newText: "b" }];
    const refusal = await setup.refusal("version.edit", { artifactId: shown, edits }, { as: updater });
    expect(refusal.extra["requiredScope"]).toBe("artifacts:read");
  });

  test("what is too large is said before a missing scope", async () => {
    const reader = await setup.key(owner.userId, ["artifacts:read"]);
    const content = "x".repeat(setup.instance.config.maxContentBytes + 1);
    const refusal = await setup.refusal("version.create", { artifactId: hidden, content }, { as: reader });
    expect(refusal.code).toBe("content_too_large");
    expect(refusal.extra["limitBytes"]).toBe(setup.instance.config.maxContentBytes);
  });

  test("permission is asked only where the resource is seen", async () => {
    const version = (artifactId: string) => ({ artifactId, content: "x" });
    expect((await setup.refusal("version.create", version(hidden), { as: stranger.token })).code).toBe("not_found");
    expect((await setup.refusal("version.create", version(shown), { as: stranger.token })).code).toBe("forbidden");
  });

  test("without permission nothing is compiled, replayed or compared", async () => {
    const jsx = await setup.publish(owner.token, project, { type: "jsx", content: "export default () => null" });
    const input = { artifactId: jsx.artifactId, content: "<", expectedLatestVersion: 9 };
    expect((await setup.refusal("version.create", input, { as: stranger.token })).code).toBe("forbidden");
    expect((await setup.refusal("version.create", input, { as: owner.token })).code).toBe("invalid_source");
    const compiles = { ...input, content: "export default () => 1" };
    expect((await setup.refusal("version.create", compiles, { as: owner.token })).code).toBe("version_conflict");
  });

  test("the plan comes before the conflict", async () => {
    const free = await setup.person({ plan: "free" });
    const { slug } = await setup.project(free.token);
    const taken = await setup.publish(free.token, slug);
    const wanted = { slug: taken.slug, access: { publicView: false, publicEdit: false } };
    const refused = await setup.publish(free.token, slug, wanted).catch((error: AppError) => error);
    expect(refused).toMatchObject({ code: "plan_required", extra: { requiredPlan: "pro" } });
  });
});

describe("hidden and missing are the same to the byte", () => {
  test("for every operation that names an artifact", async () => {
    const inputs = (artifactId: string) =>
      [
        ["artifact.get", { artifactId }],
        ["artifact.ticket", { artifactId }],
        ["artifact.patch", { artifactId, title: "x" }],
        ["artifact.delete", { artifactId }],
        ["artifact.undelete", { artifactId }],
        ["version.create", { artifactId, content: "x" }],
        ["version.edit", { artifactId, edits: [{ oldText: "a", newText: "b" }] }],
        ["version.list", { artifactId }],
        ["version.content", { artifactId }],
        ["version.content", { artifactId, version: 7 }],
        ["version.diff", { artifactId, from: 1, to: 1 }],
        ["version.restore", { artifactId, versionNumber: 1 }],
      ] as const;
    const missing = inputs(newId("art"));
    for (const [index, [name, input]] of inputs(hidden).entries()) {
      const other = missing[index]?.[1] ?? {};
      const [one, two] = [
        await setup.refusal(name, input, { as: stranger.token }),
        await setup.refusal(name, other, { as: stranger.token }),
      ];
      expect(asProblem(one)).toBe(asProblem(two));
    }
  });

  test("by path, and of slugs and projects", async () => {
    const privately = await setup.project(owner.token);
    const { slug } = await setup.call("artifact.get", { artifactId: hidden }, { as: owner.token });
    const at = (projectSlug: string, name = slug) => ({ owner: owner.username, projectSlug, slug: name });
    const manner = { as: stranger.token };
    const asked = [
      await setup.refusal("artifact.getByPath", at(project), manner),
      await setup.refusal("artifact.getByPath", at(project, "missing"), manner),
      await setup.refusal("artifact.getByPath", at("missing"), manner),
      await setup.refusal("artifact.slugAvailability", at(project), manner),
      await setup.refusal("artifact.slugAvailability", at(project, "missing"), manner),
      await setup.refusal("artifact.urlPreview", at(project)),
      await setup.refusal("project.slugAvailability", { owner: owner.username, slug: project }, manner),
      await setup.refusal("project.getByPath", { owner: owner.username, projectSlug: privately.slug }, manner),
      await setup.refusal("project.getByPath", { owner: "nobody", projectSlug: "missing" }, manner),
      await setup.refusal("project.update", { projectId: privately.projectId, title: "x" }, manner),
      await setup.refusal("project.update", { projectId: newId("prj"), title: "x" }, manner),
    ];
    expect(new Set(asked.map(asProblem)).size).toBe(1);
  });

  test("publishing where one sees nothing", async () => {
    const privately = await setup.project(owner.token);
    const refused = (ownerUsername: string, projectSlug: string) =>
      setup.publish(stranger.token, projectSlug, { ownerUsername }).then(
        () => "done",
        (error: AppError) => asProblem(error),
      );
    expect(await refused(owner.username, privately.slug)).toBe(await refused("nobody", "missing"));
    expect(JSON.parse(await refused(owner.username, project))).toMatchObject({ code: "forbidden" });
  });

  test("a malformed identifier is only not found", async () => {
    for (const artifactId of ["", "x", "art_", `art_${"z".repeat(26)}`, hidden.toUpperCase(), `${hidden} `]) {
      expect((await setup.refusal("artifact.get", { artifactId }, { as: owner.token })).code).toBe("not_found");
    }
  });
});

describe("a key held to a workspace", () => {
  test("counts there, is the inferred owner, and has no rights elsewhere", async () => {
    const team = await setup.team({ [owner.userId]: "admin" });
    const held = await setup.key(owner.userId, undefined, team.workspaceId);
    const inTeam = await setup.project(held);
    expect(inTeam.ownerUsername).toBe(team.slug);
    const made = await setup.publish(held, inTeam.slug);
    expect(made.workspaceId).toBe(team.workspaceId);
    expect((await setup.refusal("artifact.get", { artifactId: hidden }, { as: held })).code).toBe("not_found");
    const open = await setup.publish(owner.token, project, { access: { publicView: true, publicEdit: true } });
    const edit = { artifactId: open.artifactId, content: "x" };
    expect((await setup.refusal("version.create", edit, { as: held })).code).toBe("forbidden");
    expect((await setup.call("version.create", edit, { as: stranger.token })).versionNumber).toBe(2);
  });

  test("follows its creator's role at that moment", async () => {
    const team = await setup.team({ [owner.userId]: "member" });
    const held = await setup.key(owner.userId, undefined, team.workspaceId);
    const { slug } = await setup.project(held);
    await setup.db.run("UPDATE membership SET role = 'viewer' WHERE role = 'member'");
    const refused = await setup.publish(held, slug).catch((error: AppError) => error);
    expect(refused).toMatchObject({ code: "forbidden" });
  });
});

test("nothing is asked of the database for a bad credential, nor whether the process lives", async () => {
  const before = setup.db.statements.total;
  const call: Call = { credential: { kind: "bad" }, surface: "api", requestId: "r", address: "" };
  const refused = await invoke(setup.instance, call, "artifact.get", {
    input: { artifactId: shown },
    errors: [],
  });
  expect(refused).toMatchObject({ caller: null, error: { code: "unauthenticated" } });
  expect(await setup.call("health", { live: "" })).toMatchObject({ status: "pass" });
  expect(setup.db.statements.total).toBe(before);
});
