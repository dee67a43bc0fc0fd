// Makes a source ready to be published; jsx must compile.
import { AppError } from "@plinth/contract/errors";
import { modulesPath } from "@plinth/contract/api-paths";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";
import { IMPORTABLE, withFamilies } from "@plinth/runtime/jsx-modules";

import { reauthorize } from "../access/authorize.ts";
import type { Context } from "../context.ts";
import type { FileSetRow } from "../access/resource.ts";
import { mayImportFiles } from "../render/jsx/files-beside.ts";
import { packText, type PreparedSource, type Rendering } from "../storage/pack.ts";
import type { ChosenFiles, PreparedFiles } from "../storage/prepared-files.ts";
import type { SourceText } from "../storage/source-text.ts";
import { compileJsx, JsxError } from "../threads/jsx.ts";
import { importableFiles, packedFiles, type ImportableFiles } from "./importable-files.ts";
import { storedAs } from "./renderers.ts";
import { requirePackages } from "./require-packages.ts";
import { workFor } from "./work.ts";

/** The text and the files of a version, ready to be written. */
export interface PreparedVersion {
  readonly source: PreparedSource;
  readonly files: ChosenFiles;
}

/** The files that a version is to have; asked for only where its text may import some. */
export type FilesToImport = () => Promise<FileSetRow | PreparedFiles | null>;

/**
 * Expects a text whose size has been checked, and `compiled` of the same text, which is not compiled again unless what it
 * imports is another. Compilers are waited for, so access is decided again afterwards.
 * @throws invalid_source, busy, and what reauthorize does
 */
export async function prepareSource(
  context: Context,
  { type, workspaceId }: { readonly type: ArtifactType; readonly workspaceId: string },
  source: SourceText,
  files: FilesToImport,
  compiled: Rendering | null = null,
): Promise<PreparedSource> {
  const rendering = type === "jsx" ? await compile(context, workspaceId, source.text, files, compiled) : null;
  return { ...(await source.pack()), rendering };
}

async function compile(
  context: Context,
  workspaceId: string,
  text: string,
  files: FilesToImport,
  compiled: Rendering | null,
): Promise<Rendering> {
  const beside = mayImportFiles(text) ? importableFiles(text, await files()) : null;
  if (compiled?.renderer === storedAs("jsx", beside)) return compiled;
  const rendering = await compileFor(context, workspaceId, text, beside);
  await reauthorize(context);
  return rendering;
}

/** What a renderer makes of jsx for the caller. @throws invalid_source, busy */
async function compileFor(
  { principal, config, db }: Context,
  workspaceId: string,
  text: string,
  beside: ImportableFiles | null,
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
