// The part of `plinth schema` that the matrix reads.
import type { ErrorCode } from "@plinth/contract/errors";

import type { Distribution } from "../harness/distributions.ts";
import type { RunLine } from "./line.ts";

/** The client's codes and the server's. */
export type FailureCode =
  | ErrorCode
  | "usage"
  | "confirmation_needed"
  | "partial_failure"
  | "input_needed"
  | "interrupted";

export interface CatalogueFlag {
  /** With its dashes. */
  readonly name: string;
  readonly type: "boolean" | "string" | "integer" | "list" | "json";
  readonly required: boolean;
  readonly values: readonly string[] | null;
  /** The member of the operation's input that it sets. */
  readonly field: string | null;
  /** The flag that sets false. */
  readonly negation?: string;
}

export interface CatalogueCommand {
  readonly path: string;
  readonly short: string | null;
  readonly args: readonly unknown[];
  readonly flags: readonly CatalogueFlag[];
  readonly stdin: string | null;
  readonly dryRun: boolean;
  readonly check: boolean;
  readonly confirm: string | null;
  readonly endpoint: { readonly method: string; readonly path: string } | null;
  /** The codes it can fail with. */
  readonly errors: readonly FailureCode[];
  readonly exitCodes: readonly number[];
  /** The member of the output that has a list's items. */
  readonly collection: string | null;
  readonly output: object;
  /** The kind of its text output; null if it is the document for people. */
  readonly text: string | null;
}

export interface Catalogue {
  readonly exitCodes: Readonly<Record<string, string>>;
  readonly errorCodes: readonly {
    readonly code: string;
    readonly status: number | null;
    readonly exitCode: number;
    readonly retryable: boolean;
  }[];
  readonly errorOutput: object;
  readonly dryRunOutput: object;
  readonly commands: readonly CatalogueCommand[];
}

/** Reads the catalogue of a distribution. */
export async function readCatalogue(run: RunLine, distribution: Distribution): Promise<Catalogue> {
  const { code, stdout, stderr } = await run(distribution, { words: ["schema"] });
  if (code !== 0) throw new Error(`plinth schema ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Catalogue;
}
