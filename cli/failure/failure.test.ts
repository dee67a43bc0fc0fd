import { describe, expect, test } from "bun:test";

import { errorCodes } from "@plinth/contract/errors";

import { json, line, problem } from "../testing/line.ts";

const exits: Readonly<Record<number, number>> = {
  400: 7,
  401: 4,
  403: 5,
  404: 3,
  409: 6,
  413: 7,
  421: 7,
  429: 8,
  500: 1,
  503: 9,
};

describe.each(Object.entries(errorCodes).map(([code, { status }]) => ({ code, status })))(
  "$code",
  ({ code, status }) => {
    test("has its exit code, and its problem is printed whole", async () => {
      const answer = () => problem(status, code, { hint: "Do this", more: [1] });
      const { code: exit, stdout, error } = await line(["whoami", "--token", "plk_given"], { answer });
      expect({ exit, stdout }).toEqual({ exit: exits[status] ?? -1, stdout: "" });
      expect(error).toMatchObject({
        code,
        status,
        requestId: "req-12345678",
        // A hint of the command line's own, as for a source, has the server's in it.
        hint: expect.stringContaining("Do this"),
        more: [1],
        exitCode: exit,
      });
      expect(error).toHaveProperty("retryable");
      expect(error).toHaveProperty("next");
    });
  },
);

test("text says what, why and what to do", async () => {
  const { stderr, stdout } = await line(["whoami", "--format", "text"], {
    answer: () => problem(401, "unauthenticated"),
  });
  expect(stdout).toBe("");
  expect(stderr).toBe(
    "error: unauthenticated\n  why: Refused: unauthenticated\n  fix: Sign in, or give a token with --token-stdin or SERVICE_TOKEN\n       plinth login\n",
  );
});

test("what a server calls a thing cannot drive the terminal", async () => {
  const answer = () => problem(404, "not_found", { detail: "\u001B[2J\u202Eevil\nerror: fake" });
  const { stderr } = await line(["whoami"], { answer, terminal: true, env: { NO_COLOR: "1" } });
  expect(stderr).not.toContain("\u001B");
  expect(stderr).not.toContain("\u202E");
  expect(stderr.match(/^error:/gm)).toHaveLength(1);
});

test("no server, another site's page, a proxy without an instance and a redirect are unavailable", async () => {
  const refuse = () => {
    throw new TypeError("connection refused");
  };
  expect((await line(["whoami"], { answer: refuse })).code).toBe(9);
  expect(
    (
      await line(["whoami"], {
        answer: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
      })
    ).code,
  ).toBe(9);
  for (const status of [502, 503, 504])
    expect((await line(["whoami"], { answer: () => problem(status, "of_a_proxy") })).code).toBe(9);
  const redirect = () => new Response(null, { status: 302, headers: { location: "https://elsewhere.test/login" } });
  const { code, requests, error } = await line(["whoami", "--token", "plk_secret"], {
    answer: redirect,
  });
  expect({ code, sent: requests.length }).toEqual({ code: 9, sent: 1 });
  expect(error["hint"]).toContain("--base-url https://elsewhere.test");
});

test("an instance that cannot serve is named with what fails", async () => {
  const health = {
    status: "fail",
    version: "0.1.0",
    uptimeSeconds: 1,
    checks: { database: { status: "fail", detail: "gone" }, queue: { status: "pass" } },
  };
  const { code, error, requests } = await line(["health"], { answer: () => json(health, 503) });
  expect({ code, sent: requests.length, detail: error["detail"] }).toEqual({
    code: 9,
    sent: 1,
    detail: "http://localhost:3000 cannot serve (database: gone)",
  });
});

test("standard input of a terminal under --no-input is exit 10", async () => {
  const { code, requests } = await line(["push", "--project-slug", "demo", "--type", "md", "-", "--no-input"], {
    stdinIsTerminal: true,
  });
  expect({ code, sent: requests.length }).toEqual({ code: 10, sent: 0 });
});
