// Applies edits and compiles jsx ahead of a transaction. A dry run and a request with an Idempotency-Key run in one, and
// would hold a connection of the pool for as long as they wait for a child process.
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { ResourceRow } from "./access/resource.ts";
import type { ArtifactRow, LoadedVersion, ProjectRow } from "./access/resource.ts";
import { compileFor, type FilesToImport, jsxSource } from "./content/source.ts";
import type { Context } from "./context.ts";
import { chooseFiles, scopeOf } from "./files/given-files.ts";
import { givenText } from "./files/given-text.ts";
import type { NamedOperation } from "./input.ts";
import { editedText } from "./versions/edited-text.ts";
import { filesOf } from "./versions/publish.ts";
import { artifactAt } from "./versions/put.ts";

interface Source {
  readonly type: ArtifactType;
  readonly workspaceId: string;
  /** @throws AppError, as the handler will */
  readonly text: () => string | Promise<string>;
  readonly files: FilesToImport;
}

/**
 * The context with the edited text and the compiled source, where the operation has one. What fails is thrown where the
 * handler asks for it.
 */
export async function compileAhead(
  given: Context,
  { name }: NamedOperation,
  input: unknown,
  resource: ResourceRow,
): Promise<Context> {
  const context = name === "version.edit" ? await editAhead(given, input, resource) : given;
  const found = sourceOf(context, name, input, resource);
  if (found?.type !== "jsx") return context;
  const source = await readSource(found).catch(unlessRefused);
  if (source === null) return context;
  const made = compileFor(context, found.workspaceId, source);
  await Promise.allSettled([made]);
  return { ...context, compiledAhead: { source, made } };
}

async function editAhead(context: Context, input: unknown, resource: ResourceRow): Promise<Context> {
  const editedAhead = editedText(context, resource as LoadedVersion, (input as Input<"version.edit">).edits);
  await Promise.allSettled([editedAhead]);
  return { ...context, editedAhead };
}

const readSource = async ({ text, files }: Source) => jsxSource(await text(), files);

/** The handler refuses the same text and files. */
function unlessRefused(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}

function sourceOf(
  context: Context,
  name: NamedOperation["name"],
  input: unknown,
  resource: ResourceRow,
): Source | null {
  const { db, principal } = context;
  switch (name) {
    case "artifact.create":
    case "artifact.createInWorkspace": {
      const given = input as Input<"artifact.create">;
      const { workspaceId } = resource as ProjectRow;
      const scope = { workspaceId, artifactId: null };
      const files = async () => {
        const chosen = await chooseFiles(db, scope, given);
        return typeof chosen === "string" ? null : chosen;
      };
      return { type: given.type, workspaceId, text: () => givenText(context, scope, given), files };
    }
    case "artifact.put": {
      const given = input as Input<"artifact.put">;
      const project = resource as ProjectRow;
      const { workspaceId } = project;
      const scope = { workspaceId, artifactId: null };
      const files = async () => {
        const found = await artifactAt(context, project, given.slug);
        const { sourcePath = found?.artifact.sourcePath } = given;
        const chosen = await chooseFiles(db, scope, { ...given, ...(sourcePath !== undefined && { sourcePath }) });
        if (found !== null) return filesOf(db, found.artifact, chosen);
        return typeof chosen === "string" ? null : chosen;
      };
      return { type: given.type, workspaceId, text: () => givenText(context, scope, given), files };
    }
    case "version.create": {
      const artifact = resource as ArtifactRow;
      const given = { ...(input as Input<"version.create">), sourcePath: artifact.sourcePath };
      const { type, workspaceId } = artifact;
      const scope = scopeOf(principal, artifact);
      const files = async () => filesOf(db, artifact, await chooseFiles(db, scope, given));
      return { type, workspaceId, text: () => givenText(context, scope, given), files };
    }
    case "version.edit": {
      const { artifact, version } = resource as LoadedVersion;
      const { type, workspaceId } = artifact;
      const text = () => context.editedAhead as Promise<string>;
      return { type, workspaceId, text, files: () => Promise.resolve(version.files) };
    }
    default:
      return null;
  }
}
