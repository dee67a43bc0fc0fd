import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { on } from "@plinth/domain/telemetry";
import type { TestPerson } from "@plinth/domain/test/context";

import { createService, type Service } from "./test/service.ts";

let service: Service;
let owner: TestPerson;
let project: string;
let shown: string;
let hidden: string;
beforeAll(async () => {
  service = await createService();
  owner = await service.setup.person();
  project = (await service.setup.project(owner.token)).slug;
  shown = (await service.setup.publish(owner.token, project, { content: "one\n" })).artifactId;
  const access = { publicView: false, publicEdit: false };
  hidden = (await service.setup.publish(owner.token, project, { access, content: "one\n" })).artifactId;
  await service.setup.call("version.create", { artifactId: shown, content: "two\n" }, { as: owner.token });
});
afterAll(() => service.close());

describe("an ETag", () => {
  test("is on every artifact, version list, content, diff and list, and brings 304 until something changes", async () => {
    for (const path of [
      `/api/artifacts/${shown}`,
      `/api/artifacts/${shown}/versions`,
      `/api/artifacts/${shown}/content`,
      `/api/artifacts/${shown}/diff?from=1&to=2`,
      "/api/artifacts",
      "/api/profile/artifacts",
      "/api/profile/projects",
      `/api/by-path/${owner.username}/${project}`,
    ]) {
      const first = await service.ask("GET", path, { as: owner.token });
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^(?:W\/)?"[^"]+"$/);
      for (const held of [etag, etag.replace("W/", ""), `"x", ${etag}`, "*", ` ${etag} `]) {
        const again = await service.ask("GET", path, { as: owner.token, headers: { "if-none-match": held } });
        expect({ path, held, status: again.status }).toEqual({ path, held, status: 304 });
        expect(await again.text()).toBe("");
        expect(again.headers.get("etag")).toBe(etag);
        expect(again.headers.get("cache-control")).toBe(first.headers.get("cache-control"));
      }
      for (const held of ['"x"', "", ",", '""', etag.slice(0, -2), '*"']) {
        const again = await service.ask("GET", path, { as: owner.token, headers: { "if-none-match": held } });
        expect({ path, held, status: again.status }).toEqual({ path, held, status: 200 });
      }
    }
    const before = (await service.ask("GET", `/api/artifacts/${shown}`)).headers.get("etag");
    await service.setup.call("artifact.patch", { artifactId: shown, title: "Changed" }, { as: owner.token });
    expect((await service.ask("GET", `/api/artifacts/${shown}`)).headers.get("etag")).not.toBe(before);
  });

  test("never comes before access", async () => {
    const headers = { "if-none-match": "*" };
    expect((await service.ask("GET", `/api/artifacts/${hidden}`, { headers })).status).toBe(404);
    expect((await service.ask("GET", `/api/artifacts/${hidden}/content`, { headers })).status).toBe(404);
  });
});

describe("a part of the content", () => {
  const read = async (query: string, headers = {}) => {
    const response = await service.ask("GET", `/api/artifacts/${parted}/content?${query}`, { headers });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  let parted: string;
  beforeAll(async () => {
    const content = "# One\n\nherons\n\n## Two\n\nHerons again\n";
    parted = (await service.setup.publish(owner.token, project, { content })).artifactId;
  });

  test.each([
    ["startLine=3&endLine=3", "herons\n", "3-3/7"],
    ["section=two", "## Two\n\nHerons again\n", "5-7/7"],
    ["section=two&startLine=7", "Herons again\n", "7-7/7"],
    ["grep=heron", "3: herons\n7: Herons again\n", "1-7/7"],
    ["outline=true", "1: # One (one)\n5: ## Two (two)\n", "1-7/7"],
    ["grep=nothing", "", "1-7/7"],
  ])("%s is answered with its lines, and a separate ETag", async (query, text, lines) => {
    const { headers, ...answer } = await read(query);
    expect(answer).toEqual({ status: 200, text });
    expect(headers.get("x-artifact-lines")).toBe(lines);
    expect(headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
    expect(headers.get("content-type")).toBe((await read("")).headers.get("content-type"));
    const etag = headers.get("etag") ?? "";
    expect((await read("")).headers.get("etag")).not.toBe(etag);
    expect(await read(query, { "if-none-match": etag })).toMatchObject({ status: 304, text: "" });
    expect((await read("", { "if-none-match": etag })).status).toBe(200);
  });

  test("more lines than are found at once are named by the line to go on from, and one ETag is of one part", async () => {
    const content = "a\nb\n".repeat(1500);
    const { artifactId } = await service.setup.publish(owner.token, project, { content });
    const at = (query: string) =>
      service.ask("GET", `/api/artifacts/${artifactId}/content?${query}`, { as: owner.token });
    const first = await at("grep=a");
    expect((await first.text()).split("\n").length - 1).toBe(1000);
    expect([first.headers.get("x-artifact-lines"), first.headers.get("x-artifact-next-line")]).toEqual([
      "1-3000/3000",
      "2001",
    ]);
    const rest = await at("grep=a&startLine=2001");
    expect((await rest.text()).split("\n").length - 1).toBe(500);
    expect(rest.headers.get("x-artifact-next-line")).toBeNull();
    expect(rest.headers.get("etag")).not.toBe(first.headers.get("etag"));
    const range = await at("startLine=2&endLine=2999");
    expect(await range.text()).toBe(content.slice(2, -2));
    expect(range.headers.get("x-artifact-next-line")).toBeNull();
  });

  test("the whole content names no lines", async () => {
    expect((await read("outline=false")).headers.get("x-artifact-lines")).toBeNull();
  });

  test.each([
    ["startLine=8", "startLine", "is past the last line, 7"],
    ["startLine=3&endLine=2", "endLine", "is before startLine"],
    ["section=thr", "section", "is no heading; there are one, two"],
    ["grep=x&outline=true", "grep", "cannot be sent together with outline"],
  ])("%s is refused with what there is", async (query, path, message) => {
    const { status, text } = await read(query);
    expect([status, (JSON.parse(text) as { errors: unknown }).errors]).toEqual([400, [{ path, message }]]);
  });
});

describe("caching", () => {
  test("is public for what anyone may see, and even that is asked about each time", async () => {
    const cacheOf = async (path: string, as?: string) =>
      (await service.ask("GET", path, as === undefined ? {} : { as })).headers.get("cache-control");
    expect(await cacheOf(`/api/artifacts/${shown}/content`)).toBe("public, no-cache");
    expect(await cacheOf(`/api/artifacts/${hidden}/content`, owner.token)).toBe("private, no-cache");
    expect(await cacheOf(`/api/artifacts/${shown}`)).toBe("private, no-cache");
    expect(await cacheOf("/api/profile/me", owner.token)).toBe("no-store");
    expect(await cacheOf(`/api/artifacts/${hidden}`)).toBe("no-store");
    const raw = await service.ask("GET", `/api/artifacts/${shown}/content`);
    expect(raw.headers.get("vary")).toContain("authorization");
  });
});

describe("raw content", () => {
  test("can run nothing, and is never JavaScript", async () => {
    const types = { md: "text/markdown", html: "text/html", jsx: "text/plain" } as const;
    for (const [type, media] of Object.entries(types)) {
      const content = type === "jsx" ? "export default () => 1" : "<script>alert(1)</script>";
      const made = await service.setup.publish(owner.token, project, { type: type as keyof typeof types, content });
      const response = await service.ask("GET", `/api/artifacts/${made.artifactId}/content`);
      expect(await response.text()).toBe(content);
      const { headers } = response;
      expect(headers.get("content-type")).toBe(`${media}; charset=utf-8`);
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("x-artifact-id")).toBe(made.artifactId);
      expect(headers.get("x-artifact-version")).toBe("1");
    }
  });

  test("of a version is that version's", async () => {
    const at = (version: string) => service.ask("GET", `/api/artifacts/${shown}/content?version=${version}`);
    expect(await (await at("1")).text()).toBe("one\n");
    expect((await at("1")).headers.get("x-artifact-version")).toBe("1");
    for (const version of ["0", "-1", "1e0", "x", "", "2147483648"]) expect((await at(version)).status).toBe(400);
    for (const version of ["3", "2147483647"]) expect((await at(version)).status).toBe(404);
  });
});

describe("a diff", () => {
  test("is JSON unless a unified one is asked for", async () => {
    const typeFor = async (accept?: string) => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      const response = await service.ask("GET", `/api/artifacts/${shown}/diff?from=1&to=2`, { headers });
      expect(response.headers.get("vary")).toBe("accept");
      return response.headers.get("content-type");
    };
    for (const accept of [undefined, "*/*", "application/json", "application/json, text/x-diff", "text/html"])
      expect(await typeFor(accept)).toBe("application/json");
    for (const accept of ["text/x-diff", "text/x-diff, application/json;q=0.5", "TEXT/X-PATCH"])
      expect(await typeFor(accept)).toBe("text/x-diff; charset=utf-8");
  });

  test("has a tag of what is compared, by which it is neither made nor read again, each form its own", async () => {
    const ask = (more: Record<string, string> = {}) =>
      service.ask("GET", `/api/artifacts/${shown}/diff?from=2&to=1`, { headers: more });
    const made: string[] = [];
    const unsubscribe = on({ rendering: ({ renderer }) => void made.push(renderer) });
    const json = await ask();
    const unified = await ask({ accept: "text/x-diff" });
    expect(made).toEqual(["diff"]);
    const tagOf = (response: Response) => response.headers.get("etag") ?? "";
    expect(tagOf(unified)).toBe(tagOf(json).replace(/"$/, '-unified"'));
    const statusFor = async (tag: string, accept: string) => (await ask({ "if-none-match": tag, accept })).status;
    const statements = await service.setup.statementsOf(async () => {
      expect(await statusFor(tagOf(json), "application/json")).toBe(304);
      expect(await statusFor(`"other", ${tagOf(unified)}`, "text/x-diff")).toBe(304);
      expect(await statusFor(tagOf(json), "text/x-diff")).toBe(200);
      expect(await statusFor(tagOf(unified), "application/json")).toBe(200);
    });
    // Of each the artifact and the two versions' hashes.
    expect([statements, made.length]).toEqual([8, 1]);
    unsubscribe();
  });

  test("needs both versions", async () => {
    for (const query of ["", "?from=1", "?to=2", "?from=1&to=x"])
      expect((await service.ask("GET", `/api/artifacts/${shown}/diff${query}`)).status).toBe(400);
    expect((await service.ask("GET", `/api/artifacts/${shown}/diff?from=1&to=9`)).status).toBe(404);
  });
});

test("what is deleted answers 204 without a body, or 200 in a dry run", async () => {
  const { artifactId } = await service.setup.publish(owner.token, project);
  const dry = await service.ask("DELETE", `/api/artifacts/${artifactId}?dryRun=true`, { as: owner.token });
  expect([dry.status, await dry.json()]).toEqual([200, { dryRun: true }]);
  const done = await service.ask("DELETE", `/api/artifacts/${artifactId}`, { as: owner.token });
  expect([done.status, await done.text()]).toEqual([204, ""]);
});
