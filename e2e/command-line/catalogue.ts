// What a distribution says of itself by `plinth schema`, as far as the matrix reads it.
import type { Distribution } from "../harness/distributions.ts";
import type { RunLine } from "./line.ts";

export interface CatalogueFlag {
  /** With its dashes. */
  readonly name: string;
  readonly type: "string" | "boolean";
  readonly required: boolean;
  readonly values: readonly string[] | null;
}

/** The part of JSON Schema that shows where a list's items stand. */
export interface OutputSchema {
  readonly properties?: Readonly<Record<string, OutputSchema>>;
  readonly items?: OutputSchema;
}

export interface CatalogueCommand {
  readonly path: string;
  readonly args: readonly unknown[];
  readonly flags: readonly CatalogueFlag[];
  readonly stdin: string | null;
  readonly dryRun: boolean;
  readonly check: boolean;
  readonly confirm: string | null;
  readonly endpoint: { readonly method: string; readonly path: string } | null;
  readonly output: OutputSchema;
}

export interface Catalogue {
  readonly exitCodes: Readonly<Record<string, string>>;
  readonly errorCodes: readonly { readonly code: string; readonly status: number | null }[];
  readonly commands: readonly CatalogueCommand[];
}

/** Reads the catalogue of a distribution. */
export async function readCatalogue(run: RunLine, distribution: Distribution): Promise<Catalogue> {
  const { code, stdout, stderr } = await run(distribution, { words: ["schema"] });
  if (code !== 0) throw new Error(`plinth schema ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Catalogue;
}

/** The member a list's items stand under; null where the command lists nothing. */
export function collectionOf({ output: { properties = {} } }: Pick<CatalogueCommand, "output">): string | null {
  if (!("nextCursor" in properties)) return null;
  return Object.keys(properties).find((name) => name !== "nextCursor") ?? null;
}
