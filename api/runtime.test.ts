import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Runtime } from "@plinth/runtime/manifest";
import { runtimeFile } from "./runtime.ts";

const directory = await mkdtemp(join(tmpdir(), "plinth-runtime-file-"));
afterAll(() => rm(directory, { recursive: true }));
const text = "export const one = 1;\n".repeat(100);
await writeFile(join(directory, "one.js"), text);
await writeFile(join(directory, "one.js.gz"), Bun.gzipSync(text));
await writeFile(join(directory, "face.woff2"), "a font");

const runtime: Runtime = {
  hash: "abc",
  path: "/_runtime/abc/",
  imports: {},
  versions: {},
  files: ["face.woff2", "one.js"],
  loads: {},
  directory,
  guard: "",
};
const ask = (name: string, accepted: string | null) => runtimeFile(runtime, "abc", name, accepted);

test.each(["gzip", "deflate, gzip;q=0.5, br", "br;q=1.0, GZIP".toLowerCase()])(
  "text is gzipped for Accept-Encoding %j",
  async (accepted) => {
    const answer = ask("one.js", accepted);
    expect(answer?.headers.get("content-encoding")).toBe("gzip");
    expect(answer?.headers.get("vary")).toBe("Accept-Encoding");
    const bytes = new Uint8Array((await answer?.arrayBuffer()) ?? new ArrayBuffer());
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text);
  },
);

test.each([null, "", "br", "gzip;q=0", "gzip; q=0.0, br", "identity"])(
  "text is not compressed for Accept-Encoding %j, and varies by that header",
  async (accepted) => {
    const answer = ask("one.js", accepted);
    expect(answer?.headers.get("content-encoding")).toBeNull();
    expect(answer?.headers.get("vary")).toBe("Accept-Encoding");
    expect(await answer?.text()).toBe(text);
  },
);

test("a font is never compressed, and a gzipped file has no separate URL", () => {
  expect(ask("face.woff2", "gzip")?.headers.get("content-encoding")).toBeNull();
  expect(ask("one.js.gz", "gzip")).toBeNull();
});
