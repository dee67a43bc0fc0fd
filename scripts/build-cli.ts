// Builds the command-line client in both forms: one self-contained executable, and an npm package without dependencies
// for Node 20 and newer. release-cli.ts builds executables for other machines.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import about from "../cli/package.json" with { type: "json" };
import { buildId } from "./build-id.ts";
import { install } from "./install.ts";
import { ensure, root } from "./step.ts";

export const cliInputs = ["cli", "contract", "platform", "bun.lock"];
export const npmFolder = "cli/dist/npm";
const precomputedFolder = "cli/dist/precomputed";

/** Build options of both forms. */
const both = ["--minify", `--define=PLINTH_BUILD=${JSON.stringify(buildId(cliInputs))}`];

/** Build options of the executable, without its name and target. */
export const executable = [
  "build",
  "--compile",
  "--bytecode",
  // In chunks, so that a command reads only the bytecode that it runs.
  "--splitting",
  "--format=esm",
  // A command ends before compiling to machine code pays off; otherwise compiling takes a third of the time.
  "--compile-jit-policy=100",
  // Otherwise the working directory takes effect: its bunfig.toml may name code to run first, its .env a token to send.
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-dotenv",
  // The path as cli/precomputed.ts sees it.
  `--define=PLINTH_PRECOMPUTED="./dist/precomputed"`,
  ...both,
  "cli/main.ts",
];

/**
 * Builds cli/dist/plinth and the package in cli/dist/npm unless they are up to date. The dependencies are installed.
 */
export function buildCli(): void {
  buildScript();
  ensure({
    name: "building the command-line client",
    source: "cli/main.ts",
    inputs: cliInputs,
    output: "cli/dist/plinth",
    arguments: [...executable, "--outfile=cli/dist/plinth"],
  });
}

/** Builds the package in cli/dist/npm, and with it the precomputed output that an executable contains. */
export function buildScript(): void {
  ensure({
    name: "building the command-line client for Node",
    source: "cli/main.ts",
    inputs: cliInputs,
    output: `${npmFolder}/plinth.js`,
    arguments: [
      "build",
      "--target=node",
      "--banner=#!/usr/bin/env node",
      ...seldomUsed.map(({ specifier, entry }) => `--external=${specifier.startsWith(".") ? `./${entry}` : specifier}`),
      ...both,
      `--outfile=${npmFolder}/plinth.js`,
      "cli/main.ts",
    ],
  });
  for (const { name, entry } of seldomUsed)
    ensure({
      name: `building ${name} for the command-line client`,
      source: "cli/main.ts",
      inputs: cliInputs,
      output: `${npmFolder}/${name}.js`,
      arguments: [
        "build",
        "--target=node",
        "--minify",
        ...(name === "by-browser" ? ["--external=oauth4webapi"] : []),
        `--outfile=${npmFolder}/${name}.js`,
        entry,
      ],
    });
  for (const name of ["plinth", "by-browser"]) loadFromBeside(join(root, npmFolder, `${name}.js`));
  writeFileSync(join(root, npmFolder, "package.json"), `${JSON.stringify(npmPackage, null, 2)}\n`);
  copyFileSync(join(root, "LICENSE"), join(root, npmFolder, "LICENSE"));
  copyFileSync(join(root, "cli/npm-readme.md"), join(root, npmFolder, "README.md"));
  precompute("schema.txt", ["schema"]);
  precompute("schema-compact.txt", ["schema", "--compact"]);
}

/** Modules that few commands load. Each is a separate file, because Node reads the whole script at every start. */
const seldomUsed = [
  // The table of other scripts, for titles that are not Latin.
  { name: "any-ascii", specifier: "any-ascii", entry: "contract/node_modules/any-ascii/any-ascii.js" },
  // Proxies and extra certificates, which Node 20 does not read from the environment.
  { name: "undici", specifier: "undici", entry: "cli/network/proxy-library.ts" },
  // jq itself, for --jq.
  { name: "jq", specifier: "jq-wasm/inline", entry: "cli/node_modules/jq-wasm/dist/inline.mjs" },
  // Signing in.
  { name: "oauth", specifier: "oauth4webapi", entry: "cli/node_modules/oauth4webapi/build/index.js" },
  // Signing in with the browser of the machine.
  { name: "by-browser", specifier: "../login/by-browser.ts", entry: "cli/login/by-browser.ts" },
  // The completion scripts.
  { name: "completion", specifier: "../completion/scripts.ts", entry: "cli/completion/scripts.ts" },
  // The sentences of audit events, in every language.
  { name: "audit-text", specifier: "../output/audit-text.ts", entry: "cli/output/audit-text.ts" },
  // Finding a deleted artifact by its address.
  {
    name: "deleted-artifact",
    specifier: "../artifacts/deleted-artifact.ts",
    entry: "cli/artifacts/deleted-artifact.ts",
  },
  // Where a settings file is no JSON.
  { name: "jsonc", specifier: "jsonc-parser/lib/esm/main.js", entry: "cli/node_modules/jsonc-parser/lib/esm/main.js" },
  // The files that go with documents, and the parsers that find them.
  {
    name: "references",
    specifier: "@plinth/contract/publishing/references/collect",
    entry: "contract/publishing/references/collect.ts",
  },
  // The title of an html document, and the parser that finds it.
  {
    name: "own-title",
    specifier: "@plinth/contract/publishing/own-title",
    entry: "contract/publishing/own-title.ts",
  },
  // Watching files.
  { name: "saved-files", specifier: "./saved-files.ts", entry: "cli/push/saved-files.ts" },
  // Writing a project to a folder.
  { name: "pull", specifier: "../pull/run.ts", entry: "cli/pull/run.ts" },
  // Upgrading an executable, which the npm package never is.
  {
    name: "replace-executable",
    specifier: "../upgrade/replace-executable.ts",
    entry: "cli/upgrade/replace-executable.ts",
  },
  // The block about Plinth in the files that agents read.
  { name: "managed-block", specifier: "../agent-init/managed-block.ts", entry: "cli/agent-init/managed-block.ts" },
  // The comparison of a local file.
  { name: "diff", specifier: "./local-diff.ts", entry: "cli/diff/local-diff.ts" },
] as const;

/** Makes the script load these packages from its own folder. */
function loadFromBeside(path: string): void {
  const script = readFileSync(path, "utf8");
  const beside = seldomUsed.reduce(
    (text, { name, specifier }) => text.replaceAll(`import("${specifier}")`, `import("./${name}.js")`),
    script,
  );
  if (beside !== script) writeFileSync(path, beside);
}

/** Records the output of the script, which has no precomputed output, for a command without any configuration. */
function precompute(file: string, words: readonly string[]): void {
  const folder = join(root, precomputedFolder);
  mkdirSync(folder, { recursive: true });
  const { exitCode, stdout } = Bun.spawnSync([process.execPath, join(root, npmFolder, "plinth.js"), ...words], {
    // Bun would write a cache to that home directory.
    env: { HOME: folder, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    stderr: "inherit",
  });
  if (exitCode !== 0) throw new Error(`plinth ${words.join(" ")} ended with ${exitCode}`);
  writeFileSync(join(folder, file), stdout);
}

/**
 * npm installs it by copying files: it has no dependencies and no install scripts (docs/decisions/command-line.md,
 * "Executable and npm package").
 */
const npmPackage = {
  name: "plinth-cli",
  version: about.version,
  description: "Publish markdown, html and jsx as immutable versions at durable addresses, from the command line",
  license: about.license,
  type: "module",
  bin: { plinth: "plinth.js" },
  files: ["plinth.js", ...seldomUsed.map(({ name }) => `${name}.js`)],
  engines: { node: ">=20" },
};

if (import.meta.main) {
  install();
  buildCli();
}
