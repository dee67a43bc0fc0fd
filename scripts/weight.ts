// The lines of TypeScript and Svelte, of the product and of the whole, in all and for each operation. `bun run check`
// prints them; `bun scripts/weight.ts` prints them by folder too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../contract/registry.ts";
import { root } from "./step.ts";

/** What an operation may weigh: lines of the product, and of the whole. */
const goals = { product: 940, whole: 1900 };

const product = /^(?:api|cli|contract|db|domain|platform|runtime|server|web|worker)\//;
const test = /\.(?:test|case|child)\.tsx?$|(?:^|\/)(?:test|testing|service-tests)\/|testing\.ts$/;

const isProduct = (path: string): boolean => product.test(path) && !test.test(path);

/** The lines of each tracked file, by its path. */
function weighed(): Map<string, number> {
  const listed = Bun.spawnSync(["git", "ls-files", "-z", "*.ts", "*.tsx", "*.svelte"], { cwd: root });
  const files = listed.stdout.toString().split("\0").filter(Boolean);
  return new Map(files.map((path) => [path, readFileSync(join(root, path), "utf8").split("\n").length - 1]));
}

const sum = (lines: Iterable<number>): number => [...lines].reduce((all, each) => all + each, 0);
const count = (lines: number): string => Math.round(lines).toLocaleString("en");

/** One line: both sums, and both for each operation beside what an operation may weigh. */
export function weightLine(lines = weighed()): string {
  const each = operations.length;
  const whole = sum(lines.values());
  const own = sum([...lines].filter(([path]) => isProduct(path)).map(([, number]) => number));
  return (
    `weight: ${count(own)} lines of product, ${count(own / each)} an operation (goal ${goals.product}); ` +
    `${count(whole)} in all, ${count(whole / each)} (goal ${goals.whole})`
  );
}

if (import.meta.main) {
  const lines = weighed();
  const folders = Map.groupBy(lines, ([path]) => path.split("/")[0] ?? "");
  for (const [folder, files] of folders) {
    const own = files.filter(([path]) => isProduct(path));
    const [product, all] = [own, files].map((some) => count(sum(some.map(([, number]) => number))));
    console.log(`${folder.padEnd(12)} ${(product ?? "").padStart(8)} of product, ${(all ?? "").padStart(8)} in all`);
  }
  console.log(weightLine(lines));
}
