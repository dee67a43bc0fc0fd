// The stage that answers from memory. Requests of the same moment share what is loaded (access/load.ts), and so the result of a
// read that is made of it and of the input alone.
import type { Authorized } from "../access/authorize.ts";
import type { LeasedRow, Loaded } from "../access/load.ts";
import type { ArtifactRow } from "../access/resource.ts";
import type { Asked } from "./asked.ts";

export interface Memory {
  /** The row in memory that the result is made of, and of the input alone. */
  readonly leased: LeasedRow | null;
  /** The result for all who send this input while the loaded rows are the same; undefined where none is kept. */
  readonly found?: unknown;
  /** Keeps the result for the next of them. */
  readonly keep?: (value: unknown) => void;
}

const nothing: Memory = { leased: null };

interface Shared {
  readonly input: string;
  readonly value: unknown;
}

/** The last result of each operation for what was loaded. It lives as long as that. */
const shared = new WeakMap<Loaded, Map<string, Shared>>();

export function memoryOf(
  { instance: { publicRows }, op, sent: { input } }: Asked,
  loaded: Loaded,
  { principal }: Authorized,
): Memory {
  if (!isMadeOfRows(op, input, loaded)) return nothing;
  const leased = publicRows?.leasedFor(loaded) ?? null;
  // The source of a version is a new object each time, with its bytes from the cache.
  if (principal.type !== "anonymous" || loaded.grants.length > 0 || op.media !== undefined) return { leased };
  const sent = JSON.stringify(input);
  const last = shared.get(loaded)?.get(op.name);
  return {
    leased,
    found: last?.input === sent ? last.value : undefined,
    keep(value) {
      const ofLoaded = shared.get(loaded) ?? new Map<string, Shared>();
      shared.set(loaded, ofLoaded.set(op.name, { input: sent, value }));
    },
  };
}

/** Whether the result depends on the loaded rows and the input alone, for a caller without any credential. */
function isMadeOfRows({ name }: Asked["op"], input: Record<string, unknown>, { artifact }: Loaded): boolean {
  if (name === "artifact.get" || name === "version.content" || name === "version.file") return true;
  if (name !== "artifact.getByPath") return false;
  // Neighbours and packages are read beside it.
  const { sourcePath, type } = artifact as ArtifactRow;
  return (input["withNeighbours"] !== true || sourcePath === null) && (input["withPackages"] !== true || type === "md");
}
