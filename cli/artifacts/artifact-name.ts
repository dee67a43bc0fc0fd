// Which artifact is meant: its identifier, its address on this instance, or `owner/project/slug`. An address of another
// instance is refused: what is of the same name here is another artifact.
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";

export interface ArtifactPath {
  readonly owner: string;
  readonly projectSlug: string;
  readonly slug: string;
}

/** What the flag says of itself wherever it is. */
export const artifactHint = "an identifier, an address, or owner/project/slug";

/** The artifact's path where the text names it by one; null where it is an identifier. @throws Failure usage */
export function artifactPathOf(given: string, { settings }: Pick<Context, "settings">): ArtifactPath | null {
  if (!given.includes("/")) return null;
  const path = /^https?:/i.test(given) ? pathOfAddress(given, settings) : given;
  const [owner, projectSlug, slug, ...rest] = path.split("/");
  const isWhole = [owner, projectSlug, slug].every((name) => name !== undefined && /^[a-z0-9-]+$/.test(name));
  if (isWhole && rest.length === 0) return { owner: owner ?? "", projectSlug: projectSlug ?? "", slug: slug ?? "" };
  throw usage("That names no artifact", { hint: `Give ${artifactHint}` });
}

/** The identifier, which the server is asked for where another name was given. @throws Failure usage, ProblemError */
export async function artifactIdOf(given: string, context: Context): Promise<string> {
  const path = artifactPathOf(given, context);
  if (path === null) return given;
  if (context.settings.dryRun)
    throw usage("--dry-run sends nothing, and so cannot ask for the artifact's identifier", {
      hint: "Give the identifier, or ask the server with --check where the command takes it",
      next: `plinth path artifact --owner ${path.owner} --project-slug ${path.projectSlug} --slug ${path.slug} --field artifactId`,
    });
  return (await (await context.api()).call("artifact.getByPath", path)).artifactId;
}

/** The one artifact that a command is about, named by a flag or a word. @throws Failure usage */
export function onlyArtifact(command: string, flag: unknown, words: readonly string[]): string {
  const [name, ...more] = [...(typeof flag === "string" ? [flag] : []), ...words];
  if (more.length > 0) throw usage("The artifact is named twice", { hint: "Quote values that hold spaces" });
  if (name === "." || name === "..") throw usage("That names no artifact", { hint: `Give ${artifactHint}` });
  if (name !== undefined && name !== "") return name;
  throw usage(`${command} needs an artifact`, { hint: `Give ${artifactHint}`, next: `plinth ${command} --help` });
}

function pathOfAddress(given: string, { baseUrl, webUrl }: Context["settings"]): string {
  const url = URL.canParse(given) ? new URL(given) : null;
  if (url === null) throw usage("That is no address of an artifact", { hint: `Give ${artifactHint}` });
  if (url.origin !== baseUrl && url.origin !== webUrl)
    throw usage(`The address leads to ${url.origin}, and not to ${baseUrl}`, {
      hint: `If you trust it, use --base-url ${url.origin}`,
    });
  if (url.pathname.startsWith("/share/"))
    throw usage("That is the address of a share link", {
      hint: "Give it as --share-token; it shows which artifact it opens",
      next: "plinth share resolve",
    });
  return url.pathname.slice(1).replace(/\/(?:(?:history|settings)\/?)?$/, "");
}
