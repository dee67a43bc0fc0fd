// The short form of `bun run stress documents`: the set of the repository, with a registry on loopback that has the
// packages it loads. The documents of one type in each run; `TEST_SAMPLES=all bun run test e2e/stress/documents.test` has all.
import { setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { artifactTypes } from "@plinth/contract/schemas/artifact";
import { startRegistry, type TestRegistry } from "@plinth/support/package-registry";

import { hung, repository } from "../harness/process.ts";
import { sample, testRandom } from "../harness/test-seed.ts";
import { documents } from "./documents.ts";

setDefaultTimeout(5 * hung);

/** Packages that are installed, under the versions that the documents name: the folder, and the files that are loaded. */
const installed = [
  ["d3", "7.9.0", "runtime/node_modules/d3", ["dist/d3.min.js"]],
  ["papaparse", "5.4.1", "runtime/node_modules/papaparse", ["papaparse.min.js"]],
  [
    "three",
    "0.187.0",
    "runtime/node_modules/three",
    ["build/three.module.js", "build/three.core.js", "examples/jsm/math/ConvexHull.js"],
  ],
  [
    "katex",
    "0.19.1",
    "e2e/node_modules/katex",
    [
      "dist/katex.min.css",
      "dist/katex.min.js",
      "dist/contrib/auto-render.min.js",
      ...["Main-Regular", "Math-Italic", "Size1-Regular", "Size2-Regular"].map(
        (face) => `dist/fonts/KaTeX_${face}.woff2`,
      ),
    ],
  ],
] as const;

const font = "platform/fonts/geist-latin.woff2";

/** The classes of the set alone: the real one compiles them from the document. */
const tailwind = `const style = document.createElement("style");
style.textContent = ".text-3xl { font-size: 30px } .grid { display: grid } .grid-cols-2 { grid-template-columns: 1fr 1fr }";
document.head.append(style);`;

async function publishPackages(registry: TestRegistry): Promise<void> {
  for (const [name, version, folder, paths] of installed) {
    const read = async (path: string) => [path, await readFile(join(repository, folder, path))] as const;
    await registry.publish(name, version, Object.fromEntries(await Promise.all(paths.map(read))));
  }
  const face = (weight: number) =>
    `@font-face { font-family: Inter; font-weight: ${weight}; src: url(./files/inter.woff2) format("woff2") }`;
  await registry.publish("@fontsource/inter", "5.2.0", {
    "400.css": face(400),
    "700.css": face(700),
    "files/inter.woff2": await readFile(join(repository, font)),
  });
  await registry.publish("tailwindcss-cdn", "3.4.10", { "tailwindcss.js": tailwind }, { main: "tailwindcss.js" });
}

test(documents.claim, async () => {
  const registry = await startRegistry();
  try {
    await publishPackages(registry);
    for (const type of sample(artifactTypes, 1, testRandom("documents", "of the set"))) {
      const set = { count: documents.shortCount, only: `${type}/` };
      console.error(JSON.stringify(await documents.run({ ...set, seed: 0, registry: registry.url })));
    }
  } finally {
    await registry.close();
  }
});
