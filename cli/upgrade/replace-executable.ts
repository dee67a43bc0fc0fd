// Replaces the executable of the command line by the one that an instance hands out, after checking its SHA-256. A
// separate file of the npm package (scripts/build-cli.ts), so it throws nothing that other modules have to recognize.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

export interface Replacing {
  /** The executable's path. */
  readonly path: string;
  /** Its name among the executables of a release, such as plinth-linux-x64. */
  readonly name: string;
  readonly baseUrl: string;
  /** The instance's SHA256SUMS. */
  readonly sums: string;
  readonly send: (request: Request) => Promise<Response>;
}

export type Replaced =
  | { readonly action: "upgraded" | "unchanged"; readonly version: string }
  | { readonly refusal: "not_found" | "internal"; readonly detail: string };

/** Leaves the old executable in place unless the new one is complete, has the right checksum and runs. */
export async function replaceExecutable({ path, name, baseUrl, sums: list, send }: Replacing): Promise<Replaced> {
  const sums = checksums(list);
  const [plain, packed] = [sums.get(name), sums.get(`${name}.gz`)];
  if (packed === undefined) return refuse("not_found", `${baseUrl} has no executable for this machine (${name})`);
  const target = realpathSync(path);
  if (plain === sha256(readFileSync(target))) return { action: "unchanged", version: versionOf(target) };
  const answer = await send(new Request(`${baseUrl}/_cli/${name}.gz`));
  if (!answer.ok) return refuse("not_found", `${baseUrl} answered ${answer.status} for ${name}.gz`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (sha256(bytes) !== packed)
    return refuse("internal", `${name}.gz is not what SHA256SUMS says; nothing was replaced`);
  const fresh = `${target}.new-${process.pid}`;
  try {
    writeFileSync(fresh, gunzipSync(bytes));
    chmodSync(fresh, 0o755);
    const version = versionOf(fresh);
    // Windows replaces no program that runs, but renames it.
    if (process.platform === "win32") renameSync(target, `${target}.old`);
    renameSync(fresh, target);
    return { action: "upgraded", version };
  } catch (error) {
    const why = error instanceof Error ? error.message : "";
    return refuse("internal", `${target} could not be replaced: ${why}`);
  } finally {
    rmSync(fresh, { force: true });
  }
}

const refuse = (refusal: "not_found" | "internal", detail: string): Replaced => ({ refusal, detail });

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const checksums = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^([0-9a-f]{64}) [ *](\S+)$/gm)].map(([, sum = "", name = ""]) => [name, sum]));

/** @throws Error where the program does not run */
const versionOf = (path: string): string => execFileSync(path, ["--version"], { encoding: "utf8" }).trim();
