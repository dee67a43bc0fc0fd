// Forms are parsed on the thread that answers all requests, so each is bounded.
import { expect, test } from "bun:test";
import { join } from "node:path";

import { formOf, isLargeForm, smallFormOf } from "./form-size.ts";

const form = (bytes: number, type = "application/x-www-form-urlencoded"): Request =>
  new Request("https://plinth.example/form", {
    method: "POST",
    headers: { "content-type": type, "content-length": String(bytes) },
    body: `text=${"x".repeat(bytes - 5)}`,
  });

const statusOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    await work();
    return "parsed";
  } catch (refusal) {
    return (refusal as { status?: number }).status;
  }
};

test("a form without a file has at most 616 KB, and one from a stranger is not read above the stranger's size", async () => {
  const longest = 616_384;
  expect(await statusOf(() => formOf(form(longest)))).toBe("parsed");
  expect(await statusOf(() => formOf(form(longest + 1)))).toBe(413);
  expect((await smallFormOf(form(1000)))?.get("text")).toBe("x".repeat(995));
  const large = form(longest);
  expect([isLargeForm(large), await smallFormOf(large), large.bodyUsed]).toEqual([true, null, false]);
});

test("a form with a file has at most 4 MiB", async () => {
  const sent = (bytes: number): Request => {
    const fields = new FormData();
    fields.set("file", new File(["x".repeat(bytes)], "long.md"));
    const request = new Request("https://plinth.example/form", { method: "POST", body: fields });
    request.headers.set("content-length", String(bytes));
    return request;
  };
  const longest = 4 * 1024 * 1024;
  expect(await statusOf(() => formOf(sent(longest)))).toBe("parsed");
  expect(await statusOf(() => formOf(sent(longest + 1)))).toBe(413);
});

test("no other module parses a form", async () => {
  const folder = join(import.meta.dir, "../..");
  const modules = [...new Bun.Glob("**/*.{ts,svelte}").scanSync({ cwd: folder })].filter(
    (path) => !/\.test\./.test(path),
  );
  const texts = await Promise.all(modules.map((path) => Bun.file(join(folder, path)).text()));
  expect(modules.filter((_, index) => /request\.formData\(/.test(texts[index] ?? ""))).toEqual([
    "lib/server/form-size.ts",
  ]);
});
