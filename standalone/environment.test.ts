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
  ] as const) {
    expect(() => readEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} must be [^\n]*$`));
  }
});
