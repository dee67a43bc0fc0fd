// "Connect an agent" in Chromium: what is copied, how soon the page shows a connected program, and that it works
// without script; and that the URLs given to agents work.
import { expect, setDefaultTimeout, test } from "bun:test";
import { oauthPaths } from "@plinth/contract/oauth";
import type { BrowserContextOptions, Page } from "playwright-core";

import { untilScriptRuns } from "./harness/browser.ts";
import { send } from "./harness/http.ts";
import { violationsIn } from "./harness/inspect-page.ts";
import { createPerson, signIn, type Person } from "./harness/people.ts";
import { hung } from "./harness/process.ts";
import { testSite } from "./harness/test-site.ts";
import { colorSchemesOf } from "./harness/test-seed.ts";

setDefaultTimeout(3 * hung);

const site = testSite();

interface Opened {
  readonly page: Page;
  readonly person: Person;
}

/** The page of a person without connected programs. */
async function open(options: BrowserContextOptions = {}): Promise<Opened> {
  const person = await createPerson(site.instance);
  return { page: await site.open("/settings/connect", await signIn(site.instance, person.userId), options), person };
}

/** What a client of before 2026 sends first. */
async function initialize({ token }: Person, name: string): Promise<void> {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name, version: "2.1" } };
  const { status } = await send(`${site.instance.origin}/mcp`, {
    method: "POST",
    token,
    body: { jsonrpc: "2.0", id: 1, method: "initialize", params },
    headers: { accept: "application/json, text/event-stream" },
  });
  expect(status).toBe(200);
}

/** Reloads the page until it shows the text, because a connection is recorded a moment later. */
async function untilShown(page: Page, text: string): Promise<void> {
  for (const ended = Date.now() + hung; (await page.getByText(text).count()) === 0; await page.reload())
    if (Date.now() > ended) throw new Error(`it was never shown: ${await page.getByRole("main").innerText()}`);
}

const nothingYet = (page: Page) => page.getByText("Waiting for a connection");

test("a line is copied as it is to be typed", async () => {
  const { page } = await open({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByText("This page updates automatically").waitFor();
  await page.getByRole("button", { name: "Copy for Claude Code" }).click();
  await page.getByRole("status").filter({ hasText: "Copied" }).waitFor({ state: "attached" });
  // Our own pages cannot read the clipboard.
  const elsewhere = await page.context().newPage();
  await elsewhere.goto("/docs/reference");
  expect(await elsewhere.evaluate(() => navigator.clipboard.readText())).toBe(
    `claude mcp add --transport http plinth ${site.instance.origin}/mcp`,
  );
});

test("the page says by itself that a program has connected, and each that follows after a reload", async () => {
  const { page, person } = await open();
  await page.getByText("This page updates automatically").waitFor();
  await initialize(person, "claude-code");
  await page.getByText("claude-code 2.1").waitFor();
  await page.getByText(/^connected \d+ s ago$/).waitFor();
  expect(await nothingYet(page).count()).toBe(0);
  await initialize(person, "codex");
  await untilShown(page, "codex 2.1");
});

test("another user's program is not shown", async () => {
  const { page } = await open();
  await initialize(await createPerson(site.instance), "claude-code");
  // What the page requests by itself from now on, the second time surely after the program has connected.
  for (let looks = 0; looks < 2; looks++) await page.waitForResponse((answer) => answer.url().includes("__data.json"));
  expect(await nothingYet(page).count()).toBe(1);
});

test("without script every line is there to be opened and read, and a reload shows who connected", async () => {
  const { page, person } = await open({ javaScriptEnabled: false });
  await page.getByText("Reload this page after you connect one.").waitFor();
  for (const [name, text] of [
    ["Codex", "codex mcp login plinth"],
    ["Cursor", '"mcpServers"'],
    ["VS Code", "code --add-mcp"],
    ["Claude", "Add custom connector"],
    ["Any other client", "Bearer plk_"],
  ] as const) {
    await page.getByRole("heading", { name, exact: true }).click();
    await page.getByText(text).and(page.locator(":visible")).first().waitFor();
  }
  await initialize(person, "claude-code");
  await untilShown(page, "claude-code 2.1");
});

test("it is used by keys alone", async () => {
  const { page } = await open();
  await page.getByText("This page updates automatically").waitFor();
  await page.getByRole("heading", { name: "Claude Code" }).locator("..").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const link = page.getByRole("link", { name: "Add to Cursor" });
  await link.waitFor({ state: "visible" });
  await page.keyboard.press("Tab");
  expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await link.getAttribute("href")).toStartWith("cursor://anysphere.cursor-deeplink/mcp/install?name=plinth&");
});

for (const colorScheme of colorSchemesOf("connect"))
  test(`nothing is wider than a phone, and axe finds nothing: ${colorScheme}`, async () => {
    const { page, person } = await open({ colorScheme, viewport: { width: 360, height: 700 } });
    await page.getByText("This page updates automatically").waitFor();
    for (const state of ["empty", "connected"]) {
      const parts = await page.locator("main details").all();
      await Promise.all(parts.map((part) => part.evaluate((element) => element.removeAttribute("name"))));
      for (const part of parts) await part.evaluate((element) => ((element as HTMLDetailsElement).open = true));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      expect([state, await violationsIn(page)]).toEqual([state, []]);
      if (state === "connected") break;
      await initialize(person, "claude-code");
      await page.getByText("claude-code 2.1").waitFor();
    }
  });

test("Cursor, as it registers itself, is shown for what it is, answered in its app, and the page does not stay grey", async () => {
  const { page } = await open();
  const redirect = "cursor://anysphere.cursor-mcp/oauth/callback";
  const body = {
    client_name: "Cursor",
    redirect_uris: [redirect, "https://www.cursor.com/agents/mcp/oauth/callback", "http://localhost:8787/callback"],
    token_endpoint_auth_method: "none",
    application_type: "web",
  };
  const registered = await send(`${site.instance.origin}${oauthPaths.register}`, { method: "POST", body });
  const { client_id } = JSON.parse(registered.text) as { client_id: string };
  const query = new URLSearchParams({
    response_type: "code",
    client_id,
    redirect_uri: redirect,
    scope: "artifacts:read",
    state: "state",
    // The challenge of any verifier.
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
    resource: `${site.instance.origin}/mcp`,
  });
  await page.goto(`${oauthPaths.authorize}?${query}`);
  await page.getByText("cursor://anysphere.cursor-mcp", { exact: true }).waitFor();
  // Without script the form's answer only has a link back.
  await untilScriptRuns(page);
  const left = page.waitForRequest((request) => request.url().startsWith("cursor:"));
  await page.getByRole("button", { name: "Allow" }).click();
  expect((await left).url()).toStartWith(`${redirect}?code=`);
  const back = page.getByRole("link", { name: "Go back to Cursor" });
  expect(await back.getAttribute("href")).toStartWith(`${redirect}?code=`);
});

test("what agents are told leads somewhere, with this instance's own address", async () => {
  for (const [path, type] of [
    ["/llms.txt", "text/plain; charset=utf-8"],
    ["/SKILL.md", "text/markdown; charset=utf-8"],
  ] as const) {
    const answer = await send(site.instance.origin + path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, type]);
    expect(answer.text).toContain(`${site.instance.origin}/mcp`);
    const links = new Set([...answer.text.matchAll(/https?:\/\/[^\s)`<>]*[\w/]/g)].map(([link]) => link));
    expect(links.size).toBeGreaterThan(2);
    for (const link of links) {
      expect(new URL(link).origin).toBe(site.instance.origin);
      const { status } = await send(link, { headers: { accept: "text/html" }, token: site.session });
      expect([link, status]).toEqual([link, link.endsWith("/mcp") && !link.includes(".well-known") ? 405 : 200]);
    }
  }
});

test("the landing page says where agents are told", async () => {
  const { text } = await send(`${site.instance.origin}/`, { headers: { accept: "text/html" } });
  expect(text).toContain('<link rel="alternate" type="text/plain" href="/llms.txt"');
});
