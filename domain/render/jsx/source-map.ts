// The source map of compiled code, and the lines of each component in the source.
import type { SourcePlaces } from "@plinth/runtime/browser/source-positions";
import type { Program } from "oxc-parser";
import { componentNames } from "./default-component.ts";

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
