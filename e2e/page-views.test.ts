// The views of an artifact, as its page is opened: by the process that has everything, and by a web process apart.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { until } from "./harness/events.ts";
import { send } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { createArtifact, createPerson, createProject, signIn, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";
import { startWeb, type Web } from "./harness/web.ts";

setDefaultTimeout(hung);

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

let instance: Instance;
let web: Web;
let owner: Person;
let guest: Person;
beforeAll(async () => {
  instance = await sharedInstance();
  [owner, guest, web] = await Promise.all([createPerson(instance), createPerson(instance), startWeb(instance.origin)]);
}, hung);
afterAll(() => web.stop());

const load = (url: string, headers: Record<string, string> = {}, method = "GET") =>
  send(url, { method, headers: { "user-agent": browser, accept: "text/html", ...headers } });

/** Then everything that was sent before is written as well, because a flush writes all that is counted. */
const counts = async (artifactId: string, total: number) => {
  const views = () => owner.client.call("artifact.listViews", { artifactId });
  await until(async () => (await views()).total >= total);
  expect((await views()).total).toBe(total);
};

test.each(["in one process", "by a web process apart"])(
  "loads of a public page are counted %s, and what no reader sees is not",
  async (place) => {
    const origin = place === "in one process" ? instance.origin : web.origin;
    const { slug: project } = await createProject(owner);
    const { artifactId, slug } = await createArtifact(owner, project, { type: "md", content: "# Read" });
    const path = `/${owner.username}/${project}/${slug}`;
    const url = origin + path;
    const uncounted: readonly [Record<string, string>, string?][] = [
      [{}, "HEAD"],
      [{ "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }],
      [{ "sec-fetch-dest": "iframe" }],
      [{ accept: "text/markdown" }],
      [{ cookie: await signIn(instance, owner.userId) }],
    ];
    for (const [headers, method] of uncounted) expect((await load(url, headers, method)).status).toBe(200);
    expect((await load(`${origin}/api/by-path${path}`)).status).toBe(200);
    expect((await load(`${origin}/api/artifacts/${artifactId}/content`)).status).toBe(200);
    expect((await load(`${url}/history`)).status).toBe(307);
    for (const given of ["2", "0", "01", "1e0", "latest", ""])
      expect((await load(`${url}?v=${given}`)).status).toBe(404);

    const first = await load(url);
    expect(first.status).toBe(200);
    expect((await load(`${url}?v=1`, { cookie: await signIn(instance, guest.userId) })).status).toBe(200);
    await counts(artifactId, 2);
    const etag = first.headers.get("etag");
    // A reader who returns is answered 304 where pages are kept, and counts again.
    const again = await load(url, etag === null ? {} : { "if-none-match": etag });
    expect(again.status).toBe(304);
    await counts(artifactId, 3);
  },
);

test("a private page counts for those who may read it alone, and its views are hidden from strangers", async () => {
  const { slug: project } = await createProject(owner);
  const access = { publicView: false, publicEdit: false };
  const { artifactId, slug } = await createArtifact(owner, project, { type: "md", content: "# Hidden", access });
  const url = `${instance.origin}/${owner.username}/${project}/${slug}`;
  expect((await load(url)).status).toBe(404);
  const link = await owner.client.call("shareLink.create", { artifactId, role: "viewer" });
  const entered = await load(link.url ?? "");
  const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect((await load(url, { cookie })).status).toBe(200);
  await counts(artifactId, 1);

  const asked = (id: string, token?: string) =>
    send(`${instance.origin}/api/artifacts/${id}/views`, token === undefined ? {} : { token });
  const bodyOf = ({ text }: { text: string }) => {
    const { requestId: _, ...problem } = JSON.parse(text) as { requestId: string; status: number };
    return problem;
  };
  const stranger = await signIn(instance, guest.userId);
  const [hidden, missing] = await Promise.all([
    asked(artifactId, stranger),
    asked("art_00000000000000000000000000", stranger),
  ]);
  expect([hidden.status, bodyOf(hidden)]).toEqual([404, bodyOf(missing)]);
  const withLink = { "x-share-token": new URL(link.url ?? "").pathname.split("/").at(-1) ?? "" };
  const byLink = await send(`${instance.origin}/api/artifacts/${artifactId}/views`, { headers: withLink });
  expect([401, 403, 404]).toContain(byLink.status);
});
