// What maps a place in compiled code back to its source, and tells whose code it is.
import type { Program } from "oxc-parser";
import { componentNames } from "./shown.ts";

/** Used in the browser, and only when something fails. Lines count from 1. */
export interface SourcePlaces {
  /** The mappings of a source map, from the compiled text to the source. */
  readonly mappings: string;
  /** The components at the top level, each with its first and last line in the source. */
  readonly components: readonly (readonly [name: string, first: number, last: number])[];
}

/** More than a person writes; a document of more is told of by line alone. */
const MAX_COMPONENTS = 500;

export function sourcePlaces(program: Program, source: string, mappings: string): SourcePlaces {
  const found = program.body.flatMap((statement) => componentNames(statement).map((name) => ({ name, statement })));
  const components = found.slice(0, MAX_COMPONENTS);
  const ends = lineNumbers(
    source,
    components.flatMap(({ statement }) => [statement.start, statement.end]),
  );
  return {
    mappings,
    components: components.map(({ name }, index) => [name, ends[2 * index] ?? 1, ends[2 * index + 1] ?? 1]),
  };
}

/** The line of each offset; the offsets ascend. */
function lineNumbers(source: string, offsets: readonly number[]): number[] {
  const breaks = source.matchAll(/\r\n|[\n\r\u2028\u2029]/g);
  let next = breaks.next();
  let line = 1;
  return offsets.map((offset) => {
    for (; !next.done && next.value.index < offset; next = breaks.next()) line++;
    return line;
  });
}
