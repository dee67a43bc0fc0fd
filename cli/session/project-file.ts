// `.plinth.json`: where a repository is published, and whether privately. It comes with the repository, so it is no
// friend's: it can name neither an address nor a token, and make nothing public that would not be so without it.
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { usage } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";
import { oneOf, owner, readSettingsFile, slug, type SettingsFile } from "./settings-file.ts";

export type ProjectFile = SettingsFile<"owner" | "projectSlug" | "visibility">;

export const projectFileName = ".plinth.json";

const form = {
  members: { owner, projectSlug: slug, visibility: oneOf(["public", "private"]) },
  hintFor: (name: string) => {
    if (/token|key|secret|password|credential/i.test(name))
      return "Take it out and revoke it: tokens are kept by plinth login, or given as SERVICE_TOKEN";
    return /url|address|origin|host/i.test(name)
      ? "An address belongs on the line (--base-url), in SERVICE_BASE_URL, or in your own config.json"
      : null;
  },
};

/**
 * The nearest file from the working directory up to the root of its repository or the person's home; outside both,
 * the working directory's own. Null where there is none. @throws Failure usage
 */
export async function findProjectFile({ directory, env }: Pick<Io, "directory" | "env">): Promise<ProjectFile | null> {
  for (const place of await directoriesFrom(resolve(directory), env["HOME"])) {
    const file = await readSettingsFile(join(place, projectFileName), form);
    if (file === null) continue;
    await requireTrustedOwner(file, directory);
    return file;
  }
  return null;
}

async function directoriesFrom(directory: string, home: string | undefined): Promise<string[]> {
  const places: string[] = [];
  for (let place = directory; ; place = dirname(place)) {
    places.push(place);
    if (place === home || (await exists(join(place, ".git")))) return places;
    if (dirname(place) === place) return [directory];
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** In a parent directory that all users can write to, any of them could decide where this user publishes. */
async function requireTrustedOwner(file: ProjectFile, directory: string): Promise<void> {
  const { uid } = await stat(directory);
  if ([0, uid, process.getuid?.()].includes(file.owner)) return;
  throw usage(`${file.path} is neither yours nor of the owner of the directory you work in`, {
    hint: "Make it yours if you trust it; work elsewhere if not",
  });
}
