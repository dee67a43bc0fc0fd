// A unified diff for people.
import { withoutControls, type Style } from "../terminal/style.ts";

/** The diff as it is where a program reads it; on a terminal coloured and without control characters. */
export function diffText(diff: string, { isTerminal, paint }: Style): string {
  if (!isTerminal) return diff;
  return withoutControls(diff)
    .split("\n")
    .map((line) => {
      if (line.startsWith("+++") || line.startsWith("---")) return paint("bold", line);
      if (line.startsWith("@@")) return paint("cyan", line);
      if (line.startsWith("+")) return paint("green", line);
      return line.startsWith("-") ? paint("red", line) : line;
    })
    .join("\n");
}
