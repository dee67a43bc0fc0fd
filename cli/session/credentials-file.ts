// The file `login` keeps its tokens in: by origin, mode 0600 in a directory of 0700, replaced whole, by one process at
// a time (docs/reference/experience.md §2, "Token"). Sends nothing and says no token aloud.
import { chmod, mkdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { memberOf } from "@plinth/platform/malformed";

import { usage } from "../failure/failure.ts";
import { codeOf, isCode } from "../failure/system-error.ts";
import { withFileLock } from "../files/file-lock.ts";
import { hasFileModes, replaceFile } from "../files/replace-file.ts";
import { configDirectory } from "../files/user-directories.ts";
import type { Io } from "../io/io.ts";

export interface SavedLogin {
  readonly token: string;
  /** What the credential is called on the server. */
  readonly label: string;
  readonly username: string | null;
  /** ISO 8601. */
  readonly since: string;
  readonly expiresAt: string | null;
  /** Made by `login`, and so ended by `logout`; a token that was brought along is not. */
  readonly issued: boolean;
}

type Env = Io["env"];

export const credentialsFile = (env: Env): string => join(configDirectory(env), "credentials.json");

/** The login kept for this origin; null where there is none. @throws Failure usage where the file cannot be understood */
export async function savedLogin(
  env: Env,
  origin: string,
  warn: (message: string) => void,
): Promise<SavedLogin | null> {
  const path = credentialsFile(env);
  const entry = (await readOrigins(path))[origin];
  if (entry === undefined) return null;
  if (hasFileModes && ((await stat(path)).mode & 0o077) !== 0)
    warn(`Others on this machine may read ${path}; "chmod 600" it, or sign in again, which narrows it`);
  const token = memberOf(entry, "token");
  if (typeof token !== "string") return null;
  const text = (name: string): string | null => {
    const value = memberOf(entry, name);
    return typeof value === "string" ? value : null;
  };
  return {
    token,
    label: text("label") ?? "",
    username: text("username"),
    since: text("since") ?? "",
    expiresAt: text("expiresAt"),
    issued: memberOf(entry, "issued") === true,
  };
}

/** Keeps a login for an origin; the entries of other origins stay as they are. @throws Failure usage */
export async function saveLogin(env: Env, origin: string, login: SavedLogin): Promise<void> {
  await changeOrigins(env, (origins) => ({ ...origins, [origin]: login }));
}

/** Forgets the login of an origin, and the file with the last of them. @throws Failure usage */
export async function forgetLogin(env: Env, origin: string): Promise<void> {
  await changeOrigins(env, (origins) => {
    const { [origin]: _forgotten, ...others } = origins;
    return others;
  });
}

type Origins = Readonly<Record<string, unknown>>;

async function changeOrigins(env: Env, change: (origins: Origins) => Origins): Promise<void> {
  const path = credentialsFile(env);
  const directory = dirname(path);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if (hasFileModes) await chmod(directory, 0o700);
    await withFileLock(join(directory, "credentials.lock"), async (lock) => {
      const origins = change(await readOrigins(path));
      await lock.assertHeld();
      await (Object.keys(origins).length === 0 ? rm(path, { force: true }) : replaceFile(path, { origins }));
    });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw usage(`${path} cannot be written`, { hint: "Is the directory yours, and is there room?", cause: error });
  }
}

/** The file is `{"origins": {"https://…": {"token": "…"}}}`. */
async function readOrigins(path: string): Promise<Origins> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return {};
    throw usage(`${path} cannot be read`, { cause: error });
  }
  try {
    const origins = memberOf(JSON.parse(text) as unknown, "origins");
    return typeof origins === "object" && origins !== null ? (origins as Origins) : {};
  } catch (error) {
    throw usage(`${path} is not JSON`, { hint: "Move it away, or give --token", cause: error });
  }
}
