// Every page in German: nothing that a reader sees is English.
import { beforeAll, expect, test } from "bun:test";
import { Glob } from "bun";
import { createWebHandler, type WebHandler } from "./handler.ts";
import type { Messages } from "./src/messages/messages.ts";
import { richParts } from "./src/messages/rich.ts";
import { ensureBuilt } from "./test/built.ts";
import { answers, known } from "./test/german-answers.ts";
import { standInApi } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const api = standInApi(known);
let web: WebHandler;

beforeAll(async () => {
  await ensureBuilt();
  const answer = (request: Request): Promise<Response> => {
    if (request.headers.get("cookie")?.includes("=nameless")) return Promise.resolve(Response.json(nameless));
    const visitor = visitors.find(({ cookie }) => request.headers.get("cookie")?.includes(cookie));
    if (visitor !== undefined && new URL(request.url).pathname === "/api/profile/me")
      return Promise.resolve(Response.json(visitor.profile));
    const found = answers[decodeURIComponent(new URL(request.url).pathname)];
    return found === undefined ? api.fetch(request) : Promise.resolve(Response.json(found));
  };
  web = await createWebHandler({ api: answer, publicUrl, version: "1" });
}, 120_000);

const get = (path: string, headers: Record<string, string> = {}) =>
  web(new Request(publicUrl + path, { headers: { accept: "text/html", "accept-language": "de", ...headers } }), {
    clientAddress: "",
  });

/** A visitor who signs in for the first time. */
const nameless = { ...known.profile, username: null, workspaceId: null, workspaces: [] };
const firstTime = { cookie: "__Host-plinth_session=nameless" };
/** A viewer of each workspace, and a visitor with a workspace elsewhere. */
const reader = { cookie: "__Host-plinth_session=reader" };
const outsider = { cookie: "__Host-plinth_session=outsider" };
const workspaces = (known.profile.workspaces ?? []).map((one) => ({ ...one, kind: "team", role: "viewer" }));
const visitors = [
  { ...reader, profile: { ...known.profile, workspaces } },
  { ...outsider, profile: { ...known.profile, workspaces: workspaces.slice(1) } },
];
const signedIn = { cookie: "__Host-plinth_session=good" };

/** Each text of a page and each attribute that is read, without code and what is marked as English. */
function shownTexts(html: string): string[] {
  const body = html
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(/<(script|style|code|pre|kbd|samp)\b[\s\S]*?<\/\1>/g, "<i></i>")
    .replaceAll(/<(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, "<i></i>");
  const attributes = [...body.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]+)"/g)];
  return [...attributes, ...body.matchAll(/>([^<>]+)</g)]
    .map(([, text = ""]) => withSpaces(text.replaceAll("&amp;", "&").replaceAll("&quot;", '"')))
    .filter((text) => /\p{L}{2}/u.test(text));
}

const withSpaces = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const areas = await Promise.all(
  [...new Glob("src/messages/*.ts").scanSync(import.meta.dirname)]
    .filter((path) => !path.endsWith(".test.ts"))
    .map(async (path) => Object.values((await import(`./${path}`)) as Record<string, Partial<Messages<unknown>>>)),
);

const value = "\u{e000}";

/** The parts of a message between its parameters and tags. */
function partsOf(message: unknown): string[] {
  if (typeof message === "string") return richParts(message).map(({ text }) => withSpaces(text));
  if (typeof message !== "function") return [];
  return [value, 1, 2, "2026-11-01T09:00:00.000Z"].flatMap((parameter) => {
    try {
      const said: unknown = (message as (values: object) => unknown)(new Proxy({}, { get: () => parameter }));
      return typeof said === "string" ? said.split(/[\u{e000}\d]+|NaN/u).flatMap(partsOf) : [];
    } catch {
      // Not a parameter of this kind.
      return [];
    }
  });
}

const all = { en: new Set<string>(), de: new Set<string>() };
function collect(one: unknown, other: unknown): void {
  if (typeof one === "object" && one !== null && typeof other === "object" && other !== null)
    for (const [name, each] of Object.entries(one)) collect(each, (other as Record<string, unknown>)[name]);
  else {
    for (const part of partsOf(one)) all.en.add(part);
    for (const part of partsOf(other)) all.de.add(part);
  }
}
for (const { languages } of areas.flat().filter((area) => area?.languages !== undefined))
  collect(languages?.en, languages?.de);

/** English messages that no German one has in it. */
const german = [...all.de].join("\n");
const english = [...all.en].filter((text) => /\p{L}{3}/u.test(text) && !german.includes(text));
const short = new Set(english);
const long = english.filter((text) => text.length >= 8 && text.includes(" "));

/** English words that are no German ones: for texts that are in no message. */
const englishWords =
  /\b(?:the|of|and|is|are|you|your|with|this|that|it|its|from|by|can|can't|not|to|for|no|has|have|all|who|when|who|see|edit|ago|without|added|created|public)\b/i;

const isEnglish = (text: string): boolean =>
  short.has(text) ||
  long.some((message) => text.includes(message)) ||
  // Without URLs and the like.
  englishWords.test(text.replaceAll(/\S+[:/]\S+/g, ""));

/** Pages by their route; a page that differs by what is in it has several. */
const pages = [
  ["/(app)", "/", {}],
  ["/(app)/[owner]", "/ada", {}],
  ["/(app)/[owner]/[project]", "/ada/notes", {}],
  ["/[owner]/[project]/[slug]", "/ada/notes/report", {}],
  ["/[owner]/[project]/[slug]", "/ada/notes/report", signedIn],
  ["/[owner]/[project]/[slug]", "/ada/notes/report?view=source", {}],
  ["/[owner]/[project]/[slug]", "/ada/notes/report?v=1", signedIn],
  ["/[owner]/[project]/[slug]", "/ada/notes/missing", {}],
  ["/[owner]/[project]/[...path]", "/ada/notes/a/b/c", {}],
  ["/(app)/[owner]/[project]/[slug]/files", "/ada/notes/report/files?v=3", {}],
  ["/(app)/[owner]/[project]/[slug]/packages", "/ada/notes/report/packages?v=3", signedIn],
  ["/(app)/[owner]/[project]/[slug]/history", "/ada/notes/report/history?from=1&to=3", signedIn],
  ["/(app)/[owner]/[project]/[slug]/history", "/ada/notes/report/history?to=1&from=3&restore=", signedIn],
  ["/(app)/[owner]/[project]/[slug]/history", "/ada/notes/report/history?to=1", {}],
  ["/(app)/[owner]/[project]/[slug]/history", "/ada/notes/report/history?from=1&to=3&tab=screenshot", {}],
  ["/(app)/search", "/search", {}],
  ["/(app)/search", "/search?q=bericht", {}],
  ["/(app)/(own)/login", "/login", {}],
  ["/(app)/(own)/login/email/[token]", "/login/email/abc", {}],
  ["/(own)/share/[token]", "/share/pls_x", {}],
  ["/(app)/(own)/device", "/device", signedIn],
  ["/(app)/(own)/invitations/accept", "/invitations/accept", signedIn],
  ["/(app)/(own)/oauth/consent", "/oauth/consent?client_id=x", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]", "/dashboard/ada", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]/favorites", "/dashboard/ada/favorites", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]/recent", "/dashboard/ada/recent", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]/shared", "/dashboard/ada/shared", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]/p/[projectSlug]", "/dashboard/ada/p/notes", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]/p/[projectSlug]/settings", "/dashboard/ada/p/notes/settings", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]/projects", "/dashboard/ada/projects", signedIn],
  ["/(app)/(own)/dashboard/[workspaceSlug]/publish", "/dashboard/ada/publish", signedIn],
  ["/(app)/(own)/[owner]/[project]/[slug]/edit", "/ada/notes/report/edit", signedIn],
  ["/(app)/(own)/[owner]/[project]/[slug]/settings", "/ada/notes/report/settings", signedIn],
  ["/(app)/(own)/[owner]/[project]/[slug]/settings/access", "/ada/notes/report/settings/access", signedIn],
  ["/(app)/(own)/[owner]/[project]/[slug]/settings/views", "/ada/notes/report/settings/views", signedIn],
  ["/(app)/(own)/[owner]/[project]/[slug]/settings/activity", "/ada/notes/report/settings/activity", signedIn],
  ["/(app)/(own)/[owner]/[project]/[slug]/settings/links", "/ada/notes/report/settings/links", signedIn],
  ["/(app)/(own)/[owner]/[project]/[slug]/settings/rendering", "/ada/notes/report/settings/rendering", signedIn],
  ["/(app)/(own)/settings", "/settings", signedIn],
  ["/(app)/(own)/settings/account", "/settings/account", signedIn],
  ["/(app)/(own)/settings/agents", "/settings/agents", signedIn],
  ["/(app)/(own)/settings/appearance", "/settings/appearance", signedIn],
  ["/(app)/(own)/settings/billing", "/settings/billing", signedIn],
  ["/(app)/(own)/settings/connect", "/settings/connect", signedIn],
  ["/(app)/(own)/settings/deleted", "/settings/deleted", signedIn],
  ["/(app)/(own)/settings/keys", "/settings/keys", signedIn],
  ["/(app)/(own)/settings/sessions", "/settings/sessions", signedIn],
  ["/(app)/(own)/settings/workspaces", "/settings/workspaces", signedIn],
  ["/(app)/(own)/settings/workspaces/[slug]", "/settings/workspaces/nord", signedIn],
  ["/(app)/(own)/settings/workspaces/[slug]/activity", "/settings/workspaces/ada/activity", signedIn],
  ["/(app)/(own)/teams/new", "/teams/new", signedIn],
  ["/(app)/(own)/workspaces/new", "/workspaces/new", firstTime],
  ["/(app)/(own)/workspaces/new/publish", "/workspaces/new/publish", signedIn],
  // The documentation is English, and marked as that.
  ["/docs/[...path]", "/docs", {}],
  ["/docs/search", "/docs/search?q=link", {}],
] as const;

const missing = new Set<string>(["/ada/notes/missing", "/ada/notes/a/b/c", "/login/email/abc", "/share/pls_x"]);

test.each(pages)("%s: %s is German, and shows no English text", async (_route, path, headers) => {
  const page = await get(path, headers);
  const html = await page.text();
  expect(page.status).toBe(missing.has(path) ? 404 : 200);
  expect(page.headers.get("vary")).toContain("Accept-Language");
  expect(html).toContain('<html lang="de">');
  expect(shownTexts(html).filter(isEnglish)).toEqual([]);
});

test.each([
  ["/ada/notes/plan/edit", "Dafür brauchst du die Rolle Mitglied. Du bist Leser. Bitte einen Admin von Ada, deine"],
  [
    "/dashboard/nord/publish",
    "brauchst du die Rolle Mitglied. Du bist Leser. Bitte einen Admin von Nordwind (ada), deine",
  ],
  ["/settings/billing?workspace=nord", "Du bist Leser. Bitte einen Admin von Nordwind (ada), deine Rolle zu ändern."],
])("the refusal of %s is German, and says what is missing and who can grant it", async (path, words) => {
  const page = await get(path, reader);
  const html = await page.text();
  expect(page.status).toBe(403);
  expect(html).toContain(words);
  expect(shownTexts(html).filter(isEnglish)).toEqual([]);
  // The header is that of a person who is signed in.
  expect(html).not.toContain('href="/login');
});

test("the refusal of the edit page for a visitor from outside the workspace names no admin", async () => {
  const html = await (await get("/ada/notes/plan/edit", outsider)).text();
  expect(html).toContain("Bitte die Person, die es mit dir geteilt hat, um einen Link zum Bearbeiten.");
  expect(html).not.toMatch(/Admin/);
});

test("every route with a page is among them", () => {
  const routes = [...new Glob("src/routes/**/+page.svelte").scanSync(import.meta.dirname)].map((path) =>
    path.slice("src/routes".length, -"/+page.svelte".length),
  );
  const judged = new Set<string>(pages.map(([route]) => route));
  // The dashboard without a workspace only redirects.
  expect(routes.filter((route) => !judged.has(route))).toEqual(["/(app)/(own)/dashboard"]);
});

test("an English message on a page is noticed, with its parameters and tags too", () => {
  for (const text of [
    "Save",
    "Everyone using this link loses access immediately. This can't be undone.",
    "v3 – Share links",
  ])
    expect([text, isEnglish(text)]).toEqual([text, true]);
  for (const text of ["Speichern", "Plinth", "v3 – Einstellungen", "Version 3"])
    expect([text, isEnglish(text)]).toEqual([text, false]);
});

test("without a header a page is English, and the footer offers German", async () => {
  const html = await (await get("/", { "accept-language": "" })).text();
  expect(html).toContain('<html lang="en">');
  expect(html).toMatch(/<button name="language" value="de" lang="de"[^>]*>\s*Deutsch/);
});

const choose = (language: string, referer: string) =>
  web(
    new Request(`${publicUrl}/settings/appearance?/language`, {
      method: "POST",
      body: new URLSearchParams({ language }),
      headers: { accept: "text/html", origin: publicUrl, referer },
    }),
    { clientAddress: "" },
  );

test("choosing a language keeps it in a cookie for a year and leads back, to a page of this origin alone", async () => {
  const chosen = await choose("de", `${publicUrl}/ada/notes?sort=title`);
  expect([chosen.status, chosen.headers.get("location")]).toEqual([303, "/ada/notes?sort=title"]);
  expect(chosen.headers.get("set-cookie")).toMatch(
    /^language=de; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  for (const elsewhere of ["https://evil.example/", `${publicUrl}//evil.example/`, "", "no address"])
    expect((await choose("de", elsewhere)).headers.get("location")).toBe("/settings/appearance");
  expect((await choose("xx", publicUrl)).headers.get("set-cookie")).toBeNull();
});

test("requests at the same time each have their language", async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      get("/ada", { "accept-language": n % 2 ? "de" : "en" }).then((page) => page.text()),
    ),
  );
  expect(answers.map((html) => /<html lang="(\w+)"/.exec(html)?.[1])).toEqual(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? "de" : "en")),
  );
  for (const [n, html] of answers.entries()) expect(html.includes("Zum Inhalt springen")).toBe(n % 2 === 1);
});
