import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";

import { likelySecrets } from "@plinth/contract/publishing/likely-secrets";

import { emptyDirectory, json, line } from "../testing/line.ts";

/** Letters and digits without any order, always the same; put together here so that no scanner takes this file for one. */
const some = (length: number, alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"): string =>
  Array.from({ length }, (_, place) => {
    const byte = createHash("sha256").update(`seed ${place}`).digest()[0] ?? 0;
    return alphabet[byte % alphabet.length];
  }).join("");
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (claims: object): string => `${encoded({ alg: "HS256" })}.${encoded(claims)}.${some(43)}`;
const begin = (kind: string): string => `-----BEGIN ${kind}-----`;

const kindsIn = (text: string): string[] => likelySecrets(text).map(({ kind }) => kind);

describe("found", () => {
  const cases: readonly (readonly [kind: string, secret: string])[] = [
    ["AWS access key", `AKIA${some(16, "QWERTYUIOPASDFGHJKLZXCVBNM234567")}`],
    ["AWS secret access key", `aws_secret_access_key = ${some(40)}`],
    ["AWS secret access key", `"SecretAccessKey": "${some(38)}/+"`],
    ["GitHub token", `ghp_${some(36)}`],
    ["GitHub token", `gho_${some(36)}`],
    ["GitHub token", `github_pat_${some(22)}_${some(59)}`],
    ["GitLab token", `glpat-${some(20)}`],
    ["Slack token", `xoxb-${some(12, "7390")}9${some(10)}-${some(24)}`],
    ["Slack webhook", `https://hooks.slack.com/services/T${some(9)}/B${some(9)}/${some(24)}`],
    ["Stripe live key", `sk_live_${some(24)}`],
    ["Stripe live key", `rk_live_${some(99)}`],
    ["Anthropic key", `sk-ant-api03-${some(93)}AA`],
    ["OpenAI key", `sk-${some(20)}T3BlbkFJ${some(20)}`],
    ["OpenAI key", `sk-proj-${some(74)}T3BlbkFJ${some(73)}A`],
    ["Google key", `AIza${some(35)}`],
    ["npm token", `npm_${some(36)}`],
    ["PyPI token", `pypi-AgEIcHlwaS5vcmc${some(90)}`],
    ["Plinth token", `plk_${some(39)}`],
    ["Plinth token", `pla_${some(39)}`],
    ["Plinth token", `plo_${some(39)}`],
    ["Plinth token", `pls_${some(39)}`],
    ["private key", `${begin("PRIVATE KEY")}\n${some(64)}\n`],
    ["private key", `${begin("RSA PRIVATE KEY")}\r\nProc-Type: 4,ENCRYPTED\r\nDEK-Info: AES\r\n\r\n${some(64)}`],
    ["private key", `{"private_key": "${begin("PRIVATE KEY")}\\n${some(64)}\\n"}`],
    ["private key", `${begin("PGP PRIVATE KEY BLOCK")}\n\n${some(64)}`],
    ["JSON web token", jwt({ sub: "ada", exp: 4_102_444_800 })],
    ["JSON web token", jwt({ role: "service" })],
    ["password in a database address", `postgres://app:${some(20)}@db.internal:5432/app`],
    ["password in a database address", `mongodb+srv://app:${some(20)}@cluster0.mongodb.net`],
    ["password in a database address", `redis://:${some(20)}@10.0.0.4`],
    ["password in an address", `https://deploy:${some(20)}@git.acme.io/x.git`],
  ];
  test.each(cases.map(([kind, secret]) => ({ kind, secret })))("$kind: $secret", ({ kind, secret }) => {
    expect(kindsIn(`Use ${secret} here`)).toEqual([kind]);
    expect(kindsIn(`<code>token=${secret}</code>`)).toEqual([kind]);
    expect(kindsIn(`\n\n(${secret})\n`)).toEqual([kind]);
  });
});

describe("not taken for one", () => {
  const cases: readonly string[] = [
    "AKIAIOSFODNN7EXAMPLE",
    "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "aws_secret_access_key = $AWS_SECRET_ACCESS_KEY",
    `AKIA${some(12, "QWERTY")}`,
    `ghp_${"x".repeat(36)}`,
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    `ghp_${some(20)}`,
    `xghp_${some(36)}`,
    "glpat-xxxxxxxxxxxxxxxxxxxx",
    "glpat-YOUR_TOKEN",
    "xoxb-your-token-goes-right-here",
    `sk_test_${some(24)}`,
    `pk_live_${some(24)}`,
    "sk_live_…",
    "sk-ant-api03-...",
    "sk-ant-your-key-goes-here-and-is-long-enough",
    `task-${some(48)}`,
    "AIzaSy...",
    "npm_config_registry",
    "plk_…",
    "plk_nonsense",
    `${begin("PUBLIC KEY")}\n${some(64)}`,
    `${begin("CERTIFICATE")}\n${some(64)}`,
    `${begin("PRIVATE KEY")}\n...\n`,
    `${begin("PRIVATE KEY")}\n<your key>\n`,
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
    jwt({ sub: "ada", exp: 1_600_000_000 }),
    `eyJ${some(20)}.eyJ${some(20)}.${some(30)}`,
    "postgres://postgres:postgres@localhost:5432/app",
    `postgres://app:${some(20)}@127.0.0.1/app`,
    "postgres://user:password@db.internal/app",
    "postgres://app:$PASSWORD@db.internal/app",
    "postgres://app:${PASSWORD}@db.internal/app",
    "postgres://app:<password>@db.internal/app",
    "mysql://app:{{ password }}@db.internal/app",
    "postgres://app@db.internal/app",
    "https://user:pass@example.com/",
    "https://ada:lovelace@example.org",
    "https://acme.io/a:b@c",
    "https://acme.io:8080/@ada",
    "mailto:ada@example.com",
    some(200),
    "0123456789abcdef".repeat(8),
  ];
  test.each(cases.map((text) => ({ text })))("$text", ({ text }) => {
    expect(kindsIn(`Use ${text} here`)).toEqual([]);
    expect(kindsIn(text)).toEqual([]);
  });
});

test("the place is given by line and column, in order and not without end", () => {
  const secret = `npm_${some(36)}`;
  const other = `ghp_${some(36)}`;
  expect(likelySecrets(`# A\r\n\r\n  ${secret}\n${other} ${secret}`)).toEqual([
    { kind: "npm token", line: 3, column: 3 },
    { kind: "GitHub token", line: 4, column: 1 },
    { kind: "npm token", line: 4, column: 42 },
  ]);
  expect(likelySecrets(`${secret}\n`.repeat(1000))).toHaveLength(20);
});

test("two mebibytes of what is almost one take no longer than what is none", () => {
  const size = 2 * 1024 * 1024;
  const fill = (text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
  const hostile = [
    "eyJ", "eyJaaaaaaaa.", `eyJ${"a".repeat(999)}.`, "a", " ", "sk-", "sk-ant-", `sk-ant-${"a".repeat(300)}`, "ghp_", "AKIA", "https://", "https://a:",
    `https://a:${"b".repeat(300)}`, "postgres://:", "secret_access_key=", "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\na: a: a: a: a: \n", "-----BEGIN A1 A1 ", "\\n", "xoxb-", "pypi-AgE", "_", "-", "plk_0",
    `ghp_${some(36)} `, `https://a:${some(20)}@example.com `,
  ]; // prettier-ignore
  const began = performance.now();
  for (const text of hostile) likelySecrets(fill(text));
  // All of them; quadratic time would be hours.
  expect(performance.now() - began).toBeLessThan(60_000);
}, 120_000);

describe("push", () => {
  const directory = emptyDirectory();
  const secret = `ghp_${some(36)}`;
  writeFileSync(join(directory, "notes.md"), `# Notes\n\ntoken: ${secret}\n`);
  writeFileSync(join(directory, "clean.md"), "# Clean\n");
  const push = (...words: readonly string[]) =>
    line(["push", "--project-slug", "demo", ...words], {
      directory,
      answer: () => json({ access: { publicView: true }, latestVersion: 1, url: "http://localhost:3000/a/b/c" }, 201),
    });

  test("in public is refused before anything is sent, with the place and without the secret", async () => {
    const { code, error, requests, stdout, stderr } = await push("clean.md", "notes.md");
    expect({ code, stdout, sent: requests.length }).toEqual({ code: 2, stdout: "", sent: 0 });
    expect(error).toMatchObject({
      code: "usage",
      detail: "Others could read what looks like a secret in notes.md, line 3 (GitHub token); nothing was sent",
      errors: [{ path: "notes.md", message: "GitHub token", line: 3, column: 8 }],
      hint: expect.stringContaining("--allow-secrets"),
    });
    expect(stderr).not.toContain(secret);
    const text = await push("notes.md", "--format", "text", "--dry-run");
    expect(text.code).toBe(2);
    expect(text.stderr).toContain("notes.md:3:8: GitHub token");
    expect(text.stderr).not.toContain(secret);
  });

  test("goes through with --allow-secrets, and in private with a warning", async () => {
    const allowed = await push("notes.md", "--allow-secrets");
    expect({ code: allowed.code, warned: allowed.stderr.includes("Warning") }).toEqual({ code: 0, warned: false });
    const hidden = await push("notes.md", "--private");
    expect({ code: hidden.code, sent: hidden.requests.length }).toEqual({ code: 0, sent: 1 });
    expect(hidden.stderr).toContain("Warning: notes.md:3:8 looks like a secret (GitHub token)\n");
    expect(hidden.stderr).not.toContain(secret);
  });

  test("is refused where only the project's file says that it is private", async () => {
    const filed = emptyDirectory();
    writeFileSync(join(filed, "notes.md"), `# Notes\n\ntoken: ${secret}\n`);
    writeFileSync(join(filed, ".plinth.json"), '{ "owner": "mallory", "projectSlug": "x", "visibility": "private" }');
    const { code, requests } = await line(["push", "notes.md"], { directory: filed });
    expect({ code, sent: requests.length }).toEqual({ code: 2, sent: 0 });
  });
});
