// `plinth upgrade`: what each form of installing does, and what an executable refuses to be replaced by.
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { emptyDirectory, line, type LineContext } from "../testing/line.ts";
import { target, version } from "../version.ts";

const name = `plinth-${target}`;
const program = (said: string) => `#!/bin/sh\necho ${said}\n`;
const sum = (content: string | Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
const base = "https://plinth.test";

/** An instance that hands out this text as the executable. */
function handing(text: string, changed: Readonly<Record<string, string | Uint8Array | null>> = {}) {
  const packed = gzipSync(text);
  const files: Record<string, string | Uint8Array | null> = {
    "/_cli/SHA256SUMS": `${sum(text)}  ${name}\n${sum(packed)}  ${name}.gz\n`,
    [`/_cli/${name}.gz`]: packed,
    ...changed,
  };
  return ({ url }: Request) => {
    const file = files[new URL(url).pathname] ?? null;
    return file === null ? new Response("{}", { status: 404 }) : new Response(file as string);
  };
}

/** An installed executable that says 1.0.0, and `plinth upgrade` by it. */
async function upgrade(answer: LineContext["answer"], ...words: readonly string[]) {
  const folder = emptyDirectory();
  const path = join(folder, "plinth");
  writeFileSync(path, program("1.0.0"));
  chmodSync(path, 0o755);
  const ran = await line(["upgrade", "--base-url", base, ...words], {
    program: { script: "/$bunfs/root/plinth", executable: path },
    ...(answer && { answer }),
  });
  return { ...ran, left: readFileSync(path, "utf8"), files: readdirSync(folder) };
}

test("an executable is replaced by that of the instance", async () => {
  const { code, stdout, stderr, left, files } = await upgrade(handing(program("2.0.0")));
  expect({ code, left, files }).toEqual({ code: 0, left: program("2.0.0"), files: ["plinth"] });
  expect(JSON.parse(stdout)).toEqual({ action: "upgraded", version: "2.0.0", before: version, command: null });
  expect(stderr).toBe(`plinth 2.0.0 is installed; it was ${version}\n`);
});

test("the same executable is left alone, and only the checksums are fetched", async () => {
  const { code, stdout, requests } = await upgrade(handing(program("1.0.0")));
  expect({ code, sent: requests.length }).toEqual({ code: 0, sent: 1 });
  expect(JSON.parse(stdout)).toMatchObject({ action: "unchanged", version: "1.0.0" });
});

const wrong: Readonly<Record<string, readonly [answer: LineContext["answer"], code: number, says: string]>> = {
  "another checksum": [
    handing(program("2.0.0"), { [`/_cli/${name}.gz`]: gzipSync(program("evil")) }),
    1,
    "is not what SHA256SUMS says",
  ],
  "a program that does not run": [handing("#!/nonexistent/sh\n"), 1, "could not be replaced"],
  "no executable for this machine": [
    handing("", { "/_cli/SHA256SUMS": "" }),
    3,
    `no executable for this machine (${name})`,
  ],
};
for (const [what, [answer, exitCode, says]] of Object.entries(wrong))
  test(`${what}: refused, and the old executable stays`, async () => {
    const { code, error, left, files } = await upgrade(answer);
    expect({ code, left, files }).toEqual({ code: exitCode, left: program("1.0.0"), files: ["plinth"] });
    expect(error).toMatchObject({
      detail: expect.stringContaining(says),
      hint: expect.stringContaining(`npm install --global ${base}/cli.tgz`),
    });
  });

test("an instance that hands out nothing is told from one that is away", async () => {
  expect(await upgrade(handing("", { "/_cli/SHA256SUMS": null }))).toMatchObject({ code: 3, left: program("1.0.0") });
  expect(await upgrade(() => new Response("{}", { status: 503 }))).toMatchObject({ code: 9, left: program("1.0.0") });
});

test("without https only as the user says, from another machine", async () => {
  const answer = handing(program("2.0.0"));
  const installed = { script: "/$bunfs/root/plinth", executable: join(emptyDirectory(), "plinth") };
  writeFileSync(installed.executable, program("1.0.0"));
  const words = ["upgrade", "--base-url", "http://plinth.test"];
  const refused = await line(words, { program: installed, answer });
  expect({ code: refused.code, sent: refused.requests.length }).toEqual({ code: 2, sent: 0 });
  expect(await line(words, { program: installed, answer, env: { PLINTH_ALLOW_HTTP: "1" } })).toMatchObject({ code: 0 });
});

test("what npm installed is upgraded by npm, under its prefix", async () => {
  const folder = emptyDirectory();
  const script = join(folder, "lib/node_modules/plinth-cli/plinth.js");
  mkdirSync(join(script, ".."), { recursive: true });
  mkdirSync(join(folder, "bin"));
  writeFileSync(script, "");
  symlinkSync(script, join(folder, "bin/plinth"));
  const answer = () => Response.json({}, { headers: { "x-plinth-version": "2.0.0" } });
  const by = (executable: string) =>
    line(["upgrade", "--base-url", base, "--format", "text"], {
      program: { script: join(folder, "bin/plinth"), executable },
      answer,
    });
  expect(await by("/usr/bin/node")).toMatchObject({
    code: 0,
    stdout: `npm install --global ${base}/cli.tgz --prefix ${folder}\n`,
    stderr: `${base} has plinth 2.0.0, and this is ${version}. Run:\n`,
  });
  expect(await by(join(folder, "bin/node"))).toMatchObject({ stdout: `npm install --global ${base}/cli.tgz\n` });
});

test("npx and a checkout are told what they are; --dry-run sends nothing", async () => {
  const npx = { script: "/home/ada/.npm/_npx/0a1b/node_modules/plinth-cli/plinth.js", executable: "/usr/bin/node" };
  const dry = await line(["upgrade", "--base-url", base, "--dry-run"], { program: npx });
  expect(JSON.parse(dry.stdout)).toMatchObject({
    dryRun: true,
    action: "manual",
    command: `npx --yes ${base}/cli.tgz`,
  });
  expect(await line(["upgrade", "--base-url", base])).toMatchObject({ code: 2 });
  expect(JSON.parse((await upgrade(undefined, "--dry-run")).stdout)).toMatchObject({
    dryRun: true,
    action: "upgraded",
  });
});
