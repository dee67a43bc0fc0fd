// One question on the terminal: asked on standard error, so that standard output holds the result alone, and answered by
// a line. The terminal itself edits the line and turns Ctrl-C into an interrupt.
import { createInterface } from "node:readline";

/** Asks; null where the person ends the input (Ctrl-D). */
export function ask(question: string): Promise<string | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  return new Promise((resolve) => {
    lines.once("line", (line) => {
      resolve(line);
      lines.close();
    });
    lines.once("close", () => resolve(null));
    lines.setPrompt(question);
    lines.prompt();
  });
}
