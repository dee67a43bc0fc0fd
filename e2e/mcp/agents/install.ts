// Installs the coding agents that this folder's package.json pins. They have 1.5 GB, so the first test that needs them
// installs them, and `bun install` in the checkout does not. Knows no agent.
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { repository } from "../../harness/process.ts";

const installations = join(repository, ".plinth/agents");
const manifests = ["package.json", "bun.lock"] as const;

/** The folder whose `node_modules` has the agents; it lasts until a version changes. @throws if the installation fails */
export async function installAgents(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256").update(`${process.platform} ${process.arch}`);
  for (const name of manifests) hash.update(await readFile(join(import.meta.dir, name)));
  const folder = join(installations, hash.digest("hex").slice(0, 16));
  if (existsSync(folder)) return folder;
  await mkdir(installations, { recursive: true });
  // The folder gets its name when it is complete, so that another process never uses a part of it.
  const unfinished = await mkdtemp(join(installations, "unfinished-"));
  try {
    for (const name of manifests) await cp(join(import.meta.dir, name), join(unfinished, name));
    await runInstall(unfinished);
    await requireBinaries(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    // Another process was first, with the same files.
    if (!["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** Checks each package against its hash in the lock file, and runs none of their scripts. */
async function runInstall(folder: string): Promise<void> {
  const command = [process.execPath, "install", "--frozen-lockfile", "--ignore-scripts", "--no-progress"];
  const child = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const outputs = [child.stdout, child.stderr].map((stream) => new Response(stream).text());
  const [status, ...said] = await Promise.all([child.exited, ...outputs]);
  if (status !== 0) throw new Error(`The coding agents cannot be installed (status ${status})\n${said.join("")}`);
}

/** An agent's binaries are optional packages, one for each platform, and Bun only warns if one cannot be downloaded. */
async function requireBinaries(folder: string): Promise<void> {
  const { dependencies = {} } = await manifestOf(folder);
  for (const name of Object.keys(dependencies)) {
    const { optionalDependencies = {} } = await manifestOf(join(folder, "node_modules", name));
    if (!Object.keys(optionalDependencies).some((each) => each.includes(process.platform))) continue;
    const found = Object.keys(optionalDependencies).filter((each) => existsSync(join(folder, "node_modules", each)));
    if (found.length === 0) throw new Error(`${name} was installed without a binary for this platform`);
  }
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
