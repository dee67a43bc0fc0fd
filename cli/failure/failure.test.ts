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
  501: 1,
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
    "error: Refused: unauthenticated\n  fix: Sign in, or give a token with --token-stdin or SERVICE_TOKEN\n       plinth login\n",
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
    version: "0.2.0",
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

describe("as text", () => {
  const longHint = {
    terminal: true,
    columns: 40,
    env: { NO_COLOR: "1" },
    answer: () => problem(404, "not_found", { detail: "word ".repeat(20).trim() }),
  };

  test("lines are broken between words on a terminal, and nowhere else", async () => {
    const { stderr } = await line(["get", "art_1"], longHint);
    const lines = stderr.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(3);
    for (const text of lines) expect(text.length).toBeLessThanOrEqual(40);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("word ".repeat(20).trim());
    const piped = await line(["get", "art_1", "--format", "text"], { ...longHint, terminal: false });
    expect(piped.stderr).toStartWith(`error: ${"word ".repeat(20).trim()}\n`);
  });
});

describe("a refusal says what it is about", () => {
  test.each([
    [["psuh"], 'Unknown command "psuh"', "Did you mean plinth push?"],
    [["artifact", "lsit"], 'Unknown command "artifact lsit"', "Did you mean plinth artifact list?"],
    [["plk_0123456789"], "Unknown command", undefined],
    [["artifact"], '"plinth artifact" needs a subcommand', expect.stringContaining("There are access, content")],
    [["artifact", "delete", "a/b/c"], "This deletes a/b/c", "Add --yes to do it; it can be undone for 30 days"],
    [["push", "-dash.md"], expect.stringContaining("Unknown flag"), expect.stringContaining("./-name")],
    [["ls", "--field", "url"], expect.any(String), "It is a list: --field artifacts.url, or --ndjson --field url"],
    [["completion", "powershell"], "That shell is not supported", "There are bash, zsh, fish"],
  ])("%p", async (words, detail, hint) => {
    const { error, requests } = await line(words);
    expect({ detail: error["detail"], hint: error["hint"], sent: requests.length }).toEqual({ detail, hint, sent: 0 });
  });

  test("a version that a visible artifact does not have is named, with the latest", async () => {
    const answer = ({ url }: Request) =>
      new URL(url).pathname.endsWith("/content")
        ? problem(404, "not_found")
        : json({ artifactId: "art_1", latestVersion: 4, url: "http://localhost:3000/a/b/c" });
    const { code, error } = await line(["cat", "art_1", "--version", "99"], { answer });
    expect({ code, detail: error["detail"] }).toEqual({
      code: 3,
      detail: "http://localhost:3000/a/b/c has no version 99; the latest is 4",
    });
    const hidden = await line(["cat", "art_1", "--version", "99"], { answer: () => problem(404, "not_found") });
    expect(hidden.error["detail"]).toBe("Refused: not_found");
  });

  test("a rate that is spent says when to come back", async () => {
    const answer = () => problem(429, "rate_limited", {}, { "retry-after": "120" });
    expect((await line(["get", "art_1"], { answer })).error["hint"]).toBe("Try again in 120 s");
  });

  test("keys are managed by people", async () => {
    const { error } = await line(["keys", "list"], { answer: () => problem(403, "forbidden") });
    expect(error).toMatchObject({ next: "plinth login" });
    expect(error["hint"]).toContain("sign in as a person");
  });
});
