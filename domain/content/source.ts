// Makes a source ready to be published; jsx must compile.
import { AppError } from "@plinth/contract/errors";
import { modulesPath } from "@plinth/contract/api-paths";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { IMPORTABLE, withFamilies } from "@plinth/runtime/jsx-modules";

import { reauthorize } from "../access/authorize.ts";
import type { Context } from "../context.ts";
import { rendererVersion } from "../render/version.ts";
import { pack, packText, type PreparedSource, type Rendering } from "../storage/pack.ts";
import { compileJsx, JsxError } from "../threads/jsx.ts";
import { requirePackages } from "./require-packages.ts";
import { workFor } from "./work.ts";

/**
 * Expects a text whose size has been checked. Compilers are waited for, so access is decided again afterwards.
 * @throws invalid_source, busy, and what reauthorize does
 */
export async function prepare(
  context: Context,
  { type, workspaceId }: { readonly type: ArtifactType; readonly workspaceId: string },
  text: string,
): Promise<PreparedSource> {
  const rendering = type === "jsx" ? await compiledStill(context, workspaceId, text) : null;
  return { ...(await pack(text)), rendering };
}

async function compiledStill(context: Context, workspaceId: string, text: string): Promise<Rendering> {
  const ahead = context.compiledAhead;
  const rendering = await (ahead?.text === text ? ahead.made : compileFor(context, workspaceId, text));
  await reauthorize(context);
  return rendering;
}

/** What a renderer makes of jsx for the caller. @throws invalid_source, busy */
export async function compileFor(
  { principal, config, db }: Pick<Context, "principal" | "config" | "db">,
  workspaceId: string,
  text: string,
): Promise<Rendering> {
  const { publicUrl, packageRegistry } = config;
  try {
    const compiled = await compileJsx(text, workFor(principal, workspaceId));
    await requirePackages(db, packageRegistry, compiled.packages);
    return { renderer: rendererVersion.jsx, data: await packText(JSON.stringify(compiled)) };
  } catch (error) {
    if (!(error instanceof JsxError)) throw error;
    const errors = error.problems.map((problem) => ({ path: "content", ...problem }));
    const modules = errors.some(({ unknownImport }) => unknownImport !== undefined) ? knownModules(publicUrl) : {};
    throw new AppError("invalid_source", errors[0]?.message ?? "The jsx does not compile", { ...modules, errors });
  }
}

/** Members of a problem that names an unknown import. */
function knownModules(publicUrl: string) {
  const modulesUrl = `${publicUrl}${modulesPath}`;
  return { hint: `${modulesUrl} lists the modules that JSX can import`, modulesUrl, modules: withFamilies(IMPORTABLE) };
}
