// `bun run release:cli [target …]`: builds the command line for every supported machine in cli/dist/release, where an
// instance of the same version finds it (api/client): each executable, the same gzipped, SHA256SUMS and VERSION. Bun
// downloads its files for another machine from npm once, and caches them.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

import about from "../cli/package.json" with { type: "json" };
import { buildScript, executable } from "./build-cli.ts";
import { install } from "./install.ts";
import { root, runBun } from "./step.ts";

/** Bun's names of the machines; those with x64 include processors without AVX2. */
const targets: Readonly<Record<string, string>> = {
  "linux-x64": "bun-linux-x64-baseline",
  "linux-x64-musl": "bun-linux-x64-baseline-musl",
  "linux-arm64": "bun-linux-arm64",
  "linux-arm64-musl": "bun-linux-arm64-musl",
  "darwin-x64": "bun-darwin-x64-baseline",
  "darwin-arm64": "bun-darwin-arm64",
  "windows-x64": "bun-windows-x64-baseline",
};

const folder = "cli/dist/release";
const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(targets);
install();
buildScript();
rmSync(join(root, folder), { recursive: true, force: true });
mkdirSync(join(root, folder), { recursive: true });
const sums: string[] = [];
for (const name of chosen) {
  const target = targets[name];
  if (target === undefined) fail(`no release is made for ${name}; there are ${Object.keys(targets).join(", ")}`);
  const file = `plinth-${name}${name.startsWith("windows") ? ".exe" : ""}`;
  const define = `--define=PLINTH_TARGET=${JSON.stringify(file.slice("plinth-".length))}`;
  if (runBun([...executable, define, `--target=${target}`, `--outfile=${folder}/${file}`]) !== 0)
    fail(`${file} could not be built; the first build for another machine fetches its Bun ${Bun.version} from npm`);
  const path = join(root, folder, file);
  await pipeline(createReadStream(path), createGzip({ level: 9 }), createWriteStream(`${path}.gz`));
  for (const name of [file, `${file}.gz`]) sums.push(`${await sha256(join(root, folder, name))}  ${name}\n`);
}
writeFileSync(join(root, folder, "SHA256SUMS"), sums.join(""));
writeFileSync(join(root, folder, "VERSION"), `${about.version}\n`);
console.error(`plinth: ${chosen.length} executables and SHA256SUMS are in ${folder}`);

async function sha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function fail(why: string): never {
  console.error(`plinth: ${why}`);
  process.exit(1);
}
