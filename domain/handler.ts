// The type of each operation's handler: what it gets, by the registry, and what it returns. One that waits for a child process
// has a stage before it, whose result it gets.
import type { Input, OperationName, Output, Registry } from "@plinth/contract/registry";

import type { ResourceRow } from "./access/resource.ts";
import type { PreparedVersion } from "./content/source.ts";
import type { Context } from "./context.ts";
import type { ArtifactEvents } from "./events/watch.ts";
import type { ArchiveDocument } from "./files/archive.ts";
import type { FileDocument } from "./files/read.ts";
import type { RowOf } from "./json-handler.ts";
import type { SourceText } from "./storage/source-text.ts";
import type { ThumbnailDocument } from "./thumbnails/show.ts";
import type { DiffDocument } from "./versions/diff.ts";
import type { PutPlan } from "./versions/put-plan.ts";
import type { SourceDocument } from "./versions/source.ts";

/** What a handler returns for the encoder of a media type. */
interface MediaResults {
  readonly source: SourceDocument;
  readonly diff: DiffDocument;
  readonly events: ArtifactEvents;
  readonly thumbnail: ThumbnailDocument;
  readonly file: FileDocument;
  readonly archive: ArchiveDocument;
}

/** JSON, or the result for the operation's media type. */
type ResultOf<Name extends OperationName> = Registry[Name] extends {
  readonly media: infer Media extends keyof MediaResults;
}
  ? MediaResults[Media]
  : Output<Name>;

type Handler<Name extends OperationName> = (
  context: Context,
  input: Input<Name>,
  resource: RowOf<Registry[Name]["resource"]>,
) => ResultOf<Name> | Promise<ResultOf<Name>>;

/** What the operations make that have work to do before their transaction: compile, apply edits, hash and compress. */
interface Preparations {
  readonly "artifact.create": PreparedVersion;
  readonly "artifact.createInWorkspace": PreparedVersion;
  readonly "artifact.put": PutPlan;
  readonly "version.create": PreparedVersion;
  readonly "version.edit": PreparedVersion;
}

/** `prepare` runs once, outside of a transaction, and `handle` gets what it made. */
interface InTwoStages<Name extends keyof Preparations> {
  readonly prepare: (
    context: Context,
    input: Input<Name>,
    resource: RowOf<Registry[Name]["resource"]>,
    sent: SourceText | null,
  ) => Promise<Preparations[Name]>;
  readonly handle: (
    context: Context,
    input: Input<Name>,
    resource: RowOf<Registry[Name]["resource"]>,
    prepared: Preparations[Name],
  ) => Promise<ResultOf<Name>>;
}

/** An operation as the loop over the registry performs it: `invoke` has checked the input and loaded the row. */
export interface AnyStages {
  /** Of a write. */
  readonly changes?: Change;
  readonly prepare?: (
    context: Context,
    input: Record<string, unknown>,
    resource: ResourceRow,
    sent: SourceText | null,
  ) => Promise<unknown>;
  readonly handle: (
    context: Context,
    input: Record<string, unknown>,
    resource: ResourceRow,
    prepared?: unknown,
  ) => Promise<unknown>;
}

/**
 * A write's effect on the rows that processes may answer from memory: the answer to it waits until no process answers with an
 * earlier row. Rows are kept of artifacts that anyone may see, by their identifier or their present address. `nothing`: nothing
 * that anyone may see without a credential, such as what it creates, and the rights of people, credentials and links, which are
 * asked of the database. `artifact`: the artifact that the operation is on. `answered`: the artifact that its result names.
 * `everything`: what is in a project or a workspace.
 */
export type Change = "nothing" | "artifact" | "answered" | "everything";

interface InOneStage<Name extends OperationName> {
  readonly handle: Handler<Name>;
}

export type Handlers = {
  readonly [Name in OperationName]: Registry[Name]["effect"] extends "read"
    ? Handler<Name>
    : { readonly changes: Change } & (Name extends keyof Preparations ? InTwoStages<Name> : InOneStage<Name>);
};
