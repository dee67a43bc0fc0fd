// The person's editor: which one (VISUAL, EDITOR, else the system's own), and running it as git runs its own.
import { spawn } from "node:child_process";

import { usage } from "../failure/failure.ts";
import type { Io } from "./io.ts";

/** The words that call the editor. @throws Failure usage where this terminal can show none by itself */
export function editorOf({ env, platform }: Pick<Io, "env" | "platform">): string {
  const isDumb = env["TERM"] === undefined || env["TERM"] === "" || env["TERM"] === "dumb";
  const named = (isDumb ? undefined : env["VISUAL"]) || env["EDITOR"];
  if (named) return requireWaiting(named);
  if (platform === "win32") return "notepad";
  if (!isDumb) return "vi";
  throw usage("No editor is known", { hint: "Set EDITOR, or give --replace and --with" });
}

const wait = /\s(-w|--wait)\b/;
/** Editors with their own window, and the flag that makes them wait: text typed after they return would be lost. */
const waits: Readonly<Record<string, RegExp>> = {
  ...{ code: wait, codium: wait, cursor: wait, zed: wait, subl: wait, mate: wait, atom: wait },
  gvim: /\s(-f|--nofork)\b/,
};

function requireWaiting(words: string): string {
  const name = /^[^\s"']*?([a-z]+)(?=\s|$)/.exec(words)?.[1] ?? "";
  const stays = waits[name];
  if (stays === undefined || stays.test(words)) return words;
  const flag = name === "gvim" ? "--nofork" : "--wait";
  throw usage(`${name} comes back before its window is closed`, { hint: `Set EDITOR to "${words} ${flag}"` });
}

/**
 * Waits for the editor, which has the terminal; its exit code. Its words are the shell's to read, so
 * `code --wait` and quoted paths work; the file's name is a parameter and never read by a shell.
 */
export async function runEditor(editor: string, path: string): Promise<number> {
  const words = ["-c", `${editor} "$@"`, editor, path];
  // Ctrl-C is for the editor: it has the terminal.
  const listeners = process.listeners("SIGINT");
  const pass = () => {};
  process.removeAllListeners("SIGINT").on("SIGINT", pass);
  try {
    return await new Promise((resolve, reject) => {
      const child =
        process.platform === "win32"
          ? spawn(`${editor} "${path}"`, { stdio: "inherit", shell: true })
          : spawn("sh", words, { stdio: "inherit" });
      child.once("error", reject);
      child.once("exit", (code) => resolve(code ?? 1));
    });
  } finally {
    process.removeListener("SIGINT", pass);
    for (const listener of listeners) process.on("SIGINT", listener);
  }
}
