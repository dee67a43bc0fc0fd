// The type of a handler whose operation answers JSON: what it gets, by the registry, and what it returns. handler.ts has
// those of all operations.
import type { Resource } from "@plinth/contract/operation";
import type { Input, OperationName, Output, Registry } from "@plinth/contract/registry";

import type { Rows, ArtifactRow } from "./access/resource.ts";
import type { Context } from "./context.ts";

/** The row that `invoke` passes, by the operation's `resource`. */
export type RowOf<Required extends Resource | null> = Required extends { readonly by: "optionalId" }
  ? ArtifactRow | null
  : Required extends Resource
    ? Rows[Required["load"]]
    : null;

export type JsonHandler<Name extends OperationName> = (
  context: Context,
  input: Input<Name>,
  resource: RowOf<Registry[Name]["resource"]>,
) => Promise<Output<Name>>;
