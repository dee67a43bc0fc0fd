// The person's own settings, in their own configuration directory: `config.json` beside the saved logins. Secrets have
// no place in it.
import { join } from "node:path";

import { configDirectory } from "../files/user-directories.ts";
import { formats } from "../flags/global-flags.ts";
import type { Io } from "../io/io.ts";
import { oneOf, owner, readSettingsFile } from "./settings-file.ts";
import { parseOrigin, type UserConfig } from "./settings.ts";

export const userConfigPath = (env: Io["env"]): string => join(configDirectory(env), "config.json");

/** What the person has settled; null where there is no file. @throws Failure usage */
export const readUserConfig = (env: Io["env"]): Promise<UserConfig | null> =>
  readSettingsFile(userConfigPath(env), {
    members: { baseUrl: address, webUrl: address, format: oneOf(formats), owner },
    hintFor: (name) =>
      /token|key|secret|password|credential/i.test(name)
        ? "Tokens are kept by plinth login, or given as SERVICE_TOKEN"
        : /^(projectSlug|visibility)$/.test(name)
          ? "That is for the .plinth.json of a project"
          : null,
  });

function address(value: unknown): string {
  const origin = typeof value === "string" ? parseOrigin(value) : { wrong: "is not an http or https address" };
  if (typeof origin === "string") return origin;
  throw new Error(origin.wrong);
}
