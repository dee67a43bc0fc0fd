// Asks git which files of a folder it would track: git alone knows every place where rules stand
// (`.git/info/exclude`, `core.excludesFile`).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

import { usage } from "../failure/failure.ts";
import type { Io } from "../io/io.ts";

/** Bytes of names; 10,000 files have far less. */
const longestAnswer = 64 * 1024 * 1024;
/** Milliseconds; rules can be written that keep git busy without an end. */
const timeLimit = 60_000;

/**
 * Paths below the folder with `/`, composed (NFC): those that git tracks, and those that it would not ignore. Null where
 * there is no git, or the folder is in no work tree that git reads. @throws Failure usage where git does not answer
 */
export async function gitFilesOf(folder: string, env: Io["env"]): Promise<readonly string[] | null> {
  const git = programOf(env);
  if (git === null) return null;
  const answer = await ask(git, folder, env);
  return answer === null
    ? null
    : answer
        .toString("utf8")
        .normalize("NFC")
        .split("\0")
        .filter((path) => path !== "");
}

/** An absolute path: some systems look for a program in the working directory, which is not the caller's own. */
function programOf(env: Io["env"]): string | null {
  const name = process.platform === "win32" ? "git.exe" : "git";
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** A repository's own configuration may name a program that git runs before it lists files. */
const words = ["-c", "core.fsmonitor=false", "ls-files", "-co", "--exclude-standard", "-z", "--", "."];

function ask(git: string, folder: string, env: Io["env"]): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(git, words, {
      cwd: folder,
      env: { ...withoutRepository(env), GIT_OPTIONAL_LOCKS: "0" },
      stdio: ["ignore", "pipe", "ignore"],
      windowsHide: true,
      timeout: timeLimit,
    });
    const chunks: Buffer[] = [];
    let length = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > longestAnswer) child.kill();
      else chunks.push(chunk);
    });
    child.once("error", () => resolve(null));
    child.once("close", (code, signal) => {
      if (signal !== null)
        reject(usage("git did not list the files of the folder", { hint: "Name the files one by one" }));
      else resolve(code === 0 ? Buffer.concat(chunks) : null);
    });
  });
}

const ofRepository = new Set(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE"]);

/** In a git hook these name the hook's repository, whichever folder is pushed. */
const withoutRepository = (env: Io["env"]): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !ofRepository.has(name)));
