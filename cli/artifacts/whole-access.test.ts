// `plinth artifact access set` with a part of the access object, and commands about a project that is named by its address.
import { expect, test } from "bun:test";

import { json, line } from "../testing/line.ts";

const artifactId = `art_${"0".repeat(26)}`;
const projectId = `prj_${"0".repeat(26)}`;
const access = { publicView: true, publicEdit: true, viewerEmails: ["bo@example.com"] };
const env = { SERVICE_TOKEN: "plk_token", SERVICE_BASE_URL: "https://plinth.test" };
const answer = (request: Request) => {
  const { pathname } = new URL(request.url);
  if (pathname === "/api/profile/me") return json({ username: "ada" });
  if (/^\/api\/by-path\/\w+\/\w+$/.test(pathname)) return json({ projectId });
  return json(request.method === "GET" ? access : {});
};

async function sent(words: string) {
  const ran = await line(words.split(" "), { env, answer });
  const last = ran.requests.at(-1);
  const body = last?.method === "PATCH" || last?.method === "POST" ? await last.json() : null;
  const routes = ran.requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`);
  return { code: ran.code, error: ran.error, body, routes };
}

test.each([
  ["--no-public-view", { ...access, publicView: false }],
  ["--no-public-edit", { ...access, publicEdit: false }],
  ["--viewer-emails none", { ...access, viewerEmails: [] }],
  [
    "--no-public-view --viewer-emails cy@example.com",
    { ...access, publicView: false, viewerEmails: ["cy@example.com"] },
  ],
])("access set %s keeps the rest", async (flags, body) => {
  const ran = await sent(`artifact access set ${artifactId} ${flags}`);
  expect(ran).toMatchObject({ code: 0, body });
  expect(ran.routes).toEqual([`GET /api/artifacts/${artifactId}/access`, `PATCH /api/artifacts/${artifactId}/access`]);
});

test("the whole access object, and a body, are sent as they are", async () => {
  const whole = await sent(`artifact access set ${artifactId} --public-view --no-public-edit --viewer-emails none`);
  expect(whole).toMatchObject({ code: 0, body: { publicView: true, publicEdit: false, viewerEmails: [] } });
  const body = await sent(`artifact access set ${artifactId} --json {"publicView":true}`);
  expect([whole.routes.length, body.routes.length, body.body]).toEqual([1, 1, { publicView: true }]);
});

test("access set needs a part, and --dry-run the whole", async () => {
  const none = await sent(`artifact access set ${artifactId}`);
  expect(none).toMatchObject({ code: 2, routes: [], error: { detail: expect.stringContaining("--viewer-emails") } });
  expect(await sent(`artifact access set ${artifactId} --public-view --dry-run`)).toMatchObject({
    code: 2,
    routes: [],
  });
});

test.each(["ada/notes", "https://plinth.test/ada/notes", "notes", projectId])("project update %s", async (name) => {
  const ran = await sent(`project update ${name} --title Notes`);
  expect(ran).toMatchObject({ code: 0, body: { title: "Notes" } });
  expect(ran.routes.at(-1)).toBe(`PATCH /api/projects/${projectId}`);
});

test("every command about a project takes its address", async () => {
  for (const [words, route] of [
    ["project delete ada/notes --yes", `DELETE /api/projects/${projectId}`],
    ["project move ada/notes --owner team", `POST /api/projects/${projectId}/move`],
    ["project former-addresses ada/notes", `GET /api/projects/${projectId}/former-addresses`],
    ["project delete --project-id ada/notes --yes", `DELETE /api/projects/${projectId}`],
  ] as const)
    expect(await sent(words)).toMatchObject({ code: 0, routes: expect.arrayContaining([route]) });
  expect(await sent("project delete ada/notes")).toMatchObject({ code: 2, routes: [] });
  expect(await sent("project delete ada/notes/page --yes")).toMatchObject({ code: 2, routes: [] });
  expect(await sent("project delete ada/notes --yes --dry-run")).toMatchObject({ code: 2, routes: [] });
});
