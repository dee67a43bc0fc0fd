// Compiles jsx ahead of a transaction. A dry run and a request with an Idempotency-Key run in one, and would hold a
// connection of the pool for as long as they wait for a compiler.
import { AppError } from "@plinth/contract/errors";
import type { Input } from "@plinth/contract/registry";
import type { ArtifactType } from "@plinth/contract/schemas/artifact";

import type { ResourceRow } from "./access/resource.ts";
import type { ArtifactRow, LoadedVersion, ProjectRow } from "./access/resource.ts";
import { compileFor } from "./content/source.ts";
import type { Context } from "./context.ts";
import type { NamedOperation } from "./input.ts";
import { textOf } from "./storage/pack.ts";
import { applyEdits } from "./versions/edit.ts";

interface Source {
  readonly type: ArtifactType;
  readonly workspaceId: string;
  readonly text: string;
}

/** The context with the compiled source, where the operation has one to compile. What fails is thrown by `prepare`. */
export async function compileAhead(
  context: Context,
  { name }: NamedOperation,
  input: unknown,
  resource: ResourceRow,
): Promise<Context> {
  const source = sourceOf(name, input, resource);
  if (source?.type !== "jsx") return context;
  const { text, workspaceId } = source;
  const made = compileFor(context, workspaceId, text);
  await Promise.allSettled([made]);
  return { ...context, compiledAhead: { text, made } };
}

function sourceOf(name: NamedOperation["name"], input: unknown, resource: ResourceRow): Source | null {
  switch (name) {
    case "artifact.create":
    case "artifact.createInWorkspace": {
      const { type, content } = input as Input<"artifact.create">;
      return { type, workspaceId: (resource as ProjectRow).workspaceId, text: content };
    }
    case "version.create": {
      const { type, workspaceId } = resource as ArtifactRow;
      return { type, workspaceId, text: (input as Input<"version.create">).content };
    }
    case "version.edit": {
      const { artifact, bytes } = resource as LoadedVersion;
      const text = artifact.type === "jsx" ? edited(bytes, input as Input<"version.edit">) : null;
      return text === null ? null : { type: artifact.type, workspaceId: artifact.workspaceId, text };
    }
    default:
      return null;
  }
}

/** Null where the edits do not fit, which the handler refuses. */
function edited(bytes: Uint8Array | null, { edits }: Input<"version.edit">): string | null {
  try {
    return applyEdits(textOf(bytes ?? new Uint8Array()), edits);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
