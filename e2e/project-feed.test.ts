// A project's Atom feed as a feed reader, a member and a stranger get it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { XMLParser } from "fast-xml-parser";

import { createArtifact, createProject, signIn } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testDesk } from "./harness/test-site.ts";

setDefaultTimeout(hung);

const desk = testDesk();

const feedOf = (slug: string, headers: Record<string, string> = {}) =>
  fetch(`${desk.instance.origin}/${desk.owner.username}/${slug}/feed.atom`, { headers, redirect: "manual" });

interface Entry {
  readonly id: string;
  readonly title: string;
}
async function entries(answer: Response): Promise<Entry[]> {
  const parser = new XMLParser({ isArray: (name) => name === "entry" });
  return (parser.parse(await answer.text()) as { feed: { entry?: Entry[] } }).feed.entry ?? [];
}

test("readers without a credential get what is public, members what they can see, and a new version is a new entry first", async () => {
  const { slug } = await createProject(desk.owner);
  const publish = (title: string, publicView: boolean) =>
    createArtifact(desk.owner, slug, { type: "md", title, content: title, access: { publicView, publicEdit: false } });
  const first = await publish("First", true);
  await publish("Hidden", false);
  await publish("Second", true);
  const titles = async (headers = {}) => (await entries(await feedOf(slug, headers))).map(({ title }) => title);
  expect(await titles()).toEqual(["Second", "First"]);
  const cookie = await signIn(desk.instance, desk.owner.userId);
  expect(await titles({ cookie })).toEqual(["Second", "Hidden", "First"]);

  const before = await feedOf(slug);
  const etag = before.headers.get("etag") ?? "";
  expect((await feedOf(slug, { "if-none-match": etag })).status).toBe(304);
  await desk.owner.client.call("version.create", { artifactId: first.artifactId, content: "First, again" });
  const after = await feedOf(slug, { "if-none-match": etag });
  expect(after.status).toBe(200);
  const [newest] = await entries(after);
  expect(newest).toMatchObject({
    id: `${desk.instance.origin}/api/artifacts/${first.artifactId}/versions/2`,
    title: "First",
  });

  const page = await (await fetch(`${desk.instance.origin}/${desk.owner.username}/${slug}`)).text();
  expect(page).toContain(`href="${desk.instance.origin}/${desk.owner.username}/${slug}/feed.atom"`);
  expect(page).toMatch(/<a [^>]*feed\.atom"[^>]*>Atom feed<\/a>/);
});

test("a project without anything public is as not found as one that does not exist", async () => {
  const { slug } = await createProject(desk.owner);
  await createArtifact(desk.owner, slug, {
    type: "md",
    content: "x",
    access: { publicView: false, publicEdit: false },
  });
  const [hidden, missing] = await Promise.all([feedOf(slug), feedOf("missing")]);
  const bodies = await Promise.all([hidden.text(), missing.text()]);
  const bare = bodies.map((body) => body.replaceAll(/[\w-]{20,}/g, ""));
  expect([hidden.status, missing.status, bare[0]]).toEqual([404, 404, bare[1] ?? ""]);
});
