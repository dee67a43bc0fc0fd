// The person's own settings, in their own configuration directory: `config.json` beside the saved logins. Secrets have
// no place in it.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { withFileLock } from "../files/file-lock.ts";
import { replaceFile } from "../files/replace-file.ts";
import { configDirectory } from "../files/user-directories.ts";
import { formats } from "../flags/global-flags.ts";
import type { Io } from "../io/io.ts";
import { oneOf, owner, readSettingsFile } from "./settings-file.ts";
import { parseOrigin, type UserConfig } from "./settings.ts";

export const userConfigPath = (env: Io["env"]): string => join(configDirectory(env), "config.json");

/** The settings there are, and how each is read. */
export const userSettings = { baseUrl: address, webUrl: address, format: oneOf(formats), owner };

/** What the person has settled; null where there is no file. @throws Failure usage */
export const readUserConfig = (env: Io["env"]): Promise<UserConfig | null> =>
  readSettingsFile(userConfigPath(env), {
    members: userSettings,
    hintFor: (name) =>
      /token|key|secret|password|credential/i.test(name)
        ? "Tokens are kept by plinth login, or given as SERVICE_TOKEN"
        : /^(projectSlug|visibility)$/.test(name)
          ? "That is for the .plinth.json of a project"
          : null,
  });

type Members = UserConfig["members"];

/** Writes the changed settings, one process at a time. @throws Failure usage, Error of the system */
export async function changeUserConfig(env: Io["env"], change: (members: Members) => Members): Promise<string> {
  const path = userConfigPath(env);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await withFileLock(join(dirname(path), "config.lock"), async (lock) => {
    const members = change((await readUserConfig(env))?.members ?? {});
    await lock.assertHeld();
    await replaceFile(path, members);
  });
  return path;
}

function address(value: unknown): string {
  const origin = typeof value === "string" ? parseOrigin(value) : { wrong: "is not an http or https address" };
  if (typeof origin === "string") return origin;
  throw new Error(origin.wrong);
}
