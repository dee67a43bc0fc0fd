// The description of the API that an instance serves is valid, its reference pages need no other host, and no route
// exists beside it but those named here.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { errorCodes } from "@plinth/contract/errors";
import { operations } from "@plinth/contract/registry";

import { encode } from "gpt-tokenizer";
import type { Request } from "playwright-core";

import { openBrowser } from "./harness/browser.ts";
import { until } from "./harness/events.ts";
import { jsonOf, send } from "./harness/http.ts";
import type { Instance } from "./harness/instance.ts";
import { hung, repository, runToEnd, temporaryFolder, withinHung } from "./harness/process.ts";
import { sharedInstance } from "./harness/shared.ts";

setDefaultTimeout(2 * hung);

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

let instance: Instance;
let described: Description;
beforeAll(async () => {
  instance = await sharedInstance();
  described = jsonOf<Description>(await send(`${instance.origin}/api/openapi.json`));
}, hung);
afterAll(() => instance.stop(), hung);

test("redocly finds no error in the served description", async () => {
  const folder = await temporaryFolder("openapi");
  const file = join(folder, "openapi.json");
  await Bun.write(file, JSON.stringify(described));
  const lint = await runToEnd([process.execPath, "--bun", "redocly", "lint", file, "--format", "json"], {
    cwd: join(repository, "e2e"),
    env: { ...process.env, REDOCLY_TELEMETRY: "off" },
  });
  const report = JSON.parse(lint.stdout) as {
    totals: { errors: number };
    problems: unknown[];
  };
  expect(report.totals.errors, JSON.stringify(report.problems, null, 1)).toBe(0);
  expect(lint.code).toBe(0);
  await rm(folder, { recursive: true });
});

test("it describes exactly the operations of the registry that are not internal", () => {
  expect(described.openapi).toStartWith("3.1");
  const served = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const known = operations
    .filter((op) => !op.internal)
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
  expect(served.toSorted()).toEqual(known.toSorted());
});

test("an agent can read it: at most 45,000 tokens", () => {
  expect(encode(JSON.stringify(described)).length).toBeLessThanOrEqual(45_000);
});

test("every route of the registry is there, and nothing else under /api is", async () => {
  for (const { method, path, caller } of operations) {
    // A bad token is refused before anything is looked up; on the operator's routes only the operator's is not.
    const token = caller === "operator" ? instance.operatorToken : "plk_no-token";
    const answer = await send(`${instance.origin}${path.replaceAll(/:\w+/g, "x")}?surprise=1`, { method, token });
    const status = caller === "operator" ? 400 : 401;
    expect([`${method} ${path}`, answer.status]).toEqual([`${method} ${path}`, status]);
  }
  for (const path of [
    "/api",
    "/api/",
    "/api/nothing",
    "/api/artifacts/x/nothing",
    "/api/users",
    "/api/swagger",
    "/api/health/x",
  ]) {
    expect([path, (await send(instance.origin + path)).status]).toEqual([path, 404]);
  }
});

test("every type of error leads to a page that exists", async () => {
  for (const code of Object.keys(errorCodes))
    expect([code, (await send(`${instance.origin}/docs/errors/${code}`)).status]).toEqual([code, 200]);
  expect((await send(`${instance.origin}/docs/errors/nothing`)).status).toBe(404);
});

test("the reference loads from this instance alone", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const elsewhere: string[] = [];
    const failed: string[] = [];
    const open = new Set<Request>();
    page.on("request", (request) => {
      open.add(request);
      if (!ownOrigin(request.url())) elsewhere.push(request.url());
    });
    page.on("requestfinished", (request) => void open.delete(request));
    page.on("requestfailed", (request) => void open.delete(request));
    page.on(
      "response",
      (response) => void (response.status() < 400 || failed.push(`${response.status()} ${response.url()}`)),
    );
    page.on("pageerror", (error) => void failed.push(String(error)));
    page.on("console", (message) => void (message.type() === "error" && failed.push(message.text())));
    await page.goto(`${instance.origin}/docs/reference`, { waitUntil: "load", timeout: hung });
    await page.getByText("Publish a new artifact with its first version").first().waitFor({ timeout: hung });
    await withinHung(
      until(() => open.size === 0),
      () => `unanswered: ${[...open].map((request) => request.url()).join(" ")}`,
    );
    expect(elsewhere).toEqual([]);
    expect(failed).toEqual([]);
  } finally {
    await browser.close();
  }
});

const ownOrigin = (url: string): boolean =>
  url.startsWith("data:") || url.startsWith("blob:") || new URL(url).origin === instance.origin;
