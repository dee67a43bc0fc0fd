// What a command gives back; printing it is print.ts.
import type { Failure } from "../failure/failure.ts";
import type { Style } from "../terminal/style.ts";

export interface Result {
  /** What `--format json` prints and `--field` picks from. */
  readonly value: unknown;
  /** What text prints; without it the value is described. */
  readonly text?: (style: Style) => string;
  /** Printed as they are, whatever the format. */
  readonly bytes?: string | Uint8Array;
  /** The items of a list one by one, for `--ndjson`. */
  readonly items?: AsyncIterable<unknown> | Iterable<unknown>;
  /** Some of the work failed all the same. */
  readonly failure?: Failure;
}
