// Lists the files of a checkout: those that git tracks or would add, and the build outputs that the tests need.
import { existsSync } from "node:fs";
import { join } from "node:path";

const built = ["web/build", "cli/dist", "runtime/dist"];

/** The paths to copy, from the root; where there is no git, everything in the folder. */
export async function copyable(root: string): Promise<string[]> {
  const listed = Bun.spawnSync(["git", "ls-files", "-coz", "--exclude-standard"], { cwd: root, stderr: "ignore" });
  const files =
    listed.exitCode === 0
      ? listed.stdout.toString().split("\0")
      : [...new Bun.Glob("**/*").scanSync({ cwd: root, dot: true })];
  return [
    ...files.filter((file) => file !== "" && existsSync(join(root, file))),
    ...built.filter((path) => existsSync(join(root, path))),
  ];
}
