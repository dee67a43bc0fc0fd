// The browser in the npm package: unpacks it once for this user and machine, and describes its requirements.
import { existsSync } from "node:fs";
import { chmod, lstat, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** How to start it. */
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

/** The package has the major version of its browser. */
export const packagedMajor = async (): Promise<number> => Number((await packageVersion()).split(".")[0]);

/**
 * Unpacks the browser into a folder that later starts reuse: it is 250 MB, and unpacking takes seconds. @throws Error
 * where the folder belongs to another user
 */
export async function unpackBrowser(): Promise<BrowserProgram> {
  const folder = join(tmpdir(), `plinth-chromium-${await packageVersion()}-${process.getuid?.()}`);
  if (!existsSync(folder)) await unpack(folder);
  const { uid, mode } = await lstat(folder);
  // Any user may write to the system's temporary folder: a program that is started from there must belong to this user.
  if (uid !== process.getuid?.() || (mode & 0o022) !== 0) throw new Error(`${folder} belongs to another user`);
  return {
    path: join(folder, "chromium"),
    flags: ["--headless=shell"],
    environment: {
      // The package contains the libraries (NSS, expat) and fonts that a minimal machine lacks.
      LD_LIBRARY_PATH: join(folder, "al2023", "lib"),
      ...(existsSync("/etc/fonts/fonts.conf") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") }),
    },
  };
}

/** In a separate process, beside the final folder, and moved there when it is complete. */
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
    // Another Plinth process was faster.
    if (!existsSync(folder) || (await readdir(folder)).length === 0) throw error;
  }
}
