// Packs the npm package of the command line for an instance to hand out (api/client): cli.tgz and its SHA256SUMS in
// cli/dist/client.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { buildScript, cliInputs, npmFolder } from "./build-cli.ts";
import { install } from "./install.ts";
import { ensure, root } from "./step.ts";

const folder = "cli/dist/client";
/** npm names the folder in a package so. */
const folderInPackage = "package";

/** Builds cli/dist/client unless it is up to date. The dependencies are installed. */
export function buildClient(): void {
  ensure({
    name: "building the command-line client that this instance hands out",
    source: "cli/main.ts",
    inputs: [...cliInputs, "cli/npm-readme.md", "scripts/build-cli.ts", "scripts/build-client.ts"],
    output: `${folder}/SHA256SUMS`,
    arguments: ["scripts/build-client.ts"],
  });
}

async function pack(): Promise<void> {
  const files = Object.fromEntries(
    readdirSync(join(root, npmFolder))
      .toSorted()
      .map((name) => [`${folderInPackage}/${name}`, readFileSync(join(root, npmFolder, name))]),
  );
  const bytes = await new Bun.Archive(files, { compress: "gzip" }).bytes();
  mkdirSync(join(root, folder), { recursive: true });
  // Replaced whole: an instance may be reading it.
  replace("cli.tgz", bytes);
  replace("SHA256SUMS", `${new Bun.CryptoHasher("sha256").update(bytes).digest("hex")}  cli.tgz\n`);
}

function replace(name: string, content: string | Uint8Array): void {
  const path = join(root, folder, name);
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}

if (import.meta.main) {
  install();
  buildScript();
  await pack();
}
