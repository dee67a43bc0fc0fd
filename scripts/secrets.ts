// The check of secrets: secretlint reads every file that git tracks or would add, so that no key is committed. A value
// of a test that looks like one is allowed in `.secretlintrc.json`, by itself and in no other form.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createEngine } from "@secretlint/node";

import { git, names } from "./file-checks.ts";
import { root } from "./step.ts";

/** A line for each secret in the files; empty where there is none. */
export async function secretsIn(checkout: string, files: readonly string[]): Promise<string> {
  const engine = await createEngine({
    cwd: root,
    configFilePath: join(root, ".secretlintrc.json"),
    formatter: "unix",
    color: false,
    maskSecrets: true,
  });
  const { ok, output } = await engine.executeOnFiles({ filePathList: files.map((file) => join(checkout, file)) });
  return ok ? "" : output;
}

/** The files of a checkout that are, or would be, in a commit. */
export const committedFiles = (checkout: string): string[] =>
  names(git(checkout, "ls-files", "--cached", "--others", "--exclude-standard", "-z")).filter((file) =>
    existsSync(join(checkout, file)),
  );

if (import.meta.main) {
  const files = process.argv.slice(2);
  const found = await secretsIn(root, files.length > 0 ? files : committedFiles(root));
  if (found !== "") console.error(found);
  process.exitCode = found === "" ? 0 : 1;
}
