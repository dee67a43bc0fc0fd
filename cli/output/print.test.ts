import { expect, test } from "bun:test";

import { line, json } from "../testing/line.ts";
import { relativeTime, fileSize } from "./formatting.ts";
import { cut, width } from "../terminal/width.ts";

const artifact = {
  artifactId: "art_1",
  ownerUsername: "ada",
  projectSlug: "demo",
  slug: "report",
  title: "A \u001B[31mred\u001B[0m\u202E title\nin two lines",
  type: "md",
  latestVersion: 3,
  access: { publicView: true, publicEdit: false },
  latestAt: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  latestBy: { type: "user", id: "usr_1", label: "ada" },
};
const page = (nextCursor: string | null, count = 1) =>
  json({ artifacts: Array.from({ length: count }, () => artifact), nextCursor });

test("a list is an aligned table with relative times, and harmless", async () => {
  const { stdout, stderr } = await line(["artifact", "list"], {
    answer: () => page("abc"),
    terminal: true,
    env: { TERM: "dumb" },
  });
  const [heading = "", row = ""] = stdout.split("\n");
  expect(heading.indexOf("PATH")).toBe(row.indexOf("ada/demo/report"));
  expect(row).toContain("3 hours ago");
  expect(stdout).not.toContain("\u001B");
  expect(stdout).not.toContain("\u202E");
  expect(stdout.trimEnd().split("\n")).toHaveLength(2);
  expect(stderr).toBe("There is more: --cursor abc\n");
});

test("json is the body of the REST API on one line", async () => {
  const { stdout } = await line(["artifact", "list"], { answer: () => page(null) });
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse(stdout)).toEqual({ artifacts: [artifact], nextCursor: null });
  expect((await line(["artifact", "list", "--json"], { answer: () => page(null), terminal: true })).stdout).toContain(
    '"nextCursor": null',
  );
});

test("json on a terminal is indented by two, harmless, and ends with a line break", async () => {
  const words = ["artifact", "list", "--json"];
  const { stdout } = await line(words, { answer: () => page(null), terminal: true });
  expect(stdout).toStartWith('{\n  "artifacts": [\n    {\n      "artifactId"');
  expect(stdout).toEndWith('  "nextCursor": null\n}\n');
  expect(stdout).not.toContain("\u202E");
  expect(JSON.parse(stdout)).toEqual({ artifacts: [artifact], nextCursor: null });
});

test("--ndjson follows the pages up to --limit", async () => {
  const answer = (request: Request) =>
    page(
      new URL(request.url).searchParams.has("cursor") ? null : "next",
      Number(new URL(request.url).searchParams.get("limit")),
    );
  const { stdout, requests } = await line(["artifact", "list", "--ndjson", "--limit", "130"], {
    answer,
  });
  expect(stdout.trimEnd().split("\n")).toHaveLength(130);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual(["?limit=100", "?limit=30&cursor=next"]);
});

test("--ndjson with --field prints the field of each item, and names those of an item where it has none", async () => {
  const words = ["artifact", "list", "--ndjson", "--field"];
  expect((await line([...words, "slug"], { answer: () => page(null, 2) })).stdout).toBe("report\nreport\n");
  const { code, error } = await line([...words, "slugs"]);
  expect({ code, hint: error["hint"] }).toEqual({ code: 2, hint: "Did you mean slug?" });
});

test("--ndjson that ends at --limit says on standard error where to go on, unless --quiet", async () => {
  const words = ["artifact", "list", "--ndjson", "--limit", "2"];
  const said = async (nextCursor: string | null, ...more: string[]) => {
    const { code, stdout, stderr } = await line([...words, ...more], { answer: () => page(nextCursor, 2) });
    expect({ code, lines: stdout.split("\n").length }).toEqual({ code: 0, lines: 3 });
    return stderr;
  };
  expect(await said("a\u001B[2Jbc")).toBe("There is more: --cursor a[2Jbc\n");
  expect(await said("abc", "--quiet")).toBe("");
  expect(await said(null)).toBe("");
});

test("content comes out byte for byte in every format", async () => {
  const bytes = "\uFEFF# x\r\n\u0007 no newline at the end";
  for (const format of ["json", "text"]) {
    const answer = () => new Response(bytes, { headers: { "content-type": "text/markdown; charset=utf-8" } });
    expect((await line(["artifact", "content", "--artifact-id", "a", "--format", format], { answer })).stdout).toBe(
      bytes,
    );
  }
});

test("a diff is unified in text and hunks in json", async () => {
  const diff = "--- v1\n+++ v2\n@@ -1 +1 @@\n-a\n+b\n";
  const answer = (request: Request) =>
    request.headers.get("accept") === "text/x-diff"
      ? new Response(diff, { headers: { "content-type": "text/x-diff" } })
      : json({ hunks: [] });
  const words = ["artifact", "diff", "--artifact-id", "a", "--from", "1", "--to", "2"];
  expect((await line([...words, "--format", "text"], { answer })).stdout).toBe(diff);
  expect((await line(words, { answer })).stdout).toBe('{"hunks":[]}\n');
  expect((await line(words, { answer, terminal: true })).stdout).toContain("\u001B[32m+b\u001B[0m");
});

test("an answer without a body is an empty object, and nothing in text", async () => {
  const words = ["artifact", "delete", "--artifact-id", "art_1", "--yes"];
  const answer = () => new Response(null, { status: 204 });
  expect((await line(words, { answer })).stdout).toBe("{}\n");
  expect(await line([...words, "--format", "text"], { answer })).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "Deleted art_1\nYou can undo it for 30 days: plinth artifact undelete art_1\n",
  });
});

test("words for times, sizes and widths", () => {
  const now = new Date("2026-11-20T12:00:00Z");
  expect(
    ["2026-11-20T11:59:50Z", "2026-11-20T11:58:00Z", "2026-11-18T12:00:00Z", "2027-01-25T12:00:00Z"].map((time) =>
      relativeTime(time, now),
    ),
  ).toEqual(["just now", "2 minutes ago", "2 days ago", "in 2 months"]);
  expect([0, 1023, 1536, 5_000_000].map(fileSize)).toEqual(["0 B", "1023 B", "1.5 KiB", "4.8 MiB"]);
  expect(["abc", "日本", "e\u0301", "👩‍👩‍👧"].map(width)).toEqual([3, 4, 1, 2]);
  expect(cut("日本語", 5)).toBe("日本…");
});
