// Resolves the name of an artifact or project: its identifier, its URL on this instance, or its names with slashes. A
// URL of another instance is refused, because the same name here means another artifact.
import type { Context } from "../command/context.ts";
import { usage } from "../failure/failure.ts";
import { ownName } from "./project-artifacts.ts";

type Origins = Pick<Context["settings"], "baseUrl" | "webUrl">;

export interface ArtifactPath {
  readonly owner: string;
  readonly projectSlug: string;
  readonly slug: string;
}

/** What the flag says of itself wherever it is. */
export const artifactHint = "an identifier, an address, or owner/project/slug";

/** The artifact's path where the text names it by one; null where it is an identifier. @throws Failure usage */
export function artifactPathOf(given: string, { settings }: { readonly settings: Origins }): ArtifactPath | null {
  if (!given.includes("/")) return null;
  const [owner, projectSlug, slug, ...rest] = placeOf(given, settings);
  const isWhole = [owner, projectSlug, slug].every((name) => name !== undefined && isName(name));
  if (isWhole && rest.length === 0) return { owner: owner ?? "", projectSlug: projectSlug ?? "", slug: slug ?? "" };
  throw usage("That names no artifact", { hint: `Give ${artifactHint}` });
}

interface ProjectPath {
  /** Null where only the project's slug was given. */
  readonly owner: string | null;
  readonly projectSlug: string;
}

/** The project that `owner/project`, its address or its slug alone names. @throws Failure usage */
export function projectPathOf(given: string, settings: Origins): ProjectPath {
  const [first = "", second, ...rest] = placeOf(given, settings);
  if (rest.length === 0 && isName(first)) {
    if (second === undefined) return { owner: null, projectSlug: first };
    if (isName(second)) return { owner: first, projectSlug: second };
  }
  throw usage("That names no project", { hint: "Give owner/project, or the address of the project" });
}

/** The versions that the address of an artifact's page names: `?v=3`, and `?from=2&to=3` of its history. */
export function versionsIn(given: string): { readonly [name in "version" | "from" | "to"]?: number } {
  const url = /[/?]/.test(given) && URL.canParse(given, "http://localhost") ? new URL(given, "http://localhost") : null;
  const number = (name: string): number | undefined => {
    const text = url?.searchParams.get(name) ?? "";
    return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
  };
  const found = { version: number("v"), from: number("from"), to: number("to") };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const isName = (name: string): boolean => /^[a-z0-9-]+$/.test(name);

/** The names in a path or an address, in their order. */
function placeOf(given: string, settings: Origins): string[] {
  const hosts = [settings.baseUrl, settings.webUrl].map((origin) => new URL(origin).host);
  // As people copy it from the bar of a browser.
  const isWithoutScheme = hosts.some((host) => given.startsWith(`${host}/`));
  if (isWithoutScheme || /^https?:/i.test(given))
    return pathOfAddress(isWithoutScheme ? `${new URL(settings.baseUrl).protocol}//${given}` : given, settings).split(
      "/",
    );
  return given.replace(/[?#].*$/s, "").split("/");
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

/** The same of a project, whose slug alone is of the caller's account. @throws Failure usage, ProblemError */
export async function projectIdOf(given: string, context: Context): Promise<string> {
  if (/^prj_\w+$/i.test(given)) return given;
  const { owner, projectSlug } = projectPathOf(given, context.settings);
  if (context.settings.dryRun)
    throw usage("--dry-run sends nothing, and so cannot ask for the project's identifier", {
      hint: "Give the identifier",
      next: `plinth path project ${owner === null ? "" : `${owner}/`}${projectSlug} --field projectId`,
    });
  const client = await context.api();
  const path = { owner: owner ?? (await ownName(client)), projectSlug };
  return (await client.call("project.getByPath", path)).projectId;
}

function pathOfAddress(given: string, { baseUrl, webUrl }: Origins): string {
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
