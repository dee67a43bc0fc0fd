// Makes a source ready to be published; jsx must compile.
import { AppError } from "@plinth/contract/errors";
import { modulesPath } from "@plinth/contract/api-paths";
import type { ArtifactType, Missing } from "@plinth/contract/schemas/artifact";
import type { NotTaken } from "@plinth/contract/schemas/file";
import { IMPORTABLE, withFamilies } from "@plinth/runtime/jsx-modules";
import type { Database } from "@plinth/db/connection";

import { reauthorize } from "../access/authorize.ts";
import type { Context } from "../context.ts";
import type { FileSetRow } from "../access/resource.ts";
import { mayImportFiles } from "../render/jsx/files-beside.ts";
import { packText, type PreparedSource, type Rendering } from "../storage/pack.ts";
import type { ChosenFiles, PreparedFiles } from "../storage/prepared-files.ts";
import type { SourceText } from "../storage/source-text.ts";
import { compileJsx, JsxError, withFileName } from "../threads/jsx.ts";
import { importableFiles, packedFiles, type ImportableFiles } from "./importable-files.ts";
import { storedAs } from "./renderers.ts";
import { workFor } from "./work.ts";
import { keptBundle } from "../packages/keep.ts";
import { bundleRequest } from "../packages/bundle/make-bundle.ts";
import { mapUrl } from "../packages/cdn/map-url.ts";
import { isBundleWanted } from "../packages/cdn/package-file.ts";
import { absentPackages } from "../packages/existence.ts";
import { jsxReferences } from "../packages/find/jsx-references.ts";
import { type PackageImport, rootOf } from "../render/jsx/package-imports.ts";
import { mostProblems } from "../render/jsx/problems.ts";
import { unknownModule } from "../render/jsx/unknown.ts";

// Refuses a jsx document that imports a package that there is not, while it is published.

/** @param registryUrl null where no packages are fetched; then those are required to be kept. @throws JsxError */
async function requirePackages(
  db: Database,
  registryUrl: string | null,
  imports: readonly PackageImport[],
): Promise<void> {
  if (imports.length === 0) return;
  const absent = registryUrl === null ? await withoutRegistry(db, imports) : await inRegistry(registryUrl, imports);
  const problems = absent.map(({ specifier, use: _use, reason, ...place }) => {
    const { at: _at, ...problem } = unknownModule(specifier, 0, reason);
    return withFileName({ ...problem, ...place });
  });
  if (problems.length > 0) throw new JsxError(problems.slice(0, mostProblems));
}

type Absent = PackageImport & { readonly reason: string };

async function inRegistry(url: string, imports: readonly PackageImport[]): Promise<Absent[]> {
  const nameOf = ({ specifier }: PackageImport): string => rootOf(specifier) ?? specifier;
  const absent = await absentPackages({ url }, imports.map(nameOf));
  return imports
    .filter((one) => absent.has(nameOf(one)))
    .map((one) => ({ ...one, reason: `The package registry has no ${JSON.stringify(nameOf(one))}.` }));
}

/** The same imports were kept together for another document, or none of them is to be had. */
async function withoutRegistry(db: Database, imports: readonly PackageImport[]): Promise<Absent[]> {
  const wanted = jsxReferences(imports).flatMap(({ url, use }) => (mapUrl(url, use) ?? []).filter(isBundleWanted));
  if ((await keptBundle(db, bundleRequest(wanted, true))) !== null) return [];
  return imports.map((one) => ({ ...one, reason: "This instance fetches no packages." }));
}

/** The text and the files of a version, ready to be written. */
export interface PreparedVersion {
  readonly source: PreparedSource;
  readonly files: ChosenFiles;
  /** Of an archive from which files stayed behind. */
  readonly notTaken?: NotTaken | undefined;
  /** What the text refers to and is not there; null where that was not known in time, undefined where nothing is missing. */
  readonly missing: Missing | null | undefined;
}

/** The files that a version is to have; asked for only where its text may import some. */
type FilesToImport = () => Promise<FileSetRow | PreparedFiles | null>;

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
