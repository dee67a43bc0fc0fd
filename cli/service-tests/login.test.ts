// `plinth login` and `logout` against the real service: the person at the browser is a client with a session cookie.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Output } from "@plinth/contract/registry";

import { entry, modeOf } from "../testing/sign-in.ts";
import { authorizeAddress, openBrowser, type Browser } from "../testing/service-browser.ts";
import {
  directory,
  plinth,
  result,
  startLine,
  startHung,
  startService,
  stopHung,
  stopService,
  type Started,
} from "../testing/service.ts";

let service: Started;
let browser: Browser;
const file = join(directory, ".config/plinth/credentials.json");

beforeAll(async () => {
  service = await startService();
  browser = await openBrowser(service.origin, service.userId);
}, startHung);
afterAll(stopService, stopHung);

const savedToken = () => String(entry(file, service.origin)?.["token"]);
const works = async (token: string) => (await plinth(`whoami --token ${token}`)).code === 0;

test("with a browser: consent, a login named after it, and logout that ends it", async () => {
  const login = startLine("login --name desk", { DISPLAY: ":0" });
  const page = await browser.consent(await login.said(authorizeAddress), true);
  expect({ status: page.status, text: await page.text() }).toEqual({
    status: 200,
    text: expect.stringContaining("You are signed in"),
  });
  const { code, stdout } = await login.ended;
  expect({ code, result: JSON.parse(stdout) as unknown }).toMatchObject({
    code: 0,
    result: { origin: service.origin, username: "ada", label: "desk" },
  });
  expect(modeOf(file)).toBe("600");
  const token = savedToken();
  expect(token).toStartWith("pla_");
  expect(await result<object>("whoami", "", { SERVICE_TOKEN: "" })).toMatchObject({
    username: "ada",
    credential: { type: "agent", label: "desk" },
  });
  // A login may do what a key may not.
  const { apiKeys } = await result<Output<"apiKey.list">>("keys list", "", { SERVICE_TOKEN: "" });
  expect(apiKeys.map(({ name }) => name)).toContain("cli");

  expect(await result<object>("logout", "", { SERVICE_TOKEN: "" })).toMatchObject({ forgotten: true, revoked: true });
  expect({ kept: existsSync(file), works: await works(token) }).toEqual({ kept: false, works: false });
});

test("with a browser: consent that is denied", async () => {
  const login = startLine("login", { DISPLAY: ":0" });
  const page = await browser.consent(await login.said(authorizeAddress), false);
  expect(await page.text()).toContain("You are not signed in");
  const { code, error } = await login.ended;
  expect({ code, detail: error?.["detail"] }).toEqual({ code: 4, detail: expect.stringContaining("declined") });
  expect(existsSync(file)).toBe(false);
});

test("by code: approved, and used for what a login may do", async () => {
  const login = startLine("login --device --no-input");
  const userCode = await login.said(/\b[A-Z]{4}-[A-Z]{4}\b/);
  expect((await browser.send("/api/auth/device/decide", { userCode, approve: true })).status).toBe(204);
  expect((await login.ended).code).toBe(0);
  const token = savedToken();
  expect(await works(token)).toBe(true);
  const words = "push --project-slug by-code --create-project --type md --title Page -";
  expect(await result<object>(words, "# Page\n", { SERVICE_TOKEN: "" })).toMatchObject({ action: "created" });
  const { agents } = await result<Output<"agent.list">>("agent list", "", { SERVICE_TOKEN: "" });
  expect(agents.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["login", "oauth"]));
  rmSync(file);
});

test("by code: denied", async () => {
  const login = startLine("login --device");
  const userCode = await login.said(/\b[A-Z]{4}-[A-Z]{4}\b/);
  expect((await browser.send("/api/auth/device/decide", { userCode, approve: false })).status).toBe(204);
  const { code, error } = await login.ended;
  expect({ code, detail: error?.["detail"] }).toEqual({ code: 4, detail: expect.stringContaining("declined") });
});

test("with a key brought along, which logout leaves good", async () => {
  const key = service.key;
  expect(await result<object>("login --token-stdin", key)).toMatchObject({ username: "ada", label: "cli" });
  expect(await result<object>("logout")).toMatchObject({ forgotten: true, revoked: false });
  expect(await works(key)).toBe(true);
});
