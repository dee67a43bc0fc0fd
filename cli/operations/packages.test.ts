// `plinth artifact packages`: in sentences, with what to do about what is missing; and `--retry`, which asks again.
import { expect, test } from "bun:test";

import { json, line } from "../testing/line.ts";

const id = `art_${"0".repeat(26)}`;
const command = ["artifact", "packages", "--artifact-id", id, "--version", "2"];
const env = { SERVICE_TOKEN: "plk_any", SERVICE_FORMAT: "text" };
const none = { reason: null, remedy: null };
const packages = [
  {
    name: null,
    version: null,
    urls: ["logo\u001b[2J.png"],
    state: "missing",
    reason: "logo\u001b[2J.png was beside the file and was not published",
    remedy: "Put it into the document, for example as a data: URL.",
  },
  { name: "late", version: null, urls: ["https://unpkg.com/late"], state: "fetching", ...none },
  { name: "chart.js", version: "4.4.1", urls: ["https://unpkg.com/chart.js"], state: "kept", ...none },
];
const answer = () => json({ artifactId: id, versionNumber: 2, packages });

test("what is missing has its reason and remedy, and a document's text controls no terminal", async () => {
  const { stdout, requests } = await line(command, { env, answer });
  expect([requests[0]?.method, new URL(requests[0]?.url ?? "").pathname]).toEqual([
    "GET",
    `/api/artifacts/${id}/versions/2/packages`,
  ]);
  expect(stdout).not.toContain("\u001b");
  expect(stdout).toContain("was beside the file and was not published\n  Put it into the document");
  expect(stdout).toContain("late is being fetched\n  https://unpkg.com/late\n");
  expect(stdout).toContain("chart.js 4.4.1\n  https://unpkg.com/chart.js\n");
});

test("--retry asks again, and --dry-run shows that request", async () => {
  const { requests } = await line([...command, "--retry"], { env, answer });
  expect(requests.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
    ["POST", `/api/artifacts/${id}/versions/2/packages/retry`],
  ]);
  const dry = await line([...command, "--retry", "--dry-run"], { env, answer });
  expect([dry.requests.length, dry.stdout]).toEqual([0, expect.stringContaining("packages/retry")]);
});
