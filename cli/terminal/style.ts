// Colour, links and harmless text for one stream. What an artifact is called is hostile: it must not be able
// to drive a terminal.
import type { Io, OutputStream } from "../io/io.ts";
import { linked, showsLinks } from "./links.ts";

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export interface Style {
  readonly columns: number;
  readonly isTerminal: boolean;
  readonly paint: (colour: keyof typeof codes, text: string) => string;
  /** The text as a link where the terminal shows links, and as it is elsewhere. */
  readonly link: (address: string, text: string) => string;
}

/** The style of a stream: colours on a terminal, unless NO_COLOR or TERM=dumb say otherwise. */
export function styleOf(stream: Pick<OutputStream, "isTerminal" | "columns">, env: Io["env"]): Style {
  const coloured = stream.isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  const links = showsLinks(stream, env);
  return {
    columns: stream.columns,
    isTerminal: stream.isTerminal,
    paint: (colour, text) => (coloured ? `\u001B[${codes[colour]}m${text}\u001B[0m` : text),
    link: (address, text) => (links ? linked(address, text) : text),
  };
}

/** Takes the line a terminal's cursor is in away, and goes to its beginning. */
export const clearLine = "\r\u001B[2K";

/** Text on one line without control characters or marks that turn its direction. */
export const oneLine = (text: string): string => harmless(text).replaceAll(/\s+/g, " ").trim();

/** Text without control characters, but with its lines and tabs. */
export const harmless = (text: string): string => text.replaceAll(/[^\P{C}\n\t\u200D]|[\u2028\u2029]/gu, "");
