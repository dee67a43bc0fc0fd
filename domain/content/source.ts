// Makes a source ready to be published; jsx must compile.
import { AppError } from "@plinth/contract/errors";
import { modulesPath } from "@plinth/contract/api-paths";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { IMPORTABLE, withFamilies } from "@plinth/runtime/jsx-modules";

import { reauthorize } from "../access/authorize.ts";
import type { Context } from "../context.ts";
import type { FileSetRow } from "../access/resource.ts";
import { mayImportFiles } from "../render/jsx/files-beside.ts";
import type { PreparedFiles } from "../storage/prepared-files.ts";
import { pack, packText, type PreparedSource, type Rendering } from "../storage/pack.ts";
import { compileJsx, JsxError } from "../threads/jsx.ts";
import { importableFiles, packedFiles, type ImportableFiles } from "./importable-files.ts";
import { storedAs } from "./renderers.ts";
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
  files: FilesToImport,
): Promise<PreparedSource> {
  const rendering = type === "jsx" ? await compiledStill(context, workspaceId, text, files) : null;
  const { packedAhead } = context;
  const packed = packedAhead?.text === text ? packedAhead.take() : await pack(text);
  return { ...packed, rendering };
}

/** The files that a version is to have; asked for only where its text may import some. */
export type FilesToImport = () => Promise<FileSetRow | PreparedFiles | null>;

async function compiledStill(
  context: Context,
  workspaceId: string,
  text: string,
  files: FilesToImport,
): Promise<Rendering> {
  const ahead = context.compiledAhead;
  const source = await jsxSource(text, files);
  const isAhead = ahead?.source.text === text && ahead.source.beside?.sha256 === source.beside?.sha256;
  const rendering = await (isAhead ? ahead.made : compileFor(context, workspaceId, source));
  await reauthorize(context);
  return rendering;
}

/** A jsx text, with the files that it imports. */
export interface JsxSource {
  readonly text: string;
  readonly beside: ImportableFiles | null;
}

export const jsxSource = async (text: string, files: FilesToImport): Promise<JsxSource> => ({
  text,
  beside: mayImportFiles(text) ? importableFiles(text, await files()) : null,
});

/** What a renderer makes of jsx for the caller. @throws invalid_source, busy */
export async function compileFor(
  { principal, config, db }: Pick<Context, "principal" | "config" | "db">,
  workspaceId: string,
  { text, beside }: JsxSource,
): Promise<Rendering> {
  const { publicUrl, packageRegistry } = config;
  try {
    const files = beside === null ? null : await packedFiles(db, beside);
    const compiled = await compileJsx(text, workFor(principal, workspaceId), files);
    await requirePackages(db, packageRegistry, compiled.packages);
    return { renderer: storedAs("jsx", beside), data: await packText(JSON.stringify(compiled)) };
  } catch (error) {
    if (!(error instanceof JsxError)) throw error;
    const errors = error.problems.map(({ file, ...problem }) => ({
      path: file === undefined ? "content" : "files",
      ...problem,
    }));
    const modules = errors.some(({ unknownImport }) => unknownImport !== undefined) ? knownModules(publicUrl) : {};
    throw new AppError("invalid_source", errors[0]?.message ?? "The jsx does not compile", { ...modules, errors });
  }
}

/** Members of a problem that names an unknown import. */
function knownModules(publicUrl: string) {
  const modulesUrl = `${publicUrl}${modulesPath}`;
  return { hint: `${modulesUrl} lists the modules that JSX can import`, modulesUrl, modules: withFamilies(IMPORTABLE) };
}
