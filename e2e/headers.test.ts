// The headers of every class of answer, by the table in docs/reference/security.md §1, independently of the code that
// sends them.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { send } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { hung } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";
import { sources, types } from "./harness/samples.ts";
import { createArtifact, createPerson, createProject, signIn, type Person } from "./harness/people.ts";
import { policyOf } from "./harness/policy.ts";

let instance: Instance;
let person: Person;
let projectSlug: string;
beforeAll(async () => {
  instance = await sharedInstance();
  person = await createPerson(instance);
  projectSlug = (await createProject(person)).slug;
}, hung);
afterAll(() => instance.stop(), hung);

test("an app page: its own scripts by nonce or hash, only content frames, cannot be framed", async () => {
  const { url } = await createArtifact(person, projectSlug);
  for (const address of [instance.origin, `${instance.origin}/${person.username}/${projectSlug}`, url]) {
    const answer = await send(address, { headers: { accept: "text/html" } });
    expect([address, answer.status]).toEqual([address, 200]);
    const policy = policyOf(answer);
    expect(policy).toMatchObject({
      "default-src": ["'none'"],
      "frame-src": [`${instance.origin}/_content/`],
      "frame-ancestors": ["'none'"],
    });
    const scripts = policy["script-src"] ?? [];
    expect(scripts.filter((source) => /^'(?:nonce|sha256)-/.test(source))).toHaveLength(1);
    for (const loose of ["'unsafe-inline'", "'unsafe-eval'", "*", "https:", "http:", "data:", "blob:"])
      expect(scripts).not.toContain(loose);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-content-type-options": "nosniff",
    });
  }
});

test("the settings of an artifact: as any app page, not cached", async () => {
  const { url } = await createArtifact(person, projectSlug);
  const token = await signIn(instance, person.userId);
  for (const part of ["", "/access", "/links", "/views", "/activity"]) {
    const answer = await send(`${url}/settings${part}`, { token, headers: { accept: "text/html" } });
    expect([part, answer.status, answer.headers.get("cache-control")]).toEqual([part, 200, "private, no-store"]);
    expect(policyOf(answer)).toMatchObject({ "default-src": ["'none'"], "frame-ancestors": ["'none'"] });
    expect(answer.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
  }
});

test("a share link's URL: no referrer, not cached", async () => {
  const answer = await send(`${instance.origin}/share/nothing`, { headers: { accept: "text/html" } });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "private, no-store"]);
  expect(policyOf(answer)).toMatchObject({ "default-src": ["'none'"], "frame-ancestors": ["'none'"] });
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  });
});

const rawType = {
  md: /^text\/markdown; ?charset=utf-8$/i,
  html: /^text\/html; ?charset=utf-8$/i,
  jsx: /^text\/(?:jsx|plain); ?charset=utf-8$/i,
};
for (const type of types) {
  test(`raw content, ${type}: its own type, and nothing in it runs`, async () => {
    const { artifactId } = await createArtifact(person, projectSlug, { type, content: sources[type] });
    const answer = await send(`${instance.origin}/api/artifacts/${artifactId}/content`);
    expect(answer.text).toBe(sources[type]);
    expect(answer.headers.get("content-type")).toMatch(rawType[type]);
    expect(policyOf(answer)).toEqual({ "default-src": ["'none'"], sandbox: [], "frame-ancestors": ["'none'"] });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-artifact-id": artifactId,
      "x-artifact-version": "1",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cache-control": "public, no-cache",
    });
    expect(answer.headers.get("content-disposition")).toMatch(/filename\*=UTF-8''/);
    expect(answer.headers.get("etag")).toBeTruthy();
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
}

test("raw content of a private artifact is for no shared cache", async () => {
  const { artifactId } = await createArtifact(person, projectSlug, {
    access: { publicView: false, publicEdit: false },
  });
  const answer = await send(`${instance.origin}/api/artifacts/${artifactId}/content`, { token: person.token });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
});

test("JSON: revalidated if it has an ETag, otherwise not cached", async () => {
  const { artifactId } = await createArtifact(person, projectSlug);
  const tagged = await send(`${instance.origin}/api/artifacts/${artifactId}`);
  expect([tagged.headers.get("cache-control"), tagged.headers.get("etag") === null]).toEqual([
    "private, no-cache",
    false,
  ]);
  const again = await send(`${instance.origin}/api/artifacts/${artifactId}`, {
    headers: { "if-none-match": tagged.headers.get("etag") ?? "" },
  });
  expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tagged.headers.get("etag")]);
  for (const path of ["/api/profile/me", "/api/nothing-here"]) {
    const answer = await send(instance.origin + path, { token: person.token });
    expect([path, answer.headers.get("cache-control"), answer.headers.get("etag")]).toEqual([path, "no-store", null]);
  }
  for (const answer of [tagged, await send(`${instance.origin}/api/nothing-here`)]) {
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
});
