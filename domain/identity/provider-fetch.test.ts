import { afterAll, expect, test } from "bun:test";

import { AppError } from "@plinth/contract/errors";

import { providerJson } from "./provider-fetch.ts";

/** Longer than any provider is waited for. */
const timeoutMs = 60_000;

const server = Bun.serve({
  port: 0,
  idleTimeout: 0,
  fetch(request) {
    switch (new URL(request.url).pathname) {
      case "/silent":
        return new Promise<Response>(() => undefined);
      case "/halfway":
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"a":')) }));
      case "/elsewhere":
        return Response.redirect("/well");
      case "/down":
        return new Response(null, { status: 502 });
      case "/busy":
        return new Response(null, { status: 429 });
      case "/text":
        return new Response("hello");
      case "/null":
        return Response.json(null);
      default:
        return Response.json({ well: true });
    }
  },
});
afterAll(() => server.stop(true));

const ask = (path: string) =>
  providerJson(`${server.url.origin}${path}?token=secret-token`).catch((error: unknown) => error);

test("the answer of one that is well", async () => {
  expect(await ask("/well")).toEqual({ well: true });
});

test(
  "one that is down, busy, silent or stops halfway is unavailable, and soon",
  async () => {
    for (const error of await Promise.all(["/down", "/busy", "/silent", "/halfway"].map(ask))) {
      if (!(error instanceof AppError)) throw new Error("it was not refused", { cause: error });
      expect(error.code).toBe("identity_unavailable");
      expect(error.extra["retryAfterSeconds"]).toBeNumber();
      expect(String(error.cause)).not.toContain("secret-token");
    }
  },
  timeoutMs,
);

test("one that says no, or nothing to be read, is no provider to wait for", async () => {
  for (const path of ["/elsewhere", "/text", "/null"]) {
    const error = await ask(path);
    expect({ path, is: error instanceof Error, unavailable: error instanceof AppError }).toEqual({
      path,
      is: true,
      unavailable: false,
    });
    expect(String(error)).not.toContain("secret-token");
  }
});
