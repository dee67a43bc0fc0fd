// Each text is done by what it is for: the shell and the real command line, the shell and a curl that says what it was
// given, and the schema of the tool. What arrives must be what was meant.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@plinth/contract/client";
import { findTool } from "@plinth/contract/mcp/tools";
import { registry, type Input, type OperationName } from "@plinth/contract/registry";
import type { Operation } from "@plinth/contract/operation";
import { copyAs, openJson, shellWord } from "./copy-as.ts";

setDefaultTimeout(60_000);

const publicUrl = "https://plinth.example";
const root = join(import.meta.dirname, "../../../..");
const bin = mkdtempSync(join(tmpdir(), "plinth-copy-as-"));
afterAll(() => rmSync(bin, { recursive: true }));
const artifactId = "art_01jd8w3c5t7k9m2n4p6q8r0s1v";
const hostile = [
  'it\'s $(touch /tmp/owned) `id` \\ "quoted" !! ~ * ; & | > <',
  "-rf",
  "--yes",
  "none",
  "@/etc/passwd",
  "'; rm -rf / #",
  "\u001b]0;owned\u0007 \u202egnp.exe \u200b\u2028",
  "two\nlines\tand a tab",
  "超".repeat(200),
  "تقرير 👩‍💻",
  "=cmd",
  "",
];

beforeAll(() => {
  const tools = {
    plinth: `exec "${process.execPath}" "${root}/cli/main.ts" "$@" --dry-run --format json`,
    curl: `exec "${process.execPath}" -e 'process.stdout.write(JSON.stringify(process.argv.slice(1)))' -- "$@"`,
  };
  for (const [name, does] of Object.entries(tools)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${does}\n`);
    chmodSync(join(bin, name), 0o755);
  }
});

/** What the line prints in a shell that knows these two programs. */
async function done(line: string): Promise<unknown> {
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: bin, SERVICE_TOKEN: "plk_secret" };
  const shell = Bun.spawn(["/bin/sh", "-c", line], { env, stdout: "pipe", stderr: "pipe" });
  const [printed, said, code] = await Promise.all([
    new Response(shell.stdout).text(),
    new Response(shell.stderr).text(),
    shell.exited,
  ]);
  if (code !== 0) throw new Error(`${line}\n${said}`);
  return JSON.parse(printed);
}

async function meant<Name extends OperationName>(name: Name, input: Input<Name>) {
  const request = createClient({ baseUrl: publicUrl }).request(name, input);
  const text = await request.text();
  return { method: request.method, url: request.url, body: text === "" ? null : (JSON.parse(text) as unknown) };
}

async function expectSame<Name extends OperationName>(name: Name, input: Input<Name>): Promise<void> {
  const { ways } = copyAs(publicUrl, "It", name, input);
  const code = (surface: string) => ways.find((way) => way.surface === surface)?.code;
  const request = await meant(name, input);
  const line = code("CLI");
  if (line !== undefined) expect(await done(line)).toEqual({ dryRun: true, request });
  const curl = (await done(code("curl") ?? "")) as string[];
  const after = (flag: string) => curl[curl.indexOf(flag) + 1] ?? "";
  expect(curl.find((word) => word.startsWith(publicUrl))).toBe(request.url);
  expect(curl.includes("-X") ? after("-X") : request.body === null ? "GET" : "POST").toBe(request.method);
  expect(curl.includes("-d") ? (JSON.parse(after("-d")) as unknown) : null).toEqual(request.body);
  expect(curl).toContain("authorization: Bearer plk_secret");
  const call = code("MCP");
  const { mcp }: Operation = registry[name];
  expect(call === undefined).toBe(mcp === undefined);
  if (call === undefined) return;
  const said = JSON.parse(call) as { name: string; arguments: Record<string, unknown> };
  expect(said.arguments).toEqual({ ...input });
  expect(Object.keys(findTool(said.name)?.input.properties ?? {})).toEqual(
    expect.arrayContaining(Object.keys(said.arguments)),
  );
}

describe("what is copied does what the page does", () => {
  test.each(hostile)("with the title %j", (title) =>
    expectSame("artifact.patch", { artifactId, title, description: null }),
  );

  test("for lists, objects, numbers, and yes or no", async () => {
    await expectSame("access.update", {
      artifactId,
      publicView: false,
      publicEdit: false,
      viewerEmails: ["ada@example.com", "o'hara@example.com"],
    });
    await expectSame("access.update", { artifactId, publicView: true, publicEdit: false, viewerEmails: [] });
    await expectSame("shareLink.create", {
      artifactId,
      role: "viewer",
      expiresAt: null,
      label: "for the board's eyes",
    });
    await expectSame("shareLink.revoke", { shareLinkId: "shl_01jd8w3c5t7k9m2n4p6q8r0s1v" });
    await expectSame("artifact.delete", { artifactId });
    await expectSame("version.restore", { artifactId, versionNumber: 3 });
    await expectSame("apiKey.create", { name: "CI's", scopes: ["artifacts:read", "artifacts:create"] });
    await expectSame("artifact.list", { q: "month's report & more", owner: "ada", limit: 5 });
  });
});

test("what only a person signed in may do is not offered to programs", () => {
  expect(copyAs(publicUrl, "Plan", "billing.portal", { workspaceId: "wsp_01jd8w3c5t7k9m2n4p6q8r0s1v" })).toEqual({
    about: "Plan",
    ways: [],
    note: "Only you can do this, signed in here.",
  });
});

test("nothing that commands a terminal or hides is in a text, and JSON says the same", () => {
  for (const title of hostile) {
    for (const { code } of copyAs(publicUrl, "It", "artifact.patch", { artifactId, title }).ways) {
      expect(code.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }
    expect(JSON.parse(openJson({ title }))).toEqual({ title });
  }
  expect(() => shellWord("\u001b[31m")).toThrow("JSON");
});

test("no text has a token in it", () => {
  const texts = copyAs(publicUrl, "It", "apiKey.create", { name: "ci", scopes: ["artifacts:read"] }).ways;
  expect(texts.map(({ code }) => code).join("\n")).not.toMatch(/pl[ka]_/);
  expect(texts.find(({ surface }) => surface === "curl")?.code).toContain("$SERVICE_TOKEN");
});
