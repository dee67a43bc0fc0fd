// Owns the browser inside the npm package: unpacks it once for this user and machine, and says what it needs to start.
import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What starts it. */
export interface BrowserProgram {
  readonly path: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
}

const UNPACKING = new URL("./unpack.ts", import.meta.url).pathname;

async function packageVersion(): Promise<string> {
  const manifest = new URL("../package.json", import.meta.resolve("@sparticuz/chromium"));
  const { version } = (await Bun.file(manifest.pathname).json()) as { version: string };
  return version;
}

/** The package has its browser's number. */
export const packagedMajor = async (): Promise<number> => Number((await packageVersion()).split(".")[0]);

/**
 * Unpacks it into a folder that stays for the next start: it is 250 MB, and takes seconds.
 * @throws Error where somebody else's folder is in its place
 */
export async function unpackBrowser(): Promise<BrowserProgram> {
  const folder = join(tmpdir(), `plinth-chromium-${await packageVersion()}-${process.getuid?.()}`);
  if (!existsSync(folder)) await unpack(folder);
  const { uid, mode } = await lstat(folder);
  // Anybody may write into the system's temporary folder: what is started from there must be our own.
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to somebody else`);
  return {
    path: join(folder, "chromium"),
    flags: ["--headless=shell"],
    environment: {
      // The package brings the libraries (NSS, expat) and fonts that a bare machine lacks.
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") }),
    },
  };
}

/** In a process of its own, beside the folder, and moved into its place when it is whole. */
async function unpack(folder: string): Promise<void> {
  const beside = await mkdtemp(`${folder}-`);
  try {
    const unpacking = Bun.spawn([process.execPath, UNPACKING], {
      env: { TMPDIR: beside, HOME: beside, DO_NOT_TRACK: "1", BUN_ENABLE_CRASH_REPORTING: "0" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const complaint = await new Response(unpacking.stderr).text();
    if ((await unpacking.exited) !== 0) throw new Error(`The packaged browser could not be unpacked: ${complaint}`);
    await chmod(join(beside, "chromium"), 0o755);
    await chmod(beside, 0o755);
    await rename(beside, folder);
  } catch (error) {
    await rm(beside, { recursive: true, force: true });
    // Another process of ours was faster.
    if (!existsSync(folder) || (await readdir(folder)).length === 0) throw error;
  }
}
