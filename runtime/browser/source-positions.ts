// Finds places of the running document in its source, by what the document brings for it: see SourcePlaces.

/** Lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface StackFrame extends Place {
  /** "" where the function has none. */
  readonly name: string;
}

/** The frames of a stack, of an error or of React's components, that are the document's own, innermost first. */
export function stackFrames(stack: string, address: string): StackFrame[] {
  return stack.split("\n").flatMap((text) => {
    const at = text.indexOf(`${address}:`);
    const [, line, column] = at < 0 ? [] : (/^(\d+):(\d+)/.exec(text.slice(at + address.length + 1)) ?? []);
    if (!line || !column) return [];
    // "at Name (address:1:2)" or "Name@address:1:2", by browser
    const [, name = ""] = /(?:^\s*at (?:async |new )?|^)([\w$.]+)(?= \(|@)/.exec(text.slice(0, at)) ?? [];
    return [{ name, line: Number(line), column: Number(column) }];
  });
}

/** The names in a stack, innermost first: of components that React can't place it tells the name alone. */
export const stackNames = (stack: string): string[] =>
  stack.split("\n").flatMap((text) => /^\s*(?:at )?([\w$]+)/.exec(text)?.[1] ?? []);

export interface SourcePlace {
  component?: string;
  line?: number;
  column?: number;
}

/**
 * The place in the source of one in the document, and its component: the first of the names that the source declares,
 * else the one that is written around the place. Without a place it is where the component begins. In a file beside the
 * document it is the file that is named.
 */
export async function placeInSource(place: Place | undefined, names: readonly string[]): Promise<SourcePlace> {
  const places = documentPlaces();
  if (!places) return {};
  const { file = "", ...at } = (place && (await traced(places, place))) ?? {};
  if (file !== "") return { component: file, ...at };
  const found = "line" in at ? (at as Place) : undefined;
  const [declared] = names
    .map((wanted) => places.components.find(([name]) => name === wanted))
    .filter((component) => component !== undefined);
  const around = found && places.components.find(([, first, last]) => first <= found.line && found.line <= last);
  const component = (declared ?? around)?.[0];
  return { ...(component === undefined ? {} : { component }), ...(found ?? (declared ? { line: declared[1] } : {})) };
}

interface TracedPlace extends Place {
  /** "" for the document. */
  readonly file: string;
}

async function traced({ mappings, files, firstLine }: DocumentPlaces, place: Place): Promise<TracedPlace | undefined> {
  const { TraceMap, originalPositionFor } = await import("@jridgewell/trace-mapping");
  const map = new TraceMap({ version: 3, mappings, names: [], sources: files ?? [""] });
  const line = place.line - firstLine + 1;
  if (line < 1) return undefined;
  const found = originalPositionFor(map, { line, column: place.column - 1 });
  return found.line === null ? undefined : { file: found.source ?? "", line: found.line, column: found.column + 1 };
}

/** Used in the browser, and only when something fails. Lines count from 1. */
export interface SourcePlaces {
  /** The mappings of a source map, from the compiled text to the source. */
  readonly mappings: string;
  /** The paths of the sources, as the mappings number them; "" and where it is missing, the document. */
  readonly files?: readonly string[];
  /** The components at the top level, each with its first and last line in the source. */
  readonly components: readonly (readonly [name: string, first: number, last: number])[];
}

interface DocumentPlaces extends SourcePlaces {
  /** The line of the document on which the compiled code begins. */
  readonly firstLine: number;
}

function documentPlaces(): DocumentPlaces | null {
  const text = document.getElementById("plinth-places")?.textContent;
  return text ? (JSON.parse(text) as DocumentPlaces) : null;
}
