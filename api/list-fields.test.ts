// `fields` of a list: the members that are named, in every list and in no other answer; a wrong name is refused.
import { afterAll, beforeAll, expect, test } from "bun:test";

import { listItems } from "@plinth/contract/list-items";
import { operations } from "@plinth/contract/registry";

import { createService, type Service } from "./test/service.ts";

let service: Service;
let as: string;
beforeAll(async () => {
  service = await createService();
  const owner = await service.setup.person();
  as = owner.token;
  const { slug } = await service.setup.project(as);
  await service.setup.publish(as, slug, { title: "First" });
  await service.setup.publish(as, slug, { title: "Second", description: "More" });
});
afterAll(() => service.close());

const ask = (path: string) => service.ask("GET", path, { as });
async function list(path: string): Promise<{ artifacts: Record<string, unknown>[]; nextCursor: string | null }> {
  const response = await ask(path);
  expect(response.status).toBe(200);
  return (await response.json()) as { artifacts: Record<string, unknown>[]; nextCursor: string | null };
}

test("each item has the members that are named, in that order, and the page its cursor", async () => {
  const whole = await list("/api/artifacts?limit=1");
  const short = await list("/api/artifacts?limit=1&fields=title,url");
  const [item] = whole.artifacts;
  expect(short).toEqual({ artifacts: [{ title: item?.["title"], url: item?.["url"] }], nextCursor: whole.nextCursor });
  expect(Object.keys(short.artifacts[0] ?? {})).toEqual(["title", "url"]);
  // A member that an item lacks is left out there.
  expect((await list("/api/artifacts?fields=url,score,url")).artifacts.map(Object.keys)).toEqual([["url"], ["url"]]);
});

test("the tag is that of the short form", async () => {
  const [whole, short] = await Promise.all(["/api/artifacts", "/api/artifacts?fields=url"].map(ask));
  const tag = short?.headers.get("etag") ?? "";
  expect(tag).not.toBe(whole?.headers.get("etag") ?? "");
  const again = await service.ask("GET", "/api/artifacts?fields=url", { as, headers: { "if-none-match": tag } });
  expect(again.status).toBe(304);
});

test.each([
  ["fields=titel", "did you mean title?"],
  ["fields=", "there are artifactId, "],
  ["fields=url,,title", "there are artifactId, "],
  ["fields=url&fields=title", "is given more than once"],
])("%s is refused, and said why", async (query, said) => {
  const response = await ask(`/api/artifacts?${query}`);
  const { errors } = (await response.json()) as { errors: { path: string; message: string }[] };
  expect([response.status, errors[0]?.path]).toEqual([400, "fields"]);
  expect(errors[0]?.message).toContain(said);
});

test("every list has it, and no other answer", async () => {
  const lists = operations.filter((op) => listItems(op) !== null).map(({ name }) => name);
  expect(lists).toContain("version.list");
  expect(lists).toContain("audit.list");
  expect(lists.length).toBeGreaterThan(10);
  expect((await ask("/api/profile/me?fields=username")).status).toBe(400);
});
