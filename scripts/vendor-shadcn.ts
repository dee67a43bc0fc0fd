// Writes shadcn/ui's components of one commit into runtime/vendor/shadcn/, with the changes of changes.patch there.
// `--save` writes changes.patch again from the files as they are. `--from <folder>` reads a checkout instead of GitHub.
import { $ } from "bun";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";

const REPOSITORY = "https://raw.githubusercontent.com/shadcn-ui/ui";
const COMMIT = "1773ecfeeb4a04366978d353e69b5c7ded78dcb2";
const REGISTRY = "apps/v4/registry/new-york-v4";
const VENDOR = join(import.meta.dir, "../runtime/vendor/shadcn");
const PATCH = join(VENDOR, "changes.patch");

const { from, save } = parseArgs({ options: { from: { type: "string" }, save: { type: "boolean" } } }).values;

async function upstream(path: string): Promise<string> {
  if (from !== undefined) return $`git -C ${from} show ${`${COMMIT}:${path}`}`.text();
  const response = await fetch(`${REPOSITORY}/${COMMIT}/${path}`);
  if (!response.ok) throw new Error(`${path} of ${COMMIT}: ${response.status}`);
  return response.text();
}

// The bundler finds relative files without settings, and the compiler finds the parts of a component by them.
const withRelativeImports = (text: string): string =>
  text
    .replaceAll(
      /"@\/registry\/new-york-v4\/ui\/([\w-]+)"|"@\/components\/ui\/([\w-]+)"/g,
      (_, a, b) => `"./${a ?? b}.tsx"`,
    )
    .replaceAll(/"@\/(?:registry\/new-york-v4\/)?(lib|hooks)\/([\w-]+)"/g, '"../$1/$2.ts"');

/** The files as upstream has them, by their path in the vendor folder. */
async function upstreamFiles(): Promise<Map<string, string>> {
  const files = (await readdir(VENDOR, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  const entries = files.map(
    async (file) => [file, withRelativeImports(await upstream(`${REGISTRY}/${file}`))] as const,
  );
  return new Map([...(await Promise.all(entries)), ["LICENSE.md", await upstream("LICENSE.md")]]);
}

async function write(folder: string, files: Map<string, string>): Promise<void> {
  for (const [file, text] of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

const files = await upstreamFiles();
if (save) {
  const original = await mkdtemp(join(tmpdir(), "plinth-shadcn-"));
  await write(original, files);
  const changed: string[] = [];
  for (const file of [...files.keys()].sort()) {
    const { stdout, exitCode } = await $`git diff --no-index --no-color -U1 -- ${file} ${join(VENDOR, file)}`
      .cwd(original)
      .nothrow()
      .quiet();
    if (exitCode > 1) throw new Error(`git could not compare ${file}`);
    const hunks = stdout.toString().split("\n@@ ").slice(1);
    if (hunks.length > 0) changed.push(`--- a/${file}\n+++ b/${file}\n@@ ${hunks.join("\n@@ ")}`);
  }
  await rm(original, { recursive: true });
  await writeFile(PATCH, changed.join(""));
} else {
  await write(VENDOR, files);
  if ((await readFile(PATCH, "utf8")) !== "")
    await $`git apply --unidiff-zero --directory=runtime/vendor/shadcn ${PATCH}`.cwd(join(import.meta.dir, ".."));
}
console.log(
  `${files.size} files of ${COMMIT}; ${(await readFile(PATCH, "utf8")).split("\n@@ ").length - 1} changed places`,
);
