// The released forms: the npm package as npm installs it, and that files of the working directory influence neither
// form.
import { afterAll, describe, expect, test } from "bun:test";
import { mkdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { distributions } from "../harness/distributions.ts";
import { type Running, runToEnd, temporaryFolder, withinHung } from "../harness/process.ts";

const [, node] = distributions;
const packageFolder = dirname(node.command[1] ?? "");
const folder = await temporaryFolder("distribution");
afterAll(() => rm(folder, { recursive: true }));

const runIn = (words: readonly string[], { env, ...options }: Running = {}) =>
  runToEnd(words, {
    cwd: folder,
    env: { HOME: folder, PATH: `${dirname(node.command[0] ?? "")}:/usr/bin:/bin`, ...env },
    ...options,
  });

/** The files that the script loads when a command needs them. */
const loadedFiles =
  "any-ascii audit-text by-browser completion deleted-artifact diff jq jsonc managed-block oauth own-title pull \
references replace-executable saved-files undici"
    .split(" ")
    .map((name) => `${name}.js`);

/** The first output that a person sees. */
async function onTerminal(words: readonly string[]): Promise<string> {
  const seen = Promise.withResolvers<string>();
  const data = (_: unknown, bytes: Uint8Array) => seen.resolve(new TextDecoder().decode(bytes));
  const terminal = new Bun.Terminal({ cols: 100, rows: 24, data });
  const child = Bun.spawn([...words], { cwd: folder, env: { HOME: folder, PATH: "/usr/bin:/bin" }, terminal });
  const both = Promise.all([seen.promise, child.exited]);
  const [first] = await withinHung(both, () => `${words.join(" ")} hung`);
  terminal.close();
  return first;
}

describe("the npm package", () => {
  test("is a script under 400 KB for Node 20 and some that few runs load, and installing it runs nothing and fetches nothing", async () => {
    const about = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as Record<string, unknown>;
    expect(Object.keys(about)).toEqual(
      expect.not.arrayContaining(["scripts", "dependencies", "optionalDependencies", "peerDependencies"]),
    );
    expect(about).toMatchObject({ type: "module", bin: { plinth: "plinth.js" }, engines: { node: ">=20" } });
    expect((await stat(join(packageFolder, "plinth.js"))).size).toBeLessThan(400_000);
    const script = await readFile(join(packageFolder, "plinth.js"), "utf8");
    expect(script).toStartWith("#!/usr/bin/env node\n");
    // It loads no other file of its folder.
    const loaded = new Set(script.match(/\w\("\.{1,2}\/[^"]*"\)/g));
    expect([...loaded].toSorted()).toEqual(loadedFiles.map((file) => `t("./${file}")`));
  });

  test("installs as npm packs it, and runs", async () => {
    const npm = ["npm", "--offline", "--no-audit", "--no-fund", "--no-update-notifier", `--cache=${folder}/cache`];
    const packed = await runIn([...npm, "pack", "--json", `--pack-destination=${folder}`, packageFolder]);
    expect({ code: packed.code, stderr: packed.stderr }).toMatchObject({ code: 0 });
    const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }];
    const packedFiles = ["LICENSE", "README.md", "package.json", "plinth.js", ...loadedFiles];
    expect(files.map(({ path }) => path).toSorted()).toEqual(packedFiles.toSorted());
    const prefix = join(folder, "prefix");
    const install = [...npm, "install", "--global", "--ignore-scripts", `--prefix=${prefix}`, join(folder, filename)];
    expect(await runIn(install)).toMatchObject({ code: 0 });
    const plinth = join(prefix, "bin/plinth");
    expect(await runIn([plinth, "--version"])).toMatchObject({ code: 0, stdout: `${String(await version())}\n` });
    await writeFile(join(folder, "foreign.md"), "# Отчёт\n");
    expect(await runIn([plinth, "push", "--project-slug", "a", "foreign.md", "--dry-run"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"slug":"otchet"'),
    });
    expect(await runIn([plinth, "status", "--field", "baseUrl"])).toMatchObject({ stdout: "http://localhost:3000\n" });
  });
});

const version = async (): Promise<unknown> =>
  (JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8")) as { version: unknown }).version;

for (const { name, command } of distributions)
  describe(name, () => {
    test("says its version alone, and as JSON its build, which servers are told too", async () => {
      expect(await runIn([...command, "--version"])).toEqual({
        code: 0,
        stdout: `${String(await version())}\n`,
        stderr: "",
      });
      const { stdout } = await runIn([...command, "--version", "--format", "json"]);
      const about = JSON.parse(stdout) as { version: string; build: string };
      expect(about).toEqual({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        build: expect.stringMatching(/^([0-9a-f]{7,}(-dirty)?|unknown)$/),
      });
      const agents: (string | null)[] = [];
      const server = Bun.serve({
        port: 0,
        fetch(request) {
          agents.push(request.headers.get("user-agent"));
          return Response.json({});
        },
      });
      await runIn([...command, "whoami"], { env: { SERVICE_BASE_URL: server.url.origin, SERVICE_TOKEN: "plk_x" } });
      await server.stop(true);
      expect(agents).toEqual([`plinth/${about.version} (${about.build})`]);
    });

    test("says in one error object that its output has no room, and never prints its own source", async () => {
      for (const words of ["schema", "schema --compact", "status", "completion bash"]) {
        const script = `"$@" ${words} > /dev/full`;
        const { code, stderr } = await runIn(["/bin/sh", "-c", script, "sh", ...command]);
        expect({ words, code, error: JSON.parse(stderr) }).toMatchObject({
          words,
          code: 1,
          error: { error: { code: "internal", detail: "Standard output cannot be written (ENOSPC)" } },
        });
      }
    });

    test("refuses a file of 3 GiB before it is read", async () => {
      await writeFile(join(folder, "huge.md"), "# Huge\n");
      await truncate(join(folder, "huge.md"), 3 * 1024 ** 3);
      const words = ["push", "--project-slug", "a", "huge.md", "--ensure"];
      const { code, stdout, stderr } = await runIn([...command, ...words]);
      expect({ code, stdout, error: JSON.parse(stderr) }).toMatchObject({
        code: 7,
        stdout: "",
        error: { error: { detail: "huge.md has 3,221,225,472 bytes; the limit is 16,777,216 bytes" } },
      });
    });

    test("runs nothing of the folder it is in, and takes no settings from its .env", async () => {
      const hostile = join(folder, `hostile-${name}`);
      await mkdir(hostile);
      const mark = `require("node:fs").writeFileSync(${JSON.stringify(join(hostile, "ran"))}, "")`;
      for (const [file, text] of Object.entries({
        "bunfig.toml": 'preload = ["./evil.js"]\n[run]\npreload = ["./evil.js"]\n',
        "evil.js": mark,
        ".env": "SERVICE_TOKEN=plk_planted\nSERVICE_BASE_URL=https://evil.example\n",
        ".env.local": "SERVICE_TOKEN=plk_planted\n",
        "package.json": '{"type": "commonjs", "imports": {"#x": "./evil.js"}, "main": "evil.js"}',
        "tsconfig.json": '{"compilerOptions": {"paths": {"*": ["./evil.js"]}}}',
      }))
        await writeFile(join(hostile, file), text);
      const { code, stdout } = await runIn([...command, "status"], { cwd: hostile });
      expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
        code: 0,
        baseUrl: "http://localhost:3000",
        credential: null,
      });
      expect(await Bun.file(join(hostile, "ran")).exists()).toBe(false);
    });

    test("answers the catalogue from a precomputed text as if it had been run, with any settings, and refuses wrong input", async () => {
      const config = async (text: string) => {
        const home = join(folder, `config-${name}-${Bun.hash(text)}`);
        await mkdir(join(home, ".config/plinth"), { recursive: true });
        await writeFile(join(home, ".config/plinth/config.json"), text);
        return { HOME: home };
      };
      const settled: NonNullable<Running["env"]>[] = [
        {},
        { SERVICE_FORMAT: "text" },
        { SERVICE_FORMAT: "json", SERVICE_DEBUG: "1", CI: "1", NO_COLOR: "1", TERM: "dumb" },
        { SERVICE_BASE_URL: "https://plinth.example", SERVICE_TOKEN: "plk_x" },
        await config('{"format": "text"}'),
        await config('{"format": "json", "baseUrl": "https://plinth.example"}'),
        { SERVICE_FORMAT: "json", ...(await config('{"format": "text"}')) },
      ];
      const wrong: typeof settled = [
        { SERVICE_FORMAT: "xml" },
        { SERVICE_BASE_URL: "plinth" },
        { SERVICE_WEB_URL: "https://plinth.example/path" },
        await config("{"),
        await config('{"token": "plk_x"}'),
      ];
      for (const words of [["schema"], ["schema", "--compact"]])
        for (const env of [...settled, ...wrong]) {
          const plain = await runIn([...command, ...words], { env });
          // The flag has no effect, but turns off the precomputed output.
          expect(plain, JSON.stringify({ words, env })).toEqual(
            await runIn([...command, ...words, "--quiet"], { env }),
          );
          expect(plain, JSON.stringify({ words, env })).toMatchObject(
            wrong.includes(env) ? { code: 2, stdout: "" } : { code: 0, stderr: "" },
          );
        }
      expect(await runIn([...command, "schema --compact"])).toMatchObject({ code: 2, stdout: "" });
      expect(await onTerminal([...command, "schema", "--compact"])).toStartWith("login ");
    }, 120_000);

    test("keeps a login that is brought along, and finds it again", async () => {
      const home = join(folder, `home-${name}`);
      await mkdir(home);
      const profile = { username: "ada", credential: { label: "ci" } };
      const server = Bun.serve({ port: 0, fetch: () => Response.json(profile) });
      const env = { HOME: home, SERVICE_BASE_URL: server.url.origin };
      const brought = await runIn([...command, "login", "--token-stdin"], { env, stdin: "plk_brought0123456789" });
      await server.stop(true);
      expect(brought).toMatchObject({ code: 0 });
      const { stdout } = await runIn([...command, "status", "--format", "json"], { env });
      expect(JSON.parse(stdout)).toMatchObject({ login: { username: "ada", label: "ci" } });
    });
  });
