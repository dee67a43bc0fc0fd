// The lines by which people and agents get the command line of an instance, run as they stand: the script with the
// executable and with the npm package, npm and npx. Nothing asks a registry.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

import { installLine, npmLine } from "@plinth/contract/guides/install";

import { distributions } from "../harness/distributions.ts";
import { createFixtures, type Fixtures } from "../harness/fixtures.ts";
import { startInstance, type Instance } from "../harness/instance.ts";
import { hung, runToEnd, temporaryFolder } from "../harness/process.ts";

setDefaultTimeout(2 * hung);

const [binary, node] = distributions;
const nodeFolder = dirname(node.command[0] ?? "");
const machine = `plinth-${process.platform}-${process.arch}`;

let folder: string;
let clientDir: string;
let instance: Instance;
let fixtures: Fixtures;

beforeAll(async () => {
  folder = await temporaryFolder("install");
  clientDir = join(folder, "clients");
  await mkdir(clientDir);
  instance = await startInstance({ env: { CLIENT_DIR: clientDir } });
  fixtures = await createFixtures(instance);
}, hung);
afterAll(async () => {
  await instance.stop();
  await rm(folder, { recursive: true });
}, hung);

/** A home directory, and lines that run in it. */
async function user() {
  const home = await mkdtemp(join(folder, "home-"));
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    runToEnd(["/bin/sh", "-c", line], {
      cwd: home,
      env: {
        HOME: home,
        PATH: `${home}/.local/bin:${nodeFolder}:/usr/bin:/bin`,
        // A registry that answers nothing.
        npm_config_registry: "http://127.0.0.1:1/",
        npm_config_cache: join(home, "npm-cache"),
        npm_config_update_notifier: "false",
        npm_config_fetch_retries: "0",
        ...env,
      },
    });
  return { home, run, plinth: join(home, ".local/bin/plinth") };
}

const hasCurl = Bun.which("curl") !== null;

test.skipIf(!hasCurl)(
  "the line installs the npm package where the instance has no executable, and plinth publishes to the instance",
  async () => {
    const { home, run, plinth } = await user();
    const { code, stdout, stderr } = await run(installLine(instance.origin));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^plinth \d+\.\d+\.\d+ is in .*\/\.local\/bin\nSign in with: plinth login\n$/);
    expect(await readFile(plinth, "utf8")).toStartWith("#!/usr/bin/env node");
    expect(JSON.parse(await readFile(join(home, ".config/plinth/config.json"), "utf8"))).toEqual({
      baseUrl: instance.origin,
    });
    await writeFile(join(home, "hello.md"), "# Hello from npm\n");
    const pushed = await run(`plinth push hello.md --project-slug ${fixtures.project.slug} --field url`, {
      SERVICE_TOKEN: fixtures.owner.token,
    });
    expect(pushed).toMatchObject({
      code: 0,
      stdout: `${instance.origin}/${fixtures.owner.username}/${fixtures.project.slug}/hello-from-npm\n`,
    });
    const upgrade = JSON.parse((await run("plinth upgrade")).stdout) as { action: string; command: string };
    expect(upgrade).toMatchObject({
      action: "unchanged",
      command: `npm install --global ${instance.origin}/cli.tgz --prefix ${home}/.local`,
    });
    expect(await run(upgrade.command)).toMatchObject({ code: 0 });
    // Again, as an update.
    expect(await run(installLine(instance.origin))).toMatchObject({ code: 0, stderr: "" });
  },
);

test.skipIf(!hasCurl)(
  "the line installs the executable where the instance has one, in place of the package",
  async () => {
    const { run, plinth } = await user();
    expect(await run(installLine(instance.origin))).toMatchObject({ code: 0 });
    await release();
    try {
      const { code, stderr } = await run(installLine(instance.origin), { PATH: "/usr/bin:/bin" });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(Bun.hash(await readFile(plinth))).toBe(Bun.hash(await readFile(binary.command[0] ?? "")));
      expect(await run(`${plinth} health --field status`)).toMatchObject({ code: 0 });
      expect(await run("plinth upgrade")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('"action":"unchanged"'),
        stderr: expect.stringContaining(`is what ${instance.origin} hands out`),
      });
      await release(new TextEncoder().encode("#!/bin/sh\necho 9.9.9\n"));
      const upgraded = await run("plinth upgrade");
      expect({ code: upgraded.code, ...(JSON.parse(upgraded.stdout) as object) }).toMatchObject({
        code: 0,
        action: "upgraded",
        version: "9.9.9",
        command: null,
      });
      expect(await run("plinth")).toMatchObject({ stdout: "9.9.9\n" });
      // And back.
      await rm(join(clientDir, "VERSION"));
      expect(await run(installLine(instance.origin))).toMatchObject({ code: 0, stderr: "" });
      expect(await readFile(plinth, "utf8")).toStartWith("#!/usr/bin/env node");
    } finally {
      await rm(join(clientDir, "VERSION"), { force: true });
    }
  },
);

test("npm installs the package by its URL, and npx runs it", async () => {
  const { home, run } = await user();
  const installed = await run(`${npmLine(instance.origin)} --prefix ${home}/.local --no-audit --no-fund`);
  expect(installed).toMatchObject({ code: 0 });
  expect(existsSync(join(home, ".local/bin/plinth"))).toBe(true);
  expect(await run("plinth --version")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
  const ran = await run(`npx --yes ${instance.origin}/cli.tgz health --field status`, {
    SERVICE_BASE_URL: instance.origin,
  });
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(pass|warn)\n$/) });
});

/** Puts the executable, or a program in its place, where the instance looks, as `bun run release:cli` does. */
async function release(given?: Uint8Array): Promise<void> {
  const bytes = given ?? (await readFile(binary.command[0] ?? ""));
  const gzipped = gzipSync(bytes, { level: 1 });
  const sum = (content: Uint8Array) => new Bun.CryptoHasher("sha256").update(content).digest("hex");
  await writeFile(join(clientDir, `${machine}.gz`), gzipped);
  await writeFile(join(clientDir, "SHA256SUMS"), `${sum(bytes)}  ${machine}\n${sum(gzipped)}  ${machine}.gz\n`);
  const { version } = (await Bun.file(join(import.meta.dir, "../../cli/package.json")).json()) as { version: string };
  await writeFile(join(clientDir, "VERSION"), `${version}\n`);
}
