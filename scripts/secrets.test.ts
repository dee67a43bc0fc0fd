import { afterAll, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { checks } from "./checks.ts";
import { committedFiles, secretsIn } from "./secrets.ts";
import { root } from "./step.ts";

const folder = mkdtempSync(join(tmpdir(), "plinth-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The findings in a file with a text. */
function foundIn(text: string): Promise<string> {
  writeFileSync(join(folder, "planted.ts"), `/*\n${text}\n*/\n`);
  return secretsIn(folder, ["planted.ts"]);
}

// Put together from parts: written whole, each of them would fail the check of this file.
const random = "Zq8Lw3Rt6Yv1Nx5Kc9Hb2Jf7Gd4Ms0Pa";
const { privateKey: pem } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const planted: [kind: string, text: string][] = [
  ["AWS secret key", `aws_secret_access_key = "${random}${random.slice(0, 8)}"`],
  ["GitHub token", `ghp_${random}${random.slice(0, 4)}`],
  ["Slack token", ["xoxb", "123456789012", "1234567890123", random.slice(0, 24)].join("-")],
  ["private key", pem],
  ["database password", `postgres://plinth:${random}@db.plinth.internal/plinth`],
  ["password beside an allowed one", `https://user:${random}@example.com/`],
];

test.each(planted)("a planted %s is found, and not printed", async (_kind, text) => {
  const found = await foundIn(text);
  expect(found).toContain("planted.ts:2:");
  for (const secret of [random.slice(0, 16), pem.split("\n")[1]]) expect(found).not.toContain(secret);
});

test("a text without a secret is clean", async () => {
  expect(await foundIn("the key is in the environment: $GITHUB_TOKEN")).toBe("");
});

test("the check reads every file that would be committed, and is one of bun run check", () => {
  const files = committedFiles(root);
  expect(files).toEqual(expect.arrayContaining(["README.md", ".ci/run", "scripts/secrets.ts"]));
  expect(files.filter((file) => file.includes("node_modules/"))).toEqual([]);
  expect(checks.map(({ name }) => name)).toContain("secrets");
});
