// Colours, links (OSC 8) and text without control characters for one stream. An artifact's title is hostile input: it must
// not control the terminal.
import type { Io, OutputStream } from "../io/io.ts";

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export interface Style {
  readonly columns: number;
  readonly isTerminal: boolean;
  readonly paint: (colour: keyof typeof codes, text: string) => string;
  /** The text as a link where the terminal shows links, and as it is elsewhere. */
  readonly link: (address: string, text: string) => string;
}

/**
 * The style of a stream: colours on a terminal, unless NO_COLOR or TERM=dumb say otherwise, and elsewhere where
 * FORCE_COLOR or CLICOLOR_FORCE says so. NO_COLOR goes before all others.
 */
export function styleOf(stream: Pick<OutputStream, "isTerminal" | "columns">, env: Io["env"]): Style {
  const isForced = [env["FORCE_COLOR"], env["CLICOLOR_FORCE"]].some((value) => value && value !== "0");
  const isOff = env["FORCE_COLOR"] === "0" || env["TERM"] === "dumb";
  const coloured = !env["NO_COLOR"] && (isForced || (stream.isTerminal && !isOff));
  const links = supportsLinks(stream, env);
  return {
    columns: stream.columns,
    isTerminal: stream.isTerminal,
    paint: (colour, text) => (coloured ? `\u001B[${codes[colour]}m${text}\u001B[0m` : text),
    link: (address, text) => (links ? hyperlink(address, text) : text),
  };
}

/** Takes the line a terminal's cursor is in away, and goes to its beginning. */
export const clearLine = "\r\u001B[2K";

/** Text on one line without control characters or marks that turn its direction. */
export const oneLine = (text: string): string => withoutControls(text).replaceAll(/\s+/g, " ").trim();

/** Text without control characters, but with its lines and tabs. */
export const withoutControls = (text: string): string => text.replaceAll(/[^\P{C}\n\t\u200D]|[\u2028\u2029]/gu, "");

const programs: readonly (string | undefined)[] = [
  "iTerm.app",
  "WezTerm",
  "vscode",
  "ghostty",
  "zed",
  "Hyper",
  "Tabby",
  "rio",
];
const terminals = /^(xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/;

/** Whether this stream is a terminal that shows links, and no setting forbids them. */
function supportsLinks({ isTerminal }: Pick<OutputStream, "isTerminal">, env: Io["env"]): boolean {
  if (!isTerminal || env["NO_COLOR"] || env["TERM"] === "dumb") return false;
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined && forced !== "") return forced !== "0";
  if (env["CI"]) return false;
  // The library of GNOME's and other terminals crashed on links before 0.50.1, which it calls 5001.
  const library = Number(env["VTE_VERSION"] ?? 0);
  if (library > 5000) return true;
  return env["WT_SESSION"] !== undefined || programs.includes(env["TERM_PROGRAM"]) || terminals.test(env["TERM"] ?? "");
}

/** The text as a link to an http or https address; any other address could do things on a click, and makes none. */
function hyperlink(address: string, text: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return text;
  // The parser has written every control character as %XX, so the sequence can't be ended from within.
  return `\u001B]8;;${url.href}\u001B\\${text}\u001B]8;;\u001B\\`;
}
