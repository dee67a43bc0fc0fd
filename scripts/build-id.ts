// The build id of the command line: the commit, marked where the files differ from it.
import { root } from "./step.ts";

/** `abc1234`, `abc1234-dirty` where one of the inputs has changed since, `unknown` outside a git checkout. */
export function buildId(inputs: readonly string[]): string {
  const commit = git("rev-parse", "--short=7", "HEAD");
  if (commit === null) return "unknown";
  return git("status", "--porcelain", "--", ...inputs) === "" ? commit : `${commit}-dirty`;
}

function git(...words: string[]): string | null {
  if (Bun.which("git") === null) return null;
  const { exitCode, stdout } = Bun.spawnSync(["git", ...words], { cwd: root, stderr: "ignore" });
  return exitCode === 0 ? stdout.toString().trim() : null;
}
