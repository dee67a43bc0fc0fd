// The headers of a document in its frame, by the table in docs/reference/security.md §1, independently of the code that
// sends them.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { send, type Answer } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject, type Person } from "./harness/people.ts";
import { policyOf } from "./harness/policy.ts";
import { hung } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";
import { sources, types } from "./harness/samples.ts";

let instance: Instance;
let person: Person;
let projectSlug: string;
beforeAll(async () => {
  instance = await sharedInstance();
  person = await createPerson(instance);
  projectSlug = (await createProject(person)).slug;
}, hung);
afterAll(() => instance.stop(), hung);

type Type = (typeof types)[number];

const sandbox = {
  md: ["allow-scripts"],
  html: ["allow-scripts", "allow-forms", "allow-modals"],
  jsx: ["allow-scripts", "allow-forms", "allow-modals"],
};

/** The URL that a browser's frame would load. */
async function contentOf(type: Type, publicView: boolean): Promise<Answer> {
  const { artifactId } = await createArtifact(person, projectSlug, {
    type,
    content: sources[type],
    access: { publicView, publicEdit: false },
  });
  const { url } = await person.client.call("artifact.ticket", { artifactId });
  return send(publicView ? `${instance.origin}/_content/p/${artifactId}/1` : url, {
    headers: { "sec-fetch-dest": "iframe" },
  });
}

for (const type of types) {
  for (const publicView of [true, false]) {
    test(`content, ${type}, ${publicView ? "public" : "private"}`, async () => {
      const answer = await contentOf(type, publicView);
      expect(answer.status).toBe(200);
      const {
        "script-src": scripts = [],
        "style-src": _styles,
        "img-src": images,
        "font-src": _fonts,
        ...rest
      } = policyOf(answer);
      expect(rest).toMatchObject({
        sandbox: sandbox[type].toSorted(),
        "default-src": ["'none'"],
        "connect-src": ["'none'"],
        "frame-src": ["'none'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": [instance.origin],
      });
      const runtime = scripts.filter((source) => source.startsWith(`${instance.origin}/_runtime/`));
      const nonces = scripts.filter((source) => source.startsWith("'nonce-"));
      const others = scripts.filter((source) => !runtime.includes(source) && !nonces.includes(source));
      if (type === "html") {
        expect(others.toSorted()).toEqual(["'unsafe-eval'", "'unsafe-inline'", "'wasm-unsafe-eval'", "blob:", "data:"]);
        expect(images).toEqual(["blob:", "data:"]);
      } else {
        expect(runtime).toHaveLength(1);
        expect(others).toEqual([]);
      }
      if (type === "md") expect(nonces).toEqual([]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-dns-prefetch-control": "off",
        "cache-control": publicView ? "public, no-cache" : "private, no-store",
      });
      expect(answer.headers.get("connection-allowlist")).toBeTruthy();
      expect(answer.headers.get("cross-origin-resource-policy")).toMatch(/^same-(?:origin|site)$/);
      expect(answer.headers.get("permissions-policy")).toMatch(/camera=\(\).*/);
      expect(answer.headers.get("permissions-policy")).not.toMatch(/=(?!\(\))/);
      expect(answer.headers.get("etag") === null).toBe(!publicView);
      expect(answer.headers.get("set-cookie")).toBeNull();
    });
  }
}

test("content opened as a page redirects to the viewer", async () => {
  const { artifactId, url } = await createArtifact(person, projectSlug);
  const ticket = await person.client.call("artifact.ticket", { artifactId });
  const answer = await send(ticket.url, { headers: { "sec-fetch-dest": "document" } });
  expect([answer.status, new URL(answer.headers.get("location") ?? "", ticket.url).pathname]).toEqual([
    expect.any(Number),
    new URL(url).pathname,
  ]);
  expect(answer.status).toBeGreaterThanOrEqual(301);
  expect(answer.status).toBeLessThanOrEqual(308);
});

test("a runtime asset: immutable, for every origin", async () => {
  const page = await contentOf("md", true);
  const address = new RegExp(`(?:${instance.origin})?/_runtime/[^"' ]+\\.(?:js|css)`).exec(page.text)?.[0];
  const answer = await send(new URL(address ?? "", instance.origin).href);
  expect([address, answer.status]).toEqual([expect.any(String), 200]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers.get("cache-control")).toMatch(/immutable/);
});
