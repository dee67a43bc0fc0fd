// Every page in German: nothing that a reader sees is English.
import { beforeAll, expect, test } from "bun:test";
import { Glob } from "bun";
import { createWebHandler, type WebHandler } from "./handler.ts";
import type { Messages } from "./src/messages/messages.ts";
import { ensureBuilt } from "./test/built.ts";
import { artifact, profile, project, standInApi, workspace } from "./test/stand-in-api.ts";

const publicUrl = "https://plinth.example";
const permissions = { edit: true, share: true, manageAccess: true, delete: true };
const api = standInApi({
  project: project({ title: "Notizen" }),
  artifacts: [artifact({ slug: "report", title: "Bericht", permissions }), artifact({ slug: "locked" })],
  profile: profile({ workspaces: [workspace()] }),
});
let web: WebHandler;

beforeAll(async () => {
  await ensureBuilt();
  web = await createWebHandler({ api: api.fetch, publicUrl, version: "1" });
}, 120_000);

const get = (path: string, headers: Record<string, string> = {}) =>
  web(new Request(publicUrl + path, { headers: { accept: "text/html", "accept-language": "de", ...headers } }), {
    clientAddress: "",
  });

const signedIn = { cookie: "__Host-plinth_session=good" };

/** Each text of a page and each attribute that is read. */
function shownTexts(html: string): string[] {
  const body = html
    .replaceAll(/<(script|style|code|pre|kbd)\b[\s\S]*?<\/\1>/g, "<i></i>")
    .replaceAll(/<!--[\s\S]*?-->/g, "");
  const attributes = [...body.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]+)"/g)];
  return [...attributes, ...body.matchAll(/>([^<>]+)</g)]
    .map(([, text = ""]) => text.replaceAll(/\s+/g, " ").trim())
    .filter((text) => /\p{L}{2}/u.test(text));
}

const areas = await Promise.all(
  [...new Glob("src/messages/*.ts").scanSync(import.meta.dirname)]
    .filter((path) => !path.endsWith(".test.ts"))
    .map(async (path) => Object.values((await import(`./${path}`)) as Record<string, Partial<Messages<unknown>>>)),
);

/** English texts that are not the same in German. */
const english = new Set<string>();
const german = new Set<string>();
function collect(one: unknown, other: unknown): void {
  if (typeof one === "string" && typeof other === "string") {
    if (one !== other) english.add(one);
    german.add(other);
  } else if (typeof one === "object" && one !== null && typeof other === "object" && other !== null)
    for (const [name, each] of Object.entries(one)) collect(each, (other as Record<string, unknown>)[name]);
}
for (const { languages } of areas.flat().filter((area) => area?.languages !== undefined))
  collect(languages?.en, languages?.de);

const pages = [
  ["/", {}],
  ["/ada", {}],
  ["/ada/notes", {}],
  ["/ada/notes/report", {}],
  ["/ada/notes/report?view=source", {}],
  ["/ada/notes/report/history", {}],
  ["/ada/notes/missing", {}],
  ["/search", {}],
  ["/login", {}],
  ["/dashboard/ada", signedIn],
  ["/dashboard/ada/p/notes", signedIn],
  ["/dashboard/ada/projects", signedIn],
  ["/dashboard/ada/publish", signedIn],
  ["/ada/notes/report/settings", signedIn],
  ["/ada/notes/report/settings/access", signedIn],
  ["/ada/notes/report/settings/links", signedIn],
  ["/settings/appearance", signedIn],
  ["/ada/notes/report/edit", signedIn],
  ["/ada/notes/locked/edit", signedIn],
  ["/workspaces/new/publish", signedIn],
] as const;

/** Pages whose texts are all in messages. */
const whole: ReadonlySet<string> = new Set([
  "/",
  "/ada",
  "/ada/notes",
  "/ada/notes/report",
  "/ada/notes/report?view=source",
  "/ada/notes/missing",
  "/search",
  "/login",
  "/dashboard/ada",
  "/dashboard/ada/p/notes",
  "/dashboard/ada/projects",
  "/dashboard/ada/publish",
  "/ada/notes/report/edit",
  "/ada/notes/locked/edit",
  "/workspaces/new/publish",
  "/settings/appearance",
]);

/** The same in each language: names, code, times, and texts that the people of this test wrote. */
const names =
  /\b(?:Plinth|Markdown|HTML|JSX|html|jsx|md|CLI|REST|MCP|curl|llms\.txt|Claude Code|Codex|Cursor|VS Code|GitHub|Google|English|Deutsch|Free|Pro|[A-Z]+_[A-Z_]+|UTC)\b/g;
const written =
  /^(?:Notizen|Bericht|ada|Ada|notes|locked|latency|N|version|quarterly report|"gross margin"|last month report|[\s·/#()\d:.-])*$/;
const isSameInEach = (text: string): boolean => german.has(text) || written.test(text.replaceAll(names, ""));

test.each(pages)("%s: the page says that it is German, and shows no English text", async (path, headers) => {
  const page = await get(path, headers);
  const html = await page.text();
  expect(page.headers.get("vary")).toContain("Accept-Language");
  expect(html).toContain('<html lang="de">');
  if (!whole.has(path)) return;
  expect(page.status).toBe(path.includes("missing") ? 404 : path.includes("locked") ? 403 : 200);
  const texts = shownTexts(html);
  expect(texts.filter((text) => english.has(text) && !isSameInEach(text))).toEqual([]);
  // A text that no message has is on the English page as well.
  const inEnglish = new Set(shownTexts(await (await get(path, { ...headers, "accept-language": "en" })).text()));
  expect(texts.filter((text) => inEnglish.has(text) && !isSameInEach(text))).toEqual([]);
  expect(texts.filter((text) => !inEnglish.has(text)).length).toBeGreaterThan(2);
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
