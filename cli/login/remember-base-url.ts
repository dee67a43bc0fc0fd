// Keeps the address of `login --base-url` in the person's own file, so that the lines after it need no flag.
import { dirname, join } from "node:path";

import type { Context } from "../command/context.ts";
import { codeOf } from "../failure/system-error.ts";
import { alone } from "../files/file-lock.ts";
import { oneLine } from "../terminal/style.ts";
import { replaceFile } from "../files/replace-file.ts";
import { readUserConfig, userConfigPath } from "../session/user-config.ts";

/** Says where it is kept; a file that cannot be written fails no login. The directory is there: the login is in it. */
export async function rememberAddress({ settings, config, io, progress }: Context): Promise<void> {
  const { baseUrl, webUrl, sources } = settings;
  if (sources.baseUrl !== "--base-url" || config?.members.baseUrl === baseUrl) return;
  const path = userConfigPath(io.env);
  try {
    await alone(join(dirname(path), "config.lock"), async (lock) => {
      const { baseUrl: _before, webUrl: _its, ...others } = (await readUserConfig(io.env))?.members ?? {};
      await lock.stillHeld();
      // The web address of the instance before is not this one's.
      await replaceFile(path, { baseUrl, ...(webUrl !== baseUrl && { webUrl }), ...others });
    });
    progress(`Commands without --base-url use ${baseUrl} from now on (${oneLine(path)})`);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    progress(`${oneLine(path)} cannot be written; give --base-url ${baseUrl} or SERVICE_BASE_URL with each command`);
  }
}
