// Links on a terminal (OSC 8): which terminals show them, and what one is. A terminal that shows none may print the
// sequence as rubbish, so only those known are trusted. Knows nothing of results.
import type { Io, OutputStream } from "../io/io.ts";

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

/** Whether this stream is a terminal that shows links, and nobody said no. */
export function showsLinks({ isTerminal }: Pick<OutputStream, "isTerminal">, env: Io["env"]): boolean {
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
export function linked(address: string, text: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return text;
  // The parser has written every control character as %XX, so the sequence can't be ended from within.
  return `\u001B]8;;${url.href}\u001B\\${text}\u001B]8;;\u001B\\`;
}
