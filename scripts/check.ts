// Owns `bun run check`: every static check, all of them even when one fails.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { install } from "./install.ts";
import { root, runBun, seconds } from "./step.ts";

interface Check {
  name: string;
  commands: string[][];
  folder?: string;
}

const checks: Check[] = [
  // Before oxlint, which reads web's tsconfig too: it extends what Kit's sync generates.
  {
    name: "svelte-check",
    commands: [
      ["svelte-kit", "sync"],
      ["svelte-check", "--tsconfig", "./tsconfig.json", "--fail-on-warnings"],
    ],
    folder: "web",
  },
  { name: "oxlint", commands: [["oxlint", "."]] },
  { name: "oxfmt", commands: [["oxfmt", "--check", "."]] },
  { name: "tsc", commands: [["tsc", "--noEmit"]] },
  // What the command line uses is held against the oldest Node its package runs on.
  { name: "tsc of the command line for Node 20", commands: [["tsc", "--noEmit", "-p", "cli/tsconfig.node20.json"]] },
];

install();
let passed = 0;
let failed = 0;
for (const { name, commands, folder = "." } of checks) {
  // An image of one part has no web app to check.
  if (!existsSync(join(root, folder, "tsconfig.json"))) continue;
  const started = performance.now();
  const isClean = commands.every((command) => runBun(["--bun", "--silent", "run", ...command], folder) === 0);
  if (isClean) passed += 1;
  else failed += 1;
  console.log(`${name}: ${isClean ? "passed" : "FAILED"} in ${seconds(started)} s`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
