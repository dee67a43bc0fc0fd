import { expect, test } from "bun:test";

import { readEnvironment } from "./environment.ts";

test("nothing said is an instance for this machine alone", () => {
  expect(readEnvironment({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3000",
    contentOrigin: "http://localhost:3000",
    defaultPlan: "team",
    maxContentBytes: 2 * 1024 * 1024,
    rateLimits: { reads: 1200, writes: 240 },
  });
  expect(readEnvironment({ TRUSTED_PROXIES: "192.0.2.1, 192.0.2.2" }).trustedProxies).toEqual(
    new Set(["192.0.2.1", "192.0.2.2"]),
  );
  expect(readEnvironment({ RATE_LIMIT_READS: "0", PORT: " 80 " })).toMatchObject({
    port: 80,
    rateLimits: { reads: 0 },
  });
});

test("a wrong value is one line that names its variable", () => {
  for (const [name, value] of [
    ["PORT", "0"],
    ["PORT", "65536"],
    ["PORT", "1e3"],
    ["PUBLIC_URL", "plinth.example"],
    ["PUBLIC_URL", "https://plinth.example/path"],
    ["PUBLIC_URL", "https://user:secret@plinth.example"],
    ["PUBLIC_URL", "javascript:alert(1)"],
    ["CONTENT_ORIGIN", "https://x; script-src *"],
    ["HTML_CDN_ALLOWLIST", "https://cdn.example 'unsafe-eval'"],
    ["MAX_CONTENT_BYTES", "999999999"],
    ["RATE_LIMIT_WRITES", "-1"],
    ["DEFAULT_PLAN", "gold"],
    ["SMTP_URL", "mail.example.com:25"],
    ["SMTP_URL", "https://mail.example.com"],
    ["SMTP_URL", "smtp://"],
    ["SMTP_URL", "secret"],
  ] as const) {
    expect(() => readEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be [^\n]*$`));
  }
});

test("mail goes out where both the server and the sender are said, and their values are never repeated", () => {
  const SMTP_URL = "smtps://plinth:secret@mail.example.com:465";
  expect(readEnvironment({}).mail).toBeNull();
  for (const MAIL_FROM of ["plinth@example.com", "Plinth <plinth@example.com>", "Ünsere Instanz <p@example.com>"])
    expect(readEnvironment({ SMTP_URL, MAIL_FROM }).mail).toEqual({ url: SMTP_URL, from: MAIL_FROM });
  for (const MAIL_FROM of [undefined, "Plinth", "a@b, c@d", "<a@b", "A\nBcc: c@d <a@b>", "secret"]) {
    const given = MAIL_FROM === undefined ? { SMTP_URL } : { SMTP_URL, MAIL_FROM };
    expect(() => readEnvironment(given)).toThrow(/^MAIL_FROM must be (?!.*secret)[^\n]*$/);
  }
  expect(() => readEnvironment({ MAIL_FROM: "plinth@example.com" })).toThrow(/^SMTP_URL must be [^\n]*$/);
});
