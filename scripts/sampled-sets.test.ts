// The choice of sampled tests that run whole in a landing.
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { checkout, chooseWhole, coverageHash, covered, sampledTests } from "./sampled-sets.ts";
import { root } from "./step.ts";

const here = checkout();

test("sampled tests of a running instance: each has a row of what it covers, and each row is one of them", () => {
  const sampled = sampledTests(here);
  expect(sampled.length).toBeGreaterThan(60);
  const running = sampled.filter((file) => /^(e2e\/(?!support\/)|worker\/)/.test(file));
  expect(Object.keys(covered).toSorted()).toEqual(running);
});

test("every part of a row is in the checkout", () => {
  const parts = [...new Set(Object.values(covered).flat())];
  expect(parts.filter((part) => !existsSync(join(root, part)))).toEqual([]);
});

test("a sampled test runs whole when a module that it imports or a part that it covers changed, and for nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "plinth-sampled-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  try {
    write("e2e/support/test-seed.ts", "export const sample = 1;\n");
    write("e2e/harness/drive.ts", 'export { sample } from "@plinth/support/test-seed";\n');
    write("e2e/some.test.ts", 'import { sample } from "./harness/drive.ts";\nconsole.log(sample);\n');
    write("e2e/other.test.ts", "console.log(1);\n");
    write("domain/jobs/run.ts", "export const run = 1;\n");
    write("domain/mail/send.ts", "export const send = 1;\n");
    const hash = () => coverageHash(checkout(folder), "e2e/some.test.ts", ["domain/jobs"]);
    expect(sampledTests(checkout(folder))).toEqual(["e2e/some.test.ts"]);
    const first = hash();
    write("domain/mail/send.ts", "export const send = 2;\n");
    write("domain/jobs/run.test.ts", "console.log(2);\n");
    write("e2e/other.test.ts", "console.log(2);\n");
    expect(hash()).toBe(first);
    const seen = new Set([first]);
    for (const path of [
      "domain/jobs/run.ts",
      "e2e/harness/drive.ts",
      "e2e/support/test-seed.ts",
      "domain/jobs/new.ts",
    ]) {
      appendFileSync(join(folder, path), "// Changed.\n");
      seen.add(hash());
    }
    expect(seen.size).toBe(5);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const run = (hash: string, seconds: number, on = "2026-11-29") => ({ hash, seconds, on });

test("tests whose hash differs from the recorded one, or that have none, run whole, and no others", () => {
  const [one = "", other = "", third = ""] = sampledTests(here);
  const record = { [one]: run(coverageHash(here, one), 5), [other]: run("0000000000000000", 5) };
  const { whole, ...rest } = chooseWhole([one, other, third, "scripts/step.test.ts"], "2026-11-29", here, record);
  expect(whole.toSorted()).toEqual([other, third]);
  expect(rest).toEqual({ sampled: [], overdue: [] });
});

test("where the time does not suffice, those that cover the least run whole", () => {
  const [narrow, broad] = ["e2e/selling.test.ts", "e2e/parity.test.ts"];
  const record = { [narrow]: run("0", 1500), [broad]: run("0", 1500) };
  const choice = (today: string) => chooseWhole([broad, narrow], today, here, record);
  expect(choice("2026-12-20")).toEqual({ whole: [narrow], sampled: [broad], overdue: [] });
  expect(choice("2026-12-21")).toEqual({ whole: [narrow], sampled: [], overdue: [broad] });
});

test("a test that has never been whole is overdue too", () => {
  const broad = "e2e/parity.test.ts";
  const others = sampledTests(here).filter((file) => file !== broad);
  const record = Object.fromEntries(others.map((file) => [file, run("0", 60)]));
  expect(chooseWhole(sampledTests(here), "2027-01-01", here, record).overdue).toContain(broad);
});
