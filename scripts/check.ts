// `bun run check`: runs every static check; with `--changed` only those of a change.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkChanged } from "./check-changed.ts";
import { type Check, checks, isClean, isHere, runChecks } from "./checks.ts";
import { install } from "./install.ts";
import { requirePinnedBun } from "./pinned-bun.ts";
import { conclude, type Count, root } from "./step.ts";

/** Generates the file that the web app's tsconfig extends. */
const preparation: Check = { name: "svelte-kit sync", command: ["svelte-kit", "sync"], folder: "web" };

/** Runs all checks in parallel, and prints the output of each when it has ended. */
export async function check(): Promise<Count> {
  if (isHere(preparation)) {
    dropStaleCache();
    if (!(await isClean(preparation))) return { passed: 0, failed: 1 };
  }
  const count = await runChecks(checks);
  // A checkout of one part, as in a container image, is not weighed.
  if (existsSync(join(root, ".git"))) console.log((await import("./weight.ts")).weightLine());
  return count;
}

/** svelte-check only compares components, so results of another version or configuration must be deleted. */
function dropStaleCache(): void {
  const cache = join(root, "web/.svelte-kit/.svelte-check");
  const stamp = join(root, "node_modules/.plinth/svelte-check");
  const hash = new Bun.CryptoHasher("sha256");
  // One of these modules has the compiler's options.
  const modules = [...new Bun.Glob("web/*.ts").scanSync({ cwd: root })].toSorted();
  for (const path of ["bun.lock", "web/tsconfig.check.json", "web/tsconfig.json", ...modules])
    hash.update(readFileSync(join(root, path)));
  const wanted = hash.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(join(root, "node_modules/.plinth"), { recursive: true });
  writeFileSync(stamp, wanted);
}

if (import.meta.main) {
  await requirePinnedBun();
  install();
  const [option, ref] = process.argv.slice(2);
  if (option !== undefined && option !== "--changed") throw new Error("Usage: bun run check [--changed [ref]]");
  conclude([await (option === undefined ? check() : checkChanged(ref))]);
}
