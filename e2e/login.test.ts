// `plinth login` from end to end: the compiled binary, a Chromium at the pages of a real instance, and back.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";

import type { Browser, BrowserContext } from "playwright-core";

import { bringSession, openContext } from "./harness/browser.ts";
import { commandLine, type CommandLine } from "./harness/command-line.ts";
import { send } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { createPerson, signIn, type Person } from "./harness/people.ts";
import { trackSecret } from "./harness/tracked-secrets.ts";
import { hung } from "./harness/process.ts";
import { closeSharedBrowser, sharedBrowser, sharedInstance } from "./harness/shared.ts";

setDefaultTimeout(hung);

let instance: Instance;
let person: Person;
let browser: Browser;
let signedIn: BrowserContext;
let cli: CommandLine;
beforeAll(async () => {
  [instance, browser] = await Promise.all([sharedInstance(), sharedBrowser()]);
  person = await createPerson(instance);
  signedIn = await openContext(browser, instance.origin, await signIn(instance, person.userId));
  cli = await commandLine(instance.origin);
}, hung);
afterAll(async () => {
  await closeSharedBrowser();
  await instance.stop();
  await cli.remove();
}, hung);

interface Saved {
  readonly origins: Readonly<Record<string, { readonly token: string }>>;
}
const savedToken = async (): Promise<string> => {
  const { origins } = JSON.parse(await readFile(cli.credentialsFile, "utf8")) as Saved;
  return trackSecret(origins[instance.origin]?.token ?? "");
};
const whoIs = async (token: string) => (await send(`${instance.origin}/api/profile/me`, { token })).status;

describe("with a browser on this machine", () => {
  test("a person allows it, the login works and is kept for them alone, and logout ends it", async () => {
    const login = cli.start(["login", "--name", "desk"]);
    const page = await signedIn.newPage();
    await page.goto(await login.opened());
    expect(new URL(page.url()).pathname).toBe("/oauth/consent");
    expect(await page.getByRole("main").innerText()).toContain("plinth login");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "You are signed in" }).waitFor();
    expect(new URL(page.url()).hostname).toBe("127.0.0.1");

    const { code, stdout, stderr } = await login.ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(person.username) });
    const token = await savedToken();
    for (const shown of [stdout, stderr, await page.content(), page.url()]) expect(shown).not.toContain(token);
    const modes = [cli.credentialsFile, dirname(cli.credentialsFile)].map(
      async (path) => (await stat(path)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o600, 0o700]);
    const me = JSON.parse((await cli.run(["whoami"])).stdout) as unknown;
    expect(me).toMatchObject({ username: person.username, credential: { type: "agent", label: "desk" } });

    expect(await whoIs(token)).toBe(200);
    expect((await cli.run(["logout"])).code).toBe(0);
    expect({ kept: existsSync(cli.credentialsFile), status: await whoIs(token) }).toEqual({
      kept: false,
      status: 401,
    });
    expect((await cli.run(["whoami"])).code).toBe(4);
    await page.close();
  });

  test("a person denies it", async () => {
    const login = cli.start(["login"]);
    const page = await signedIn.newPage();
    await page.goto(await login.said(/http\S+\/authorize\?\S+/));
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
    const { code, stderr } = await login.ended;
    expect({ code, stderr, kept: existsSync(cli.credentialsFile) }).toEqual({
      code: 4,
      stderr: expect.stringContaining("declined"),
      kept: false,
    });
    await page.close();
  });

  test("a browser without a session asks for signing in first", async () => {
    const login = cli.start(["login"]);
    const context = await openContext(browser, instance.origin);
    const page = await context.newPage();
    await page.goto(await login.said(/http\S+\/authorize\?\S+/));
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe("/login");
    expect(searchParams.get("next")).toStartWith("/api/auth/oauth2/authorize?");
    await bringSession(context, instance.origin, await signIn(instance, person.userId));
    await page.goto(new URL(searchParams.get("next") ?? "", instance.origin).href);
    await page.getByRole("button", { name: "Allow" }).click();
    expect((await login.ended).code).toBe(0);
    await cli.run(["logout"]);
    await context.close();
  });
});

test("a press before the page's script runs reaches the command line too", async () => {
  const login = cli.start(["login"]);
  const page = await signedIn.newPage();
  const held = Promise.withResolvers<undefined>();
  await page.route("**/_app/**", async (route) => {
    if (route.request().resourceType() === "script") await held.promise;
    await route.continue();
  });
  await page.goto(await login.said(/http\S+\/authorize\?\S+/), { waitUntil: "commit" });
  await page.getByRole("button", { name: "Allow" }).click();
  await page.getByRole("link", { name: /^Go back to/ }).waitFor();
  held.resolve(undefined);
  await page.getByRole("heading", { name: "You are signed in" }).waitFor();
  expect((await login.ended).code).toBe(0);
  await cli.run(["logout"]);
  await page.close();
});

describe("by code", () => {
  test("over SSH a person enters it in another browser, and logout works while the instance is away", async () => {
    const login = cli.start(["login"], { SSH_CONNECTION: "192.0.2.1 1 192.0.2.2 22" });
    const userCode = await login.said(/\b[A-Z]{4}-[A-Z]{4}\b/);
    const page = await signedIn.newPage();
    await page.goto(await login.said(/http\S+\/device(?=\s)/));
    await page.getByRole("textbox", { name: "Code" }).fill(userCode.toLowerCase());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { name: "Go back to your app" }).waitFor();
    expect((await login.ended).code).toBe(0);
    const token = await savedToken();
    expect(await whoIs(token)).toBe(200);

    const away = await cli.run(["logout"], { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" });
    expect({ code: away.code, kept: existsSync(cli.credentialsFile), still: await whoIs(token) }).toEqual({
      code: 0,
      kept: false,
      still: 200,
    });
    expect(away.stderr).toContain("could not be ended on the server");
    await page.close();
  });

  test("a person denies it", async () => {
    const login = cli.start(["login", "--device", "--no-input"]);
    await login.said(/\b[A-Z]{4}-[A-Z]{4}\b/);
    const page = await signedIn.newPage();
    await page.goto(await login.said(/http\S+\/device\?user_code=\S+/));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Deny" }).click();
    const { code, stderr } = await login.ended;
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("declined") });
    await page.close();
  });
});
