import { describe, expect, test } from "bun:test";

import { errorCodes, type ErrorCode } from "@plinth/contract/errors";

import { line, problem } from "../testing/line.ts";

const artifactId = "art_01jd8w3c5t7k9m2n4p6q8r0s1v";

/** The hint and next command after a refusal of this line. */
async function advice(words: string, code: ErrorCode, extra: object = {}, env: Record<string, string> = {}) {
  const answer = () => problem(errorCodes[code].status, code, { ...extra });
  const { error } = await line(words.split(" "), { answer, env });
  return { hint: String(error["hint"]), next: error["next"] };
}

describe("a version conflict", () => {
  const moved = { artifactId, expectedLatestVersion: 3, latestVersion: 5, hint: "The server's" };
  const update = `artifact update --artifact-id ${artifactId} --content x`;

  test("names the flag and the diff to look at", async () => {
    const { hint, next } = await advice(update, "version_conflict", moved);
    expect(hint).toContain("--expected-latest-version 5");
    expect(next).toBe(`plinth artifact diff ${artifactId} --from 3 --to 5`);
  });

  test("has no diff to look at where a later version was expected than there is", async () => {
    expect((await advice(update, "version_conflict", { ...moved, expectedLatestVersion: 9 })).next).toBeNull();
  });

  test("of a server that says little is left as it is said", async () => {
    expect(await advice(update, "version_conflict", { hint: "The server's" })).toEqual({
      hint: "The server's",
      next: null,
    });
  });
});

test("a slug that is taken leads to the artifact that has it, where the server names one", async () => {
  const access = '{"publicView":true,"publicEdit":false}';
  const create = `artifact create --project-slug p --slug s --type md --title t --content x --access ${access}`;
  expect(await advice(create, "slug_conflict", { artifactId, suggestion: "s-2" })).toEqual({
    hint: "Take --slug s-2",
    next: `plinth get ${artifactId}`,
  });
  expect(await advice(create, "slug_conflict")).toEqual({ hint: "Take another --slug", next: null });
});

test("what the plan does not include leads to the browser, since no command reaches billing", async () => {
  const create = "workspace create --slug acme --name Acme";
  const upgradeUrl = "https://plinth.example/settings/billing";
  expect(await advice(create, "plan_required", { hint: "Take a plan that includes them", upgradeUrl })).toEqual({
    hint: `Take a plan that includes them. Plans are changed in a browser: ${upgradeUrl}`,
    next: null,
  });
  expect((await advice(create, "plan_required", { hint: "The server's" })).hint).toBe("The server's");
});

describe("nothing found", () => {
  const get = `artifact get --artifact-id ${artifactId}`;

  test("may be for want of a token", async () => {
    const { hint, next } = await advice(get, "not_found");
    expect(hint).toContain("SERVICE_TOKEN");
    expect(next).toBe("plinth login");
  });

  test("with a token is the name or what the token may see", async () => {
    const given = { SERVICE_TOKEN: "plk_given0123456789" };
    expect((await advice(get, "not_found", {}, given)).hint).toContain("that the token may see it");
  });

  test("with a share token may be its end", async () => {
    const given = { SERVICE_SHARE_TOKEN: "pls_given0123456789" };
    const { hint, next } = await advice(get, "not_found", {}, given);
    expect(hint).toContain("SERVICE_SHARE_TOKEN");
    expect(next).toBe("plinth share resolve");
  });
});

test("without any token the command line's ways of giving one are named, not the header's", async () => {
  const { hint } = await advice("whoami", "unauthenticated", { hint: "Send `authorization: Bearer <token>`" });
  expect(hint).toContain("SERVICE_TOKEN");
  expect(hint).not.toContain("authorization");
});

test("a source that does not compile is pointed at, and checked without publishing", async () => {
  const errors = [{ path: "content", message: "Unexpected token", line: 4, column: 7 }];
  const create = `artifact update --artifact-id ${artifactId} --content x`;
  const { hint } = await advice(create, "invalid_source", { errors });
  expect(hint).toContain("line 4, column 7");
  expect(hint).toContain("--check");
  const body = { errors, hint: "https://plinth.test/docs/jsx lists the modules that JSX can import" };
  expect((await advice(create, "invalid_source", body)).hint).toBe(`${hint}. ${body.hint}`);
});
