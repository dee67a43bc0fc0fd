// Gives the server of the web app the documentation as the module `virtual:docs`, which Vite builds with the app. In
// development a page shows a changed source when it is loaded again.
import type { Plugin } from "vite";

import type { Documentation } from "../src/lib/server/docs/documentation.ts";
import { sourceFiles } from "./contents.ts";

/** Loaded with the first use: svelte-check reads the configuration in Node, which can't load the registry. */
const build = new URL("./build-docs.ts", import.meta.url).href;
const name = "virtual:docs";
const resolved = `\0${name}`;

export const documentation: Plugin = {
  name: "plinth-docs",
  resolveId: (id) => (id === name ? resolved : undefined),
  async load(id) {
    if (id !== resolved) return undefined;
    for (const file of sourceFiles()) this.addWatchFile(file);
    const { buildDocs } = (await import(build)) as { buildDocs: () => Promise<Documentation> };
    // Parsed as JSON, which is faster than as a program.
    return `export default JSON.parse(${JSON.stringify(JSON.stringify(await buildDocs()))});`;
  },
};
